"""Opening a text, and going about in it. The book is made for the tests."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.texts.made_book import MadeBook
from tests.zbm_gui.viewer.texts.reading import PAGES, SECTIONS, at_rest, highlighted, passage, top_of, wheel
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.documents.reading.records import Spot
from zbm_gui.states import Act
from zbm_gui.viewer.texts.view import LANDING

# --- opening


def test_it_opens_at_the_start_without_matches(opened, book):
    reader = at_rest(opened(book))
    assert reader.current_page() == 0
    assert reader.view.verticalScrollBar().value() == 0
    assert "Paragraph 1.3" in reader.view.toPlainText()
    assert reader.page_count == 5


def test_everything_is_asked_off_the_windows_thread(opened, book):
    at_rest(opened(book, [passage(book, SECTIONS[2][5])]))
    assert book.threads and threading.get_ident() not in book.threads


def test_the_passage_stands_a_third_down_and_no_other_section_is_laid_out_before(opened, book):
    shown = []
    reader = opened(book, [passage(book, SECTIONS[3][7], "The carbon pool", "carbon")])
    reader.page_changed.connect(shown.append)
    at_rest(reader)
    assert shown == [3]
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)
    reader.resize(1100, 560)  # and stays there when the window changes
    settle()
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)


def test_what_is_marked_is_the_passage_and_its_words(opened, book):
    two = SECTIONS[1][4] + "\n" + SECTIONS[1][5]
    reader = at_rest(opened(book, [passage(book, two, "Paragraph 2.4", "carbon", "soil")]))
    (wash, first), (_wash, second), *words = highlighted(reader)
    assert [first, second] == two.split("\n")
    assert [said for _colour, said in words] == ["carbon", "soil"]
    assert all(colour != wash for colour, _said in words)
    assert len(reader.view.marks.marks) == 1


def test_letters_beyond_the_first_plane_do_not_shift_the_marks(opened):
    wide = MadeBook([["𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🌱 first", "then 🌱 the passage", "after"]])
    reader = at_rest(opened(wide, [passage(wide, "then 🌱 the passage", "", "passage")]))
    assert [text for _colour, text in highlighted(reader)] == ["then 🌱 the passage", "passage"]


def test_a_section_can_be_wished_for_before_the_book_is_open(opened, book):
    for page, shown in ((3, 3), (99, 4)):
        reader = opened(book)
        reader.go_to_page(page)
        at_rest(reader)
        assert reader.current_page() == shown
        reader.close_document()
        book.closed.wait(10)
        book.closed.clear()
    book.closed.set()


def test_a_failure_is_said_with_what_to_do(opened):
    broken = MadeBook([["x"]], fails="The book is damaged and could not be opened.")
    reader = opened(broken)
    failed = Catcher(reader.load_failed)
    assert "The book is damaged" in failed.wait()[0]
    assert Act.OPEN_EXTERNALLY in reader.problem.state.acts
    assert reader._stack.currentWidget() is reader.problem


def test_closing_while_the_book_is_busy_waits_for_nothing(opened, book):
    book.gate.clear()
    reader = opened(book, [passage(book, SECTIONS[2][5])])
    until(lambda: book.asked == ["contents"])
    reader.close_document()
    settle()
    assert reader.page_count == 0
    until(book.closed.is_set)


def test_another_document_can_be_opened_in_the_same_reader(opened, book):
    other = MadeBook([["Quite another text"]])
    books = [book, other]
    reader = opened(book)
    at_rest(reader)
    reader._make_book = lambda _path, _type: books[1]
    reader.open(Path("other.epub"), "Other")
    at_rest(reader)
    assert "Quite another text" in reader.view.toPlainText()
    assert book.closed.wait(10)
    reader.close_document()
    assert other.closed.wait(10)


def test_parts_that_could_not_be_read_are_told(opened):
    reader = at_rest(opened(MadeBook([["x"]], notice="One part of the book could not be read.")))
    assert reader.banner.state.title == "One part of the book could not be read."


# --- moving about


def test_sections_are_turned_by_keys_and_buttons(opened, book):
    reader = at_rest(opened(book))
    QTest.keyClick(reader.view, Qt.Key.Key_Right)
    at_rest(reader)
    assert reader.current_page() == 1
    QTest.keyClick(reader.view, Qt.Key.Key_End)
    QTest.keyClick(reader.view, Qt.Key.Key_PageDown)
    at_rest(reader)
    assert (reader.current_page(), reader.view.verticalScrollBar().value()) == (2, 0)
    QTest.keyClick(reader.view, Qt.Key.Key_PageUp)
    at_rest(reader)
    bar = reader.view.verticalScrollBar()
    assert (reader.current_page(), bar.value()) == (1, bar.maximum())
    reader.actions_by_name["next_section"].trigger()
    at_rest(reader)
    assert reader.current_page() == 2
    QTest.keyClick(reader.view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    at_rest(reader)
    assert reader.current_page() == 4
    assert not reader.actions_by_name["next_section"].isEnabled()


def test_the_wheel_turns_only_when_it_rested_at_the_end(opened, book):
    reader = at_rest(opened(book))
    bar = reader.view.verticalScrollBar()
    bar.setValue(bar.maximum() - 5)
    wheel(reader, -1)  # comes to the end
    wheel(reader, -1)  # the same movement
    at_rest(reader)
    assert (reader.current_page(), bar.value()) == (0, bar.maximum())
    reader.view._last_wheel -= 1
    wheel(reader, -1)
    at_rest(reader)
    assert (reader.current_page(), bar.value()) == (1, 0)


def test_back_and_forward(opened, book):
    reader = at_rest(opened(book))
    bar = reader.view.verticalScrollBar()
    bar.setValue(300)
    reader.jump_to_spot(Spot(3, 5))
    at_rest(reader)
    assert reader.current_page() == 3
    QTest.keyClick(reader.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    at_rest(reader)
    assert reader.current_page() == 0
    assert bar.value() == pytest.approx(300, abs=40)  # to the line
    reader.go_forward()
    at_rest(reader)
    assert reader.here() == Spot(3, 5, 0)


def test_the_outline_leads_and_follows(opened, book):
    reader = at_rest(opened(book))
    reader.actions_by_name["outline"].trigger()
    panel = reader.panel._lists[0].panel
    panel.clicked.emit(panel.model().index(3, 0))
    at_rest(reader)
    assert reader.current_page() == 3
    assert panel.currentIndex().data() == "Chapter 4"
    assert reader.panel._tabs.isHidden()


def test_printed_pages_are_gone_to_and_shown(opened):
    book = MadeBook(SECTIONS, pages=PAGES)
    reader = at_rest(opened(book))
    reader.toolbar.page_entered.emit("IV")
    at_rest(reader)
    assert reader.here() == Spot(0, 4, 0)
    assert reader.page_label(reader.here()) == "iv"
    reader.toolbar.page_entered.emit("3")
    at_rest(reader)
    assert reader.here() == Spot(3, 4, 0)
    assert (reader.toolbar._box.text(), reader.toolbar._of.text()) == ("3", "of 4")
    reader.toolbar.page_entered.emit("no such page")
    at_rest(reader)
    assert reader.here() == Spot(3, 4, 0)
    assert not reader.panel._tabs.isHidden()


def test_without_printed_pages_the_box_counts_sections(opened, book):
    reader = at_rest(opened(book))
    reader.toolbar.page_entered.emit("4")
    at_rest(reader)
    assert reader.current_page() == 3
    assert (reader.toolbar._box.text(), reader.toolbar._of.text()) == ("4", "of 5")
    reader.toolbar.page_entered.emit("999")
    at_rest(reader)
    assert reader.current_page() == 4
