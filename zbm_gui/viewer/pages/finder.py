"""Finding text in the whole document, page by page from the one being read."""

from __future__ import annotations

import re
import time
from bisect import bisect_left, insort
from typing import NamedTuple

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QColor, QPainter

from .desk import Desk, Work
from .page_text import TextOfPages, folded, occurrences, pattern_of
from .paper import PageLook, marker

# Folded text kept so that the next letter typed costs no reading: 12 books of 1,000 pages.
MAX_KEPT_CHARACTERS = 32_000_000
# More hits than this say only that the query says nothing.
MAX_HITS = 20_000
# How often the growing count is told; the first hit at once.
TELL_SECONDS = 0.2
# Boxes looked up on one page; each costs 1 to 3 ms.
MAX_BOXED_ON_PAGE = 300


class Hit(NamedTuple):
    page: int
    ordinal: int  # on its page, in the text's order


class Finder(QObject):
    """Hits of one query, growing while pages are read.

    Signals:
        hits_changed(): more hits, or all pages have been read.
        boxes_known(int): where the hits of this page stand.
    """

    hits_changed = Signal()
    boxes_known = Signal(int)

    def __init__(self, text: TextOfPages, desk: Desk, page_count: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._desk = desk
        self._pages = page_count
        self._folded: dict[int, str] = {}
        self._kept_characters = 0
        self._query = ""
        self._hits: list[Hit] = []
        self._boxes: dict[int, list[list[QRectF]]] = {}
        self._boxing: set[int] = set()
        self.current: Hit | None = None
        self.finished = True

    @property
    def query(self) -> str:
        return self._query

    @property
    def hits(self) -> list[Hit]:
        """In the order of the document."""
        return self._hits

    @property
    def complete(self) -> bool:
        """False if there were more than are counted."""
        return len(self._hits) < MAX_HITS

    def search(self, query: str, start: int) -> None:
        """Look for *query*, beginning at page *start*."""
        self._query = query
        self._hits, self._boxes, self._boxing = [], {}, set()
        self.current = None
        pattern = pattern_of(query)
        self.finished = pattern is None
        self._desk.work("find", self._read(pattern, start) if pattern is not None else None)
        self.hits_changed.emit()

    def stop(self) -> None:
        self.search("", 0)

    def _read(self, pattern: re.Pattern[str], start: int) -> Work:
        said = time.perf_counter()
        for page in [*range(start, self._pages), *range(start)]:
            for ordinal, _found in enumerate(pattern.finditer(self._folded_page(page))):
                insort(self._hits, Hit(page, ordinal))
                if len(self._hits) >= MAX_HITS:
                    break
            if len(self._hits) >= MAX_HITS:
                break
            now = time.perf_counter()
            if self._hits and (self.current is None or now - said > TELL_SECONDS):
                said = now
                self.hits_changed.emit()
            yield
        self.finished = True
        self.hits_changed.emit()

    def _folded_page(self, page: int) -> str:
        known = self._folded.get(page)
        if known is None:
            known = folded(self._text.page(page).text)
            if self._kept_characters + len(known) <= MAX_KEPT_CHARACTERS:
                self._folded[page] = known
                self._kept_characters += len(known)
        return known

    def has_hits_on(self, page: int) -> bool:
        at = bisect_left(self._hits, Hit(page, 0))
        return at < len(self._hits) and self._hits[at].page == page

    # --- moving

    def next_from(self, page: int, step: int) -> Hit | None:
        """The hit after (*step* 1) or before (-1) the current one, or from *page* on; wraps."""
        if not self._hits:
            return None
        if self.current is not None:
            at = bisect_left(self._hits, self.current)
            index = at + step
        else:
            index = bisect_left(self._hits, Hit(page, 0)) - (1 if step < 0 else 0)
        return self._hits[index % len(self._hits)]

    def number(self) -> int:
        """Of the current hit, from 1; 0 without one."""
        return bisect_left(self._hits, self.current) + 1 if self.current is not None else 0

    # --- where they stand

    def boxes(self, page: int) -> list[list[QRectF]] | None:
        """The boxes of each hit of *page*; None while they are not looked up."""
        return self._boxes.get(page)

    def need_boxes(self, page: int) -> None:
        """Look up the boxes on *page* when the desk is free; `boxes_known` follows."""
        if page in self._boxes or page in self._boxing or not self._query:
            return
        self._boxing.add(page)
        self._desk.work(f"find-boxes-{page}", self._box(page, self._query))

    def _box(self, page: int, query: str) -> Work:
        pattern = pattern_of(query)
        text = self._text.page(page).text
        boxes = []
        for start, end in list(occurrences(text, [pattern] if pattern else []))[:MAX_BOXED_ON_PAGE]:
            boxes.append(self._text.rects(page, start, end))
            yield
        if query == self._query:
            self._boxes[page] = boxes
            self.boxes_known.emit(page)


class FindLayer:
    """Paints the hits of its finder."""

    def __init__(self) -> None:
        self.finder: Finder | None = None

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        finder = self.finder
        if finder is None or not finder.query:
            return
        boxes = finder.boxes(page)
        if boxes is None:
            if finder.has_hits_on(page):
                finder.need_boxes(page)
            return
        current = finder.current
        for ordinal, rects in enumerate(boxes):
            is_current = current is not None and current == Hit(page, ordinal)
            veil = QColor(look.colors.accent if is_current else look.colors.link)
            veil.setAlphaF(0.55 if is_current else 0.28)
            for rect in rects:
                marker(painter, look, look.box(rect.adjusted(-0.5, -1, 0.5, 1)), veil)
