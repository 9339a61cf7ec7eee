"""Waiting for the window, in tests: an event loop with a bound."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer, SignalInstance

#: Seconds; far above what anything here takes, so that a slow machine fails no test.
PATIENCE = 60


def until(condition: Callable[[], object], what: str = "", seconds: float = PATIENCE) -> None:
    """Run the event loop until *condition* holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what or condition}"
        loop = QEventLoop()
        QTimer.singleShot(10, loop.quit)
        loop.exec()


class Catcher:
    """Collects what a signal carried; `wait` returns the next not yet taken."""

    def __init__(self, signal: SignalInstance) -> None:
        self.values: list[tuple] = []
        signal.connect(self._on_signal)

    def _on_signal(self, *values) -> None:
        self.values.append(values)

    def wait(self, seconds: float = PATIENCE) -> tuple:
        until(lambda: self.values, "a signal", seconds)
        return self.values.pop(0)


def settle(rounds: int = 5) -> None:
    """Let what is posted happen."""
    for _ in range(rounds):
        QCoreApplication.processEvents()
