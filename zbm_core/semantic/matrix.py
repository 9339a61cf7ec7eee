"""Every stored vector in one contiguous block of memory, scanned whole for each query.

Rows are only ever appended; a deleted source's rows are marked dead and dropped when they become
many. A search works on a view taken under the lock, so a writer never waits for a scan.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from zbm_core.semantic import kernel
from zbm_core.semantic.vectors import norms

#: Growth of the block when it is full: amortised copying, at most a quarter of memory unused.
GROWTH = 1.25
FIRST_CAPACITY = 4096
#: Share of dead rows at which the block is packed again.
MAX_DEAD = 0.2
#: Below this share of admitted rows, gathering them first beats scanning everything
#: (facts: half the time at 10 %; the two meet near a third).
GATHER_BELOW = 0.3


@dataclass(frozen=True, slots=True)
class RowHits:
    """Rows at or above a floor: parallel arrays, in no order."""

    sources: np.ndarray  # (n,) int32 handles
    chunks: np.ndarray  # (n,) int32
    scores: np.ndarray  # (n,) float32 cosines

    def __len__(self) -> int:
        return len(self.scores)


@dataclass(frozen=True, slots=True)
class _View:
    rows: np.ndarray
    scales: np.ndarray
    sources: np.ndarray
    chunks: np.ndarray


class VectorMatrix:
    """``(rows, width) int8`` with the source handle and chunk of each row."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lock = threading.Lock()
        self._count = self._dead = 0
        self._allocate(FIRST_CAPACITY)

    def _allocate(self, capacity: int) -> None:
        self._rows = np.empty((capacity, self.width), np.int8)
        self._scales = np.empty(capacity, np.float32)  # 1 over the row's length; no number: dead
        self._sources = np.empty(capacity, np.int32)
        self._chunks = np.empty(capacity, np.int32)

    def __len__(self) -> int:
        """Live rows."""
        return self._count - self._dead

    def append(self, source: int, chunks: np.ndarray, rows: np.ndarray) -> None:
        """Add *rows* ``(n, width) int8``, the *chunks* ``(n,)`` of the source with handle *source*."""
        self.extend(np.full(len(rows), source, np.int32), chunks, rows)

    def extend(self, sources: np.ndarray, chunks: np.ndarray, rows: np.ndarray) -> None:
        """Add rows of many sources at once: ``(n,)``, ``(n,)`` and ``(n, width) int8``."""
        scales = 1 / norms(rows)
        with self._lock:
            end = self._count + len(rows)
            if end > len(self._rows):
                self._repack(max(end, int(len(self._rows) * GROWTH)), keep=slice(0, self._count))
            part = slice(self._count, end)
            self._rows[part], self._scales[part] = rows, scales
            self._sources[part], self._chunks[part] = sources, chunks
            self._count = end

    def delete(self, sources: Iterable[int]) -> None:
        """Drop every row of *sources*."""
        wanted = np.fromiter(sources, np.int32)
        with self._lock:
            gone = np.isin(self._sources[: self._count], wanted)
            gone &= ~np.isnan(self._scales[: self._count])
            if not gone.any():
                return
            # A scan under way holds the old array: write to a copy, not under its feet.
            self._scales = self._scales.copy()
            self._scales[: self._count][gone] = np.nan
            self._dead += int(gone.sum())
            if self._dead > MAX_DEAD * self._count:
                alive = np.flatnonzero(~np.isnan(self._scales[: self._count]))
                self._repack(max(FIRST_CAPACITY, int(len(alive) * GROWTH)), keep=alive)
                self._count, self._dead = len(alive), 0

    def rows_of(self, sources: Iterable[int]) -> np.ndarray:
        """A copy of the rows of *sources*: ``(n, width) int8``."""
        wanted = np.fromiter(sources, np.int32)
        with self._lock:
            held = np.isin(self._sources[: self._count], wanted)
            return self._rows[: self._count][held]

    def row(self, source: int, chunk: int) -> np.ndarray:
        """A copy of one row ``(width,) int8``; zeros where there is none."""
        with self._lock:
            held = np.flatnonzero(
                (self._sources[: self._count] == source)
                & (self._chunks[: self._count] == chunk)
                & ~np.isnan(self._scales[: self._count])
            )
            return self._rows[held[-1]].copy() if len(held) else np.zeros(self.width, np.int8)

    def _repack(self, capacity: int, keep: slice | np.ndarray) -> None:
        old = _View(self._rows, self._scales, self._sources, self._chunks)
        self._allocate(capacity)
        count = self._count if isinstance(keep, slice) else len(keep)
        self._rows[:count], self._scales[:count] = old.rows[keep], old.scales[keep]
        self._sources[:count], self._chunks[:count] = old.sources[keep], old.chunks[keep]

    def search(self, query: np.ndarray, floor: float, allowed: np.ndarray | None = None) -> RowHits:
        """Rows whose cosine with *query* ``(width,) int8`` is at least *floor*.

        Args:
            allowed: ``(handles,) bool`` indexed by source handle; None admits every source.
        """
        with self._lock:
            count = self._count
            view = _View(
                self._rows[:count], self._scales[:count], self._sources[:count], self._chunks[:count]
            )
        length = float(norms(query[None])[0])
        least = floor * length
        if allowed is None:
            scores, places = kernel.dot(query, view.rows), None
            scores *= view.scales
            kept = np.flatnonzero(scores >= least)  # what is dead is no number, and at least nothing
        else:
            places = np.flatnonzero(allowed[view.sources])
            if len(places) < GATHER_BELOW * count:
                scores = kernel.dot(query, view.rows[places])
            else:
                scores = kernel.dot(query, view.rows)[places]
            scores *= view.scales[places]
            kept = np.flatnonzero(scores >= least)
        scores = scores[kept] / np.float32(length)
        found = kept if places is None else places[kept]
        return RowHits(view.sources[found], view.chunks[found], scores)
