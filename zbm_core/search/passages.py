"""The passages one item matched in: from the word engine's hits to what a person reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zbm_core.documents import NotCached
from zbm_core.lexical.records import PassageHit
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind, Passage
from zbm_core.sources import PassageText, SourceTexts

if TYPE_CHECKING:
    from zbm_core.lexical import LexicalIndex, Query

#: Quoted lines under an item (facts of the reference: MAX_QUOTED_PASSAGES).
MAX_QUOTED = 3
#: Passages an item shows at most. A common word in a long book matches nearly every chunk;
#: nobody reads past the strongest few hundred.
MAX_PASSAGES = 400


class PassageReader:
    """Turns hits of *query* into passages, reading their text back through *texts*."""

    def __init__(self, index: LexicalIndex, texts: SourceTexts, query: Query) -> None:
        self._index = index
        self._texts = texts
        self._query = query
        self._terms = max(1, len(query.words) + len(query.runs) + len(query.phrases))

    def read(self, item: ItemKey, limit: int = MAX_PASSAGES) -> tuple[Passage, ...]:
        """The best *limit* passages of *item*, best first, the first `MAX_QUOTED` marked as quoted.

        Fields that have the query's words come last, and are quoted only where no text matched: the
        row shows the title already, so text says what the row cannot.
        """
        hits = self._index.passages(self._query, item)
        passages = self._from_text(item, [hit for hit in hits if hit.passage is not None][:limit])
        if len(passages) < limit:
            passages += self._from_fields(item, quoted=not passages)
        return tuple(passages[:limit])

    def _from_text(self, item: ItemKey, hits: Sequence[PassageHit]) -> list[Passage]:
        by_source: dict[tuple[ItemKey, Kind], list[int]] = defaultdict(list)
        for hit in hits:
            by_source[hit.source, hit.kind].append(hit.passage)
        texts: dict[tuple[ItemKey, int], PassageText] = {}
        for (source, kind), indices in by_source.items():
            try:
                found = self._texts.passages(source, kind, indices)
            except NotCached:
                # The document is being read again; its passages come back with the next search.
                continue
            texts.update(((source, index), text) for index, text in found.items())
        passages: list[Passage] = []
        for hit in hits:
            text = texts.get((hit.source, hit.passage))
            if text is not None:
                passages.append(self._passage(item, hit, text, quoted=len(passages) < MAX_QUOTED))
        return passages

    def _from_fields(self, item: ItemKey, quoted: bool) -> list[Passage]:
        found: list[tuple[float, str, str]] = []
        for name, value in self._texts.fields(item).items():
            carried = {value[start:end].casefold() for start, end in self._ranges(value)}
            if carried:
                found.append((min(1.0, len(carried) / self._terms), name, value))
        found.sort(key=lambda entry: -entry[0])
        kind = self._texts.kind_of(item)
        return [
            self._passage(
                item,
                PassageHit(item, kind, None, share),
                PassageText(value, (name,), None, "", None),
                quoted=quoted and number < MAX_QUOTED,
            )
            for number, (share, name, value) in enumerate(found)
        ]

    def _passage(self, item: ItemKey, hit: PassageHit, text: PassageText, quoted: bool) -> Passage:
        from zbm_core.lexical import pick_quote

        quote = pick_quote(self._index, self._query, text.text) if quoted else (0, len(text.text))
        return Passage(
            item=item,
            source=hit.source,
            kind=hit.kind,
            chunk=hit.passage,
            section=text.section,
            page=text.page,
            page_label=text.page_label,
            text=text.text,
            quote=quote,
            ranges=tuple(self._ranges(text.text)),
            anchor=text.anchor,
            strength=hit.score,
            quoted=quoted,
        )

    def _ranges(self, text: str) -> list[tuple[int, int]]:
        from zbm_core.lexical import highlight

        return highlight(self._index, self._query, text)
