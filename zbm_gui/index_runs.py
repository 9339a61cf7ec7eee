"""Indexing as the window starts and stops it: by words, then by meaning, in one lane."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zbm_core.errors import CancelToken
from zbm_gui.lanes import Failure, Job, Lane

if TYPE_CHECKING:
    from zbm_core.engine import Engine, MeaningStatus
    from zbm_core.indexing.records import EmbeddingProgress, EmbeddingReport, Progress, RunReport
    from zbm_core.semantic import Preparing

#: At most one progress message in this many seconds reaches the window.
PROGRESS_INTERVAL = 0.2


class IndexRuns(QObject):
    """Args:
        engine: gives the engine.

    Signals:
        progressed(Progress), finished(RunReport), failed(Failure): by words.
        meaning_preparing(Preparing): a model is being fetched or made.
        meaning_described(MeaningStatus): which model is in use, how far its index is.
        meaning_noticed(str): something of the model that the user should read once.
        meaning_progressed(EmbeddingProgress), meaning_failed(Failure)
        meaning_finished(EmbeddingReport | None): None where nothing was to be indexed.
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    meaning_preparing = Signal(object)
    meaning_described = Signal(object)
    meaning_noticed = Signal(str)
    meaning_progressed = Signal(object)
    meaning_finished = Signal(object)
    meaning_failed = Signal(object)

    def __init__(self, engine: Callable[[], Engine | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self.lane = Lane("indexing", self)
        self._words: Job | None = None
        self._meaning: Job | None = None
        self.meaning: MeaningStatus | None = None  # as last heard; None before a library is open

    @property
    def indexing(self) -> bool:
        """Whether a run by words is under way."""
        return self._words is not None

    @property
    def embedding(self) -> bool:
        """Whether a model is being prepared or texts are being indexed by meaning."""
        return self._meaning is not None

    def stop(self) -> None:
        """End the run under way, by words or by meaning; it resumes where it was."""
        if self._words is not None:
            self._words.token.cancel()
            self._words = None
        self.stop_meaning()

    # --- words --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Bring the word index up to date. A run under way ends and begins anew, where it was, with the
        library as it is now; indexing by meaning gives way."""
        self.stop()
        lane = self.lane
        told = 0.0

        def on_progress(progress: Progress) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= PROGRESS_INTERVAL:
                told = now
                lane.tell(job, lambda: self.progressed.emit(progress))

        job = Job(
            "index",
            lambda token: self._engine().index(token, on_progress),
            self._on_indexed,
            self._on_failed,
        )
        self._words = lane.submit(job)

    def _on_indexed(self, report: RunReport) -> None:
        self._words = None
        self.finished.emit(report)

    def _on_failed(self, failure: Failure) -> None:
        self._words = None
        self.failed.emit(failure)

    # --- meaning ------------------------------------------------------------------------------------

    def start_meaning(self, embed: bool = True) -> None:
        """Prepare a model and index by meaning; with the setting off, let go of the model that is loaded.

        Does nothing while a run is under way: words come first.

        Args:
            embed: False makes what is indexed already searchable, and no more.
        """
        if self._meaning is not None or self._words is not None:
            return
        lane = self.lane
        told, about = 0.0, ""

        def may_tell(what: str) -> bool:
            """Another thing is told at once: it may be the last word for a while."""
            nonlocal told, about
            now = time.monotonic()
            if what == about and now - told < PROGRESS_INTERVAL:
                return False
            told, about = now, what
            return True

        def on_preparing(preparing: Preparing) -> None:
            if may_tell(preparing.what):
                lane.tell(job, lambda: self.meaning_preparing.emit(preparing))

        def on_progress(progress: EmbeddingProgress) -> None:
            if may_tell("embedding"):
                lane.tell(job, lambda: self.meaning_progressed.emit(progress))

        def work(token: CancelToken) -> tuple[EmbeddingReport | None, MeaningStatus]:
            engine = self._engine()
            notice = engine.prepare_meaning(token, on_preparing)
            status = engine.meaning_status()
            lane.tell(job, lambda: self.describe_meaning(status))
            if notice:
                lane.tell(job, lambda: self.meaning_noticed.emit(notice))
            report = engine.embed(token, on_progress) if embed else None
            return report, engine.meaning_status()

        job = Job("meaning", work, self._on_embedded, self._on_meaning_failed)
        self._meaning = lane.submit(job)

    def stop_meaning(self) -> None:
        if self._meaning is not None:
            self._meaning.token.cancel()
            self._meaning = None

    def describe_meaning(self, status: MeaningStatus) -> None:
        """Take what is known of the model in use."""
        self.meaning = status
        self.meaning_described.emit(status)

    def _on_embedded(self, answer: tuple[EmbeddingReport | None, MeaningStatus]) -> None:
        self._meaning = None
        report, status = answer
        self.describe_meaning(status)
        self.meaning_finished.emit(report)

    def _on_meaning_failed(self, failure: Failure) -> None:
        self._meaning = None
        self.meaning_failed.emit(failure)
