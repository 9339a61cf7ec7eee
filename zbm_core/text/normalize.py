"""The normal form in which texts and queries are compared.

The steps and their order are those Zotero's own search uses, so that what matches there
matches here: formatting tags out, compatibility decomposition, combining accents out, lower
case, a few letters and marks that decomposition leaves, recomposition.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# The tags Zotero allows inside field values; any other angle bracket is text.
_TAG = re.compile(
    r"</?(?:i|b|sub|sup)>"
    r"|<span style=\"font-variant: ?small-caps;\">|<span class=\"nocase\">|</span>"
)
_ACCENT = re.compile("[\u0300-\u036f]")

_LETTERS = {
    "ø": "o",
    "œ": "oe",
    "æ": "ae",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ß": "ss",
    "ı": "i",
    "\u2044": "/",
}
_MARKS = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
}
_TRANSLATION = str.maketrans(_LETTERS | _MARKS)


def normalize_for_search(text: str) -> str:
    """Return *text* in the form in which texts are compared: ``"Sørén’s x²"`` -> ``"soren's x2"``."""
    if "<" in text:
        text = _TAG.sub("", text)
    if text.isascii():
        return text.lower()
    text = _ACCENT.sub("", unicodedata.normalize("NFKD", text)).lower()
    return unicodedata.normalize("NFC", text.translate(_TRANSLATION))


@dataclass(frozen=True, slots=True)
class Folded:
    """A normal form and, for each of its characters, the characters of the original it came from."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original's range behind ``text[start:end]``, which must not be empty."""
        return self.starts[start], self.ends[end - 1]


def fold_with_map(text: str) -> Folded:
    """Normalise *text* as `normalize_for_search` does and keep the way back to its characters.

    A character that becomes several ("ﬁ", "ß") maps each of them to itself; several that become one
    (a letter and its accent, a syllable written in jamo) are mapped to as a whole.
    """
    if "<" in text and _TAG.search(text):
        kept: list[int] = []
        position = 0
        for tag in _TAG.finditer(text):
            kept += range(position, tag.start())
            position = tag.end()
        kept += range(position, len(text))
        inner = fold_with_map("".join([text[i] for i in kept]))
        return Folded(inner.text, [kept[i] for i in inner.starts], [kept[i - 1] + 1 for i in inner.ends])
    if text.isascii():
        return Folded(text.lower(), range(len(text)), range(1, len(text) + 1))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        piece = text[start:end]
        if piece.isascii():
            starts += range(start, end)
            ends += range(start + 1, end + 1)
        else:
            piece = _decomposed(piece)
            starts += [start] * len(piece)
            ends += [end] * len(piece)
        pieces.append(piece)
    # Lower case is taken of the whole, because the form of a final sigma depends on its neighbours.
    # After decomposition no letter changes length by it.
    lowered = "".join(pieces).lower()
    out: list[str] = []
    out_starts: list[int] = []
    out_ends: list[int] = []
    index = 0
    for piece in pieces:
        stop = index + len(piece)
        part = lowered[index:stop]
        if (piece.isascii() and len(piece) > 1) or not piece:
            out.append(part)
            out_starts += starts[index:stop]
            out_ends += ends[index:stop]
        else:
            part = _recomposed(part.translate(_TRANSLATION))
            out.append(part)
            out_starts += [starts[index]] * len(part)
            out_ends += [ends[index]] * len(part)
        index = stop
    return Folded("".join(out), out_starts, out_ends)


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of *text* that normalise on their own: stretches of ASCII, else single clusters."""
    position = 0
    for stretch in _NOT_ASCII.finditer(text):
        start, stop = stretch.span()
        if start and _joins(text[start]):
            start -= 1  # the letter an accent stands on
        if position < start:
            yield position, start
        while start < stop:
            end = start + 1
            while end < stop and _joins(text[end]):
                end += 1
            yield start, end
            start = end
        position = stop
    if position < len(text):
        yield position, len(text)


# A library uses a few thousand characters beyond ASCII; texts repeat them.
@functools.lru_cache(maxsize=8192)
def _decomposed(cluster: str) -> str:
    return _ACCENT.sub("", unicodedata.normalize("NFKD", cluster))


@functools.lru_cache(maxsize=8192)
def _recomposed(part: str) -> str:
    return unicodedata.normalize("NFC", part)


@functools.lru_cache(maxsize=8192)
def _joins(character: str) -> bool:
    """Whether *character* may combine with what stands before it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"
