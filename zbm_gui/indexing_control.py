"""Indexing as the user sees and steers it: progress, pause, what went wrong."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zbm_core.settings import Settings
from zbm_gui import states
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.widgets.index_status import IndexStatus

if TYPE_CHECKING:
    from zbm_core.indexing.records import Progress, RunReport

log = logging.getLogger(__name__)


class IndexingControl(QObject):
    """Between the engine's runs and the status bar; remembers whether the user paused.

    Signals:
        grew(): more can be found than before.
        paused_changed(bool)
        failed(State): a run ended with an error; a banner for it.
        not_saved(str): why the choice to pause could not be kept.
    """

    grew = Signal()
    paused_changed = Signal(bool)
    failed = Signal(object)
    not_saved = Signal(str)

    def __init__(
        self, engine: EngineThread, settings: Settings, status: IndexStatus, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._status = engine, settings, status
        self._progress: Progress | None = None
        engine.indexing_progressed.connect(self._on_progress)
        engine.indexing_finished.connect(self._on_finished)
        engine.indexing_failed.connect(self._on_failed)
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

    def _on_progress(self, progress: Progress) -> None:
        self._progress = progress
        self._status.show_progress(progress)
        self.grew.emit()

    def _on_finished(self, report: RunReport) -> None:
        self._progress = report.progress
        if report.finished:
            self._status.show_finished(report.progress)
        if report.indexed or report.deleted:
            self.grew.emit()

    def _on_failed(self, failure: Failure) -> None:
        self._status.show_nothing()
        self.failed.emit(states.indexing_failed(failure))
