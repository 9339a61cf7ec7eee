"""What the application notices by itself: its windows are not in use, and the pointer stands still."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QCursor, QGuiApplication


class OwnInactivity(QObject):
    """Signals:
    told(float): seconds in which no window of the application was in front and the pointer did not move, as far as
        the system shows where it is.
    """

    told = Signal(float)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._since = time.monotonic()
        self._pointer = QPoint()

    def begin(self) -> None:
        """Count from now on: what was before is not known."""
        self._since = time.monotonic()
        self._pointer = QCursor.pos()

    def ask(self) -> None:
        pointer, now = QCursor.pos(), time.monotonic()
        active = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        if active or pointer != self._pointer:
            self._since, self._pointer = now, pointer
        self.told.emit(now - self._since)
