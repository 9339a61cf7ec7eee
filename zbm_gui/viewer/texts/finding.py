"""The find bar at work in a text: the whole document is asked, hits are gone through in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from zbm_core.documents.reading.records import Place, Spot
from zbm_gui.lanes import Failure, Job
from zbm_gui.viewer.find_bar import FindBar

from .desk import BookDesk

MAX_HITS = 2000


class TextFinding(QObject):
    """Joins `FindBar` and the book.

    Signals:
        shown(Place): bring this hit into sight.
        changed(): other hits, or another current one.
        closed()
    """

    shown = Signal(object)
    changed = Signal()
    closed = Signal()

    def __init__(self, bar: FindBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar = bar
        self._desk: BookDesk | None = None
        self._job: Job | None = None
        self._here = Spot(0, 0, 0)
        self.hits: Sequence[Place] = ()
        self.current = -1
        self.finished = True
        bar.query_changed.connect(self.search)
        bar.step_requested.connect(self.step)
        bar.closed.connect(self.close)
        bar.hide()

    @property
    def active(self) -> bool:
        """True while the bar is open and something is asked."""
        return self._bar.isVisible() and bool(self._bar.query.strip())

    def set_desk(self, desk: BookDesk | None) -> None:
        self._bar.hide()
        self._desk = desk
        self._forget()

    def set_here(self, spot: Spot) -> None:
        """Where the reader is: the first hit gone to is the next from here."""
        self._here = spot

    def begin(self, text: str | None = None) -> None:
        """Open the bar, with *text* or what it held."""
        if self._desk is not None:
            self._bar.begin(text)
            if text is None and self._bar.query and not self.hits:
                self.search(self._bar.query)

    def close(self) -> None:
        self._bar.hide()
        self._forget()
        self.closed.emit()

    def search(self, text: str) -> None:
        self._forget()
        asked = text.strip()
        if not asked or self._desk is None:
            self._say_count()
            return
        self.finished = False
        self._job = self._desk.ask(
            "find",
            lambda book: tuple(book.book.find(asked, limit=MAX_HITS)),
            self._on_found,
            self._on_failed,
        )
        self._say_count()

    def step(self, by: int) -> None:
        """To the next (1) or previous (-1) hit; wraps."""
        if not self.hits:
            return
        if self.current >= 0:
            self._go_to((self.current + by) % len(self.hits))
        else:
            self._go_to((self._next_from_here() - (1 if by < 0 else 0)) % len(self.hits))

    def _forget(self) -> None:
        if self._job is not None:
            self._job.token.cancel()
        self._job, self.hits, self.current, self.finished = None, (), -1, True
        self.changed.emit()

    def _on_found(self, hits: Sequence[Place]) -> None:
        self._job, self.hits, self.finished = None, hits, True
        if hits:
            self._go_to(self._next_from_here() % len(hits))
        else:
            self.changed.emit()
            self._say_count()

    def _on_failed(self, _failure: Failure) -> None:
        self._on_found(())

    def _next_from_here(self) -> int:
        return bisect_left(self.hits, tuple(self._here), key=lambda hit: (hit[0], hit[1], hit[2]))

    def _go_to(self, index: int) -> None:
        self.current = index
        self._say_count()
        self.changed.emit()
        self.shown.emit(self.hits[index])

    def _say_count(self) -> None:
        self._bar.set_count(self.current + 1, len(self.hits), self.finished, len(self.hits) < MAX_HITS)
