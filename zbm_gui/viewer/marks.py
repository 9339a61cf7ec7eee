"""A scroll bar with a mark for every match of the document."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget

from zbm_gui import style

MARK_HEIGHT = 2.0  # px
CURRENT_HEIGHT = 4.0
INSET = 2  # px at each side of the bar
# More than a bar has pixels need not be painted.
MAX_MARKS = 4000


class MarkedScrollBar(QScrollBar):
    """Marks stand where scrolling to them would take the handle's middle."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._extent = 1
        self._heights: Sequence[float] = ()
        self._current = -1
        self._colour: QColor | None = None
        self._others: Sequence[tuple[QColor, Sequence[float]]] = ()

    def set_extent(self, extent: int) -> None:
        """Height of everything that is scrolled, px."""
        self._extent = max(1, extent)
        self.update()

    def set_marks(
        self,
        heights: Sequence[float],
        current: int = -1,
        colour: QColor | None = None,
        others: Sequence[tuple[QColor, Sequence[float]]] = (),
    ) -> None:
        """Marks at *heights* of the scrolled area, px; *current* is painted stronger; *others* lie below."""
        self._heights = heights[:MAX_MARKS]
        self._colour = colour
        self._others = [(other, marks[:MAX_MARKS]) for other, marks in others]
        self._current = current
        self.update()

    @property
    def marks(self) -> Sequence[float]:
        return self._heights

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._heights and not self._others:
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_ScrollBar, QStyle.SubControl.SC_ScrollBarGroove
        groove = self.style().subControlRect(control, option, part, self)
        painter = QPainter(self)
        colors = style.colors(self)
        for other, heights in self._others:
            for height in heights:
                self._paint_mark(painter, groove.y(), groove.height(), height, MARK_HEIGHT, other)
        mark = self._colour or (colors.highlight_deep if colors.dark else colors.warning)
        for index, height in enumerate(self._heights):
            if index != self._current:
                self._paint_mark(painter, groove.y(), groove.height(), height, MARK_HEIGHT, mark)
        if 0 <= self._current < len(self._heights):
            height = self._heights[self._current]
            self._paint_mark(painter, groove.y(), groove.height(), height, CURRENT_HEIGHT, colors.accent)

    def _paint_mark(
        self, painter: QPainter, top: int, length: int, height: float, thickness: float, colour: object
    ) -> None:
        y = top + length * min(1.0, max(0.0, height / self._extent)) - thickness / 2
        painter.fillRect(QRectF(INSET, y, self.width() - 2 * INSET, thickness), colour)
