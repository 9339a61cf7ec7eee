"""Sorting many rows: keys are computed once a column, then a list of numbers is sorted."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from zbm_core.library.records import Record
from zbm_gui.item_tree.columns import COLUMNS, TITLE


class Ordering:
    """The orders of one state of the library's top-level rows, each kept once computed."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._orders: dict[tuple[int, bool], list[int]] = {}

    def sorted(self, column: int, descending: bool, only: AbstractSet[int] | None = None) -> list[int]:
        """Numbers of the records (of *only* these) by *column*; equal ones by title, empty ones last."""
        order = self._orders.get((column, descending))
        if order is None:
            order = self._orders[column, descending] = self._sort(column, descending)
        return list(order) if only is None else [number for number in order if number in only]

    def _sort(self, column: int, descending: bool) -> list[int]:
        key_of = COLUMNS[column].sort_key
        keys = [key_of(record) for record in self._records]
        by_title = range(len(keys)) if column == TITLE else self.sorted(TITLE, False)
        filled = [number for number in by_title if keys[number]]
        empty = [number for number in by_title if not keys[number]]
        filled.sort(key=keys.__getitem__, reverse=descending)  # stable either way
        return filled + empty
