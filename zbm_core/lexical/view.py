"""What a search sees: the indexes as of one commit, and whose their rows are."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from zbm_core.lexical.shelves import Snapshot
from zbm_core.lexical.state import Change, State
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind

# Languages whose stems a query word is searched by, the most frequent in the library first.
MAX_LANGUAGES = 4
# A language of fewer rows than this share is not worth a search of its own for each word.
_MIN_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class View:
    """Read by any thread. The dicts grow with later commits; rows of those are not in `snapshot`."""

    snapshot: Snapshot
    sources: dict[int, tuple[ItemKey, Kind, int]]  # by source number: key, kind, number of the item
    tops: dict[int, ItemKey]
    top_numbers: dict[ItemKey, int]
    languages: tuple[str, ...]
    data_version: int

    @classmethod
    def read(cls, state: State, snapshot: Snapshot, data_version: int) -> View:
        tops = state.tops()
        sources = {row.number: (row.key, row.kind, row.top) for row in state.rows()}
        numbers = {key: top for top, key in tops.items()}
        return cls(snapshot, sources, tops, numbers, _languages(state), data_version)

    def after(self, changes: Sequence[Change], state: State, snapshot: Snapshot, data_version: int) -> View:
        """The view once these changes are committed."""
        for change in changes:
            row = change.row
            if row is None:
                self.sources.pop(change.number, None)
                continue
            self.sources[change.number] = (row.key, row.kind, row.top)
            if row.top not in self.tops:
                key = state.top(row.top)
                self.tops[row.top] = key
                self.top_numbers[key] = row.top
        return View(snapshot, self.sources, self.tops, self.top_numbers, _languages(state), data_version)


def _languages(state: State) -> tuple[str, ...]:
    counts = state.languages()
    least = _MIN_SHARE * sum(counts.values())
    frequent = {language: count for language, count in counts.items() if count >= least}
    return tuple(heapq.nlargest(MAX_LANGUAGES, frequent, key=frequent.__getitem__))
