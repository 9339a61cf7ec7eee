"""The line of a passage worth reading."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from zbm_core.lexical.index import LexicalIndex
from zbm_core.lexical.matching import Found
from zbm_core.lexical.query import Query
from zbm_core.text import sentences

# Columns of a quote; the sentence that crosses them is taken whole. A character of Chinese, Japanese or Korean
# takes two columns, and says about as much as two letters.
WIDTH = 150
# A sentence past this is quoted in part. Cut at 200, a line held the answer in a third fewer of the
# covidqa questions (benchmark `meaning`).
LONG_SENTENCE = 300
# Columns of the line inside such a sentence.
_INSIDE = 200
# A line inside a sentence is widened by so much at most to end between words.
_SLACK = 20
# Characters looked at to tell whether a text is written in wide ones.
_SAMPLE = 200


class Quote(NamedTuple):
    """The line of a text worth reading, and the share of the query that its sentence carries, 0 to 1."""

    start: int
    end: int
    share: float


def pick_quote(index: LexicalIndex, query: Query, text: str) -> Quote:
    """The range of *text* to quote: about `WIDTH` columns of whole sentences.

    It opens with the sentence that carries most of the query; of a sentence longer than
    `LONG_SENTENCE`, it is a line inside it. Without any word of the query, the text's opening.
    """
    matcher = index.matcher(query)
    found = matcher.find(text)
    ranges = sentences(text)
    if not ranges:
        return Quote(0, 0, 0.0)
    carried = [_carried(_within(found, start, end)) for start, end in ranges]
    best = max(range(len(ranges)), key=lambda i: (carried[i], -i))
    share = min(1.0, carried[best] / matcher.total) if matcher.total else 0.0
    start, end = ranges[best]
    column = _columns(text)
    if end - start > LONG_SENTENCE // column:
        within = _within(found, start, end)
        return Quote(*_line(text, start, end, within, _INSIDE // column), share)
    width = WIDTH // column
    for _, following in ranges[best + 1 :]:
        # None that would make it twice as long.
        if end - start >= width or following - start > 2 * width:
            break
        end = following
    return Quote(start, end, share)


def _columns(text: str) -> int:
    """Columns a character of *text* takes: 2 where most of it is wide, else 1."""
    sample = text[:_SAMPLE]
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in sample)
    return 2 if 2 * wide > len(sample) else 1


def _within(found: Sequence[Found], start: int, end: int) -> list[Found]:
    return [match for match in found if match.start < end and match.end > start]


def _carried(found: Sequence[Found]) -> float:
    """Rarity of the distinct terms."""
    return sum({match.term: match.weight for match in found}.values())


def _line(text: str, start: int, end: int, found: Sequence[Found], width: int) -> tuple[int, int]:
    """The window of a long sentence that carries most, with its matches in the middle."""
    best, best_from, best_to = -1.0, start, start
    for i, first in enumerate(found):
        inside = [match for match in found[i:] if match.end <= first.start + width]
        carried = _carried(inside)
        if inside and carried > best:
            best, best_from, best_to = carried, first.start, max(match.end for match in inside)
    spare = max(0, width - (best_to - best_from))
    begin = max(start, best_from - spare // 2)
    stop = min(end, max(best_to, begin + width))
    begin = max(start, min(begin, stop - width))
    return _at_space(text, begin, start, -1), _at_space(text, stop, end, 1)


def _at_space(text: str, position: int, bound: int, step: int) -> int:
    """The nearest place between words, outward from *position*, no further than `_SLACK`."""
    for distance in range(_SLACK + 1):
        at = position + step * distance
        if at == bound:
            return at
        if not 0 < at < len(text):
            break
        before, after = text[at - 1], text[at]
        if step < 0 and before.isspace() and not after.isspace():
            return at
        if step > 0 and after.isspace() and not before.isspace():
            return at
    return position
