"""A private copy of Zotero's database, taken while Zotero may be writing to it.

Opening the user's file is wrong in every mode: Zotero holds an exclusive lock, a read-only
connection creates side files beside the database, and an "immutable" one misses what is still in
the write-ahead log. So the database, its log and a hot rollback journal are copied, the originals
looked at again, and the copy opened read-write, so that SQLite itself replays or rolls back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import apsw

from zbm_core.errors import Cancelled, CancelToken
from zbm_core.library import freshness as freshness_module
from zbm_core.library.copying import copy_file, differs, no_space
from zbm_core.library.errors import LibraryError
from zbm_core.library.freshness import Freshness, Stamp, freshness_of, stamp_of
from zbm_core.library.locate import DATABASE_NAME
from zbm_core.library.scratch import ScratchFolder

# Zotero's transactions are short: a second of waiting in all outlasts any but a running sync.
_PAUSES = (0.05, 0.2, 0.8)

# A database that is whole on disk passes its check at once; one more copy rules out a torn one.
_CHECKS = 2

# File systems stamp times in steps (ext4 4 ms, exFAT 10 ms): within one, a write leaves no trace.
_TIME_STEP = 0.02

# How many of SQLite's steps (of its check: pages) lie between two looks at the cancel token.
_STEPS_A_LOOK = 500

_HOT_JOURNAL = bytes.fromhex("d9d505f920a163d7")

OnProgress = Callable[[str, float], None]


class Snapshot:
    """An open private copy.

    Attributes:
        connection: the only connection to the copy; it refuses to write.
        warnings: sentences for the user when the copy is not the newest state.
        freshness: the originals as they were when copied.
    """

    def __init__(
        self,
        scratch: ScratchFolder,
        connection: apsw.Connection,
        freshness: Freshness,
        warnings: tuple[str, ...],
    ) -> None:
        self.connection = connection
        self.freshness = freshness
        self.warnings = warnings
        self._scratch = scratch

    def close(self) -> None:
        """Close the copy and delete it. Harmless when called again."""
        self.connection.close()
        self._scratch.remove()


class _Unusable(Exception):
    """A copy that SQLite cannot use as it is."""


class _State(NamedTuple):
    """The files of a database, as far as a copy depends on them."""

    main: Stamp | None
    wal: Stamp | None
    journal: Stamp | None


def take_snapshot(
    folder: Path,
    scratch: Path,
    *,
    cancel: CancelToken | None = None,
    on_progress: OnProgress | None = None,
) -> Snapshot:
    """Copy the database of a data directory into a new folder below *scratch*, and open the copy.

    Needs the size of the database in free space, except where the file system can clone. When
    the database cannot be used, Zotero's own backups stand in for it, and `warnings` say so.

    Raises:
        LibraryError: no usable copy could be made.
        Cancelled: by *cancel*.
    """
    cancel = cancel or CancelToken()
    try:
        workspace = ScratchFolder(scratch)
    except OSError as error:
        raise LibraryError(
            f"The folder {scratch} for a private copy of Zotero's database cannot be written to. "
            "Check its permissions and that its drive is not full.",
            repr(error),
        ) from error
    try:
        return _Attempt(folder, workspace, cancel, on_progress).run()
    except BaseException:
        workspace.remove()
        raise


class _Attempt:
    """The ways to a usable copy, the best first."""

    def __init__(
        self, folder: Path, scratch: ScratchFolder, cancel: CancelToken, on_progress: OnProgress | None
    ) -> None:
        self._main = folder / DATABASE_NAME
        self._folder = folder
        self._scratch = scratch
        self._cancel = cancel
        self._on_progress = on_progress
        self._copies = 0

    def run(self) -> Snapshot:
        freshness = freshness_of(self._folder)
        try:
            return self._copy_whole()
        except (_Unusable, OSError) as error:
            problem = error
        if isinstance(problem, _Unusable):
            try:
                if (stamp := stamp_of(self._wal)) is not None and stamp.size:
                    # A log left behind by a crash beside a restored database spoils every replay.
                    return self._open(
                        self._copy(wal=False),
                        freshness,
                        "Zotero's newest changes could not be read, because its log file does not fit the "
                        "database. Quit and restart Zotero, then refresh.",
                    )
            except (_Unusable, OSError) as error:
                problem = error
        for backup in self._backups():
            try:
                made = time.strftime("%Y-%m-%d %H:%M", time.localtime(backup.stat().st_mtime))
                return self._open(
                    self._copy(backup, wal=False),
                    freshness,
                    f"Zotero's database could not be read ({_reason(problem)}). This is Zotero's backup of "
                    f"{made}; anything newer is missing.",
                )
            except (_Unusable, OSError):
                continue
        raise self._failure(problem)

    @property
    def _wal(self) -> Path:
        return self._main.with_name(self._main.name + "-wal")

    @property
    def _journal(self) -> Path:
        return self._main.with_name(self._main.name + "-journal")

    def _copy_whole(self) -> Snapshot:
        checks = 0
        pauses = iter(_PAUSES)
        while True:
            self._cancel.check()
            pause = next(pauses, None)
            freshness = freshness_of(self._folder)
            try:
                started = time.time()
                before = self._state()
                copy = self._copy(wal=True)
                torn = _torn(before, self._state(), started) or (
                    freshness_module.TIMES_LAG and differs(self._main, copy)
                )
            except OSError:
                # Windows refuses a file for a moment while a virus scanner or a backup has it, and
                # Zotero replaces its file when it compacts it.
                if pause is None:
                    raise
                self._cancel.wait(pause)
                continue
            if torn and pause is not None:
                self._cancel.wait(pause)
                continue
            try:
                return self._open(
                    copy,
                    freshness,
                    "Zotero was writing all the while its database was read. Refresh when it has finished, "
                    "to see the newest changes."
                    if torn
                    else "",
                )
            except _Unusable:
                checks += 1
                if pause is None or checks >= _CHECKS:
                    raise
                self._cancel.wait(pause)

    def _state(self) -> _State:
        return _State(stamp_of(self._main), stamp_of(self._wal), stamp_of(self._journal))

    def _copy(self, source: Path | None = None, *, wal: bool) -> Path:
        """Copy the database, and with *wal* the files beside it, under a fresh name."""
        source = source or self._main
        for useless in self._scratch.path.iterdir():
            useless.unlink()
        self._copies += 1
        target = self._scratch.path / f"{self._copies}.sqlite"
        total = max(1, source.stat().st_size)

        def on_bytes(copied: int) -> None:
            if self._on_progress is not None:
                self._on_progress("Copying Zotero's database", min(1.0, copied / total))

        copy_file(source, target, cancel=self._cancel, on_bytes=on_bytes)
        if wal:
            # After the database: what a checkpoint moves meanwhile is then still in the log.
            self._copy_beside(self._wal, target, "-wal")
            if _is_hot(self._journal):
                self._copy_beside(self._journal, target, "-journal")
        return target

    def _copy_beside(self, source: Path, target: Path, suffix: str) -> None:
        stamp = stamp_of(source)
        if stamp is not None and stamp.size:
            copy_file(source, target.with_name(target.name + suffix), cancel=self._cancel)

    def _open(self, copy: Path, freshness: Freshness, warning: str) -> Snapshot:
        if self._on_progress is not None:
            self._on_progress("Checking the copy", 0.0)
        try:
            connection = open_copy(copy, self._cancel)
        except apsw.InterruptError as error:
            raise Cancelled from error
        except apsw.FullError as error:
            raise no_space(copy.parent, copy.stat().st_size, error) from error
        except apsw.Error as error:
            raise _Unusable(str(error)) from error
        return Snapshot(self._scratch, connection, freshness, (warning,) if warning else ())

    def _backups(self) -> list[Path]:
        """Zotero's backups, the newest first."""
        dated = []
        for backup in self._folder.glob(f"{DATABASE_NAME}*.bak"):
            stamp = stamp_of(backup)
            if stamp is not None and stamp.size:
                dated.append((-stamp.mtime_ns, backup))
        return [backup for _, backup in sorted(dated)]

    def _failure(self, problem: Exception) -> LibraryError:
        detail = repr(problem)
        if isinstance(problem, PermissionError):
            return LibraryError(
                f"The file {self._main} may not be read. Give your account permission to read it; if Zotero "
                "is running, quit it and try again.",
                detail,
            )
        if isinstance(problem, FileNotFoundError):
            return LibraryError(
                f"There is no Zotero database in {self._folder}. Choose the folder that holds zotero.sqlite.",
                detail,
            )
        if isinstance(problem, OSError):
            return LibraryError(
                f"The file {self._main} could not be read. Check that its drive is connected and try again.",
                detail,
            )
        stamp = stamp_of(self._main)
        if stamp is not None and stamp.size == 0:
            return LibraryError(
                f"The file {self._main} is empty. Start Zotero once so that it fills it, or choose another "
                "data directory.",
                detail,
            )
        return LibraryError(
            f"The file {self._main} is damaged or is not a database. Restore it from a backup with Zotero's "
            "help (zotero.org/support/kb/corrupted_database), or choose another data directory.",
            detail,
        )


