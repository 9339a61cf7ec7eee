"""Quarter turns: places go where the page goes, and everything laid over it with them."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPointF, QRect, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, is_amber, is_ink, picture, rects_of, share_of
from tests.zbm_gui.waiting import Catcher, until
from zbm_core.library.records import Annotation, ItemKey
from zbm_gui.viewer import ReaderMatch
from zbm_gui.viewer.pages.turning import back, turned_image, turned_point, turned_rect, turned_size

TURNS = (0, 90, 180, 270)
TEXT = "alpha beta gamma delta\nsecond line of words\nthird line of words"


@pytest.mark.parametrize("turn", TURNS)
def test_a_turn_and_back_is_where_it_was(turn):
    size, point = QSizeF(300, 200), QPointF(30, 50)
    there = turned_point(point, size, turn)
    shown = turned_size(size, turn)
    assert 0 <= there.x() <= shown.width()
    assert 0 <= there.y() <= shown.height()
    assert turned_point(there, shown, back(turn)) == point


def test_clockwise_brings_the_top_left_corner_to_the_right():
    assert turned_point(QPointF(0, 0), QSizeF(300, 200), 90) == QPointF(200, 0)


@pytest.mark.parametrize("turn", TURNS)
def test_rectangles_of_pixels_turn_as_the_picture_does(turn):
    size, rect = QSize(30, 20), QRect(3, 5, 10, 4)
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    for x in range(rect.left(), rect.right() + 1):
        for y in range(rect.top(), rect.bottom() + 1):
            image.setPixelColor(x, y, QColor("black"))
    turned = turned_image(image, turn)
    there = turned_rect(rect, size, turn)
    black = {
        (x, y)
        for x in range(turned.width())
        for y in range(turned.height())
        if turned.pixelColor(x, y) == QColor("black")
    }
    expected = {
        (x, y) for x in range(there.left(), there.right() + 1) for y in range(there.top(), there.bottom() + 1)
    }
    assert black == expected


# --- in the reader


@pytest.fixture
def turned(reader, make_pdf):
    """Opens a made page turned by the file and by the reader; the path."""

    def open_turned(turn: int, rotation: int = 0):
        path = make_pdf(TEXT, rotation=rotation)
        reader.open(path, "Made")
        reader.rotate(turn)
        reader.actions_by_name["fit_page"].trigger()
        drawn(reader)
        return path

    return open_turned


def box_of(reader, path, words: str):
    rect = rects_of(path, 0, words)[0]
    return reader.view.look(0).box(reader._frame(0).rect(*rect[1:]))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("rotation", [0, 90])
def test_the_match_lies_on_its_words(reader, turned, turn, rotation):
    path = turned(turn, rotation)
    reader.show_matches([ReaderMatch(rects_of(path, 0, "second"))], 0)
    image = picture(reader)
    box = box_of(reader, path, "second")
    assert share_of(image, box, is_amber) > 0.5
    assert share_of(image, box, is_ink) > 0.03
    other = box_of(reader, path, "third")
    assert share_of(image, other, is_amber) == 0
    assert share_of(image, other, is_ink) > 0.03


@pytest.mark.parametrize("turn", TURNS)
def test_the_margin_bar_stands_before_the_lines(reader, turned, turn):
    path = turned(turn)
    reader.show_matches([ReaderMatch(rects_of(path, 0, "second line of words"))], 0)
    image = picture(reader)
    page, frame = reader.view.look(0), reader._frame(0)
    line = frame.rect(*rects_of(path, 0, "second line of words")[0][1:])
    pixel = 1 / page.scale
    bar = page.box(line.adjusted(-10 * pixel, 0, -line.width() - 8 * pixel, 0))
    assert share_of(image, bar, lambda c: c.blue() > 180 and c.red() < 120) > 0.3


@pytest.mark.parametrize("turn", TURNS)
def test_words_are_selected_by_the_mouse(reader, turned, turn):
    path = turned(turn)
    spot = box_of(reader, path, "gamma").center().toPoint()
    QTest.mouseDClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    drawn(reader)
    copied = Catcher(reader.text_copied)
    reader.copy()
    assert copied.wait() == ("gamma",)


@pytest.mark.parametrize("turn", TURNS)
def test_hits_lie_on_their_words(reader, turned, turn):
    path = turned(turn)
    reader.find("delta")
    until(lambda: reader.finding.finder.hits, "a hit")
    image = picture(reader)
    assert share_of(image, box_of(reader, path, "delta"), lambda c: c.blue() > c.red() + 40) > 0.4


@pytest.mark.parametrize("turn", TURNS)
def test_annotations_lie_on_their_words(reader, turned, turn):
    path = turned(turn)
    rect = list(rects_of(path, 0, "beta")[0][1:])
    position = json.dumps({"pageIndex": 0, "rects": [rect]})
    key, parent = ItemKey(1, "ANNOTATE"), ItemKey(1, "ATTACHED")
    mark = Annotation(key, parent, "highlight", "", "beta", "", "#5fb236", "", "0", position, (), "", "")
    reader.set_annotations([mark])
    image = picture(reader)
    assert share_of(image, box_of(reader, path, "beta"), lambda c: c.green() > c.red() + 30) > 0.4
    at = reader.view.page_point(box_of(reader, path, "beta").center())
    assert reader._annotations.at(*at) == mark


def test_turning_keeps_what_is_read_in_sight(reader, make_pdf):
    reader.open(make_pdf(*[f"page {n}" for n in range(20)]), "Book")
    reader.go_to_page(9)
    for _quarter in range(4):
        reader.actions_by_name["rotate_right"].trigger()
        drawn(reader)
        assert reader.current_page() == 9
        assert reader.view.viewport().rect().intersects(reader.view.look(9).rect)
    assert reader.view.turn == 0
    reader.actions_by_name["rotate_left"].trigger()
    assert reader.view.turn == 270


def test_a_match_turned_with_its_page_stays_in_sight(reader, make_pdf):
    path = make_pdf(*["alpha\n" * 20 + "omega"] * 8)
    reader.open(path, "Book")
    reader.view.set_zoom(2.0)
    rect = rects_of(path, 5, "omega")
    reader.show_matches([ReaderMatch(rect)], 0)
    for _quarter in range(4):
        reader.rotate(90)
        box = reader.view.look(5).box(reader._frame(5).rect(*rect[0][1:]))
        assert reader.view.viewport().rect().toRectF().intersects(box)


def test_another_document_is_not_turned(reader, make_pdf):
    reader.open(make_pdf("a", name="a.pdf"), "A")
    reader.rotate(90)
    reader.open(make_pdf("b", name="b.pdf"), "B")
    assert reader.view.turn == 0


@pytest.mark.parametrize("turn", (90, 180, 270))
def test_tiles_of_a_turned_page_join(reader, make_pdf, turn):
    """A page in tiles, turned, is the page drawn whole, turned."""
    reader.open(make_pdf("alpha beta gamma\n" * 20, size=20), "Made")
    reader.rotate(turn)
    reader.view.set_zoom(5.5)
    image = picture(reader)
    page = reader.view.look(0)
    assert any(not piece.is_whole for piece in reader.view.pictures.cache._images)
    reader._file.desk.order("test", (), None)
    from zbm_gui.viewer.pages.pieces import Piece

    shown = page.rect.size()
    size = shown.transposed() if turn in (90, 270) else shown
    whole: list[QImage] = []
    piece = Piece(0, size.width(), size.height(), 0, 0, size.width(), size.height())
    reader._file.desk.order("test", [piece], lambda _piece, drawn: whole.append(turned_image(drawn, turn)))
    until(lambda: whole, "the page drawn whole")
    seen = page.rect.intersected(reader.view.viewport().rect())
    points = [
        (x, y) for x in range(seen.left(), seen.right(), 7) for y in range(seen.top(), seen.bottom(), 7)
    ]
    differing = sum(
        abs(
            image.pixelColor(x, y).lightness()
            - whole[0].pixelColor(x - page.rect.left(), y - page.rect.top()).lightness()
        )
        > 100
        for x, y in points
    )
    assert len(points) > 1000
    assert differing < 0.01 * len(points)
