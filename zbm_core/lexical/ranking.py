"""Ranking: an item by its best passage, its title and other fields, and its whole document."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import NamedTuple

import tantivy

from zbm_core.errors import CancelToken
from zbm_core.lexical.expression import Clause, ceiling, clauses, either, exclusion, pairs_of, terms_of
from zbm_core.lexical.query import Query
from zbm_core.lexical.records import LexicalHit, PassageHit
from zbm_core.lexical.shelves import DOCUMENTS, HEAD, ITEMS, PASSAGES
from zbm_core.lexical.view import View
from zbm_core.library.records import ItemKey

_Q = tantivy.Query
_SHOULD, _MUST, _NOT = tantivy.Occur.Should, tantivy.Occur.Must, tantivy.Occur.MustNot

# Rows fetched from each index; fetching 3,000 passages changed no ranking.
ROWS = 1000
# Weights beside the best passage's 1; the benchmark `quality` is flat from half to twice of each.
TITLE_WEIGHT = 0.3
DOCUMENT_WEIGHT = 0.3
OTHER_WEIGHT = 0.3
# An author's name is asked for the author's works before texts that cite them.
CREATORS_WEIGHT = 1.0
# A reference list has every word of its field; what it says of an item is little.
REFERENCE_FACTOR = 0.5
# Below this share of the query a match says nothing. An item earns three times here (passage, document,
# title), so the share of one match is smaller than where it earns once; at .05 real questions find nothing.
FLOOR = 0.02


class _Row(NamedTuple):
    score: float
    source: int
    top: int
    index: int  # of the passage, or HEAD
    reference: int


@dataclass(frozen=True, slots=True)
class _Filter:
    """Which items may answer, by number; None: all of them."""

    only: frozenset[int] | None
    never: frozenset[int]

    def around(self, query: tantivy.Query, schema: tantivy.Schema) -> tantivy.Query:
        if self.only is not None:
            return _Q.boolean_query([(_MUST, query), (_MUST, _tops(schema, self.only))])
        if self.never:
            return _Q.boolean_query([(_MUST, query), (_NOT, _tops(schema, self.never))])
        return query


def _tops(schema: tantivy.Schema, numbers: Iterable[int]) -> tantivy.Query:
    return _Q.const_score_query(_Q.term_set_query(schema, "top", list(numbers)), 0.0)


@dataclass(frozen=True, slots=True)
class _Expression:
    """One query over the three indexes of one view."""

    passages: list[Clause]
    documents: list[Clause]
    items: list[Clause]
    passage_ceiling: float
    title_ceiling: float

    @property
    def ceiling(self) -> float:
        """What an item could earn: by a passage, again by its whole document, and by its title."""
        return (1 + DOCUMENT_WEIGHT) * self.passage_ceiling + self.title_ceiling


def _expression(view: View, query: Query) -> _Expression:
    snapshot = view.snapshot
    terms = terms_of(view, query)
    passages = clauses(snapshot.passages, PASSAGES, terms, stems="stems", exact="exact")
    passages += clauses(snapshot.passages, PASSAGES, pairs_of(view, query), stems=None, exact="exact")
    documents = clauses(snapshot.documents, DOCUMENTS, terms, stems="stems", exact=None)
    titles = clauses(snapshot.items, ITEMS, terms, stems="title", exact="exact", weight=TITLE_WEIGHT)
    items = list(titles)
    for field, weight in (("creators", CREATORS_WEIGHT), ("other", OTHER_WEIGHT)):
        items += clauses(snapshot.items, ITEMS, terms, stems=field, exact=None, weight=weight)
    return _Expression(passages, documents, items, ceiling(passages), ceiling(titles))


def search(
    view: View,
    query: Query,
    *,
    allowed: Set[ItemKey] | None = None,
    limit: int | None = None,
    cancel: CancelToken | None = None,
) -> list[LexicalHit]:
    """See `LexicalIndex.search`."""
    cancel = cancel or CancelToken()
    if not query.searchable:
        return []
    chosen = _filter(view, query, allowed)
    if chosen.only is not None and not chosen.only:
        return []
    asked = _expression(view, query)
    if asked.passage_ceiling <= 0:
        return []
    cancel.check()
    snapshot = view.snapshot
    passages = _rows(snapshot.passages, PASSAGES, asked.passages, chosen, with_passage=True)
    cancel.check()
    documents = _best_by_top(_rows(snapshot.documents, DOCUMENTS, asked.documents, chosen))
    cancel.check()
    items = _best_by_top(_rows(snapshot.items, ITEMS, asked.items, chosen))
    cancel.check()

    best: dict[int, _Row] = {}
    shown: dict[int, _Row] = {}  # the best that is a passage, not an item's title and abstract as one
    heads: dict[int, float] = {}
    for row in passages:
        if row.reference:
            row = row._replace(score=row.score * REFERENCE_FACTOR)
        top = row.top
        if top not in best or row.score > best[top].score:
            best[top] = row
        if row.index == HEAD:
            heads[top] = row.score
        elif top not in shown or row.score > shown[top].score:
            shown[top] = row
    whole = asked.ceiling
    ranked: list[tuple[float, int]] = []
    for top in best.keys() | documents.keys() | items.keys():
        score = best[top].score if top in best else 0.0
        document = max(documents[top].score if top in documents else 0.0, heads.get(top, 0.0))
        own = items[top].score if top in items else 0.0
        share = min(1.0, (score + DOCUMENT_WEIGHT * document + own) / whole)
        if share >= FLOOR:
            ranked.append((share, top))
    # By number where scores are equal, so that the same search gives the same order.
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    tops = view.roster.tops
    hits: list[LexicalHit] = []
    for share, top in ranked[:limit]:
        evidence = _evidence(view, asked, best.get(top), shown.get(top), items.get(top), documents.get(top))
        if evidence is not None and top in tops:
            hits.append(LexicalHit(tops[top], share, evidence))
    return hits


def _evidence(
    view: View,
    asked: _Expression,
    best: _Row | None,
    shown: _Row | None,
    item: _Row | None,
    document: _Row | None,
) -> PassageHit | None:
    """The strongest single piece of evidence, as it can be shown."""
    if best is not None and best.index == HEAD and shown is not None and 2 * shown.score >= best.score:
        # Title and abstract matched together; the abstract is what can be read.
        best = best._replace(source=shown.source, index=shown.index)
    row = best or item or document
    owner = view.owner(row.source) if row is not None else None
    if row is None or owner is None:
        return None  # removed since this view was taken
    score = row.score
    if row is item:
        score /= asked.title_ceiling or 1.0
    else:
        score /= asked.passage_ceiling
    passage = row.index if row is best and row.index != HEAD else None
    return PassageHit(*owner, passage, min(1.0, score))


def passages(view: View, query: Query, item: ItemKey) -> list[PassageHit]:
    """See `LexicalIndex.passages`."""
    top = view.roster.top_numbers.get(item)
    if top is None or not query.searchable:
        return []
    asked = _expression(view, query)
    if asked.passage_ceiling <= 0:
        return []
    snapshot = view.snapshot
    chosen = _Filter(frozenset((top,)), frozenset())
    rows = _rows(
        snapshot.passages,
        PASSAGES,
        asked.passages,
        chosen,
        limit=snapshot.passages.num_docs,
        with_passage=True,
    )
    found = []
    for row in rows:
        owner = view.owner(row.source)
        if owner is None or row.index == HEAD or row.reference:
            continue
        found.append(PassageHit(*owner, row.index, min(1.0, row.score / asked.passage_ceiling)))
    for row in _rows(snapshot.items, ITEMS, asked.items, chosen):
        owner = view.owner(row.source)
        if owner is not None:
            found.append(PassageHit(*owner, None, min(1.0, row.score / (asked.title_ceiling or 1.0))))
    found.sort(key=lambda hit: -hit.score)
    return found


def _filter(view: View, query: Query, allowed: Set[ItemKey] | None) -> _Filter:
    never: set[int] = set()
    for phrase in query.excluded:
        for searcher, part in exclusion(view, phrase.tokens):
            if searcher.num_docs:
                hits = searcher.search(part, searcher.num_docs, count=False).hits
                never.update(searcher.fast_field_values("top", [address for _, address in hits]))
    if allowed is None:
        return _Filter(None, frozenset(never))
    numbers = view.roster.top_numbers
    return _Filter(frozenset(numbers[key] for key in allowed if key in numbers) - never, frozenset())


def _rows(
    searcher: tantivy.Searcher,
    schema: tantivy.Schema,
    parts: list[Clause],
    chosen: _Filter,
    *,
    limit: int = ROWS,
    with_passage: bool = False,
) -> list[_Row]:
    """The best rows of one index, best first."""
    if not parts or not searcher.num_docs:
        return []
    hits = searcher.search(chosen.around(either(parts), schema), limit, count=False).hits
    addresses = [address for _, address in hits]
    # Fast fields in one call a field: a call a row costs more than the search itself.
    sources = searcher.fast_field_values("source", addresses)
    tops = searcher.fast_field_values("top", addresses)
    if with_passage:
        indexes = searcher.fast_field_values("index", addresses)
        references = searcher.fast_field_values("reference", addresses)
    else:
        indexes = references = [0] * len(hits)
    scores = (score for score, _ in hits)
    return [_Row(*row) for row in zip(scores, sources, tops, indexes, references, strict=True)]


def _best_by_top(rows: list[_Row]) -> dict[int, _Row]:
    best: dict[int, _Row] = {}
    for row in rows:
        best.setdefault(row.top, row)
    return best
