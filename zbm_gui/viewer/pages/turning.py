"""The reader's own quarter turns of a page, over however the file turns it.

*Page space* stays that of the page as the file has it drawn; so places, matches, links and selections
know nothing of the turn. Only what lays pages out and paints them goes through here.

A turn is degrees clockwise: 0, 90, 180 or 270. Its inverse is `back(turn)`, applied to the turned size.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, QSizeF
from PySide6.QtGui import QImage, QTransform

QUARTER = 90


def back(turn: int) -> int:
    """The turn that undoes *turn*."""
    return -turn % 360


def is_sideways(turn: int) -> bool:
    return turn % 180 == QUARTER


def turned_size(size: QSizeF, turn: int) -> QSizeF:
    return size.transposed() if is_sideways(turn) else size


def turned_pixels(size: QSize, turn: int) -> QSize:
    return size.transposed() if is_sideways(turn) else size


def turned_point(point: QPointF, size: QSizeF, turn: int) -> QPointF:
    """Where *point* of a page of *size* lies once the page is turned."""
    x, y = point.x(), point.y()
    match turn:
        case 90:
            return QPointF(size.height() - y, x)
        case 180:
            return QPointF(size.width() - x, size.height() - y)
        case 270:
            return QPointF(y, size.width() - x)
        case _:
            return QPointF(x, y)


def turned_rect(rect: QRect, size: QSize, turn: int) -> QRect:
    """Where *rect* of a picture of *size* lies once the picture is turned; whole pixels stay whole."""
    x, y, w, h = rect.x(), rect.y(), rect.width(), rect.height()
    match turn:
        case 90:
            return QRect(size.height() - y - h, x, h, w)
        case 180:
            return QRect(size.width() - x - w, size.height() - y - h, w, h)
        case 270:
            return QRect(y, size.width() - x - w, h, w)
        case _:
            return QRect(rect)


def turned_image(image: QImage, turn: int) -> QImage:
    return image.transformed(QTransform().rotate(turn)) if turn else image
