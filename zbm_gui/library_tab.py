"""The library: sidebar, search bar, list and item pane, and what stands in place of the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Scope, SearchResult
from zbm_core.settings import Settings
from zbm_gui import scoping, states, style
from zbm_gui.digest import Digest
from zbm_gui.engine_thread import EngineThread
from zbm_gui.item_pane import ItemPane
from zbm_gui.item_tree import ItemTree, Row, Selection
from zbm_gui.language_filter import LanguageFilter
from zbm_gui.library_pane import LibraryPane, Node, NodeKind
from zbm_gui.library_panes import LibraryPanes
from zbm_gui.pane_feeder import PaneFeeder
from zbm_gui.search_controller import SearchController
from zbm_gui.similar_items import SimilarItems
from zbm_gui.states import Act, State
from zbm_gui.targets import Target
from zbm_gui.widgets.banner import Banner
from zbm_gui.widgets.search_bar import Place, SearchBar
from zbm_gui.widgets.state_page import StatePage
from zbm_gui.window_state import WindowState
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.library import Library, LibraryChanges
    from zbm_core.search import Session


class LibraryTab(QWidget):
    """Signals:
    act_requested(Act, State): an act of a page or banner that is none of this tab's.
    open_requested(Target): Enter or a double click on what can be opened.
    copy_requested(Target): copy this passage whole, with its citation.
    menu_requested(QPoint, Target | None): a context menu, at a global position.
    said(str): for the status bar.
    """

    act_requested = Signal(object, object)
    open_requested = Signal(object)
    copy_requested = Signal(object)
    menu_requested = Signal(QPoint, object)
    said = Signal(str)

    def __init__(self, engine: EngineThread, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._library: Library | None = None
        self._digest: Digest | None = None
        self._notices: list[str] = []
        self._dismissed: State | None = None  # a warning the user has read
        self.pane = LibraryPane()
        self.bar = SearchBar()
        self.warning = Banner()
        self.similar = SimilarItems(self, engine)
        self.tree = ItemTree()
        self.page = StatePage()
        self.note = Banner()
        self.item_pane = ItemPane()
        self.search = SearchController(engine, settings, self.bar, self)
        self._languages = LanguageFilter(engine, self.bar, self)
        self._feeder = PaneFeeder(engine, self.item_pane, self._listed, self)
        self._lay_out()
        self.setFocusProxy(self.tree)
        self._connect()
        self._enable(False)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self.page)
        self._stack.addWidget(self.tree)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bar, style.Hairline(), self.warning, self.similar.heading):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        column.addWidget(self.note)
        self.panes = LibraryPanes(self.pane, centre, self.item_pane)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.panes)

    def _connect(self) -> None:
        self.pane.node_selected.connect(self._on_node)
        self.bar.search_requested.connect(self._on_search)
        self.bar.cleared.connect(self.search.clear)
        self.bar.typing_began.connect(self._engine.warm_up)
        self.bar.scope_changed.connect(self._on_scope)
        self.bar.left.connect(self._on_bar_left)
        self.page.act_requested.connect(self._on_act)
        self.warning.act_requested.connect(self._on_warning_act)
        self.note.act_requested.connect(self._on_act)
        self.similar.heading.act_requested.connect(self._on_act)
        self.search.answered.connect(self._on_answered)
        self.search.passages_ready.connect(self._on_passages)
        self.search.state_shown.connect(self.show_state)
        self.search.noted.connect(self.note.show_state)
        self.search.said.connect(self.said)
        self.search.ended.connect(self._on_search_ended)
        self.tree.selection_changed.connect(self.show_selection)
        self.tree.passages_wanted.connect(self._on_wanted)
        self.tree.passage_activated.connect(
            lambda passage: self.open_requested.emit(Target(passage.source, passage))
        )
        self.tree.attachment_activated.connect(lambda key: self.open_requested.emit(Target(key)))
        self.tree.annotation_activated.connect(lambda key: self.open_requested.emit(Target(key)))
        self.tree.context_menu_requested.connect(self._on_menu)
        self.item_pane.passage_open_requested.connect(
            lambda passage: self.open_requested.emit(Target(passage.source, passage))
        )
        self.item_pane.passage_copy_requested.connect(
            lambda passage: self.copy_requested.emit(Target(passage.source, passage))
        )
        self.item_pane.annotation_open_requested.connect(lambda key: self.open_requested.emit(Target(key)))
        self.item_pane.field_copied.connect(lambda label: self.said.emit(f"{label} was copied."))

    # --- the library --------------------------------------------------------------------------------

    def show_state(self, state: State) -> None:
        """A page in place of the list."""
        self.similar.end()
        self.page.show_state(state)
        self._stack.setCurrentWidget(self.page)
        self.show_selection()

    def library_closed(self) -> None:
        """Another library is being opened; a page says so meanwhile."""
        self._library = self._digest = None
        self.search.library_closed()
        self.bar.set_text("")
        self.warning.clear()
        self._enable(False)

    def set_library(self, library: Library, digest: Digest) -> None:
        """Show a library just opened, from its top."""
        self._library, self._digest = library, digest
        self.tree.set_library(library)
        self.item_pane.set_library(library)
        self.bar.set_digest(digest)
        blocked = self.pane.blockSignals(True)  # its first row is listed below, once
        self.pane.set_library(library, digest)
        self.pane.blockSignals(blocked)
        self._enable(True)
        self._on_node(self.pane.current_node())
        self._show_warnings()

    def add_notice(self, text: str) -> None:
        """Something to be read that is not of the library."""
        self._notices.append(text)
        self._show_warnings()

    def _show_warnings(self) -> None:
        warnings = list(self._notices)
        if self._library is not None:
            warnings += [*self._library.warnings, self._engine.engine.index_notice()]
        warnings = [warning for warning in warnings if warning]
        state = states.library_warning(" ".join(warnings)) if warnings else None
        self.warning.show_state(None if state == self._dismissed else state)

    def library_changed(self, library: Library, digest: Digest, changes: LibraryChanges) -> None:
        """The same library, read again: selection, place, open rows and the search stay."""
        self._library, self._digest = library, digest
        self.bar.set_digest(digest)
        self.pane.set_library(library, digest)
        self.item_pane.set_library(library)
        keys = self._keys()
        self.tree.follow(library, keys)
        self._show_warnings()
        if self.similar.of is not None and library.record(self.similar.of) is None:
            self.similar.leave()
        if not self.search.active and self.similar.of is None:
            self._show_list(keys)
        self._feeder.refresh(library, self._selected(), self._listed_session())
        self.search.library_changed(changes)
        if self.search.result is not None and self.search.result.matches and not self.tree.count():
            self.search.run_again(quiet=False)  # all that was found has left the library

    def _enable(self, on: bool) -> None:
        """Without a library the page that says so has the window for itself."""
        self.bar.setEnabled(on)
        self.panes.set_has_library(on)

    @property
    def library(self) -> Library | None:
        return self._library

    @property
    def has_library(self) -> bool:
        return self._library is not None

    def show_record(self, key: ItemKey) -> None:
        """Bring the top-level row of *key* into view, dropping the search or scope that hides it."""
        if self._library is None or self._library.record(key) is None:
            self.said.emit("That entry is no longer in the library.")
            return
        top = self._library.top_of(key)
        if not self.tree.select(top):
            self.bar.field.clear()
            self.bar.remove_filters()
            self.pane.select(f"{NodeKind.LIBRARY}:{top.library}")
            self.tree.select(top)
        self.tree.setFocus()

    # --- without a query ----------------------------------------------------------------------------

    def _on_node(self, node: Node | None) -> None:
        if node is None or self._library is None:
            return
        self.similar.end()
        if node.kind is NodeKind.RECENT:
            self.bar.set_place(Place())
        else:
            name = self._library.libraries[node.library].name
            collection = node.name if node.collection is not None else ""
            self.bar.set_place(Place(node.library, name, node.collection, collection))
        if self.search.active:
            self.search.run_again(quiet=False)
        else:
            self._show_items()

    def _on_scope(self) -> None:
        self.similar.end()
        if self.search.active:
            self.search.run_again(quiet=False)
        else:
            self._show_items()

    def _show_items(self) -> None:
        """List what the sidebar and the filters let through."""
        if self._library is None:
            return
        keys = self._keys()
        self.tree.show_items(keys)
        self._show_list(keys)
        if keys:
            self.show_selection()

    def _keys(self) -> Sequence[ItemKey]:
        """What the sidebar and the filters let through."""
        node = self.pane.current_node()
        keys = scoping.items_in(self._library, self.bar.scope(), self._languages.of)
        if node is not None and node.kind is NodeKind.RECENT:
            wanted = set(keys)
            keys = [key for key in self._digest.recent if key in wanted]
        return keys

    def _show_list(self, keys: Sequence[ItemKey]) -> None:
        """The list of *keys*, or the page that says why it is empty."""
        if keys:
            self._stack.setCurrentWidget(self.tree)
        else:
            self.show_state(self._why_empty(self.pane.current_node()))
        self.said.emit(counted(len(keys), "item"))

    def _why_empty(self, node: Node | None) -> State:
        scope = self.bar.scope()
        if scope != Scope(scope.library, scope.collection, scope.subcollections):
            return states.filters_hide_all()
        if node is None or not self._digest.items:
            return states.empty_library()
        if node.kind is NodeKind.RECENT:
            return states.nothing_recently_read(scoping.RECENT_DAYS)
        return states.empty_list(node.name)

    # --- searching ----------------------------------------------------------------------------------

    def start_search(self, text: str) -> None:
        """Search as if *text* had been typed."""
        self.bar.set_text(text)
        self._on_search(text)

    def _on_search(self, text: str) -> None:
        if self._library is not None:
            self.search.run(text)

    def _on_answered(self, session: Session, quiet: bool) -> None:
        if quiet and self.similar.of is not None:
            return  # shown when the user goes back to it
        self.similar.end()
        self._list_results(session)
        if quiet:
            self._feeder.refresh(self._library, self._selected(), session)
        else:
            self.tree.select(session.result.matches[0].item)
            self.show_selection()

    def _list_results(self, session: Session) -> None:
        self.show_result(session.result)
        self._on_passages([match.item for match in session.result.matches])

    def show_result(self, result: SearchResult) -> None:
        """List its matches."""
        self.tree.show_results(result)
        self._stack.setCurrentWidget(self.tree)

    def list_again(self) -> None:
        """What the search found, or without one what the sidebar and the filters let through."""
        if self.search.session is not None:
            self._list_results(self.search.session)
            self.search.tell()
        else:
            self.tree.clear_results()
            self._show_items()

    def _on_passages(self, items: list[ItemKey]) -> None:
        session = self._listed_session()
        for item in items if session is not None else ():
            previews = session.ready(item)
            if previews is not None:
                self.tree.set_passages(item, previews)

    def _on_wanted(self, items: list[ItemKey]) -> None:
        session = self._listed_session()
        if session is not None:
            self._engine.request_previews(session, items)

    def _listed_session(self) -> Session | None:
        """The search whose matches are listed."""
        return self.search.session if self.similar.of is None else None

    def _on_search_ended(self) -> None:
        self.similar.end()
        self.tree.clear_results()
        self._show_items()

    def _on_bar_left(self, to_first: bool) -> None:
        """The keyboard goes from the search field to the list."""
        if self.similar.of is not None and not to_first:
            self.similar.leave()
        if self._stack.currentWidget() is self.page:
            self.page.focus_first_act()
            return
        self.tree.setFocus()
        if to_first and self.tree.current() is None:
            table = self.tree.table
            table.setCurrentIndex(table.model().index(0, 0))

    # --- similar items ------------------------------------------------------------------------------

    def show_similar(self, key: ItemKey) -> None:
        """List the items that mean what the item of *key* means; Esc leads back."""
        if self._library is not None and self._library.record(key) is not None:
            self.similar.show(self._library, key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.similar.of is not None:
            self.similar.leave()
        else:
            super().keyPressEvent(event)

    # --- selection ----------------------------------------------------------------------------------

    def show_selection(self) -> None:
        """In the item pane."""
        self._feeder.show(self._library, self._selected(), self._listed_session())

    def _selected(self) -> Selection:
        """Nothing is selected while a page stands in place of the list."""
        return self.tree.selected() if self._stack.currentWidget() is self.tree else Selection()

    def _listed(self) -> tuple[str, list[str]]:
        """What the pane says while nothing is selected."""
        if self._library is None:
            return "", []
        node = self.pane.current_node()
        counts = [] if self._stack.currentWidget() is not self.tree else [counted(self.tree.count(), "item")]
        return (node.name if node is not None else "My Library"), counts

    def target(self) -> Target | None:
        """What a command from the menu means: the current row."""
        row = self.tree.current()
        return target_of(row) if row is not None and self._stack.currentWidget() is self.tree else None

    def _on_menu(self, point: QPoint, row: Row | None) -> None:
        self.menu_requested.emit(point, target_of(row) if row is not None else None)

    # --- acts of pages and banners ------------------------------------------------------------------

    def _on_act(self, act: Act, state: State) -> None:
        match act:
            case Act.SEARCH_EVERYWHERE:
                self.bar.search_everywhere()
            case Act.REMOVE_FILTERS:
                self.bar.remove_filters()
            case Act.SHOW_WEAKER:
                self.bar.show_weaker()
            case Act.BACK:
                self.similar.leave()
            case Act.SEARCH_AGAIN:
                self.search.run_again(quiet=False)
            case Act.REPEAT:
                self.search.run_again()
            case Act.CLEAR:
                self.bar.field.clear()
                self.bar.focus()
            case Act.TRY_AGAIN if self.search.active and self._library is not None:
                self.search.run_again(quiet=False)
            case Act.DISMISS:
                pass
            case _:
                self.act_requested.emit(act, state)

    def _on_warning_act(self, act: Act, state: State) -> None:
        """What is tried again there is the indexing or the reading of the library, not the search."""
        if act is Act.DISMISS:
            self._dismissed = state
        else:
            self.act_requested.emit(act, state)

    # --- panes --------------------------------------------------------------------------------------

    def step_pane(self, by: int) -> None:
        """Move the keyboard to the next or previous part that is shown."""
        self.panes.step(by, (self.bar.field, self._stack.currentWidget()))

    def save_state(self, state: WindowState) -> None:
        self.panes.save_state(state)
        state.set("columns", self.tree.save_state())
        state.set("folded", self.pane.folded())
        state.set("sections", self.item_pane.save_state())

    def restore_state(self, state: WindowState) -> None:
        self.panes.restore_state(state)
        self.tree.restore_state(state.get("columns", ""))
        self.pane.set_folded(state.get("folded", []))
        self.item_pane.restore_state(state.get("sections", "[]"))


def target_of(row: Row) -> Target:
    return Target(row.key, row.passage)
