"""Many cards: what is seen stays in place while heights become known."""

import itertools

import pytest
from PySide6.QtCore import QRect
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from zbm_gui.item_pane.card_column import CardColumn, Entry
from zbm_gui.item_pane.texts import Text

WORDS = "one card says more than another and so they differ in height "


def card(number: int) -> QWidget:
    made = QWidget()
    made.number = number
    column = QVBoxLayout(made)
    made.label = Text(WORDS * (1 + number % 7))
    column.addWidget(made.label)
    made.button = QPushButton("Act")
    column.addWidget(made.button)
    return made


@pytest.fixture
def column(app):
    area = QScrollArea()
    area.setWidgetResizable(True)
    contents = QWidget()
    layout = QVBoxLayout(contents)
    layout.setContentsMargins(0, 0, 0, 0)
    column = CardColumn([Entry(lambda n=n: card(n), len(WORDS) * (1 + n % 7), 2) for n in range(200)])
    layout.addWidget(column)
    layout.addStretch(1)
    area.setWidget(contents)
    area.resize(300, 500)
    area.show()
    app.processEvents()
    column.area = area
    yield column
    area.close()


def tend(app, column: CardColumn, top: int, height: int = 500) -> None:
    """Until all that is near that place is there."""
    for _ in range(200):
        again = column.tend(top - height // 2, top + 2 * height, top)
        app.processEvents()
        if not again:
            return
    raise AssertionError("it never ends")


def test_cards_stand_below_each_other_without_gaps_or_overlaps(app, column):
    tend(app, column, 0)
    places = [each.geometry() for each in column.cards]
    assert len(places) > 4
    for above, below in itertools.pairwise(places):
        assert below.top() == above.bottom() + 1
    for each in column.cards:
        assert each.height() == each.heightForWidth(each.width())


def test_few_exist_and_they_are_the_right_ones(app, column):
    tend(app, column, 0)
    at_first = {each.number for each in column.cards}
    assert 0 in at_first and len(at_first) < 50
    middle = column.height() // 2
    tend(app, column, middle)
    app.processEvents()
    there = {each.number for each in column.cards}
    assert 0 not in there and len(there) < 80
    seen = QRect(0, middle, 300, 500)
    covered = sum(each.geometry().intersected(seen).height() for each in column.cards)
    assert covered >= 499


def test_what_is_seen_stays_when_cards_above_turn_out_higher(app, column):
    shifts = QSignalSpy(column.shifted)
    start = column.height() // 2
    tend(app, column, start)
    total = sum(shifts.at(n)[0] for n in range(shifts.count()))
    tops = {each.number: each.y() for each in column.cards}
    shifts = QSignalSpy(column.shifted)
    tend(app, column, start + total - 400)
    moved = sum(shifts.at(n)[0] for n in range(shifts.count()))
    later = {each.number: each.y() for each in column.cards}
    both = set(tops) & set(later)
    assert both
    assert {later[n] - tops[n] for n in both} == {moved}


def test_another_width_measures_what_is_there(app, column):
    tend(app, column, 0)
    before = column.height()
    column.area.resize(200, 500)
    app.processEvents()
    assert column.height() > before
    for each in column.cards:
        assert each.height() == each.heightForWidth(each.width())


def test_a_card_that_grows_moves_those_below(app, column):
    tend(app, column, 0)
    first, second = column.cards[:2]
    before, total = second.y(), column.height()
    first.label.set_text(WORDS * 30)
    app.processEvents()
    assert second.y() > before
    assert column.height() - total == second.y() - before


def test_the_card_with_the_keyboard_stays(app, column):
    tend(app, column, 0)
    column.area.activateWindow()
    first = column.cards[0]
    first.button.setFocus()
    app.processEvents()
    assert first.button.hasFocus()
    tend(app, column, column.height() - 500)
    assert first in column.cards and column.cards[1].number > 50


def test_a_column_of_nothing_has_no_height(app):
    column = CardColumn([])
    assert column.tend(0, 100, 0) is False
    assert column.maximumHeight() == 0
