"""The semantic index: the store of vectors, the block scanned in memory, and who each row belongs to."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_core.semantic.matrix import RowHits, VectorMatrix
from zbm_core.semantic.records import ChunkHit, EmbeddingSource, SemanticHit
from zbm_core.semantic.store import SemanticStore
from zbm_core.semantic.vectors import norms, quantize

#: Items a search finds at most. One in three of a large library lies above the floor of a question; nobody reads
#: past the first hundreds, and each item costs 40 µs on its way to the list.
MAX_ITEMS = 2_000


@dataclass(slots=True)
class _Entry:
    handle: int
    kind: Kind
    top: ItemKey
    stamp: str


class SemanticIndex:
    """Vectors of one library by one model. One thread writes; any thread searches meanwhile.

    Args:
        file: semantic.sqlite.
        user_key: Zotero's localUserKey.
        model: the model's identity, ``name/revision``.
        width: components a vector.
        check: look first whether every row is what was written.

    Attributes:
        notice: what opening it did beyond opening, for the user, or "".
    """

    def __init__(self, file: Path, user_key: str, model: str, width: int, *, check: bool = False) -> None:
        identity = {"user": user_key, "model": model, "width": str(width)}
        self._store = SemanticStore(file, identity, check)
        try:
            self._load(width)
        except (ValueError, TypeError, apsw.CorruptError) as error:
            self._store.begin_anew(error)
            self._load(width)
        self.notice = self._store.notice

    def _load(self, width: int) -> None:
        self._matrix = VectorMatrix(width)
        self._lock = threading.RLock()
        self._entries: dict[ItemKey, _Entry] = {}
        self._keys: list[ItemKey | None] = []  # by handle
        self._top_ids: dict[ItemKey, int] = {}
        self._tops: list[ItemKey] = []  # by top id
        self._top_of = np.zeros(1024, np.int32)  # by handle
        for handle, key, kind, top, stamp in self._store.sources():
            self._register(handle, key, kind, top, stamp)
        for handles, chunks, rows in self._store.vectors(width):
            self._matrix.extend(handles, chunks, rows)

    def _register(self, handle: int, key: ItemKey, kind: Kind, top: ItemKey, stamp: str) -> None:
        self._entries[key] = _Entry(handle, kind, top, stamp)
        while len(self._keys) <= handle:
            self._keys.append(None)
        self._keys[handle] = key
        top_id = self._top_ids.get(top)
        if top_id is None:
            top_id = self._top_ids[top] = len(self._tops)
            self._tops.append(top)
        if handle >= len(self._top_of):
            grown = np.zeros(max(handle + 1, 2 * len(self._top_of)), np.int32)
            grown[: len(self._top_of)] = self._top_of
            self._top_of = grown
        self._top_of[handle] = top_id

    # --- writing ----------------------------------------------------------------------------------

    def stamps(self) -> dict[ItemKey, str]:
        with self._lock:
            return {key: entry.stamp for key, entry in self._entries.items()}

    def kinds(self) -> dict[ItemKey, Kind]:
        with self._lock:
            return {key: entry.kind for key, entry in self._entries.items()}

    def put(self, sources: Iterable[EmbeddingSource]) -> None:
        """Replace what *sources* had by rows that wait for their vectors; durable on return.

        A chunk with the text of one the source had before (by its hash) keeps that vector and does not wait.
        """
        sources = list(sources)
        with self._lock:
            with self._store.writing():
                stored = [self._store.put(source) for source in sources]
            self._forget([source.key for source in sources])
            for (handle, chunks, vectors), source in zip(stored, sources, strict=True):
                self._register(handle, source.key, source.kind, source.top, source.stamp)
                if chunks:
                    rows = np.frombuffer(b"".join(vectors), np.int8).reshape(len(chunks), -1)
                    self._matrix.append(handle, np.asarray(chunks, np.int32), rows)

    def pending(self, limit: int) -> list[tuple[ItemKey, Kind, list[int]]]:
        """Chunks that wait for a vector, by source: *limit* chunks at most."""
        with self._lock:
            return self._store.pending(limit)

    def waiting(self) -> dict[ItemKey, int]:
        """Sources with chunks that wait for a vector, and how many."""
        with self._lock:
            return self._store.waiting()

    def waiting_chunks(self, key: ItemKey, limit: int) -> list[int]:
        """Chunks of one source that wait for a vector, the first *limit* of them."""
        with self._lock:
            entry = self._entries.get(key)
            return self._store.waiting_chunks(entry.handle, limit) if entry is not None else []

    def store(self, batch: Iterable[tuple[ItemKey, Sequence[int], np.ndarray]]) -> None:
        """Give chunks their vectors ``(n, width) int8``; durable and searchable on return.

        A source replaced or deleted since is passed over. A row of zeros says nothing and is dropped.
        """
        with self._lock:
            landed = []
            with self._store.writing():
                for key, chunks, rows in batch:
                    entry = self._entries.get(key)
                    if entry is None:
                        continue
                    chunks, says = np.asarray(chunks, np.int32), np.any(rows != 0, axis=1)
                    self._store.store(entry.handle, chunks[says].tolist(), rows[says])
                    self._store.drop_rows(entry.handle, chunks[~says].tolist())
                    landed.append((entry.handle, chunks[says], rows[says]))
            for handle, chunks, rows in landed:
                self._matrix.append(handle, chunks, rows)

    def drop(self, key: ItemKey, chunks: Sequence[int]) -> None:
        """Forget waiting chunks whose text is gone."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                with self._store.writing():
                    self._store.drop_rows(entry.handle, chunks)

    def delete(self, keys: Iterable[ItemKey]) -> None:
        keys = list(keys)
        with self._lock:
            with self._store.writing():
                self._store.delete(keys)
            self._forget(keys)

    def _forget(self, keys: list[ItemKey]) -> None:
        handles = [self._entries.pop(key).handle for key in keys if key in self._entries]
        for handle in handles:
            self._keys[handle] = None
        if handles:
            self._matrix.delete(handles)

    def tidy(self) -> bool:
        """Give a slice of what is no longer used back to the disk; whether there is more."""
        with self._lock:
            return self._store.tidy()

    def counts(self) -> tuple[int, int]:
        """``(embedded, waiting)`` chunks."""
        with self._lock:
            return self._store.counts()

    # --- searching --------------------------------------------------------------------------------

    def search(
        self, query: np.ndarray, floor: float, allowed: Set[ItemKey] | None = None
    ) -> list[SemanticHit]:
        """Items with a chunk whose cosine with *query* ``(width,) int8`` reaches *floor*, best first: `MAX_ITEMS`
        of them at most."""
        rows = self._rows(query, floor, allowed)
        if not len(rows):
            return []
        with self._lock:
            tops, top_of, keys = self._tops, self._top_of, self._keys
        order = np.argsort(rows.scores, kind="stable")
        top_ids = top_of[rows.sources[order]]
        best = np.full(len(tops), -1, np.int64)
        best[top_ids] = order  # ascending scores: the last written is the best
        best = best[best >= 0]
        best = best[np.argsort(-rows.scores[best], kind="stable")][:MAX_ITEMS]
        hits = []
        for row in best.tolist():
            key = keys[rows.sources[row]]
            if key is not None:
                hit = self._chunk_hit(key, rows, row)
                hits.append(SemanticHit(tops[top_of[rows.sources[row]]], hit.score, hit))
        return hits

    def passages(self, query: np.ndarray, floor: float, item: ItemKey) -> list[ChunkHit]:
        """Every chunk of *item* that reaches *floor*, best first."""
        rows = self._rows(query, floor, {item})
        found = [
            self._chunk_hit(key, rows, row)
            for row in range(len(rows))
            if (key := self._keys[rows.sources[row]]) is not None
        ]
        return sorted(found, key=lambda hit: -hit.score)

    def rows_of(self, chunks: Sequence[ChunkHit]) -> np.ndarray:
        """The stored vectors of *chunks* ``(n, width) int8``; zeros for one that is gone."""
        with self._lock:
            handles = [
                self._entries[hit.source].handle if hit.source in self._entries else -1 for hit in chunks
            ]
        return np.stack(
            [self._matrix.row(handle, hit.chunk) for handle, hit in zip(handles, chunks, strict=True)]
        )

    def mean_of(self, item: ItemKey) -> np.ndarray | None:
        """The mean direction of an item's chunks ``(width,) int8``; None where it has none."""
        with self._lock:
            handles = [entry.handle for entry in self._entries.values() if entry.top == item]
        rows = self._matrix.rows_of(handles)
        if not len(rows):
            return None
        unit = rows / norms(rows)[:, None]
        return quantize(unit.mean(axis=0, keepdims=True))[0]

    def _rows(self, query: np.ndarray, floor: float, allowed: Set[ItemKey] | None) -> RowHits:
        mask = None
        if allowed is not None:
            with self._lock:
                admitted = np.zeros(max(1, len(self._tops)), bool)
                admitted[[self._top_ids[top] for top in allowed if top in self._top_ids]] = True
                mask = admitted[self._top_of]
        return self._matrix.search(query, floor, mask)

    def _chunk_hit(self, key: ItemKey, rows: RowHits, row: int) -> ChunkHit:
        kind = self._entries[key].kind
        return ChunkHit(key, kind, int(rows.chunks[row]), float(rows.scores[row]))

    def __len__(self) -> int:
        """Chunks that can be found."""
        return len(self._matrix)

    def close(self) -> None:
        with self._lock:
            self._store.close()
