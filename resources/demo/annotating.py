"""Places annotations on the pages of a PDF by the words they mark, in Zotero's own form.

Zotero's positions are in PDF user space: points from the bottom left of the page. The demo's pages
are neither rotated nor cropped, so that only the direction of y differs from pymupdf's.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

import pymupdf

from resources.demo.catalogue import Annotation, CatalogueError
from zbm_core.documents.pdf.labels import page_labels

# All in points.
_NOTE_SIZE = 22  # the sticky note's icon, as Zotero draws it
_INK_WIDTH = 1.5
_WAVE = 6  # between two bends of a wavy line
_WAVE_HEIGHT = 1.2
_TEXT_SIZE = 11  # of a text annotation
_BESIDE = 8  # between a word and a stop that belongs to it
_FIGURE_HEIGHT = 190  # how far above its caption a figure is looked for


class PlaceNotFound(CatalogueError):
    """No page of the PDF has the words of an annotation, or more than one has."""


@dataclass(frozen=True)
class Place:
    """Where an annotation is: Zotero's `position` and `sortIndex`, and what belongs to the page."""

    position: str
    sort_index: str
    page_label: str = ""
    page: int | None = None  # from 0; None where a format has no pages
    box: tuple[float, ...] = ()  # left, top, right, bottom in pymupdf's points


@dataclass(frozen=True)
class _Letter:
    text: str
    block: int
    line: int
    box: pymupdf.Rect


@dataclass(frozen=True)
class _Found:
    page: int
    start: int  # letters of the page before the quote
    letters: list[_Letter]

    @property
    def boxes(self) -> list[pymupdf.Rect]:
        return _line_boxes(self.letters)


class Annotator:
    """Finds places in one open PDF."""

    def __init__(self, document: pymupdf.Document) -> None:
        self.document = document
        self._labels = page_labels(document)
        self._pages: dict[int, list[_Letter]] = {}

    def place(self, annotation: Annotation) -> Place:
        """Find the words of an annotation.

        Raises:
            PlaceNotFound: the words are not there, or stand on several pages and none is named.
        """
        found = self._find(annotation.quote, annotation.page, annotation.id)
        page = self.document[found.page]
        boxes = [self._figure(found)] if annotation.kind == "image" else found.boxes
        box = _union(boxes)
        position: dict[str, object] = {"pageIndex": found.page}
        if annotation.kind == "ink":
            position |= {"width": _INK_WIDTH, "paths": [_wave(page, line) for line in boxes]}
        elif annotation.kind in ("note", "text"):
            edge = self._left_edge(found) - 4
            if annotation.kind == "note":
                corner = pymupdf.Rect(edge - _NOTE_SIZE, box.y0, edge, box.y0 + _NOTE_SIZE)
                position["rects"] = [_user_space(page, corner)]
            else:
                margin = pymupdf.Rect(8, box.y0, edge, box.y0 + 4 * _TEXT_SIZE)
                position |= {"rects": [_user_space(page, margin)], "fontSize": _TEXT_SIZE, "rotation": 0}
        else:
            position["rects"] = [_user_space(page, line) for line in boxes]
        if annotation.next_quote:
            following = self._find(annotation.next_quote, found.page + 2, annotation.id)
            next_page = self.document[following.page]
            position["nextPageRects"] = [_user_space(next_page, line) for line in following.boxes]
        return Place(
            position=json.dumps(position, separators=(",", ":")),
            sort_index=f"{found.page:05}|{found.start:06}|{max(0, math.floor(box.y0)):05}",
            page_label=self._labels[found.page],
            page=found.page,
            box=tuple(box),
        )

    def _find(self, quote: str, page: int | None, identifier: str) -> _Found:
        """The letters of a quote on `page` (from 1), or on the only page that has it."""
        wanted = _squeezed(quote)
        hits = []
        for number in range(len(self.document)) if page is None else [page - 1]:
            letters = self._letters(number)
            spoken = [index for index, letter in enumerate(letters) if letter.text.isalnum()]
            start = "".join(letters[index].text for index in spoken).find(wanted)
            if start >= 0:
                first, last = spoken[start], spoken[start + len(wanted) - 1]
                end = last + 1 + _stops(quote, letters, last)
                hits.append(_Found(number, first, letters[first:end]))
        if len(hits) != 1:
            where = f"on {len(hits)} pages" if hits else "nowhere"
            raise PlaceNotFound(f"{identifier}: {quote!r} stands {where}")
        return hits[0]

    def _letters(self, number: int) -> list[_Letter]:
        """The visible letters of a page (from 0) in reading order."""
        if number not in self._pages:
            self._pages[number] = _read_letters(self.document[number])
        return self._pages[number]

    def _left_edge(self, found: _Found) -> float:
        """Where the paragraph of the quote begins on the left."""
        block = found.letters[0].block
        return min(letter.box.x0 for letter in self._letters(found.page) if letter.block == block)

    def _figure(self, found: _Found) -> pymupdf.Rect:
        """What stands between a caption and the top of the drawings above it, as wide as both."""
        block, line = found.letters[0].block, found.letters[0].line
        # A legend may belong to the same block as the caption below it.
        letters = self._letters(found.page)
        caption = _union([one.box for one in letters if one.block == block and one.line >= line])
        reach = pymupdf.Rect(caption.x0 - 4, caption.y0 - _FIGURE_HEIGHT, caption.x1 + 30, caption.y0)
        # A ruled line has no height, and a box without height would be left out of a union.
        thick = pymupdf.Rect(-0.5, -0.5, 0.5, 0.5)
        drawn = [pymupdf.Rect(one["rect"]) + thick for one in self.document[found.page].get_drawings()]
        drawn = [rect for rect in drawn if reach.contains(rect)]
        if not drawn:
            raise PlaceNotFound("no figure stands above the caption of an image annotation")
        figure = _union(drawn)
        return pymupdf.Rect(caption.x0, figure.y0 - 6, max(figure.x1, caption.x1), caption.y0 - 2)


