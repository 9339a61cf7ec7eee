"""Passages of a search in a text. The book is made for the tests."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.texts.reading import SECTIONS, at_rest, highlighted, passage, top_of
from tests.zbm_gui.waiting import Catcher
from zbm_core.documents.structure import Selector
from zbm_gui.viewer import MatchSet, ReaderMatch

# --- matches


def test_matches_are_stepped_through_over_sections(opened, book):
    matches = [passage(book, SECTIONS[n][3]) for n in (0, 2, 4)]
    reader = at_rest(opened(book, matches, 1))
    focused = Catcher(reader.match_focused)
    assert (reader.current_match(), reader.current_page()) == (1, 2)
    QTest.keyClick(reader.view, Qt.Key.Key_F3)
    at_rest(reader)
    assert (reader.current_match(), reader.current_page()) == (2, 4)
    reader.next_match()  # wraps
    at_rest(reader)
    assert (reader.current_match(), reader.current_page()) == (0, 0)
    reader.previous_match()
    at_rest(reader)
    assert reader.current_match() == 2
    assert [values[0] for values in focused.values] == [2, 0, 2]
    assert "3 of 3" in [label.text() for label in reader.toolbar.findChildren(type(reader.toolbar._matches))]


def test_all_matches_of_a_section_are_marked_the_current_one_stronger(opened, book):
    matches = [passage(book, SECTIONS[2][n]) for n in (3, 5, 7)]
    reader = at_rest(opened(book, matches, 1))
    marked = highlighted(reader)
    assert [text for _c, text in marked] == [SECTIONS[2][3], SECTIONS[2][7], SECTIONS[2][5]]
    assert marked[0][0] == marked[1][0] != marked[2][0]
    assert len(reader.view.marks.marks) == 1
    ((_colour, others),) = reader.view.marks._others
    assert len(others) == 2


def test_several_searches_are_marked_in_colours_of_their_own(opened, book):
    sets = [
        MatchSet("carbon", (passage(book, SECTIONS[1][2]), passage(book, SECTIONS[2][2]))),
        MatchSet("soil", (passage(book, SECTIONS[1][4]), passage(book, SECTIONS[4][2]))),
    ]
    reader = opened(book)
    reader.show_match_sets(sets, 0, 0)
    at_rest(reader)
    (other, said), (current, _said) = highlighted(reader)
    assert said == SECTIONS[1][4] and other != current
    assert not reader.legend.isHidden()
    chosen = Catcher(reader.match_set_chosen)
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ControlModifier)
    assert chosen.wait() == (1,)
    reader.next_match()
    reader.next_match()
    at_rest(reader)
    assert (reader.current_match(), reader.current_page()) == (1, 4)
    dropped = Catcher(reader.match_set_dropped)
    reader.legend.dropped.emit(0)
    assert dropped.wait() == (0,)
    reader.show_match_sets(sets[:1])
    at_rest(reader)
    assert reader.legend.isHidden() and reader.current_page() == 4


def test_matches_are_stepped_through_as_they_stand(opened, book):
    matches = [passage(book, SECTIONS[n][3]) for n in (3, 0, 2)]  # an annotation's place is not known before
    reader = at_rest(opened(book, matches, 0))
    assert reader.toolbar._matches.text() == "3 of 3"
    seen = []
    for _ in range(3):
        reader.next_match()
        at_rest(reader)
        seen.append((reader.current_page(), reader.toolbar._matches.text()))
    assert seen == [(0, "1 of 3"), (2, "2 of 3"), (3, "3 of 3")]


def test_a_click_on_a_passage_makes_it_the_current_one(opened, book):
    matches = [passage(book, SECTIONS[0][n]) for n in (1, 2)]
    reader = at_rest(opened(book, matches, 0))
    focused = Catcher(reader.match_focused)
    scrolled = reader.view.verticalScrollBar().value()
    spot = QPoint(reader.view.viewport().width() // 2, top_of(reader, "Paragraph 1.1 begins") + 8)
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert focused.wait() == (1,)
    assert reader.view.verticalScrollBar().value() == scrolled


def test_a_passage_that_left_the_file_is_looked_for_by_its_words_or_said_to_be_gone(opened, book):
    nowhere = book.anchor(SECTIONS[0][0]).__class__((Selector("TextPositionSelector", "", 10**7, 10**7 + 5),))
    moved = ReaderMatch(anchor=nowhere, text="Paragraph 4.4 begins.", quote=(0, 21))
    gone = ReaderMatch(anchor=nowhere, text="words that are nowhere", quote=(0, 10))
    reader = at_rest(opened(book, [moved, gone], 0))
    assert reader.current_page() == 3
    reader.next_match()
    at_rest(reader)
    assert "not in the document any more" in reader.banner.state.title
