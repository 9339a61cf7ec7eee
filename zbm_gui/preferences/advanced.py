"""Advanced: how matches are ranked, and the index they are found in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from zbm_core.settings import Settings
from zbm_gui import dialogs
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.preferences.best_match import BestMatchGroup
from zbm_gui.preferences.index_group import IndexGroup
from zbm_gui.preferences.page import Page

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.indexing.records import Progress
    from zbm_core.library import Library
    from zbm_core.search.records import SearchResult

REBUILD = (
    "All items are indexed and all documents read again. Searching by words works again within minutes; "
    "searching by meaning can take hours in the background. Nothing in your Zotero library changes."
)


class AdvancedPage(Page):
    """Signals:
    rebuild_requested(): the user has confirmed it.
    pause_requested(bool): pause (True) or go on.
    attention_requested(): show the documents that could not be read.
    """

    title = "Advanced"
    icon = "meaning"
    rebuild_requested = Signal()
    pause_requested = Signal(bool)
    attention_requested = Signal()

    def __init__(self, settings: Settings, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self._engine = engine
        self._library: Library | None = None
        self.add_heading("Best Match")
        self.best_match = BestMatchGroup(settings, self.store)
        self.column.addWidget(self.best_match)
        self.add_heading("Index")
        self.index = IndexGroup()
        self.index.rebuild_requested.connect(self._ask_to_rebuild)
        self.index.pause_requested.connect(self.pause_requested)
        self.index.attention_requested.connect(self.attention_requested)
        self.column.addWidget(self.index)
        self.column.addStretch(1)
        engine.indexing_progressed.connect(self.index.show_progress)
        engine.indexing_finished.connect(lambda report: self.index.show_progress(report.progress))
        engine.meaning_preparing.connect(self.index.show_preparing)
        engine.meaning_progressed.connect(self.index.show_embedding)
        engine.meaning_described.connect(self._describe)
        engine.meaning_finished.connect(lambda _report: self._describe(engine.meaning))
        engine.meaning_failed.connect(lambda failure: self.index.meaning.setText(failure.message))

    def set_library(self, library: Library | None) -> None:
        self._library = library
        if library is None:
            self.index.show_nothing()
        if self.isVisible():
            self.shown()

    def show_result(self, result: SearchResult | None) -> None:
        """The search that is shown in the window: what the cutoff keeps of it."""
        self.best_match.show_result(result)

    def set_paused(self, paused: bool) -> None:
        self.index.set_paused(paused)
        self._describe(self._engine.meaning)

    def shown(self) -> None:
        self.index.set_paused(self.settings.get("indexing.paused"))
        if self._library is None:
            return
        self._describe(self._engine.meaning)
        self._engine.ask(
            "status",
            lambda engine, _token: (engine.status(), engine.meaning_status()),
            self._on_status,
            self._on_failed,
        )

    def _on_status(self, answer: tuple[Progress, MeaningStatus]) -> None:
        progress, meaning = answer
        if not self._engine.indexing:  # a run tells more, and later
            self.index.show_progress(progress)
        self._describe(meaning)

    def _describe(self, status: MeaningStatus | None) -> None:
        self.best_match.describe(status)
        self.index.describe(status, self._engine.embedding)

    def _on_failed(self, failure: Failure) -> None:
        self.index.meaning.setText(failure.message)

    def _ask_to_rebuild(self) -> None:
        dialogs.confirm(self, "Rebuild the index?", REBUILD, "Rebuild", self.rebuild_requested.emit)
