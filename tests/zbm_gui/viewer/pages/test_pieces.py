from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage

from zbm_gui.viewer.pages.pieces import MAX_WHOLE_PIXELS, STAND_IN_PIXELS, TILE, Piece, PieceCache, pieces_of


def image(piece: Piece) -> QImage:
    return QImage(piece.w, piece.h, QImage.Format.Format_RGB32)


def whole(page: int, width: int = 100, height: int = 100) -> Piece:
    return Piece(page, width, height, 0, 0, width, height)


def test_a_small_page_is_one_piece():
    assert pieces_of(3, QSize(800, 1000), QRect(0, 0, 800, 100)) == [whole(3, 800, 1000)]


def test_a_large_page_is_tiles_of_what_is_seen_and_a_stand_in():
    stand_in, *tiles = pieces_of(0, QSize(8000, 10_000), QRect(1000, 5000, 2000, 1500))
    assert stand_in.is_whole
    assert stand_in.w * stand_in.h <= STAND_IN_PIXELS * 1.01
    seen = QRect(1000, 5000, 2000, 1500)
    covered = QRect()
    for tile in tiles:
        assert tile.rect.intersects(seen)
        assert tile.w <= TILE
        assert tile.h <= TILE
        covered = covered.united(tile.rect)
    assert covered.contains(seen)
    assert sum(tile.w * tile.h for tile in tiles) < MAX_WHOLE_PIXELS * 2


def test_tiles_end_at_the_pages_edge():
    _stand_in, *tiles = pieces_of(0, QSize(3000, 3000), QRect(2500, 2500, 5000, 5000))
    assert tiles
    assert all(tile.x + tile.w <= 3000 and tile.y + tile.h <= 3000 for tile in tiles)


def test_the_cache_is_bounded_and_forgets_the_oldest():
    one = whole(0).bytes
    cache = PieceCache(limit=3 * one)
    for page in range(3):
        cache.put(whole(page), image(whole(page)))
    cache.get(whole(0))
    cache.put(whole(3), image(whole(3)))
    assert cache.bytes == 3 * one
    assert whole(0) in cache
    assert whole(1) not in cache


def test_putting_again_counts_once():
    cache = PieceCache(limit=10_000_000)
    cache.put(whole(0), image(whole(0)))
    cache.put(whole(0), image(whole(0)))
    assert cache.bytes == whole(0).bytes
    assert len(cache) == 1


def test_one_piece_larger_than_the_bound_is_kept():
    cache = PieceCache(limit=10)
    cache.put(whole(0), image(whole(0)))
    assert whole(0) in cache


def test_the_nearest_picture_stands_in():
    cache = PieceCache(limit=100_000_000)
    for width in (100, 400, 1000):
        cache.put(whole(5, width, width), image(whole(5, width, width)))
    cache.put(Piece(5, 2000, 2000, 0, 0, 50, 50), image(whole(0, 50, 50)))  # a tile is no stand-in
    assert cache.nearest(5, 390).width == 400
    assert cache.nearest(5, 5000).width == 1000
    assert cache.nearest(5, 150).width == 100 or cache.nearest(5, 150).width == 400
    assert cache.nearest(6, 100) is None
    cache.clear()
    assert cache.nearest(5, 100) is None
    assert cache.bytes == 0
