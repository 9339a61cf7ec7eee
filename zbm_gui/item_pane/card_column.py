"""A column of many cards, of which only those near the screen exist.

A layout would measure every card whenever one is added: with hundreds of them that holds the window
for seconds. Here each card is measured once a width; heights of the others are estimated.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

#: Seconds in which cards are made in one go: of the long ones one, as each is measured and laid out afterwards too.
_SLICE = 0.003


class Entry(NamedTuple):
    """One card to be: how to make it, and what its height is estimated from."""

    make: Callable[[], QWidget]
    characters: int = 0  # of its text
    lines: float = 1.5  # what it has besides the text, in lines


class CardColumn(QWidget):
    """Signals:
    shifted(int): cards above the screen turned out so many pixels higher than thought.
    """

    shifted = Signal(int)

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = entries
        self._cards: dict[int, QWidget] = {}
        self._heights: list[int] = []
        self._measured: set[int] = set()
        self._tops: list[int] = []
        self._screen_top = 0  # within the column
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self._estimate()

    @property
    def cards(self) -> list[QWidget]:
        """Those that exist, from the top."""
        return [self._cards[place] for place in sorted(self._cards)]

    def tend(self, top: int, bottom: int, screen_top: int) -> bool:
        """Make some of the cards between *top* and *bottom* (pixels of the column) and drop those far
        from them; *screen_top* is where the screen begins. True if there may be more to do."""
        self._screen_top = screen_top
        first, last = self._between(top, bottom)
        missing = [place for place in range(first, last) if place not in self._cards]
        # What is seen first, then what is near.
        missing.sort(key=lambda place: (self._tops[place] + self._heights[place] < screen_top, place))
        until = time.perf_counter() + _SLICE
        for place in missing:
            card = self._entries[place].make()
            card.setParent(self)
            self._cards[place] = card
            self._measure(place)
            card.show()
            if time.perf_counter() > until:
                break
        self._drop(first, last)
        if missing:
            self._arrange()
        return bool(missing)

    def _between(self, top: int, bottom: int) -> tuple[int, int]:
        """Entries that stand between two heights: first, and one beyond the last."""
        if bottom < 0 or not self._entries or top > self._tops[-1] + self._heights[-1]:
            return 0, 0
        return max(0, bisect_right(self._tops, top) - 1), bisect_right(self._tops, bottom)

    def _drop(self, first: int, last: int) -> None:
        """Cards twice as far away as they are made go, but not the one with the keyboard."""
        slack = last - first + 8
        focus = QApplication.focusWidget()
        for place in [p for p in self._cards if p < first - slack or p >= last + slack]:
            card = self._cards[place]
            if focus is not None and (card is focus or card.isAncestorOf(focus)):
                continue
            del self._cards[place]
            card.hide()
            card.deleteLater()

    # Heights

    def _estimate(self) -> None:
        metrics = QFontMetrics(self.font())
        line, character = metrics.height(), max(1, metrics.averageCharWidth())
        a_line = max(8, self.width() // character)
        self._heights = [
            round(line * (entry.lines + math.ceil(entry.characters / a_line))) for entry in self._entries
        ]
        self._measured.clear()
        for place in self._cards:
            self._measure(place)
        self._arrange()

    def _measure(self, place: int) -> None:
        card, width = self._cards[place], self.width()
        height = card.heightForWidth(width) if card.hasHeightForWidth() else card.sizeHint().height()
        change = height - self._heights[place]
        above = bool(self._tops) and self._tops[place] < self._screen_top
        self._heights[place] = height
        self._measured.add(place)
        if change and above:
            self._screen_top += change
            self.shifted.emit(change)

    def _arrange(self) -> None:
        self._tops = list(accumulate(self._heights, initial=0))
        height = self._tops.pop() if self._heights else 0
        for place, card in self._cards.items():
            card.setGeometry(0, self._tops[place], self.width(), self._heights[place])
        if height != self.minimumHeight() or height != self.maximumHeight():
            self.setFixedHeight(height)

    def fit(self) -> None:
        """A card became higher or lower: a note's text came. Called at once, it keeps one from being
        painted into the height it had."""
        for place in self._cards:
            self._measure(place)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._estimate()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)
