"""What an indexing run says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from zbm_core.errors import ZbmError


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


class Step(StrEnum):
    """What a run is doing. The attachments' steps follow one another, each one pass over them."""

    READING = "reading"  # the library
    RECORDS = "records"  # words of items, notes and annotations
    RECORDS_MEANING = "records_meaning"  # their vectors
    MODEL = "model"  # a model is being fetched, made or measured
    RECONCILE = "reconcile"  # what is stored of attachments still holds
    EXTRACT = "extract"  # documents are read, and their words entered
    FETCH = "fetch"  # vectors that a server has; there is none yet
    CUT = "cut"  # rows for the vectors of what was read
    EMBED = "embed"  # those vectors
    WAITING = "waiting"  # see `RunProgress.waiting`
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Bar:
    """One of the two bars. Counts are of what is stored.

    Attributes:
        words: those found by words as they are now; of attachments, those with a stated outcome.
        meaning: those of them with every vector they are to have; as many as *words* where meaning is off.
        total: all there are.
    """

    words: int = 0
    meaning: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """From 0 to 1; words and vectors are half of the way each."""
        return (self.words + self.meaning) / (2 * self.total) if self.total else 1.0


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Where `Engine.run` stands."""

    step: Step
    records: Bar  # metadata, notes and annotations
    attachments: Bar
    current: str = ""  # the document that was last read
    attention: int = 0  # documents whose outcome the user should look at
    passages: int = 0  # with a vector
    passages_waiting: int = 0  # for one
    items_waiting: int = 0  # records and attachments those belong to
    rate: float | None = None  # a second, in the step under way: documents in EXTRACT, passages in EMBED
    seconds_left: float | None = None  # of the step under way; None: not established yet
    waiting: str = ""  # a sentence: why the work rests (battery, memory, Zotero is writing)
    written: int = (
        0  # sources written to the word index or removed from it in this run: it grew when this did
    )
    embedded: int = 0  # passages given a vector in this run
    rounds: int = (
        0  # times that words had items, notes and annotations as the library has them; one for each kick
    )

    @property
    def rate_in_words(self) -> str:
        """How fast the step under way goes; "" while it rests, or that is not established."""
        if self.rate is None or self.waiting:
            return ""
        match self.step:
            case Step.EXTRACT if self.rate < 1:
                return f"{60 * self.rate:,.0f} documents a minute"
            case Step.EXTRACT:
                return f"{self.rate:,.0f} documents a second"
            case Step.EMBED | Step.RECORDS_MEANING:
                return (
                    f"{self.rate:,.0f} passages a second"
                    if self.rate >= 10
                    else f"{self.rate:,.1f} passages a second"
                )
            case _:
                return ""

    @property
    def in_words(self) -> str:
        """The step under way as the window says it; "" when there is nothing to do."""
        if self.waiting:
            return self.waiting
        match self.step:
            case Step.READING:
                return "Reading the library"
            case Step.RECORDS:
                return "Indexing items, notes and annotations"
            case Step.MODEL:
                return "Preparing the embedding model"
            case Step.RECORDS_MEANING | Step.EMBED:
                items = "item" if self.items_waiting == 1 else "items"
                return f"Generating semantic data locally for {self.items_waiting:,} {items}"
            case Step.FETCH:
                return (
                    f"Syncing semantic data\u2026 {self.attachments.meaning:,} / {self.attachments.total:,}"
                )
            case Step.DONE:
                return ""
            case _:
                return "Preparing documents"


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How `Engine.run` ended. An interrupted run resumes where it was."""

    finished: bool  # False: it was cancelled
    progress: RunProgress
    indexed: int  # sources written to the word index
    deleted: int
    embedding: EmbeddingReport | None  # None: nothing was embedded, because meaning is off or not to be had
    meaning_error: ZbmError | None  # why meaning could not be indexed; words are whole all the same
    seconds: float
    library_error: ZbmError | None = None  # why the library could not be read again just now
    reread: int = 0  # documents read again because what was stored of them was damaged
