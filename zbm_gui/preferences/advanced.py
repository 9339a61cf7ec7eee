"""Advanced: how matches are ranked, the index they are found in, what is left out, what zbm is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from zbm_core.settings import Settings
from zbm_gui import dialogs
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.preferences.best_match import BestMatchGroup
from zbm_gui.preferences.diagnostics_group import DiagnosticsGroup
from zbm_gui.preferences.editors import make_editor
from zbm_gui.preferences.endpoint_status import EndpointStatusRow
from zbm_gui.preferences.exclusion_group import ExclusionGroup
from zbm_gui.preferences.index_group import IndexGroup
from zbm_gui.preferences.index_view import IndexView
from zbm_gui.preferences.location_group import LocationGroup
from zbm_gui.preferences.page import Page

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.indexing.records import Progress, RunOutcome
    from zbm_core.library import Library
    from zbm_core.search import Session

REBUILD = (
    "All items are indexed and all documents read again. Searching by words works again within minutes; "
    "searching by meaning can take hours in the background. Nothing in your Zotero library changes."
)
ANOTHER_MODEL = (
    "Each model reads texts in its own way, so all semantic data is generated anew with this one. Searching by "
    "words works meanwhile."
)
#: Milliseconds of a run's end that are waited for: one thing leads to another, and one look serves for all.
LOOK_AFTER_MS = 300


class AdvancedPage(Page):
    """Signals:
    rebuild_requested(): the user has confirmed it.
    pause_requested(bool): pause (True) or go on.
    attention_requested(): show the documents that could not be read.
    move_requested(Path): keep the index in this folder; reset_requested(): in the standard place, made anew.
    configure_endpoint_requested(): open the dialog of the embedding server.
    """

    title = "Advanced"
    icon = "meaning"
    scrolls = True
    rebuild_requested = Signal()
    pause_requested = Signal(bool)
    attention_requested = Signal()
    move_requested = Signal(object)
    reset_requested = Signal()
    configure_endpoint_requested = Signal()

    def __init__(self, settings: Settings, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self._engine = engine
        self._library: Library | None = None
        self.add_heading("Best Match")
        self.best_match = BestMatchGroup(settings, self.store)
        self.best_match.model_chosen.connect(self._on_model)
        self.column.addWidget(self.best_match)
        self.add_heading("Index")
        self.index = IndexGroup()
        self.index.rebuild_requested.connect(self._ask_to_rebuild)
        self.index.pause_requested.connect(self.pause_requested)
        self.index.attention_requested.connect(self.attention_requested)
        self.column.addWidget(self.index)
        self.battery = make_editor(settings, "indexing.pause_on_battery", self.store)
        self.column.addWidget(self.indented(self.battery))
        self.add_heading("Left out of searches")
        self.left_out = ExclusionGroup(engine)
        self.left_out.excluded.connect(lambda lines: self.store("library.excluded", lines))
        self.column.addWidget(self.left_out)
        self.add_heading("Embedding server")
        self.endpoint = EndpointStatusRow()
        self.endpoint.configure_endpoint_requested.connect(self.configure_endpoint_requested)
        self.column.addWidget(self.endpoint)
        self.add_heading("Index location")
        self.location = LocationGroup()
        self.location.move_requested.connect(self.move_requested)
        self.location.reset_requested.connect(self.reset_requested)
        self.column.addWidget(self.location)
        self.add_space()
        self.diagnostics = DiagnosticsGroup(engine)
        self.column.addWidget(self.diagnostics)
        self.column.addStretch(1)
        self._later = QTimer(self, singleShot=True, interval=LOOK_AFTER_MS)
        self._later.timeout.connect(self._look)
        self._connect(engine)

    def _connect(self, engine: EngineThread) -> None:
        """What the runs tell becomes an `IndexView`."""
        engine.run_progressed.connect(lambda progress: self._show(self._view.with_run(progress)))
        engine.run_finished.connect(self._on_finished)
        engine.run_failed.connect(self._on_failed)
        engine.meaning_preparing.connect(lambda preparing: self._show(self._view.with_preparing(preparing)))
        engine.meaning_described.connect(self._describe)

    def _on_finished(self, outcome: RunOutcome) -> None:
        self._show(self._view.with_run(outcome.progress))
        self._describe(self._engine.meaning, settled=True)
        if outcome.meaning_error is not None:
            self.index.meaning.setText(outcome.meaning_error.message)

    @property
    def _view(self) -> IndexView:
        return self.index.view

    def _show(self, view: IndexView, settled: bool = False) -> None:
        """Args:
        settled: something has ended, so that costs and sizes are others than before.
        """
        self.index.show_view(view)
        if settled and self.isVisible():
            self._later.start()

    # --- what there is ------------------------------------------------------------------------------

    def set_library(self, library: Library | None) -> None:
        """A library was opened, read again, or (None) is closed."""
        if library is not None and (self._library is None or self._library.folder != library.folder):
            self.index.show_view(IndexView())  # what was told was of another
        self._library = library
        self.left_out.set_library(library)
        if library is None:
            self.index.show_nothing()
            self.endpoint.show_status(None)
            self.best_match.show_cost(None)
        if self.isVisible():
            self.shown()

    def show_search(self, session: Session | None) -> None:
        """The search that is shown in the window: what the cutoff keeps of it."""
        self.best_match.show_search(session)

    def set_paused(self, paused: bool) -> None:
        self.index.set_paused(paused)
        self._describe(self._engine.meaning)

    def shown(self) -> None:
        self.index.set_paused(self.settings.get("indexing.paused"))
        self._describe(self._engine.meaning)
        self._look()

    def _look(self) -> None:
        """Have everything looked up that is not told by itself, off the UI thread, in two questions: files and
        models answer also while no library is open."""

        def of_computer(engine, _token) -> tuple[Any, Any, Any]:
            return engine.index_place.place(), engine.models(), engine.endpoint.status()

        self._engine.ask("place", of_computer, lambda answer: self._on_computer(*answer), self._on_failed)
        if self._library is None:
            return

        def of_library(engine, _token) -> tuple[Any, Any, Any]:
            return (
                engine.status(),
                engine.meaning_status(),
                engine.figures.cost(self.settings.get("semantic.model")),
            )

        self._engine.ask("status", of_library, lambda answer: self._on_library(*answer), self._on_failed)

    def _on_computer(self, place, models, endpoint) -> None:
        self.location.show_place(place)
        self.best_match.show_models(models)
        self.endpoint.show_status(endpoint if self._library is not None else None)

    def _on_library(self, progress: Progress, meaning: MeaningStatus, cost) -> None:
        if self._library is None:
            return
        self.best_match.show_cost(cost)
        if not (self._engine.running and self._view.known):  # a run tells more, and later
            self._show(self._view.with_words(progress))
        self._describe(meaning)

    def _describe(self, status: MeaningStatus | None, settled: bool = False) -> None:
        self.best_match.describe(status)
        if self._library is None:
            return
        engine = self._engine
        view = self._view.with_status(status, engine.embedding)
        # This page may be younger than the run that is under way, and that may have nothing new to tell for minutes.
        if engine.run_told is not None:
            view = view.with_run(engine.run_told)
        if engine.being_prepared is not None:
            view = view.with_preparing(engine.being_prepared)
        self._show(view, settled)

    def _on_failed(self, failure: Failure) -> None:
        self.index.meaning.setText(failure.message)

    # --- what is asked once -------------------------------------------------------------------------

    def _ask_to_rebuild(self) -> None:
        dialogs.confirm(self, "Rebuild the index?", REBUILD, "Rebuild", self.rebuild_requested.emit)

    def _on_model(self, name: str) -> None:
        status = self._engine.meaning
        if status is None or not status.embedded:
            self.store("semantic.model", name)
            return
        box = dialogs.confirm(
            self,
            "Use another model?",
            ANOTHER_MODEL,
            "Use this model",
            lambda: self.store("semantic.model", name),
        )
        box.finished.connect(lambda _result: self.best_match.show_choice())
