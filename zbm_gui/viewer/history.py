"""Back and forward through the places jumped from."""

from __future__ import annotations

from typing import Generic, TypeVar

MAX_PLACES = 200
Place = TypeVar("Place")


class History(Generic[Place]):
    """Like a browser's: a jump after going back forgets what lay ahead. What a place is, the reader says."""

    def __init__(self) -> None:
        self._behind: list[Place] = []
        self._ahead: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._behind)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._ahead)

    def leave(self, place: Place) -> None:
        """Note the place a jump begins at."""
        self._ahead.clear()
        if not self._behind or self._behind[-1] != place:
            self._behind = [*self._behind[-MAX_PLACES + 1 :], place]

    def back(self, here: Place) -> Place | None:
        if not self._behind:
            return None
        self._ahead.append(here)
        return self._behind.pop()

    def forward(self, here: Place) -> Place | None:
        if not self._ahead:
            return None
        self._behind.append(here)
        return self._ahead.pop()

    def clear(self) -> None:
        self._behind.clear()
        self._ahead.clear()
