"""The matches of a search in an open text: where each stands, which is current, how one is gone to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from zbm_core.documents.reading.records import Place
from zbm_gui.lanes import Failure, Job
from zbm_gui.viewer.reader import ReaderMatch

from .alignment import Alignment
from .desk import BookDesk, OpenBook

#: Matches looked up after the one gone to: more marks than this in one document point nowhere.
MAX_MATCHES = 500
#: Characters of a quote that are looked for where the anchor leads nowhere.
MAX_SOUGHT = 120

#: Share of a passage that must be found letter by letter for its own stretches to be marked.
TOLD_SHARE = 0.5


class Standing(NamedTuple):
    """Where a match stands."""

    places: tuple[Place, ...]
    quote: Place | None  # what is scrolled to
    words: tuple[Place, ...]

    @property
    def target(self) -> Place | None:
        return self.quote or (self.places[0] if self.places else None)


class TextMatching(QObject):
    """Looks matches up in the book's thread: the one gone to at once, the others after it, in order.

    Signals:
        shown(int, Place): this match is the current one; bring the place into sight.
        lost(int): this match is the current one, and its text is not in the document.
        looked_up(): more matches have a place.
    """

    shown = Signal(int, object)
    lost = Signal(int)
    looked_up = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk: BookDesk | None = None
        self._jobs: dict[int, Job] = {}
        self.matches: list[ReaderMatch] = []
        self.standings: dict[int, Standing] = {}
        self.current = -1
        self._wanted = -1  # gone to, once it is looked up

    @property
    def count(self) -> int:
        return len(self.matches)

    @property
    def arriving(self) -> bool:
        """A match is about to be gone to."""
        return self._wanted >= 0

    def set_desk(self, desk: BookDesk | None) -> None:
        self._desk = desk
        self.set_matches(())

    def set_matches(self, matches: Sequence[ReaderMatch]) -> None:
        for job in self._jobs.values():
            job.token.cancel()
        self._jobs.clear()
        self.matches = list(matches)
        self.standings.clear()
        self.current = self._wanted = -1

    def look_up_all(self) -> None:
        """Look the others up, one question at a time, so that what the user asks comes between."""
        if self._jobs or self._desk is None:
            return
        for index in range(min(self.count, MAX_MATCHES)):
            if index not in self.standings:
                self._look_up(index)
                return

    def focus(self, index: int) -> None:
        """Go to match *index*: at once, or when it is looked up."""
        if not 0 <= index < self.count:
            return
        self._wanted = index
        if index in self.standings:
            self._arrive()
        elif index not in self._jobs:
            self._look_up(index)

    def step(self, by: int) -> None:
        """To the next (1) or previous (-1) match; wraps."""
        if self.count:
            start, order = self._wanted if self.arriving else self.current, self._in_order()
            at = order.index(start) + by if start >= 0 else min(0, by)
            self.focus(order[at % self.count])

    @property
    def rank(self) -> int:
        """Which of the matches, in the order they stand in, is the current one; -1 for none."""
        return self._in_order().index(self.current) if self.current >= 0 else -1

    def _in_order(self) -> list[int]:
        """As they stand in the document, once all are looked up: where an annotation stands only the book knows."""
        if len(self.standings) < self.count:
            return list(range(self.count))
        targets = [self.standings[index].target for index in range(self.count)]
        return sorted(range(self.count), key=lambda index: (targets[index] is None, targets[index] or ()))

    def choose(self, index: int) -> None:
        """Make *index* the current one; nothing moves."""
        self.current, self._wanted = index, -1

    def at(self, place: Place) -> int | None:
        """The match at a point of the page, given as an empty place; the current one first."""
        point = (place.section, place.start_block, place.start)
        found = [
            index
            for index, standing in self.standings.items()
            if any(
                (p.section, p.start_block, p.start) <= point <= (p.section, p.end_block, p.end)
                for p in standing.places
            )
        ]
        return (self.current if self.current in found else min(found)) if found else None

    def _look_up(self, index: int) -> None:
        if self._desk is None:
            return
        match = self.matches[index]
        self._jobs[index] = self._desk.ask(
            "find a passage",
            lambda book: standing_of(match, book),
            lambda standing: self._on_looked_up(index, standing),
            lambda failure: self._on_failed(index, failure),
        )

    def _on_looked_up(self, index: int, standing: Standing) -> None:
        self._jobs.pop(index, None)
        self.standings[index] = standing
        if index == self._wanted:
            self._arrive()
        self.looked_up.emit()
        self.look_up_all()

    def _on_failed(self, index: int, _failure: Failure) -> None:
        # Its section cannot be read; the reader says so when it is to be shown.
        self._on_looked_up(index, Standing((), None, ()))

    def _arrive(self) -> None:
        index, self._wanted = self._wanted, -1
        self.current = index
        target = self.standings[index].target
        if target is None:
            self.lost.emit(index)
        else:
            self.shown.emit(index, target)


def standing_of(match: ReaderMatch, book: OpenBook) -> Standing:
    """Where *match* stands; in the book's thread."""
    if match.anchor is None:
        return Standing((), None, ())
    places = tuple(book.book.places(match.anchor))
    if not places:
        # The file was changed since it was read for searching: its words may still be there.
        sought = " ".join(match.text[slice(*match.quote)].split())[:MAX_SOUGHT]
        found = tuple(book.book.find(sought, limit=1)) if sought else ()
        return Standing(found, found[0] if found else None, ())
    laid = Alignment(match.text, places, lambda section: book.section(section).blocks)
    words = (laid.place(start, end) for start, end in match.ranges)
    return Standing(
        # What is marked is the passage. Where little of it is told on the page, where it stands is said nevertheless.
        laid.places() if laid.share > TOLD_SHARE else places,
        laid.place(*match.quote),
        tuple(place for place in words if place is not None),
    )
