"""Asking an open book: one thread that waits for the reading program, so that the window does not."""

from __future__ import annotations

import atexit
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject

from zbm_core.documents.reading.records import Place, ReadingContents, SectionPage
from zbm_core.documents.structure import Selector, SelectorAnchor
from zbm_gui.lanes import Failure, Job, Lane

T = TypeVar("T")

#: Sections kept: the one shown, those beside it and those that the next matches stand in.
KEPT_SECTIONS = 12
#: Seconds that the end of the program waits for a reading thread.
LAST_WAIT = 2.0


class Book(Protocol):
    """What `zbm_core.documents.TextBook` offers. Every method but `close` blocks."""

    def contents(self) -> ReadingContents: ...
    def section(self, number: int) -> SectionPage: ...
    def image(self, name: str) -> bytes: ...
    def places(self, anchor: SelectorAnchor) -> Sequence[Place]: ...
    def find(self, text: str, *, whole_words: bool = False, limit: int = 2000) -> Sequence[Place]: ...
    def selector(self, place: Place) -> Selector: ...
    def close(self) -> None: ...


MakeBook = Callable[[Path, str], Book]


def open_book(path: Path, content_type: str) -> Book:
    """Starts nothing yet."""
    from zbm_core.documents import TextBook

    return TextBook(path, content_type)


class OpenBook:
    """The book as work in the reading thread meets it: its sections are asked for once. One thread only."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._pages: OrderedDict[int, SectionPage] = OrderedDict()

    def section(self, number: int) -> SectionPage:
        page = self._pages.get(number)
        if page is None:
            page = self._pages[number] = self.book.section(number)
            while len(self._pages) > KEPT_SECTIONS:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        return page


class BookDesk(QObject):
    """One book's thread. Answers come in the thread that asked; none comes after `close`."""

    def __init__(self, book: Book, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book = OpenBook(book)
        self._lane = Lane("reading a text")
        _threads[:] = [known for known in _threads if not known.isFinished()]
        _threads.append(self._lane)

    def ask(
        self,
        name: str,
        work: Callable[[OpenBook], T],
        done: Callable[[T], None],
        failed: Callable[[Failure], None] | None = None,
    ) -> Job:
        """Do *work* in the thread; set the job's token to drop what comes of it."""
        return self._lane.submit(Job(name, lambda _token: work(self._book), done, failed))

    @property
    def idle(self) -> bool:
        return not self._lane.busy

    def close(self) -> None:
        """Drop every question and let the book go, in a thread that nothing waits for."""
        book = self._book.book
        self._lane.close()
        # A question under way ends when the reading program does.
        threading.Thread(target=book.close, name="closing a text", daemon=True).start()


#: A running QThread must not be let go of, whoever forgets its desk.
_threads: list[Lane] = []


@atexit.register
def _stop() -> None:
    deadline = time.monotonic() + LAST_WAIT
    for lane in _threads:
        lane.close()
    for lane in _threads:
        lane.wait_until(deadline)
