"""From PDF user space to the drawn page.

Two systems meet here. *User space*: points, origin at the bottom left, before cropping and turning;
`Rect` of the core and Zotero's annotations. *Page space*: points, origin at the top left of the page
as it is drawn, cropped and turned; what QtPdf gives and takes.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF

from .pdf_boxes import PageBox

# QtPdf and the file may round a page's size differently; beyond this, in points, the box that was
# read is not that of the page that is drawn. Pages with a /UserUnit differ by a factor instead.
SIZE_TOLERANCE = 1.0
# How far the factors of width and height may lie apart when the size differs by a /UserUnit.
RATIO_TOLERANCE = 0.01


class PageFrame:
    """Maps one page's user space to its page space.

    Args:
        box: where the visible page stands; None where the file does not tell: then the page is taken
            to be unturned with its origin at zero, which nearly all are.
        size: the page as QtPdf draws it, in points.
    """

    __slots__ = ("_box", "_height", "_width", "exact")

    def __init__(self, box: PageBox | None, size: QSizeF) -> None:
        self._width = size.width()
        self._height = size.height()
        self.exact = box is not None and _agrees(box, size)
        self._box = box if box is not None and self.exact else PageBox(0.0, 0.0, self._width, self._height, 0)

    @property
    def rotation(self) -> int:
        return self._box.rotation

    def point(self, x: float, y: float) -> QPointF:
        """User space to page space."""
        box = self._box
        u = (x - box.left) / (box.right - box.left)
        v = (y - box.bottom) / (box.top - box.bottom)
        match box.rotation:
            case 90:
                across, down = v, u
            case 180:
                across, down = 1 - u, v
            case 270:
                across, down = 1 - v, 1 - u
            case _:
                across, down = u, 1 - v
        return QPointF(across * self._width, down * self._height)

    def rect(self, left: float, bottom: float, right: float, top: float) -> QRectF:
        return QRectF(self.point(left, bottom), self.point(right, top)).normalized()

    def length(self, points: float) -> float:
        """A length of user space on the drawn page; differs only under a /UserUnit."""
        turned = self._box.rotation in (90, 270)
        return points * (self._width if not turned else self._height) / (self._box.right - self._box.left)


def _agrees(box: PageBox, size: QSizeF) -> bool:
    width, height = box.right - box.left, box.top - box.bottom
    if box.rotation in (90, 270):
        width, height = height, width
    if abs(width - size.width()) <= SIZE_TOLERANCE and abs(height - size.height()) <= SIZE_TOLERANCE:
        return True
    if not size.width() or not size.height():
        return False
    return abs((width / size.width()) / (height / size.height()) - 1) <= RATIO_TOLERANCE
