"""The matches of a search, marked on the pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from zbm_gui.viewer.match_tints import tint
from zbm_gui.viewer.reader import ReaderMatch

from .geometry import PageFrame
from .paper import PageLook, marker

MARGIN_BAR = 3.0  # px wide
MARGIN_GAP = 7.0  # px between the bar and the passage
OTHER_SHARE = 0.6  # of the current match's colour, for the others
# A line's box is its glyphs' height; a marker reaches a little beyond, in points.
REACH = 0.8
# Beyond these a passage is not a passage: what a damaged index may hand over.
MAX_RECTS = 2000


class Line(NamedTuple):
    """One box of a match on a page, in page space."""

    match: int
    rect: QRectF


class MatchLayer:
    """Paints passages, their words and a bar beside them. `words` are found later: `set_words`."""

    def __init__(self, frame: Callable[[int], PageFrame | None], number: int = 0) -> None:
        """*number* of the set whose matches these are: it has its own colours."""
        self._frame = frame
        self.number = number
        self._matches: Sequence[ReaderMatch] = ()
        self._lines: dict[int, list[Line]] = {}
        self._pages: dict[int, set[int]] = {}
        self._words: dict[tuple[int, int], list[QRectF]] = {}
        self.current = -1
        self.pulse = 0.0  # 0 to 1: how much deeper the current match is just now

    @property
    def matches(self) -> Sequence[ReaderMatch]:
        return self._matches

    def set_matches(self, matches: Sequence[ReaderMatch]) -> None:
        self._matches = tuple(matches)
        self._lines, self._words, self._pages = {}, {}, {}
        for index, match in enumerate(self._matches):
            for rect in match.rects[:MAX_RECTS]:
                self._pages.setdefault(rect.page, set()).add(index)

    def forget_geometry(self) -> None:
        """Frames have changed."""
        self._lines, self._words = {}, {}

    def lines(self, page: int) -> list[Line]:
        """Every box on *page*, in page space."""
        lines = self._lines.get(page)
        if lines is None:
            lines = self._lines[page] = self._lines_of(page)
        return lines

    def _lines_of(self, page: int) -> list[Line]:
        frame = self._frame(page)
        if frame is None:
            return []
        return [
            Line(index, frame.rect(*rect[1:]))
            for index in sorted(self._pages.get(page, ()))
            for rect in self._matches[index].rects[:MAX_RECTS]
            if rect.page == page
        ]

    def start(self, index: int) -> tuple[int, QPointF] | None:
        """Page and top left of where match *index* begins, on the page of its quote."""
        if not 0 <= index < len(self._matches) or not self._matches[index].rects:
            return None
        match = self._matches[index]
        page = match.rects[match.focus if match.focus < len(match.rects) else 0].page
        frame = self._frame(page)
        if frame is None:
            return None
        first = next(rect for rect in match.rects if rect.page == page)
        return page, frame.rect(*first[1:]).topLeft()

    def pages(self) -> set[int]:
        """Those with a match."""
        return set(self._pages)

    def at(self, page: int, point: QPointF) -> int | None:
        """The match at a point of page space."""
        hits = [line.match for line in self.lines(page) if line.rect.contains(point)]
        return (self.current if self.current in hits else hits[0]) if hits else None

    def words(self, page: int, index: int) -> list[QRectF] | None:
        return self._words.get((page, index))

    def set_words(self, page: int, index: int, rects: list[QRectF]) -> None:
        self._words[page, index] = rects

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        by_match: dict[int, list[QRectF]] = {}
        for line in self.lines(page):
            by_match.setdefault(line.match, []).append(line.rect)
        for index in sorted(by_match, key=lambda i: i == self.current):
            self._paint_match(painter, page, index, by_match[index], look)

    def _paint_match(
        self, painter: QPainter, page: int, index: int, rects: list[QRectF], look: PageLook
    ) -> None:
        current = index == self.current
        share = 1.0 + self.pulse if current else OTHER_SHARE
        tints = tint(self.number, look.colors)
        wash = _at_share(tints.wash, share)
        # In page space, where lines lie under each other however the page is turned.
        boxes = [rect.adjusted(-REACH, -REACH, REACH, REACH) for rect in rects]
        for box in _joined(boxes):
            marker(painter, look, look.box(box), wash)
        for rect in self._words.get((page, index), ()):
            box = look.box(rect.adjusted(-REACH / 2, -REACH, REACH / 2, REACH))
            marker(painter, look, box, _at_share(tints.deep, share if current else 0.7))
        colour = QColor(look.colors.accent) if current else _at_share(tints.deep, 1.0)
        pixel = 1 / max(1e-6, look.scale)
        for column in _columns(boxes):
            width = MARGIN_BAR * pixel
            left = column.left() - MARGIN_GAP * pixel - width
            bar = QRectF(max(pixel, left), column.top(), width, column.height())
            painter.fillRect(look.box(bar), colour)


def _at_share(colour: QColor, share: float) -> QColor:
    lighter = QColor(colour)
    lighter.setAlphaF(min(1.0, colour.alphaF() * share))
    return lighter


def _joined(boxes: list[QRectF]) -> list[QRectF]:
    """Boxes of lines under each other, made to touch: no strip is marked twice, none left out."""
    joined: list[QRectF] = []
    for box in boxes:
        box = QRectF(box)
        if joined:
            above = joined[-1]
            beside = box.left() < above.right() and above.left() < box.right()
            reach = min(box.height(), above.height()) / 2
            if beside and above.top() < box.top() and abs(box.top() - above.bottom()) < reach:
                box.setTop(above.bottom())
        joined.append(box)
    return joined


def _columns(boxes: list[QRectF]) -> list[QRectF]:
    """The boxes gathered into blocks: a line that starts above the one before begins a new column."""
    blocks: list[QRectF] = []
    last: QRectF | None = None
    for box in boxes:
        same = (
            last is not None and box.top() >= last.top() - 1 and box.top() - last.bottom() < 3 * box.height()
        )
        if same:
            blocks[-1] = blocks[-1].united(box)
        else:
            blocks.append(QRectF(box))
        last = box
    return blocks
