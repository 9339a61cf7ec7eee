"""What the computer, and Zotero on it, say about working now."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

#: Bytes of memory that must be left before documents are read or a model is run: a reading child may come to
#: half a GB before it is replaced (`documents.extraction.TIRED`).
LEAST_MEMORY = 512 << 20
#: Seconds between looks at battery and memory.
LOOK_EVERY = 5.0
#: Seconds without a write by Zotero after which it counts as quiet. Zotero's sync and imports write in a row;
#: nothing outside Zotero says that it syncs.
QUIET = 3.0
#: Seconds that Zotero may keep the attachments waiting in a row: a sync of hours is worked beside.
LONGEST_COURTESY = 60.0
#: Threads of one call of the model at most: beyond, a laptop's fan gains more than the index.
MOST_THREADS = 8

ON_BATTERY = "Waiting for mains power: this computer runs on battery"
LOW_MEMORY = "Waiting for memory: other programs use nearly all of it"
ZOTERO_WRITES = "Waiting a moment: Zotero is writing to the library"


class Machine:
    """Answers why heavy work should wait, cheaply enough to be asked at every turn.

    Args:
        spare_battery: whether work waits for mains power; asked each time, as the user may change it.
        boosted: whether nobody minds the fan (preferences open, or nobody there): all cores instead of half.
        last_write: when Zotero last wrote, in seconds since the epoch; 0.0 when not known.
    """

    def __init__(
        self,
        spare_battery: Callable[[], bool] = lambda: False,
        boosted: Callable[[], bool] = lambda: False,
        last_write: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._spare_battery, self._boosted, self._last_write = spare_battery, boosted, last_write
        self._looked = float("-inf")
        self._answer = ""
        self._courteous_since: float | None = None

    def why_wait(self) -> str:
        """A sentence saying why heavy work waits; "" when it may go on."""
        now = time.monotonic()
        if now - self._looked >= LOOK_EVERY or self._answer:
            self._looked = now
            self._answer = self._look()
        return self._answer

    @property
    def boosted(self) -> bool:
        return self._boosted()

    def threads(self) -> int:
        """For one call of the model: half the cores, or all of them when boosted."""
        cores = min(MOST_THREADS, cores_of())
        return cores if self.boosted else max(1, cores // 2)

    def _look(self) -> str:
        if self._spare_battery() and on_battery():
            return ON_BATTERY
        if available_memory() < LEAST_MEMORY:
            return LOW_MEMORY
        return ZOTERO_WRITES if self._zotero_writes() else ""

    def _zotero_writes(self) -> bool:
        now = time.time()
        if not 0 <= now - self._last_write() < QUIET:
            self._courteous_since = None
            return False
        if self._courteous_since is None:
            self._courteous_since = now
        return now - self._courteous_since < LONGEST_COURTESY


class Tireless(Machine):
    """For whoever asked for the work and waits for it (the command line): nothing is waited for."""

    def why_wait(self) -> str:
        return ""


def on_battery() -> bool:
    """Whether this computer runs on battery now; False where it has none or does not say."""
    import psutil

    sensors = getattr(psutil, "sensors_battery", None)
    try:
        battery = sensors() if sensors is not None else None
    except (OSError, RuntimeError, NotImplementedError):
        return False  # machines without a battery have odd ways to say so
    return battery is not None and battery.power_plugged is False


def available_memory() -> int:
    """Bytes that can be taken without swapping."""
    import psutil

    return psutil.virtual_memory().available


def cores_of() -> int:
    """Cores, not counting those that share one with another."""
    import psutil

    return psutil.cpu_count(logical=False) or os.cpu_count() or 1
