"""Documents being read while the run does other things: by children, fed from a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from zbm_core.errors import Cancelled, CancelToken

if TYPE_CHECKING:
    from zbm_core.documents import DocumentReport, DocumentStore, Job

#: Documents that may have been read and wait to be entered: reading must not run far ahead of the index.
AHEAD = 16
#: Seconds after which whoever waits for a document is given a moment for something else.
TICK = 0.2


class Reading:
    """Reads *jobs*; iterate for ``(job, report)`` as each is done, and for None at least every `TICK` seconds.

    A run gives way to what was just edited without ending the children, so a long book is not begun again for each
    change in Zotero.

    Args:
        may_begin: asked before each document; while False no other is begun.
    """

    def __init__(
        self,
        documents: DocumentStore,
        jobs: Iterable[Job],
        may_begin: Callable[[], bool] = lambda: True,
    ) -> None:
        self._documents = documents
        self._jobs = jobs
        self._may_begin = may_begin
        self._stop = CancelToken()
        self._done: queue.Queue[tuple[Job, DocumentReport] | BaseException | None] = queue.Queue(AHEAD)
        self._thread = threading.Thread(target=self._read, name="reading", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[tuple[Job, DocumentReport] | None]:
        """Raises ZbmError when documents cannot be read, or what was read cannot be stored."""
        while True:
            try:
                found = self._done.get(timeout=TICK)
            except queue.Empty:
                yield None
                continue
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found

    def close(self) -> None:
        """End the children that are reading; what they were at is read again another time."""
        self._stop.cancel()
        while self._thread.is_alive():
            while not self._done.empty():
                self._done.get_nowait()
            self._thread.join(TICK)

    def _read(self) -> None:
        try:
            for found in self._documents.extract(self._allowed(), self._stop):
                self._put(found)
            self._put(None)
        except Cancelled:
            pass
        except BaseException as error:  # raised again where the documents are waited for
            self._put(error)

    def _allowed(self) -> Iterator[Job]:
        for job in self._jobs:
            while not self._may_begin():
                if self._stop.wait(TICK):
                    return
            yield job

    def _put(self, found: tuple[Job, DocumentReport] | BaseException | None) -> None:
        while not self._stop.cancelled:
            try:
                self._done.put(found, timeout=TICK)
                return
            except queue.Full:
                continue
