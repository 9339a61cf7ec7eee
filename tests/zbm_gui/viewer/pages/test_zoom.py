"""Zoom, and the pictures kept of pages."""

from __future__ import annotations

import pytest

from tests.zbm_gui.viewer.pages.conftest import drawn, is_ink, picture, share_of
from tests.zbm_gui.waiting import settle, until
from zbm_gui.viewer.pages.layout import GAP, Fit
from zbm_gui.viewer.pages.pieces import HIDDEN_BYTES
from zbm_gui.viewer.pages.view import Place

PAGES = [f"Page {number} of the book" for number in range(1, 13)]


@pytest.fixture
def book(reader, make_pdf):
    reader.open(make_pdf(*PAGES), "Book")
    drawn(reader)
    return reader


def test_zoom_in_and_out(book):
    before = book.view.zoom
    book.actions_by_name["zoom_in"].trigger()
    assert book.view.zoom > before
    assert book.view.fit is Fit.NONE
    book.actions_by_name["zoom_out"].trigger()
    assert book.view.zoom == pytest.approx(before)
    assert book.toolbar._zoom.text() == f"{round(before * 100)} %"


def test_fitting_follows_the_window(book):
    book.actions_by_name["fit_page"].trigger()
    drawn(book)
    look = book.view.look(0).rect
    assert look.height() <= book.view.viewport().height()
    book.actions_by_name["fit_width"].trigger()
    book.resize(500, 700)
    settle()
    assert book.view.look(0).rect.width() == book.view.viewport().width() - 2 * GAP
    assert not book.view.horizontalScrollBar().isVisible()


def test_a_picture_stands_in_while_the_sharp_one_comes(book):
    picture(book)
    book.view.set_zoom(book.view.zoom * 2)
    image = book.view.viewport().grab().toImage()  # nothing has been drawn at this size yet
    assert share_of(image, book.view.viewport().rect(), is_ink) > 0


def test_a_large_zoom_draws_tiles_and_keeps_the_bound(book):
    book.view.pictures.cache._limit = 40_000_000
    for zoom in (3.0, 5.0, 8.0):
        book.view.set_zoom(zoom)
        for page in range(3):
            book.view.show_place(Place(page, 60.0, 80.0))
            image = picture(book)
            assert book.view.pictures.cache.bytes <= 40_000_000
    assert any(not piece.is_whole for piece in book.view.pictures.cache._images)
    text = book._file.frame(2).rect(72, 495, 120, 515)
    assert share_of(image, book.view.look(2).box(text).intersected(image.rect().toRectF()), is_ink) > 0.02


def test_tiles_join_without_a_seam(reader, make_pdf):
    """The same page drawn whole and in tiles is the same picture."""
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QImage, QPainter

    from zbm_gui.viewer.pages.pieces import Piece

    reader.open(make_pdf("alpha beta gamma\n" * 20, size=20), "Made")
    drawn(reader)
    size = QSize(1800, 2700)
    whole = Piece(0, size.width(), size.height(), 0, 0, size.width(), size.height())
    parts = [
        Piece(0, size.width(), size.height(), x, y, min(1000, size.width() - x), min(1000, size.height() - y))
        for x in range(0, size.width(), 1000)
        for y in range(0, size.height(), 1000)
    ]
    images: dict[Piece, QImage] = {}
    reader._file.desk.piece_drawn.connect(lambda piece, image: images.__setitem__(piece, image))
    reader._file.desk.wish([whole, *parts])
    until(lambda: len(images) == 1 + len(parts), "all pieces")
    joined = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(joined)
    for part in parts:
        painter.drawImage(part.x, part.y, images[part])
    painter.end()
    differing = sum(
        abs(joined.pixelColor(x, y).lightness() - images[whole].pixelColor(x, y).lightness()) > 100
        for x in range(0, size.width(), 3)
        for y in range(0, size.height(), 3)
    )
    assert differing < 0.002 * (size.width() / 3) * (size.height() / 3)


def test_memory_stays_bounded_over_a_long_document(reader, make_pdf):
    reader.open(make_pdf(*["text"] * 60), "Long")
    reader.view.pictures.cache._limit = 12_000_000
    for page in range(0, 60, 4):
        reader.go_to_page(page)
        drawn(reader)
        assert reader.view.pictures.cache.bytes <= 12_000_000


def test_a_reader_out_of_sight_keeps_little(reader, make_pdf):
    reader.open(make_pdf(*["text"] * 30), "Long")
    for page in range(0, 30, 2):
        reader.go_to_page(page)
        drawn(reader)
    assert reader.view.pictures.cache.bytes > HIDDEN_BYTES
    reader.hide()
    assert reader.view.pictures.cache.bytes <= HIDDEN_BYTES
    reader.show()
    assert share_of(picture(reader), reader.view.viewport().rect(), is_ink) > 0
