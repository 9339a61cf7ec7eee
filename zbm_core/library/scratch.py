"""Folders for private copies that vanish with their process, however it ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PREFIX = "snapshot-"
_LOCK_SUFFIX = ".lock"


class ScratchFolder:
    """A new folder below *parent*, removed by `remove`, or by the next process to come here.

    Beside the folder lies a lock file that this process holds: a folder whose lock can be taken
    belonged to a process that died. Making one removes those.

    Raises:
        OSError: *parent* cannot be created or written to.
    """

    def __init__(self, parent: Path) -> None:
        parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(parent)
        while True:
            lock = parent / f"{_PREFIX}{secrets.token_hex(6)}{_LOCK_SUFFIX}"
            held = _hold(lock)
            if held is not None:
                break
        self._lock = lock
        self._held = held
        self.path = lock.with_suffix("")
        self.path.mkdir(mode=0o700)

    def remove(self) -> None:
        """Delete the folder and everything in it. Harmless when called again."""
        if self._held.closed:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        _release(self._lock, self._held)


def remove_leftovers(parent: Path) -> None:
    """Delete the scratch folders of processes that are no longer there."""
    for folder in parent.glob(f"{_PREFIX}*"):
        if folder.suffix == _LOCK_SUFFIX:
            lock, folder = folder, folder.with_suffix("")
        else:
            lock = folder.with_name(folder.name + _LOCK_SUFFIX)
        held = _hold(lock)
        if held is not None:
            shutil.rmtree(folder, ignore_errors=True)
            _release(lock, held)


def _hold(lock: Path) -> BinaryIO | None:
    """Open and lock a file; None if another process has it, or is just removing it."""
    try:
        file = lock.open("ab")
    except OSError:
        return None
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it may have deleted it between our open and our lock.
            if not os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                raise FileNotFoundError(lock)
    except OSError:
        file.close()
        return None
    return file


def _release(lock: Path, held: BinaryIO) -> None:
    # Windows does not delete an open file; elsewhere it must go while it is still locked.
    if sys.platform == "win32":
        held.close()
    with contextlib.suppress(OSError):
        lock.unlink()
    held.close()
