"""One line of a quote with the query's words marked, fitted to a width."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from zbm_core.search.records import Passage

_MOST_LINES = 400  # layouts kept: several screens of match rows
_MEANING = "≈ "  # before a quote that no word of the query matched
# Where the first marked word stands past this share of the line, the line opens nearer to it.
_LATE = 0.8
_LEAD = 0.25  # share of the line that then comes before the word


def marked_line(passage: Passage) -> tuple[str, list[tuple[int, int]]]:
    """The passage's quote on one line, white space folded, and the marked ranges in it."""
    start, end = passage.quote
    characters: list[str] = []
    moved: list[int] = []  # for each character of the quote: where it went
    for character in passage.text[start:end]:
        moved.append(len(characters))
        if not character.isspace():
            characters.append(character)
        elif characters and characters[-1] != " ":
            characters.append(" ")
    moved.append(len(characters))
    ranges = [
        (moved[max(first, start) - start], moved[min(last, end) - start])
        for first, last in passage.ranges
        if first < end and last > start
    ]
    return "".join(characters), [(first, last) for first, last in ranges if last > first]


class QuoteLines:
    """Fitted quote lines, kept while the width, the font and the colours stay."""

    def __init__(self) -> None:
        self._lines: OrderedDict[tuple[object, ...], QTextLayout] = OrderedDict()

    def clear(self) -> None:
        self._lines.clear()

    def draw(
        self,
        painter: QPainter,
        passage: Passage,
        left: float,
        top: float,
        width: float,
        font: QFont,
        mark: QColor,
    ) -> None:
        """Draw the quote in the painter's pen with its words bold on *mark*."""
        if width < 8:
            return
        key = (id(passage), round(width), font.key(), mark.rgba())
        layout = self._lines.get(key)
        if layout is None:
            layout = fit(passage, width, font, mark)
            layout.passage = passage  # keeps it alive, so that its id stays its own
            self._lines[key] = layout
            if len(self._lines) > _MOST_LINES:
                self._lines.popitem(last=False)
        layout.draw(painter, QPointF(left, top))


def fit(passage: Passage, width: float, font: QFont, mark: QColor) -> QTextLayout:
    """The quote laid out on one line of *width* pixels, cut with "…" where it is longer."""
    text, ranges = marked_line(passage)
    metrics = QFontMetricsF(font)
    capacity = max(8, int(width / max(1.0, metrics.averageCharWidth())))
    if ranges and ranges[0][1] > capacity * _LATE and len(text) > capacity:
        cut = text.find(" ", max(0, ranges[0][0] - int(capacity * _LEAD))) + 1
        if 0 < cut <= ranges[0][0]:
            text, ranges = _opened_at(text, ranges, cut, "…")
    if passage.by_meaning:
        text, ranges = _opened_at(text, ranges, 0, _MEANING)
    layout = _layout(text, ranges, font, mark, QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, width)
    if layout.lineCount() and _fitting(layout, text) < len(text):
        narrower = width - metrics.horizontalAdvance("…") - 1
        layout = _layout(text, ranges, font, mark, QTextOption.WrapMode.WrapAnywhere, narrower)
        end = _fitting(layout, text)
        text = text[:end].rstrip() + "…"
        ranges = [(first, min(last, end)) for first, last in ranges if first < end]
        layout = _layout(text, ranges, font, mark, QTextOption.WrapMode.NoWrap, width)
    return layout


def _units(text: str) -> int:
    """Length as Qt counts: characters beyond the first 65,536 (𝛼, emoji) are two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _fitting(layout: QTextLayout, text: str) -> int:
    """How many characters of *text* stand on the layout's line."""
    if not layout.lineCount():
        return 0
    units = layout.lineAt(0).textLength()
    if text.isascii():
        return units
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def _opened_at(
    text: str, ranges: Sequence[tuple[int, int]], cut: int, lead: str
) -> tuple[str, list[tuple[int, int]]]:
    shift = len(lead) - cut
    moved = [(first + shift, last + shift) for first, last in ranges if last > cut]
    return lead + text[cut:], [(max(len(lead), first), last) for first, last in moved]


def _layout(
    text: str,
    ranges: Sequence[tuple[int, int]],
    font: QFont,
    mark: QColor,
    wrap: QTextOption.WrapMode,
    width: float,
) -> QTextLayout:
    """One line of *text*; only the first, where it wraps."""
    layout = QTextLayout(text, font)
    option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setWrapMode(wrap)
    layout.setTextOption(option)
    formats = []
    for first, last in ranges:
        word = QTextLayout.FormatRange()
        word.start, word.length = _units(text[:first]), _units(text[first:last])
        marked = QTextCharFormat()
        marked.setFontWeight(QFont.Weight.Bold)
        marked.setBackground(mark)
        word.format = marked
        formats.append(word)
    layout.setFormats(formats)
    layout.beginLayout()
    line = layout.createLine()
    if line.isValid():
        line.setLineWidth(width)
    layout.endLayout()
    return layout
