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
# Handing tantivy the numbers of 15,000 items costs 60 ms. Where more than this share of the items pass,
# rows are fetched unfiltered and dropped here, if so many remain: they are the best of those that pass.
_WIDE = 0.2
_ENOUGH_ROWS = 300
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


class _Rows(NamedTuple):
    """Rows of one index, best first, as columns: a search fetches thousands."""

    scores: list[float]
    sources: list[int]
    tops: list[int]
    indexes: list[int]  # of passages: the passage, or HEAD
    references: list[int]

    def first_of_each(self) -> dict[int, int]:
        """The best row of each item, by the item's number."""
        return dict(zip(reversed(self.tops), range(len(self.tops) - 1, -1, -1), strict=True))


@dataclass(frozen=True, slots=True)
class _Filter:
    """Which items may answer, by number; None: all of them."""

    only: frozenset[int] | None
    never: frozenset[int] = frozenset()

    def passes(self, top: int) -> bool:
        return (self.only is None or top in self.only) and top not in self.never

    def is_wide(self, items: int) -> bool:
        """Whether so many pass that most of the best rows do."""
        passing = items - len(self.never) if self.only is None else len(self.only)
        return passing > _WIDE * items

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
    """One query over the three indexes of one view.

    Attributes:
        ceiling: the score of a passage that earned all it could.
        known: whether anything but small words is in the library at all.
    """

    passages: list[Clause]
    documents: list[Clause]
    items: list[Clause]
    ceiling: float
    known: bool


def _expression(view: View, query: Query) -> _Expression:
    snapshot = view.snapshot
    terms = terms_of(view, query)
    passages = clauses(snapshot.passages, PASSAGES, terms, stems="stems", exact="exact")
    passages += clauses(snapshot.passages, PASSAGES, pairs_of(view, query), stems=None, exact="exact")
    documents = clauses(snapshot.documents, DOCUMENTS, terms, stems="stems", exact=None)
    items = clauses(snapshot.items, ITEMS, terms, stems="title", exact="exact", weight=TITLE_WEIGHT)
    telling_terms = [term for term in terms if not term.small] or terms
    for field, weight in (("creators", CREATORS_WEIGHT), ("other", OTHER_WEIGHT)):
        items += clauses(
            snapshot.items, ITEMS, telling_terms, stems=field, exact=None, weight=weight, presence=True
        )
    telling = [part for part in (*passages, *items) if not part.small]
    known = any(part.found for part in telling or (*passages, *items))
    return _Expression(passages, documents, items, ceiling(passages), known)


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
    if not asked.known:
        return []
    cancel.check()
    wide = chosen.is_wide(len(view.roster.tops))
    snapshot = view.snapshot
    passages = _rows(snapshot.passages, PASSAGES, asked.passages, chosen, with_passage=True, wide=wide)
    cancel.check()
    documents = _rows(snapshot.documents, DOCUMENTS, asked.documents, chosen, wide=wide)
    cancel.check()
    items = _rows(snapshot.items, ITEMS, asked.items, chosen, wide=wide)
    cancel.check()

    best: dict[int, float] = {}
    best_row: dict[int, int] = {}
    shown_row: dict[int, int] = {}  # the best that is a passage, not an item's title and abstract as one
    heads: dict[int, float] = {}
    for row, (score, top, index, reference) in enumerate(
        zip(passages.scores, passages.tops, passages.indexes, passages.references, strict=True)
    ):
        if reference:
            score *= REFERENCE_FACTOR
        if score > best.get(top, 0.0):
            best[top], best_row[top] = score, row
        if index == HEAD:
            heads.setdefault(top, score)
        else:
            shown_row.setdefault(top, row)
    document_row, item_row = documents.first_of_each(), items.first_of_each()
    whole = asked.ceiling * (1 + DOCUMENT_WEIGHT + TITLE_WEIGHT)
    ranked: list[tuple[float, int]] = []
    for top in best.keys() | document_row.keys() | item_row.keys():
        document = documents.scores[document_row[top]] if top in document_row else 0.0
        own = items.scores[item_row[top]] if top in item_row else 0.0
        document = max(document, heads.get(top, 0.0))
        share = (best.get(top, 0.0) + DOCUMENT_WEIGHT * document + own) / whole
        if share >= FLOOR:
            ranked.append((-share, top))
    # By number where scores are equal, so that the same search gives the same order.
    ranked.sort()
    hits: list[LexicalHit] = []
    for share, top in ranked[:limit]:
        if top in best_row:
            row = best_row[top]
            if passages.indexes[row] == HEAD and top in shown_row:
                # Title and abstract matched together; where the abstract has its part, it can be read.
                shown = shown_row[top]
                row = shown if 2 * passages.scores[shown] >= best[top] else row
            index = passages.indexes[row]
            evidence = (passages.sources[row], None if index == HEAD else index, best[top])
        elif top in item_row:
            evidence = (items.sources[item_row[top]], None, items.scores[item_row[top]])
        else:
            row = document_row[top]
            evidence = (documents.sources[row], None, DOCUMENT_WEIGHT * documents.scores[row])
        source, index, score = evidence
        owner = view.owner(source)
        item = view.roster.tops.get(top)
        if owner is not None and item is not None:  # not removed since this view was taken
            strongest = PassageHit(*owner, index, min(1.0, score / asked.ceiling))
            hits.append(LexicalHit(item, min(1.0, -share), strongest))
    return hits


