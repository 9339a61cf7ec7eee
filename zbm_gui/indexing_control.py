"""Indexing as the user sees and steers it: progress, pause, what went wrong."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zbm_core.settings import Settings
from zbm_gui import states
from zbm_gui.engine_thread import EngineThread
from zbm_gui.idleness import IdleWatch, reader
from zbm_gui.lanes import Failure
from zbm_gui.widgets.index_status import IndexStatus

if TYPE_CHECKING:
    from zbm_core.indexing.records import RunOutcome, RunProgress

log = logging.getLogger(__name__)

#: Seconds between two tellings that more can be found: each has the shown search asked again.
GREW_EVERY = 2.0


class IndexingControl(QObject):
    """Between the engine's runs and the status bar; remembers whether the user paused.

    Signals:
        grew(): more can be found by words than before.
        meaning_grew(): more can be found by meaning than before, and the run is over.
        noticed(str): something to be read once.
        paused_changed(bool)
        failed(State): a run ended with an error; a banner for it.
        not_saved(str): why the choice to pause could not be kept.
    """

    grew = Signal()
    meaning_grew = Signal()
    noticed = Signal(str)
    paused_changed = Signal(bool)
    failed = Signal(object)
    not_saved = Signal(str)

    def __init__(
        self, engine: EngineThread, settings: Settings, status: IndexStatus, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._status = engine, settings, status
        self._progress: RunProgress | None = None
        self._written = 0  # sources in the word index when that was last told
        self._told = 0.0
        self._boosts: set[str] = set()
        self.idleness = IdleWatch(self)
        self.idleness.changed.connect(lambda idle: self.boost("idle", idle))
        engine.run_progressed.connect(self._on_progress)
        engine.run_finished.connect(self._on_finished)
        engine.run_failed.connect(self._on_failed)
        engine.meaning_preparing.connect(status.show_preparing)
        engine.meaning_described.connect(status.describe_meaning)
        engine.meaning_noticed.connect(self.noticed)
        status.pause_requested.connect(self.set_paused)

    @property
    def paused(self) -> bool:
        return self._settings.get("indexing.paused")

    def begin(self) -> None:
        """Index, unless the user paused: a library was opened, or something of it changed."""
        if self.paused:
            self._status.show_paused(self._progress)
        else:
            self._engine.start_indexing()

    def boost(self, why: str, on: bool) -> None:
        """Let runs use all cores as long as one reason stands, which may be before there is an engine."""
        (self._boosts.add if on else self._boosts.discard)(why)
        if self._engine.engine is not None:
            self._engine.engine.attendance.boost(why, on)

    def _attend(self) -> None:
        """A run is under way: it is to know who sits at the computer."""
        attendance = self._engine.engine.attendance
        attendance.last_drawn = reader.last_drawn
        for why in self._boosts:
            attendance.boost(why, True)
        self.idleness.start()

    def forget(self) -> None:
        """Another library is being opened."""
        self.idleness.stop()
        self._progress, self._written = None, 0
        self._status.show_nothing()

    def set_paused(self, paused: bool) -> None:
        try:
            self._settings.set("indexing.paused", paused)
        except OSError as error:
            log.warning("settings not saved: %s", error)
            self.not_saved.emit(
                f"The choice holds until zbm is closed: it could not be saved. ({error.strerror})"
            )
        if paused:
            self._engine.stop_indexing()
            self.idleness.stop()
        self.begin()
        self.paused_changed.emit(paused)

    def meaning_changed(self) -> None:
        """The user switched searching by meaning on or off, or chose another model or server."""
        self._engine.stop_indexing()
        self._show_end()
        if self.paused:
            self._engine.prepare_meaning()
        else:
            self._engine.start_indexing()

    def _show_end(self) -> None:
        """Nothing is being done."""
        self.idleness.stop()
        if self.paused:
            self._status.show_paused(self._progress)
        elif self._progress is not None:
            self._status.show_finished(self._progress)
        else:
            self._status.show_nothing()

    # --- what a run tells ---------------------------------------------------------------------------

    def _on_progress(self, progress: RunProgress) -> None:
        self._progress = progress
        if not self.idleness.watching:
            self._attend()
        self._status.show_run(progress)
        now = time.monotonic()
        if progress.written != self._written and now - self._told >= GREW_EVERY:
            self._written, self._told = progress.written, now
            self.grew.emit()

    def _on_finished(self, outcome: RunOutcome) -> None:
        self._progress = outcome.progress
        self._show_end()
        if outcome.progress.written != self._written:
            self.grew.emit()
        self._written, self._told = 0, 0.0  # the next run counts anew
        if outcome.embedding is not None and outcome.embedding.embedded:
            self.meaning_grew.emit()
        if outcome.meaning_error is not None:
            self.failed.emit(states.meaning_failed(Failure.of(outcome.meaning_error)))

    def _on_failed(self, failure: Failure) -> None:
        self.idleness.stop()
        self._status.show_nothing()
        self.failed.emit(states.indexing_failed(failure))
