"""Many rows: the model asks nothing of those that are not seen."""

import itertools
import random

import pytest

from tests.zbm_gui.item_tree.samples import MemoryLibrary, attachment, found, item
from zbm_core.library.records import ItemKey
from zbm_gui.item_tree import ItemTree
from zbm_gui.item_tree.columns import COLUMNS, TITLE, YEAR
from zbm_gui.item_tree.model import ItemTreeModel

ROWS = 5_000


class CountingLibrary(MemoryLibrary):
    """Counts how often a record is asked for."""

    asked = 0

    def record(self, key):
        self.asked += 1
        return super().record(key)


@pytest.fixture(scope="module")
def many() -> CountingLibrary:
    dice = random.Random(5)
    records = []
    for n in range(ROWS):
        key = f"I{n:07d}"
        records.append(item(key, f"Title {dice.randrange(ROWS)}", year=dice.choice([None, 1990, 2000, 2010])))
        records.append(attachment(f"A{n:07d}", key))
    return CountingLibrary(records)


def test_painting_a_screen_asks_for_a_screen_of_records(app, many):
    tree = ItemTree()
    tree.resize(800, 600)
    tree.show()
    tree.set_library(many)
    app.processEvents()
    many.asked = 0
    bar = tree.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    tree.table.viewport().repaint()
    assert 0 < many.asked < 300
    assert tree.table.rowAt(0) == pytest.approx(ROWS / 2, abs=30)
    tree.close()


def test_sorting_puts_equal_ones_by_title_and_empty_ones_last(app, many):
    model = ItemTreeModel()
    model.set_library(many)
    for descending in (False, True):
        model.show(None, (YEAR, descending))
        shown = [many.items[model.row(n).key] for n in range(model.rowCount())]
        years = [record.year for record in shown]
        filled = [year for year in years if year is not None]
        assert years == filled + [None] * (len(years) - len(filled))
        assert filled == sorted(filled, reverse=descending)
        for year in (1990, None):
            titles = [record.title for record in shown if record.year == year]
            assert titles == sorted(titles, key=str.casefold)


def test_both_directions_of_a_column_agree_whichever_came_first(app, many):
    rising_first, falling_first = ItemTreeModel(), ItemTreeModel()
    for model, order in ((rising_first, (False, True)), (falling_first, (True, False))):
        model.set_library(many)
        for descending in order:
            model.show(None, (YEAR, descending))
    falling_first.show(None, (YEAR, True))
    rising_first.show(None, (YEAR, True))
    rows = range(ROWS)
    assert [rising_first.row(n).key for n in rows] == [falling_first.row(n).key for n in rows]


def test_the_list_is_the_same_whether_keys_were_made_ahead(app, many):
    ahead, at_once = ItemTreeModel(), ItemTreeModel()
    for model in (ahead, at_once):
        model.set_library(many)
    steps = sum(1 for _ in ahead.prepare())
    assert steps > 3  # in slices, so that the window answers in between
    for model in (ahead, at_once):
        model.show(None, (TITLE, False))
    assert [ahead.row(n) for n in range(ROWS)] == [at_once.row(n) for n in range(ROWS)]


def test_filtering_keeps_the_order(app, many):
    model = ItemTreeModel()
    model.set_library(many)
    model.show(None, (TITLE, False))
    everything = [model.row(n).key for n in range(model.rowCount())]
    some = {key for key in everything if int(key.key[1:]) % 3 == 0}
    model.show(some, (TITLE, False))
    assert [model.row(n).key for n in range(model.rowCount())] == [key for key in everything if key in some]


def test_thousands_of_opened_rows_stay_consistent(app, many):
    model = ItemTreeModel()
    model.set_library(many)
    model.show(None, (TITLE, False))
    dice = random.Random(1)
    for _ in range(300):
        at = dice.randrange(model.rowCount())
        model.set_open(at, dice.random() < 0.7)
    opened = len(model.opened)
    assert model.rowCount() == ROWS + opened
    shown = [model.row(n) for n in range(model.rowCount())]
    for above, row in itertools.pairwise(shown):
        if row.level:
            assert row.top == above.top and above.key in model.opened
    model.show(None, (YEAR, True))
    assert model.rowCount() == ROWS + opened


def test_results_outside_the_library_are_left_out(app, many):
    model = ItemTreeModel()
    model.set_library(many)
    model.show_matches(found(("I0000001", 0.9), ("GONE2222", 0.8), ("I0000002", 0.7)).matches, None)
    assert [model.row(n).key.key for n in range(model.rowCount())] == ["I0000001", "I0000002"]
    assert model.match(model.row(1)).strength == 0.7


def test_a_model_without_a_library_is_empty(app):
    model = ItemTreeModel()
    assert model.rowCount() == 0
    assert model.columnCount() == len(COLUMNS)
    assert model.position(("item", ItemKey(1, "X"))) is None
