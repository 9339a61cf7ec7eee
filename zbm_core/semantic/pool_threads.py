"""Threads that a library starts for itself, made to stand behind what a person waits for."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from zbm_core.restraints import NICE

_TASKS = Path("/proc/self/task")


@contextlib.contextmanager
def in_background() -> Iterator[None]:
    """Give every thread that is started natively in this block the priority of background work.

    The runtime of a model shares out each call among threads of its own, which begin with the priority of the
    process: beside a job's thread that was lowered, the greater part of the job would still outrank the window. Threads
    of Python are left alone. Linux alone: elsewhere a thread's priority is set by the thread itself.
    """
    before = _threads()
    yield
    ours = {thread.native_id for thread in threading.enumerate()}
    for number in _threads() - before - ours:
        with contextlib.suppress(OSError):  # it may have ended
            os.setpriority(os.PRIO_PROCESS, number, NICE)


def _threads() -> set[int]:
    """The native numbers of this process's threads; none where the system does not tell."""
    if sys.platform != "linux":
        return set()
    try:
        return {int(entry.name) for entry in _TASKS.iterdir()}
    except OSError:
        return set()
