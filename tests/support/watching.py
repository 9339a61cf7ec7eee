"""What child processes take, watched from outside."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import psutil

LOOK = 0.05
"""Seconds between two looks."""


class ChildWatch:
    """Looks at the memory and processor time of this process's children from a thread of its own.

    Attributes:
        most: bytes a child had resident at most (its own record where the system keeps one).
        cpu: seconds of processor time of all children, as far as it was seen.
    """

    def __init__(self) -> None:
        self.most = 0
        self._cpu: dict[int, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    @property
    def cpu(self) -> float:
        return sum(self._cpu.values())

    def __enter__(self) -> ChildWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        this = psutil.Process()
        own = this.cmdline()
        while not self._stop.wait(LOOK):
            for child in this.children():
                try:
                    if child.cmdline() == own:
                        continue  # between fork and exec: what it has resident is its parent's
                    self.most = max(self.most, peak_memory(child))
                    times = child.cpu_times()
                except (psutil.Error, OSError):
                    continue  # it has just ended
                self._cpu[child.pid] = times.user + times.system


def peak_memory(process: psutil.Process) -> int:
    """Bytes resident at most since the process started, where the system says (Linux, Windows); else now."""
    info = process.memory_info()
    if sys.platform == "linux":
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return getattr(info, "peak_wset", info.rss)
