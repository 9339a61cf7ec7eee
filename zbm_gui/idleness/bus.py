"""Desktops that answer over D-Bus: GNOME, KDE and those that tell the login service."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusMessage,
    QDBusPendingCall,
    QDBusPendingCallWatcher,
    QDBusVariant,
)

#: Milliseconds after which an answer is no longer waited for; nothing stands still meanwhile.
_PATIENCE_MS = 5_000
_LOGIN = "org.freedesktop.login1"
SYSTEM_BUS = Path("/run/dbus/system_bus_socket")


class BusSource(QObject):
    """One question to one service. It is never started for it: a desktop that has it runs it.

    Args:
        meaning: of the answer's arguments: seconds, or None where they say nothing.

    Signals:
        told(float)
    """

    told = Signal(float)

    def __init__(
        self,
        bus: QDBusConnection,
        call: tuple[str, str, str, str],  # service, path, interface, method
        arguments: list[str],
        meaning: Callable[[list[Any]], float | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bus, self._call, self._arguments, self._meaning = bus, call, arguments, meaning
        self._watcher: QDBusPendingCallWatcher | None = None

    def ask(self) -> None:
        if self._watcher is not None:
            return  # not answered yet
        question = QDBusMessage.createMethodCall(*self._call)
        question.setArguments(self._arguments)
        question.setAutoStartService(False)
        pending: QDBusPendingCall = self._bus.asyncCall(question, _PATIENCE_MS)
        self._watcher = QDBusPendingCallWatcher(pending, self)
        self._watcher.finished.connect(self._on_answer)

    def _on_answer(self, watcher: QDBusPendingCallWatcher) -> None:
        self._watcher = None
        watcher.deleteLater()
        if watcher.isError():
            return  # this desktop has no such service
        seconds = self._meaning(watcher.reply().arguments())
        if seconds is not None:
            self.told.emit(seconds)


def bus_sources(parent: QObject | None = None) -> list[BusSource | Login]:
    """Of the buses there are; connecting to one that is there is a local connection, and none is started."""
    found = []
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS") or (runtime and Path(runtime, "bus").exists()):
        session = QDBusConnection.sessionBus()
        if session.isConnected():
            found += [gnome(session, parent), kde(session, parent)]
    if os.environ.get("DBUS_SYSTEM_BUS_ADDRESS") or SYSTEM_BUS.exists():
        system = QDBusConnection.systemBus()
        if system.isConnected():
            found.append(Login(system, parent))
    return found


def gnome(bus: QDBusConnection, parent: QObject | None = None) -> BusSource:
    name = "org.gnome.Mutter.IdleMonitor"
    call = (name, "/org/gnome/Mutter/IdleMonitor/Core", name, "GetIdletime")
    return BusSource(bus, call, [], _milliseconds, parent)


def kde(bus: QDBusConnection, parent: QObject | None = None) -> BusSource:
    """Its number is of milliseconds; a desktop that counts seconds is never found idle by it, which does no harm."""
    name = "org.freedesktop.ScreenSaver"
    return BusSource(bus, (name, "/ScreenSaver", name, "GetSessionIdleTime"), [], _milliseconds, parent)


class Login(QObject):
    """The login service: whether the session was said to be idle, and then since when. One that was not says nothing
    here, as many desktops never tell.

    Signals:
        told(float)
    """

    told = Signal(float)

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hint = self._property(bus, "IdleHint", lambda told: 1.0 if told is True else None)
        self._since = self._property(bus, "IdleSinceHint", _seconds_since)
        self._hint.told.connect(lambda _idle: self._since.ask())
        self._since.told.connect(self.told)

    def _property(self, bus: QDBusConnection, name: str, meaning: Callable[[Any], float | None]) -> BusSource:
        call = (_LOGIN, "/org/freedesktop/login1/session/auto", "org.freedesktop.DBus.Properties", "Get")

        def of_answer(arguments: list[Any]) -> float | None:
            told = arguments[0] if arguments else None
            return meaning(told.variant() if isinstance(told, QDBusVariant) else told)

        return BusSource(bus, call, [f"{_LOGIN}.Session", name], of_answer, self)

    def ask(self) -> None:
        self._hint.ask()


def _seconds_since(told: Any) -> float | None:
    """Args:
    told: microseconds since the epoch; 0 where nothing was told.
    """
    return max(0.0, time.time() - told / 1e6) if isinstance(told, int) and told > 0 else None


def _milliseconds(arguments: list[Any]) -> float | None:
    told = arguments[0] if arguments else None
    return told / 1000 if isinstance(told, int) and told >= 0 else None
