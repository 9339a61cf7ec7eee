"""A session scores one query and owns the passages its results matched in."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey
from zbm_core.search.fusion import FEEDBACK_WEIGHT, MEANING_WEIGHT, Voice, cut_by_margin, fuse, margins_needed
from zbm_core.search.passages import MAX_QUOTED, PassageReader
from zbm_core.search.records import (
    PRELOADED_ITEMS,
    Fusion,
    Match,
    Outlook,
    Passage,
    Scope,
    SearchRequest,
    SearchResult,
)
from zbm_core.search.scope import languages_of, scope_keys
from zbm_core.search.voices import Voices
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.lexical import LexicalIndex
    from zbm_core.library import Library
    from zbm_core.semantic import Meaning

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
        meaning: Meaning | None = None,
        cancel: CancelToken | None = None,
        *,
        previews: int = PRELOADED_ITEMS,
    ) -> None:
        from zbm_core.lexical import parse_query

        cancel = cancel or CancelToken()
        self._library = library
        self._index = index
        self._documents = documents
        self._previews: dict[ItemKey, tuple[Passage, ...]] = {}
        self._lock = threading.Lock()
        self._closed = CancelToken()
        wall, cpu = time.perf_counter(), time.thread_time()
        self._voices = Voices(request.text, request.engine, parse_query(request.text), index, meaning)
        self._text = request.text
        self._found: tuple[dict[ItemKey, Voice], ...] = ()
        self._reader = self._new_reader()
        scored = self._score(request, cancel)
        cancel.check()
        self._derive([match.item for match in scored.matches[:previews]])
        found = index.tops()
        self.result = SearchResult(
            request=request,
            outlook=scored.outlook,
            matches=scored.matches,
            hidden=scored.hidden,
            elsewhere=scored.elsewhere,
            indexed=len(found.intersection(library.top_level)),
            total=len(library.top_level),
            engines=self._voices.engines,
            notice=self._voices.notice,
            cpu_ms=(time.thread_time() - cpu) * 1000,
            wall_ms=(time.perf_counter() - wall) * 1000,
        )

    def _new_reader(self) -> PassageReader:
        return PassageReader(
            self._index, SourceTexts(self._library, self._documents), self._voices, self._text
        )

    # --- scoring ------------------------------------------------------------------------------------

    def _score(self, request: SearchRequest, cancel: CancelToken) -> _Scored:
        if not self._voices.searchable:
            return _Scored((), Outlook.NOT_SEARCHABLE)
        allowed = scope_keys(self._library, request.scope, self._languages)
        words, meaning = self._ask(allowed, cancel)
        if not words and not meaning:
            return self._why_nothing(request.scope, allowed, cancel)
        weight = MEANING_WEIGHT
        if words and meaning and request.fusion is Fusion.STRENGTH and self._voices.asks:
            cancel.check()
            meaning, weight = self._voices.of_meaning_again(words, meaning, allowed), FEEDBACK_WEIGHT
        self._found = words, meaning
        kept = cut_by_margin(words, request.margin), cut_by_margin(meaning, request.margin)
        matches = fuse(*kept, request.fusion, weight)
        hidden = len(words.keys() | meaning.keys()) - len(matches)
        return _Scored(matches[: request.limit], Outlook.FOUND, hidden)

    def _languages(self, item: ItemKey) -> set[str]:
        return languages_of(self._library, item, self._documents)

    def _ask(
        self, allowed: frozenset[ItemKey] | None, cancel: CancelToken
    ) -> tuple[dict[ItemKey, Voice], dict[ItemKey, Voice]]:
        words = self._voices.of_words(allowed, cancel)
        cancel.check()
        meaning = self._voices.of_meaning(allowed)
        # The indexes may still hold what has just left the library.
        record = self._library.record
        return tuple(
            {item: voice for item, voice in voices.items() if record(item) is not None}
            for voices in (words, meaning)
        )

    def _why_nothing(self, scope: Scope, allowed: frozenset[ItemKey] | None, cancel: CancelToken) -> _Scored:
        """An empty answer's outlook, and how many items outside the scope do match."""
        if not self._index.tops():
            return _Scored((), Outlook.NOTHING_INDEXED)
        if allowed is None:
            return _Scored((), Outlook.NOTHING_MATCHES)

        def matching(keys: frozenset[ItemKey] | None) -> int:
            words, meaning = self._ask(keys, cancel)
            return len(words.keys() | meaning.keys())

        elsewhere = matching(None)
        filters = (
            scope.tags
            or scope.item_types
            or scope.languages
            or scope.year_from is not None
            or scope.year_to is not None
        )
        if filters and elsewhere:
            place = Scope(scope.library, scope.collection, scope.subcollections)
            if matching(scope_keys(self._library, place)):
                return _Scored((), Outlook.FILTERED_OUT, elsewhere=elsewhere)
        return _Scored((), Outlook.NOTHING_MATCHES, elsewhere=elsewhere)

    @cached_property
    def _margins(self) -> list[float]:
        return margins_needed(*self._found)

    def kept_at(self, margin: int) -> tuple[int, int]:
        """``(listed, found)``: how many items a search with *margin* would list of all it found. Milliseconds
        the first time, nothing afterwards: fit for the UI thread."""
        found = len(self._margins)
        # The tolerance of `cut_by_margin`.
        return (found if margin >= 100 else bisect_right(self._margins, margin + 1e-6)), found

    # --- passages -----------------------------------------------------------------------------------

    def previews(self, item: ItemKey) -> tuple[Passage, ...]:
        """The quoted passages of *item* (at most three), best first; derived once."""
        with self._lock:
            settled = self._previews.get(item)
        if settled is None:
            (settled,) = self._derive([item])
        return settled

    def _derive(self, items: list[ItemKey]) -> list[tuple[Passage, ...]]:
        derived = self._reader.read_each(items, MAX_QUOTED)
        with self._lock:
            self._previews.update(zip(items, derived, strict=True))
        return derived

    def ready(self, item: ItemKey) -> tuple[Passage, ...] | None:
        """The previews of *item* if they are derived already. Never works: fit for the UI thread."""
        with self._lock:
            return self._previews.get(item)

    def passages(self, item: ItemKey) -> tuple[Passage, ...]:
        """Every passage *item* matched in, best first; the first three are its previews."""
        return self._reader.read(item)

    def prefetch(self, on_ready: Callable[[list[ItemKey]], None], cancel: CancelToken | None = None) -> None:
        """Derive the previews not yet ready, best first, telling each batch."""
        waiting = [match.item for match in self.result.matches if self.ready(match.item) is None]
        for start in range(0, len(waiting), PREFETCH_BATCH):
            if self._closed.cancelled or (cancel is not None and cancel.cancelled):
                return
            batch = [item for item in waiting[start : start + PREFETCH_BATCH] if self.ready(item) is None]
            if batch:
                self._derive(batch)
                on_ready(batch)

    def invalidate(self, items: Iterable[ItemKey]) -> None:
        """Forget the previews of changed *items*; they are derived again."""
        with self._lock:
            for item in items:
                self._previews.pop(item, None)

    def moved_to(self, library: Library) -> None:
        """Read from *library* from now on: the same library, read again. Previews already derived stay."""
        self._library = library
        self._reader = self._new_reader()

    def close(self) -> None:
        """Stop a prefetch that is under way."""
        self._closed.cancel()


@dataclass(frozen=True, slots=True)
class _Scored:
    matches: tuple[Match, ...]
    outlook: Outlook
    hidden: int = 0
    elsewhere: int = 0
