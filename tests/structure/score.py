"""How the blocks read from a page compare with what the page holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from tests.structure.truth import FLOATS, FLOW, Expected, ExpectedPage
from zbm_core.documents.structure import Block, BlockKind

SLACK = 8
"""Letters that may stand between two paragraphs: the raised numbers after an end, the sign before a beginning."""

FOUND_AS = {
    "heading": BlockKind.HEADING,
    "caption": BlockKind.CAPTION,
    "footnote": BlockKind.FOOTNOTE,
    "table": BlockKind.TABLE,
    "list": BlockKind.LIST_ITEM,
    "reference": BlockKind.REFERENCE,
}

_FLOATING = (BlockKind.CAPTION, BlockKind.FOOTNOTE, BlockKind.TABLE)

Box = tuple[float, float, float, float]


class Part(NamedTuple):
    """The part of one block that stands on a page."""

    kind: BlockKind
    level: int
    text: str
    boxes: tuple[
        tuple[int, Box], ...
    ]  # where each stretch of the text begins and stands, in hundredths of the page
    begins: bool = True  # the block begins here and not on an earlier page
    ends: bool = True


@dataclass
class Score:
    """Right and all, by what was asked; `wrong` says what was not right, for a person."""

    right: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, name: str, holds: bool, what: str) -> None:
        self.asked[name] = self.asked.get(name, 0) + 1
        self.right[name] = self.right.get(name, 0) + holds
        if not holds:
            self.wrong.append(f"{name}: {what}")

    def add(self, other: Score) -> None:
        for name, asked in other.asked.items():
            self.asked[name] = self.asked.get(name, 0) + asked
            self.right[name] = self.right.get(name, 0) + other.right[name]
        self.wrong.extend(other.wrong)

    def share(self, name: str) -> float | None:
        return self.right[name] / self.asked[name] if self.asked.get(name) else None


class Place(NamedTuple):
    """Letters `start`..`end` of the page's folded text."""

    start: int
    end: int


def fold(text: str) -> str:
    """Letters and digits alone, without case, accents and ligatures."""
    return "".join(char for char in unicodedata.normalize("NFKD", text).casefold() if char.isalnum())


