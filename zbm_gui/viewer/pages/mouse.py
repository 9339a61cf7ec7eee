"""Everything the mouse does on the pages of one document: selecting, links, annotations, drawing a region."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from zbm_gui import style

from .annotation_layer import AnnotationLayer
from .document import PdfFile
from .layout import GAP
from .links import Link, PageLinks
from .page_text import TextOfPages
from .pointer import PagePointer, TextSelection
from .region import RegionPointer
from .view import Layer, PageView, Place


class PageMouse(QObject):
    """Makes the view's pointers for each document and says what they meet.

    Signals:
        selection_changed(bool): whether something is selected.
        place_asked(Place): a link within the document.
        address_asked(str): a link out of it.
        clicked(int, QPointF): on a page, in page space, on neither link nor selection.
        annotation_clicked(Annotation)
        region_drawn(int, QRectF): a rectangle of this page, page space.
        region_armed(bool): the next drag draws one.
    """

    selection_changed = Signal(bool)
    place_asked = Signal(object)
    address_asked = Signal(str)
    clicked = Signal(int, QPointF)
    annotation_clicked = Signal(object)
    region_drawn = Signal(int, QRectF)
    region_armed = Signal(bool)

    def __init__(self, view: PageView, annotations: AnnotationLayer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._annotations = annotations
        self._file: PdfFile | None = None
        self._pages: PagePointer | None = None
        self._region: RegionPointer | None = None
        view.viewport().installEventFilter(self)

    def set_document(self, file: PdfFile | None, text: TextOfPages | None) -> None:
        for pointer in (self._region, self._pages):
            if pointer is not None:
                pointer.deleteLater()
        self._view.pointer = self._pages = self._region = None
        self._file = file
        if file is None or text is None:
            return
        pages = self._pages = PagePointer(self._view, text, PageLinks(file.document))
        pages.link_clicked.connect(self._on_link)
        pages.link_hovered.connect(self._on_link_hovered)
        pages.page_clicked.connect(self._on_page_clicked)
        pages.selection_changed.connect(lambda: self.selection_changed.emit(bool(pages.selection)))
        region = self._region = RegionPointer(self._view, pages)
        region.drawn.connect(self.region_drawn)
        region.armed_changed.connect(self.region_armed)
        self._view.pointer = region

    @property
    def layers(self) -> list[Layer]:
        """What is seen of it on the pages."""
        return [pointer for pointer in (self._pages, self._region) if pointer is not None]

    @property
    def selection(self) -> TextSelection | None:
        """None where nothing is selected."""
        return self._pages.selection if self._pages is not None and self._pages.selection else None

    def select_page(self, page: int) -> None:
        if self._pages is not None:
            self._pages.select_page(page)

    def clear_selection(self) -> None:
        if self._pages is not None:
            self._pages.clear()

    def arm_region(self, on: bool) -> None:
        if self._region is not None:
            self._region.arm(on)

    def give_up_region(self) -> bool:
        """False if none was being drawn."""
        return self._region is not None and self._region.give_up()

    # --- links

    def _on_link(self, link: Link) -> None:
        if link.url:
            self.address_asked.emit(link.url)
        elif link.y:
            self.place_asked.emit(Place(link.page, 0.0, link.y - GAP / self._view.pages.scale))
        else:
            self.place_asked.emit(Place(link.page, 0.0, 0.0, top=True))

    def _on_link_hovered(self, link: Link | None) -> None:
        said = ""
        if link is not None and self._file is not None:
            said = link.url or f"Page {self._file.name(link.page)}"
        self._view.viewport().setToolTip(style.plain_tooltip(said))

    # --- annotations

    def _on_page_clicked(self, page: int, point: QPointF) -> None:
        annotation = self._annotations.at(page, point)
        if annotation is not None:
            self.annotation_clicked.emit(annotation)
        self.clicked.emit(page, point)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return self._show_tip(event.pos(), event.globalPos())
        return super().eventFilter(watched, event)

    def _show_tip(self, position: QPoint, screen: QPoint) -> bool:
        found = self._view.page_point(QPointF(position))
        annotation = self._annotations.at(*found) if found is not None else None
        if annotation is None or not (annotation.comment or annotation.text):
            return False
        QToolTip.showText(
            screen, style.plain_tooltip(annotation.comment or annotation.text), self._view.viewport()
        )
        return True
