"""What the computer, and who sits at it, say about working now."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable

#: Bytes of memory below which documents are not read nor a model is run: a reading child may come to half a GB
#: before it is replaced (`documents.extraction.TIRED`).
LEAST_MEMORY = 512 << 20
#: Bytes there must be for heavy work to begin, and to begin again: what the work itself takes must not be what stops it.
ENOUGH_MEMORY = 768 << 20
#: Seconds between looks at battery and memory.
LOOK_EVERY = 5.0
#: Seconds without a write by Zotero after which it counts as quiet. Zotero's sync and imports write in a row;
#: nothing outside Zotero says that it syncs.
QUIET = 3.0
#: Seconds that Zotero may keep the attachments waiting in a row: a sync of hours is worked beside.
LONGEST_COURTESY = 60.0
#: Seconds after a page was drawn for the one who reads: turning pages is a row of drawings.
READER_QUIET = 1.5
#: Seconds that reading may keep heavy work waiting in a row. The children stand behind the window in any case.
READER_COURTESY = 20.0
#: Threads of one call of the model at most: beyond, a laptop's fan gains more than the index.
MOST_THREADS = 8

ON_BATTERY = "Waiting for mains power: this computer runs on battery"
LOW_MEMORY = "Waiting for memory: other programs use nearly all of it"
ZOTERO_WRITES = "Waiting a moment: Zotero is writing to the library"
READING = "Waiting a moment: a document is being read"
#: Rests that nobody is told of: words that came and went with every page turned would be noticed more than the work.
UNTOLD = frozenset({READING})


class Machine:
    """Answers why heavy work should wait, cheaply enough to be asked at every turn.

    Args:
        spare_battery: whether work waits for mains power; asked each time, as the user may change it.
        boosted: whether nobody minds the fan (preferences open, or nobody there): all cores instead of half.
        last_write: when Zotero last wrote, in seconds since the epoch; 0.0 when not known.
        last_drawn: when a page was last drawn for the one who reads, by the same clock.
    """

    def __init__(
        self,
        spare_battery: Callable[[], bool] = lambda: False,
        boosted: Callable[[], bool] = lambda: False,
        last_write: Callable[[], float] = lambda: 0.0,
        last_drawn: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._spare_battery, self._boosted = spare_battery, boosted
        self._zotero = Courtesy(last_write, QUIET, LONGEST_COURTESY)
        self._reader = Courtesy(last_drawn, READER_QUIET, READER_COURTESY)
        self._looked = float("-inf")
        self._answer = ""
        self._needed = ENOUGH_MEMORY

    def why_wait(self) -> str:
        """A sentence saying why heavy work waits; "" when it may go on."""
        if self._reader.due():
            return READING
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
        short = available_memory() < self._needed
        self._needed = ENOUGH_MEMORY if short else LEAST_MEMORY
        if short:
            return LOW_MEMORY
        return ZOTERO_WRITES if self._zotero.due() else ""


class Attendance:
    """Who sits at the computer, as a face tells it from its own thread.

    Attributes:
        last_drawn: tells when a page was last drawn for the one who reads, in seconds since the epoch; 0.0: never.
    """

    def __init__(self) -> None:
        self._reasons: frozenset[str] = frozenset()
        self.last_drawn: Callable[[], float] = lambda: 0.0

    @property
    def boosted(self) -> bool:
        """Whether all cores may be used instead of half."""
        return bool(self._reasons)

    def boost(self, why: str, on: bool) -> None:
        """All cores may be used as long as one reason stands: the preferences are open, nobody is there."""
        self._reasons = self._reasons | {why} if on else self._reasons - {why}


class Courtesy:
    """Giving way to another's work until it is *quiet* for so many seconds; *longest* in a row, then beside it.

    Args:
        last: when the other last worked, in seconds since the epoch.
    """

    def __init__(self, last: Callable[[], float], quiet: float, longest: float) -> None:
        self._last, self._quiet, self._longest = last, quiet, longest
        self._since: float | None = None

    def due(self) -> bool:
        now = time.time()
        if not 0 <= now - self._last() < self._quiet:
            self._since = None
            return False
        if self._since is None or self._since > now:  # the clock may have been set back
            self._since = now
        return now - self._since < self._longest


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


@functools.cache
def cores_of() -> int:
    """Cores, not counting those that share one with another."""
    import psutil

    return psutil.cpu_count(logical=False) or os.cpu_count() or 1
