"""The engine behind the window: who asks what in which thread, and how answers come back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import SearchRequest
from zbm_core.settings import Settings
from zbm_gui.digest import Digest
from zbm_gui.lanes import Failure, Job, Lane

if TYPE_CHECKING:
    from zbm_core.documents import DocumentReport
    from zbm_core.engine import Engine, MeaningStatus
    from zbm_core.indexing.records import EmbeddingProgress, EmbeddingReport, Progress, RunReport
    from zbm_core.search import Session
    from zbm_core.search.records import Match, Passage
    from zbm_core.semantic import Preparing

log = logging.getLogger(__name__)

#: Seconds between looks at the library's files: soon enough to seem alive, rare enough to cost nothing.
WATCH_INTERVAL = 4.0
#: Reading a large library again takes seconds of CPU and Zotero writes often: rest this many times as long.
WATCH_REST = 10
#: Seconds between such looks during a run: each change found makes the run begin its plan anew.
WATCH_WHILE_INDEXING = 30.0
#: Seconds a search leaves the processor to the window, which lists the results just then; the previews
#: that come first are in the answer already.
PREFETCH_AFTER = 0.15
#: Seconds to wait after a look that failed: a drive that is gone is not asked every four seconds.
UNREADABLE_REST = 15.0
#: Seconds the window's end may take; Zotero's own limit of patience is about the same.
CLOSING_TIME = 0.9
#: At most one progress message in this many seconds reaches the window.
PROGRESS_INTERVAL = 0.2


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What opening an attachment needs: where its file is and what indexing found in it."""

    attachment: ItemKey
    path: Path | None
    state: str  # FileState's value
    reason: str
    report: DocumentReport | None


