"""The word index: opening and recovering it, writing to it, searching it."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

import apsw

from zbm_core.errors import CancelToken
from zbm_core.lexical import ranking
from zbm_core.lexical.analysis import analyse
from zbm_core.lexical.errors import IndexBusy, IndexDamaged, IndexNotWritten
from zbm_core.lexical.matching import Matcher, matcher
from zbm_core.lexical.query import Query
from zbm_core.lexical.records import LexicalHit, PassageHit, Source
from zbm_core.lexical.shelves import Shelves, damage_in
from zbm_core.lexical.state import FORMAT_VERSION, Change, Row, State
from zbm_core.lexical.view import View
from zbm_core.library.records import ItemKey

# Left by a search that met a damaged file, for the next opening.
_DAMAGED = "damaged"
_STATE = "state.sqlite"
# Queries kept ready for highlighting: one for each window or script that asks at the same time.
_MATCHERS = 8


class LexicalIndex:
    """The word index of one data directory, in a folder of its own.

    One thread writes (`put`, `delete`, `commit`); any thread searches meanwhile and sees the last
    commit. One process writes; others may search.

    Attributes:
        notice: what opening it did beyond opening, as one sentence for the user, or "".
    """

    def __init__(self, folder: Path, user_key: str) -> None:
        self.notice = ""
        self._folder = folder
        self._batch: dict[ItemKey, Source | None] = {}
        self._refreshing = threading.Lock()
        self._is_writer = False
        self._matchers: dict[Query, tuple[View, Matcher]] = {}
        try:
            self._state, self._shelves = _opened(folder, user_key)
            self._recover()
            self._view = self._read_view()
            self._check_agreement()
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, folder: Path, user_key: str, *, check: bool = False) -> LexicalIndex:
        """Open the index in *folder*, or begin one there.

        Args:
            check: look first whether every file holds what was written (about a second for a GB).

        An index of another format or of another Zotero profile (`user_key`) is emptied; one that
        cannot be read is set aside beside the folder (the last one is kept) and a new one begun.

        Raises:
            IndexBusy: another process holds it in the middle of a change.
            IndexNotWritten: the folder cannot be written.
        """
        folder = Path(folder)
        notice = ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / _DAMAGED).exists():
                notice = _set_aside(folder)
            elif _belongs_elsewhere(folder, user_key):
                shutil.rmtree(folder)
                folder.mkdir(parents=True)
                notice = (
                    "The word index was made by another version or for another profile; it is built anew."
                )
            if check:
                _check_files(folder)
            index = cls(folder, user_key)
        except (IndexDamaged, ValueError, OSError, apsw.Error) as error:
            if not _is_damage(error):
                raise _not_written(error) from error
            notice = _set_aside(folder)
            index = cls(folder, user_key)
        except BaseException as error:
            if not _is_panic(error):
                raise
            notice = _set_aside(folder)
            index = cls(folder, user_key)
        index.notice = notice
        return index

    # Reading -------------------------------------------------------------------------------------

    def stamps(self) -> dict[ItemKey, str]:
        """The stamp of every source in the index."""
        with self._refreshing:  # the connection is one, and a search may be looking for another's commits
            return self._state.stamps()

    def tops(self) -> frozenset[ItemKey]:
        """The result items that can be found."""
        return self._current_view().roster.items()

    def search(
        self,
        query: Query,
        *,
        allowed: Set[ItemKey] | None = None,
        limit: int | None = None,
        cancel: CancelToken | None = None,
    ) -> list[LexicalHit]:
        """Rank the items that match, best first.

        Args:
            allowed: only these items; their order and scores do not depend on the others.
            limit: at most so many.

        Raises:
            Cancelled: the token was set.
            IndexDamaged: a file of the index cannot be read.
        """
        with self._damage_noted():
            return ranking.search(self._current_view(), query, allowed=allowed, limit=limit, cancel=cancel)

    def passages(self, query: Query, item: ItemKey) -> list[PassageHit]:
        """Every passage of one item that matches, best first; those of reference lists left out.

        Raises:
            IndexDamaged: a file of the index cannot be read.
        """
        with self._damage_noted():
            return ranking.passages(self._current_view(), query, item)

    def matcher(self, query: Query) -> Matcher:
        """*query* made ready to be found in texts, for `highlight` and `pick_quote`."""
        view = self._current_view()
        made = self._matchers.get(query)
        if made is None or made[0] is not view:
            if len(self._matchers) >= _MATCHERS:
                self._matchers.clear()
            with self._damage_noted():
                made = self._matchers[query] = (view, matcher(view, query))
        return made[1]

    def _current_view(self) -> View:
        # While this process is the writer no other one changes anything; a commit here sets the view.
        if self._is_writer:
            return self._view
        with self._refreshing:
            if not self._is_writer and self._state.data_version() != self._view.data_version:
                self._view = self._read_view()
            return self._view

    def _read_view(self) -> View:
        version = self._state.data_version()
        return View.read(self._state, self._shelves.snapshot(), version)

    @contextlib.contextmanager
    def _damage_noted(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            with contextlib.suppress(OSError):
                (self._folder / _DAMAGED).touch()
            raise _damaged(error) from error
        except BaseException as error:
            if not _is_panic(error):
                raise
            with contextlib.suppress(OSError):
                (self._folder / _DAMAGED).touch()
            raise _damaged(error) from error

    # Writing -------------------------------------------------------------------------------------

    def put(self, source: Source) -> None:
        """Write a source, replacing what was there under its key; found after `commit`."""
        self._batch[source.key] = source

    def delete(self, keys: Iterable[ItemKey]) -> None:
        """Remove sources; gone after `commit`. Keys that are not there are passed over."""
        for key in keys:
            self._batch[key] = None

    def commit(self) -> None:
        """Make everything since the last commit searchable, durably. All of it or, on an error, none.

        Raises:
            IndexBusy: another process is writing the index. The batch is kept for the next commit.
            IndexNotWritten: no room on the disk, or another failure to write. The batch is kept.
        """
        if not self._batch:
            return
        try:
            self._become_writer()
            changes = self._changes()
            self._state.mark(changes)
            self._carry_out(changes)
        except (apsw.Error, ValueError, OSError) as error:
            self._shelves.drop_writers()
            self._is_writer = False
            if isinstance(error, apsw.CorruptError | apsw.NotADBError):
                with contextlib.suppress(OSError):
                    (self._folder / _DAMAGED).touch()
                raise _damaged(error) from error
            raise _not_written(error) from error
        self._batch.clear()
        self._view = self._view.after(
            changes, self._state, self._shelves.snapshot(), self._state.data_version()
        )

    def tidy(self) -> bool:
        """Give a slice of what is no longer used back to the disk; whether there is more. For the one who writes."""
        with self._refreshing:
            return self._state.tidy()

    def close(self) -> None:
        """Free the files. What was not committed is forgotten."""
        for part in ("_shelves", "_state"):
            if hasattr(self, part):
                getattr(self, part).close()

    def _become_writer(self) -> None:
        if self._shelves.writing:
            return
        self._lock_shelves()
        with self._refreshing:
            # What a failed commit, or another process while this one only read, left behind.
            self._redo(self._state.pending())
            self._view = self._read_view()
            self._is_writer = True

    def _lock_shelves(self) -> None:
        try:
            self._shelves.lock()
        except ValueError as error:
            if "lock" in str(error).lower():
                raise IndexBusy(
                    "Another window or program is writing this index. Close it, or wait until it has finished.",
                    str(error),
                ) from error
            raise

    def _changes(self) -> list[Change]:
        tops = {source.top for source in self._batch.values() if source is not None}
        self._state.number_tops(tops)
        top_numbers = self._state.numbers_of_tops(tops)
        last = self._state.last_number()
        changes = []
        for key, source in self._batch.items():
            number = self._state.number_of(key)
            old = self._view.roster.sources.get(number) if number is not None else None
            had = (old.passages, old.documents, old.items) if old is not None else (0, 0, 0)
            if source is None:
                if number is not None:
                    changes.append(Change(number, had=had))
                continue
            if number is None:
                last += 1
                number = last
            language, content = analyse(source)
            passages = len(content["passages"])
            row = Row(
                number,
                key,
                source.kind,
                top_numbers[source.top],
                source.stamp,
                language,
                passages,
                int(content["document"] is not None),
                int(content["item"] is not None),
            )
            changes.append(Change(number, row, content, had))
        return changes

    def _carry_out(self, changes: list[Change]) -> None:
        self._shelves.apply(changes)
        self._shelves.commit()
        self._state.settle(changes)

    def _redo(self, changes: list[Change]) -> None:
        if changes:
            self._carry_out(changes)

    def _recover(self) -> None:
        """Do again what a crash left pending, unless another process is at it."""
        if not self._state.pending():
            return
        try:
            self._lock_shelves()
        except IndexBusy:
            return
        try:
            self._redo(self._state.pending())
        except (apsw.FullError, apsw.IOError) as error:
            raise _not_written(error) from error
        finally:
            self._shelves.drop_writers()

    def _check_agreement(self) -> None:
        if self._state.counts() == self._view.snapshot.counts:
            return
        try:
            self._lock_shelves()
        except IndexBusy:
            return  # another process is between its two commits
        try:
            # Nobody writes now, so what is read belongs together.
            self._redo(self._state.pending())
            self._view = self._read_view()
            expected, found = self._state.counts(), self._view.snapshot.counts
        finally:
            self._shelves.drop_writers()
        if expected != found:
            raise IndexDamaged(
                "The word index does not agree with its own records.", f"{expected} expected, {found} found"
            )


def _opened(folder: Path, user_key: str) -> tuple[State, Shelves]:
    state = State(folder / _STATE)
    try:
        if not state.meta():
            state.create(user_key)
        return state, Shelves(folder)
    except BaseException:
        state.close()
        raise


def _belongs_elsewhere(folder: Path, user_key: str) -> bool:
    file = folder / _STATE
    if not file.exists():
        # Indexes without their truth are worth nothing.
        return any(folder.iterdir())
    state = State(file)
    try:
        meta = state.meta()
    finally:
        state.close()
    return meta.get("format") != str(FORMAT_VERSION) or meta.get("user_key") != user_key


def _check_files(folder: Path) -> None:
    """Raises IndexDamaged where a file does not hold what was written; apsw's errors where it cannot be read."""
    file = folder / _STATE
    if not file.exists():
        return
    state = State(file)
    try:
        wrong = state.check() if state.meta() else ""
    finally:
        state.close()
    if wrong := wrong or damage_in(folder):
        raise IndexDamaged("The word index is damaged.", wrong)


