"""Pages read glyph by glyph: scripts without spaces, and scripts from right to left.

Word boxes are enough where chunks begin and end at spaces. Text in Han, Kana or Thai is cut
between any two characters. And in lines from right to left MuPDF puts full stops, brackets and
numbers where they do not belong; the places of the glyphs say where they do.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, NamedTuple

NEEDS_GLYPHS = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"  # right to left
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"  # no spaces
)
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

HIDDEN = frozenset("\u00ad\u200b\ufeff\u2028\u2029\u0085\u007f") | frozenset(map(chr, range(32)))
"""What MuPDF may give as a character and is none: soft hyphens, invisible spaces, control characters."""

_NUMBER_MARKS = frozenset(".,:/٫٬")


_MIRRORED = {"(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "«": "»", "»": "«"}


class Unit(NamedTuple):
    """A glyph that shows, and where: the form of MuPDF's words."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    block: int
    line: int
    number: int


def take_apart(content: dict[str, Any]) -> list[Unit]:
    """Give the spans of a page's `extractRAWDICT` their "text", and return the glyphs' boxes.

    Lines from right to left get a "logical" text, in the order in which they are read.
    """
    units: list[Unit] = []
    for block in content["blocks"]:
        if block["type"]:
            continue
        for index, line in enumerate(block["lines"]):
            glyphs: list[tuple[str, tuple[float, ...]]] = []
            for span in line["spans"]:
                span["text"] = "".join([char["c"] for char in span["chars"]])
                glyphs.extend([(char["c"], char["bbox"]) for char in span["chars"]])
            if line["dir"][0] > 0.999 and _runs_left("".join([glyph[0] for glyph in glyphs])):
                glyphs = _unmirrored(_in_reading_order(glyphs))
                line["logical"] = "".join([glyph[0] for glyph in glyphs])
            number = block["number"]
            units.extend(
                [
                    Unit(*box, char, number, index, 0)
                    for char, box in glyphs
                    if not char.isspace() and char not in HIDDEN
                ]
            )
    return units


def _runs_left(text: str) -> bool:
    """Whether most letters of *text* belong to a script from right to left."""
    right_to_left = len(RIGHT_TO_LEFT.findall(text))
    return 2 * right_to_left > sum(map(str.isalpha, text))


def _in_reading_order(
    glyphs: list[tuple[str, tuple[float, ...]]],
) -> list[tuple[str, tuple[float, ...]]]:
    """Glyphs of a line from right to left, numbers and foreign words within it from left to right."""
    # A vowel sign goes with its letter.
    clusters: list[list[tuple[str, tuple[float, ...]]]] = []
    for glyph in glyphs:
        if clusters and unicodedata.category(glyph[0]) == "Mn":
            clusters[-1].append(glyph)
        else:
            clusters.append([glyph])
    clusters.sort(key=lambda cluster: -(cluster[0][1][0] + cluster[0][1][2]))
    kinds = [_kind(cluster[0][0]) for cluster in clusters]
    ordered: list[list[tuple[str, tuple[float, ...]]]] = []
    index = 0
    while index < len(clusters):
        end = _foreign_end(clusters, kinds, index)
        ordered.extend(reversed(clusters[index:end]) if end > index else [clusters[index]])
        index = max(end, index + 1)
    return [glyph for cluster in ordered for glyph in cluster]


def _unmirrored(
    glyphs: list[tuple[str, tuple[float, ...]]],
) -> list[tuple[str, tuple[float, ...]]]:
    """Brackets as they are written: some files name them by how they look from the left."""
    brackets = [char for char, _ in glyphs if char in _MIRRORED]
    if not brackets or brackets[0] in "([{«" or brackets[-1] in ")]}»":
        return glyphs
    return [(_MIRRORED.get(char, char), box) for char, box in glyphs]


def _kind(char: str) -> str:
    match unicodedata.bidirectional(char):
        case "L":
            return "letter"
        case "EN" | "AN":
            return "digit"
        case "R" | "AL":
            return "own"
        case _:
            return "mark"


def _foreign_end(clusters: list[list[tuple[str, Any]]], kinds: list[str], start: int) -> int:
    """The end of a stretch that reads from left to right and begins at *start*; *start* if none does."""
    if kinds[start] not in ("letter", "digit"):
        return start
    end = start + 1
    letters = kinds[start] == "letter"
    ahead = end
    while ahead < len(kinds):
        kind = kinds[ahead]
        if kind == "own":
            break
        char = clusters[ahead][0][0]
        if char in _MIRRORED and not _within_word(kinds, ahead):
            # A bracket beside a space belongs to the line, not to the foreign words.
            break
        if kind == "mark":
            if not letters and char not in _NUMBER_MARKS:
                break
        elif kind == "letter" or ahead == end or letters or _is_number_mark(clusters, ahead - 1):
            letters = letters or kind == "letter"
            end = ahead + 1
        ahead += 1
    return end


def _within_word(kinds: list[str], index: int) -> bool:
    """Whether foreign letters or digits stand on both sides."""
    foreign = ("letter", "digit")
    return 0 < index < len(kinds) - 1 and kinds[index - 1] in foreign and kinds[index + 1] in foreign


def _is_number_mark(clusters: list[list[tuple[str, Any]]], index: int) -> bool:
    return clusters[index][0][0] in _NUMBER_MARKS
