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

_NOTE_SIZE = 22  # points; the sticky note's icon, as Zotero draws it
_INK_WIDTH = 1.5  # points
_WAVE = 6  # points between two bends of a wavy line
_TEXT_SIZE = 11  # points; of a text annotation


class PlaceNotFound(CatalogueError):
    """No page of the PDF has the words of an annotation, or more than one has."""


@dataclass(frozen=True)
class Place:
    """Where an annotation is: Zotero's `position` and `sortIndex`, and what belongs to the page."""

    position: str
    sort_index: str
    page_label: str
    page: int  # from 0
    box: tuple[float, float, float, float]  # left, top, right, bottom in pymupdf's points


@dataclass(frozen=True)
class _Letter:
    text: str
    block: int
    line: int
    box: pymupdf.Rect


def place(document: pymupdf.Document, annotation: Annotation, labels: list[str]) -> Place:
    """Find the words of an annotation in a document.

    Args:
        labels: the printed label of every page.

    Raises:
        PlaceNotFound: the words are not there, or stand on several pages and none is named.
    """
    number, found, start = _find(document, annotation)
    page = document[number]
    boxes = _line_boxes(found)
    box = _union(boxes)
    if annotation.kind == "image":
        box = _figure_above(page, box)
        boxes = [box]
    position: dict[str, object] = {"pageIndex": number}
    if annotation.kind == "ink":
        position |= {"width": _INK_WIDTH, "paths": [_wave(page, line) for line in boxes]}
    elif annotation.kind == "note":
        edge = _left_edge(page, found[0]) - 4
        corner = pymupdf.Rect(edge - _NOTE_SIZE, box.y0, edge, box.y0 + _NOTE_SIZE)
        position["rects"] = [_user_space(page, corner)]
    elif annotation.kind == "text":
        edge = _left_edge(page, found[0]) - 4
        margin = pymupdf.Rect(8, box.y0, edge, box.y0 + 4 * _TEXT_SIZE)
        position |= {"rects": [_user_space(page, margin)]}
        position |= {"fontSize": _TEXT_SIZE, "rotation": 0}
    else:
        position["rects"] = [_user_space(page, line) for line in boxes]
    if annotation.next_quote:
        position["nextPageRects"] = _next_page_rects(document, number, annotation.next_quote)
    return Place(
        position=json.dumps(position, separators=(",", ":")),
        sort_index=f"{number:05}|{start:06}|{max(0, math.floor(box.y0)):05}",
        page_label=labels[number],
        page=number,
        box=tuple(box),
    )


def quoted_text(annotation: Annotation) -> str:
    """The text Zotero keeps with an annotation: only highlights and underlines have one."""
    if annotation.kind not in ("highlight", "underline"):
        return ""
    return " ".join(f"{annotation.quote} {annotation.next_quote}".split())


def _find(document: pymupdf.Document, annotation: Annotation) -> tuple[int, list[_Letter], int]:
    """The page (from 0), its letters of the quote, and how many letters stand before them."""
    wanted = _squeezed(annotation.quote)
    pages = range(len(document)) if annotation.page is None else [annotation.page - 1]
    hits = []
    for number in pages:
        letters = _letters(document[number])
        spoken = [index for index, letter in enumerate(letters) if letter.text.isalnum()]
        start = "".join(letters[index].text for index in spoken).find(wanted)
        if start >= 0:
            first, last = spoken[start], spoken[start + len(wanted) - 1]
            hits.append((number, letters[first : last + 1 + _stops(annotation.quote, letters, last)], first))
    if len(hits) != 1:
        where = f"on {len(hits)} pages" if hits else "nowhere"
        raise PlaceNotFound(f"{annotation.id}: {annotation.quote!r} stands {where}")
    return hits[0]


def _stops(quote: str, letters: list[_Letter], last: int) -> int:
    """How many stops at the end of the quote also follow its last letter on the page."""
    stops = re.search(r"\W*$", quote)[0]
    following = "".join(letter.text for letter in letters[last + 1 : last + 1 + len(stops)])
    return len(stops) if following == stops else 0


def _letters(page: pymupdf.Page) -> list[_Letter]:
    """The visible letters in reading order."""
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


def _line_boxes(letters: list[_Letter]) -> list[pymupdf.Rect]:
    boxes: dict[int, pymupdf.Rect] = {}
    for letter in letters:
        known = boxes.get(letter.line)
        boxes[letter.line] = pymupdf.Rect(letter.box) if known is None else known | letter.box
    return list(boxes.values())


def _union(boxes: list[pymupdf.Rect]) -> pymupdf.Rect:
    whole = pymupdf.Rect(boxes[0])
    for box in boxes[1:]:
        whole |= box
    return whole


def _figure_above(page: pymupdf.Page, caption: pymupdf.Rect) -> pymupdf.Rect:
    """The drawings above a caption, as wide as its column and with a little air."""
    reach = pymupdf.Rect(
        caption.x0 - 4, caption.y0 - 190, caption.x0 + max(caption.width + 60, 250), caption.y0
    )
    drawn = [
        pymupdf.Rect(drawing["rect"])
        for drawing in page.get_drawings()
        if reach.contains(drawing["rect"]) and drawing["rect"].height < 150
    ]
    if not drawn:
        raise PlaceNotFound("no figure stands above the caption of an image annotation")
    figure = _union(drawn)
    return pymupdf.Rect(caption.x0, figure.y0 - 6, max(figure.x1 + 40, caption.x1), figure.y1 + 6)


def _wave(page: pymupdf.Page, line: pymupdf.Rect) -> list[float]:
    steps = max(2, int(line.width // _WAVE))
    points = []
    for step in range(steps + 1):
        x = line.x0 + line.width * step / steps
        y = page.rect.height - line.y1 + (1.2 if step % 2 else -1.2)
        points += [round(x, 3), round(y, 3)]
    return points


def _left_edge(page: pymupdf.Page, letter: _Letter) -> float:
    """Where the paragraph of a letter begins on the left."""
    return min(one.box.x0 for one in _letters(page) if one.block == letter.block)


def _next_page_rects(document: pymupdf.Document, number: int, quote: str) -> list[list[float]]:
    continued = Annotation(id="", kind="highlight", quote=quote, page=number + 2)
    _, found, _ = _find(document, continued)
    boxes = _line_boxes(found)
    return [_user_space(document[number + 1], box) for box in boxes]


def _user_space(page: pymupdf.Page, box: pymupdf.Rect) -> list[float]:
    height = page.rect.height
    return [round(box.x0, 3), round(height - box.y1, 3), round(box.x1, 3), round(height - box.y0, 3)]
