"""Following the open library: when it was written to, it is read again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from zbm_core.errors import CancelToken
from zbm_gui.digest import Digest
from zbm_gui.lanes import Failure, Job, Lane
from zbm_gui.library_watch import LibraryWatch

if TYPE_CHECKING:
    from zbm_core.engine import Engine
    from zbm_core.library import Library, LibraryChanges

#: Reading a large library again takes a second of CPU or two, and during a sync Zotero writes without a pause: after
#: each reading it rests as long as it took; beyond so many in a row twice that, and so on up to this many times.
IN_A_ROW, LONGEST_REST = 5, 10
#: Seconds without a change after which it is followed at once again: a row is over.
QUIET = 20.0
#: Seconds to wait after a reading that failed: a drive that is gone is not asked every few seconds.
UNREADABLE_REST = 15.0


@dataclass(frozen=True, slots=True)
class _News:
    library: Library
    digest: Digest
    changes: LibraryChanges
    took: float  # seconds


class LibraryFollow(QObject):
    """Lives in the window's thread; watching and reading happen in two threads of its own, so that neither a
    run nor a question of the window waits for them.

    Args:
        engine: gives the engine; None while no library was opened yet.

    Signals:
        changed(Library, Digest, LibraryChanges): the library was read again; what differs.
        unreadable(Failure): it changed, and could not be read again twice in a row.
    """

    changed = Signal(object, object, object)
    unreadable = Signal(object)
    _taken = Signal(object)

    def __init__(self, engine: Callable[[], Engine | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._lane = Lane("library", self)
        self._watch = LibraryWatch(self)
        self._watch.changed.connect(self._on_written)
        self._taken.connect(self._on_taken)
        self._known: Library | None = None  # as it was last told
        self._job: Job | None = None
        self._not_before = 0.0  # of `time.monotonic`
        self._pace, self._row = 1, 0
        self._read_at = 0.0
        self._unread = 0  # times in a row that reading failed
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.timeout.connect(self.look)

    def begin(self, library: Library) -> None:
        """*library* was opened: follow it."""
        self._known = library
        self._not_before, self._read_at = 0.0, 0.0
        self._pace, self._row, self._unread = 1, 0, 0
        self._watch.watch(library.folder, library.freshness)

    def stop(self) -> None:
        """Another library is being opened."""
        self._known = None
        self._watch.pause()
        self._resting.stop()
        if self._job is not None:
            self._job.token.cancel()
            self._job = None

    def look(self) -> None:
        """Look for changes now."""
        self._watch.look()

    @property
    def threads(self) -> tuple[Lane, LibraryWatch]:
        """What has to end before the program does."""
        return self._lane, self._watch

    def close(self) -> None:
        self.stop()
        self._watch.close()
        self._lane.close()

    # --- reading ------------------------------------------------------------------------------------

    def _on_written(self) -> None:
        if self._job is not None or self._engine() is None:
            return
        rest = self._not_before - time.monotonic()
        if rest > 0:
            if not self._resting.isActive():
                self._resting.start(round(rest * 1000) + 1)
            return
        self._row = self._row + 1 if self._soon_again() else 1
        # A person's edits come a few in a row, and are waited for; a sync's do not end.
        self._pace = 1 if self._row <= IN_A_ROW else min(self._pace * 2, LONGEST_REST)
        self._job = self._lane.submit(Job("refresh", self._read, self._on_read, self._on_failed))

    def _soon_again(self) -> bool:
        return bool(self._read_at) and time.monotonic() - self._not_before < QUIET

    def _read(self, token: CancelToken) -> _News | None:
        """In the lane. None: as it turns out, nothing was written, or a run has read it meanwhile."""
        began = time.monotonic()
        fresh = self._engine().refresh(token)
        return None if fresh is None else self._news(fresh, began)

    def take(self, library: Library) -> None:
        """A run has read the library again. From any thread."""
        news = self._news(library, time.monotonic())
        if news is not None:
            self._taken.emit(news)

    def _news(self, fresh: Library, began: float) -> _News | None:
        from zbm_core.library import changes_between

        known = self._known
        if known is None or known.folder != fresh.folder:
            return None
        return _News(fresh, Digest.of(fresh), changes_between(known, fresh), time.monotonic() - began)

    def _on_read(self, news: _News | None) -> None:
        self._job, self._unread = None, 0
        if news is not None:
            self._on_taken(news)
        elif self._known is not None:
            self._watch.watch(self._known.folder, self._known.freshness)

    def _on_taken(self, news: _News) -> None:
        if self._known is None or self._known.folder != news.library.folder:
            return
        before = [self._known]
        self._known = news.library
        self._read_at = time.monotonic()
        self._not_before = self._read_at + news.took * self._pace
        self._watch.watch(news.library.folder, news.library.freshness)
        self.changed.emit(news.library, news.digest, news.changes)
        # Freeing its records and deleting its copy of the database takes a tenth of a second: not in this thread.
        self._lane.submit(Job("let go", lambda _token: before.clear()))

    def _on_failed(self, failure: Failure) -> None:
        # Zotero may be writing just now: once is nothing, twice is told, and then it is left in peace.
        self._job = None
        self._unread += 1
        self._not_before = time.monotonic() + UNREADABLE_REST
        if self._unread == 2:
            self.unreadable.emit(failure)
