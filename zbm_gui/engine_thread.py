"""The engine behind the window: who asks what in which thread, and how answers come back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import SearchRequest
from zbm_core.settings import Settings
from zbm_gui.digest import Digest
from zbm_gui.index_runs import IndexRuns
from zbm_gui.lanes import Failure, Job, Lane
from zbm_gui.library_follow import LibraryFollow
from zbm_gui.searching import Searching

if TYPE_CHECKING:
    from zbm_core.documents import DocumentReport
    from zbm_core.engine import Engine, MeaningStatus
    from zbm_core.indexing.records import RunProgress
    from zbm_core.search import Session
    from zbm_core.search.records import Match, Passage
    from zbm_core.semantic import Preparing

log = logging.getLogger(__name__)

#: Seconds the window's end may take; Zotero's own limit of patience is about the same.
CLOSING_TIME = 0.9


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What opening an attachment needs: where its file is and what indexing found in it."""

    attachment: ItemKey
    path: Path | None
    state: str  # FileState's value
    reason: str
    report: DocumentReport | None


class EngineThread(QObject):
    """Owns the engine and the threads that ask it; lives in the UI thread.

    Lanes: *search* (`Searching`), *indexing* (`IndexRuns`), *library* (`LibraryFollow`, with a thread that
    watches the files), *documents* (opening a library, and every small question of the window).

    Signals:
        library_opened(Library, Digest): a library was opened and can be shown.
        library_failed(Path, Failure): it could not be.
        library_changed(Library, Digest, LibraryChanges): the open library was read again.
        library_unreadable(Failure): it changed, and could not be read again twice in a row.
        search_finished, search_failed, passages_ready: see `Searching`.
        run_progressed, run_caught_up, run_finished, run_failed, meaning_preparing, meaning_noticed,
        meaning_described: see `IndexRuns`.
    """

    library_opened = Signal(object, object)
    library_failed = Signal(object, object)
    library_changed = Signal(object, object, object)
    library_unreadable = Signal(object)
    search_finished = Signal(int, object)
    search_failed = Signal(int, object)
    passages_ready = Signal(int, list)
    run_progressed = Signal(object)
    run_caught_up = Signal()
    run_finished = Signal(object)
    run_failed = Signal(object)
    meaning_preparing = Signal(object)
    meaning_noticed = Signal(str)
    meaning_described = Signal(object)

    def __init__(
        self,
        paths: AppPaths,
        settings: Settings,
        make_engine: Callable[[AppPaths, Settings], Engine] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._paths, self._settings = paths, settings
        self._make_engine = make_engine or _make_engine
        self._engine: Engine | None = None
        self._documents = Lane("documents", self)
        self._open_job: Job | None = None
        self._searching = Searching(lambda: self._engine, self.ask, self)
        self._follow = LibraryFollow(lambda: self._engine, self)
        self._runs = IndexRuns(lambda: self._engine, self._follow.take, self)
        for heard, told in (
            (self._searching.finished, self.search_finished),
            (self._searching.failed, self.search_failed),
            (self._searching.passages_ready, self.passages_ready),
            (self._runs.progressed, self.run_progressed),
            (self._runs.caught_up, self.run_caught_up),
            (self._runs.finished, self.run_finished),
            (self._runs.failed, self.run_failed),
            (self._runs.preparing, self.meaning_preparing),
            (self._runs.noticed, self.meaning_noticed),
            (self._runs.described, self.meaning_described),
            (self._follow.changed, self.library_changed),
            (self._follow.unreadable, self.library_unreadable),
        ):
            heard.connect(told)

    # --- the engine ---------------------------------------------------------------------------------

    @property
    def engine(self) -> Engine | None:
        """For calls that only read memory (links, citations); None until the first library is open."""
        return self._engine

    def _ready_engine(self) -> Engine:
        """Called in the documents lane only, which makes the engine before any other lane needs it."""
        if self._engine is None:
            self._engine = self._make_engine(self._paths, self._settings)
        return self._engine

    def ask(
        self,
        name: str,
        work: Callable[[Engine, CancelToken], Any],
        done: Callable[[Any], None],
        failed: Callable[[Failure], None] | None = None,
    ) -> Job:
        """Answer a small question in the documents lane; cancel the job's token to drop the answer."""
        return self._documents.submit(
            Job(name, lambda token: work(self._ready_engine(), token), done, failed or self._log_failure)
        )

    def warm_up(self) -> None:
        """Make the model ready while the query is being typed; nothing comes back."""
        self.ask("warm up", lambda engine, _token: engine.warm_up(), lambda _nothing: None)

    def _log_failure(self, failure: Failure) -> None:
        log.error("%s %s", failure.message, failure.detail)

    # --- libraries ----------------------------------------------------------------------------------

    def open_library(self, folder: Path, rebuild: bool = False) -> None:
        """Open *folder*, closing what was open; an opening under way is given up.

        Args:
            rebuild: *folder* is open now, and its indexes are to be made anew.
        """
        self.set_aside()
        if self._open_job:
            self._open_job.token.cancel()

        def work(token: CancelToken) -> tuple[Any, Digest, MeaningStatus]:
            engine = self._ready_engine()
            library = engine.rebuild(token) if rebuild else engine.open_library(folder, token)
            return library, Digest.of(library), engine.meaning_status()

        def done(answer: tuple[Any, Digest, MeaningStatus]) -> None:
            library, digest, meaning = answer
            self._follow.begin(library)
            self._runs.describe(meaning)
            self.library_opened.emit(library, digest)

        def failed(failure: Failure) -> None:
            self.library_failed.emit(folder, failure)

        self._open_job = self._documents.submit(Job("open", work, done, failed))

    def set_aside(self) -> None:
        """End runs, searches and the watch over the files: the library is about to be closed for a while."""
        self.stop_indexing()
        self.cancel_search()
        self._follow.stop()

    def look_for_changes(self) -> None:
        """Look now whether the library's files changed; they are watched in any case."""
        self._follow.look()

    # --- searching ----------------------------------------------------------------------------------

    def search(self, request: SearchRequest) -> int:
        """Start a search; its id comes back with every answer. An older search is cancelled."""
        return self._searching.search(request)

    def cancel_search(self) -> None:
        """Stop the running search; answers still on their way are dropped."""
        self._searching.cancel()

    def request_previews(self, session: Session, items: list[ItemKey], anew: bool = False) -> None:
        """Have these items' previews derived before their turn; *anew*: forgetting those they have."""
        self._searching.request_previews(session, items, anew)

    def request_passages(
        self, session: Session, item: ItemKey, done: Callable[[tuple[Passage, ...]], None]
    ) -> Job:
        """Have every passage of *item* derived, for the item pane."""
        return self._searching.request_passages(session, item, done)

    def find_similar(
        self, item: ItemKey, done: Callable[[list[Match]], None], failed: Callable[[Failure], None]
    ) -> Job:
        """Have the items found that mean what *item* means, best first."""
        return self.ask("similar", lambda engine, _token: engine.similar(item), done, failed)

    # --- indexing -----------------------------------------------------------------------------------

    @property
    def indexing(self) -> bool:
        """Whether a run is under way that may still find more by words."""
        return self._runs.indexing

    @property
    def run_told(self) -> RunProgress | None:
        """How far the run under way was when last heard of."""
        return self._runs.told

    @property
    def being_prepared(self) -> Preparing | None:
        """The model that is fetched or made just now."""
        return self._runs.being_prepared

    @property
    def embedding(self) -> bool:
        """Whether a model is being prepared or texts are being indexed by meaning."""
        return self._runs.embedding

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._runs.running

    @property
    def meaning(self) -> MeaningStatus | None:
        """Which model is in use, as last heard; None before a library is open."""
        return self._runs.meaning

    def start_indexing(self) -> None:
        """Bring both indexes up to date; a run under way takes first what was edited, and goes on."""
        self._runs.start()

    def stop_indexing(self) -> None:
        """End the run under way; it resumes where it was."""
        self._runs.stop()

    def prepare_meaning(self) -> None:
        """Make what is indexed by meaning searchable, or let go of the model where that is off; no run."""
        self._runs.prepare_meaning()

    # --- documents ----------------------------------------------------------------------------------

    def locate(
        self, attachment: ItemKey, done: Callable[[DocumentInfo], None], failed: Callable[[Failure], None]
    ) -> Job:
        def work(engine: Engine, _token: CancelToken) -> DocumentInfo:
            location = engine.locate(attachment)
            return DocumentInfo(
                attachment, location.path, location.state.value, location.reason, engine.document(attachment)
            )

        return self.ask("locate", work, done, failed)

    # --- the end ------------------------------------------------------------------------------------

    def close(self) -> bool:
        """Stop everything within `CLOSING_TIME` seconds; False if something would not stop."""
        deadline = time.monotonic() + CLOSING_TIME
        lanes = (self._searching.lane, self._runs.lane, self._documents)
        for lane in lanes:
            lane.close()
        self._follow.close()
        threads = (*lanes, *self._follow.threads)
        still_running = [thread.objectName() for thread in threads if not thread.wait_until(deadline)]
        if not still_running and self._engine is not None:
            closing = threading.Thread(target=self._engine.close, daemon=True)
            closing.start()
            closing.join(max(0.1, deadline - time.monotonic()))
            if closing.is_alive():
                still_running = ["closing"]
            else:
                self._engine = None
        if still_running:
            log.warning("did not stop in time: %s", ", ".join(still_running))
        return not still_running


def _make_engine(paths: AppPaths, settings: Settings) -> Engine:
    from zbm_core.allocator import give_memory_back
    from zbm_core.engine import Engine  # heavy: the window has painted by now

    give_memory_back()
    return Engine(paths, settings)
