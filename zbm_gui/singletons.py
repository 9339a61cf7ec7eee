"""Keeps None, True and False alive under PySide6 6.12 and Python 3.11.

PySide6 6.12 is built for Python 3.12 and later, where these objects are immortal: its methods hand
them out without counting the reference. Python 3.11 still counts them down when the caller is done,
and ends the program when None is counted down to nothing, which takes some 6,000 calls. So they are
given more references than any run can use up, which is what immortality means in 3.12.
"""

from __future__ import annotations

import ctypes
import sys

_ENOUGH = sys.maxsize // 4


def keep_singletons() -> None:
    """Call once, before PySide6 is used; does nothing where Python does it itself."""
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    for singleton in (None, True, False, NotImplemented, ...):
        # The count is the first field of every object in CPython's release builds.
        count = ctypes.c_ssize_t.from_address(id(singleton))
        if abs(count.value - sys.getrefcount(singleton)) <= 2 and count.value < _ENOUGH:
            count.value += _ENOUGH
