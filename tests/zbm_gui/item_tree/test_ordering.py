"""Orders taken over from an earlier state of the library are those a new sorting makes."""

from __future__ import annotations

import random

import pytest

from tests.zbm_gui.item_tree.samples import item
from zbm_core.library.records import Creator
from zbm_gui.item_tree.columns import CREATOR, DATE_ADDED, PUBLICATION, TITLE, YEAR
from zbm_gui.item_tree.ordering import NEW, Ordering

COLUMNS = (TITLE, CREATOR, YEAR, PUBLICATION, DATE_ADDED)
WORDS = ("soil", "Carbon", "Ökologie", "“quoted”", "<i>Trifolium</i>", "土壤", "zebra", "10")


def record(key: str, dice: random.Random):
    """Few different values, so that many records share them, and some have none."""
    return item(
        key,
        " ".join(dice.choices(WORDS, k=2)) if dice.random() > 0.1 else "",
        creators=tuple(
            Creator("author", "A.", name) for name in dice.sample(("Ng", "Özer", "Abt"), k=dice.randint(0, 2))
        ),
        publication=dice.choice(("", "Nature", "Soil")),
        year=dice.choice((None, 1999, 2010)),
        added=f"2020-01-{dice.randint(1, 9):02d} 10:00:00",
    )


def orders(ordering: Ordering) -> dict:
    return {
        (column, descending): ordering.sorted(column, descending)
        for column in COLUMNS
        for descending in (False, True)
    }


def fresh_orders(records) -> dict:
    """Each from an ordering of its own, so that none is another turned round."""
    return {
        (column, descending): Ordering(records).sorted(column, descending)
        for column in COLUMNS
        for descending in (False, True)
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_library_read_again_stands_as_if_it_were_sorted_anew(seed):
    dice = random.Random(seed)
    state = [(number, record(f"I{number:07d}", dice)) for number in range(120)]
    ordering = Ordering([made for _, made in state])
    for _ in range(5):
        orders(ordering)
        before = {name: number for number, (name, _) in enumerate(state)}
        state = [(name, made) for name, made in state if dice.random() > 0.05]
        state = [
            (name, record(f"I{name:07d}", dice) if dice.random() < 0.1 else made) for name, made in state
        ]
        place, last = dice.randint(0, len(state)), max(name for name, _ in state)
        state[place:place] = [
            (name, record(f"I{name:07d}", dice)) for name in range(last + 1, last + 1 + dice.randint(0, 4))
        ]
        records = [made for _, made in state]
        ordering = Ordering(records, ordering, [before.get(name, NEW) for name, _ in state])
        assert orders(ordering) == fresh_orders(records)


def test_records_that_changed_places_are_sorted_anew():
    dice = random.Random(1)
    records = [record(f"I{number:07d}", dice) for number in range(40)]
    before = Ordering(records)
    orders(before)
    turned = records[::-1]
    assert orders(Ordering(turned, before, range(39, -1, -1))) == fresh_orders(turned)


def test_nothing_changed_computes_no_title_again(monkeypatch):
    from zbm_gui.item_tree import ordering as module

    dice = random.Random(2)
    records = [record(f"I{number:07d}", dice) for number in range(40)]
    before = Ordering(records)
    wanted = before.sorted(TITLE, False)
    asked = []
    column = module.COLUMNS[TITLE]
    counting = type(column)(
        column.name, column.title, column.width, column.shown, column.text, lambda r: asked.append(r) or ""
    )
    monkeypatch.setattr(module, "COLUMNS", (counting, *module.COLUMNS[1:]))
    assert Ordering(list(records), before, range(40)).sorted(TITLE, False) == wanted
    assert not asked


def test_the_earlier_state_is_let_go_of():
    dice = random.Random(3)
    records = [record(f"I{number:07d}", dice) for number in range(10)]
    first = Ordering(records)
    second = Ordering(records, first, range(10))
    third = Ordering(records, second, range(10))
    assert second._before is None
    third.forget_before()
    assert third._before is None and orders(third) == fresh_orders(records)
