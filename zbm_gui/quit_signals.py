"""Ending the window when the terminal or the session asks for it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier


class QuitSignals(QObject):
    """Calls *on_quit* in the event loop on SIGINT and SIGTERM (an ended session, Ctrl+C).

    Python runs its handlers between bytecodes, which an idle event loop has none of: the signal is
    passed on through a socket that the loop listens to.
    """

    def __init__(self, on_quit: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._here, self._there = socket.socketpair()
        for end in (self._here, self._there):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        self._on_quit = on_quit
        self._before = {
            number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)
        }
        self._fd_before = signal.set_wakeup_fd(self._there.fileno(), warn_on_full_buffer=False)

    def _on_signal(self) -> None:
        self._here.recv(64)
        self._on_quit()

    def close(self) -> None:
        signal.set_wakeup_fd(self._fd_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        self._here.close()
        self._there.close()
