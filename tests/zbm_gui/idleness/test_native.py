"""The systems that answer at once. X11 is asked for real where it is installed, the others through their interfaces."""

import ctypes
import shutil
import subprocess
import sys

import pytest

from zbm_gui.idleness import native
from zbm_gui.idleness.native import mac_source, windows_seconds, x11_source


class User32:
    def __init__(self, ticks):
        self.ticks = ticks

    def GetLastInputInfo(self, pointer):
        told = ctypes.cast(pointer, ctypes.POINTER(native._LastInput)).contents
        assert told.size == 8
        if self.ticks is None:
            return 0
        told.ticks = self.ticks
        return 1


class Kernel32:
    def __init__(self, ticks):
        self.ticks = ticks

    def GetTickCount(self):
        return ctypes.c_int(self.ticks).value  # as a function without a stated result is read


@pytest.mark.parametrize(
    ("now", "last", "seconds"),
    [
        (10_000, 4_000, 6.0),
        (0x80000010, 0x80000000, 0.016),
        (1_000, 0xFFFFFFFF - 999, 2.0),  # the count began anew in between
        (5, None, None),
    ],
)
def test_windows(now, last, seconds):
    assert windows_seconds(User32(last), Kernel32(now)) == seconds


def test_macos(app):
    asked = []

    def call(state, kind):
        asked.append((state, kind))
        return 12.5

    class Library:
        CGEventSourceSecondsSinceLastEventType = staticmethod(call)

    source = mac_source(library=Library)
    told = []
    source.told.connect(told.append)
    source.ask()
    assert told == [12.5] and asked == [(0, 0xFFFFFFFF)]
    assert call.restype is ctypes.c_double
    assert mac_source(library=object()) is None  # a system that has no such function


def test_a_platform_without_an_x_server_is_not_asked(app):
    assert x11_source() is None


X_PROGRAM = """
import time
from zbm_gui.idleness.native import XScreenSaver
saver = XScreenSaver()
first = saver.seconds()
time.sleep(0.3)
print(first >= 0, saver.seconds() - first >= 0.2)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("xvfb-run") is None or ctypes.util.find_library("Xss") is None,
    reason="there is no X server to ask here",
)
def test_an_x_server_tells_how_long_it_was_not_used():
    done = subprocess.run(
        ["xvfb-run", "-a", sys.executable, "-c", X_PROGRAM], capture_output=True, text=True, timeout=60
    )
    if "Xvfb failed to start" in done.stderr:
        pytest.skip("the X server does not start here")
    assert done.stdout == "True True\n", done.stderr


@pytest.mark.skipif(ctypes.util.find_library("X11") is None, reason="there is no library of X11 here")
def test_without_a_server_it_is_said(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":987")
    with pytest.raises(OSError, match=r"X11|X server"):
        native.XScreenSaver()
