"""Finding in a text, paper and letters, pictures. The book is made for the tests."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.texts.made_book import MadeBook
from tests.zbm_gui.viewer.texts.reading import SECTIONS, at_rest, highlighted, passage, top_of, wheel
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_gui import style
from zbm_gui.viewer.texts.look import TextLook
from zbm_gui.viewer.texts.view import LANDING

# --- finding


def test_the_whole_document_is_searched_from_here(opened, book):
    reader = at_rest(opened(book))
    reader.go_to_page(2)
    at_rest(reader)
    reader.find("begins")
    until(lambda: reader.finding.finished)
    at_rest(reader)
    assert len(reader.finding.hits) == 60
    assert reader.finding.current == 24
    assert reader.find_bar._count.text() == "25 of 60"
    assert sum(text == "begins" for _colour, text in highlighted(reader)) == 12
    QTest.keyClick(reader.view, Qt.Key.Key_F3)
    assert reader.finding.current == 25
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    reader.finding.step(-1)
    at_rest(reader)
    assert reader.current_page() == 1
    QTest.keyClick(reader.find_bar._edit, Qt.Key.Key_Escape)
    assert reader.find_bar.isHidden() and highlighted(reader) == []


def test_nothing_found_is_said(opened, book):
    reader = at_rest(opened(book))
    reader.find("quokka")
    until(lambda: reader.finding.finished)
    assert reader.find_bar._count.text() == "Nothing found"


def test_a_newer_question_drops_the_older(opened, book):
    reader = at_rest(opened(book))
    book.gate.clear()
    reader.find("begins")
    reader.find("Paragraph 3.")
    book.gate.set()
    until(lambda: reader.finding.finished)
    assert len(reader.finding.hits) == 12


# --- how it looks


def test_letters_grow_and_the_place_stays(opened, book):
    reader = at_rest(opened(book, [passage(book, SECTIONS[3][7])]))
    chosen = Catcher(reader.choice_made)
    size = reader.view.document().defaultFont().pointSizeF()
    reader.actions_by_name["zoom_in"].trigger()
    assert chosen.wait() == ("reader.text_size", 110)
    assert reader.view.document().defaultFont().pointSizeF() == pytest.approx(1.1 * size)
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)
    wheel(reader, 1, Qt.KeyboardModifier.ControlModifier)
    until(lambda: reader.view.document().defaultFont().pointSizeF() > 1.15 * size)
    reader.actions_by_name["actual_size"].trigger()
    assert reader.look.size == 100


@pytest.mark.parametrize("paper", ["light", "sepia", "dark"])
def test_paper_and_marks_go_together(opened, book, paper):
    reader = at_rest(opened(book, [passage(book, SECTIONS[0][2], "", "carbon")]))
    reader.toolbar.look_chosen.emit(TextLook(paper))
    colors = reader.view.colors
    image = reader.view.viewport().grab().toImage()
    corner = image.pixelColor(5, image.height() - 5)
    assert corner == colors.paper
    assert (colors.paper.lightness() < 100) == (paper == "dark") == colors.dark
    passage_colour, words_colour = (colour for colour, _text in highlighted(reader))
    assert passage_colour != words_colour != colors.paper.name()


def test_paper_as_the_window_follows_it(app, opened, book):
    reader = at_rest(opened(book, [passage(book, SECTIONS[3][7], "", "carbon")]))
    light = reader.view.colors.paper
    try:
        style.apply_theme(app, "dark")
        settle()
        assert reader.view.colors.dark and reader.view.colors.paper != light
        image = reader.view.viewport().grab().toImage()
        assert image.pixelColor(5, image.height() - 5) == reader.view.colors.paper
        expected = reader.view.viewport().height() * LANDING
        assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)
        reader.toolbar.look_chosen.emit(TextLook("light"))
        assert reader.view.colors.paper == light
    finally:
        style.apply_theme(app, "light")
        settle()
    reader.toolbar.look_chosen.emit(TextLook("window"))
    assert reader.view.colors.paper == light


def test_the_measure_is_bounded_and_centred(opened, book):
    reader = opened(book)
    reader.resize(1900, 700)
    at_rest(reader)
    column = reader.view._column
    letters = column.width() / reader.view.fontMetrics().averageCharWidth()
    assert letters < 100
    right = reader.view.viewport().width() - column.right()
    assert abs(column.left() - right) <= 2


def test_a_script_from_the_right_is_set_from_the_right(opened):
    book = MadeBook([["ابتسم القمر فوق الحقل", "وهذا سطر آخر"]], right_to_left=True)
    reader = at_rest(opened(book))
    block = reader.view.document().firstBlock()
    assert block.layout().lineAt(0).naturalTextRect().left() > reader.view._column.width() / 2


# --- pictures


def png(width: int, height: int) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def test_a_picture_comes_later_and_moves_nothing_that_is_read(opened):
    blocks = ["<img src='zbm-image:plates/a%20b.png'/>", *SECTIONS[0]]
    book = MadeBook([blocks], images={"plates/a b.png": png(3000, 900)})
    reader = opened(book, [passage(book, SECTIONS[0][6])])
    at_rest(reader)
    until(lambda: reader.pictures._images)
    until(lambda: not reader.view._pictures_timer.isActive())
    settle()
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 1.5 begins. The") == pytest.approx(expected, abs=3)
    reader.view.verticalScrollBar().setValue(0)
    image = reader.view.viewport().grab().toImage()
    column = reader.view._column
    middle = image.pixelColor(column.center().x(), 120)
    assert (middle.red(), middle.green(), middle.blue()) == (255, 0, 0)
    beyond = image.pixelColor(column.right() + 6, 120)
    assert beyond == reader.view.colors.paper  # no wider than the column
