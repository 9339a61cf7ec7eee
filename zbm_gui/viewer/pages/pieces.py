"""What is drawn at once, a page or a part of one, and the images kept of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage

# A page above this many device pixels is drawn in tiles: A4 at 170 % on a screen of ratio 2. Putting
# one image of that size on paper takes the window's thread 15 to 20 ms.
MAX_WHOLE_PIXELS = 5_000_000
# Turning the colours of a page dark takes the window's thread 10 ms a million pixels.
MAX_WHOLE_PIXELS_DARK = 1_600_000
# Large enough that a screen needs few (each tile walks the whole page's content), small enough that
# little is drawn outside it.
TILE = 1024
# The picture of a whole page that stands in until its tiles have come.
STAND_IN_PIXELS = 1_000_000
# Images kept, over all pages: about four times what a 4K screen shows.
CACHE_BYTES = 128 * 1024 * 1024
# Of a reader that is not in sight: its last screen, so that ten open tabs are not a gigabyte.
HIDDEN_BYTES = 16 * 1024 * 1024


class Piece(NamedTuple):
    """A rectangle of a page drawn at one size, in device pixels."""

    page: int
    width: int  # of the whole page at this size
    height: int
    x: int
    y: int
    w: int
    h: int

    @property
    def is_whole(self) -> bool:
        return self.w == self.width and self.h == self.height

    @property
    def rect(self) -> QRect:
        return QRect(self.x, self.y, self.w, self.h)

    @property
    def bytes(self) -> int:
        return 4 * self.w * self.h


def pieces_of(page: int, size: QSize, visible: QRect, most: int = MAX_WHOLE_PIXELS) -> list[Piece]:
    """What must be drawn to show *visible* of *page* at *size*, in the order wanted.

    Args:
        size: of the whole page, device pixels.
        visible: the part that is seen, device pixels of the page.
        most: pixels of a page drawn whole.
    """
    width, height = max(1, size.width()), max(1, size.height())
    if width * height <= most:
        return [Piece(page, width, height, 0, 0, width, height)]
    return [_stand_in(page, width, height), *_tiles(page, width, height, visible)]


def _stand_in(page: int, width: int, height: int) -> Piece:
    shrink = (STAND_IN_PIXELS / (width * height)) ** 0.5
    w, h = max(1, round(width * shrink)), max(1, round(height * shrink))
    return Piece(page, w, h, 0, 0, w, h)


def _tiles(page: int, width: int, height: int, visible: QRect) -> Iterator[Piece]:
    visible = visible.intersected(QRect(0, 0, width, height))
    if visible.isEmpty():
        return
    for row in range(visible.top() // TILE, visible.bottom() // TILE + 1):
        for column in range(visible.left() // TILE, visible.right() // TILE + 1):
            x, y = column * TILE, row * TILE
            yield Piece(page, width, height, x, y, min(TILE, width - x), min(TILE, height - y))


class PieceCache:
    """Drawn pieces, least recently used first out, bounded by bytes."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._limit = limit
        self._images: OrderedDict[Piece, QImage] = OrderedDict()
        self._by_page: dict[int, set[Piece]] = {}
        self._bytes = 0

    @property
    def bytes(self) -> int:
        return self._bytes

    def __contains__(self, piece: Piece) -> bool:
        return piece in self._images

    def __len__(self) -> int:
        return len(self._images)

    def get(self, piece: Piece) -> QImage | None:
        image = self._images.get(piece)
        if image is not None:
            self._images.move_to_end(piece)
        return image

    def put(self, piece: Piece, image: QImage) -> None:
        self._drop(piece)
        self._images[piece] = image
        self._by_page.setdefault(piece.page, set()).add(piece)
        self._bytes += image.sizeInBytes()
        self.shrink(self._limit)

    def shrink(self, limit: int) -> None:
        """Forget the oldest until no more than *limit* bytes are kept, or one piece."""
        while self._bytes > limit and len(self._images) > 1:
            self._drop(next(iter(self._images)))

    def nearest(self, page: int, width: int) -> Piece | None:
        """The whole picture of *page* whose size is nearest to *width*; a larger one is preferred."""
        whole = [piece for piece in self._by_page.get(page, ()) if piece.is_whole]
        if not whole:
            return None
        return min(whole, key=lambda p: p.width / width if p.width >= width else 2 * width / p.width)

    def clear(self) -> None:
        self._images.clear()
        self._by_page.clear()
        self._bytes = 0

    def _drop(self, piece: Piece) -> None:
        image = self._images.pop(piece, None)
        if image is None:
            return
        self._bytes -= image.sizeInBytes()
        of_page = self._by_page[piece.page]
        of_page.discard(piece)
        if not of_page:
            del self._by_page[piece.page]
