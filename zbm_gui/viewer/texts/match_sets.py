"""Several searches marked in one text, each in a colour of its own; one of them is stepped through."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from zbm_gui.viewer.match_tints import MOST_SETS
from zbm_gui.viewer.reader import MatchSet

from .desk import BookDesk
from .matching import TextMatching


class TextMatchSets(QObject):
    """Keeps the matching of each set.

    Signals:
        shown(int, Place), lost(int): of the chosen set, as `TextMatching` says it.
        looked_up(): more matches of some set have a place.
        chosen(int): next and previous step through this set now.
    """

    shown = Signal(int, object)
    lost = Signal(int)
    looked_up = Signal()
    chosen = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk: BookDesk | None = None
        self.sets: tuple[MatchSet, ...] = ()
        self.matchings = [self._made()]
        self.chosen_set = 0

    @property
    def matching(self) -> TextMatching:
        """Of the chosen set."""
        return self.matchings[self.chosen_set]

    def _made(self) -> TextMatching:
        matching = TextMatching(self)
        matching.shown.connect(self.shown)
        matching.lost.connect(self.lost)
        matching.looked_up.connect(self.looked_up)
        return matching

    def set_desk(self, desk: BookDesk | None) -> None:
        self._desk = desk
        self.set_sets((), 0)

    def set_sets(self, sets: Sequence[MatchSet], chosen: int) -> None:
        """Mark the first `MOST_SETS` of *sets*; none of their matches is the current one yet."""
        for matching in self.matchings:
            matching.set_matches(())
            matching.deleteLater()
        self.sets = tuple(sets[:MOST_SETS])
        self.matchings = [self._made() for _ in range(max(1, len(self.sets)))]
        self.chosen_set = chosen if 0 <= chosen < len(self.matchings) else 0
        for matching in self.matchings:
            matching.set_desk(self._desk)
        for matching, matches in zip(self.matchings, self.sets, strict=False):
            matching.set_matches(matches.matches)

    def look_up_all(self) -> None:
        """Where all of them stand, those of the chosen set first."""
        self.matching.look_up_all()
        for matching in self.matchings:
            if matching is not self.matching:
                matching.look_up_all()

    def choose_set(self, number: int) -> None:
        """Step through set *number* from now on; nothing moves."""
        if number != self.chosen_set and 0 <= number < len(self.sets):
            self.chosen_set = number
            self.chosen.emit(number)

    def step_set(self, by: int) -> None:
        """Choose the next (1) or previous (-1) set; wraps."""
        if len(self.sets) > 1:
            self.choose_set((self.chosen_set + by) % len(self.sets))
