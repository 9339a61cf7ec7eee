"""Whether Zotero's database changed, from the outside."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import NamedTuple

# Windows promises a file's times only once whoever writes to it has closed it
# (learn.microsoft.com/windows/win32/sysinfo/file-times), and Zotero keeps its files open.
TIMES_LAG = sys.platform == "win32"

# SQLite starts the log over at about 4 MB. Of a larger one the size tells enough.
_MAX_LOG = 32_000_000


class Stamp(NamedTuple):
    size: int  # bytes
    mtime_ns: int


class Freshness(NamedTuple):
    """Equal when nothing was written in between. The write-ahead log counts: the database
    itself may lag hours behind it."""

    database: Stamp | None  # None: no such file
    log: Stamp | None
    log_checksum: int  # 0 where the log's time can be trusted


def freshness_of(folder: Path) -> Freshness:
    """The state of a data directory's database now. Never raises; costs two stats, on Windows also
    reading the log."""
    log = folder / "zotero.sqlite-wal"
    return Freshness(stamp_of(folder / "zotero.sqlite"), stamp_of(log), _checksum(log) if TIMES_LAG else 0)


def last_write(folder: Path) -> float:
    """When Zotero last wrote to a data directory's database, in seconds since the epoch; 0.0 when not known."""
    stamps = freshness_of(folder)[:2]
    return max((stamp.mtime_ns for stamp in stamps if stamp is not None), default=0) / 1e9


def stamp_of(path: Path) -> Stamp | None:
    """A file's stamp, None when it is not there or may not be looked at."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_size, status.st_mtime_ns)


def _checksum(log: Path) -> int:
    try:
        with log.open("rb") as file:
            return zlib.crc32(file.read(_MAX_LOG))
    except OSError:
        return 0
