"""How a page stands in the view: its rectangle, its paper, its shadow, its ink."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from zbm_gui.style import Colors

from .turning import turned_point, turned_size

# What white paper and black ink become on a dark page: those of the dark palette, so that long
# reading is as calm there as in the lists.
DARK_PAPER = QColor("#1e1f22")
DARK_INK = QColor("#e6e6e6")
SHADOW_REACH = 4  # px


@dataclass(frozen=True, slots=True)
class PageLook:
    """One page at the moment of painting.

    Attributes:
        rect: where it lies in the viewport, px, turned as it is shown.
        size: of the page as the file has it drawn, points.
        dark: pages are shown dark.
        colors: those that go with the page's paper, which may differ from the window's.
    """

    rect: QRect
    size: QSizeF
    dark: bool
    colors: Colors
    turn: int = 0  # degrees clockwise, the reader's own

    @property
    def paper(self) -> QColor:
        return DARK_PAPER if self.dark else QColor("#ffffff")

    @property
    def ink(self) -> QColor:
        return DARK_INK if self.dark else QColor("#1f2328")

    @property
    def shown(self) -> QSizeF:
        """The page's size as it is shown, in points."""
        return turned_size(self.size, self.turn)

    @property
    def scale(self) -> float:
        """Pixels of a point."""
        return self.rect.width() / max(1e-6, self.shown.width())

    def point(self, point: QPointF) -> QPointF:
        """Page space to the viewport."""
        down = self.rect.height() / max(1e-6, self.shown.height())
        at = turned_point(point, self.size, self.turn)
        return QPointF(self.rect.x() + at.x() * self.scale, self.rect.y() + at.y() * down)

    def box(self, rect: QRectF) -> QRectF:
        return QRectF(self.point(rect.topLeft()), self.point(rect.bottomRight())).normalized()


def marker(painter: QPainter, look: PageLook, rect: QRectF, colour: QColor) -> None:
    """Lay *colour* over text as a marker pen does: text stays as dark, or on a dark page as light, as it was."""
    modes = QPainter.CompositionMode
    painter.setCompositionMode(modes.CompositionMode_Screen if look.dark else modes.CompositionMode_Multiply)
    painter.fillRect(rect, colour)
    painter.setCompositionMode(modes.CompositionMode_SourceOver)


def paint_shadow(painter: QPainter, rect: QRect, colour: QColor) -> None:
    """A soft edge around a page, deepest where it lies on its ground."""
    veil = QColor(colour)
    for step in range(SHADOW_REACH, 0, -1):
        veil.setAlphaF(colour.alphaF() * (1 - (step - 1) / SHADOW_REACH) ** 2 / 2)
        ring = rect.adjusted(-step, -step, step, step).translated(0, 1)
        # Four strips: outlining a rectangle of this size costs a millisecond, filling them nothing.
        for strip in (
            QRect(ring.left(), ring.top(), ring.width(), 1),
            QRect(ring.left(), ring.bottom(), ring.width(), 1),
            QRect(ring.left(), ring.top() + 1, 1, ring.height() - 2),
            QRect(ring.right(), ring.top() + 1, 1, ring.height() - 2),
        ):
            painter.fillRect(strip, veil)
