"""More than one search marked in a document."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, is_amber, picture, rects_of, share_of
from tests.zbm_gui.waiting import Catcher, settle
from zbm_gui.style.palettes import DARK, LIGHT
from zbm_gui.viewer import MatchSet, Reader, ReaderMatch
from zbm_gui.viewer.match_tints import MOST_SETS, tint

TEXT = "alpha beta gamma delta\nsecond line of words\nthird line of words"


def is_teal(colour) -> bool:
    return colour.green() > colour.red() + 25 and colour.green() >= colour.blue()


@pytest.fixture
def marked(reader, make_pdf):
    path = make_pdf(TEXT, TEXT)
    reader.open(path, "Made")
    drawn(reader)
    first = [ReaderMatch(rects_of(path, page, "beta"), label=f"beta {page}") for page in (0, 1)]
    second = [ReaderMatch(rects_of(path, 0, "third"), label="third")]
    reader.show_match_sets([MatchSet("soil carbon", tuple(first)), MatchSet("earlier", tuple(second))], 0, 0)
    return reader, path


def box_of(reader, path, words: str):
    return reader.view.look(0).box(reader._frame(0).rect(*rects_of(path, 0, words)[0][1:]))


def test_each_set_has_its_colour(marked):
    reader, path = marked
    image = picture(reader)
    assert share_of(image, box_of(reader, path, "beta"), is_amber) > 0.5
    assert share_of(image, box_of(reader, path, "third"), is_teal) > 0.5


def test_steps_stay_within_the_chosen_set(marked):
    reader, _path = marked
    reader.next_match()
    assert (reader.current_match(), reader.current_page()) == (1, 1)
    reader.next_match()
    assert reader.current_match() == 0
    chosen = Catcher(reader.match_set_chosen)
    reader.actions_by_name["next_set"].trigger()
    assert chosen.wait() == (1,)
    assert reader.current_match() == -1  # nothing moves before it is asked to
    reader.next_match()
    reader.next_match()
    assert (reader.current_match(), reader.matching.count) == (0, 1)
    assert reader.view.viewport().accessibleDescription() == "third"
    reader.actions_by_name["previous_set"].trigger()
    assert reader.matching.chosen_set == 0
    assert reader.current_match() == 0


def test_the_legend_names_the_sets_and_chooses(marked):
    reader, _path = marked
    assert reader.legend.isVisible()
    first, second = reader.legend.keys
    assert first.accessibleName() == "soil carbon, 2 matches"
    assert first.isChecked()
    second.click()
    assert reader.matching.chosen_set == 1
    assert second.isChecked()
    assert not first.isChecked()
    second.click()  # again: it stays chosen
    assert second.isChecked()


def test_a_set_can_be_let_go(marked):
    reader, _path = marked
    dropped = Catcher(reader.match_set_dropped)
    closers = [
        b for b in reader.legend.findChildren(type(reader.legend.keys[0]).__base__) if not b.isCheckable()
    ]
    assert closers[1].accessibleName() == "No longer mark the matches of earlier"
    closers[1].click()
    assert dropped.wait() == (1,)


def test_one_set_needs_no_legend(marked):
    reader, path = marked
    reader.show_matches([ReaderMatch(rects_of(path, 0, "beta"))], 0)
    assert not reader.legend.isVisible()
    assert not reader.actions_by_name["next_set"].isEnabled()
    assert not reader.legend.keys or len(reader.legend.keys) == 1


def test_a_click_on_a_match_of_another_set_chooses_it(marked):
    reader, path = marked
    spot = box_of(reader, path, "third").center().toPoint()
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    drawn(reader)
    assert reader.matching.chosen_set == 1
    assert reader.current_match() == 0


def test_keys_choose_the_set(marked):
    reader, _path = marked
    focused(reader)
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ControlModifier)
    assert reader.matching.chosen_set == 1
    QTest.keyClick(reader.view, Qt.Key.Key_F3)
    assert reader.current_match() == 0


def test_the_scroll_bar_marks_all(marked):
    reader, _path = marked
    assert len(reader.view.marks.marks) == 2
    assert [len(heights) for _colour, heights in reader.view.marks._others] == [1]


def test_words_of_every_set_are_found(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    sets = [
        MatchSet(words, (ReaderMatch(rects_of(path, 0, words), (words,)),)) for words in ("beta", "third")
    ]
    reader.show_match_sets(sets, 0, 0)
    picture(reader)
    assert all(layer.words(0, 0) for layer in reader.matching._layers)


def test_no_more_sets_than_colours(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    one = MatchSet("x" * 200, (ReaderMatch(rects_of(path, 0, "beta")),))
    reader.show_match_sets([one] * 9, 0, -1)
    settle()
    assert len(reader.matching.sets) == MOST_SETS
    assert reader.width() == 800  # long names do not widen the window


@pytest.mark.parametrize("width", [420, 800])
def test_the_legend_fits_its_width(reader, make_pdf, width):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    one = MatchSet("a long question " * 9, (ReaderMatch(rects_of(path, 0, "beta")),))
    reader.resize(width, 600)
    reader.show_match_sets([one] * 3, 0, -1)
    settle()
    assert all(0 < key.geometry().right() < reader.legend.width() for key in reader.legend.keys)


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_tints_are_told_apart(colors):
    marks = [tint(number, colors).swatch for number in range(MOST_SETS)]
    for a in range(MOST_SETS):
        for b in range(a):
            assert abs(marks[a].hue() - marks[b].hue()) > 25


def test_a_reader_that_knows_one_set_shows_the_chosen_one(app):
    class Plain(Reader):
        def show_matches(self, matches, current=0):
            self.shown = (tuple(matches), current)

    plain = Plain()
    match = ReaderMatch(label="b")
    plain.show_match_sets([MatchSet("a", ()), MatchSet("b", (match,))], 1, 0)
    assert plain.shown == ((match,), 0)
    plain.show_match_sets([], 0, -1)
    assert plain.shown == ((), -1)
    plain.deleteLater()
