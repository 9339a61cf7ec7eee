"""One line of text of a PDF page: its parts, its boxes, and how it is set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from zbm_core.documents.structure import Rect

if TYPE_CHECKING:
    from zbm_core.documents.pdf.page import PageText

# What is no text: control characters, invisible spaces, soft hyphens within a line. The soft
# hyphen stays until lines are joined: at the end of a line it means something.
_SPACES = "".join(map(chr, range(1, 32))) + "\u007f\u0085\u2028\u2029"
_CLEAN = {ord(char): " " for char in _SPACES} | {0: None, 0x200B: None, 0xFEFF: None}
_NOTE_MARK = re.compile(r"[\d,;\-\u2013*\u2020\u2021\u00a7\u00b6()\[\] ]+|[a-z]", re.ASCII)
_LEAD = re.compile(r"[^\W\d_]{3}.*[.:：]\s*$", re.DOTALL)
_WORD_END = re.compile(r"[^\W\d_]{3}$")

BOLD = 16  # MuPDF's span flags
SUPERSCRIPT = 1
MONOSPACED = 8

EVEN = 0.02
"""How far widths of one letter, as a share, may differ in a font of even width: the file rounds them."""

EVEN_SPANS = 5
"""Words of one font that must have letters of one width: in other fonts not even two have."""

TALL = 1.9
"""Height of a line in font sizes from which one of its fonts is suspected of a wrong height."""

_BOLD_NAME = re.compile(r"bold|black|heavy|[-.,]B(?:[di]|dIt)?$", re.IGNORECASE)
_MONO_NAME = re.compile(r"courier|mono|typewriter|consolas|menlo|^cmtt", re.IGNORECASE)


class Fragment:
    """A run of text MuPDF saw as one line, or the part of such a line that stands in one box."""

    __slots__ = ("block", "box", "line", "page", "skip", "text")

    def __init__(
        self, text: str, box: tuple[float, ...], block: int, line: int, page: PageText, skip: int = 0
    ) -> None:
        self.text = text
        self.box = box
        self.block = block  # MuPDF's numbers, shared with its words
        self.line = line
        self.page = page
        self.skip = skip  # characters of MuPDF's line before this part, without spaces

    def rect(self, text: str, start: int, end: int) -> Rect:
        """The box of `text[start:end]`, *text* being this fragment's as it stands in its block."""
        return self.page.to_user(self.page.part_box(self, text, start, end))


class Line:
    """A line of text in layout space, with what layout asks of it."""

    __slots__ = (
        "angle",
        "base",
        "block",
        "bold",
        "drop",
        "fragments",
        "lead",
        "mark",
        "mono",
        "other",
        "page",
        "rtl",
        "size",
        "slant",
        "text",
        "x0",
        "x1",
        "y0",
        "y1",
    )

    def __init__(self, fragment: Fragment, size: float) -> None:
        self.text = fragment.text
        self.x0, self.y0, self.x1, self.y1 = fragment.box
        self.base = self.y1  # of its letters: tells the distance of lines whatever their fonts
        self.size = size  # of most of its characters, in points
        self.other = size  # the largest size of a part of it (small capitals among letters)
        self.angle = 0  # of a line that does not run like the page, in degrees
        self.slant: dict[str, Any] | None = None  # MuPDF's own, while the page is read
        self.drop = 0.0  # bottom of the initial it begins with, which reaches into the next lines
        self.bold = self.mono = self.rtl = False  # wholly bold; mostly monospaced; right to left
        self.lead = (
            False  # begins with bold words and a colon or full stop and goes on without: a heading run in
        )
        self.mark = False  # begins with a raised number or sign, as a footnote does
        self.block = fragment.block
        self.page = fragment.page
        self.fragments = [fragment]

    def absorb(self, other: Line, space: bool) -> None:
        """Take in the continuation of this visual line."""
        self.fragments.extend(other.fragments)
        self.x0 = min(self.x0, other.x0)
        self.x1 = max(self.x1, other.x1)
        self.y0 = min(self.y0, other.y0)
        self.y1 = max(self.y1, other.y1)
        if len(self.text) < 4:
            self.bold = other.bold  # the number of a heading
        elif len(other.text) > 3:
            self.bold = self.bold and other.bold
        self.other = max(self.other, other.other)
        if len(other.text) > len(self.text):
            self.size, self.mono = other.size, other.mono
        self.text = f"{self.text} {other.text}" if space else self.text + other.text

    def begin_with(self, initial: Line) -> None:
        """Take in a large first letter; the line keeps its own height."""
        self.text = initial.text + self.text
        self.fragments = [*initial.fragments, *self.fragments]
        self.x0 = min(self.x0, initial.x0)
        self.drop = initial.y1


def shown(text: str) -> int:
    """Characters of *text* that show."""
    return sum(map(len, text.split()))


