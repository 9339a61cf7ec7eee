"""A process that holds a database as Zotero does while it runs.

    with running_zotero(folder, "wal") as zotero: ...

Modes:
- ``rollback``: exclusive lock, a rollback journal left with a zeroed header (Zotero 5 to 9)
- ``wal``: exclusive lock, write-ahead log, a collection "Only in the log" that is in the log alone (Zotero 10)
- ``hot``: a large transaction half written to the database when the process is killed
- ``busy``: transactions that rename collections "pair one" and "pair two" alike, in bursts
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[2]


@contextmanager
def running_zotero(folder: Path, mode: str) -> Iterator[subprocess.Popen[str]]:
    """The process, ready and holding its lock; killed at the end, as by a crash."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.zotero_process", str(folder), mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    )
    try:
        line = process.stdout.readline()
        assert line == "ready\n", line
        yield process
    finally:
        process.kill()
        process.communicate()


def _main(folder: str, mode: str) -> None:
    connection = sqlite3.connect(Path(folder) / "zotero.sqlite", isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    {"rollback": _rollback, "wal": _wal, "hot": _hot, "busy": _busy}[mode](connection)


def _rollback(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("UPDATE collections SET collectionName = collectionName || ' (renamed)'")
    _wait()


def _wal(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute(
        "INSERT INTO collections (collectionName, libraryID, key) VALUES ('Only in the log', 1, 'WALWALWA')"
    )
    _wait()


def _hot(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA cache_size = 5")  # so that changed pages reach the file before the commit
    connection.execute("BEGIN")
    connection.execute("UPDATE itemNotes SET note = 'half written ' || note")
    connection.execute("UPDATE collections SET collectionName = 'half written'")
    _wait()


def _busy(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA cache_size = 5")
    print("ready", flush=True)
    for count in range(1_000_000):
        connection.execute("BEGIN")
        for pair in ("one", "two"):
            connection.execute(
                "UPDATE itemNotes SET note = ? || substr(note, 9) WHERE title = ?",
                (f"{count:08}", f"pair {pair}"),
            )
        connection.execute("COMMIT")
        if count % 10 == 9:
            time.sleep(0.4)


def _wait() -> None:
    print("ready", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _main(*sys.argv[1:])