class PageBlocks:
    """The text of a page's blocks in the order they were read, folded, with who owns each letter."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.text = ""
        self.owner: list[int] = []  # of each letter: index of its part
        self.box: list[Box | None] = []  # and where it stands
        self.first: list[int] = []  # of each part: its first letter
        for index, part in enumerate(parts):
            self.first.append(len(self.owner))
            starts = [start for start, _ in part.boxes]
            at = -1
            letters: list[str] = []
            for offset, char in enumerate(part.text):
                while at + 1 < len(starts) and starts[at + 1] <= offset:
                    at += 1
                folded = fold(char)
                letters.append(folded)
                self.owner.extend([index] * len(folded))
                self.box.extend([part.boxes[at][1] if at >= 0 else None] * len(folded))
            self.text += "".join(letters)
        self._aside = [False] * len(self.text)

    def beside(self, boxes: Iterable[Box]) -> None:
        """Say which boxes hold figures and tables: paragraphs are looked for outside them first."""
        self._aside = [_within(box, boxes) for box in self.box]

    def find(self, block: Expected, after: int) -> Place | None:
        """Where an expected block stands; where its words stand more than once, the next after *after*."""
        start = self._nearest(fold(block.start), after, at_start=True)
        if start is None:
            return None
        if not block.end:
            return Place(start, start + len(fold(block.start)))
        end = self._nearest(fold(block.end), start, at_start=False)
        return None if end is None else Place(start, end + len(fold(block.end)))

    def _nearest(self, wanted: str, after: int, *, at_start: bool) -> int | None:
        found = (
            [match.start() for match in re.finditer(f"(?={re.escape(wanted)})", self.text)] if wanted else []
        )
        found.sort(key=lambda place: self._aside[place])
        at_edge = [place for place in found if self._at_edge(place, place + len(wanted), at_start)]
        for places in (at_edge, found):
            for place in places:  # those outside boxes first
                if place >= after:
                    return place
        return (at_edge or found or [None])[0]

    def _at_edge(self, start: int, end: int, at_start: bool) -> bool:
        if at_start:
            return start - self.first[self.owner[start]] <= SLACK
        owner = self.owner[end - 1]
        last = self.first[owner + 1] if owner + 1 < len(self.first) else len(self.text)
        return last - end <= SLACK


def score_page(page: ExpectedPage, parts: Sequence[Part]) -> Score:
    """Compare *parts*, all that was read from the page, in order, with what is expected."""
    score = Score()
    read = PageBlocks([part for part in parts if part.kind is not BlockKind.EXCLUDED])
    read.beside(page.boxes)
    places: dict[int, Place | None] = {}
    after = 0
    for index, block in enumerate(page.blocks):
        if block.kind in FLOW:
            place = places[index] = read.find(block, after)
            after = place.end if place else after
    for index, block in enumerate(page.blocks):
        if block.kind in FLOATS:
            places[index] = read.find(block, 0)
    _score_order(page, read, places, score)
    _score_kinds(page, read, places, score)
    _score_text(page, read, score)
    return score


def _score_order(page: ExpectedPage, read: PageBlocks, places: dict[int, Place | None], score: Score) -> None:
    floating = {
        read.owner[place.start]
        for index, place in places.items()
        if place and page.blocks[index].kind in FLOATS
    }
    floating = {owner for owner in floating if read.parts[owner].kind in _FLOATING}
    floating |= {
        read.owner[place.start]
        for index, place in places.items()
        if place and page.blocks[index].kind == "aside"
    }
    flow = [index for index, block in enumerate(page.blocks) if block.kind in FLOW]
    for index in flow:
        block, place = page.blocks[index], places[index]
        if block.kind != "stretch":
            whole = place is not None and place.start < place.end and _one_part(read, place)
            score.count("whole", whole, _name(page, block))
        if block.goes_on:
            part = read.parts[read.owner[place.end - 1]] if place else None
            score.count("over_pages", part is not None and not part.ends, _name(page, block))
    for first, second in pairwise(flow):
        one, other = places[first], places[second]
        holds = one is not None and other is not None and one.end <= other.start
        if holds:
            between = [
                at for at in range(one.end, other.start) if not _beside_the_flow(page, read, floating, at)
            ]
            parted = read.owner[one.end - 1] != read.owner[other.start]
            holds = len(between) <= SLACK and (parted or page.blocks[second].soft)
        score.count("pairs", holds, f"{_name(page, page.blocks[first])} || {page.blocks[second].start}")


def _one_part(read: PageBlocks, place: Place) -> bool:
    return read.owner[place.start] == read.owner[place.end - 1]


def _beside_the_flow(page: ExpectedPage, read: PageBlocks, floating: set[int], at: int) -> bool:
    if read.owner[at] in floating:
        return True
    return _within(read.box[at], page.boxes)


def _within(box: Box | None, boxes: Iterable[Box]) -> bool:
    """Whether the middle of *box* lies in one of *boxes*."""
    if box is None:
        return False
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in boxes)


def _score_kinds(page: ExpectedPage, read: PageBlocks, places: dict[int, Place | None], score: Score) -> None:
    claimed: dict[str, set[int]] = {kind: set() for kind in FOUND_AS}
    allowed: set[int] = set()
    levels: list[tuple[int, int]] = []
    for index, block in enumerate(page.blocks):
        place = places.get(index)
        owner = read.owner[place.start] if place else None
        if block.kind == "front" and owner is not None:
            allowed.add(owner)
        kind = FOUND_AS.get(block.kind)
        if kind is None or block.continues:
            if owner is not None and block.continues:
                allowed.add(owner)
            continue
        part = read.parts[owner] if owner is not None else None
        holds = part is not None and part.kind is kind
        if block.kind in ("heading", "caption", "footnote"):
            holds = holds and place.start - read.first[owner] <= SLACK
        score.count(f"{block.kind}.recall", holds, _name(page, block))
        if holds:
            claimed[block.kind].add(owner)
            if block.kind == "heading":
                levels.append((block.level, part.level))
    for name in ("heading", "caption", "footnote"):
        for index, part in enumerate(read.parts):
            if part.kind is FOUND_AS[name] and index not in allowed and not _in_box(page, part):
                score.count(f"{name}.precision", index in claimed[name], f"{page.number}: {part.text[:60]!r}")
    for (level, got), (next_level, next_got) in pairwise(levels):
        same = (level > next_level) - (level < next_level) == (got > next_got) - (got < next_got)
        score.count("heading.levels", same, f"{page.number}: {level} {next_level}, read as {got} {next_got}")


def _in_box(page: ExpectedPage, part: Part) -> bool:
    return _within(part.boxes[0][1] if part.boxes else None, page.boxes)


def _score_text(page: ExpectedPage, read: PageBlocks, score: Score) -> None:
    lines = [line for part in read.parts for line in part.text.split("\n")]
    for text in page.gone:
        wanted = fold(text)
        # A page number is looked for alone: any number may stand within a text.
        stays = (fold(line) == wanted if len(wanted) < 5 else wanted in fold(line) for line in lines)
        score.count("gone", not any(stays), f"{page.number}: {text}")
    text = " ".join(part.text for part in read.parts).casefold()
    for word in page.joined:
        found = re.findall("(?:[-\u2010\u00ad]\\s?)?".join(map(re.escape, word.casefold())), text)
        holds = bool(found) and all(each == word.casefold() for each in found)
        score.count("hyphens.joined", holds, f"{page.number}: {word}")
    for word in page.kept:
        score.count("hyphens.kept", word.casefold() in text.replace("\u2010", "-"), f"{page.number}: {word}")


def _name(page: ExpectedPage, block: Expected) -> str:
    return f"{page.number}: {block.start}" + (f" .. {block.end}" if block.end else "")


def parts_of_page(blocks: Iterable[Block], page: int, place: PagePlace) -> Iterator[Part]:
    """What of *blocks* stands on page *page* (from 0)."""
    for block in blocks:
        here = [index for index, span in enumerate(block.spans) if span.rect.page == page]
        if not here:
            continue
        start, end = block.spans[here[0]].start, block.spans[here[-1]].end
        boxes = tuple((block.spans[i].start - start, place.shown(block.spans[i].rect)) for i in here)
        ends = here[-1] == len(block.spans) - 1
        yield Part(block.kind, block.level, block.text[start:end], boxes, here[0] == 0, ends)


class PagePlace:
    """Turns boxes of PDF user space into hundredths of the page as it is shown."""

    def __init__(self, page: object) -> None:
        self._matrix = page.transformation_matrix * page.rotation_matrix  # type: ignore[attr-defined]
        self._rect = page.rect  # type: ignore[attr-defined]

    def shown(self, rect: tuple[float, ...]) -> Box:
        import pymupdf

        box = pymupdf.Rect(rect[1:]) * self._matrix
        box.normalize()
        width, height = self._rect.width, self._rect.height
        return 100 * box.x0 / width, 100 * box.y0 / height, 100 * box.x1 / width, 100 * box.y1 / height
