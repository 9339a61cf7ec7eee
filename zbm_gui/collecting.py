"""Garbage is collected in the window's thread and in no other.

Python collects in whatever thread happens to make one object too many, and what it finds in a cycle it deletes there.
Widgets lie in cycles (a button knows the slot it calls, the slot its page), and a widget that is deleted outside of the
window's thread can end the program. So collections are not left to chance: a timer of the window asks whether one is due,
by Python's own counts.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

#: Milliseconds between two questions while much is made, and while little is. What a run makes in 200 ms is looked through
#: in up to 6 ms, and ten times as much in up to 15: oftener is smoother, and a window at rest should rest.
BUSY_MS, CALM_MS = 50, 500
#: Python's own thresholds but for the last: looks through what is new after which all of memory is looked through (it has
#: 10). The word index grows by tens of thousands of records in a run, and each look holds the window for 40 to 80 ms.
THRESHOLDS = (700, 10, 1000)


class Collector(QObject):
    """Collects as long as it lives; then Python does so by itself again."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=CALM_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self.destroyed.connect(_leave_it_to_python)

    def look(self) -> None:
        """Collect what is due, the oldest generation that is."""
        due = [count > most for count, most in zip(gc.get_count(), THRESHOLDS, strict=True)]
        if due[2]:
            gc.collect(2)
        elif due[1]:
            gc.collect(1)
        elif due[0]:
            gc.collect(0)
        self._timer.setInterval(BUSY_MS if any(due) else CALM_MS)


def _leave_it_to_python(_collector: QObject | None = None) -> None:
    gc.enable()
