"""Items that mean what one item means, listed in place of the list; Esc leads back to what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Match, Outlook, SearchRequest, SearchResult
from zbm_gui import states
from zbm_gui.engine_thread import EngineThread
from zbm_gui.item_tree.wording import record_title
from zbm_gui.widgets.banner import Banner
from zbm_gui.wording import counted, shortened

if TYPE_CHECKING:
    from zbm_core.library import Library
    from zbm_gui.library_tab import LibraryTab


class SimilarItems:
    """Attributes:
    of: whose similar items are listed, None while they are not.
    heading: the strip that names it.
    """

    def __init__(self, tab: LibraryTab, engine: EngineThread) -> None:
        self._tab, self._engine = tab, engine
        self.heading = Banner()
        self.of: ItemKey | None = None

    def show(self, library: Library, key: ItemKey) -> None:
        """List the items that mean what the item of *key* means."""
        top = library.top_of(key)

        def found(matches: list[Match]) -> None:
            now = self._tab.library
            if now is not None and now.folder == library.folder:
                self._list(now, top, matches)

        self._tab.said.emit("Looking for similar items…")
        self._engine.find_similar(top, found, lambda failure: self._tab.said.emit(failure.message))

    def _list(self, library: Library, item: ItemKey, matches: list[Match]) -> None:
        record = library.record(item)
        if record is None:
            return
        tab = self._tab
        self.of = item
        tab.note.clear()
        self.heading.show_state(states.similar_to(shortened(record_title(record), 90), len(matches)))
        tab.show_result(SearchResult(SearchRequest(""), Outlook.FOUND, tuple(matches)))
        if matches:
            tab.tree.select(matches[0].item)
        tab.show_selection()
        tab.tree.setFocus()
        tab.said.emit(f"{counted(len(matches), 'similar item')} · meaning")

    def leave(self) -> None:
        """Back to what was listed before, at the item that was asked about."""
        item = self.of
        if item is None:
            return
        self.end()
        self._tab.list_again()
        self._tab.tree.select(item)
        self._tab.show_selection()

    def end(self) -> None:
        """Something else is listed."""
        self.of = None
        self.heading.clear()
