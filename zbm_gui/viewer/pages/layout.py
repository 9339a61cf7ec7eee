"""Where the pages lie: one under the other or in pairs, centred, turned, at whole pixels."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPointF, QRect, QSize, QSizeF

from .turning import back, is_sideways, turned_point, turned_size

GAP = 12  # px between rows of pages, and around them
SPINE = 2  # px between the two pages of a pair
POINTS_PER_INCH = 72.0
MIN_ZOOM, MAX_ZOOM = 0.1, 8.0
# Fitting the width of a wide window alone would make lines longer than the eye can hold.
MAX_FIT_ZOOM = 2.0
# Qt's widgets and scroll bars count pixels in 32 bits; far below that painting stays exact.
MAX_EXTENT = 2**30


class Fit(Enum):
    """What the zoom follows when the view is resized."""

    NONE = "none"
    WIDTH = "width"
    PAGE = "page"


class Spread(Enum):
    """How pages lie beside each other."""

    SINGLE = "single"
    PAIRS = "pairs"  # 1 2, 3 4, ...
    COVER = "cover"  # 1, 2 3, 4 5, ...: as a bound book opens


class PageLayout:
    """Positions of the pages in the scrolled area, in logical pixels.

    Zoom 1.0 shows an inch as *dpi* pixels. The sizes of pages may become known late: `set_sizes` again.
    A pair meets at the middle of the area; a page without its neighbour keeps its side.
    """

    def __init__(self, dpi: float = 96.0) -> None:
        self._dpi = dpi
        self._sizes: list[QSizeF] = []
        self._points: list[tuple[float, float]] = []  # the same, as numbers
        self._zoom = 1.0
        self._turn = 0
        self._spread = Spread.SINGLE
        self._from_right = False
        self._viewport = QSize(1, 1)
        self._row_tops: list[int] = []
        self._row_heights: list[int] = []
        self._extents: list[tuple[int, int]] = []  # width, height of each page as it is shown
        self._widest, self._height = 0, 1
        self._size = QSize(1, 1)

    @property
    def zoom(self) -> float:
        return self._zoom

    @property
    def turn(self) -> int:
        """Degrees clockwise."""
        return self._turn

    @property
    def spread(self) -> Spread:
        return self._spread

    @property
    def scale(self) -> float:
        """Logical pixels of one point."""
        return self._zoom * self._dpi / POINTS_PER_INCH

    @property
    def size(self) -> QSize:
        """Of everything; never smaller than the viewport in width."""
        return self._size

    @property
    def count(self) -> int:
        return len(self._sizes)

    def set_sizes(self, sizes: Sequence[QSizeF]) -> None:
        self._sizes = list(sizes)
        self._points = [(size.width(), size.height()) for size in self._sizes]
        self._place()

    def set_zoom(self, zoom: float) -> None:
        zoom = min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        if zoom != self._zoom:
            self._zoom = zoom
            self._place()

    def set_turn(self, turn: int) -> None:
        if turn != self._turn:
            self._turn = turn
            self._place()

    def set_spread(self, spread: Spread, *, from_right: bool = False) -> None:
        """*from_right*: the first page of a pair lies to the right, as in a book that is read so."""
        if (spread, from_right) != (self._spread, self._from_right):
            self._spread, self._from_right = spread, from_right
            self._place()

    def set_viewport(self, viewport: QSize) -> None:
        self._viewport = viewport
        self._measure()

    def fitting_zoom(self, fit: Fit, page: int) -> float:
        """The zoom at which the row of *page* fits. Width is that of the widest row near it, for calm."""
        if not self._sizes:
            return 1.0
        unit = self._dpi / POINTS_PER_INCH
        page = min(page, self.count - 1)
        row = self.row_of(page)
        near = range(max(0, row - 2), min(row + 3, self.row_of(self.count - 1) + 1))
        shown = {at: [turned_size(self._sizes[p], self._turn) for p in self.pages_of(at)] for at in near}
        spine = 0 if self._spread is Spread.SINGLE else SPINE
        columns = 1 if self._spread is Spread.SINGLE else 2
        width = max(columns * size.width() for sizes in shown.values() for size in sizes) * unit
        across = (self._viewport.width() - 2 * GAP - spine) / max(1.0, width)
        if fit is Fit.WIDTH:
            return max(MIN_ZOOM, min(MAX_FIT_ZOOM, across))
        height = max(size.height() for size in shown[row]) * unit
        down = (self._viewport.height() - 2 * GAP) / max(1.0, height)
        return max(MIN_ZOOM, min(MAX_ZOOM, across, down))

    # --- rows

    def row_of(self, page: int) -> int:
        match self._spread:
            case Spread.SINGLE:
                return page
            case Spread.PAIRS:
                return page // 2
            case Spread.COVER:
                return (page + 1) // 2

    def pages_of(self, row: int) -> range:
        """The pages that lie in *row*."""
        match self._spread:
            case Spread.SINGLE:
                first, end = row, row + 1
            case Spread.PAIRS:
                first, end = 2 * row, 2 * row + 2
            case Spread.COVER:
                first, end = 2 * row - 1, 2 * row + 1
        return range(max(0, first), min(end, self.count))

    def _row_at(self, y: float) -> int:
        return max(0, bisect_right(self._row_tops, y) - 1)

    def row_rect(self, page: int) -> QRect:
        """The row of *page*: as wide to the left of the middle as to the right."""
        row = self.row_of(page)
        width = self._row_width(self.pages_of(row))
        return QRect((self._size.width() - width) // 2, self._row_tops[row], width, self._row_heights[row])

    def _row_width(self, pages: range) -> int:
        widest = max(self._extents[page][0] for page in pages)
        return widest if self._spread is Spread.SINGLE else 2 * widest + SPINE

    # --- places

    def rect(self, page: int) -> QRect:
        """Where *page* lies."""
        width, height = self._extents[page]
        top = self._row_tops[self.row_of(page)]
        if self._spread is Spread.SINGLE:
            return QRect((self._size.width() - width) // 2, top, width, height)
        middle = self._size.width() // 2
        is_first = page % 2 == (0 if self._spread is Spread.PAIRS else 1)
        is_left = is_first is not self._from_right
        return QRect(middle - SPINE // 2 - width if is_left else middle + SPINE // 2, top, width, height)

    def page_at(self, y: float) -> int:
        """The first page of the row at height *y*, or of the one above where *y* is in a gap."""
        return self.pages_of(self._row_at(y))[0] if self._row_tops else 0

    def pages_between(self, top: float, bottom: float) -> range:
        """Every page of a row of which something lies between the heights."""
        if not self._row_tops or bottom < self._row_tops[0]:
            return range(0)
        first, last = self._row_at(top), self._row_at(bottom)
        if self._row_tops[first] + self._row_heights[first] < top:
            first += 1
        if first > last:
            return range(0)
        return range(self.pages_of(first)[0], self.pages_of(last)[-1] + 1)

    def nearest(self, point: QPointF) -> int:
        """The page nearest to a point of the scrolled area."""
        row = self._row_at(point.y())
        if row + 1 < len(self._row_tops):
            above = point.y() - self._row_tops[row] - self._row_heights[row]
            if above > self._row_tops[row + 1] - point.y():
                row += 1
        pages = self.pages_of(row)
        return min(pages, key=lambda page: _beside(self.rect(page), point.x()))

    def to_content(self, page: int, point: QPointF) -> QPointF:
        """Page space (points) to the scrolled area (pixels)."""
        rect, shown = self.rect(page), turned_size(self._sizes[page], self._turn)
        point = turned_point(point, self._sizes[page], self._turn)
        return QPointF(
            rect.x() + point.x() * rect.width() / max(1e-6, shown.width()),
            rect.y() + point.y() * rect.height() / max(1e-6, shown.height()),
        )

    def to_page(self, page: int, point: QPointF) -> QPointF:
        """The scrolled area (pixels) to page space (points)."""
        rect, shown = self.rect(page), turned_size(self._sizes[page], self._turn)
        turned = QPointF(
            (point.x() - rect.x()) * shown.width() / max(1, rect.width()),
            (point.y() - rect.y()) * shown.height() / max(1, rect.height()),
        )
        return turned_point(turned, shown, back(self._turn))

    def _place(self) -> None:
        """Plain numbers and loops: a book of 2,800 pages is laid out anew at every notch of a zoom."""
        scale, most = self.scale, MAX_EXTENT
        sideways = is_sideways(self._turn)
        self._extents = [
            (
                max(1, min(most, round((height if sideways else width) * scale))),
                max(1, min(most, round((width if sideways else height) * scale))),
            )
            for width, height in self._points
        ]
        extents = self._extents
        if self._spread is Spread.SINGLE:
            self._row_heights = [height for _width, height in extents]
            self._widest = max((width for width, _height in extents), default=0)
        else:
            # Row by row: its first page, and the one beside it where there is one.
            alone = [(0, 0)] if self._spread is Spread.COVER else []
            padded = [*alone, *extents, *[(0, 0)] * ((len(alone) + len(extents)) % 2)]
            self._row_heights = [
                max(left[1], right[1]) for left, right in zip(padded[0::2], padded[1::2], strict=True)
            ]
            self._widest = 2 * max((width for width, _height in extents), default=0) + SPINE
        if not extents:
            self._row_heights = []
        top, tops = GAP, []
        for height in self._row_heights:
            tops.append(top if top < most else most)
            top += height + GAP
        self._row_tops = tops
        self._height = min(most, max(1, top))
        self._measure()

    def _measure(self) -> None:
        self._size = QSize(max(self._viewport.width(), self._widest + 2 * GAP), self._height)


def _beside(rect: QRect, x: float) -> float:
    return max(rect.left() - x, 0.0, x - rect.right())
