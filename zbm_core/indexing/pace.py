"""How fast a step goes, and how long it will still take."""

from __future__ import annotations

import time

#: Seconds of a step before a rate is worth telling (facts of the reference).
ESTABLISHED_SECONDS = 30.0


class Pace:
    """Of one step, from its beginning; time that was waited does not count."""

    def __init__(self) -> None:
        self._worked = 0.0
        self._since: float | None = time.monotonic()
        self._done = 0.0
        self._pieces = 0

    def did(self, amount: float) -> None:
        """One piece of the step's work was done, and so much of all of it."""
        self._done += amount
        self._pieces += 1

    def rest(self) -> None:
        if self._since is not None:
            self._worked += time.monotonic() - self._since
            self._since = None

    def go_on(self) -> None:
        if self._since is None:
            self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        return self._worked + (time.monotonic() - self._since if self._since is not None else 0.0)

    def rate(self) -> float | None:
        """Done a second; None while it is not established."""
        seconds = self.seconds
        return self._done / seconds if seconds >= ESTABLISHED_SECONDS and self._done else None

    def pieces_rate(self) -> float | None:
        """Pieces done a second; None while it is not established."""
        seconds = self.seconds
        return self._pieces / seconds if seconds >= ESTABLISHED_SECONDS and self._pieces else None

    def left(self, amount: float) -> float | None:
        """Seconds that *amount* will take; None while it is not known."""
        rate = self.rate()
        return amount / rate if rate else None
