"""Indexing as the user sees and steers it: progress, pause, what went wrong."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zbm_core.indexing.records import Phase
from zbm_core.settings import Settings
from zbm_gui import states
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.widgets.index_status import IndexStatus

if TYPE_CHECKING:
    from zbm_core.indexing.records import EmbeddingReport, Progress, RunReport

log = logging.getLogger(__name__)


class IndexingControl(QObject):
    """Between the engine's runs and the status bar; remembers whether the user paused.

    Words come first: when a run by words has ended, indexing by meaning begins or goes on.

    Signals:
        grew(): more can be found by words than before.
        caught_up(): items, notes and annotations are in the word index as the library has them.
        meaning_grew(): more can be found by meaning than before, and that run is over.
        noticed(str): something to be read once.
        paused_changed(bool)
        failed(State): a run ended with an error; a banner for it.
        not_saved(str): why the choice to pause could not be kept.
    """

    grew = Signal()
    caught_up = Signal()
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
        self._progress: Progress | None = None
        self._behind = True  # whether the run under way has items, notes or annotations before it
        engine.indexing_progressed.connect(self._on_progress)
        engine.indexing_finished.connect(self._on_finished)
        engine.indexing_failed.connect(self._on_failed)
        engine.meaning_preparing.connect(status.show_preparing)
        engine.meaning_progressed.connect(status.show_embedding)
        engine.meaning_described.connect(status.describe_meaning)
        engine.meaning_noticed.connect(self.noticed)
        engine.meaning_finished.connect(self._on_embedded)
        engine.meaning_failed.connect(self._on_meaning_failed)
        status.pause_requested.connect(self.set_paused)

    @property
    def paused(self) -> bool:
        return self._settings.get("indexing.paused")

    def begin(self) -> None:
        """Index, unless the user paused: a library was opened, or something of it changed."""
        if self.paused:
            self._status.show_paused(self._progress)
        else:
            self._behind = True
            self._engine.start_indexing()

    def forget(self) -> None:
        """Another library is being opened."""
        self._progress = None
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
        self.begin()
        self.paused_changed.emit(paused)

    def meaning_changed(self) -> None:
        """The user switched searching by meaning on or off, or chose another model."""
        self._engine.stop_meaning()
        if self._engine.indexing:
            return  # what follows that run sees the new choice
        self._show_end()
        self._engine.start_meaning(embed=not self.paused)

    def _show_end(self) -> None:
        """Nothing is being done."""
        if self.paused:
            self._status.show_paused(self._progress)
        elif self._progress is not None:
            self._status.show_finished(self._progress)
        else:
            self._status.show_nothing()

    # --- words --------------------------------------------------------------------------------------

    def _on_progress(self, progress: Progress) -> None:
        self._progress = progress
        self._status.show_progress(progress)
        if progress.phase in (Phase.DOCUMENTS, Phase.DONE):
            self._catch_up()
        self.grew.emit()

    def _catch_up(self) -> None:
        if self._behind:
            self._behind = False
            self.caught_up.emit()

    def _on_finished(self, report: RunReport) -> None:
        self._progress = report.progress
        if report.finished:
            self._status.show_finished(report.progress)
            self._catch_up()
        if report.indexed or report.deleted:
            self.grew.emit()
        if report.finished and not self.paused:
            self._engine.start_meaning()

    def _on_failed(self, failure: Failure) -> None:
        self._status.show_nothing()
        self.failed.emit(states.indexing_failed(failure))

    # --- meaning ------------------------------------------------------------------------------------

    def _on_embedded(self, report: EmbeddingReport | None) -> None:
        self._show_end()
        if report is not None and report.embedded:
            self.meaning_grew.emit()

    def _on_meaning_failed(self, failure: Failure) -> None:
        self._show_end()
        self.failed.emit(states.meaning_failed(failure))
