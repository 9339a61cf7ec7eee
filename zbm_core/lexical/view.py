"""What a search sees: the indexes as of one commit, and whose their rows are."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zbm_core.lexical.shelves import Snapshot
from zbm_core.lexical.state import Change, Row, State
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind

# Languages whose stems a query word is searched by, the most frequent in the library first.
MAX_LANGUAGES = 4
# A language of fewer rows than this share is not worth a search of its own for each word.
_MIN_SHARE = 0.01


class Roster:
    """Whose each row is. Grown by the writer while others read: single dict operations only."""

    def __init__(self, rows: Iterable[Row], tops: dict[int, ItemKey]) -> None:
        self.sources: dict[int, Row] = {}
        self.tops = tops
        self.top_numbers = {key: top for top, key in tops.items()}
        self._rows_by_language: Counter[str] = Counter()
        self._sources_by_top: Counter[int] = Counter()
        self._version = 0  # of what has changed since
        self._items: tuple[int, frozenset[ItemKey]] | None = None
        for row in rows:
            self._enter(row)

    def change(self, changes: Sequence[Change], state: State) -> None:
        try:
            self._change(changes, state)
        finally:
            self._version += 1

    def _change(self, changes: Sequence[Change], state: State) -> None:
        for change in changes:
            old = self.sources.pop(change.number, None)
            if old is not None:
                self._rows_by_language[old.language] -= old.passages + old.items
                self._sources_by_top[old.top] -= 1
            if change.row is not None:
                # The item before what counts for it: a reader may look between any two steps.
                if change.row.top not in self.tops:
                    key = state.top(change.row.top)
                    self.tops[change.row.top] = key
                    self.top_numbers[key] = change.row.top
                self._enter(change.row)

    def _enter(self, row: Row) -> None:
        self.sources[row.number] = row
        self._rows_by_language[row.language] += row.passages + row.items
        self._sources_by_top[row.top] += 1

    def items(self) -> frozenset[ItemKey]:
        """The result items with at least one source; kept until something changes, for every search asks."""
        kept, version = self._items, self._version
        if kept is None or kept[0] != version:
            found = frozenset(
                self.tops[top] for top, count in list(self._sources_by_top.items()) if count > 0
            )
            kept = self._items = version, found
        return kept[1]

    def languages(self) -> tuple[str, ...]:
        counts = self._rows_by_language
        least = max(1.0, _MIN_SHARE * counts.total())
        frequent = [language for language, count in counts.items() if count >= least]
        return tuple(heapq.nlargest(MAX_LANGUAGES, frequent, key=counts.__getitem__))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Read by any thread. The roster may already know a later commit, whose rows are not in `snapshot`."""

    snapshot: Snapshot
    roster: Roster
    languages: tuple[str, ...]
    data_version: int

    @classmethod
    def read(cls, state: State, snapshot: Snapshot, data_version: int) -> View:
        roster = Roster(state.rows(), state.tops())
        return cls(snapshot, roster, roster.languages(), data_version)

    def after(self, changes: Sequence[Change], state: State, snapshot: Snapshot, data_version: int) -> View:
        """The view once these changes are committed."""
        self.roster.change(changes, state)
        return View(snapshot, self.roster, self.roster.languages(), data_version)

    def owner(self, source: int) -> tuple[ItemKey, Kind] | None:
        """The key and kind of a row's source; None where it was removed since."""
        row = self.roster.sources.get(source)
        return None if row is None else (row.key, row.kind)
