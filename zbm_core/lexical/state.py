"""The truth beside the word index: which sources it holds, and what is being changed in it.

The three tantivy indexes and this database cannot be committed together. So a batch is first
written here as pending, then committed there, then entered here as done; whoever opens the
index after a crash does the pending batch again, which changes nothing where it had been done.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind

# Raised with every change to what is stored here or in tantivy: an index of another format is rebuilt.
FORMAT_VERSION = 1

# Bytes of freed pages that stay in the file for the next batch: what is pending comes and goes with each.
KEPT_FREE = 1_000_000
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
# Pages given back in one slice, a few ms of a lock.
_SLICE = 256

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- what tantivy knows the source by; never given twice
    library INTEGER NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    top INTEGER NOT NULL REFERENCES tops,
    stamp TEXT NOT NULL,
    language TEXT NOT NULL,
    passages INTEGER NOT NULL,   -- rows in the passage index
    documents INTEGER NOT NULL,  -- rows in the document index
    items INTEGER NOT NULL,      -- rows in the item index
    UNIQUE (library, key)
);
CREATE TABLE tops (
    top INTEGER PRIMARY KEY AUTOINCREMENT,  -- what tantivy knows a result item by
    library INTEGER NOT NULL,
    key TEXT NOT NULL,
    UNIQUE (library, key)
);
CREATE TABLE pending (
    number INTEGER PRIMARY KEY,
    content BLOB  -- the rows to write; NULL: only remove what is there
);
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One source as it stands in the index."""

    number: int
    key: ItemKey
    kind: Kind
    top: int
    stamp: str
    language: str
    passages: int
    documents: int
    items: int


@dataclass(frozen=True, slots=True)
class Change:
    """One source to write (row and content) or to remove (no row)."""

    number: int
    row: Row | None = None
    content: dict[str, Any] | None = None
    had: tuple[int, int, int] | None = None  # rows in each index until now; None: not known any more


