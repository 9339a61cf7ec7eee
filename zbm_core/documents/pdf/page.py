"""One PDF page as MuPDF reads it: its lines with text, font and place, ready for layout.

Only worker children import this module's caller; `pymupdf` itself is never named here, the page
object is handed in.

Two spaces are in use. *Page space* is MuPDF's: points, origin top left of the unrotated crop box.
*Layout space* is page space turned so that the page's main text runs from left to right, and
mirrored for right-to-left scripts; there "left", "above" and "indented" mean the same for every
page. Boxes leave this package in PDF user space (`PageText.to_user`).
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from math import atan2, degrees
from typing import Any

from zbm_core.documents.pdf.exact import HIDDEN, NEEDS_GLYPHS, take_apart
from zbm_core.documents.pdf.line import Fragment, Line, even_fonts, make_line, mostly_even, shown
from zbm_core.documents.structure import Rect

# MuPDF's numbers for what `get_textpage` shall do (fz_stext_options): keep spaces, give unknown
# glyphs a character, leave out what lies outside the page. Ligatures are taken apart by default.
TEXT_FLAGS = 2 | 64 | 128

_UNCOUNTED = re.compile("[" + re.escape("".join(sorted(HIDDEN))) + "]")

UPRIGHT = 0.999
"""Cosine up to which a line runs along the page, two and a half degrees: a page laid askew on the scanner."""


class PageText:
    """The lines of one page and the boxes of its words.

    Attributes:
        number: from 0.
        lines: those of the main direction, in the order of the file, in layout space.
        stray: lines of other directions (a stamp in the margin, a label of an axis), each with the
            coordinates of a page that runs like itself.
        width, height: of the page in layout space.
    """

    __slots__ = (
        "_blocks",
        "_lengths",
        "_lines",
        "_user",
        "_x0",
        "_x1",
        "_y0",
        "_y1",
        "height",
        "lines",
        "number",
        "stray",
        "width",
    )

    def __init__(self, number: int, user: tuple[float, ...]) -> None:
        self.number = number
        self._user = user
        self.lines: list[Line] = []
        self.stray: list[Line] = []
        self.width = self.height = 0.0

    def keep_words(self, words: list[tuple[Any, ...]]) -> None:
        """Store MuPDF's words in a compact form (22 bytes each)."""
        if words:
            x0, y0, x1, y1, texts, blocks, lines, _ = zip(*words, strict=True)
        else:
            x0 = y0 = x1 = y1 = texts = blocks = lines = ()
        self._x0, self._y0 = array("f", x0), array("f", y0)
        self._x1, self._y1 = array("f", x1), array("f", y1)
        if _UNCOUNTED.search("".join(texts)):
            texts = [_UNCOUNTED.sub("", text) for text in texts]
        self._lengths = array("L", map(len, texts))
        self._blocks, self._lines = array("L", blocks), array("L", lines)

    def to_user(self, box: tuple[float, ...]) -> Rect:
        """A box of page space in PDF user space."""
        scale, left, top = self._user
        x0, y0, x1, y1 = box
        return Rect(self.number, left + x0 * scale, top - y1 * scale, left + x1 * scale, top - y0 * scale)

    def part_box(self, fragment: Fragment, text: str, start: int, end: int) -> tuple[float, ...]:
        """The box in page space of `text[start:end]`: the union of the words it touches.

        The text's spaces are not always those that parted MuPDF's words, so characters are
        counted without any.
        """
        first = bisect_left(self._blocks, fragment.block)
        last = bisect_right(self._blocks, fragment.block)
        first, last = (
            bisect_left(self._lines, fragment.line, first, last),
            bisect_right(self._lines, fragment.line, first, last),
        )
        before = fragment.skip + shown(text[:start])
        within = shown(text[start:end])
        at = 0
        chosen: list[int] = []
        for index in range(first, last):
            length = self._lengths[index]
            if at + length > before and at < before + within:
                chosen.append(index)
            at += length
        if not chosen:
            return fragment.box
        box = fragment.box
        return (
            max(box[0], min(self._x0[index] for index in chosen)),
            max(box[1], min(self._y0[index] for index in chosen)),
            min(box[2], max(self._x1[index] for index in chosen)),
            min(box[3], max(self._y1[index] for index in chosen)),
        )


