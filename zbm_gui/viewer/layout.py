"""Where the pages lie: one under the other, centred, at whole pixels."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPointF, QRect, QSize, QSizeF

GAP = 12  # px between pages, and around them
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


class PageLayout:
    """Positions of the pages in the scrolled area, in logical pixels.

    Zoom 1.0 shows an inch as *dpi* pixels. The sizes of pages may become known late: `set_sizes` again.
    """

    def __init__(self, dpi: float = 96.0) -> None:
        self._dpi = dpi
        self._sizes: list[QSizeF] = []
        self._zoom = 1.0
        self._viewport = QSize(1, 1)
        self._tops: list[int] = []
        self._extents: list[tuple[int, int]] = []  # width, height
        self._widest, self._height = 0, 1
        self._size = QSize(1, 1)

    @property
    def zoom(self) -> float:
        return self._zoom

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
        self._place()

    def set_zoom(self, zoom: float) -> None:
        zoom = min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        if zoom != self._zoom:
            self._zoom = zoom
            self._place()

    def set_viewport(self, viewport: QSize) -> None:
        self._viewport = viewport
        self._measure()

    def fitting_zoom(self, fit: Fit, page: int) -> float:
        """The zoom at which *page* fits. Width is that of the widest page near it, so that it stays calm."""
        if not self._sizes:
            return 1.0
        unit = self._dpi / POINTS_PER_INCH
        near = self._sizes[max(0, page - 2) : page + 3] or self._sizes[:1]
        width = max(size.width() for size in near) * unit
        across = (self._viewport.width() - 2 * GAP) / max(1.0, width)
        if fit is Fit.WIDTH:
            return max(MIN_ZOOM, min(MAX_FIT_ZOOM, across))
        height = self._sizes[min(page, self.count - 1)].height() * unit
        down = (self._viewport.height() - 2 * GAP) / max(1.0, height)
        return max(MIN_ZOOM, min(MAX_ZOOM, across, down))

    def rect(self, page: int) -> QRect:
        """Where *page* lies."""
        width, height = self._extents[page]
        return QRect((self._size.width() - width) // 2, self._tops[page], width, height)

    def page_at(self, y: float) -> int:
        """The page at height *y*, or the one above where *y* is in a gap."""
        return max(0, bisect_right(self._tops, y) - 1) if self._tops else 0

    def pages_between(self, top: float, bottom: float) -> range:
        """Every page of which something lies between the heights."""
        if not self._tops or bottom < self._tops[0]:
            return range(0)
        first, last = self.page_at(top), self.page_at(bottom)
        if self._tops[first] + self._extents[first][1] < top:
            first += 1
        return range(first, last + 1)

    def to_content(self, page: int, point: QPointF) -> QPointF:
        """Page space (points) to the scrolled area (pixels)."""
        rect = self.rect(page)
        size = self._sizes[page]
        return QPointF(
            rect.x() + point.x() * rect.width() / max(1e-6, size.width()),
            rect.y() + point.y() * rect.height() / max(1e-6, size.height()),
        )

    def to_page(self, page: int, point: QPointF) -> QPointF:
        """The scrolled area (pixels) to page space (points)."""
        rect = self.rect(page)
        size = self._sizes[page]
        return QPointF(
            (point.x() - rect.x()) * size.width() / max(1, rect.width()),
            (point.y() - rect.y()) * size.height() / max(1, rect.height()),
        )

    def _place(self) -> None:
        scale, top = self.scale, GAP
        self._tops, self._extents = [], []
        for size in self._sizes:
            width = max(1, min(MAX_EXTENT, round(size.width() * scale)))
            height = max(1, min(MAX_EXTENT, round(size.height() * scale)))
            self._tops.append(min(MAX_EXTENT, top))
            self._extents.append((width, height))
            top += height + GAP
        self._widest = max((width for width, _ in self._extents), default=0)
        self._height = min(MAX_EXTENT, max(1, top))
        self._measure()

    def _measure(self) -> None:
        self._size = QSize(max(self._viewport.width(), self._widest + 2 * GAP), self._height)
