"""Systems that answer at once, in a call that takes microseconds: Windows, macOS and X11."""

from __future__ import annotations

import ctypes
import ctypes.util
import logging
import os
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

log = logging.getLogger(__name__)

#: CGEventTypes.h: any keyboard, mouse or tablet event; CGEventSource.h: of the session, whoever caused it.
_ANY_INPUT, _SESSION = 0xFFFFFFFF, 0
_MAC_LIBRARY = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"


class NativeSource(QObject):
    """Args:
    seconds: asks the system; None where it does not say.

    Signals:
        told(float)
    """

    told = Signal(float)

    def __init__(self, seconds: Callable[[], float | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seconds = seconds

    def ask(self) -> None:
        seconds = self._seconds()
        if seconds is not None:
            self.told.emit(seconds)


# --- Windows ----------------------------------------------------------------------------------------------


class _LastInput(ctypes.Structure):
    """winuser.h: LASTINPUTINFO."""

    _fields_ = (("size", ctypes.c_uint32), ("ticks", ctypes.c_uint32))


def windows_source(parent: QObject | None = None) -> NativeSource:
    libraries: Any = ctypes
    user, kernel = libraries.windll.user32, libraries.windll.kernel32
    return NativeSource(lambda: windows_seconds(user, kernel), parent)


def windows_seconds(user: Any, kernel: Any) -> float | None:
    """Args:
    user, kernel: user32 and kernel32.
    """
    last = _LastInput(ctypes.sizeof(_LastInput), 0)
    if not user.GetLastInputInfo(ctypes.byref(last)):
        return None
    # Both count milliseconds since the start and begin anew after 49 days.
    return ((kernel.GetTickCount() - last.ticks) & 0xFFFFFFFF) / 1000


# --- macOS ------------------------------------------------------------------------------------------------


def mac_source(parent: QObject | None = None, library: Any = None) -> NativeSource | None:
    try:
        call = (library or ctypes.CDLL(_MAC_LIBRARY)).CGEventSourceSecondsSinceLastEventType
    except (OSError, AttributeError) as error:
        log.info("the system does not tell when it was last used: %s", error)
        return None
    call.restype, call.argtypes = ctypes.c_double, (ctypes.c_int32, ctypes.c_uint32)
    return NativeSource(lambda: float(call(_SESSION, _ANY_INPUT)), parent)


# --- X11 --------------------------------------------------------------------------------------------------


class _ScreenSaver(ctypes.Structure):
    """X11/extensions/scrnsaver.h: XScreenSaverInfo; times in milliseconds."""

    _fields_ = (
        ("window", ctypes.c_ulong),
        ("state", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("til_or_since", ctypes.c_ulong),
        ("idle", ctypes.c_ulong),
        ("event_mask", ctypes.c_ulong),
    )


def x11_source(parent: QObject | None = None) -> NativeSource | None:
    """None under Wayland, where an X server knows nothing of what other programs are used."""
    if QGuiApplication.platformName() != "xcb" or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return None
    try:
        return NativeSource(XScreenSaver().seconds, parent)
    except OSError as error:
        log.info("the X server does not tell when it was last used: %s", error)
        return None


class XScreenSaver:
    """A connection to the X server of its own. Raises OSError where there is none, or it lacks the extension."""

    def __init__(self) -> None:
        names = [ctypes.util.find_library(name) for name in ("X11", "Xss")]
        if None in names:
            raise OSError("a library of X11 is not installed")
        self._x, self._saver = (ctypes.CDLL(name) for name in names)
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.argtypes = (ctypes.c_void_p,)
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        self._saver.XScreenSaverQueryExtension.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._saver.XScreenSaverQueryInfo.argtypes = (ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p)
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            raise OSError("there is no X server")
        first, error = ctypes.c_int(), ctypes.c_int()
        if not self._saver.XScreenSaverQueryExtension(
            self._display, ctypes.byref(first), ctypes.byref(error)
        ):
            raise OSError("the X server lacks its screen saver extension")
        self._root = self._x.XDefaultRootWindow(self._display)

    def seconds(self) -> float | None:
        info = _ScreenSaver()
        if not self._saver.XScreenSaverQueryInfo(self._display, self._root, ctypes.byref(info)):
            return None
        return info.idle / 1000
