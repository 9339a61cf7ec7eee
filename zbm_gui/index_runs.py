"""Indexing as the window starts and stops it: one run at a time, in a lane of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zbm_core.errors import CancelToken
from zbm_core.indexing.records import Step
from zbm_gui.lanes import Failure, Job, Lane

if TYPE_CHECKING:
    from zbm_core.engine import Engine, MeaningStatus
    from zbm_core.indexing.records import RunOutcome, RunProgress
    from zbm_core.library import Library
    from zbm_core.semantic import Preparing

#: Seconds between two messages of one step of getting a model: a download tells of every piece.
PREPARING_EVERY = 0.2
#: Steps about meaning: words have what is to be had by then.
_MEANING_STEPS = frozenset({Step.MODEL, Step.RECORDS_MEANING, Step.FETCH, Step.CUT, Step.EMBED})


class IndexRuns(QObject):
    """Args:
        engine: gives the engine.
        on_library: called in the lane with a library that a run has read again.

    Signals:
        progressed(RunProgress): about four times a second.
        caught_up(): items, notes and annotations are in the word index as the library has them.
        finished(RunOutcome), failed(Failure)
        preparing(Preparing): a model is being fetched or made.
        noticed(str): something of the model that the user should read once.
        described(MeaningStatus): which model is in use, how far its index is.
    """

    progressed = Signal(object)
    caught_up = Signal()
    finished = Signal(object)
    failed = Signal(object)
    preparing = Signal(object)
    noticed = Signal(str)
    described = Signal(object)

    def __init__(
        self,
        engine: Callable[[], Engine | None],
        on_library: Callable[[Library], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._on_library = engine, on_library
        self.lane = Lane("indexing", self)
        self._job: Job | None = None
        self._step: Step | None = None  # of the run under way, as last heard
        self._rounds = 0  # of it, likewise
        self._behind = False  # whether `caught_up` is still to come for what was last asked of it
        self.meaning: MeaningStatus | None = None  # as last heard; None before a library is open
        self.told: RunProgress | None = None  # of the run under way, as last heard
        self.being_prepared: Preparing | None = None  # likewise of a model that is fetched or made just now

    @property
    def running(self) -> bool:
        return self._job is not None

    @property
    def indexing(self) -> bool:
        """Whether a run is under way that may still find more by words."""
        return self.running and not self.embedding

    @property
    def embedding(self) -> bool:
        """Whether a model is being prepared or texts are being indexed by meaning."""
        return self.running and self._step in _MEANING_STEPS

    def start(self) -> None:
        """Bring both indexes up to date; a run under way takes first what was edited, and goes on."""
        self._behind = True
        if self.running:
            self._engine().kick()
            return
        lane, before = self.lane, None

        def on_progress(progress: RunProgress) -> None:
            nonlocal before
            if before is Step.MODEL and progress.step is not Step.MODEL:
                status = self._engine().meaning_status()
                lane.tell(job, lambda: self.describe(status))
            before = progress.step
            lane.tell(job, lambda: self._on_progress(progress))

        def work(token: CancelToken) -> tuple[RunOutcome, MeaningStatus]:
            engine = self._engine()
            outcome = engine.run(
                token,
                on_progress,
                self._on_library,
                self._preparing_teller(lambda: job),
                lambda notice: lane.tell(job, lambda: self.noticed.emit(notice)),
            )
            return outcome, engine.meaning_status()

        job = Job("run", work, self._on_finished, self._on_failed)
        self._rounds = 0
        self._job = lane.submit(job)

    def stop(self) -> None:
        """End the run under way; it resumes where it was."""
        if self._job is not None:
            self._job.token.cancel()
            self._ended()

    def prepare_meaning(self) -> None:
        """Make what is indexed by meaning searchable, or with the setting off let go of the model, and no more."""
        lane = self.lane

        def work(token: CancelToken) -> MeaningStatus:
            engine = self._engine()
            engine.prepare_meaning(token, self._preparing_teller(lambda: job))
            return engine.meaning_status()

        job = lane.submit(Job("prepare", work, self._on_prepared, self._on_failed_to_prepare))

    def _preparing_teller(self, job: Callable[[], Job]) -> Callable[[Preparing], None]:
        """Tells from the lane; a step that is another at once, for it may be the last word for a while."""
        told, about = 0.0, ""

        def tell(preparing: Preparing) -> None:
            nonlocal told, about
            now = time.monotonic()
            if preparing.what != about or now - told >= PREPARING_EVERY:
                told, about = now, preparing.what
                self.lane.tell(job(), lambda: self._on_preparing(preparing))

        return tell

    def _on_preparing(self, preparing: Preparing) -> None:
        self.being_prepared = preparing
        self.preparing.emit(preparing)

    def _on_prepared(self, status: MeaningStatus) -> None:
        self.being_prepared = None
        self.describe(status)

    def _on_failed_to_prepare(self, failure: Failure) -> None:
        self.being_prepared = None
        self.failed.emit(failure)

    def describe(self, status: MeaningStatus) -> None:
        """Take what is known of the model in use."""
        self.meaning = status
        self.described.emit(status)

    # --- what a run tells ---------------------------------------------------------------------------

    def _on_progress(self, progress: RunProgress) -> None:
        if progress.step is not Step.WAITING:
            self._step = progress.step
        self.told, self.being_prepared = progress, None
        if progress.rounds != self._rounds:
            self._rounds = progress.rounds
            if self._behind:
                self._behind = False
                self.caught_up.emit()
        self.progressed.emit(progress)

    def _on_finished(self, answer: tuple[RunOutcome, MeaningStatus]) -> None:
        outcome, status = answer
        self._ended()
        self.describe(status)
        self.finished.emit(outcome)
        if self._behind and outcome.finished and not self.running:
            self.start()  # asked for as the run was ending

    def _on_failed(self, failure: Failure) -> None:
        self._ended()
        self.failed.emit(failure)

    def _ended(self) -> None:
        self._job = self._step = self.told = self.being_prepared = None
