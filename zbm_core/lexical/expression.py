"""A query as tantivy queries, and what each could earn at most."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import tantivy

from zbm_core.lexical.query import Query
from zbm_core.lexical.shelves import ITEMS, PASSAGES
from zbm_core.lexical.view import View
from zbm_core.text import bigrams, is_run, language_of, small_words, table

# BM25's saturation, fixed in tantivy: a term earns at most (K1 + 1) times its rarity.
K1 = 1.2
# Terms searched at most; past it the ones that could earn least are left out. A question has about
# ten, a pasted abstract more than that many.
MAX_TERMS = 96
# A beginning stands for so many words of the library at most.
MAX_EXPANSIONS = 64
# The benchmark `quality` chose these. Small words ("what", "of") are rarer in scientific prose than
# their meaning deserves: 1 costs .021 on covidqa, .007 on scifact, .009 on cranfield, .019 on cisi.
SMALL_WORD_FACTOR = 0.1
# Two neighbouring words found as neighbours; .1 and .3 are within .005.
PAIR_FACTOR = 0.2
# The share of rows the rarer of the two may be in: pairs of common words cost most and say least.
PAIR_MAX_SHARE = 0.1
# A single character of a run beside its pairs: .3 to 1 are within .003, without it .004 less.
CHARACTER_FACTOR = 0.3

# A word that is in nothing is looked for as misspelt, from this length on (short words have too many
# neighbours); what is found so says half.
MISSPELT_LENGTH = 6
MISSPELT_FACTOR = 0.5
MAX_LIKE = 8

_Q = tantivy.Query
_SHOULD = tantivy.Occur.Should


@dataclass(frozen=True, slots=True)
class Term:
    """One thing searched for: any of `variants` in one family of fields."""

    variants: tuple[str, ...]
    factor: float
    exact: bool = False  # variants are words as written, not stems
    phrase: bool = False  # variants are consecutive tokens of the exact field
    small: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of an expression, with `earns`, its factor times its rarity."""

    query: tantivy.Query
    earns: float
    found: bool  # any of it stands in the index
    small: bool  # it says nothing alone


def terms_of(view: View, query: Query) -> list[Term]:
    """What *query* searches for in this library, pairs left out."""
    small = small_words_of(view, query)
    terms: list[Term] = []
    for word in query.words:
        factor = float(word.count)
        says_little = word.text in small and not word.capitals and not word.prefix
        if says_little:
            factor *= SMALL_WORD_FACTOR
        if word.prefix:
            begun = view.snapshot.passages.terms_with_prefix("exact", word.text, limit=MAX_EXPANSIONS)
            terms.append(Term(tuple(text for text, _ in begun) or (word.text,), factor, exact=True))
        elif like := spelled_like(view, word.text):
            terms.append(Term(like, factor * MISSPELT_FACTOR, exact=True))
        else:
            terms.append(Term(stems_asked(word.text, view.languages), factor, small=says_little))
    for run in query.runs:
        terms += [Term((pair,), 1.0) for pair in dict.fromkeys(bigrams(run))]
        if len(run) > 1:
            terms += [Term((character,), CHARACTER_FACTOR, small=True) for character in dict.fromkeys(run)]
    terms += [Term(phrase.tokens, 1.0, exact=True, phrase=len(phrase.tokens) > 1) for phrase in query.phrases]
    return terms


def pairs_of(view: View, query: Query) -> list[Term]:
    """The pairs of neighbouring words worth looking for, the rarer word in few enough passages."""
    searcher = view.snapshot.passages
    small = small_words_of(view, query)
    most = PAIR_MAX_SHARE * searcher.num_docs
    return [
        Term(pair, PAIR_FACTOR, exact=True, phrase=True)
        for pair in query.pairs
        if not (pair[0] in small and pair[1] in small)
        and 0 < min(searcher.doc_freq("exact", word) for word in pair) <= most
    ]


def clauses(
    searcher: tantivy.Searcher,
    schema: tantivy.Schema,
    terms: Iterable[Term],
    *,
    stems: str | None,
    exact: str | None,
    weight: float = 1.0,
    presence: bool = False,
) -> list[Clause]:
    """The terms as clauses over two fields of one index; terms of a family without a field are left out.

    Args:
        presence: a match earns its rarity however often and in however long a field. For fields that
            many items leave empty: an average length that counts those makes every filled one long.
    """
    made = []
    for term in terms:
        field = exact if term.exact else stems
        if field is not None:
            clause = _clause(searcher, schema, term, field, weight)
            if presence:
                constant = _Q.const_score_query(clause.query, clause.earns)
                clause = Clause(constant, clause.earns, clause.found, clause.small)
            made.append(clause)
    made.sort(key=lambda clause: -clause.earns)
    return made[:MAX_TERMS]


