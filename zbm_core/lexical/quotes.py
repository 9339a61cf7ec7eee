"""The line of a passage worth reading."""

from __future__ import annotations

from collections.abc import Sequence

from zbm_core.lexical.index import LexicalIndex
from zbm_core.lexical.matching import Found
from zbm_core.lexical.query import Query
from zbm_core.text import sentences

# Characters: two lines of a match row. A sentence past the second is quoted in part.
WIDTH = 150
LONG_SENTENCE = 200
# A line inside a sentence is widened by so much at most to end between words.
_SLACK = 20
# Sentences are added up to the width, but none that would make the quote longer than this.
_LONGEST = 2 * WIDTH


def pick_quote(index: LexicalIndex, query: Query, text: str) -> tuple[int, int]:
    """The range of *text* to quote: about `WIDTH` characters of whole sentences.

    It opens with the sentence that carries most of the query; of a sentence longer than
    `LONG_SENTENCE`, it is a line inside it. Without any word of the query, the text's opening.
    """
    found = index.matcher(query).find(text)
    ranges = sentences(text)
    if not ranges:
        return (0, 0)
    best = max(range(len(ranges)), key=lambda i: (_carried(_within(found, *ranges[i])), -i))
    start, end = ranges[best]
    if end - start > LONG_SENTENCE:
        return _line(text, start, end, _within(found, start, end))
    for _, following in ranges[best + 1 :]:
        if end - start >= WIDTH or following - start > _LONGEST:
            break
        end = following
    return start, end


def _within(found: Sequence[Found], start: int, end: int) -> list[Found]:
    return [match for match in found if match.start < end and match.end > start]


def _carried(found: Sequence[Found]) -> float:
    """Rarity of the distinct terms."""
    return sum({match.term: match.weight for match in found}.values())


def _line(text: str, start: int, end: int, found: Sequence[Found]) -> tuple[int, int]:
    """The window of a long sentence that carries most, with its matches in the middle."""
    best, best_from, best_to = -1.0, start, start
    for i, first in enumerate(found):
        inside = [match for match in found[i:] if match.end <= first.start + WIDTH]
        carried = _carried(inside)
        if inside and carried > best:
            best, best_from, best_to = carried, first.start, max(match.end for match in inside)
    spare = max(0, WIDTH - (best_to - best_from))
    begin = max(start, best_from - spare // 2)
    stop = min(end, max(best_to, begin + WIDTH))
    begin = max(start, min(begin, stop - WIDTH))
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