def clean(text: str) -> str:
    """A line's text without control characters and with single spaces."""
    if text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text
    return " ".join(text.translate(_CLEAN).split())


def even_fonts(content: dict[str, Any]) -> frozenset[str]:
    """Fonts without a telling name whose letters are all of one width, as those of program code are."""
    widths: dict[str, list[float]] = {}
    for block in content["blocks"]:
        if block["type"]:
            continue
        for line in block["lines"]:
            for span in line["spans"]:
                text = span["text"]
                if len(span["font"]) < 5 and len(text) > 2 and " " not in text:
                    box = span["bbox"]
                    widths.setdefault(span["font"], []).append((box[2] - box[0]) / (len(text) * span["size"]))
    return frozenset(
        font
        for font, found in widths.items()
        if len(found) >= EVEN_SPANS and max(found) < (1 + EVEN) * min(found)
    )


def mostly_even(line: dict[str, Any], even: frozenset[str]) -> bool:
    spans = line["spans"]
    return 2 * sum(len(span["text"]) for span in spans if span["font"] in even) > sum(
        len(span["text"]) for span in spans
    )


def make_line(line: dict[str, Any], block: int, index: int, page: PageText) -> Line | None:
    spans = line["spans"]
    if not spans:
        return None
    main = spans[0]
    box = line["bbox"]
    if len(spans) == 1:
        text = clean(line.get("logical") or main["text"])
        if not text:
            return None
        made = Line(Fragment(text, box, block, index, page), main["size"])
        made.bold = bool(main["flags"] & BOLD) or _traits[main["font"]][0]
        made.mono = bool(main["flags"] & MONOSPACED) or _traits[main["font"]][1]
        made.rtl = "logical" in line
        made.base = main["origin"][1]
        return made
    pieces: list[str] = []
    longest = -1
    mark, bold, other = False, True, 0.0
    lead = 0  # pieces from the beginning that are bold
    for span in spans:
        piece = span["text"]
        flags = span["flags"]
        if flags & SUPERSCRIPT and _NOTE_MARK.fullmatch(piece):
            if not pieces:
                mark = True
            elif _WORD_END.search(pieces[-1]):
                # "results3,4" would hide the word from the index.
                pieces.append(" ")
        elif not piece.isspace():
            if len(piece) > longest:
                main, longest = span, len(piece)
            if len(piece) > 1:
                other = max(other, span["size"])
            if bold:
                bold = bool(flags & BOLD) or _traits[span["font"]][0]
                lead = len(pieces) + 1 if bold else lead
        pieces.append(piece)
    text = clean(line.get("logical") or "".join(pieces))
    if not text:
        return None
    fragments = None
    if box[3] - box[1] > TALL * main["size"] and line["dir"][0] > 0.999:
        fragments = _parts(spans, main, block, index, page)
    made = Line(fragments[0] if fragments else Fragment(text, box, block, index, page), main["size"])
    if fragments:
        made.text, made.fragments = text, fragments
        _, made.y0, _, made.y1 = main["bbox"]
        made.x0, made.x1 = box[0], box[2]
    made.base = main["origin"][1]
    made.other = other or made.size
    made.mark = mark
    made.bold = bold
    made.lead = bool(lead) and not bold and _LEAD.search("".join(pieces[:lead])) is not None
    made.mono = bool(main["flags"] & MONOSPACED) or _traits[main["font"]][1]
    made.rtl = "logical" in line
    return made


class _Traits(dict[str, tuple[bool, bool]]):
    """Whether a font is bold and whether it is monospaced, by its name where its flags are silent."""

    def __missing__(self, font: str) -> tuple[bool, bool]:
        traits = self[font] = bool(_BOLD_NAME.search(font)), bool(_MONO_NAME.search(font))
        return traits


_traits = _Traits()


def _parts(
    spans: list[dict[str, Any]], main: dict[str, Any], block: int, index: int, page: PageText
) -> list[Fragment] | None:
    """A line in parts where the glyphs of some font are given a height off the line.

    One box around all would cover the line above or below.
    """
    _, top, _, bottom = main["bbox"]
    middle = (top + bottom) / 2
    parts: list[Fragment] = []
    skip, was_on = 0, None
    for span in spans:
        x0, y0, x1, y1 = span["bbox"]
        text = clean(span["text"])
        if not text:
            continue
        on = y0 < middle < y1
        if on and was_on:
            last = parts[-1]
            a0, b0, a1, b1 = last.box
            gap = " " if span["text"][0] == " " or x0 - a1 > 0.15 * span["size"] else ""
            last.text += gap + text
            last.box = min(a0, x0), min(b0, y0), max(a1, x1), max(b1, y1)
        else:
            parts.append(Fragment(text, span["bbox"], block, index, page, skip))
        was_on = on
        skip += shown(text)
    return parts if len(parts) > 1 else None
