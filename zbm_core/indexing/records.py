"""What an indexing run says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    READING = "reading"  # the library
    ITEMS = "items"  # metadata, notes and annotations into the word index
    DOCUMENTS = "documents"  # attachments
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands. Counts are of what is stored, never of what was submitted."""

    phase: Phase
    items_done: int  # items, notes and annotations
    items_total: int
    documents_done: int  # attachments with a stated outcome
    documents_total: int
    current: str = ""  # the document being read
    attention: int = 0  # documents whose outcome the user should look at
    seconds_left: float | None = None  # None: not known yet


@dataclass(frozen=True, slots=True)
class RunReport:
    """How a run ended. Interrupted runs resume where they were."""

    finished: bool
    progress: Progress
    indexed: int  # sources written in this run
    deleted: int
    seconds: float


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """Where the vectors stand: chunks stored of chunks that say something."""

    done: int
    total: int
    seconds_left: float | None = None  # None: not known yet


@dataclass(frozen=True, slots=True)
class EmbeddingReport:
    """How an embedding run ended."""

    finished: bool
    progress: EmbeddingProgress
    embedded: int  # chunks in this run
    tokens: int
    padded: int  # tokens with the padding of their batches
    seconds: float  # of inference
    restarts: int  # of the child that runs the model