class EngineThread(QObject):
    """Owns the engine and its three lanes; lives in the UI thread.

    Lanes: *search* (a newer search cancels the older one), *indexing* (runs, and looking whether the
    library changed), *documents* (opening a library, and every small question of the window).

    Signals:
        library_opened(Library, Digest): a library was opened and can be shown.
        library_failed(Path, Failure): it could not be.
        library_changed(Library, Digest): the open library was read again.
        library_unreadable(Failure): it changed, and could not be read again twice in a row.
        search_finished(int, Session): the answer to the search of that id.
        search_failed(int, Failure)
        passages_ready(int, list): passages of these items of that search can be shown.
        indexing_progressed(Progress); indexing_finished(RunReport); indexing_failed(Failure): by words.
        meaning_preparing(Preparing): a model is being fetched or made.
        meaning_described(MeaningStatus): which model is in use, how far its index is.
        meaning_noticed(str): something of the model that the user should read once.
        meaning_progressed(EmbeddingProgress); meaning_failed(Failure).
        meaning_finished(EmbeddingReport | None): None where nothing was to be indexed.
    """

    library_opened = Signal(object, object)
    library_failed = Signal(object, object)
    library_changed = Signal(object, object)
    library_unreadable = Signal(object)
    search_finished = Signal(int, object)
    search_failed = Signal(int, object)
    passages_ready = Signal(int, list)
    indexing_progressed = Signal(object)
    indexing_finished = Signal(object)
    indexing_failed = Signal(object)
    meaning_preparing = Signal(object)
    meaning_described = Signal(object)
    meaning_noticed = Signal(str)
    meaning_progressed = Signal(object)
    meaning_finished = Signal(object)
    meaning_failed = Signal(object)

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
        self._searching = Lane("search", self)
        self._indexing = Lane("indexing", self)
        self._documents = Lane("documents", self)
        self._search_job: Job | None = None
        self._session: Session | None = None
        self._last_id = 0
        self._index_job: Job | None = None
        self._meaning_job: Job | None = None
        self._meaning: MeaningStatus | None = None
        self._look_job: Job | None = None
        self._open_job: Job | None = None
        self._watch_not_before = 0.0
        self._unread = 0  # times in a row that reading the library again failed
        self._watch_timer = QTimer(self)
        self._watch_timer.setInterval(round(WATCH_INTERVAL * 1000))
        self._watch_timer.timeout.connect(self.look_for_changes)

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
        self.stop_indexing()
        self.cancel_search()
        self._watch_timer.stop()
        if self._open_job:
            self._open_job.token.cancel()

        def work(token: CancelToken) -> tuple[Any, Digest, MeaningStatus]:
            engine = self._ready_engine()
            library = engine.rebuild(token) if rebuild else engine.open_library(folder, token)
            return library, Digest.of(library), engine.meaning_status()

        def done(answer: tuple[Any, Digest, MeaningStatus]) -> None:
            *opened, meaning = answer
            self._watch_timer.start()
            self._describe_meaning(meaning)
            self.library_opened.emit(*opened)

        def failed(failure: Failure) -> None:
            self.library_failed.emit(folder, failure)

        self._open_job = self._documents.submit(Job("open", work, done, failed))

    def look_for_changes(self) -> None:
        """Read the library again if its files changed; called by the timer and when the window is activated."""
        if self._engine is None or self._engine.library is None or time.monotonic() < self._watch_not_before:
            return
        if self._meaning_job is not None:
            self._look_beside_meaning()
        elif not self._indexing.busy:  # a run by words looks for itself
            self._submit_refresh(then_index=False)

    def _look_beside_meaning(self) -> None:
        """The indexing lane is taken for minutes or hours: look from another, and let meaning give way."""
        if self._look_job is not None:
            return

        def done(changed: bool) -> None:
            self._look_job = None
            if changed and self._meaning_job is not None:
                self._start_over()

        def failed(_failure: Failure) -> None:
            self._look_job = None
            self._watch_not_before = time.monotonic() + UNREADABLE_REST

        self._look_job = self.ask("look", lambda engine, _token: engine.changed_on_disk(), done, failed)

    def _submit_refresh(self, then_index: bool) -> None:
        def done(answer: tuple[Any, Digest] | None) -> None:
            self._unread = 0
            if answer is not None:
                self.library_changed.emit(*answer)
            if then_index:
                self.start_indexing()

        def failed(failure: Failure) -> None:
            # Zotero may be writing just now: once is nothing, twice is told, and then it is left in peace.
            self._unread += 1
            self._watch_not_before = max(self._watch_not_before, time.monotonic() + UNREADABLE_REST)
            if self._unread == 2:
                self.library_unreadable.emit(failure)
            if then_index:
                self.start_indexing()

        self._indexing.submit(Job("refresh", self._refresh, done, failed))

    def _refresh(self, token: CancelToken) -> tuple[Any, Digest] | None:
        if not self._engine.changed_on_disk():
            return None
        began = time.monotonic()
        try:
            library = self._engine.refresh(token)
        finally:
            took = time.monotonic() - began
            self._watch_not_before = time.monotonic() + took * WATCH_REST
        return None if library is None else (library, Digest.of(library))

    # --- searching ----------------------------------------------------------------------------------

    def search(self, request: SearchRequest) -> int:
        """Start a search; its id comes back with every answer. An older search is cancelled."""
        self.cancel_search()
        self._last_id += 1
        number = self._last_id

        def work(token: CancelToken) -> None:
            session = self._engine.search(request, token)
            if token.cancelled:
                session.close()
                token.check()
            lane.tell(job, lambda: self._on_session(number, session))
            if token.wait(PREFETCH_AFTER):
                return
            session.prefetch(
                lambda items: lane.tell(job, lambda: self.passages_ready.emit(number, items)), token
            )

        lane = self._searching
        job = Job("search", work, failed=lambda failure: self.search_failed.emit(number, failure))
        self._search_job = lane.submit(job)
        return number

    def _on_session(self, number: int, session: Session) -> None:
        self._close_session()
        self._session = session
        self.search_finished.emit(number, session)

    def request_previews(self, session: Session, items: list[ItemKey]) -> None:
        """Have these items' previews derived before their turn: the user is looking at them."""
        number = self._last_id

        def work(_engine: Engine, token: CancelToken) -> None:
            for item in items:
                token.check()
                session.previews(item)

        def done(_nothing: None) -> None:
            if number == self._last_id:
                self.passages_ready.emit(number, items)

        self.ask("previews", work, done)

    def request_passages(
        self, session: Session, item: ItemKey, done: Callable[[tuple[Passage, ...]], None]
    ) -> Job:
        """Have every passage of *item* derived, for the item pane."""
        return self.ask("passages", lambda _engine, _token: session.passages(item), done)

    def find_similar(
        self, item: ItemKey, done: Callable[[list[Match]], None], failed: Callable[[Failure], None]
    ) -> Job:
        """Have the items found that mean what *item* means, best first."""
        return self.ask("similar", lambda engine, _token: engine.similar(item), done, failed)

    def cancel_search(self) -> None:
        """Stop the running search; answers still on their way are dropped."""
        if self._search_job:
            self._search_job.token.cancel()
            self._search_job = None
        self._last_id += 1

    def _close_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            # In the search lane, so that a prefetch still using it has ended.
            self._searching.submit(Job("close session", lambda _token: session.close()))

    # --- indexing -----------------------------------------------------------------------------------

    @property
    def indexing(self) -> bool:
        """Whether a run by words is under way."""
        return self._index_job is not None

    @property
    def embedding(self) -> bool:
        """Whether a model is being prepared or texts are being indexed by meaning."""
        return self._meaning_job is not None

    @property
    def meaning(self) -> MeaningStatus | None:
        """Which model is in use, as last heard; None before a library is open."""
        return self._meaning

    def start_indexing(self) -> None:
        """Bring the word index up to date; indexing by meaning gives way. Nothing while a run is under way."""
        if self._index_job is not None:
            return
        self.stop_meaning()
        lane = self._indexing
        told, looked = 0.0, time.monotonic()

        def on_progress(progress: Progress) -> None:
            nonlocal told, looked
            now = time.monotonic()
            if now - told >= PROGRESS_INTERVAL:
                told = now
                lane.tell(job, lambda: self.indexing_progressed.emit(progress))
            if now - looked >= WATCH_WHILE_INDEXING and now >= self._watch_not_before:
                looked = now
                if self._engine.changed_on_disk():
                    lane.tell(job, self._start_over)

        job = Job(
            "index",
            lambda token: self._engine.index(token, on_progress),
            self._on_indexed,
            self._on_index_failed,
        )
        self._index_job = lane.submit(job)

    def _start_over(self) -> None:
        """The library changed under a run: end it (it resumes where it was), read the library, go on."""
        self.stop_indexing()
        self._submit_refresh(then_index=True)

    def stop_indexing(self) -> None:
        """End the run under way, by words or by meaning; it resumes where it was."""
        if self._index_job is not None:
            self._index_job.token.cancel()
            self._index_job = None
        self.stop_meaning()

    def _on_indexed(self, report: RunReport) -> None:
        self._index_job = None
        self.indexing_finished.emit(report)

    def _on_index_failed(self, failure: Failure) -> None:
        self._index_job = None
        self.indexing_failed.emit(failure)

    # --- meaning ------------------------------------------------------------------------------------

    def start_meaning(self, embed: bool = True) -> None:
        """Prepare a model and index by meaning; with the setting off, let go of the model that is loaded.

        Does nothing while a run is under way: words come first.

        Args:
            embed: False makes what is indexed already searchable, and no more.
        """
        if self._meaning_job is not None or self._index_job is not None:
            return
        lane = self._indexing
        told, about = 0.0, ""

        def may_tell(what: str) -> bool:
            """Another thing is told at once: it may be the last word for a while."""
            nonlocal told, about
            now = time.monotonic()
            if what == about and now - told < PROGRESS_INTERVAL:
                return False
            told, about = now, what
            return True

        def on_preparing(preparing: Preparing) -> None:
            if may_tell(preparing.what):
                lane.tell(job, lambda: self.meaning_preparing.emit(preparing))

        def on_progress(progress: EmbeddingProgress) -> None:
            if may_tell("embedding"):
                lane.tell(job, lambda: self.meaning_progressed.emit(progress))

        def work(token: CancelToken) -> tuple[EmbeddingReport | None, MeaningStatus]:
            engine = self._engine
            notice = engine.prepare_meaning(token, on_preparing)
            status = engine.meaning_status()
            lane.tell(job, lambda: self._describe_meaning(status))
            if notice:
                lane.tell(job, lambda: self.meaning_noticed.emit(notice))
            report = engine.embed(token, on_progress) if embed else None
            return report, engine.meaning_status()

        job = Job("meaning", work, self._on_embedded, self._on_meaning_failed)
        self._meaning_job = lane.submit(job)

    def stop_meaning(self) -> None:
        if self._meaning_job is not None:
            self._meaning_job.token.cancel()
            self._meaning_job = None

    def _describe_meaning(self, status: MeaningStatus) -> None:
        self._meaning = status
        self.meaning_described.emit(status)

    def _on_embedded(self, answer: tuple[EmbeddingReport | None, MeaningStatus]) -> None:
        self._meaning_job = None
        report, status = answer
        self._describe_meaning(status)
        self.meaning_finished.emit(report)

    def _on_meaning_failed(self, failure: Failure) -> None:
        self._meaning_job = None
        self.meaning_failed.emit(failure)

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
        self._watch_timer.stop()
        lanes = (self._searching, self._indexing, self._documents)
        for lane in lanes:
            lane.close()
        still_running = [lane.objectName() for lane in lanes if not lane.wait_until(deadline)]
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
    from zbm_core.engine import Engine  # heavy: the window has painted by now

    return Engine(paths, settings)
