"""Where the query's words stand inside a passage."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF

from .desk import Work
from .match_layer import MatchLayer
from .page_text import TextOfPages, occurrences, pattern_of

# Each occurrence costs 1 to 3 ms to place; a passage has a dozen.
MAX_WORDS_IN_PASSAGE = 120
# A glyph's box and a passage's line need not be cut the same, in points.
TOLERANCE = 1.5


def look_up_words(layer: MatchLayer, text: TextOfPages, page: int, index: int) -> Work:
    """Find the words of match *index* on *page* and hand them to the layer; yields between calls."""
    match = layer.matches[index]
    lines = [line.rect for line in layer.lines(page) if line.match == index]
    patterns = [p for word in match.words if (p := pattern_of(word, whole_words=True)) is not None]
    found: list[QRectF] = []
    if patterns and lines:
        content = text.page(page).text
        yield
        begin, end = _extent(text, page, lines)
        inside = sorted({span for span in occurrences(content, patterns) if begin <= span[0] < end})
        for start, stop in inside[:MAX_WORDS_IN_PASSAGE]:
            found += [rect for rect in text.rects(page, start, stop) if _is_in(rect, lines)]
            yield
    layer.set_words(page, index, found)


def _extent(text: TextOfPages, page: int, lines: Sequence[QRectF]) -> tuple[int, int]:
    """Characters of the page's text between which the passage lies; all of them where that is not told."""
    length = len(text.page(page).text)
    corners = [point for line in (lines[0], lines[-1]) for point in (line.topLeft(), line.bottomRight())]
    indices = [index for point in corners if (index := text.index_at(page, point)) is not None]
    if len(indices) < len(corners) or max(indices) <= min(indices):
        return 0, length
    return max(0, min(indices) - 2), min(length, max(indices) + 2)


def _is_in(rect: QRectF, lines: Sequence[QRectF]) -> bool:
    reach = (-TOLERANCE, -TOLERANCE, TOLERANCE, TOLERANCE)
    return any(line.adjusted(*reach).contains(rect.center()) for line in lines)
