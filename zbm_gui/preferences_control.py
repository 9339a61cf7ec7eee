"""The preferences dialog and the rest of the window: it is made when first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
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
        dialog.advanced.show_result(self._search.result)
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

        dialog = PreferencesDialog(self._settings, self._engine, self._window)
        general, advanced = dialog.general, dialog.advanced
        general.library_chosen.connect(self._flow.choose)
        general.changed.connect(self._on_setting)
        general.item_requested.connect(self.item_requested)
        general.index_requested.connect(self.index_requested)
        advanced.changed.connect(self._on_setting)
        advanced.pause_requested.connect(self._indexing.set_paused)
        advanced.rebuild_requested.connect(self._flow.rebuild)
        advanced.attention_requested.connect(lambda: dialog.open_page("General"))
        self._indexing.paused_changed.connect(advanced.set_paused)
        self._search.result_changed.connect(advanced.show_result)
        return dialog

    def _on_setting(self, key: str) -> None:
        match key:
            case "appearance.theme":
                self.theme_chosen.emit(self._settings.get(key))
            case "library.base_attachment_path" if self._engine.engine is not None:
                self._flow.open_again()
            case "search.semantic":
                self._indexing.meaning_changed()
                self._search.run_again(quiet=False)
            case "search.engine":
                self._search.run_again(quiet=False)
            case "search.margin":
                self.weaker_hidden.emit()
                self._search.run_again(quiet=False)
