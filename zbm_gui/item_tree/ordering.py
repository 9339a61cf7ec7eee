"""Sorting many rows: keys are computed once a column, then a list of numbers is sorted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from zbm_core.library.records import Record
from zbm_gui.item_tree.columns import COLUMNS, TITLE

_SLICE = 1000  # records: 2 to 6 ms of keys


class Ordering:
    """The orders of one state of the library's top-level rows, each kept once computed."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._orders: dict[tuple[int, bool], list[int]] = {}
        self._keys: dict[int, list[str | None]] = {}

    def sorted(self, column: int, descending: bool, only: AbstractSet[int] | None = None) -> list[int]:
        """Numbers of the records (of *only* these) by *column*; equal ones by title, empty ones last."""
        order = self._orders.get((column, descending))
        if order is None:
            order = self._orders[column, descending] = self._sort(column, descending)
        return list(order) if only is None else [number for number in order if number in only]

    def keys(self, column: int) -> list[str | None]:
        """Every record's key in *column*, by number."""
        for _ in self.prepare(column):
            pass
        return self._keys[column]

    def prepare(self, column: int) -> Iterator[None]:
        """Compute the keys of *column* a slice at a time, so that the first sorting by it is short."""
        keys = self._keys.setdefault(column, [])
        key_of = COLUMNS[column].sort_key
        while len(keys) < len(self._records):
            start = len(keys)
            keys.extend(map(key_of, self._records[start : start + _SLICE]))
            yield

    def _sort(self, column: int, descending: bool) -> list[int]:
        keys = self.keys(column)
        if column != TITLE and COLUMNS[column].title_parts:
            start = self.sorted(TITLE, False)
        else:
            start = range(len(keys))
        empty = [number for number in start if not keys[number]]
        filled = [number for number in start if keys[number]] if empty else list(start)
        other = self._orders.get((column, not descending))
        if other is not None:
            return _turned(other[: len(filled)], keys) + empty
        filled.sort(key=keys.__getitem__, reverse=descending)  # stable either way
        return filled + empty


def _turned(order: Sequence[int], keys: Sequence[str | None]) -> list[int]:
    """*order* the other way round, equal ones in the order they have: a tenth of sorting again."""
    turned: list[int] = []
    end = len(order)
    while end > 0:
        begin = end - 1
        while begin > 0 and keys[order[begin - 1]] == keys[order[end - 1]]:
            begin -= 1
        turned.extend(order[begin:end])
        end = begin
    return turned
