"""The text of pages: what stands where. Every call touches the document; make it at its desk."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtPdf import QPdfDocument, QPdfSelection

from zbm_core.text import fold_with_map, is_run, normalize_for_search

# Pages whose text and line boxes are kept; a dense page is about 20 kB.
KEPT_PAGES = 64
# What PDFium writes for a hyphen at the end of a line, with the line's break.
BREAK_HYPHEN = "\ufffe"
# Folding for search takes "<...>" for markup, which a page's text is not.
_LESS = "\ue03c"
# Points and vowel signs that are written or left out at will: Hebrew, Arabic.
_POINTS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
_HYPHENS = "\\-\u00ad\u2010\u2011\x02\ufffe"
# How far PDFium's index of characters may run ahead of the text it gives (signs without a meaning).
MAX_DRIFT = 400


class PageText(NamedTuple):
    text: str
    lines: tuple[QRectF, ...]  # boxes of runs of text in reading order, page space
    drifts: bool = False  # PDFium's index of characters is not the text's


class TextOfPages:
    """Text and its boxes, of one open document."""

    def __init__(self, document: QPdfDocument) -> None:
        self._document = document
        self._kept: OrderedDict[int, PageText] = OrderedDict()

    def page(self, page: int) -> PageText:
        """1 to 12 ms when not kept."""
        kept = self._kept.get(page)
        if kept is not None:
            self._kept.move_to_end(page)
            return kept
        everything = self._document.getAllText(page)
        lines = tuple(polygon.boundingRect() for polygon in everything.bounds())
        text = everything.text()
        kept = self._kept[page] = PageText(text, lines, everything.endIndex() != len(text))
        if len(self._kept) > KEPT_PAGES:
            self._kept.popitem(last=False)
        return kept

    def between(self, page: int, start: int, end: int) -> QPdfSelection:
        """The characters *start*..*end* of the page's text: text and boxes.

        PDFium counts signs that it gives no text for, so its indices run ahead of the text's: the
        answer is compared with what was asked for and asked again at the place that fits.
        """
        wanted = self.page(page).text[start:end]
        selection = self._document.getSelectionAtIndex(page, start, end - start)
        for _attempt in range(3 if self.page(page).drifts else 0):
            got = selection.text()
            if got == wanted or not got:
                break
            text = self.page(page).text
            found = _nearest(text, got[:32], selection.startIndex())
            if found is None or found == start or abs(found - start) > MAX_DRIFT:
                break
            again = self._document.getSelectionAtIndex(
                page, selection.startIndex() + start - found, end - start
            )
            if again.startIndex() == selection.startIndex():
                break
            selection = again
        return selection

    def rects(self, page: int, start: int, end: int) -> list[QRectF]:
        return [polygon.boundingRect() for polygon in self.between(page, start, end).bounds()]

    def snapped(self, page: int, point: QPointF) -> QPointF | None:
        """The point of the page's text that is nearest to *point*; None on a page without text."""
        lines = self.page(page).lines
        if not lines:
            return None
        line = min(lines, key=lambda rect: _distance(rect, point))
        return _inside(line, point)

    def is_on_text(self, page: int, point: QPointF, tolerance: float = 2.0) -> bool:
        reach = (-tolerance, -tolerance, tolerance, tolerance)
        return any(rect.adjusted(*reach).contains(point) for rect in self.page(page).lines)

    def index_at(self, page: int, point: QPointF) -> int | None:
        """Index in the page's text of what is nearest to *point*; None on a page without text.

        QtPdf tells only what lies between two points, so the second is put elsewhere on the line and
        of the two ends of the answer the one is taken whose box is at *point*.
        """
        lines = self.page(page).lines
        at = self.snapped(page, point)
        if at is None:
            return None
        line = min(lines, key=lambda rect: _distance(rect, point))
        for other in _elsewhere(line, lines):
            selection = self._document.getSelection(page, at, other)
            if selection.isValid() and selection.endIndex() > selection.startIndex():
                ends = {selection.startIndex(), selection.endIndex() - 1, selection.endIndex()}
                char = min(sorted(ends), key=lambda index: self._distance_to_char(page, index, at))
                return self._in_text(page, char)
        return None

    def _in_text(self, page: int, char: int) -> int:
        """The index in the text of PDFium's *char*."""
        text = self.page(page).text
        if self.page(page).drifts:
            following = self._document.getSelectionAtIndex(page, char, 32).text()
            found = _nearest(text, following, char) if following else None
            char = found if found is not None else char
        return min(char, max(0, len(text) - 1))

    def _distance_to_char(self, page: int, index: int, point: QPointF) -> float:
        char = self._document.getSelectionAtIndex(page, index, 1)
        boxes = [polygon.boundingRect() for polygon in char.bounds()]
        return min((_distance(box, point) for box in boxes), default=1e9)

    def word_at(self, page: int, index: int) -> tuple[int, int]:
        """The range of the word around *index*; of one character where there is no word."""
        text = self.page(page).text
        for word in _WORD.finditer(text):
            if word.start() <= index < word.end():
                return word.start(), word.end()
        return index, min(len(text), index + 1)

    def line_at(self, page: int, index: int) -> tuple[int, int]:
        """The range of the line around *index*, without its break."""
        text = self.page(page).text
        start = max(text.rfind(sign, 0, index) for sign in ("\n", BREAK_HYPHEN)) + 1
        ends = [end for sign in ("\r", "\n", BREAK_HYPHEN) if (end := text.find(sign, index)) >= 0]
        return start, min(ends, default=len(text))


