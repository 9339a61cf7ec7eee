"""Asks now and then how long nobody has touched keyboard and mouse."""

from __future__ import annotations

import logging
import sys
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication

from zbm_gui.idleness.native import mac_source, windows_source, x11_source
from zbm_gui.idleness.own import OwnInactivity

log = logging.getLogger(__name__)

#: Seconds without keyboard and mouse after which nobody is there (facts of the reference).
IDLE_AFTER = 300.0
#: Milliseconds between two looks while someone is there, and while nobody is: who comes back should find the computer
#: calm again at once.
LOOK_MS = 20_000
LOOK_IDLE_MS = 2_000


class Source(Protocol):
    """Tells the seconds since keyboard and mouse were last used, by `told`, once for each `ask` or never."""

    told: SignalInstance  # of float

    def ask(self) -> None: ...


class IdleWatch(QObject):
    """Watches between `start` and `stop`, and costs nothing else.

    Where the system tells nothing, what the application itself notices decides (`OwnInactivity`): it tells less, and
    so it counts only where no other source has ever answered.

    Args:
        sources: for tests; else what this system offers.

    Signals:
        changed(bool): nobody is there, or someone has come back.
    """

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None, sources: list[Source] | None = None) -> None:
        super().__init__(parent)
        self.idle = False
        self._given = sources
        self._sources: list[Source] | None = None  # found when first watched
        self._own = OwnInactivity(self)
        self._own.told.connect(self._on_own)
        self._answered = False  # whether the system has ever told anything
        self._seconds: float | None = None  # the least that was told since the last look
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.look)
        QGuiApplication.instance().applicationStateChanged.connect(self._on_application)

    @property
    def watching(self) -> bool:
        return self._timer.isActive()

    def start(self) -> None:
        """Watch from now on; nothing happens where it is watched already."""
        if self._timer.isActive():
            return
        if self._sources is None:
            self._sources = sources_of_this_system(self) if self._given is None else self._given
            for source in self._sources:
                source.told.connect(self._on_told)
        self._own.begin()
        self._timer.start()
        self._ask()

    def stop(self) -> None:
        """Watch no more; nobody is said to be away."""
        self._timer.stop()
        self._set(False)

    def look(self) -> None:
        """Decide by what was told since the last look, and ask anew. Answers may come late; the window waits for none."""
        # The least of what was told: a source that knows of some devices only tells too long a time.
        self._set(self._seconds is not None and self._seconds >= IDLE_AFTER)
        self._ask()

    def _ask(self) -> None:
        self._seconds = None
        for source in self._sources or ():
            source.ask()
        self._own.ask()

    def _on_told(self, seconds: float) -> None:
        if not self._answered:
            self._answered, self._seconds = True, None
        self._take(seconds)

    def _on_own(self, seconds: float) -> None:
        if not self._answered:
            self._take(seconds)

    def _take(self, seconds: float) -> None:
        self._seconds = seconds if self._seconds is None else min(self._seconds, seconds)
        if seconds < IDLE_AFTER:
            self._set(False)  # that someone is there holds at once

    def _on_application(self, state: Qt.ApplicationState) -> None:
        """Whoever brings the window to the front is there."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._set(False)

    def _set(self, idle: bool) -> None:
        if idle == self.idle:
            return
        self.idle = idle
        self._timer.setInterval(LOOK_IDLE_MS if idle else LOOK_MS)
        log.info("nobody is at the computer" if idle else "someone is at the computer")
        self.changed.emit(idle)


def sources_of_this_system(parent: QObject) -> list[Source]:
    """What can tell on this system; empty where nothing can."""
    if sys.platform == "win32":
        found = windows_source(parent)
    elif sys.platform == "darwin":
        found = mac_source(parent)
    else:
        found = x11_source(parent)
        try:
            from zbm_gui.idleness.bus import bus_sources
        except ImportError as error:  # Qt may have been put together without it
            log.info("the desktop cannot be asked: %s", error)
        else:
            return [*filter(None, [found]), *bus_sources(parent)]
    return [found] if found is not None else []
