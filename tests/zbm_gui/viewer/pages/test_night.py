"""Dark pages: text turns light, colours keep their hue, photographs stay."""

from __future__ import annotations

import random

import pymupdf
import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from tests.zbm_gui.viewer.pages.conftest import drawn, picture, share_of
from zbm_gui.viewer.pages.night import Night, judged, turned_dark
from zbm_gui.viewer.pages.paper import DARK_INK, DARK_PAPER
from zbm_gui.viewer.pages.view import Place

PAGE = QSize(600, 840)
PHOTO = QRect(150, 300, 240, 180)


def paper(colour: str = "white") -> QImage:
    image = QImage(PAGE, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def written(image: QImage, colour: str = "black") -> QImage:
    painter = QPainter(image)
    painter.setPen(QColor(colour))
    for line in range(60):
        painter.drawText(
            40, 30 + 13 * line, "many words of a text that fills its page with lines of ink, densely set"
        )
    painter.end()
    return image


def with_photo(image: QImage, rect: QRect = PHOTO, sky: bool = True) -> QImage:
    """A picture: a light upper third, dark noise below."""
    chance = random.Random(7)
    painter = QPainter(image)
    for y in range(rect.top(), rect.bottom() + 1, 3):
        for x in range(rect.left(), rect.right() + 1, 3):
            light = sky and y < rect.top() + rect.height() // 3
            level = chance.randrange(200, 215) if light else chance.randrange(20, 150)
            painter.fillRect(x, y, 3, 3, QColor(level, level - 10, level - 20))
    painter.end()
    return image


def dark(image: QImage) -> QImage:
    return turned_dark(QImage(image), judged(image), image.size(), image.rect())


def test_paper_and_ink_change_places():
    image = dark(paper())
    assert image.pixelColor(300, 400) == DARK_PAPER
    image = dark(written(paper()))
    assert share_of(image, image.rect(), lambda c: c.lightness() > 180) > 0.01
    ink = paper()
    ink.fill(QColor("black"))
    assert turned_dark(ink, Night(), PAGE, ink.rect()).pixelColor(9, 9) == DARK_INK


@pytest.mark.parametrize("colour", ["white", "#efe6d0", "#d8d8d8"])
def test_text_is_no_picture_on_white_paper_nor_on_a_scans(colour):
    assert judged(written(paper(colour))).pictures == ()


def test_a_photograph_stays_as_it_is():
    page = with_photo(written(paper()))
    (found,) = judged(page).pictures
    frame = QRect(
        round(found.x() * 600),
        round(found.y() * 840),
        round(found.width() * 600),
        round(found.height() * 840),
    )
    assert frame.adjusted(-16, -16, 16, 16).contains(PHOTO)
    assert PHOTO.adjusted(-32, -32, 32, 32).contains(frame)
    image = dark(page)
    for at in (PHOTO.center(), PHOTO.topLeft() + QRect(0, 0, 100, 20).center()):
        before, after = page.pixelColor(at), image.pixelColor(at)
        assert abs(after.lightness() - before.lightness()) < 45  # a little dimmed, no negative


def test_a_page_that_is_all_picture_stays():
    page = with_photo(paper(), QRect(0, 0, 600, 840), sky=False)
    (found,) = judged(page).pictures
    assert found.width() > 0.95
    assert found.height() > 0.95


def test_rules_and_headings_are_no_pictures():
    page = paper()
    painter = QPainter(page)
    painter.setFont(QFont(painter.font().family(), 40, QFont.Weight.Black))
    painter.drawText(40, 400, "HEAVY WORDS")
    painter.fillRect(0, 100, 600, 4, QColor("black"))
    painter.fillRect(40, 200, 500, 8, QColor("black"))
    painter.end()
    assert judged(page).pictures == ()


def test_a_chart_of_lines_turns_dark_and_keeps_its_hues():
    page = paper()
    painter = QPainter(page)
    for colour, y in (("#0033cc", 200), ("#cc2200", 300), ("#118833", 400)):
        painter.fillRect(100, y, 400, 12, QColor(colour))
    painter.end()
    night = judged(page)
    assert night.coloured
    image = turned_dark(QImage(page), night, PAGE, page.rect())
    for y in (205, 305, 405):
        before, after = page.pixelColor(300, y), image.pixelColor(300, y)
        apart = abs(before.hue() - after.hue()) % 360
        assert min(apart, 360 - apart) < 25
        assert after.lightness() > DARK_PAPER.lightness() + 30


def test_black_text_is_judged_without_colour():
    assert not judged(written(paper())).coloured
    assert judged(written(paper(), "#0033cc")).coloured


def test_a_tile_is_the_part_of_the_whole():
    page = with_photo(written(paper()))
    night = judged(page)
    whole = turned_dark(QImage(page), night, PAGE, page.rect())
    part = QRect(200, 250, 300, 300)
    tile = turned_dark(page.copy(part), night, PAGE, part)
    assert tile == whole.copy(part)


def test_in_the_reader_whole_and_in_tiles(reader, tmp_path):
    path = tmp_path / "photo.pdf"
    photo = tmp_path / "photo.png"
    with_photo(paper(), QRect(0, 0, 600, 840), sky=False).save(str(photo))
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    page.insert_text((40, 50), "words above a picture", fontsize=14)
    page.insert_image(pymupdf.Rect(60, 100, 340, 400), filename=photo, keep_proportion=False)
    document.save(path)
    reader.open(path, "Photo")
    box = reader._frame(0).rect(100, 250, 300, 450)
    light = picture(reader)
    before = share_of(light, reader.view.look(0).box(box), lambda c: c.lightness() < 128)
    reader.set_dark_pages(True)
    for zoom in (1.0, 4.0):
        reader.view.set_zoom(zoom)
        reader.view.show_place(Place(0, 100, 150))
        image = picture(reader)
        seen = reader.view.look(0).box(box).intersected(image.rect().toRectF())
        assert share_of(image, seen, lambda c: c.lightness() < 128) > before - 0.1
    reader.view.set_zoom(1.0)
    reader.go_to_page(0)
    drawn(reader)
    corner = reader.view.look(0).box(reader._frame(0).rect(5, 540, 40, 590))
    assert share_of(picture(reader), corner, lambda c: c == DARK_PAPER) > 0.9