def passages(view: View, query: Query, item: ItemKey) -> list[PassageHit]:
    """See `LexicalIndex.passages`."""
    top = view.roster.top_numbers.get(item)
    if top is None or not query.searchable:
        return []
    asked = _expression(view, query)
    if not asked.known:
        return []
    snapshot = view.snapshot
    chosen = _Filter(frozenset((top,)))
    rows = _rows(
        snapshot.passages,
        PASSAGES,
        asked.passages,
        chosen,
        limit=snapshot.passages.num_docs,
        with_passage=True,
    )
    found = [
        PassageHit(*owner, index, min(1.0, score / asked.ceiling))
        for score, source, _, index, reference in zip(*rows, strict=True)
        if index != HEAD and not reference and (owner := view.owner(source)) is not None
    ]
    rows = _rows(snapshot.items, ITEMS, asked.items, chosen)
    found += [
        PassageHit(*owner, None, min(1.0, score / asked.ceiling))
        for score, source in zip(rows.scores, rows.sources, strict=True)
        if (owner := view.owner(source)) is not None
    ]
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
    wide: bool = False,
) -> _Rows:
    """The best rows of one index."""
    if not parts or not searcher.num_docs:
        return _Rows([], [], [], [], [])
    query = either(parts)
    narrowed = chosen.only is not None or bool(chosen.never)
    if narrowed and wide:
        rows = _fetched(searcher, query, limit, with_passage)
        kept = [row for row, top in enumerate(rows.tops) if chosen.passes(top)]
        if len(kept) >= _ENOUGH_ROWS or len(rows.tops) < limit:
            return _Rows(*([column[row] for row in kept] if column else [] for column in rows))
    return _fetched(searcher, chosen.around(query, schema), limit, with_passage)


def _fetched(searcher: tantivy.Searcher, query: tantivy.Query, limit: int, with_passage: bool) -> _Rows:
    hits = searcher.search(query, limit, count=False).hits
    addresses = [address for _, address in hits]
    # Fast fields in one call a field: a call a row costs more than the search itself.
    return _Rows(
        [score for score, _ in hits],
        searcher.fast_field_values("source", addresses),
        searcher.fast_field_values("top", addresses),
        searcher.fast_field_values("index", addresses) if with_passage else [],
        searcher.fast_field_values("reference", addresses) if with_passage else [],
    )
