"""The passages one item matched in: from the engines' hits to what a person reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zbm_core.documents import NotCached
from zbm_core.library.records import ItemKey
from zbm_core.search.quotes import close_line, sentences_to_weigh
from zbm_core.search.records import Kind, Passage
from zbm_core.search.voices import Voices
from zbm_core.sources import PassageText, SourceTexts

if TYPE_CHECKING:
    from zbm_core.lexical import LexicalIndex, Quote

#: Quoted lines under an item (facts of the reference: MAX_QUOTED_PASSAGES).
MAX_QUOTED = 3
#: Passages an item shows at most. A common word in a long book matches nearly every chunk;
#: nobody reads past the strongest few hundred.
MAX_PASSAGES = 400
#: What counts in a passage's strength: its words, its meaning, and how much of the query the closest
#: of its sentences carries. Chosen on half of the covidqa questions: the first passage holds the answer in
#: .73 of them, where the reference's .7 meaning and .3 words has .64 (benchmark `meaning`).
WORDS_WEIGHT, MEANING_WEIGHT, SENTENCE_WEIGHT = 1.0, 0.4, 0.8
#: Passages of an item whose sentences are read for it; further ones change nothing.
READ_CLOSELY = 5

_Place = tuple[ItemKey, int | None]
_Texts = dict[_Place, PassageText]
_Found = tuple[list[Passage], _Texts]


@dataclass(frozen=True, slots=True)
class _Hit:
    """One passage and what each engine says of it; None: it said nothing."""

    source: ItemKey
    kind: Kind
    passage: int
    words: float | None = None
    meaning: float | None = None
    strength: float = 0.0  # 0-1
    quote: tuple[int, int] | None = None  # where its words were read closely


def _order(hit: _Hit) -> tuple[float, ItemKey, int]:
    return -hit.strength, hit.source, hit.passage


class PassageReader:
    """Reads the passages of items for one query.

    Args:
        texts: reads passages back.
        voices: the engines, as they spoke on the query.
        text: the query as typed.
    """

    def __init__(self, index: LexicalIndex, texts: SourceTexts, voices: Voices, text: str) -> None:
        self._index = index
        self._texts = texts
        self._voices = voices
        self._query = voices.query
        self._text = text
        self._terms = max(1, len(self._query.words) + len(self._query.runs) + len(self._query.phrases))

    def read(self, item: ItemKey, limit: int = MAX_PASSAGES) -> tuple[Passage, ...]:
        """The best *limit* passages of *item*, best first, the first `MAX_QUOTED` marked as quoted.

        Fields that have the query's words come last, and are quoted only where no text matched: the
        row shows the title already, so text says what the row cannot.
        """
        return self.read_each([item], limit)[0]

    def read_each(self, items: Sequence[ItemKey], limit: int = MAX_PASSAGES) -> list[tuple[Passage, ...]]:
        """The same for each of *items*; the model that picks lines is asked once for all of them."""
        return self._with_close_lines([self._found(item, limit) for item in items])

    def _found(self, item: ItemKey, limit: int) -> _Found:
        passages, texts = self._from_text(item, self._hits(item), limit)
        if len(passages) < limit and self._voices.by_words:
            passages += self._from_fields(item, quoted=not passages)
        return passages[:limit], texts

    # --- text -------------------------------------------------------------------------------------

    def _hits(self, item: ItemKey) -> list[_Hit]:
        """Every passage an engine found, strongest first."""
        hits: dict[_Place, _Hit] = {}
        if self._voices.by_words:
            for hit in self._index.passages(self._query, item):
                if hit.passage is not None:
                    hits[hit.source, hit.passage] = _Hit(hit.source, hit.kind, hit.passage, words=hit.score)
        by_words = bool(hits)
        by_meaning = False
        meaning, vector = self._voices.meaning, self._voices.vector
        if meaning is not None and vector is not None:
            for chunk, fraction in meaning.passages(vector, item):
                place = chunk.source, chunk.chunk
                known = hits.get(place) or _Hit(chunk.source, chunk.kind, chunk.chunk)
                hits[place] = replace(known, meaning=min(1.0, fraction))
                by_meaning = True
        # Shared over the engines that speak on this item; on a passage silence is nothing.
        whole = WORDS_WEIGHT * by_words + MEANING_WEIGHT * by_meaning
        weighed = [
            replace(
                hit, strength=(WORDS_WEIGHT * (hit.words or 0) + MEANING_WEIGHT * (hit.meaning or 0)) / whole
            )
            for hit in hits.values()
        ]
        return sorted(weighed, key=_order)

    def _read_closely(self, hits: Sequence[_Hit], texts: _Texts) -> list[_Hit]:
        """The strongest *hits* in the order they have once their sentences are read; the others behind them."""
        if not any(hit.words is not None for hit in hits):
            return list(hits)
        whole = WORDS_WEIGHT + (MEANING_WEIGHT if self._voices.vector is not None else 0)
        closely: list[_Hit] = []
        for hit in hits[:READ_CLOSELY]:
            text = texts.get((hit.source, hit.passage))
            share, quote = 0.0, None
            if text is not None and hit.words is not None:
                start, end, share = self._pick_quote(text.text)
                quote = start, end
            strength = (whole * hit.strength + SENTENCE_WEIGHT * share) / (whole + SENTENCE_WEIGHT)
            closely.append(replace(hit, strength=strength, quote=quote))
        closely.sort(key=_order)
        least = closely[-1].strength
        return closely + [replace(hit, strength=min(least, hit.strength)) for hit in hits[READ_CLOSELY:]]

    def _from_text(self, item: ItemKey, hits: Sequence[_Hit], limit: int) -> tuple[list[Passage], _Texts]:
        hits = hits[: max(limit, READ_CLOSELY)]
        by_source: dict[tuple[ItemKey, Kind], list[int]] = defaultdict(list)
        for hit in hits:
            by_source[hit.source, hit.kind].append(hit.passage)
        texts: _Texts = {}
        for (source, kind), indices in by_source.items():
            try:
                found = self._texts.passages(source, kind, indices)
            except NotCached:
                # The document is being read again; its passages come back with the next search.
                continue
            texts.update(((source, index), text) for index, text in found.items())
        passages: list[Passage] = []
        for hit in self._read_closely(hits, texts):
            text = texts.get((hit.source, hit.passage))
            # An item without an abstract has nothing to read but its title, which is a field.
            if text is not None and text.text and len(passages) < limit:
                passages.append(self._passage_of(item, hit, text, quoted=len(passages) < MAX_QUOTED))
        return passages, texts

    # --- fields -----------------------------------------------------------------------------------

    def _from_fields(self, item: ItemKey, quoted: bool) -> list[Passage]:
        found: list[tuple[float, str, str]] = []
        for name, value in self._texts.fields(item).items():
            carried = {value[start:end].casefold() for start, end in self._ranges(value)}
            if carried:
                found.append((min(1.0, len(carried) / self._terms), name, value))
        found.sort(key=lambda entry: -entry[0])
        kind = self._texts.kind_of(item)
        passages = []
        for number, (share, name, value) in enumerate(found):
            hit = _Hit(item, kind, 0, strength=share)
            shown = quoted and number < MAX_QUOTED
            passages.append(
                replace(self._passage_of(item, hit, PassageText(value, (name,)), shown), chunk=None)
            )
        return passages

    # --- quoting ------------------------------------------------------------------------------------

    def _passage_of(self, item: ItemKey, hit: _Hit, text: PassageText, quoted: bool) -> Passage:
        ranges = tuple(self._ranges(text.text)) if self._voices.by_words else ()
        quote = (0, len(text.text))
        if quoted and ranges:
            quote = hit.quote or self._pick_quote(text.text)[:2]
        first = quote[0] if quoted or not ranges else ranges[0][0]
        page, label, focus = text.place_of(first)
        return Passage(
            item=item,
            source=hit.source,
            kind=hit.kind,
            chunk=hit.passage,
            section=text.section,
            page=page,
            page_label=label,
            text=text.text,
            quote=quote,
            ranges=ranges,
            anchor=text.anchor,
            focus=focus,
            strength=hit.strength,
            by_meaning=not ranges and self._voices.vector is not None,
            quoted=quoted,
        )

    def _with_close_lines(self, found: Sequence[_Found]) -> list[tuple[Passage, ...]]:
        """Give the quoted passages that only mean the query the line closest to it, in one call."""
        places = [
            (passages, number, texts)
            for passages, texts in found
            for number, passage in enumerate(passages)
            if passage.quoted and not passage.ranges and passage.chunk is not None
        ]
        meaning = self._voices.meaning
        if places:
            groups = [sentences_to_weigh(passages[number].text) for passages, number, _ in places]
            picks = [0] * len(places)
            if meaning is not None:
                texts_of = [
                    [passages[number].text[start:end] for start, end in group]
                    for (passages, number, _), group in zip(places, groups, strict=True)
                ]
                picks = meaning.pick(self._text, texts_of)
            for (passages, number, texts), group, pick in zip(places, groups, picks, strict=True):
                passage = passages[number]
                quote = close_line(passage.text, group, pick)
                page, label, focus = texts[passage.source, passage.chunk].place_of(quote[0])
                passages[number] = replace(passage, quote=quote, page=page, page_label=label, focus=focus)
        return [tuple(passages) for passages, _ in found]

    def _pick_quote(self, text: str) -> Quote:
        from zbm_core.lexical import pick_quote

        return pick_quote(self._index, self._query, text)

    def _ranges(self, text: str) -> list[tuple[int, int]]:
        from zbm_core.lexical import highlight

        return highlight(self._index, self._query, text)
