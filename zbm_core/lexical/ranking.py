"""Ranking: items by their best passage, their title and their whole document."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import tantivy

from zbm_core.errors import CancelToken
from zbm_core.lexical import shelves
from zbm_core.lexical.expression import (
    K1,
    MAX_EXPANSIONS,
    MAX_SCORED,
    PAIR_MAX_SHARE,
    PAIR_WEIGHT,
    idf,
    stems_by_language,
)
from zbm_core.lexical.query import Query
from zbm_core.lexical.records import LexicalHit, PassageHit
from zbm_core.lexical.view import View
from zbm_core.library.records import ItemKey
from zbm_core.text.tokens import bigrams

_Q = tantivy.Query
_SHOULD, _MUST, _NOT = tantivy.Occur.Should, tantivy.Occur.Must, tantivy.Occur.MustNot

# Passages fetched for one search: more changes no ranking (measured up to 3,000).
PASSAGES = 1000
TITLE_WEIGHT = 0.3
DOCUMENT_WEIGHT = 0.3
# Below this share of the query a match says nothing.
FLOOR = 0.05


@dataclass(slots=True)
class _Clause:
    query: tantivy.Query
    earns: float


def _clauses(view: View, query: Query, searcher, schema, field: str, phrases: str | None) -> list[_Clause]:
    rows = searcher.num_docs
    found: list[_Clause] = []

    def any_of(terms: list[str], name: str, weight: float) -> None:
        rarity = max(idf(rows, searcher.doc_freq(name, term)) for term in terms)
        queries = [_Q.term_query(schema, name, term, "freq") for term in terms]
        one = queries[0] if len(queries) == 1 else _Q.disjunction_max_query(queries)
        found.append(_Clause(_Q.boost_query(one, weight) if weight != 1 else one, weight * rarity))

    for word in query.words:
        if word.prefix:
            expanded = searcher.terms_with_prefix(field, word.text, limit=MAX_EXPANSIONS)
            any_of([term for term, _ in expanded] or [word.text], field, 1.0)
        else:
            any_of(list(stems_by_language(word.text, view.languages)), field, float(word.count))
    for run in query.runs:
        if len(run) == 1:
            expanded = searcher.terms_with_prefix(field, run, limit=MAX_EXPANSIONS)
            any_of([term for term, _ in expanded] or [run], field, 1.0)
        else:
            for pair in dict.fromkeys(bigrams(run)):
                any_of([pair], field, 1.0)
    found.sort(key=lambda clause: -clause.earns)
    del found[MAX_SCORED:]
    if phrases is not None:
        for phrase in query.phrases:
            found.append(_phrase(searcher, schema, phrases, phrase.tokens, 1.0))
        for first, second in query.pairs:
            rarer = min(searcher.doc_freq(phrases, first), searcher.doc_freq(phrases, second))
            if 0 < rarer <= PAIR_MAX_SHARE * rows:
                found.append(_phrase(searcher, schema, phrases, (first, second), PAIR_WEIGHT))
    return found


def _phrase(searcher, schema, field: str, tokens: tuple[str, ...], weight: float) -> _Clause:
    rarity = sum(idf(searcher.num_docs, searcher.doc_freq(field, token)) for token in tokens)
    if len(tokens) == 1:
        query = _Q.term_query(schema, field, tokens[0], "freq")
    else:
        query = _Q.phrase_query(schema, field, list(tokens))
    return _Clause(_Q.boost_query(query, weight) if weight != 1 else query, weight * rarity)


def _either(clauses: list[_Clause], *more) -> tantivy.Query:
    return _Q.boolean_query([(_SHOULD, clause.query) for clause in clauses] + list(more))


def _excluded(view: View, query: Query) -> set[int]:
    """The items that have any excluded word or phrase, by number."""
    tops: set[int] = set()
    for phrase in query.excluded:
        for searcher, schema in (
            (view.snapshot.passages, shelves.PASSAGES),
            (view.snapshot.items, shelves.ITEMS),
        ):
            if searcher.num_docs == 0:
                continue
            clause = _phrase(searcher, schema, "exact", phrase.tokens, 1.0)
            hits = searcher.search(clause.query, searcher.num_docs, count=False).hits
            tops.update(searcher.fast_field_values("top", [address for _, address in hits]))
    return tops


def search(
    view: View,
    query: Query,
    *,
    allowed: Set[ItemKey] | None,
    limit: int | None,
    cancel: CancelToken | None,
) -> list[LexicalHit]:
    if not query.searchable or (allowed is not None and not allowed):
        return []
    excluded = _excluded(view, query)
    filters = []
    if allowed is not None:
        numbers = {view.top_numbers[key] for key in allowed if key in view.top_numbers} - excluded
        if not numbers:
            return []
        filters.append((_MUST, "top", numbers))
    elif excluded:
        filters.append((_NOT, "top", excluded))

    best: dict[int, tuple[float, int, int | None]] = {}  # by item: score, source, passage
    extra: dict[int, float] = {}
    searcher = view.snapshot.passages
    clauses = _clauses(view, query, searcher, shelves.PASSAGES, "stems", "exact")
    ceiling = (K1 + 1) * sum(clause.earns for clause in clauses)
    for score, source, top, index in _hits(searcher, shelves.PASSAGES, clauses, filters, PASSAGES, "index"):
        if top not in best:
            best[top] = (score, source, index)
    if cancel is not None:
        cancel.check()
    for name, schema, field, weight in (
        ("documents", shelves.DOCUMENTS, "stems", DOCUMENT_WEIGHT),
        ("items", shelves.ITEMS, "title", TITLE_WEIGHT),
        ("items", shelves.ITEMS, "other", TITLE_WEIGHT),
    ):
        searcher = getattr(view.snapshot, name)
        clauses = _clauses(view, query, searcher, schema, field, None)
        seen = set()
        for score, source, top, _ in _hits(searcher, schema, clauses, filters, PASSAGES, None):
            if top in seen:
                continue
            seen.add(top)
            extra[top] = extra.get(top, 0.0) + weight * score
            if top not in best:
                best[top] = (0.0, source, None)
        if cancel is not None:
            cancel.check()
    if ceiling <= 0:
        return []
    ranked = []
    for top, (score, source, index) in best.items():
        share = min(1.0, (score + extra.get(top, 0.0)) / ceiling)
        if share < FLOOR or source not in view.sources:
            continue
        key, kind, _ = view.sources[source]
        evidence = PassageHit(key, kind, index, min(1.0, max(score, extra.get(top, 0.0)) / ceiling))
        ranked.append(LexicalHit(view.tops[top], share, evidence))
    ranked.sort(key=lambda hit: (-hit.score, hit.item))
    return ranked[:limit]


def _hits(searcher, schema, clauses, filters, limit, field):
    if not clauses or searcher.num_docs == 0:
        return []
    more = [
        (occur, _Q.const_score_query(_Q.term_set_query(schema, name, sorted(values)), 0.0))
        for occur, name, values in filters
    ]
    query = _either(clauses)
    if more:
        query = _Q.boolean_query([(_MUST, query), *more])
    hits = searcher.search(query, limit, count=False).hits
    addresses = [address for _, address in hits]
    sources = searcher.fast_field_values("source", addresses)
    tops = searcher.fast_field_values("top", addresses)
    indexes = searcher.fast_field_values(field, addresses) if field else [None] * len(hits)
    return zip((score for score, _ in hits), sources, tops, indexes, strict=True)


def passages(view: View, query: Query, item: ItemKey) -> list[PassageHit]:
    top = view.top_numbers.get(item)
    if top is None or not query.searchable:
        return []
    searcher = view.snapshot.passages
    clauses = _clauses(view, query, searcher, shelves.PASSAGES, "stems", "exact")
    ceiling = (K1 + 1) * sum(clause.earns for clause in clauses)
    found = []
    if ceiling <= 0 or searcher.num_docs == 0:
        return []
    selected = _Q.boolean_query(
        [
            (_MUST, _either(clauses)),
            (_MUST, _Q.const_score_query(_Q.term_query(shelves.PASSAGES, "top", top), 0.0)),
        ]
    )
    hits = searcher.search(selected, searcher.num_docs, count=False).hits
    addresses = [address for _, address in hits]
    for (score, _), source, index, reference in zip(
        hits,
        searcher.fast_field_values("source", addresses),
        searcher.fast_field_values("index", addresses),
        searcher.fast_field_values("reference", addresses),
        strict=True,
    ):
        if reference or source not in view.sources:
            continue
        key, kind, _ = view.sources[source]
        found.append(PassageHit(key, kind, index, min(1.0, score / ceiling)))
    return found
