"""Whether Zotero's database changed, from the outside."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Stamp(NamedTuple):
    size: int  # bytes
    mtime_ns: int


class Freshness(NamedTuple):
    """Equal when nothing was written in between. The write-ahead log counts: the database
    itself may lag hours behind it."""

    database: Stamp | None  # None: no such file
    log: Stamp | None


def freshness_of(folder: Path) -> Freshness:
    """The state of a data directory's database now; never raises, costs two stats."""
    return Freshness(stamp_of(folder / "zotero.sqlite"), stamp_of(folder / "zotero.sqlite-wal"))


def stamp_of(path: Path) -> Stamp | None:
    """A file's stamp, None when it is not there or may not be looked at."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_size, status.st_mtime_ns)
