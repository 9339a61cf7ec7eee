"""Copying a file that another program has open: cheaply where the file system can, gently everywhere."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from zbm_core.errors import CancelToken
from zbm_core.library.errors import LibraryError

_CHUNK = 4 << 20

# SQLite locks these bytes of a database and never stores anything in them. On Windows such a lock
# refuses reading too, so they are stepped over (https://www.sqlite.org/fileformat2.html, 1.5).
_LOCK_BYTES = (0x4000_0000, 0x4000_0200)

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def copy_file(
    source: Path,
    target: Path,
    *,
    cancel: CancelToken | None = None,
    on_bytes: Callable[[int], None] | None = None,
    lock_bytes: tuple[int, int] = _LOCK_BYTES,
) -> None:
    """Copy *source* to the new file *target*; the source is opened for reading, and only briefly.

    Args:
        on_bytes: told how many bytes were copied, a few megabytes at a time.

    Raises:
        OSError: the source cannot be read.
        LibraryError: the target's drive is full.
        Cancelled: by *cancel*.
    """
    with source.open("rb", buffering=0) as reader:
        try:
            if clone(reader.fileno(), source, target):
                return
            with target.open("wb", buffering=0) as writer:
                position = 0
                while True:
                    if cancel is not None:
                        cancel.check()
                    if lock_bytes[0] <= position < lock_bytes[1]:
                        position = lock_bytes[1]
                        reader.seek(position)
                        writer.seek(position)
                    length = _CHUNK if position >= lock_bytes[1] else min(_CHUNK, lock_bytes[0] - position)
                    chunk = reader.read(length)
                    if not chunk:
                        return
                    _write_all(writer.fileno(), chunk)
                    position += len(chunk)
                    if on_bytes is not None:
                        on_bytes(len(chunk))
        except OSError as error:
            if error.errno in _NO_SPACE:
                raise no_space(target.parent, os.fstat(reader.fileno()).st_size, error) from error
            raise


def no_space(folder: Path, size: int, error: Exception) -> LibraryError:
    return LibraryError(
        f"There is not enough free space for a private copy of Zotero's database "
        f"({size / 1e6:,.0f} MB) in {folder}. Free some space and try again.",
        repr(error),
    )


def clone(reader: int, source: Path, target: Path) -> bool:
    """Make *target* share the blocks of *source* (btrfs, XFS, APFS); False where that is not offered."""
    if sys.platform == "linux":
        import fcntl

        ficlone = 0x4004_9409  # linux/fs.h
        with target.open("wb", buffering=0) as writer:
            try:
                fcntl.ioctl(writer.fileno(), ficlone, reader)
            except OSError:
                return False
        return True
    if sys.platform == "darwin":
        import ctypes

        system = ctypes.CDLL(None, use_errno=True)
        return system.clonefile(os.fsencode(source), os.fsencode(target), 0) == 0
    return False


def _write_all(descriptor: int, chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        view = view[os.write(descriptor, view) :]