def read_page(page: Any, number: int, user: tuple[float, ...]) -> PageText:
    """Read one page.

    Args:
        page: a `pymupdf.Page` whose rotation was set to 0.
        user: scale, left and top that turn page space into PDF user space.
    """
    textpage = page.get_textpage(flags=TEXT_FLAGS)
    content = textpage.extractDICT()
    result = PageText(number, user)
    if NEEDS_GLYPHS.search(_sample(content)):
        content = textpage.extractRAWDICT()
        result.keep_words(take_apart(content))
    else:
        result.keep_words(textpage.extractWORDS())
    even = even_fonts(content)
    directions: dict[tuple[int, int] | int, list[Line]] = {}
    weights: dict[tuple[int, int] | int, int] = {}
    for block in content["blocks"]:
        if block["type"]:
            continue
        number_of_block = block["number"]
        for index, line in enumerate(block["lines"]):
            made = make_line(line, number_of_block, index, result)
            if made is None:
                continue
            if even and mostly_even(line, even):
                made.mono = True
            x, y = line["dir"]
            key = (1, 0) if x > UPRIGHT else _direction(x, y)
            if key != (1, 0):
                made.slant = line
            directions.setdefault(key, []).append(made)
            weights[key] = weights.get(key, 0) + len(made.text)
    result.width, result.height = content["width"], content["height"]
    if directions:
        main = max(weights, key=weights.__getitem__)
        for key, lines in directions.items():
            if key == main or (isinstance(key, int) and isinstance(main, int) and abs(key - main) < 2):
                result.lines.extend(lines)
            else:
                for made in lines:
                    _straighten(made)
                result.stray.extend(lines)
        if isinstance(main, int):
            for made in result.lines:
                _straighten(made)
            main = (1, 0)
        _turn(result, main, result.width, result.height)
    for made in (*result.lines, *result.stray):
        made.slant = None
    return result


def _sample(content: dict[str, Any]) -> str:
    """The page's text in one piece, to look for scripts in."""
    return "".join(
        [
            span["text"]
            for block in content["blocks"]
            if not block["type"]
            for line in block["lines"]
            for span in line["spans"]
        ]
    )


def _direction(x: float, y: float) -> tuple[int, int] | int:
    """One of the four directions of a page, or degrees."""
    for near in ((0, 1), (0, -1), (-1, 0)):
        if x * near[0] + y * near[1] > UPRIGHT:
            return near
    return round(degrees(atan2(y, x)))


def _straighten(made: Line) -> None:
    """Give a line the coordinates of a page turned so that it runs from left to right."""
    line = made.slant
    if line is None:
        return
    x, y = line["dir"]
    left, top, right, bottom = line["bbox"]
    start, base = line["spans"][0]["origin"]
    height = 1.2 * made.size
    # The box around a slanted line is larger than the line; the line's own length follows from both.
    length = (right - left) * abs(x) + (bottom - top) * abs(y) - 2 * height * abs(x * y)
    made.x0 = start * x + base * y
    made.x1 = made.x0 + max(length, made.size)
    made.base = base * x - start * y
    made.y0, made.y1 = made.base - 0.9 * made.size, made.base + 0.3 * made.size
    made.angle = round(degrees(atan2(y, x)))


def _turn(page: PageText, direction: tuple[int, int], width: float, height: float) -> None:
    """Move the page's lines to layout space."""
    rtl = 2 * sum(len(line.text) for line in page.lines if line.rtl) > sum(
        len(line.text) for line in page.lines
    )
    if direction != (1, 0):
        for line in page.lines:
            x0, y0, x1, y1 = line.x0, line.y0, line.x1, line.y1
            if direction == (0, 1):
                line.x0, line.y0, line.x1, line.y1 = y0, width - x1, y1, width - x0
            elif direction == (0, -1):
                line.x0, line.y0, line.x1, line.y1 = height - y1, x0, height - y0, x1
            else:
                line.x0, line.y0, line.x1, line.y1 = width - x1, height - y1, width - x0, height - y0
        for line in page.lines:
            line.base = line.y1
        if direction[0] == 0:
            width, height = height, width
    if rtl:
        for line in page.lines:
            line.x0, line.x1 = width - line.x1, width - line.x0
    page.width, page.height = width, height
