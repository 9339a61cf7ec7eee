"""Labels for text that comes from outside: shown, never interpreted, never wider than its place."""

from __future__ import annotations

import html
import re

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from zbm_core.search.records import Passage
from zbm_gui.style import colors, line_height, small_font, unit

MOST_CHARACTERS = 4000  # of one text at once; what is longer is cut with "…"
# A line may break after these in an address or an identifier; without them a URL is one long word.
_BREAKS = re.compile(r"([/?&=_\-.,;:@])(?=\S)")
_LONG_WORD = re.compile(r"(\S{24})(?=\S)")
_ZERO_WIDTH = "\u200b"


def breakable(text: str) -> str:
    """*text* with places to break put into words that are too long for a line."""
    return " ".join(_open_up(word) if len(word) > 24 else word for word in text.split(" "))


def _open_up(word: str) -> str:
    opened = _BREAKS.sub(rf"\1{_ZERO_WIDTH}", word)
    return _LONG_WORD.sub(rf"\1{_ZERO_WIDTH}", opened)


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    return text if len(text) <= most else text[:most].rstrip() + "…"


class Text(QLabel):
    """Plain text over as many lines as it needs.

    Args:
        selectable: by the mouse; it takes a text document of its own, which costs as much as the rest.
    """

    def __init__(
        self,
        text: str,
        *,
        secondary: bool = False,
        small: bool = False,
        selectable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMinimumWidth(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        if secondary:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        if small:
            self.setFont(small_font(self.font()))
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self.setText(breakable(cut(text)))

    def minimumSizeHint(self) -> QSize:
        # A label's own is its height at its narrowest, a word a line: that would be taken for needed.
        return QSize(1, line_height(self))


class CopyText(Text):
    """A value that a click, or Enter, copies.

    Signals:
        copied(str): the label of what was copied.
    """

    copied = Signal(str)

    def __init__(self, label: str, value: str, parent: QWidget | None = None) -> None:
        super().__init__("", selectable=False, parent=parent)
        self._lit = False
        # Values begin at the left of their column, whatever they are written in.
        self.setAlignment(self.alignment() | Qt.AlignmentFlag.AlignAbsolute)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        self.setToolTip("Click to copy")
        self.set_value(label, value)

    def set_value(self, label: str, value: str) -> None:
        """Show another value in the same place."""
        self._label, self._value = label, value
        self.set_text(value)
        self.setAccessibleName(f"{label}: {cut(value, 500)}")

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._value)
        self.copied.emit(self._label)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.copy()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        copy_keys = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if copy_keys or (
            event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.copy()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEvent) -> None:
        self._lit = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._lit = False
        self.update()

    def focusInEvent(self, event: QEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lit or self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(colors(self).accent if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colors(self).hover)
            radius = unit(self) / 2
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), radius, radius)
            painter.end()
        super().paintEvent(event)


class PassageText(Text):
    """A whole passage, the query's words marked; the quote, where only the meaning matched."""

    def __init__(self, passage: Passage, parent: QWidget | None = None) -> None:
        self._passage = passage
        super().__init__("", parent=parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAccessibleName(cut(passage.text, 1000))

    def set_text(self, text: str) -> None:
        self.setText(marked_html(self._passage, colors(self).highlight))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self.set_text("")


def marked_html(passage: Passage, mark: QColor) -> str:
    """The passage as safe HTML: its text escaped, marks ours."""
    text = passage.text[:MOST_CHARACTERS]
    bold = not passage.by_meaning
    ranges = passage.ranges if bold else (passage.quote,)
    # A whole sentence wears the mark at half its strength.
    alpha = mark.alpha() if bold else mark.alpha() // 2
    style = f"background-color: rgba({mark.red()}, {mark.green()}, {mark.blue()}, {alpha});"
    if bold:
        style += " font-weight: 600;"
    pieces, at = [], 0
    for first, last in sorted(ranges):
        first, last = max(first, at), min(last, len(text))
        if first >= last:
            continue
        pieces.append(_escaped(text[at:first]))
        pieces.append(f'<span style="{style}">{_escaped(text[first:last])}</span>')
        at = last
    pieces.append(_escaped(text[at:]))
    if len(passage.text) > MOST_CHARACTERS:
        pieces.append("…")
    return "".join(pieces)


def _escaped(text: str) -> str:
    return html.escape(breakable(text)).replace("\n", "<br>")
