"""A session scores one query and owns the passages its results matched in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey
from zbm_core.search.passages import MAX_QUOTED, PassageReader
from zbm_core.search.records import Match, Outlook, Passage, Scope, Score, SearchRequest, SearchResult
from zbm_core.search.scope import scope_keys
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.lexical import LexicalHit, LexicalIndex
    from zbm_core.library import Library

#: Best-ranked items whose previews are ready with the results (facts of the reference).
PRELOADED_ITEMS = 10
#: Items a batch of `prefetch` reports at once.
PREFETCH_BATCH = 8


class Session:
    """One query over one library.

    Made by `Engine.search`; scoring happens in the constructor. Everything but `ready` may take
    milliseconds and belongs off the UI thread.

    Attributes:
        result: the ranked items and why there are (or are not) any.
    """

    def __init__(
        self,
        request: SearchRequest,
        library: Library,
        index: LexicalIndex,
        documents: DocumentStore,
        cancel: CancelToken | None = None,
    ) -> None:
        from zbm_core.lexical import parse_query

        self._library = library
        self._index = index
        self._documents = documents
        self._query = parse_query(request.text)
        self._reader = PassageReader(index, SourceTexts(library, documents), self._query)
        self._previews: dict[ItemKey, tuple[Passage, ...]] = {}
        self._lock = threading.Lock()
        self._closed = CancelToken()
        wall, cpu = time.perf_counter(), time.thread_time()
        matches, hidden, outlook, elsewhere = self._score(request, cancel or CancelToken())
        for match in matches[:PRELOADED_ITEMS]:
            (cancel or self._closed).check()
            self.previews(match.item)
        tops = index.tops()
        self.result = SearchResult(
            request=request,
            outlook=outlook,
            matches=matches,
            hidden=hidden,
            elsewhere=elsewhere,
            indexed=sum(key in tops for key in library.top_level),
            total=len(library.top_level),
            cpu_ms=(time.thread_time() - cpu) * 1000,
            wall_ms=(time.perf_counter() - wall) * 1000,
        )

    # --- scoring ------------------------------------------------------------------------------------

    def _score(
        self, request: SearchRequest, cancel: CancelToken
    ) -> tuple[tuple[Match, ...], int, Outlook, int]:
        if not self._query.searchable:
            return (), 0, Outlook.NOT_SEARCHABLE, 0
        allowed = scope_keys(self._library, request.scope)
        hits = self._hits(allowed, cancel)
        if not hits:
            return (), 0, *self._why_nothing(request.scope, allowed, cancel)
        kept = cut_by_margin(hits, request.margin)
        matches = rank(kept)
        if request.limit is not None:
            matches = matches[: request.limit]
        return matches, len(hits) - len(kept), Outlook.FOUND, 0

    def _hits(self, allowed: frozenset[ItemKey] | None, cancel: CancelToken) -> list[LexicalHit]:
        hits = self._index.search(self._query, allowed=allowed, cancel=cancel)
        # The index may still hold what has just left the library.
        return [hit for hit in hits if self._library.record(hit.item) is not None]

    def _why_nothing(
        self, scope: Scope, allowed: frozenset[ItemKey] | None, cancel: CancelToken
    ) -> tuple[Outlook, int]:
        """The outlook of an empty answer, and how many items outside the scope do match."""
        if not self._index.tops():
            return Outlook.NOTHING_INDEXED, 0
        if allowed is None:
            return Outlook.NOTHING_MATCHES, 0
        elsewhere = len(self._hits(None, cancel))
        filters = scope.tags or scope.item_types or scope.year_from is not None or scope.year_to is not None
        if filters and elsewhere:
            place = Scope(scope.library, scope.collection, scope.subcollections)
            if self._hits(scope_keys(self._library, place), cancel):
                return Outlook.FILTERED_OUT, elsewhere
        return Outlook.NOTHING_MATCHES, elsewhere

    # --- passages -----------------------------------------------------------------------------------

    def previews(self, item: ItemKey) -> tuple[Passage, ...]:
        """The quoted passages of *item* (at most three), best first; derived once."""
        with self._lock:
            settled = self._previews.get(item)
        if settled is None:
            settled = self._reader.read(item, MAX_QUOTED)
            with self._lock:
                self._previews[item] = settled
        return settled

    def ready(self, item: ItemKey) -> tuple[Passage, ...] | None:
        """The previews of *item* if they are derived already. Never works: fit for the UI thread."""
        with self._lock:
            return self._previews.get(item)

    def passages(self, item: ItemKey) -> tuple[Passage, ...]:
        """Every passage *item* matched in, best first; the first three are its previews."""
        return self._reader.read(item)

    def prefetch(self, on_ready: Callable[[list[ItemKey]], None], cancel: CancelToken | None = None) -> None:
        """Derive the previews not yet ready, best first, telling each batch."""
        batch: list[ItemKey] = []
        for match in self.result.matches:
            if self._closed.cancelled or (cancel is not None and cancel.cancelled):
                return
            if self.ready(match.item) is not None:
                continue
            self.previews(match.item)
            batch.append(match.item)
            if len(batch) == PREFETCH_BATCH:
                on_ready(batch)
                batch = []
        if batch:
            on_ready(batch)

    def invalidate(self, items: Iterable[ItemKey]) -> None:
        """Forget the previews of changed *items*; they are derived again."""
        with self._lock:
            for item in items:
                self._previews.pop(item, None)

    def moved_to(self, library: Library) -> None:
        """Read from *library* from now on: the same library, read again. Previews already derived stay."""
        self._library = library
        self._reader = PassageReader(self._index, SourceTexts(library, self._documents), self._query)

    def close(self) -> None:
        """Stop a prefetch that is under way."""
        self._closed.cancel()


def cut_by_margin(hits: list[LexicalHit], margin: int) -> list[LexicalHit]:
    """The hits whose score is at least ``(1 - margin/100)`` of the strongest; ties stay together."""
    if margin >= 100 or not hits:
        return hits
    # A hair below the line, so that a score that should lie on it is not lost to rounding.
    line = max(hit.score for hit in hits) * (1 - margin / 100) - 1e-9
    return [hit for hit in hits if hit.score >= line]


def rank(hits: list[LexicalHit]) -> tuple[Match, ...]:
    """Matches in the order of *hits* (best first); equal scores share a rank (1, 2, 2, 3)."""
    matches: list[Match] = []
    place, last = 0, None
    for hit in hits:
        if hit.score != last:
            place, last = place + 1, hit.score
        matches.append(Match(hit.item, place, Score(lexical=hit.score), max(hit.score, hit.best.score)))
    return tuple(matches)
