"""Moving the folder of the indexes to another disk or folder: copy, compare, switch, delete.

At every moment one folder is the index in use and whole. What a move that was cut off has left is named in
the settings before it is made, and deleted at the next start (`index_desk`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from zbm_core.durable import sync_folder
from zbm_core.errors import CancelToken, ZbmError

#: What the folder is called where the user has chosen the place.
FOLDER_NAME = "Zotero Best Match index"
#: A file that tells a folder of the program's own: nothing without it is ever deleted.
MARKER = "zotero-best-match-index.txt"
_MARKER_TEXT = "Made by Zotero Best Match. It can be built anew from the Zotero library.\n"
#: Bytes that must stay free on the new disk: an index that has no room to grow is no help.
RESERVE = 200_000_000
_BLOCK = 1 << 20

Progressed = Callable[[int, int], None]  # bytes copied, bytes in all


class MoveError(ZbmError):
    """The index was not moved; it is used where it was."""


def mark(folder: Path) -> None:
    """Make *folder* (if need be) and mark it as the program's own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(_MARKER_TEXT, "utf-8")


def is_marked(folder: Path) -> bool:
    return (folder / MARKER).is_file()


def size_of(folder: Path) -> int:
    """Bytes of every file under *folder*; 0 where it is absent. A file that vanishes meanwhile is passed over."""
    total = 0
    for _path, size in _files(folder):
        total += size
    return total


def check(target: Path, source: Path, size: int, forbidden: Iterable[Path]) -> None:
    """Whether *source* of *size* bytes can be moved to the folder *target*, which must not exist yet.

    Args:
        forbidden: data directories of Zotero.

    Raises:
        MoveError: it cannot; the sentence says why.
    """
    parent = target.parent
    if not parent.is_dir():
        raise MoveError("That folder does not exist. Choose another one.", str(parent))
    resolved, current = target.resolve(), source.resolve()
    if resolved == current:
        raise MoveError("The index is there already.", str(target))
    for folder in forbidden:
        if resolved.is_relative_to(folder.resolve()):
            raise MoveError(
                "That folder is inside a Zotero data directory, in which nothing of zbm may be kept. Choose "
                "another one.",
                str(target),
            )
    if resolved.is_relative_to(current):
        raise MoveError("That folder is inside the index itself. Choose another one.", str(target))
    if target.exists() and any(target.iterdir()):
        raise MoveError(
            f"There is a folder “{target.name}” with something in it already. Choose another place.",
            str(target),
        )
    try:
        free = shutil.disk_usage(parent).free
    except OSError as error:
        raise MoveError("That disk cannot be read. Choose another folder.", str(error)) from error
    if free < size + RESERVE:
        raise MoveError(
            f"There is not enough space: the index takes {_megabytes(size)} and {_megabytes(free)} are free "
            f"there, of which {_megabytes(RESERVE)} must stay free.",
            f"{free} bytes free",
        )


def copy_whole(
    source: Path, target: Path, cancel: CancelToken, on_progress: Progressed | None = None
) -> None:
    """Copy every file of *source* into *target*, onto the disk, and compare each with what was read.

    Raises:
        MoveError: a file cannot be read or written, or came out differently. Cancelled.
    """
    try:
        mark(target)
        total, done = size_of(source), 0
        if on_progress is not None:
            on_progress(0, total)
        for path, size in _files(source):
            cancel.check()
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if _copy(path, copy, cancel) != _hash(copy, cancel):
                raise MoveError(
                    "The copy of the index differs from the original: the disk may be faulty. The index is "
                    "used where it was.",
                    str(copy),
                )
            done += size
            if on_progress is not None:
                on_progress(done, total)
        for folder in (target.parent, target, *(path for path in target.rglob("*") if path.is_dir())):
            sync_folder(folder)
    except OSError as error:
        raise MoveError(
            "The index could not be copied: the disk may be full, or not writable. The index is used where it "
            "was.",
            str(error),
        ) from error


def delete(folder: Path) -> bool:
    """Delete a marked *folder*; False when some of it could not be. One without the mark is left alone."""
    if not is_marked(folder):
        return True
    try:
        # The mark goes last: a deletion cut short can be told from a folder of the user's.
        for entry in folder.iterdir():
            if entry.name == MARKER:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)
        if any(entry.name != MARKER for entry in folder.iterdir()):
            return False
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return False  # something of it is in use: it is tried again at the next start
    return not folder.exists()


def _files(folder: Path) -> Iterable[tuple[Path, int]]:
    """Every regular file under *folder* with its size; links are no part of an index and are not followed."""
    for parent, _folders, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            try:
                if not path.is_symlink():
                    yield path, path.stat().st_size
            except FileNotFoundError:
                continue


def _copy(source: Path, target: Path, cancel: CancelToken) -> bytes:
    """Copy one file onto the disk; the hash of what was read."""
    state = hashlib.blake2b()
    with source.open("rb") as reading, target.open("wb") as writing:
        while block := reading.read(_BLOCK):
            cancel.check()
            state.update(block)
            writing.write(block)
        writing.flush()
        os.fsync(writing.fileno())
    return state.digest()


def _hash(path: Path, cancel: CancelToken) -> bytes:
    state = hashlib.blake2b()
    with path.open("rb") as reading:
        while block := reading.read(_BLOCK):
            cancel.check()
            state.update(block)
    return state.digest()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
