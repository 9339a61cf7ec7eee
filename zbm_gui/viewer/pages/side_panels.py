"""What stands beside the pages: outline, small pages, annotations; one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from zbm_core.documents.structure import OutlineEntry
from zbm_core.library.records import Annotation
from zbm_gui.viewer.outline_panel import OutlinePanel

from .annotation_layer import AnnotationLayer
from .annotation_panel import AnnotationPanel
from .document import PdfFile
from .thumbnails import ThumbnailPanel

WIDTH = 28  # average characters
NAMES = ("outline", "thumbnails", "annotations")


class SidePanels(QStackedWidget):
    """Hidden until one is asked for.

    Signals:
        page_chosen(int)
        annotation_chosen(Annotation)
        left(): the keyboard belongs to the pages again.
    """

    page_chosen = Signal(int)
    annotation_chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outline, self.thumbnails = OutlinePanel(), ThumbnailPanel()
        self.annotations = AnnotationPanel()
        for panel in (self.outline, self.thumbnails, self.annotations):
            self.addWidget(panel)
        self._file: PdfFile | None = None
        self._outline_known = False  # given, or read from the file
        self._page = 0
        self.outline.entry_chosen.connect(self.page_chosen)
        self.thumbnails.page_chosen.connect(self.page_chosen)
        self.annotations.chosen.connect(self.annotation_chosen)
        self.thumbnails.left.connect(self.left)
        self.annotations.left.connect(self.left)
        self.hide()

    @property
    def shown(self) -> str:
        """The name of the panel that is open, "" if none."""
        return NAMES[self.currentIndex()] if not self.isHidden() else ""

    def show_panel(self, name: str) -> None:
        """Open the panel called *name*; "" closes."""
        self.setVisible(bool(name))
        if name:
            self.setCurrentIndex(NAMES.index(name))
            self._fill_outline()

    def set_document(self, file: PdfFile | None) -> None:
        self._file = file
        self._outline_known = False
        self.outline.set_entries(())
        self.thumbnails.set_file(file)
        self._page = 0
        self._fill_outline()

    def set_outline(self, entries: Sequence[OutlineEntry]) -> None:
        self._outline_known = bool(entries)
        self.outline.set_entries(entries)
        self._fill_outline()

    def set_annotations(self, annotations: Sequence[Annotation], layer: AnnotationLayer) -> None:
        def label(annotation: Annotation) -> str:
            page = layer.page_of(annotation)
            if annotation.page_label or self._file is None or page is None or page >= self._file.page_count:
                return annotation.page_label
            return self._file.name(page)

        self.annotations.set_annotations(annotations, label)

    def follow(self, page: int) -> None:
        """*page* is the one being read."""
        self._page = page
        self.outline.follow(page)
        self.thumbnails.follow(page)

    def _fill_outline(self) -> None:
        if self._file is not None and self.shown == "outline":
            self._file.desk.ask(self._read_outline)

    def _read_outline(self) -> None:
        """The file's own outline if none was given: only when it is to be seen, for it may take 50 ms."""
        if self._file is not None and not self._outline_known:
            self._outline_known = True
            self.outline.set_entries(self._file.outline())
        self.outline.follow(self._page)
