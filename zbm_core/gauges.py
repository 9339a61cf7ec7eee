"""Counters that run along: how fast the embedding model works, what the program's processes take."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from zbm_core.children import FLAG, MAINS, Kind

#: Seconds over which what goes on now is measured, and after which a rate is worth saying (facts of the
#: reference).
WINDOW_SECONDS = 120.0
ESTABLISHED_SECONDS = 30.0
#: Seconds without a batch after which the work counts as begun anew: a pause is no slow stretch.
STRETCH_GAP = 20.0


class BatchLike(Protocol):
    """What the recorder takes of `semantic.encoder.Batch`."""

    rows: Sequence[int]
    tokens: int
    padded: int
    seconds: float


# --- how fast -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rates:
    """Work of the embedding model over some stretch of time."""

    batches: int = 0
    chunks: int = 0
    tokens: int = 0
    padded: int = 0  # tokens with the padding of their batches
    inference: float = 0.0  # seconds the model computed
    elapsed: float = 0.0  # seconds of the stretch, reading and storing included

    @property
    def established(self) -> bool:
        """Whether the stretch is long enough to be believed."""
        return self.elapsed >= ESTABLISHED_SECONDS and self.chunks > 0

    @property
    def chunks_per_second(self) -> float:
        """Of the stretch: what the user waits for."""
        return self.chunks / self.elapsed if self.elapsed else 0.0

    @property
    def tokens_per_second(self) -> float:
        """Of the model alone: its inference speed."""
        return self.tokens / self.inference if self.inference else 0.0

    @property
    def padding_efficiency(self) -> float:
        """Share of the tokens computed that were text: 1 is best."""
        return self.tokens / self.padded if self.padded else 1.0


class Recorder:
    """Takes the numbers of each batch; thread-safe, some microseconds a batch.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: deque[tuple[float, Rates]] = deque()
        self._began = self._last = 0.0  # of the stretch under way
        self._before = 0.0  # seconds of the stretches that are over
        self._total = Rates()

    def add(self, batch: BatchLike) -> None:
        """A batch has just been computed."""
        one = Rates(1, len(batch.rows), batch.tokens, batch.padded, batch.seconds)
        with self._lock:
            now = self._clock()
            if not self._total.batches or now - self._last > STRETCH_GAP + batch.seconds:
                self._before += self._last - self._began
                self._began = now - batch.seconds
                self._recent.clear()
            self._last = now
            self._recent.append((now, one))
            while now - self._recent[0][0] > WINDOW_SECONDS:
                self._recent.popleft()
            self._total = _sum((self._total, one))

    def window(self) -> Rates:
        """The last `WINDOW_SECONDS` of the stretch under way; nothing when none is."""
        with self._lock:
            now = self._clock()
            if not self._recent or now - self._last > STRETCH_GAP:
                return Rates()
            kept = [rates for when, rates in self._recent if now - when <= WINDOW_SECONDS]
            return _sum(kept, min(WINDOW_SECONDS, now - self._began))

    def total(self) -> Rates:
        """Everything since the program was started."""
        with self._lock:
            return _sum((self._total,), self._before + self._last - self._began)


def _sum(parts: Iterable[Rates], elapsed: float = 0.0) -> Rates:
    parts = list(parts)
    return Rates(
        sum(part.batches for part in parts),
        sum(part.chunks for part in parts),
        sum(part.tokens for part in parts),
        sum(part.padded for part in parts),
        sum(part.inference for part in parts),
        elapsed,
    )


# --- processes ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProcessUse:
    """One process of the program."""

    role: str
    memory: int  # resident bytes
    cpu: float | None  # per cent of one core since the last look; None at the first


class ProcessSampler:
    """The program and its children; `sample` measures processor time since it was last called."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, tuple[Any, str, float, float]] = {}  # process, role, cpu seconds, when

    def sample(self) -> tuple[ProcessUse, ...]:
        import psutil

        with self._lock:
            own = psutil.Process()
            try:
                found = [own, *own.children(recursive=True)]
            except psutil.Error:
                found = [own]
            known, uses = {}, []
            for process in found:
                try:
                    times, memory = process.cpu_times(), process.memory_info().rss
                    before = self._known.get(process.pid)
                    role = "Program" if process.pid == own.pid else ""
                    if before is not None and before[0] == process:  # the same pid may be another process
                        role = before[1]
                    role = role or role_of(process.cmdline())
                except psutil.Error:
                    continue  # ended meanwhile
                now, spent = time.monotonic(), times.user + times.system
                cpu = None
                if before is not None and before[0] == process and now > before[3]:
                    cpu = 100 * (spent - before[2]) / (now - before[3])
                known[process.pid] = (process, role, spent, now)
                uses.append(ProcessUse(role, memory, cpu))
            self._known = known
            return tuple(uses)


def role_of(command: Sequence[str]) -> str:
    """What the child with this command line does, in words."""
    names = {
        Kind.DOCUMENTS: "Document reader",
        Kind.READER: "Reader of an open text",
        Kind.ENCODER: "Embedding model",
    }
    for kind, name in names.items():
        if MAINS[kind] in command or (FLAG in command and kind.value in command):
            return name
    return "Other child"