def quoted_text(annotation: Annotation) -> str:
    """The text Zotero keeps with an annotation: only highlights and underlines have one."""
    if annotation.kind not in ("highlight", "underline"):
        return ""
    return " ".join(f"{annotation.quote} {annotation.next_quote}".split())


def _read_letters(page: pymupdf.Page) -> list[_Letter]:
    flags = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_LIGATURES
    letters: list[_Letter] = []
    line_number = 0
    for number, block in enumerate(page.get_text("rawdict", flags=flags)["blocks"]):
        for line in block.get("lines", ()):
            for span in line["spans"]:
                letters += [
                    _Letter(char["c"], number, line_number, pymupdf.Rect(char["bbox"]))
                    for char in span["chars"]
                    if not char["c"].isspace()
                ]
            line_number += 1
    return letters


def _squeezed(text: str) -> str:
    """Letters and digits alone: hyphens at line ends and the place of Arabic stops do not matter."""
    return "".join(char for char in text if char.isalnum())


def _stops(quote: str, letters: list[_Letter], last: int) -> int:
    """How many stops at the end of the quote also follow its last letter on the page."""
    stops = re.search(r"\W*$", quote)[0]
    following = "".join(letter.text for letter in letters[last + 1 : last + 1 + len(stops)])
    return len(stops) if following == stops else 0


def _line_boxes(letters: list[_Letter]) -> list[pymupdf.Rect]:
    """One box a line: around its letters and digits, and the stops that stand beside these.

    In a line from right to left a stop may come first in the order of extraction and stand far
    from the marked words.
    """
    boxes: dict[int, pymupdf.Rect] = {}
    for letter in sorted(letters, key=lambda letter: not letter.text.isalnum()):
        known = boxes.get(letter.line)
        if known is None:
            boxes[letter.line] = pymupdf.Rect(letter.box)
        elif letter.text.isalnum() or known.x0 - _BESIDE < letter.box.x0 < known.x1 + _BESIDE:
            boxes[letter.line] = known | letter.box
    return [boxes[line] for line in sorted(boxes)]


def _union(boxes: list[pymupdf.Rect]) -> pymupdf.Rect:
    whole = pymupdf.Rect(boxes[0])
    for box in boxes[1:]:
        whole |= box
    return whole


def _wave(page: pymupdf.Page, line: pymupdf.Rect) -> list[float]:
    """A wavy line along the lower edge of a line of text: x, y, x, y, ..."""
    steps = max(2, int(line.width // _WAVE))
    points = []
    for step in range(steps + 1):
        x = line.x0 + line.width * step / steps
        y = page.rect.height - line.y1 + (_WAVE_HEIGHT if step % 2 else -_WAVE_HEIGHT)
        points += [round(x, 3), round(y, 3)]
    return points


def _user_space(page: pymupdf.Page, box: pymupdf.Rect) -> list[float]:
    height = page.rect.height
    return [round(box.x0, 3), round(height - box.y1, 3), round(box.x1, 3), round(height - box.y0, 3)]
