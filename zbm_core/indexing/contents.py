"""What the files of attachments held when they were read: a file replaced by one of the same size and time is told.

Size and time are looked at in every run, and cost nothing. A file whose size and time are the same and of which the
system says all the same that something was done to it (renamed, copied, given other rights, or written and its time set
back) is read once more for its hash, when there is nothing else to do.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from zbm_core.documents.structure import Outcome
from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey

if TYPE_CHECKING:
    from zbm_core.indexing.survey import Known

_FORMAT = 1
_BLOCK = 1 << 20
#: Bytes of a hash: by chance no two contents of a library share one.
_HASH_BYTES = 16


class Contents:
    """Kept in *file*, which may be lost at any time: then nothing is compared until the files were hashed again.

    Args:
        file: None: size and time tell all there is to know.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known = self._load()
        self._changed = False

    def _load(self) -> dict[str, tuple[str, str]]:
        """Sign and hash by key."""
        if self._file is None:
            return {}
        try:
            stored = json.loads(self._file.read_text("utf-8"))
            if stored["format"] != _FORMAT:
                return {}
            return {str(key): (str(sign), str(told)) for key, (sign, told) in stored["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    # --- comparing ------------------------------------------------------------------------------------

    def note(self, entry: Known, cancel: CancelToken) -> None:
        """The document of *entry* was just read: what its file holds. It is in the system's cache now."""
        if self._file is not None and _is_compared(entry):
            self._take(entry, cancel)

    def suspects(self, entries: Iterable[Known]) -> list[Known]:
        """Those of *entries* whose files something was done to since they were hashed, or that never were. A look at
        each file's record in its folder, not into it."""
        found = []
        for entry in entries if self._file is not None else ():
            if not _is_compared(entry) or entry.due:
                continue
            sign = _sign(entry.job.path)
            if sign and sign != self._known.get(_name(entry.job.key), ("", ""))[0]:
                found.append(entry)
        return found

    def is_other(self, entry: Known, cancel: CancelToken) -> bool:
        """Whether a suspect's file holds something else than what was read, its size and time being the same.

        Raises:
            Cancelled.
        """
        before = self._known.get(_name(entry.job.key))
        now = self._take(entry, cancel)
        if before is None or now is None:
            return False
        # Of another size or time it was read since, and that was not written down.
        return before[1] != now[1] and _size_and_time(before[0]) == _size_and_time(now[0])

    def _take(self, entry: Known, cancel: CancelToken) -> tuple[str, str] | None:
        try:
            sign, told = _sign(entry.job.path), _hash(entry.job.path, cancel)
        except OSError:
            return None  # gone, or in use: another run will see
        if not sign:
            return None
        self._changed = True
        self._known[_name(entry.job.key)] = sign, told
        return sign, told

    # --- keeping --------------------------------------------------------------------------------------

    def keep(self, keys: Iterable[ItemKey]) -> None:
        """Forget all others."""
        names = {_name(key) for key in keys}
        gone = [name for name in self._known if name not in names]
        for name in gone:
            del self._known[name]
        self._changed = self._changed or bool(gone)

    def save(self) -> None:
        if self._file is None or not self._changed:
            return
        text = json.dumps({"format": _FORMAT, "files": self._known}, separators=(",", ":"))
        draft = self._file.with_suffix(".new")
        with contextlib.suppress(OSError):  # a full disk; what is lost is hashed again
            draft.write_text(text, "utf-8")
            draft.replace(self._file)
            self._changed = False


def _is_compared(entry: Known) -> bool:
    read = entry.report is not None and entry.report.outcome is Outcome.INDEXED
    return read and entry.job.path is not None


def _name(key: ItemKey) -> str:
    return f"{key.library}/{key.key}"


def _sign(path: Path) -> str:
    """Size, time, and what changes with every write whatever becomes of the time: the time of the change of the file's
    own record, or (Windows, which has none) the record's number. "" where it cannot be told."""
    try:
        stat = path.stat()
    except OSError:
        return ""
    record = stat.st_ino if sys.platform == "win32" else stat.st_ctime_ns
    return f"{stat.st_size}|{stat.st_mtime_ns}|{record}"


def _size_and_time(sign: str) -> str:
    return sign.rpartition("|")[0]


def _hash(path: Path, cancel: CancelToken) -> str:
    state = hashlib.blake2b(digest_size=_HASH_BYTES)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            cancel.check()
            state.update(block)
    return state.hexdigest()
