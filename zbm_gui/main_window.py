"""The main window: it puts the parts together and carries out the commands."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QMainWindow,
    QToolButton,
    QWidget,
)

from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.settings import Settings
from zbm_gui import dialogs, opening, states, style
from zbm_gui.actions import Actions
from zbm_gui.digest import Digest
from zbm_gui.engine_thread import EngineThread
from zbm_gui.indexing_control import IndexingControl
from zbm_gui.library_flow import LibraryFlow
from zbm_gui.library_tab import LibraryTab
from zbm_gui.menus import fill_menu_bar, make_row_menu, make_theme_group
from zbm_gui.preferences_control import PreferencesControl
from zbm_gui.reader_tab import ReaderTab
from zbm_gui.reader_tabs import ReaderTabs
from zbm_gui.row_acts import RowActs
from zbm_gui.states import Act, State
from zbm_gui.targets import Target
from zbm_gui.widgets.index_status import IndexStatus
from zbm_gui.window_state import WindowState

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.library import Library, LibraryChanges
    from zbm_gui.app import Options

log = logging.getLogger(__name__)

#: Large enough for three panes, in steps of the grid; and the share of a smaller screen that is taken.
FIRST_SIZE = (185, 115)
FIRST_SHARE = 0.9
#: A small message is read in this time; then the list's own line is back.
SAID_MS = 8_000


class MainWindow(QMainWindow):
    """Signals:
    first_painted(): the window can be seen; from here on heavier parts may load.
    """

    first_painted = Signal()

    def __init__(
        self,
        paths: AppPaths,
        settings: Settings,
        options: Options,
        log_file: Path,
        engine: EngineThread | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Zotero Best Match")
        self._settings, self._options, self._log_file = settings, options, log_file
        self._layout_file = WindowState(paths.config / "window.json")
        self.engine = engine or EngineThread(paths, settings, parent=self)
        self.flow = LibraryFlow(self.engine, settings, self)
        self.acts = RowActs(self.engine, self)
        self.library_tab = LibraryTab(self.engine, settings)
        self.tabs = ReaderTabs(self.engine, self.library_tab)
        self.setCentralWidget(self.tabs)
        self.commands = Actions(self, self.library_tab)
        self._theme = make_theme_group(self, settings.get("appearance.theme"))
        fill_menu_bar(self.menuBar(), self.commands, self._theme)
        self._list_line = ""
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(SAID_MS)
        self._said.timeout.connect(self._show_line)
        self._painted = False
        self.stopped = True
        self._make_status_bar()
        self.preferences = PreferencesControl(
            settings, self.engine, self.flow, self.indexing, self.library_tab.search, self
        )
        self._connect_parts()
        self._connect_actions()
        self._restore_layout()
        self.library_tab.show_state(states.starting())
        self._update_actions()

    # --- putting together ---------------------------------------------------------------------------

    def _make_status_bar(self) -> None:
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        self._message = QLabel()
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._message.setAccessibleName("Status")
        self._message.setIndent(style.unit(self))
        self.index_status = IndexStatus()
        self.indexing = IndexingControl(self.engine, self._settings, self.index_status, self)
        self._pane_buttons = [self._pane_button("sidebar"), self._pane_button("item_pane")]
        bar.addWidget(self._pane_buttons[0])
        bar.addWidget(self._message, 1)
        bar.addPermanentWidget(self.index_status)
        bar.addPermanentWidget(self._pane_buttons[1])

    def _pane_button(self, action: str) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        command = self.commands[action]
        button.setIcon(command.icon())
        button.setAccessibleName(command.text())
        button.setToolTip(
            f"{command.text()} ({command.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})"
        )
        button.clicked.connect(command.toggle)
        return button

    def _connect_parts(self) -> None:
        tab = self.library_tab
        self.flow.state_shown.connect(self._on_flow_state)
        self.flow.library_ready.connect(self._on_library)
        self.flow.choice_requested.connect(self._choose_library)
        self.engine.library_changed.connect(self._on_library_changed)
        self.engine.library_unreadable.connect(
            lambda failure: tab.warning.show_state(states.library_unreadable(failure))
        )
        self.indexing.grew.connect(tab.search.index_grew)
        self.engine.run_caught_up.connect(tab.search.index_caught_up)
        self.indexing.meaning_grew.connect(tab.search.meaning_grew)
        self.indexing.noticed.connect(self.notice)
        self.indexing.failed.connect(tab.warning.show_state)
        self.indexing.not_saved.connect(self.say)
        self.engine.meaning_described.connect(self._on_meaning_described)
        self.indexing.paused_changed.connect(lambda _paused: self._update_actions())
        self.acts.said.connect(self.say)
        self.acts.reading_requested.connect(self._read)
        tab.open_requested.connect(self.acts.open_here)
        tab.copy_requested.connect(self.acts.copy_passage)
        tab.menu_requested.connect(self._on_menu)
        tab.act_requested.connect(self._on_act)
        tab.said.connect(self._on_library_said)
        self.tabs.tab_opened.connect(self._on_tab_opened)
        self.tabs.tab_shown.connect(self._on_tab_shown)
        self.index_status.attention_requested.connect(self._show_attention)
        self.preferences.theme_chosen.connect(self._set_theme)
        self.preferences.item_requested.connect(self._show_item)
        self.preferences.index_requested.connect(self._look_again)
        self.preferences.weaker_hidden.connect(tab.bar.hide_weaker)

    def _connect_actions(self) -> None:
        tab, acts = self.library_tab, self.acts
        handlers = {
            "open_library": self._choose_library,
            "open_demo": self.flow.open_demo,
            "close_tab": self._close_tab,
            "preferences": self.preferences.open,
            "quit": self.close,
            "find": self._find,
            "search": self._focus_search,
            "copy_quote": self._copy_quote,
            "copy_passage": lambda: self._with_target(acts.copy_passage),
            "copy_link": lambda: self._with_target(acts.copy_link),
            "next_tab": lambda: self.tabs.step(1),
            "previous_tab": lambda: self.tabs.step(-1),
            "next_pane": lambda: tab.step_pane(1),
            "previous_pane": lambda: tab.step_pane(-1),
            "next_match": lambda: self._step_match(1),
            "previous_match": lambda: self._step_match(-1),
            "open": lambda: self._with_target(acts.open_here),
            "open_externally": lambda: self._with_target(acts.open_externally),
            "show_in_zotero": lambda: self._with_target(acts.show_in_zotero),
            "open_in_zotero": lambda: self._with_target(acts.open_in_zotero),
            "show_file": lambda: self._with_target(acts.show_file),
            "update_index": self._look_again,
            "attention": self._show_attention,
            "how_to_search": self._how_to_search,
            "open_log": lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_file))),
            "about": lambda: dialogs.show_about(self, self._model()),
            "similar": lambda: self._with_target(self._find_similar),
        }
        for name, handler in handlers.items():
            self.commands[name].triggered.connect(lambda _checked=False, handler=handler: handler())
        self.commands["sidebar"].toggled.connect(tab.panes.set_sidebar_shown)
        self.commands["item_pane"].toggled.connect(tab.panes.set_item_pane_shown)
        self.commands["full_screen"].toggled.connect(self._set_full_screen)
        self.commands["pause_indexing"].triggered.connect(self.indexing.set_paused)
        self._theme.triggered.connect(lambda action: self._set_theme(action.data()))

    # --- the start ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self._begin)

    def _begin(self) -> None:
        self.first_painted.emit()
        if self._settings.notice:
            self.notice(self._settings.notice)
        self.flow.begin(self._options.library, self._options.demo, self._options.demo_if_none)

    def take_arguments(self, options: Options) -> None:
        """A second start was handed to this window."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()
        self._options = options
        if options.library is not None or options.demo:
            self.flow.begin(options.library, options.demo)
        elif options.query:
            self._search_for(options.query)

    # --- the library --------------------------------------------------------------------------------

    def _on_flow_state(self, state: State) -> None:
        if state.busy:
            self.library_tab.library_closed()
            self.tabs.close_all()
            self.indexing.forget()
        self.library_tab.show_state(state)
        self.tabs.setCurrentIndex(0)
        self._update_actions()

    def _on_library(self, library: Library, digest: Digest) -> None:
        self.tabs.set_library(library)
        self.library_tab.set_library(library, digest)
        name = "Demo Library" if self.flow.is_demo else "Zotero Best Match"
        self.setWindowTitle(name)
        self.preferences.set_library(library)
        self.indexing.begin()
        self._update_actions()
        query, self._options = self._options.query, type(self._options)()
        if query:
            self._search_for(query)
        else:
            self.library_tab.bar.focus()

    def _on_library_changed(self, library: Library, digest: Digest, changes: LibraryChanges) -> None:
        self.tabs.library_changed(library)
        self.library_tab.library_changed(library, digest, changes)
        self.preferences.set_library(library)
        self.indexing.begin()

    def _choose_library(self) -> None:
        start = self._settings.get("library.folder") or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, "Choose the Zotero data directory", start)
        if chosen:
            self.flow.choose(Path(chosen))

    def _look_again(self) -> None:
        """Look for changes of the library, and read again what could not be read."""
        self.engine.look_for_changes()
        self.indexing.begin()

    # --- documents ----------------------------------------------------------------------------------

    def _read(self, attachment: ItemKey, target: Target) -> None:
        session = self.library_tab.search.session
        if self.tabs.open(attachment, target, session) is None:
            self.say("That attachment is no longer in the library.")

    def _on_tab_opened(self, tab: ReaderTab) -> None:
        tab.act_requested.connect(self._on_document_act)
        tab.matches_changed.connect(self._update_actions)
        tab.link_requested.connect(opening.open_link)
        tab.said.connect(self.say)
        tab.set_dark_pages(self._settings.get("reader.dark_pages"))
        tab.dark_pages_changed.connect(lambda dark: self._keep("reader.dark_pages", dark))
        tab.set_choices(self._settings.get)
        tab.choice_made.connect(self._keep)

    def _on_document_act(self, act: Act, target: Target) -> None:
        match act:
            case Act.OPEN_EXTERNALLY:
                self.acts.open_externally(target)
            case Act.OPEN_IN_ZOTERO:
                self.acts.open_in_zotero(target)
            case Act.SHOW_IN_ZOTERO:
                self.acts.show_in_zotero(target)
            case Act.SHOW_FILE:
                self.acts.show_file(target)
            case Act.SETTINGS:
                self.preferences.open()
            case _:
                log.error("an act of a document that nothing carries out: %s", act)

    def _on_library_said(self, text: str) -> None:
        """The list's own line stays until it has another."""
        self._list_line = text
        self._show_line()

    def _on_tab_shown(self, tab: QWidget) -> None:
        self._show_line()
        tab.setFocus(Qt.FocusReason.TabFocusReason)
        self._update_actions()

    def _close_tab(self) -> None:
        self.tabs.close_current()

    def _step_match(self, by: int) -> None:
        tab = self.tabs.current_reader()
        if tab is not None and tab.has_matches:
            (tab.reader.next_match if by > 0 else tab.reader.previous_match)()

    # --- commands -----------------------------------------------------------------------------------

    def target(self) -> Target | None:
        tab = self.tabs.current_reader()
        return tab.target if tab is not None else self.library_tab.target()

    def _copy_quote(self) -> None:
        """What is selected in a reader, else what is current there or in the list."""
        tab = self.tabs.current_reader()
        if tab is None or tab.reader is None or not tab.reader.copy_with_citation():
            self._with_target(self.acts.copy_quote)

    def _with_target(self, act) -> None:
        target = self.target()
        if target is None:
            self.say("Select an entry of the list first.")
        else:
            act(target)

    def _on_menu(self, point: QPoint, target: Target | None) -> None:
        if target is None:
            return
        similar = self._settings.get("search.semantic")
        menu = make_row_menu(self, self.commands, self.acts, target, similar)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)

    def _on_act(self, act: Act, state: State) -> None:
        if act is Act.DETAILS:
            dialogs.show_details(self, state)
        elif act is Act.RESUME:
            self.indexing.set_paused(False)
        elif act is Act.SETTINGS:
            self.preferences.open()
        elif act is Act.TRY_AGAIN and self.library_tab.has_library:
            self.library_tab.warning.clear()
            self.indexing.begin()
        elif not self.flow.act(act):
            log.error("an act that nothing carries out: %s", act)

    def _find_similar(self, target: Target) -> None:
        self.tabs.setCurrentIndex(0)
        self.library_tab.show_similar(target.record)

    def _model(self) -> str:
        """The embedding model in use, by name."""
        return self.engine.meaning.model if self.engine.meaning is not None else ""

    def _find(self) -> None:
        tab = self.tabs.current_reader()
        if tab is not None and tab.reader is not None:
            tab.reader.find("")
        else:
            self._focus_search()

    def _focus_search(self) -> None:
        self.tabs.setCurrentIndex(0)
        self.library_tab.bar.focus()

    def _search_for(self, query: str) -> None:
        self.tabs.setCurrentIndex(0)
        self.library_tab.start_search(query)

    def _how_to_search(self) -> None:
        self._focus_search()
        self.library_tab.bar.open_menu()

    def say(self, text: str) -> None:
        """A small thing, in the status bar, for a while."""
        self._message.setText(text)
        self._said.start()

    def notice(self, text: str) -> None:
        """Something found at the start that the user should read: a banner, until dismissed."""
        self.library_tab.add_notice(text)

    def _on_meaning_described(self, status: MeaningStatus) -> None:
        self._message.setToolTip(f"Meaning by {status.model}" if status.model else "")
        self.commands["similar"].setEnabled(status.enabled)

    def _show_line(self) -> None:
        """What the status bar says when nothing has just happened: the list's own line."""
        self._message.setText(self._list_line if self.tabs.current_reader() is None else "")

    # --- preferences --------------------------------------------------------------------------------

    def _show_attention(self) -> None:
        self.preferences.open("Needs attention")

    def _show_item(self, key: ItemKey) -> None:
        self.tabs.setCurrentIndex(0)
        self.library_tab.show_record(key)

    def _set_theme(self, theme: str) -> None:
        self._keep("appearance.theme", theme)
        style.apply_theme(QApplication.instance(), theme)
        for action in self._theme.actions():
            action.setChecked(action.data() == theme)

    def _keep(self, key: str, value: object) -> None:
        try:
            self._settings.set(key, value)
        except OSError as error:
            self.say(f"The choice holds until zbm is closed: it could not be saved. ({error.strerror})")

    # --- the window itself --------------------------------------------------------------------------

    def _update_actions(self) -> None:
        actions, tab = self.commands, self.library_tab
        reader = self.tabs.current_reader()
        actions["sidebar"].setChecked(tab.panes.sidebar_shown)
        actions["item_pane"].setChecked(tab.panes.item_pane_shown)
        for button in self._pane_buttons:
            button.setVisible(reader is None and tab.has_library)
        actions["close_tab"].setEnabled(reader is not None)
        for name in ("next_tab", "previous_tab"):
            actions[name].setEnabled(self.tabs.count() > 1)
        for name in ("next_match", "previous_match"):
            actions[name].setEnabled(reader is not None and reader.has_matches)
        for name in ("pause_indexing", "update_index", "attention", "search"):
            actions[name].setEnabled(tab.has_library)
        actions["pause_indexing"].setChecked(self.indexing.paused)

    def _set_full_screen(self, on: bool) -> None:
        if on != self.isFullScreen():
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self._painted:
            self.engine.look_for_changes()

    def _restore_layout(self) -> None:
        unit = style.unit(self)
        geometry = self._layout_file.get_bytes("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            available = self.screen().availableSize() * FIRST_SHARE
            self.resize(QSize(FIRST_SIZE[0] * unit, FIRST_SIZE[1] * unit).boundedTo(available))
        self.library_tab.restore_state(self._layout_file)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._layout_file.set_bytes("geometry", self.saveGeometry())
        self.library_tab.save_state(self._layout_file)
        self._layout_file.save()
        self.hide()  # the end of background work is not for the user to wait for
        self.tabs.close_all()
        self.stopped = self.engine.close()
        super().closeEvent(event)
        QApplication.quit()
