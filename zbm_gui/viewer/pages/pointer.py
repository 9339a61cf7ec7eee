"""The mouse on the pages: selecting text, following links, choosing a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication

from .links import Link, PageLinks
from .page_text import TextOfPages, copyable
from .paper import PageLook, marker
from .view import PageView

# The character under the mouse is looked up at most this often: 10 to 50 ms on a dense page.
LOOKUP_EVERY_MS = 30
# Near the edge the pages scroll under a drag.
SCROLL_EVERY_MS = 30
# Text selected at once; a longer selection is copied to here.
MAX_PAGES_SELECTED = 400


class Caret(NamedTuple):
    """A character of a page."""

    page: int
    index: int


class TextSelection:
    """What is selected: characters from one to another, both included, and their boxes."""

    def __init__(self, text: TextOfPages) -> None:
        self._text = text
        self._first: Caret | None = None
        self._last: Caret | None = None
        self._rects: dict[int, list[QRectF]] = {}

    def __bool__(self) -> bool:
        return self._first is not None

    @property
    def first(self) -> Caret | None:
        return self._first

    @property
    def last(self) -> Caret | None:
        return self._last

    def clear(self) -> None:
        self._first = self._last = None
        self._rects = {}

    def set(self, one: Caret, other: Caret) -> None:
        """Select from *one* to *other*, whichever comes first."""
        first, last = min(one, other), max(one, other)
        if self._first is not None and self._last is not None:
            kept = range(self._first.page + 1, self._last.page)
            now = range(first.page + 1, last.page)
            # Pages between the ends are selected whole: their boxes stay.
            self._rects = {page: rects for page, rects in self._rects.items() if page in kept and page in now}
        self._first, self._last = first, last

    def range_on(self, page: int) -> tuple[int, int] | None:
        if self._first is None or self._last is None or not self._first.page <= page <= self._last.page:
            return None
        start = self._first.index if page == self._first.page else 0
        whole = len(self._text.page(page).text)
        end = min(whole, self._last.index + 1) if page == self._last.page else whole
        return (start, end) if start < end else None

    def rects(self, page: int) -> list[QRectF]:
        """The boxes on *page* as far as they are known."""
        return self._rects.get(page, [])

    def needs(self, page: int) -> bool:
        return bool(
            self._first is not None
            and self._last is not None
            and self._first.page <= page <= self._last.page
            and page not in self._rects
        )

    def look_up(self, page: int) -> None:
        """Know the boxes on *page*; at the desk."""
        span = self.range_on(page)
        self._rects[page] = self._text.rects(page, *span) if span else []

    def text(self) -> str:
        """What would be copied; at the desk."""
        if self._first is None or self._last is None:
            return ""
        pages = range(self._first.page, self._last.page + 1)[:MAX_PAGES_SELECTED]
        parts = []
        for page in pages:
            span = self.range_on(page)
            if span:
                parts.append(copyable(self._text.page(page).text[span[0] : span[1]]))
        return "\n".join(parts)


class PagePointer(QObject):
    """Implements `view.Pointer`.

    Signals:
        selection_changed()
        link_clicked(Link)
        page_clicked(int, QPointF): a click on neither text selection nor link, in page space.
        link_hovered(Link | None)
    """

    selection_changed = Signal()
    link_clicked = Signal(object)
    link_hovered = Signal(object)
    page_clicked = Signal(int, QPointF)

    def __init__(self, view: PageView, text: TextOfPages, links: PageLinks) -> None:
        super().__init__(view)
        self._view = view
        self._text = text
        self._links = links
        self.selection = TextSelection(text)
        self._pressed: QPointF | None = None
        self._anchor: tuple[Caret, Caret] | None = None  # the word or line a drag began with
        self._unit: Callable[[int, int], tuple[int, int]] | None = None
        self._dragging = False
        self._position = QPointF()
        self._lookup = QTimer(self, singleShot=True, interval=LOOKUP_EVERY_MS)
        self._lookup.timeout.connect(self._follow)
        self._scroll = QTimer(self, interval=SCROLL_EVERY_MS)
        self._scroll.timeout.connect(self._scroll_along)
        self._since_double = QElapsedTimer()
        self._hovered: Link | None = None

    # --- what the reader asks for

    def select_page(self, page: int) -> None:
        """All text of *page*."""

        def at_desk() -> None:
            length = len(self._text.page(page).text)
            if length:
                self.selection.clear()
                self.selection.set(Caret(page, 0), Caret(page, length - 1))
                self._selected()

        self._desk(at_desk)

    def clear(self) -> None:
        if self.selection:
            self.selection.clear()
            self._selected()

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        if self.selection.needs(page):
            self._desk(lambda: self._look_up(page))
        colour = QColor(look.colors.accent)
        colour.setAlphaF(0.30)
        for rect in self.selection.rects(page):
            marker(painter, look, look.box(rect.adjusted(-0.3, -1, 0.3, 1)), colour)

    def _look_up(self, page: int) -> None:
        if self.selection.needs(page):
            self.selection.look_up(page)
            self._view.viewport().update()

    def _desk(self, call: Callable[[], None]) -> None:
        if self._view.file is not None:
            self._view.file.desk.ask(call)

    # --- mouse

    def press(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        position = event.position()
        interval = QApplication.doubleClickInterval()
        near = (position - self._position).manhattanLength() < QApplication.startDragDistance()
        if self._since_double.isValid() and self._since_double.elapsed() < interval and near:
            self._since_double.invalidate()
            self._begin(position, self._text.line_at)
            return
        self._pressed, self._position = position, position
        self._anchor, self._unit, self._dragging = None, None, False
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.selection.first is not None:
            self._dragging = True
            self._anchor = (self.selection.first, self.selection.first)
            self._follow()
            return
        found = self._view.page_point(position)
        if found is not None and self._links.at(*found) is None:
            page, point = found

            def anchor() -> None:
                index = self._text.index_at(page, point)
                if index is not None and self._pressed == position:
                    self._anchor = (Caret(page, index), Caret(page, index))

            self._desk(anchor)

    def double_click(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self._since_double.start()
            self._begin(event.position(), self._text.word_at)

    def move(self, event: QMouseEvent) -> None:
        position = event.position()
        if not event.buttons() & Qt.MouseButton.LeftButton or self._pressed is None:
            self._position = position
            self._hover(position)
            return
        if not self._dragging:
            far = (position - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            self._dragging = far and self._anchor is not None
        self._position = position
        if self._dragging:
            if not self._lookup.isActive():
                self._lookup.start()
            inside = self._view.viewport().rect().contains(position.toPoint())
            if not inside and not self._scroll.isActive():
                self._scroll.start()

    def release(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._scroll.stop()
        position, pressed = event.position(), self._pressed
        if self._dragging:
            self._position = position
            self._lookup.stop()
            self._follow()
        elif pressed is not None and self._unit is None:
            self._click(position)
        self._pressed, self._dragging = None, False

    def _click(self, position: QPointF) -> None:
        self.clear()
        found = self._view.page_point(position)
        if found is None:
            return
        page, point = found

        def at_desk() -> None:
            self._links.learn(page)  # a finger does not hover first
            link = self._links.at(page, point)
            if link is not None:
                self.link_clicked.emit(link)
            else:
                self.page_clicked.emit(page, point)

        self._desk(at_desk)

    def _begin(self, position: QPointF, unit: Callable[[int, int], tuple[int, int]]) -> None:
        """Select the word or line at *position*; a drag goes on by such units."""
        self._pressed, self._position, self._unit, self._dragging = position, position, unit, False
        found = self._view.page_point(position)
        if found is None:
            return
        page, point = found

        def at_desk() -> None:
            index = self._text.index_at(page, point)
            if index is None:
                return
            start, end = unit(page, index)
            self._anchor = (Caret(page, start), Caret(page, max(start, end - 1)))
            self.selection.clear()
            self.selection.set(*self._anchor)
            self._selected()

        self._desk(at_desk)

    def _follow(self) -> None:
        """Extend the selection to the mouse."""
        rect = self._view.viewport().rect()
        position = QPointF(
            min(max(self._position.x(), 0.0), rect.width() - 1.0),
            min(max(self._position.y(), 0.0), rect.height() - 1.0),
        )
        found = self._view.page_point(position)
        anchor, unit = self._anchor, self._unit
        if found is None or anchor is None:
            return
        page, point = found

        def at_desk() -> None:
            index = self._text.index_at(page, point)
            if index is None:  # a picture: all of it or nothing, by which side of it we are
                index = 0 if page <= anchor[0].page else 1 << 30
            start = end = Caret(page, index)
            if unit is not None and index < 1 << 30:
                first, last = unit(page, index)
                start, end = Caret(page, first), Caret(page, max(first, last - 1))
            self.selection.set(min(start, anchor[0]), max(end, anchor[1]))
            self._selected()

        self._desk(at_desk)

    def _scroll_along(self) -> None:
        height, y = self._view.viewport().height(), self._position.y()
        beyond = y if y < 0 else y - height if y > height else 0
        if not beyond or not self._dragging:
            self._scroll.stop()
            return
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + round(beyond / 2))
        if not self._lookup.isActive():
            self._lookup.start()

    def _selected(self) -> None:
        self._view.viewport().update()
        self.selection_changed.emit()

    # --- what is under the mouse

    def _hover(self, position: QPointF) -> None:
        found = self._view.page_point(position)
        if found is None:
            return
        page, point = found
        self._desk(lambda: self._links.learn(page))
        link = self._links.at(page, point)
        if link != self._hovered:
            self._hovered = link
            self.link_hovered.emit(link)
        shape = Qt.CursorShape.ArrowCursor
        if link is not None:
            shape = Qt.CursorShape.PointingHandCursor
        elif self._view.pages.rect(page).contains((position + QPointF(self._view.origin())).toPoint()):
            shape = Qt.CursorShape.IBeamCursor
        self._view.viewport().setCursor(shape)