def copyable(text: str) -> str:
    """Text as it goes to the clipboard: words broken over lines are joined."""
    return text.replace("\r\n", "\n").replace(BREAK_HYPHEN, "").replace("\x02", "").replace("\x00", "")


_WORD = re.compile(rf"\w+(?:[’'{BREAK_HYPHEN}\u00ad]\w+)*")


# --- finding


def folded(text: str) -> str:
    """*text* as it is searched: without case, accents, ligatures (`zbm_core.text`)."""
    return normalize_for_search(text.replace("<", _LESS))


def pattern_of(query: str, *, whole_words: bool = False) -> re.Pattern[str] | None:
    """What finds *query* in folded text, over line ends and hyphens; None if nothing is asked."""
    plain = re.sub(rf"[{_HYPHENS}{_POINTS}]", "", folded(query)).split()
    if not plain:
        return None
    between = f"(?:[{_HYPHENS}]\\s*|[{_POINTS}])*"
    body = rf"[{_HYPHENS}{_POINTS}]*\s+".join(
        between.join(re.escape(sign) for sign in word) for word in plain
    )
    if whole_words:
        before = "" if is_run(plain[0]) or not plain[0][0].isalnum() else r"(?<!\w)"
        after = "" if is_run(plain[-1]) or not plain[-1][-1].isalnum() else r"(?!\w)"
        body = before + body + after
    return re.compile(body)


def occurrences(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    """Ranges of *text* (not folded) where a pattern occurs."""
    fold = fold_with_map(text.replace("<", _LESS))
    for pattern in patterns:
        for found in pattern.finditer(fold.text):
            if found.end() > found.start():
                yield fold.span(found.start(), found.end())


# --- geometry


def _nearest(text: str, part: str, near: int) -> int | None:
    """Where *part* occurs in *text* nearest to *near*."""
    places = []
    at = text.find(part, max(0, near - MAX_DRIFT))
    while 0 <= at <= near + MAX_DRIFT:
        places.append(at)
        at = text.find(part, at + 1)
    return min(places, key=lambda place: abs(place - near)) if places else None


def _distance(rect: QRectF, point: QPointF) -> float:
    across = max(rect.left() - point.x(), 0.0, point.x() - rect.right())
    down = max(rect.top() - point.y(), 0.0, point.y() - rect.bottom())
    # A line is chosen by height first: beside a line means that line, not one far above.
    return across + 4 * down


def _inside(rect: QRectF, point: QPointF) -> QPointF:
    inset = min(0.5, rect.width() / 4, rect.height() / 4)
    return QPointF(
        min(max(point.x(), rect.left() + inset), rect.right() - inset),
        min(max(point.y(), rect.top() + inset), rect.bottom() - inset),
    )


def _elsewhere(line: QRectF, lines: Sequence[QRectF]) -> Iterator[QPointF]:
    """Points on other characters than a given one: the line's ends, then the page's."""
    if line.width() >= line.height():
        ends = (QPointF(line.right(), line.center().y()), QPointF(line.left(), line.center().y()))
    else:
        ends = (QPointF(line.center().x(), line.bottom()), QPointF(line.center().x(), line.top()))
    for end in ends:
        yield _inside(line, end)
    for other in (lines[0], lines[-1]):
        if other != line:
            yield other.center()