class State:
    """The database. Raises apsw's errors; the index turns them into words."""

    def __init__(self, file: Path) -> None:
        self._connection = apsw.Connection(str(file))
        self._connection.set_busy_timeout(10_000)
        self._connection.pragma("auto_vacuum", "incremental")  # of a new file; others stay as they are
        self._connection.pragma("journal_mode", "wal")
        # The pending mark must be on the disk before tantivy changes anything.
        self._connection.pragma("synchronous", "FULL")

    def close(self) -> None:
        self._connection.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # A full disk has SQLite roll back by itself.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def create(self, user_key: str) -> None:
        with self._transaction():
            self._connection.execute(_SCHEMA)
            self._connection.executemany(
                "INSERT INTO meta VALUES (?, ?)",
                [("format", str(FORMAT_VERSION)), ("user_key", user_key)],
            )

    def tidy(self) -> bool:
        """Give a slice of the freed pages beyond `KEPT_FREE` back to the disk; whether there is more."""
        if self._connection.pragma("auto_vacuum") != 2:  # incremental
            return False
        free = self._connection.pragma("freelist_count")
        spare = free - KEPT_FREE // self._connection.pragma("page_size")
        if spare <= 0:
            return False
        self._connection.execute(f"PRAGMA incremental_vacuum({min(spare, _SLICE)})").fetchall()
        return spare > _SLICE

    def check(self) -> str:
        """What is wrong with the file, in technical words; "" when nothing is.

        Looks at the structure of every page, and at whether the rows are those that were written.
        """
        found = self._connection.pragma("quick_check", 1)
        if found != "ok":
            return str(found)
        told = self.meta().get("digest")
        counted = 0
        for row in self._connection.execute("SELECT * FROM sources"):
            counted ^= _row_digest(row)
        if told is not None and told != f"{counted:016x}":
            return "the rows are not those that were written"
        for (content,) in self._connection.execute("SELECT content FROM pending"):
            _unpacked(0, content)
        return ""

    def meta(self) -> dict[str, str]:
        """What the index was built for; empty for a database without tables."""
        if not self._connection.table_exists(None, "meta"):
            return {}
        return dict(self._connection.execute("SELECT key, value FROM meta"))

    def data_version(self) -> int:
        """Differs after another connection has committed."""
        return self._connection.pragma("data_version")

    def rows(self) -> Iterator[Row]:
        for number, library, key, kind, *rest in self._connection.execute("SELECT * FROM sources"):
            yield Row(number, ItemKey(library, key), Kind(kind), *rest)

    def tops(self) -> dict[int, ItemKey]:
        return {
            top: ItemKey(library, key)
            for top, library, key in self._connection.execute("SELECT top, library, key FROM tops")
        }

    def number_tops(self, keys: Iterable[ItemKey]) -> None:
        """Give each result item a number, where it has none."""
        with self._transaction():
            self._connection.executemany("INSERT OR IGNORE INTO tops (library, key) VALUES (?, ?)", keys)

    def stamps(self) -> dict[ItemKey, str]:
        return {
            ItemKey(library, key): stamp
            for library, key, stamp in self._connection.execute("SELECT library, key, stamp FROM sources")
        }

    def counts(self) -> tuple[int, int, int]:
        """Rows there should be in the passage, document and item index."""
        return next(
            self._connection.execute(
                "SELECT ifnull(sum(passages), 0), ifnull(sum(documents), 0), ifnull(sum(items), 0) FROM sources"
            )
        )

    def numbers_of_tops(self, keys: Iterable[ItemKey]) -> dict[ItemKey, int]:
        find = "SELECT top FROM tops WHERE library = ? AND key = ?"
        return {key: self._connection.execute(find, (key.library, key.key)).get for key in keys}

    def top(self, number: int) -> ItemKey:
        return ItemKey(
            *next(self._connection.execute("SELECT library, key FROM tops WHERE top = ?", (number,)))
        )

    def last_number(self) -> int:
        """The highest number ever given, pending ones included."""
        given = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'sources'").get
        waiting = self._connection.execute("SELECT max(number) FROM pending").get
        return max(given or 0, waiting or 0)

    def number_of(self, key: ItemKey) -> int | None:
        return self._connection.execute(
            "SELECT number FROM sources WHERE library = ? AND key = ?", (key.library, key.key)
        ).get

    def mark(self, changes: Sequence[Change]) -> None:
        """Write a batch down before it is done."""
        with self._transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO pending VALUES (?, ?)",
                [(change.number, _packed(change)) for change in changes],
            )

    def pending(self) -> list[Change]:
        found = self._connection.execute("SELECT number, content FROM pending ORDER BY number")
        return [_unpacked(number, content) for number, content in found]

    def settle(self, changes: Sequence[Change]) -> None:
        """Enter a batch that tantivy has committed."""
        added = [_values(change.row) for change in changes if change.row is not None]
        with self._transaction():
            digest = self._digest()
            for change in changes:
                old = self._connection.execute("SELECT * FROM sources WHERE number = ?", (change.number,))
                for row in old:
                    digest ^= _row_digest(row)
            self._connection.executemany(
                "DELETE FROM sources WHERE number = ?", [(change.number,) for change in changes]
            )
            self._connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", added)
            for row in added:
                digest ^= _row_digest(row)
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('digest', ?)", (f"{digest:016x}",))
            self._connection.execute("DELETE FROM pending")

    def _digest(self) -> int:
        told = self._connection.execute("SELECT value FROM meta WHERE key = 'digest'").get
        if told is not None:
            return int(told, 16)
        digest = 0
        for row in self._connection.execute("SELECT * FROM sources"):  # of an index that had none yet
            digest ^= _row_digest(row)
        return digest


def _row_digest(row: tuple[Any, ...]) -> int:
    """64 bits of one row. Those of all rows are combined by exclusive or, so that a change of a few rows costs a few."""
    text = repr(row).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _values(row: Row) -> tuple[Any, ...]:
    return (
        row.number, *row.key, row.kind.value, row.top, row.stamp, row.language, row.passages, row.documents, row.items
    )  # fmt: skip


def _packed(change: Change) -> bytes | None:
    if change.row is None:
        return None
    # A piece at a time: `dumps` makes all of a long book in one call, during which no other thread may run and so the
    # window stands still.
    text = "".join(_ENCODER.iterencode([_values(change.row), change.content]))
    # Read back only after a crash, so written as fast as can be.
    return zlib.compress(text.encode("utf-8", "replace"), 1)


def _unpacked(number: int, content: bytes | None) -> Change:
    if content is None:
        return Change(number)
    try:
        (_, library, key, kind, *rest), rows = json.loads(zlib.decompress(content))
        return Change(number, Row(number, ItemKey(library, key), Kind(kind), *rest), rows)
    except (zlib.error, TypeError) as error:
        raise ValueError(f"a pending change cannot be read: {error}") from error