def _torn(before: _State, after: _State, started: float) -> bool:
    """Whether a copy made between two looks may hold pages of two moments.

    A log that only grew is no harm: what was copied of it ends at some whole commit.
    """
    if before.main != after.main or before.journal != after.journal:
        return True
    if (before.wal is None) != (after.wal is None):
        return True
    if before.wal is not None and after.wal is not None and after.wal.size < before.wal.size:
        return True
    changed = max((stamp.mtime_ns for stamp in (before.main, before.journal) if stamp), default=0) / 1e9
    return abs(started - changed) < _TIME_STEP


def open_copy(copy: Path, cancel: CancelToken) -> apsw.Connection:
    """Open a private copy, let SQLite recover it, check it, and forbid writing.

    Raises:
        apsw.InterruptError: *cancel* was set.
        apsw.Error: it is not a database, or not a whole one.
    """
    if copy.stat().st_size == 0:
        # SQLite takes an empty file for an empty database.
        raise apsw.NotADBError("the file is empty")
    connection = apsw.Connection(os.fspath(copy), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.set_progress_handler(lambda: cancel.cancelled, _STEPS_A_LOOK)
        # Exclusive: the log's index is then kept in memory, which works on every file system.
        connection.execute("PRAGMA locking_mode = exclusive")
        # The file is the user's, its content anyone's: no function may run from its schema.
        connection.execute("PRAGMA trusted_schema = off")
        connection.execute("PRAGMA cell_size_check = on")
        try:
            problems = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
        except apsw.SQLError as error:
            # An index of a future Zotero may use what only Zotero has; its tables read well without.
            if "no such" not in str(error):
                raise
            problems = ["ok"]
        if problems != ["ok"]:
            raise apsw.CorruptError("; ".join(problems))
        connection.set_progress_handler(None)
        connection.execute("PRAGMA query_only = on")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_hot(journal: Path) -> bool:
    """Whether a rollback journal has work to undo. Zotero leaves one with a zeroed header lying about."""
    try:
        with journal.open("rb") as file:
            return file.read(len(_HOT_JOURNAL)) == _HOT_JOURNAL
    except FileNotFoundError:
        return False


def _reason(problem: Exception) -> str:
    if isinstance(problem, PermissionError):
        return "reading it was refused"
    if isinstance(problem, FileNotFoundError):
        return "it is missing"
    return "it is damaged" if isinstance(problem, _Unusable) else "its drive failed"
