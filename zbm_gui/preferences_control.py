"""The preferences dialog and the rest of the window: it is made when first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from zbm_core.settings import Settings
from zbm_gui.engine_thread import EngineThread
from zbm_gui.indexing_control import IndexingControl
from zbm_gui.library_flow import LibraryFlow
from zbm_gui.search_controller import SearchController

if TYPE_CHECKING:
    from zbm_core.library import Library
    from zbm_gui.preferences import PreferencesDialog


class PreferencesControl(QObject):
    """Opens the dialog and carries out what is chosen there.

    Signals:
        theme_chosen(str)
        item_requested(ItemKey): show this record in the list.
        index_requested(): look for changes, and read again what could not be read.
        weaker_hidden(): the user sets the cutoff, so that it holds.
    """

    theme_chosen = Signal(str)
    item_requested = Signal(object)
    index_requested = Signal()
    weaker_hidden = Signal()

    def __init__(
        self,
        settings: Settings,
        engine: EngineThread,
        flow: LibraryFlow,
        indexing: IndexingControl,
        search: SearchController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._settings, self._engine, self._window = settings, engine, window
        self._flow, self._indexing, self._search = flow, indexing, search
        self._dialog: PreferencesDialog | None = None

    def open(self, page: str = "") -> PreferencesDialog:
        """Show the dialog, at *page* by its title or where it was left."""
        if self._dialog is None:
            self._dialog = self._make()
        dialog, engine = self._dialog, self._engine.engine
        dialog.set_library(engine.library if engine is not None else None)
        dialog.advanced.show_search(self._search.session)
        dialog.show()
        dialog.raise_()
        if page:
            dialog.open_page(page)
        return dialog

    def set_library(self, library: Library | None) -> None:
        if self._dialog is not None:
            self._dialog.set_library(library)

    def _make(self) -> PreferencesDialog:
        from zbm_gui.preferences import PreferencesDialog
        from zbm_gui.preferences.index_move import IndexMove

        dialog = PreferencesDialog(self._settings, self._engine, self._window)
        general, advanced, attention = dialog.general, dialog.advanced, dialog.attention
        dialog.shown_changed.connect(self._boost)
        general.library_chosen.connect(self._flow.choose)
        general.changed.connect(self._on_setting)
        attention.item_requested.connect(self.item_requested)
        attention.index_requested.connect(self.index_requested)
        advanced.changed.connect(self._on_setting)
        advanced.pause_requested.connect(self._indexing.set_paused)
        advanced.rebuild_requested.connect(self._flow.rebuild)
        advanced.attention_requested.connect(lambda: dialog.open_page(attention.title))
        advanced.configure_endpoint_requested.connect(lambda: self._configure_endpoint(dialog))
        self._indexing.paused_changed.connect(advanced.set_paused)
        self._search.result_changed.connect(lambda _result: advanced.show_search(self._search.session))
        move = IndexMove(self._engine, self._flow, self)
        advanced.move_requested.connect(move.begin)
        advanced.reset_requested.connect(move.reset)
        advanced.location.cancel_requested.connect(move.cancel)
        move.progressed.connect(advanced.location.show_moving)
        move.ended.connect(advanced.location.show_moved)
        return dialog

    def _boost(self, on: bool) -> None:
        """Someone looks how far the index is: it may use all cores."""
        self._indexing.boost("preferences", on)

    def _configure_endpoint(self, dialog: PreferencesDialog) -> None:
        from zbm_gui.preferences.endpoint_dialog import EndpointDialog

        configure = EndpointDialog(self._engine.engine.endpoint, self._settings, dialog)
        configure.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        configure.endpoint_changed.connect(self._on_endpoint)
        configure.open()

    def _on_endpoint(self) -> None:
        """The next run embeds there, or here again."""
        self._indexing.meaning_changed()
        self._dialog.advanced.shown()

    def _on_setting(self, key: str) -> None:
        match key:
            case "appearance.theme":
                self.theme_chosen.emit(self._settings.get(key))
            case "library.base_attachment_path" if self._engine.engine is not None:
                self._flow.open_again()
            case "search.semantic" | "semantic.model":
                self._indexing.meaning_changed()
                self._search.run_again(quiet=False)
            case "library.excluded":
                # What is left out is not found from now on; the run takes it out of the index, or brings it back.
                self._indexing.begin()
                self._search.run_again(quiet=False)
            case "search.engine":
                self._search.run_again(quiet=False)
            case "search.margin":
                self.weaker_hidden.emit()
                self._search.run_again(quiet=False)
