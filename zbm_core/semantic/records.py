"""What the semantic index is given and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind


@dataclass(frozen=True, slots=True)
class EmbeddingSource:
    """One record whose texts get vectors: put and deleted as a whole.

    `chunks` are the indices of its passages that say something; their texts are read back when
    they are embedded and are never stored. A chunk whose hash one of the same record's had before keeps that
    chunk's vector.
    """

    key: ItemKey
    kind: Kind
    top: ItemKey
    stamp: str  # differs when the texts must be embedded again
    chunks: Sequence[int]
    hashes: Sequence[bytes] = ()  # of the texts, one a chunk; empty: nothing is kept


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """One chunk and its cosine with the query, centred as the model's record says."""

    source: ItemKey
    kind: Kind
    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class SemanticHit:
    """One result item by its best chunk."""

    item: ItemKey
    score: float  # cosine of its best chunk
    best: ChunkHit
