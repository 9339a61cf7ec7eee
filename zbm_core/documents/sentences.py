"""Where a text may be cut between sentences."""

from __future__ import annotations

import re

_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"'])(?:[A-Z]|(?:al|approx|art|bd|bzw|ca|cf|ch|chap|col|dept|dr|ed|eds|eq|eqs|etc|ex|fig|figs|"
    r"hrsg|ibid|incl|inc|jg|jr|ltd|mr|mrs|ms|no|nos|nr|op|p|pp|prof|ref|refs|resp|sec|sect|sr|st|suppl|tab|"
    r"usw|v|vgl|viz|vol|vols|vs|u\.a|z\.b|d\.h|e\.g|i\.e|s\.d|s\.o|s\.u))\.\s*$",
    re.IGNORECASE,
)
# "... as shown before.12,13 The next": the number is a raised note mark.
_NOTE_MARKS = re.compile(r"[^\W\d_]{2}[.?!][\"”’)]?\[?\d{1,3}(?:[,–-]\s?\d{1,3})*\]?\s+(?=[^\W\d_a-z])")


def sentence_ends(text: str) -> list[int]:
    """End offsets of the sentences of *text*, the following spaces included; the last is its length."""
    from apsw.unicode import sentence_iter

    if not text:
        return []
    ends: list[int] = []
    at = 0
    for sentence in sentence_iter(text):
        start, at = at, at + len(sentence)
        if "." in sentence and _ABBREVIATION.search(sentence[-14:]) and at < len(text):
            continue
        if len(sentence) > 40:
            ends.extend(
                start + match.end() for match in _NOTE_MARKS.finditer(sentence) if match.end() < len(sentence)
            )
        ends.append(at)
    if ends and ends[-1] == len(text):
        return ends
    return [*ends, len(text)]
