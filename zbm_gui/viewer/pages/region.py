"""Drawing a rectangle on a page, to copy what is in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from .input_area import Pointer
from .paper import PageLook
from .view import PageView

# The key that makes a drag draw a rectangle, without the tool being taken up first.
MODIFIER = Qt.KeyboardModifier.ControlModifier
# Smaller than this, in points, is a click.
SMALLEST = 3.0


class RegionPointer(QObject):
    """Stands before the pages' own pointer and takes the drags that draw (a pointer and layer of the view).

    Signals:
        drawn(int, QRectF): a rectangle of this page, in page space.
        armed_changed(bool): the next drag draws.
    """

    drawn = Signal(int, QRectF)
    armed_changed = Signal(bool)

    def __init__(self, view: PageView, pages: Pointer) -> None:
        super().__init__(view)
        self._view = view
        self._pages = pages
        self._armed = False
        self._page = -1  # being drawn on
        self._from = self._to = QPointF()

    def arm(self, armed: bool) -> None:
        if armed == self._armed:
            return
        self._armed = armed
        shape = Qt.CursorShape.CrossCursor if armed else Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(shape)
        self.armed_changed.emit(armed)

    def give_up(self) -> bool:
        """Stop drawing; False if nothing was being drawn."""
        was = self._armed or self._page >= 0
        self._page = -1
        self.arm(False)
        self._view.viewport().update()
        return was

    # --- the mouse

    def press(self, event: QMouseEvent) -> None:
        draws = self._armed or event.modifiers() == MODIFIER
        found = self._view.page_point(event.position())
        if event.button() != Qt.MouseButton.LeftButton or not draws or found is None:
            self._pages.press(event)
            return
        event.accept()
        self._page, point = found
        self._from = self._to = self._inside(point)

    def move(self, event: QMouseEvent) -> None:
        if self._page < 0:
            if not self._armed:
                self._pages.move(event)
            return
        content = event.position() + QPointF(self._view.origin())
        self._to = self._inside(self._view.pages.to_page(self._page, content))
        self._view.viewport().setCursor(Qt.CursorShape.CrossCursor)
        self._view.viewport().update()

    def release(self, event: QMouseEvent) -> None:
        if self._page < 0:
            self._pages.release(event)
            return
        page, rect = self._page, self._rect()
        self._page = -1
        self.arm(False)
        self._view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self._view.viewport().update()
        if rect.width() >= SMALLEST and rect.height() >= SMALLEST:
            self.drawn.emit(page, rect)

    def double_click(self, event: QMouseEvent) -> None:
        if not self._armed:
            self._pages.double_click(event)

    def _inside(self, point: QPointF) -> QPointF:
        size = self._view.file.sizes[self._page]
        return QPointF(
            min(max(point.x(), 0.0), size.width()),
            min(max(point.y(), 0.0), size.height()),
        )

    def _rect(self) -> QRectF:
        return QRectF(self._from, self._to).normalized()

    # --- what is seen of it

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        if page != self._page:
            return
        box = look.box(self._rect())
        veil = QColor(look.colors.accent)
        veil.setAlphaF(0.12)
        painter.fillRect(box, veil)
        painter.setPen(QPen(look.colors.accent, 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
