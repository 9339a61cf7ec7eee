"""Where a query's words stand in a text, and what each is worth there.

The same words as in the index: whole words, inflected forms by their stems, beginnings, phrases
across spaces, hyphens and line ends, pairs of characters in scripts without spaces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from zbm_core.lexical.expression import MAX_EXPANSIONS, stems_by_language
from zbm_core.lexical.query import Phrase, Query
from zbm_core.lexical.view import View
from zbm_core.text.normalize import fold_with_map
from zbm_core.text.tokens import bigrams, is_run, words_with_spans


class Found(NamedTuple):
    """One match in a text."""

    start: int
    end: int
    term: int  # which of the query's terms
    weight: float  # its rarity


@dataclass(slots=True)
class Matcher:
    """A query made ready to be found in texts, by the rarity of its terms in one library."""

    exact: dict[str, tuple[int, float]] = field(default_factory=dict)  # word or pair of characters
    stems: dict[str, tuple[int, float]] = field(default_factory=dict)
    prefixes: list[tuple[str, int, float]] = field(default_factory=list)
    phrases: list[tuple[Phrase, int, float]] = field(default_factory=list)
    languages: tuple[str, ...] = ()

    def find(self, text: str) -> list[Found]:
        """Every match in *text*, by position; matches may overlap."""
        folded = fold_with_map(text)
        # The text as the index holds it: runs as pairs of characters.
        tokens: list[tuple[str, int, int]] = []
        for word, start, end in words_with_spans(folded.text):
            if is_run(word) and len(word) > 1:
                tokens += [(word[i : i + 2], start + i, start + i + 2) for i in range(len(word) - 1)]
            else:
                tokens.append((word, start, end))
        found: list[Found] = []
        for word, start, end in tokens:
            term = self._term(word)
            if term is not None:
                found.append(Found(*folded.span(start, end), *term))
        for phrase, term, weight in self.phrases:
            length = len(phrase.tokens)
            for i in range(len(tokens) - length + 1):
                if all(tokens[i + j][0] == phrase.tokens[j] for j in range(length)):
                    found.append(Found(*folded.span(tokens[i][1], tokens[i + length - 1][2]), term, weight))
        found.sort()
        return found

    def _term(self, word: str) -> tuple[int, float] | None:
        term = self.exact.get(word)
        if term is None and self.stems:
            for stem in stems_by_language(word, self.languages):
                term = self.stems.get(stem)
                if term is not None:
                    return term
        if term is None:
            for prefix, number, weight in self.prefixes:
                if word.startswith(prefix):
                    return number, weight
        return term


def matcher(view: View, query: Query) -> Matcher:
    """Make *query* ready. Terms in more than half of everything are left out, unless all are."""
    everything = _matcher(view, query, least=-math.inf)
    telling = _matcher(view, query, least=0.0)
    return telling if telling.exact or telling.stems or telling.prefixes or telling.phrases else everything


def _matcher(view: View, query: Query, least: float) -> Matcher:
    made = Matcher(languages=view.languages)
    number = 0
    for word in query.words:
        number += 1
        if word.prefix:
            weight = _rarity(view, [word.text], prefix=True)
            if weight > least:
                made.prefixes.append((word.text, number, max(weight, 0.0)))
            continue
        stems = stems_by_language(word.text, view.languages)
        weight = _rarity(view, stems)
        if weight > least:
            made.exact[word.text] = (number, max(weight, 0.0))
            for stem in stems:
                made.stems[stem] = (number, max(weight, 0.0))
    for run in query.runs:
        for pair in bigrams(run):
            number += 1
            weight = _rarity(view, [pair], prefix=len(pair) == 1)
            if weight > least:
                made.exact[pair] = (number, max(weight, 0.0))
                if len(pair) == 1:
                    made.prefixes.append((pair, number, max(weight, 0.0)))
    for phrase in query.phrases:
        number += 1
        weight = sum(max(0.0, _rarity(view, [token], exact=True)) for token in phrase.tokens)
        made.phrases.append((phrase, number, weight))
    return made


def _rarity(view: View, terms, *, prefix: bool = False, exact: bool = False) -> float:
    """The greatest rarity in any index, 0 for a term in half of its rows."""
    rarity = -math.inf
    snapshot = view.snapshot
    for searcher, name in (
        (snapshot.passages, "exact" if exact else "stems"),
        (snapshot.documents, "exact" if exact else "stems"),
        (snapshot.items, "exact" if exact else "text"),
    ):
        rows = searcher.num_docs
        if rows == 0:
            continue
        if prefix:
            # Many words may share a beginning; the most frequent of them bounds the rest from below.
            frequency = max(
                (df for t in terms for _, df in searcher.terms_with_prefix(name, t, limit=MAX_EXPANSIONS)),
                default=0,
            )
        else:
            frequency = max(searcher.doc_freq(name, term) for term in terms)
        frequency = min(frequency, rows)
        rarity = max(rarity, math.log((rows - frequency + 0.5) / (frequency + 0.5)))
    return rarity