def _clause(
    searcher: tantivy.Searcher, schema: tantivy.Schema, term: Term, field: str, weight: float
) -> Clause:
    rows = searcher.num_docs
    frequencies = [searcher.doc_freq(field, text) for text in term.variants]
    if term.phrase:
        # tantivy scores a phrase by the sum of its words' rarities.
        rarity = sum(idf(rows, frequency) for frequency in frequencies)
        query = _Q.phrase_query(schema, field, list(term.variants))
        return Clause(
            _Q.boost_query(query, weight * term.factor),
            weight * term.factor * rarity,
            all(frequencies),
            term.small,
        )
    # Forms of one word are as rare as they are together, and count once.
    rarity = idf(rows, sum(frequencies))
    found = [
        _Q.boost_query(_Q.term_query(schema, field, text, "freq"), weight * term.factor * rarity / own)
        for text, frequency in zip(term.variants, frequencies, strict=True)
        if frequency and (own := idf(rows, frequency)) > 0
    ]
    if not found:
        query = _Q.empty_query()
    else:
        query = found[0] if len(found) == 1 else _Q.disjunction_max_query(found)
    return Clause(query, weight * term.factor * rarity, bool(found), term.small)


def either(parts: Sequence[Clause]) -> tantivy.Query:
    return _Q.boolean_query([(_SHOULD, part.query) for part in parts])


def ceiling(parts: Iterable[Clause]) -> float:
    """The score of a row in which every clause earned all it can."""
    return (K1 + 1) * sum(part.earns for part in parts)


def idf(rows: int, frequency: int) -> float:
    """BM25's rarity as tantivy computes it: there, both still count rows deleted since the last merge."""
    rows = max(rows, frequency)
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


def spelled_like(view: View, word: str) -> tuple[str, ...]:
    """The words of the library one letter away from *word*, where it is in nothing itself.

    The first three letters are taken to be right: it bounds the words to look at, and they mostly are.
    """
    if len(word) < MISSPELT_LENGTH or not word.isalpha() or is_run(word):
        return ()
    snapshot = view.snapshot
    stems = stems_of_word(word, view.languages)
    if snapshot.items.doc_freq("exact", word) or any(
        snapshot.passages.doc_freq("stems", stem) for stem in stems
    ):
        return ()
    begun = snapshot.passages.terms_with_prefix("exact", word[:3])
    near = [(count, text) for text, count in begun if _one_letter_away(word, text)]
    return tuple(text for _, text in heapq.nlargest(MAX_LIKE, near))


def _one_letter_away(first: str, second: str) -> bool:
    """Whether one letter more, less, other, or two exchanged make *second* of *first*."""
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    one, other = first[start : len(first) - end], second[start : len(second) - end]
    return max(len(one), len(other)) == 1 or (len(one) == 2 and one == other[::-1])


#: Letters of a word, and of a stem that says nothing of it.
_LONG_WORD, _SHORT_STEM = 6, 3


def stems_of_word(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of a word in each of the library's languages."""
    return tuple(dict.fromkeys(table(language)[word] for language in languages)) or (word,)


def stems_asked(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems by which a query's word is looked for.

    A stemmer of another language may leave next to nothing of a long word: German makes "for" of "forests". Such a
    stem is left out where another language's says more.
    """
    stems = stems_of_word(word, languages)
    if len(word) < _LONG_WORD or not word.isascii():
        return stems
    return tuple(stem for stem in stems if len(stem) > _SHORT_STEM) or stems


def small_words_of(view: View, query: Query) -> frozenset[str]:
    """Those of the query's language where it can be told, else of the library's first language."""
    language = language_of(query.text)
    if not small_words(language) and view.languages:
        language = view.languages[0]
    return small_words(language)


def exclusion(view: View, tokens: tuple[str, ...]) -> list[tuple[tantivy.Searcher, tantivy.Query]]:
    """Where an excluded word or phrase is looked for: in the exact fields, in that very form."""
    found = []
    for searcher, schema in ((view.snapshot.passages, PASSAGES), (view.snapshot.items, ITEMS)):
        if len(tokens) == 1:
            query = _Q.term_query(schema, "exact", tokens[0], "basic")
        else:
            query = _Q.phrase_query(schema, "exact", list(tokens))
        found.append((searcher, query))
    return found
