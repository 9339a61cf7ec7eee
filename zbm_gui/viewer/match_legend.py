"""Which colours stand for which search, where more than one is marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from zbm_gui import style
from zbm_gui.wording import counted, number

from .match_tints import tint
from .reader import MatchSet

LONGEST_NAME = 28  # average characters


class MatchLegend(QWidget):
    """A row of keys, hidden while there are fewer than two sets.

    Signals:
        chosen(int): step through this set.
        dropped(int): have this set gone.
    """

    chosen = Signal(int)
    dropped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        self.setAccessibleName("Searches marked in this document")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        self._row.setSpacing(unit // 4)
        self._keys: list[_Key] = []
        self.hide()

    @property
    def keys(self) -> list[QToolButton]:
        return list(self._keys)

    def show_sets(self, sets: Sequence[MatchSet], chosen: int) -> None:
        while self._row.count():
            widget = self._row.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._keys = []
        for place, matches in enumerate(sets):
            key = _Key(place, matches)
            key.clicked.connect(lambda _checked=False, place=place: self._on_clicked(place))
            drop = QToolButton()
            drop.setIcon(style.icon("close"))
            drop.setAutoRaise(True)
            drop.setToolTip("No longer mark these")
            drop.setAccessibleName(f"No longer mark the matches of {matches.name}")
            drop.clicked.connect(lambda _checked=False, place=place: self.dropped.emit(place))
            self._row.addWidget(key)
            self._row.addWidget(drop)
            self._row.addSpacing(style.unit(self))
            self._keys.append(key)
        self._row.addStretch(1)
        self._share_out()
        self.choose(chosen)
        self.setVisible(len(sets) > 1)

    def choose(self, chosen: int) -> None:
        for place, key in enumerate(self._keys):
            key.setChecked(place == chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Names are as long as there is room for all."""
        unit = style.unit(self)
        beside = 6 * unit  # of each: the button that lets go of it, and distances
        for key in self._keys:
            key.fit((self.width() - 2 * unit) // len(self._keys) - beside)

    def _on_clicked(self, place: int) -> None:
        self.choose(place)  # a click does not uncheck
        self.chosen.emit(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = style.colors(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.ground)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors.hairline)


class _Key(QToolButton):
    """A swatch of the colour, the name, how many."""

    def __init__(self, place: int, matches: MatchSet) -> None:
        super().__init__()
        self._place = place
        self._name = matches.name or "Matches"
        self._count = number(len(matches.matches))
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        counting = counted(len(matches.matches), "match", "matches")
        self.setToolTip(style.plain_tooltip(f"{self._name}\n{counting}. Click to step through these."))
        self.setAccessibleName(f"{self._name}, {counting}")
        self._shown = ""
        self._room = self.fontMetrics().averageCharWidth() * LONGEST_NAME
        self.fit(self._room)

    def fit(self, room: int) -> None:
        """Take no more than *room* px."""
        self._room = room
        metrics, unit = self.fontMetrics(), style.unit(self)
        around = metrics.horizontalAdvance(f"  {self._count}") + 4 * unit + unit // 2
        longest = min(metrics.averageCharWidth() * LONGEST_NAME, max(0, room - around))
        self._shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, longest)
        width = metrics.horizontalAdvance(self._shown) + around
        self.setFixedSize(QSize(width, metrics.height() + unit))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit(self._room)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors, unit = style.colors(self), style.unit(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isChecked() or self.underMouse() or self.hasFocus():
            painter.setPen(colors.accent if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colors.selection if self.isChecked() else colors.hover)
            painter.drawRoundedRect(box, unit / 2, unit / 2)
        side = 1.25 * unit
        swatch = QRectF(unit, (self.height() - side) / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint(self._place, colors).swatch)
        painter.drawRoundedRect(swatch, 2, 2)
        painter.setPen(colors.ink)
        left = round(swatch.right()) + unit
        room = self.rect().adjusted(left, 0, -unit, 0)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(room, flags, self._shown)
        painter.setPen(colors.secondary)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), self._count)
