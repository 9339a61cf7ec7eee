"""Seeing that Zotero wrote: told by the system where it tells, looked for where it does not.

All of it happens in a thread of its own, for on a drive that stopped answering even a look at a file's
time may take minutes.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QThread, QTimer, Signal, Slot

if TYPE_CHECKING:
    from zbm_core.library import Freshness

#: Milliseconds between looks. The system tells of most changes at once; this is for network drives, which
#: tell of none. Two stats.
POLL_MS = 2_000
#: Milliseconds in which what Zotero writes is taken for one change: it saves an item in several strokes.
GATHER_MS = 300
#: The files that are written to: the database and its log, which may come and go.
WATCHED = ("zotero.sqlite", "zotero.sqlite-wal")

Wanted = tuple[Path, "Freshness"] | None


class LibraryWatch(QThread):
    """Signals:
    changed(): the files are no longer as they were when the library was read. Said again at every look until
        `watch` is told a newer state.
    """

    changed = Signal()
    _ordered = Signal(object)
    _look_ordered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("watch")
        self._wanted: Wanted = None

    def watch(self, folder: Path, freshness: Freshness) -> None:
        """Watch the data directory *folder*, which was read in the state *freshness*."""
        self._wanted = (folder, freshness)
        if not self.isRunning():
            self.start()
        self._ordered.emit(self._wanted)

    def look(self) -> None:
        """Look now."""
        self._look_ordered.emit()

    def pause(self) -> None:
        """Nothing is to be watched for now."""
        self._wanted = None
        self._ordered.emit(None)

    def run(self) -> None:
        watcher = _Watcher()
        watcher.changed.connect(self.changed)
        self._ordered.connect(watcher.watch)
        self._look_ordered.connect(watcher.look)
        watcher.watch(self._wanted)  # what was ordered before it could hear
        self.exec()
        watcher.watch(None)

    def close(self) -> None:
        """Ask it to end; `wait_until` says whether it did."""
        self.pause()
        self.quit()

    def wait_until(self, deadline: float) -> bool:
        """Wait for the thread's end until *deadline* (of `time.monotonic`)."""
        if not self.isRunning():
            return True
        return self.wait(max(1, round((deadline - time.monotonic()) * 1000)))


class _Watcher(QObject):
    """Lives in the thread of `LibraryWatch`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._wanted: Wanted = None
        self._files = QFileSystemWatcher(self)
        self._files.fileChanged.connect(self._on_written)
        self._files.directoryChanged.connect(self._on_written)
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self.look)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self.look)

    @Slot(object)
    def watch(self, wanted: Wanted) -> None:
        """Watch what *wanted* names, and look at once: it may have been written to since it was read."""
        before, self._wanted = self._wanted, wanted
        if wanted is None or (before is not None and before[0] != wanted[0]):
            self._drop_paths()
        if wanted is None:
            self._poll.stop()
            self._gather.stop()
            return
        self._watch_paths()
        self._poll.start()
        self.look()

    @Slot()
    def look(self) -> None:
        from zbm_core.library import freshness_of

        if self._wanted is None:
            return
        folder, freshness = self._wanted
        if freshness_of(folder) != freshness:
            self.changed.emit()

    def _on_written(self, _path: str) -> None:
        if self._wanted is None:
            return
        self._watch_paths()  # the log has come, or a file took another's place
        if not self._gather.isActive():
            self._gather.start()

    def _watch_paths(self) -> None:
        folder = self._wanted[0]
        known = {*self._files.files(), *self._files.directories()}
        paths = [folder, *(path for name in WATCHED if (path := folder / name).exists())]
        missing = [str(path) for path in paths if str(path) not in known]
        if missing:
            self._files.addPaths(missing)  # those the system cannot watch are left to the poll

    def _drop_paths(self) -> None:
        paths = [*self._files.files(), *self._files.directories()]
        if paths:
            self._files.removePaths(paths)
