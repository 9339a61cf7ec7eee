"""How a page comes to lie on a sheet: its size, its turn, the strips it is drawn in. Nothing is printed here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, QSizeF

from .pieces import Piece
from .turning import is_sideways, turned_pixels, turned_rect, turned_size

POINTS_PER_INCH = 72.0
# Beyond this the eye sees no difference, and each page costs four times the drawing.
MAX_DPI = 300
# What is drawn at once: putting it on paper takes the window's thread 15 ms.
MAX_STRIP_PIXELS = 4_000_000


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a printer: what can be printed on, in dots, and how many dots are an inch."""

    size: QSize
    resolution: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One page on one sheet.

    Attributes:
        pieces: strips of the page, as the file has it drawn.
        size: of the whole page's picture before it is turned, pixels.
        turn: degrees clockwise that a strip's picture is turned by.
        dots: of the sheet, for one pixel: whole, so that strips join without a seam.
        origin: where the turned picture begins on the sheet, dots.
    """

    pieces: tuple[Piece, ...]
    size: QSize
    turn: int
    dots: int
    origin: QPoint

    @property
    def area(self) -> QRect:
        """Where the page lies on the sheet, dots."""
        return QRect(self.origin, turned_pixels(self.size, self.turn) * self.dots)

    def target(self, piece: Piece) -> QRect:
        """Where a strip lies on the sheet, dots."""
        rect = turned_rect(piece.rect, self.size, self.turn)
        at = self.origin + rect.topLeft() * self.dots
        return QRect(at, rect.size() * self.dots)


def plan_page(page: int, size: QSizeF, turn: int, sheet: Sheet) -> Plan:
    """Lay *page* of *size* points, shown turned by *turn*, on the middle of *sheet*.

    It keeps its size, or shrinks to what can be printed on; it is turned once more where it then lies as
    the sheet does.
    """
    dots = max(1, -(-sheet.resolution // MAX_DPI))
    dpi = sheet.resolution / dots
    shown = turned_size(size, turn)
    if (shown.width() > shown.height()) is not (sheet.size.width() > sheet.size.height()):
        turn = (turn + 90) % 360
        shown = turned_size(size, turn)
    room = QSizeF(sheet.size) / sheet.resolution * POINTS_PER_INCH
    fit = min(1.0, room.width() / max(1.0, shown.width()), room.height() / max(1.0, shown.height()))
    scale = fit * dpi / POINTS_PER_INCH
    most = QSize(sheet.size.width() // dots, sheet.size.height() // dots)
    if is_sideways(turn):
        most = most.transposed()
    width = min(max(1, most.width()), max(1, round(size.width() * scale)))
    height = min(max(1, most.height()), max(1, round(size.height() * scale)))
    whole = QSize(width, height)
    rows = max(1, MAX_STRIP_PIXELS // width)
    pieces = tuple(
        Piece(page, width, height, 0, y, width, min(rows, height - y)) for y in range(0, height, rows)
    )
    on_sheet = turned_pixels(whole, turn) * dots
    left, top = sheet.size.width() - on_sheet.width(), sheet.size.height() - on_sheet.height()
    return Plan(pieces, whole, turn, dots, QPoint(max(0, left // 2), max(0, top // 2)))
