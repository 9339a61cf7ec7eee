"""The find bar at work: from what is typed to the hit in sight."""

from __future__ import annotations

from PySide6.QtCore import QObject

from zbm_gui.viewer.find_bar import FindBar

from .document import PdfFile
from .finder import Finder, FindLayer, Hit
from .layout import GAP
from .page_text import TextOfPages
from .view import DEFAULT_LANDING, PageView, Place


class Finding(QObject):
    """Joins `FindBar`, `Finder` and the view."""

    def __init__(self, view: PageView, bar: FindBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._bar = bar
        self.finder: Finder | None = None
        self.layer = FindLayer()
        bar.query_changed.connect(self._on_query)
        bar.step_requested.connect(self.step)
        bar.closed.connect(self.close)
        bar.hide()

    @property
    def active(self) -> bool:
        """True while the bar is open and something is asked."""
        return self._bar.isVisible() and bool(self._bar.query.strip())

    def set_document(self, file: PdfFile | None, text: TextOfPages | None) -> None:
        self._bar.hide()
        self.finder = None
        if file is not None and text is not None:
            self.finder = Finder(text, file.desk, file.page_count, file)
            self.finder.hits_changed.connect(self._on_hits_changed)
            self.finder.boxes_known.connect(self._on_boxes_known)
        self.layer.finder = self.finder

    def begin(self, text: str | None = None) -> None:
        """Open the bar, with *text* or what it held."""
        if self.finder is not None:
            self._bar.begin(text)

    def close(self) -> None:
        self._bar.hide()
        if self.finder is not None:
            self.finder.stop()
        self._view.viewport().update()
        self._view.setFocus()

    def step(self, by: int) -> None:
        """To the next (1) or previous (-1) hit; wraps."""
        if self.finder is not None:
            self._go_to(self.finder.next_from(self._view.current_page(), by))

    def _on_query(self, text: str) -> None:
        if self.finder is not None:
            self.finder.search(text, self._view.current_page())
            self._view.viewport().update()

    def _on_hits_changed(self) -> None:
        finder = self.finder
        if finder is None:
            return
        if finder.current is None and finder.hits:
            self._go_to(finder.next_from(self._view.current_page(), 1))
        self._say_count(finder)
        self._view.viewport().update()

    def _go_to(self, hit: Hit | None) -> None:
        finder = self.finder
        if finder is None or hit is None:
            return
        finder.current = hit
        self._show(finder, hit)
        finder.need_boxes(hit.page)
        self._say_count(finder)

    def _on_boxes_known(self, page: int) -> None:
        finder = self.finder
        if finder is not None and finder.current is not None and finder.current.page == page:
            self._show(finder, finder.current)
        self._view.viewport().update()

    def _say_count(self, finder: Finder) -> None:
        self._bar.set_count(finder.number(), len(finder.hits), finder.finished, finder.complete)

    def _show(self, finder: Finder, hit: Hit) -> None:
        """Bring the hit into sight; where it already is nothing moves."""
        boxes = finder.boxes(hit.page)
        rects = boxes[hit.ordinal] if boxes and hit.ordinal < len(boxes) else []
        if rects:
            seen = self._view.look(hit.page).box(rects[0])
            inside = self._view.viewport().rect().adjusted(0, GAP, 0, -GAP)
            if not inside.contains(seen.toAlignedRect()):
                self._view.show_place(Place(hit.page, rects[0].x(), rects[0].y(), DEFAULT_LANDING))
        elif hit.page not in self._view.visible_pages():
            self._view.go_to_page(hit.page)
        self._view.viewport().update()
