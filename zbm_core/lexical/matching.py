"""Where a query's words stand in a text, and what each is worth there.

The same words as in the index: whole words, inflected forms by their stems, beginnings, phrases
across spaces, hyphens and line ends, pairs of characters in scripts without spaces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zbm_core.lexical.expression import (
    MAX_EXPANSIONS,
    small_words_of,
    spelled_like,
    stems_asked,
    stems_of_word,
)
from zbm_core.lexical.query import Phrase, Query
from zbm_core.lexical.view import View
from zbm_core.text import bigrams, fold_with_map, is_run, keeps_first_letter, words_with_spans

#: Texts whose matches are kept: the passages of some previews.
_REMEMBERED = 100


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
    characters: dict[str, tuple[int, float]] = field(default_factory=dict)  # single, of a run
    languages: tuple[str, ...] = ()
    # First letters of the stems; a word that begins otherwise is not stemmed. None: any word may be one of them.
    beginnings: frozenset[str] | None = None
    _remembered: dict[str, list[Found]] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        return bool(self.exact or self.stems or self.prefixes or self.phrases)

    @property
    def total(self) -> float:
        """The rarity of all its terms together, each counted once."""
        weights = dict((*self.exact.values(), *self.stems.values(), *self.characters.values()))
        weights.update({number: weight for _, number, weight in (*self.prefixes, *self.phrases)})
        return sum(weights.values())

    def find(self, text: str) -> Sequence[Found]:
        """Every match in *text*, by position; matches may overlap. A passage is asked for its line and its marks:
        the last texts are remembered."""
        found = self._remembered.get(text)
        if found is None:
            found = self._find(text)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[text] = found
        return found

    def _find(self, text: str) -> list[Found]:
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
            elif self.characters and is_run(word):
                for i, character in enumerate(word):
                    if character in self.characters:
                        found.append(
                            Found(*folded.span(start + i, start + i + 1), *self.characters[character])
                        )
        for phrase, term, weight in self.phrases:
            length = len(phrase.tokens)
            for i in range(len(tokens) - length + 1):
                if all(tokens[i + j][0] == phrase.tokens[j] for j in range(length)):
                    found.append(Found(*folded.span(tokens[i][1], tokens[i + length - 1][2]), term, weight))
        found.sort()
        return found

    def _term(self, word: str) -> tuple[int, float] | None:
        term = self.exact.get(word)
        if term is None and self.stems and (self.beginnings is None or word[:1] in self.beginnings):
            for stem in stems_of_word(word, self.languages):
                term = self.stems.get(stem)
                if term is not None:
                    return term
        if term is None:
            for prefix, number, weight in self.prefixes:
                if word.startswith(prefix):
                    return number, weight
        return term


def matcher(view: View, query: Query) -> Matcher:
    """Make *query* ready.

    Small words, and words in more than half of the passages, tell nothing apart and are left out,
    unless there are no others.
    """
    telling = _matcher(view, query, everything=False)
    return telling if telling.any else _matcher(view, query, everything=True)


def _matcher(view: View, query: Query, everything: bool) -> Matcher:
    made = Matcher(languages=view.languages)
    small = frozenset() if everything else small_words_of(view, query)
    number = 0

    def worth(rarity: float) -> bool:
        return everything or rarity > 0

    for word in query.words:
        number += 1
        if word.prefix:
            made.prefixes.append((word.text, number, max(0.0, _rarity(view, (word.text,), begun=True))))
            continue
        if like := spelled_like(view, word.text):
            made.exact.update(dict.fromkeys(like, (number, max(0.0, _rarity(view, like, field="exact")))))
            continue
        stems = stems_asked(word.text, view.languages)
        rarity = _rarity(view, stems)
        if worth(rarity) and (word.capitals or word.text not in small):
            term = (number, max(0.0, rarity))
            made.exact[word.text] = term
            made.stems.update(dict.fromkeys(stems, term))
    for run in query.runs:
        for pair in bigrams(run):
            number += 1
            rarity = _rarity(view, (pair,))
            if worth(rarity):
                made.exact[pair] = (number, max(0.0, rarity))
                if len(pair) == 1:
                    made.characters[pair] = made.exact[pair]
    for phrase in query.phrases:
        number += 1
        rarity = sum(max(0.0, _rarity(view, (token,), field="exact")) for token in phrase.tokens)
        made.phrases.append((phrase, number, rarity))
    if all(map(keeps_first_letter, made.languages)):
        made.beginnings = frozenset(stem[:1] for stem in made.stems)
    return made


def _rarity(view: View, terms: Iterable[str], *, field: str = "stems", begun: bool = False) -> float:
    """How rare any of *terms* is among the passages: 0 in half of them, less beyond."""
    searcher = view.snapshot.passages
    rows = searcher.num_docs
    if begun:
        counts = [
            df for term in terms for _, df in searcher.terms_with_prefix("exact", term, limit=MAX_EXPANSIONS)
        ]
    else:
        counts = [searcher.doc_freq(field, term) for term in terms]
    frequency = min(sum(counts), rows)
    return math.log((rows - frequency + 0.5) / (frequency + 0.5))
