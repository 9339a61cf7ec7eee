"""Errors that can say themselves in words, and the token that stops long work."""

from __future__ import annotations

import threading


class ZbmError(Exception):
    """Something the user can be told.

    Args:
        message: one or two plain sentences: what happened and what to do.
        detail: the technical cause, for the log and the [Details] button.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail

    def __str__(self) -> str:
        return self.message


class Cancelled(Exception):
    """The caller's token asked the work to stop. Not a failure: nothing is shown for it."""


class CancelToken:
    """Asked by long work, set from any thread; a set token stays set."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if the token is set."""
        if self._event.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep up to *seconds*, waking at once when cancelled; True if cancelled."""
        return self._event.wait(seconds)
