"""The query's words in a text a person reads."""

from __future__ import annotations

from zbm_core.lexical.index import LexicalIndex
from zbm_core.lexical.query import Query


def highlight(index: LexicalIndex, query: Query, text: str) -> list[tuple[int, int]]:
    """The ranges of *text* to mark, in order, without overlaps.

    Whole words and phrases of the query that separate something in this library (in no more than
    half of its passages), with their inflected forms.
    """
    ranges: list[tuple[int, int]] = []
    for start, end, _, _ in index.matcher(query).find(text):
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((start, end))
    return ranges
