"""Searches and passages as the window asks for them: in which lane, and what of the answers is dropped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey
from zbm_core.search.records import SearchRequest
from zbm_gui.lanes import Job, Lane

if TYPE_CHECKING:
    from zbm_core.engine import Engine
    from zbm_core.search import Session

#: Seconds a search leaves the processor to the window, which lists the results just then; the previews
#: that come first are in the answer already.
PREFETCH_AFTER = 0.15


class Searching(QObject):
    """A newer search cancels the older one.

    Args:
        engine: gives the engine.
        ask: a small question in the documents lane, as `EngineThread.ask`.

    Signals:
        finished(int, Session), failed(int, Failure): of the search of that id.
        passages_ready(int, list): passages of these items of that search can be shown.
    """

    finished = Signal(int, object)
    failed = Signal(int, object)
    passages_ready = Signal(int, list)

    def __init__(
        self,
        engine: Callable[[], Engine | None],
        ask: Callable[..., Job],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._ask = engine, ask
        self.lane = Lane("search", self)
        self._job: Job | None = None
        self._session: Session | None = None
        self._last_id = 0

    def search(self, request: SearchRequest) -> int:
        """Start a search; its id comes back with every answer. An older search is cancelled."""
        self.cancel()
        self._last_id += 1
        number = self._last_id

        def work(token: CancelToken) -> None:
            session = self._engine().search(request, token)
            if token.cancelled:
                session.close()
                token.check()
            lane.tell(job, lambda: self._on_session(number, session))
            if token.wait(PREFETCH_AFTER):
                return
            session.prefetch(
                lambda items: lane.tell(job, lambda: self.passages_ready.emit(number, items)), token
            )

        lane = self.lane
        job = Job("search", work, failed=lambda failure: self.failed.emit(number, failure))
        self._job = lane.submit(job)
        return number

    def _on_session(self, number: int, session: Session) -> None:
        before, self._session = self._session, session
        if before is not None:
            # In the search lane, so that a prefetch still using it has ended.
            self.lane.submit(Job("close session", lambda _token: before.close()))
        self.finished.emit(number, session)

    def request_previews(self, session: Session, items: list[ItemKey], anew: bool = False) -> None:
        """Have these items' previews derived before their turn: the user is looking at them.

        Args:
            anew: they changed since theirs were derived.
        """
        number = self._last_id

        def work(_engine: Engine, token: CancelToken) -> None:
            if anew:
                session.invalidate(items)
            for item in items:
                token.check()
                session.previews(item)

        def done(_nothing: None) -> None:
            if number == self._last_id:
                self.passages_ready.emit(number, items)

        self._ask("previews", work, done)

    def request_passages(self, session: Session, item: ItemKey, done: Callable[[Any], None]) -> Job:
        """Have every passage of *item* derived, for the item pane."""
        return self._ask("passages", lambda _engine, _token: session.passages(item), done)

    def cancel(self) -> None:
        """Stop the running search; answers still on their way are dropped."""
        if self._job:
            self._job.token.cancel()
            self._job = None
        self._last_id += 1
