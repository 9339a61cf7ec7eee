"""Sorting many rows: keys are computed once a column, then a list of numbers is sorted.

A library read again differs from the one before it in a few records. Its keys and orders are taken over from those
there were, and only what changed is put in its place: a quarter of the work of sorting again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from zbm_core.library.records import Record
from zbm_gui.item_tree.columns import COLUMNS, TITLE

_SLICE = 1000  # records: 2 to 6 ms of keys
#: Changed rows that are put in their place one by one; of more a new sorting is cheaper.
_FEW = 500
NEW = -1
"""In place of the number a record had before."""


class Ordering:
    """The orders of one state of the library's top-level rows, each kept once computed.

    Args:
        before: of an earlier state of the same library, of no use itself afterwards; what is taken over from it is
            let go of by `forget_before`.
        had: by number, which number each record had there, or `NEW`.
    """

    def __init__(
        self, records: Sequence[Record], before: Ordering | None = None, had: Sequence[int] = ()
    ) -> None:
        self._records = records
        self._orders: dict[tuple[int, bool], list[int]] = {}
        self._keys: dict[int, list[str | None]] = {}
        self._titles: list[str] = []  # of an earlier state
        self._before, self._had = before, had
        if before is not None:
            before.forget_before()
            # Without its records: freeing thousands would hold whoever happens to do it.
            if len(before._keys.get(TITLE, ())) == len(before._records):
                before._titles = [getattr(record, "title", "") for record in before._records]
            before._records = ()

    def forget_before(self) -> None:
        """Let go of the earlier state."""
        self._before, self._had = None, ()

    def sorted(self, column: int, descending: bool, only: AbstractSet[int] | None = None) -> list[int]:
        """Numbers of the records (of *only* these) by *column*; equal ones by title, empty ones last."""
        order = self._order(column, descending)
        return list(order) if only is None else [number for number in order if number in only]

    def _order(self, column: int, descending: bool) -> list[int]:
        order = self._orders.get((column, descending))
        if order is None:
            order = self._taken_over(column, descending) or self._sort(column, descending)
            self._orders[column, descending] = order
        return order

    def keys(self, column: int) -> list[str | None]:
        """Every record's key in *column*, by number."""
        for _ in self.prepare(column):
            pass
        return self._keys[column]

    def prepare(self, column: int) -> Iterator[None]:
        """Compute the keys of *column* a slice at a time, so that the first sorting by it is short."""
        keys = self._keys.setdefault(column, [])
        while len(keys) < len(self._records):
            start = len(keys)
            keys.extend(self._some_keys(column, start, start + _SLICE))
            yield

    def _some_keys(self, column: int, start: int, end: int) -> Iterator[str | None]:
        key_of, records = COLUMNS[column].sort_key, self._records[start:end]
        if column != TITLE or self._before is None or not self._before._titles:
            return map(key_of, records)
        # The dearest keys by far, of titles that are mostly what they were.
        titles, known = self._before._titles, self._before._keys[TITLE]
        return (
            known[number] if number != NEW and titles[number] == record.title else key_of(record)
            for number, record in zip(self._had[start:end], records, strict=True)
        )

    def _sort(self, column: int, descending: bool) -> list[int]:
        keys = self.keys(column)
        start = self._order(TITLE, False) if _title_parts(column) else range(len(keys))
        empty = [number for number in start if not keys[number]]
        filled = [number for number in start if keys[number]] if empty else list(start)
        other = self._orders.get((column, not descending))
        if other is not None:
            return _turned(other[: len(filled)], keys) + empty
        filled.sort(key=keys.__getitem__, reverse=descending)  # stable either way
        return filled + empty

    # --- from an earlier state ------------------------------------------------------------------------

    def _taken_over(self, column: int, descending: bool) -> list[int] | None:
        """The earlier state's order with what changed put in its place; None where that is not to be had."""
        earlier = self._before
        order = earlier._orders.get((column, descending)) if earlier is not None else None
        if order is None:
            return None
        changed = self._changed(column)
        if _title_parts(column):
            changed |= self._changed(TITLE)
        if len(changed) > _FEW:
            return None
        kept = [number for number in self._had if number != NEW]
        if kept != sorted(kept):
            return None  # equal ones would stand otherwise
        if len(kept) == len(self._had) == len(order):
            order = [number for number in order if number not in changed] if changed else list(order)
        else:
            now = dict(zip(self._had, range(len(self._had)), strict=True))
            moved = (now.get(number, NEW) for number in order)
            order = [number for number in moved if number != NEW and number not in changed]
        if changed:
            self._put(order, changed, column, descending)
        return order

    def _changed(self, column: int) -> set[int]:
        """Numbers of the records that are new, or whose key in *column* is another than it was."""
        keys, known = self.keys(column), self._before._keys[column]
        if len(keys) == len(known) and keys == known and NEW not in self._had:
            return set()
        return {
            number
            for number, (had, key) in enumerate(zip(self._had, keys, strict=True))
            if had == NEW or known[had] != key
        }

    def _put(self, order: list[int], numbers: AbstractSet[int], column: int, descending: bool) -> None:
        """Put *numbers* where they belong in *order*, which is sorted by *column*."""
        keys = self._keys[column]
        rank: Sequence[int] = range(len(keys))
        if _title_parts(column):
            rank = [0] * len(keys)
            for place, number in enumerate(self._order(TITLE, False)):
                rank[number] = place

        def precedes(one: int, other: int) -> bool:
            if bool(keys[one]) != bool(keys[other]):
                return bool(keys[one])
            if keys[one] == keys[other] or not keys[one]:
                return rank[one] < rank[other]
            return (keys[one] > keys[other]) == descending

        for number in numbers:
            low, high = 0, len(order)
            while low < high:
                middle = (low + high) // 2
                if precedes(number, order[middle]):
                    high = middle
                else:
                    low = middle + 1
            order.insert(low, number)


def _title_parts(column: int) -> bool:
    """Whether equal ones stand in the order of their titles."""
    return column != TITLE and COLUMNS[column].title_parts


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
