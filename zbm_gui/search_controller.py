"""The search under way: what was asked, what came back, when it is asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from zbm_core.library.records import ItemKey
from zbm_core.search.records import EngineChoice, Outlook, SearchRequest, SearchResult
from zbm_core.settings import Settings
from zbm_gui import states
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.states import State
from zbm_gui.widgets.search_bar import RECENT_QUERIES, SearchBar
from zbm_gui.wording import counted, took

if TYPE_CHECKING:
    from zbm_core.library import LibraryChanges
    from zbm_core.search import Session

#: An answer that takes longer than this is waited for with a page that says so; most need a tenth.
PATIENCE_MS = 400


class SearchController(QObject):
    """Turns the search bar's wishes into searches and their answers into pages, banners and a status line.

    Signals:
        answered(Session, bool): results to list; True when it is the same search asked again, so that
            selection and place are to be kept.
        passages_ready(list): previews of these items of the listed session can be shown.
        state_shown(State): a page in place of results.
        noted(State | None): the banner under the results.
        said(str): for the status bar.
        result_changed(SearchResult | None): the answer now shown.
        ended(): there is no search any more.
    """

    answered = Signal(object, bool)
    passages_ready = Signal(list)
    state_shown = Signal(object)
    noted = Signal(object)
    said = Signal(str)
    result_changed = Signal(object)
    ended = Signal()

    def __init__(
        self, engine: EngineThread, settings: Settings, bar: SearchBar, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._bar = engine, settings, bar
        self._text = ""
        self._id = 0
        self._quiet = False
        self.session: Session | None = None
        self._changed: set[ItemKey] = set()  # in the library, since the answer shown
        self._caught_up = True  # whether the index has what changed
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(lambda: self.state_shown.emit(states.searching()))
        bar.set_recent(settings.get("search.recent"))
        engine.search_finished.connect(self._on_finished)
        engine.search_failed.connect(self._on_failed)
        engine.passages_ready.connect(self._on_passages)

    @property
    def active(self) -> bool:
        """Whether the list shows (or waits for) the answer to a query."""
        return bool(self._text)

    @property
    def result(self) -> SearchResult | None:
        return self.session.result if self.session is not None else None

    # --- asking -------------------------------------------------------------------------------------

    def run(self, text: str) -> None:
        """Search for *text* in the bar's scope; the results are shown from their top."""
        self._text = text
        self._remember(text)
        self._ask(quiet=False)

    def run_again(self, quiet: bool = True) -> None:
        """The same query again: the scope, the library or the index changed."""
        if self._text:
            self._ask(quiet)

    def _ask(self, quiet: bool) -> None:
        if self._caught_up:
            self._changed.clear()
        # A quiet repetition must not hide that the first answer has not come yet.
        self._quiet = quiet and self.session is not None
        request = SearchRequest(
            text=self._text,
            scope=self._bar.scope(),
            engine=self._engine_choice(),
            margin=100 if self._bar.weaker_too else self._settings.get("search.margin"),
        )
        self._id = self._engine.search(request)
        if not self._quiet:
            self._patience.start()

    def library_changed(self, changes: LibraryChanges) -> None:
        """The library was read again; the list has let go of what left it. What changed is offered once the
        index has it, for a list that is being read must not change by itself."""
        if not changes:
            return
        self._changed |= changes.added | changes.changed
        self._changed -= changes.removed
        self._caught_up = False
        self.tell()

    def index_caught_up(self) -> None:
        """What changed can be found now: its passages are derived anew, and searching again is offered."""
        self._caught_up = True
        result = self.result
        if result is None or not self._changed:
            return
        if not result.matches:
            self.run_again(quiet=False)
            return
        stale = [match.item for match in result.matches if match.item in self._changed]
        if stale:
            self._engine.request_previews(self.session, stale, anew=True)
        self.tell()

    def index_grew(self) -> None:
        """More can be found than when the shown answer was given."""
        result = self.result
        if result is None:
            return
        if result.indexed < result.total or not (self._engine.indexing or self._changed):
            self.run_again()

    def meaning_grew(self) -> None:
        """More can be found by meaning than when the shown answer was given: offered, for a list that is
        being read must not change by itself; where nothing was found there is none."""
        if self.result is None or self.result.engines != "words":
            return
        if self._engine_choice() is EngineChoice.WORDS:
            return
        if self.result.matches:
            self.noted.emit(states.meaning_ready())
        else:
            self.run_again(quiet=False)

    def _engine_choice(self) -> EngineChoice:
        if not self._settings.get("search.semantic"):
            return EngineChoice.WORDS
        return EngineChoice(self._settings.get("search.engine"))

    def clear(self) -> None:
        """No search any more: the list shows the library."""
        if not self._text:
            return
        self._text = ""
        self._engine.cancel_search()
        self._forget()
        self.ended.emit()

    def library_closed(self) -> None:
        """Another library is being opened: its answers would be about another."""
        self._text = ""
        self._forget()

    def _forget(self) -> None:
        self.session = None
        self._changed.clear()
        self._patience.stop()
        self.noted.emit(None)
        self.said.emit("")
        self.result_changed.emit(None)

    def _remember(self, text: str) -> None:
        text = text.strip()
        if not text or len(text) > 500:  # a pasted page is no query to offer again
            return
        recent = [text, *(query for query in self._settings.get("search.recent") if query != text)]
        try:
            self._settings.set("search.recent", recent[:RECENT_QUERIES])
        except OSError as error:
            self.said.emit(f"The list of recent searches could not be saved. ({error.strerror})")
        self._bar.set_recent(recent)

    # --- answers ------------------------------------------------------------------------------------

    def _on_finished(self, number: int, session: Session) -> None:
        if number != self._id or not self._text:
            return
        self._patience.stop()
        quiet, self._quiet = self._quiet, False
        same_list = quiet and self.session is not None and bool(self.session.result.matches)
        self.session = session
        result = session.result
        state = states.of_result(
            result, self._bar.place_name(), self._bar.everywhere_name(), self._engine.indexing
        )
        if state is None:
            self.answered.emit(session, same_list)
        else:
            self.state_shown.emit(state)
        self.tell()
        self.result_changed.emit(result)

    def tell(self) -> None:
        """Say again what there is to say of the answer shown."""
        if self.result is not None:
            self.noted.emit(self._note(self.result))
            self.said.emit(status_line(self.result))

    def _note(self, result: SearchResult) -> State | None:
        if result.outlook is not Outlook.FOUND or not result.matches:
            return None
        if self._changed and self._caught_up:
            return states.items_changed(len(self._changed))
        if result.indexed < result.total:
            return states.partly_indexed(result.indexed, result.total, self._engine.indexing)
        return states.weaker_hidden(result.hidden) if result.hidden else None

    def _on_failed(self, number: int, failure: Failure) -> None:
        if number != self._id or not self._text:
            return
        self._patience.stop()
        self.session = None
        self.noted.emit(None)
        self.said.emit("")
        self.state_shown.emit(states.search_failed(failure))

    def _on_passages(self, number: int, items: list[ItemKey]) -> None:
        if number == self._id and self.session is not None:
            self.passages_ready.emit(items)


def status_line(result: SearchResult) -> str:
    """ "214 matches in 38 ms · words"; what a search that listed nothing took, too."""
    if result.outlook in (Outlook.NOT_SEARCHABLE, Outlook.NOTHING_INDEXED):
        return ""
    parts = [f"{counted(len(result.matches), 'match', 'matches')} in {took(result.wall_ms)}", result.engines]
    if result.notice:
        parts.append(result.notice)
    return " · ".join(parts)
