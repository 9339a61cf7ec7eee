"""Small things that Fusion draws otherwise than we want them: a line, a divider to drag, a bar that fills."""

from __future__ import annotations

import html

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QProgressBar,
    QSizePolicy,
    QSplitter,
    QSplitterHandle,
    QWidget,
)

from zbm_gui.style.metrics import unit
from zbm_gui.style.palettes import colors


class Hairline(QWidget):
    """One pixel in the hairline colour, across its parent's layout."""

    def __init__(
        self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._across = orientation is Qt.Orientation.Horizontal
        policy = QSizePolicy.Policy
        if self._across:
            self.setFixedHeight(1)
            self.setSizePolicy(policy.Expanding, policy.Fixed)
        else:
            self.setFixedWidth(1)
            self.setSizePolicy(policy.Fixed, policy.Expanding)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), colors(self).hairline)


class FillingBar(QProgressBar):
    """How far something is, in the accent colour like the Relevance bars; without a known end it is half lit."""

    _UNKNOWN = 0.5  # opacity of a bar whose end is not known

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setFixedHeight(max(4, unit(self) // 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colors(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        bar, radius = QRectF(self.rect()), self.height() / 2
        painter.setBrush(c.track)
        painter.drawRoundedRect(bar, radius, radius)
        painter.setBrush(c.accent)
        span = self.maximum() - self.minimum()
        if not span:
            painter.setOpacity(self._UNKNOWN)
        elif self.value() > self.minimum():
            share = (self.value() - self.minimum()) / span
            bar.setWidth(max(self.height(), bar.width() * share))
        else:
            return
        painter.drawRoundedRect(bar, radius, radius)


class Splitter(QSplitter):
    """A splitter whose divider is a hairline that the mouse can still catch."""

    _GRIP = 5  # px that take the mouse; one of them is painted

    def __init__(
        self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None
    ) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(self._GRIP)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    def paintEvent(self, event: QPaintEvent) -> None:
        c = colors(self)
        painter = QPainter(self)
        # The grip belongs to the panes on its sides: their paper, parted by one line.
        painter.fillRect(self.rect(), c.paper)
        middle = self.rect().center()
        if self.orientation() is Qt.Orientation.Horizontal:
            line = QRect(middle.x(), 0, 1, self.height())
        else:
            line = QRect(0, middle.y(), self.width(), 1)
        painter.fillRect(line, c.hairline)


# Fusion's bars are boxes with arrows; a palette cannot make them less.
_QUIET_BARS = """
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: palette(mid); border-radius: 3px; margin: 3px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: palette(dark); }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""


def quiet_scroll_bars(area: QAbstractScrollArea) -> None:
    """Slim bars without arrows for *area*, in the palette's colours."""
    for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
        bar.setStyleSheet(_QUIET_BARS)


#: Characters of a tooltip; what is longer is read elsewhere.
_LONGEST_TIP = 600


def plain_tooltip(text: str) -> str:
    """*text* for a tooltip, which would take markup in it for such: wrapped, its lines kept, cut where it is
    long; "" stays ""."""
    shown = text if len(text) <= _LONGEST_TIP else text[:_LONGEST_TIP] + "…"
    return "<qt>" + html.escape(shown).replace("\n", "<br>") + "</qt>" if shown else ""


#: Fusion draws the rim of a check box as this made a third darker: seen on white paper and on dark ground.
_RIM = "#a0a6ad"


def visible_indicators(widget: QWidget) -> None:
    """Give *widget*'s check boxes or radio buttons a rim that can be seen: Fusion takes it from the window's own
    colour, and in the dark that is dark on dark. The widget must not paint a background of its own."""
    own = QPalette()  # of this role alone: the others go on following the theme
    own.setColor(QPalette.ColorRole.Window, QColor(_RIM))
    widget.setPalette(own)
