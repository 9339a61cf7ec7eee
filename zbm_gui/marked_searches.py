"""The searches whose passages are marked in one document: the latest first, some earlier ones beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zbm_core.search.records import Passage

#: More colours on a page than this are no help to tell searches apart.
MOST_SEARCHES = 3


@dataclass(frozen=True, slots=True)
class MarkedSearch:
    """What was asked, and the passages of the document that match, in reading order."""

    query: str
    passages: tuple[Passage, ...]


class MarkedSearches:
    """Which searches are marked and which of them is stepped through."""

    def __init__(self) -> None:
        self._searches: list[MarkedSearch] = []
        self.chosen = 0

    @property
    def searches(self) -> Sequence[MarkedSearch]:
        return self._searches

    @property
    def passages(self) -> Sequence[Passage]:
        """Of the search that is stepped through."""
        return self._searches[self.chosen].passages if self._searches else ()

    def add(self, query: str, passages: Sequence[Passage]) -> None:
        """Mark what *query* found, first and to be stepped through; the same query's earlier marks go.

        A document opened without a query ("") starts anew: what earlier searches found is not its matter.
        """
        earlier = [search for search in self._searches if query and search.query not in ("", query)]
        latest = [MarkedSearch(query, tuple(passages))] if passages else []
        self._searches = [*latest, *earlier][:MOST_SEARCHES]
        self.chosen = 0

    def drop(self, number: int) -> None:
        """Mark search *number* no longer."""
        if not 0 <= number < len(self._searches):
            return
        del self._searches[number]
        if number < self.chosen:
            self.chosen -= 1
        self.chosen = min(self.chosen, max(0, len(self._searches) - 1))