def _is_panic(error: BaseException) -> bool:
    """Whether tantivy stopped at what cannot be: its binding has such errors derive from BaseException."""
    return type(error).__name__ == "PanicException"


def _set_aside(folder: Path) -> str:
    aside = folder.with_name(folder.name + ".damaged")
    shutil.rmtree(aside, ignore_errors=True)
    folder.rename(aside)
    folder.mkdir()
    return f"The word index was damaged. It has been set aside as “{aside.name}” and is built anew."


def _damaged(error: BaseException) -> IndexDamaged:
    return IndexDamaged(
        "A file of the word index cannot be read. Start the program again: the index is then built anew.",
        f"{type(error).__name__}: {error}",
    )


# How a full disk says so, by SQLite, by Rust's standard library on each system.
_FULL = (
    "disk is full",
    "no space left",
    "os error 28",
    "not enough space",
    "os error 112",
    "file too large",
    "quota",
)


def _is_damage(error: Exception) -> bool:
    """Whether what was read cannot be right, rather than that it could not be read or written now."""
    if isinstance(error, apsw.Error):
        return isinstance(error, apsw.CorruptError | apsw.NotADBError | apsw.SQLError)
    return isinstance(error, IndexDamaged | ValueError) and not _is_full(error)


def _is_full(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, apsw.FullError) or any(sign in text for sign in _FULL)


def _not_written(error: Exception) -> IndexNotWritten:
    detail = f"{type(error).__name__}: {error}"
    if _is_full(error):
        message = "The disk that holds the search index is full. Free some space; indexing goes on where it stopped."
    else:
        message = "The search index could not be written. Nothing is lost; indexing goes on where it stopped."
    return IndexNotWritten(message, detail)
