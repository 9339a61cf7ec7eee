"""Copying a file that another program has open: cheaply where the file system can, gently everywhere."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from io import FileIO
from pathlib import Path

from zbm_core.errors import CancelToken
from zbm_core.library.errors import LibraryError

if sys.platform == "linux":
    import fcntl
elif sys.platform == "darwin":
    import ctypes

# A buffer that stays in the processor's cache: a third of the time that megabytes at once take.
_CHUNK = 256 << 10

# How often the caller hears of progress.
_REPORT = 1 << 20

# SQLite locks these bytes of a database and never stores anything in them. On Windows such a lock
# refuses reading too, so they are stepped over (https://www.sqlite.org/fileformat2.html, 1.5).
_LOCK_BYTES = (0x4000_0000, 0x4000_0200)

_FICLONE = 0x4004_9409  # linux/fs.h

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
        on_bytes: told how many bytes were copied so far, every megabyte and at the end; never
            when the file system clones.

    Raises:
        OSError: the source cannot be read.
        LibraryError: the target's drive is full.
        Cancelled: by *cancel*.
    """
    with source.open("rb", buffering=0) as reader:
        try:
            if not clone(reader.fileno(), source, target):
                with target.open("wb", buffering=0) as writer:
                    _copy(reader, writer, cancel or CancelToken(), on_bytes, lock_bytes)
        except OSError as error:
            if error.errno in _NO_SPACE:
                raise no_space(target.parent, os.fstat(reader.fileno()).st_size, error) from error
            raise


def _copy(
    reader: FileIO,
    writer: FileIO,
    cancel: CancelToken,
    on_bytes: Callable[[int], None] | None,
    lock_bytes: tuple[int, int],
) -> None:
    buffer = memoryview(bytearray(_CHUNK))
    position = reported = 0
    while True:
        cancel.check()
        length = _CHUNK
        if position < lock_bytes[0]:
            length = min(length, lock_bytes[0] - position)
        elif position < lock_bytes[1]:
            position = reader.seek(lock_bytes[1])
            writer.seek(position)
        count = reader.readinto(buffer[:length])
        rest = buffer[:count]
        while rest:
            rest = rest[writer.write(rest) :]
        position += count
        if on_bytes is not None and (position - reported >= _REPORT or not count) and position > reported:
            on_bytes(position)
            reported = position
        if not count:
            return


def differs(source: Path, copy: Path, *, lock_bytes: tuple[int, int] = _LOCK_BYTES) -> bool:
    """Whether *source* no longer holds what was copied from it.

    Where they agree, the copy is the source as it was at the moment between copying and this call.

    Raises:
        OSError: one of them cannot be read.
    """
    one, other = bytearray(_CHUNK), bytearray(_CHUNK)
    with source.open("rb", buffering=0) as reader, copy.open("rb", buffering=0) as copied:
        position = 0
        while True:
            length = _CHUNK
            if position < lock_bytes[0]:
                length = min(length, lock_bytes[0] - position)
            elif position < lock_bytes[1]:
                position = reader.seek(lock_bytes[1])
                copied.seek(position)
            count = reader.readinto(memoryview(one)[:length])
            if copied.readinto(memoryview(other)[:length]) != count:
                return True
            if not count:
                return False
            if memoryview(one)[:count] != memoryview(other)[:count]:
                return True
            position += count


def no_space(folder: Path, size: int, error: Exception) -> LibraryError:
    return LibraryError(
        f"There is not enough free space for a private copy of Zotero's database "
        f"({size / 1e6:,.0f} MB) in {folder}. Free some space and try again.",
        repr(error),
    )


def clone(reader: int, source: Path, target: Path) -> bool:
    """Make *target* share the blocks of *source* (btrfs, XFS, APFS); False where that is not offered."""
    if sys.platform == "linux":
        with target.open("wb", buffering=0) as writer:
            try:
                fcntl.ioctl(writer.fileno(), _FICLONE, reader)
            except OSError:
                return False
        return True
    if sys.platform == "darwin":
        system = ctypes.CDLL(None, use_errno=True)
        return system.clonefile(os.fsencode(source), os.fsencode(target), 0) == 0
    return False
