"""Where a text may be cut between sentences."""

from __future__ import annotations

import re
from itertools import pairwise

from zbm_core.text import sentences

# "... as shown before.12,13 The next": the number is a raised note mark.
# Begins with the stop itself, which is rare, so that looking for it is quick.
_NOTE_MARKS = re.compile(
    r"[.?!](?:[\"”’)]|(?<=[^\W\d_]{2}.))\[?\d{1,3}(?:[,–-]\s?\d{1,3})*\]?\s+(?=[^\W\d_a-z])"
)
SHORT = 24
"""Characters of a sentence in which no second one is looked for."""

_FULL_STOP = re.compile("[\u3002\uff01\uff1f\uff0e\uff61][\u300d\u300f\uff09\u300b\u201d]*$")


def sentence_ends(text: str) -> list[int]:
    """End offsets of the sentences of *text*, the spaces behind them included; the last is its length.

    A sentence ends at a space or behind a full stop of a script without spaces: a stop within a
    word ("results.aspx?mode=") is none, and an opening quote belongs to what it opens.
    """
    ends: list[int] = []
    ranges = sentences(text)
    for (start, end), (following, _) in pairwise(ranges):
        if end - start > SHORT:
            ends.extend(match.end() for match in _NOTE_MARKS.finditer(text, start, end))
        if following > end or _FULL_STOP.search(text[end - 4 : end]):
            ends.append(following)
        elif (space := text.rfind(" ", max(start, end - 3), end)) > start:
            ends.append(space + 1)
    if ranges and ranges[-1][1] - ranges[-1][0] > SHORT:
        ends.extend(match.end() for match in _NOTE_MARKS.finditer(text, *ranges[-1]))
    while ends and ends[-1] >= len(text):
        ends.pop()
    return [*ends, len(text)] if text else []
