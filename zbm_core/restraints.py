"""What keeps a child from being a burden: its priority, its memory, and its end with its parent.

By system:

- Linux: `Lifeline` ends a child the moment its parent is gone, also inside a call that holds the interpreter lock; data
  memory is bounded by the kernel (`bound_memory`).
- macOS: the child's own thread sees the end of stdin; a timer of the C level (`processes.die_after`) ends one that hangs
  inside a call. Memory is bounded by the parent's looks alone (the system accepts the limit and does not hold to it).
- Windows: as on macOS. Both are what a job object would do at once (`JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE`,
  `JOB_OBJECT_LIMIT_PROCESS_MEMORY`); until it is tried on that system the portable way stands alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

NICE = 10
"""Nice value of work that nobody waits for; a process of the desktop has 0, the least of all 19."""

LIBRARIES = 64 << 20
"""Bytes of a child's resident memory that are mapped files, its libraries' code: the kernel's bound of data does not
count them (MuPDF, lxml, lexbor and the interpreter: about 50 MB)."""

LEAST_DATA = 128 << 20
"""Bytes below which no bound of data is set: an interpreter with its libraries would not start."""

_LIFELINE = "ZBM_LIFELINE"
"""Environment variable with the number of the lifeline's descriptor."""

_BELOW_NORMAL_THREAD = -1  # winbase.h: THREAD_PRIORITY_BELOW_NORMAL
_UTILITY = 0x11  # sys/qos.h: QOS_CLASS_UTILITY


class Lifeline:
    """The parent's end of a pipe nothing is ever written to. The system closes it with the process, and the kernel
    signals the child whose end is then alone: no code of the child has to run for that. Does nothing but on Linux."""

    def __init__(self) -> None:
        self._ends: list[int] = list(os.pipe()) if sys.platform == "linux" else []

    @property
    def passed(self) -> tuple[int, ...]:
        """Descriptors the child is started with."""
        return tuple(self._ends[:1])

    def environment(self, given: dict[str, str]) -> dict[str, str]:
        """*given* with what tells the child of it."""
        return {**given, _LIFELINE: str(self._ends[0])} if self._ends else given

    def started(self) -> None:
        """The child is there (or could not be started): its end is its own."""
        if len(self._ends) == 2:
            os.close(self._ends.pop(0))

    def close(self) -> None:
        """Let go. A child that is still there ends."""
        while self._ends:
            os.close(self._ends.pop())


def hold_lifeline() -> bool:
    """In a child: end at once when the parent is gone (see `Lifeline`). False where that cannot be promised."""
    number = os.environ.pop(_LIFELINE, "")
    if sys.platform != "linux" or not number.isdigit():
        return False
    import fcntl
    import select

    end = int(number)
    with contextlib.suppress(OSError):
        fcntl.fcntl(end, fcntl.F_SETOWN, os.getpid())
        # Which signal comes; without this SIGIO, which a library may have a handler for.
        fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
        # The parent may have gone before the kernel knew whom to tell.
        poll = select.poll()
        poll.register(end, select.POLLIN)
        if any(event & select.POLLHUP for _, event in poll.poll(0)):
            os._exit(0)
        return True
    return False


def bound_memory(most: int) -> None:
    """Bound this process's memory to about *most* bytes resident: what is asked for beyond it fails as MemoryError, or
    as the library's own error, instead of being killed for. May be called again. Linux alone."""
    if sys.platform != "linux":
        return
    import resource

    data = max(LEAST_DATA, most - LIBRARIES)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        data = min(data, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (data, hard))


def background_flags() -> int:
    """Flags of `subprocess.Popen` for a child in the background (Windows; 0 elsewhere)."""
    import subprocess

    return subprocess.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else 0


def to_background(pid: int) -> None:
    """Let process *pid*, just started, stand behind what the user waits for. (Windows: `background_flags`.)"""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # it may have ended, or be lower already
            os.setpriority(os.PRIO_PROCESS, pid, NICE)


def this_thread_to_background() -> None:
    """Let the calling thread alone stand behind what the user waits for, where a system knows threads' priorities."""
    import ctypes

    libraries: Any = ctypes
    with contextlib.suppress(OSError, AttributeError):
        if sys.platform == "linux":
            # Linux gives each thread a nice value of its own.
            import threading

            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        elif sys.platform == "win32":
            kernel = libraries.windll.kernel32
            kernel.GetCurrentThread.restype = ctypes.c_void_p
            kernel.SetThreadPriority(ctypes.c_void_p(kernel.GetCurrentThread()), _BELOW_NORMAL_THREAD)
        elif sys.platform == "darwin":
            ctypes.CDLL(None).pthread_set_qos_class_self_np(_UTILITY, 0)
