"""semantic.sqlite: the vectors of record, one row a chunk, and each source's state.

The only code that touches the tables. One connection writes; opening reads everything once.
"""

from __future__ import annotations

import contextlib
import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import apsw
import numpy as np

from zbm_core.errors import ZbmError
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_core.semantic.records import EmbeddingSource

#: Version of the tables below. A file of another version is rebuilt: vectors can be computed again.
SCHEMA_VERSION = 2

#: Bytes of freed pages that stay in the file for what comes next.
KEPT_FREE = 1_000_000
#: Pages given back in one slice, a few ms of a lock.
_SLICE = 256
#: Bytes of a text's hash; a vector's CRC-32 stands behind it, so that a vector that changed on the disk is told.
HASH_BYTES = 12
_CHECK = struct.Struct("<I")
_CHECKED = (_CHECK.size, HASH_BYTES + _CHECK.size)
#: Kept in `meta`, and no part of the identity: exclusive or of what `_source_digest` says of each source.
_DIGEST = "digest"

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, library INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,
    top_library INTEGER NOT NULL, top_key TEXT NOT NULL, stamp TEXT NOT NULL,
    UNIQUE (library, key)
);
CREATE TABLE rows (
    source INTEGER NOT NULL REFERENCES sources (id), chunk INTEGER NOT NULL,
    embedding BLOB, hash BLOB,
    PRIMARY KEY (source, chunk)
) WITHOUT ROWID;
CREATE INDEX rows_pending ON rows (source) WHERE embedding IS NULL;
"""


class SemanticStoreError(ZbmError):
    """The semantic index cannot be written."""


class SemanticStore:
    """The database file *path*, valid for exactly one library and one model.

    Args:
        identity: what the vectors depend on (user key, model revision, width): stored beside them; a
            file with another identity is emptied.
        check: look whether every row is what was written (about a second for a million).

    Attributes:
        notice: what opening had to do, in words; "" when nothing.
    """

    def __init__(self, path: Path, identity: Mapping[str, str], check: bool = False) -> None:
        self._path = Path(path)
        self._identity = {"schema": str(SCHEMA_VERSION), **identity}
        self.notice = ""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = self._open(check)
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, UnicodeDecodeError) as error:
            self._set_aside(error)
            self._db = self._open(False)

    def _open(self, check: bool) -> apsw.Connection:
        db = apsw.Connection(str(self._path))
        try:
            db.set_busy_timeout(5000)
            db.pragma("auto_vacuum", "incremental")  # of a new file; others stay as they are
            db.pragma("journal_mode", "wal")
            db.pragma("synchronous", "normal")
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if tables:
                if db.pragma("quick_check", 1) != "ok":
                    raise apsw.CorruptError("quick_check failed")
                stored = dict(db.execute("SELECT key, value FROM meta")) if "meta" in tables else {}
                stored.pop(_DIGEST, None)
                if stored == self._identity and {"sources", "rows"} <= tables:
                    if check and (wrong := _wrong_in(db, int(self._identity.get("width", 0)))):
                        raise apsw.CorruptError(wrong)
                    return db
                if stored:
                    self.notice = self._why_rebuilt(stored)
                with db:
                    for name in tables:
                        if not name.startswith("sqlite_"):
                            db.execute(f'DROP TABLE "{name}"')
            with db:
                db.execute(_TABLES)
                db.executemany("INSERT INTO meta VALUES (?, ?)", [*self._identity.items(), (_DIGEST, "0")])
        except BaseException:
            db.close()
            raise
        return db

    def _why_rebuilt(self, stored: Mapping[str, str]) -> str:
        if stored.get("model") != self._identity.get("model"):
            return "The embedding model has changed, so what the library means is indexed again."
        if stored.get("user") != self._identity.get("user"):
            return "This is another Zotero library than before, so its meaning is indexed again."
        return "The index of meanings has a new form and is built again."

    def begin_anew(self, error: Exception) -> None:
        """What was read makes no sense: set the file aside and go on with an empty one."""
        self._db.close()
        self._set_aside(error)
        self._db = self._open(False)

    def _set_aside(self, error: Exception) -> None:
        aside = self._path.with_suffix(".damaged")
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._path.replace(aside)
        self.notice = (
            f"The index of meanings was damaged; it was set aside as {aside.name} and is built again."
        )
        self.detail = str(error)

    # --- reading ----------------------------------------------------------------------------------

    def sources(self) -> Iterator[tuple[int, ItemKey, Kind, ItemKey, str]]:
        """``(handle, key, kind, top, stamp)`` of every source."""
        query = "SELECT id, library, key, kind, top_library, top_key, stamp FROM sources"
        for handle, library, key, kind, top_library, top_key, stamp in self._db.execute(query):
            yield handle, ItemKey(library, key), Kind(kind), ItemKey(top_library, top_key), stamp

    def vectors(self, width: int, batch: int = 20_000) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Every embedded row in batches: handles ``(n,)``, chunks ``(n,)``, rows ``(n, width) int8``."""
        cursor = self._db.execute(
            "SELECT source, chunk, embedding FROM rows WHERE length(embedding) = ?", (width,)
        )
        while part := list(_take(cursor, batch)):
            handles, chunks, blobs = zip(*part, strict=True)
            rows = np.frombuffer(b"".join(blobs), np.int8).reshape(len(part), width)
            yield np.array(handles, np.int32), np.array(chunks, np.int32), rows

    def pending(self, limit: int) -> list[tuple[ItemKey, Kind, list[int]]]:
        """Sources with rows that wait for a vector, and those rows' chunks: *limit* rows at most."""
        found: dict[int, tuple[ItemKey, Kind, list[int]]] = {}
        query = (
            "SELECT s.id, s.library, s.key, s.kind, r.chunk FROM rows r JOIN sources s ON s.id = r.source "
            "WHERE r.embedding IS NULL ORDER BY r.source, r.chunk LIMIT ?"
        )
        for handle, library, key, kind, chunk in self._db.execute(query, (limit,)):
            found.setdefault(handle, (ItemKey(library, key), Kind(kind), []))[2].append(chunk)
        return list(found.values())

    def waiting(self) -> dict[ItemKey, int]:
        """Sources with rows that wait for a vector, and how many."""
        query = (
            "SELECT s.library, s.key, w.rows FROM (SELECT source, count(*) AS rows FROM rows "
            "WHERE embedding IS NULL GROUP BY source) w JOIN sources s ON s.id = w.source"
        )
        return {ItemKey(library, key): rows for library, key, rows in self._db.execute(query)}

    def waiting_chunks(self, handle: int, limit: int) -> list[int]:
        """Chunks of one source that wait for a vector, the first *limit* of them."""
        query = "SELECT chunk FROM rows WHERE source = ? AND embedding IS NULL ORDER BY chunk LIMIT ?"
        return [chunk for (chunk,) in self._db.execute(query, (handle, limit))]

    def counts(self) -> tuple[int, int]:
        """``(embedded, pending)`` rows."""
        return next(
            self._db.execute(
                "SELECT count(embedding), count(*) - count(embedding) FROM rows"
            )
        )  # fmt: skip

    # --- writing ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it is stored, or none."""
        try:
            with self._db:
                yield
        except (apsw.FullError, apsw.IOError) as error:
            raise SemanticStoreError(
                "The index of meanings could not be written: the disk may be full. Free some space and "
                "resume; what is stored is kept.",
                str(error),
            ) from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            # The next opening finds it too, sets the file aside and begins anew.
            raise SemanticStoreError(
                "The index of meanings is damaged. Start the program again: it is then built anew.",
                str(error),
            ) from error

    def put(self, source: EmbeddingSource) -> tuple[int, list[int], list[bytes]]:
        """Replace what *source* had: its handle, and the chunks that keep a vector, with those vectors.

        The other rows wait for theirs.
        """
        known: dict[bytes, bytes] = {}
        if source.hashes:
            query = (
                "SELECT r.hash, r.embedding FROM rows r JOIN sources s ON s.id = r.source WHERE s.library = ? "
                "AND s.key = ? AND r.embedding IS NOT NULL AND r.hash IS NOT NULL"
            )
            for told, vector in self._db.execute(query, source.key):
                known[told[:HASH_BYTES]] = vector
        self.delete([source.key])
        self._db.execute(
            "INSERT INTO sources (library, key, kind, top_library, top_key, stamp) VALUES (?, ?, ?, ?, ?, ?)",
            (*source.key, source.kind.value, *source.top, source.stamp),
        )
        handle = self._db.last_insert_rowid()
        self._add_to_digest((handle, *source.key, source.kind.value, *source.top, source.stamp))
        rows = []
        for chunk, hash_ in zip(source.chunks, source.hashes or [b""] * len(source.chunks), strict=True):
            vector = known.get(hash_)
            rows.append(
                (handle, chunk, vector, hash_ if vector is None else hash_ + _crc(handle, chunk, vector))
            )
        self._db.executemany("INSERT INTO rows (source, chunk, embedding, hash) VALUES (?, ?, ?, ?)", rows)
        kept = [(chunk, vector) for _, chunk, vector, _ in rows if vector is not None]
        return handle, [chunk for chunk, _ in kept], [vector for _, vector in kept]

    def store(self, handle: int, chunks: Sequence[int], rows: np.ndarray) -> None:
        """Give pending rows their vectors: *rows* ``(n, width) int8``."""
        self._db.executemany(
            # A hash is a text to SQLite's operators; the bytes of both are put together as they are.
            f"UPDATE rows SET embedding = ?1, hash = CAST(substr(ifnull(hash, x''), 1, {HASH_BYTES}) || ?2 AS BLOB) "
            "WHERE source = ?3 AND chunk = ?4",
            (
                (vector, _crc(handle, chunk, vector), handle, chunk)
                for chunk, vector in zip(chunks, map(np.ndarray.tobytes, rows), strict=True)
            ),
        )

    def drop_rows(self, handle: int, chunks: Sequence[int]) -> None:
        """Forget pending rows whose text no longer exists or says nothing to the model."""
        self._db.executemany(
            "DELETE FROM rows WHERE source = ? AND chunk = ?", ((handle, chunk) for chunk in chunks)
        )

    def delete(self, keys: Iterable[ItemKey]) -> None:
        for key in keys:
            row = self._db.execute("SELECT * FROM sources WHERE library = ? AND key = ?", key).fetchone()
            if row is not None:
                self._add_to_digest(row)
                self._db.execute("DELETE FROM rows WHERE source = ?", row[:1])
                self._db.execute("DELETE FROM sources WHERE id = ?", row[:1])

    def _add_to_digest(self, row: tuple) -> None:
        """A source came or is about to go: either turns the same bits."""
        told = self._db.execute(f"SELECT value FROM meta WHERE key = '{_DIGEST}'").get
        if told is not None:
            digest = int(told, 16) ^ _source_digest(row)
            self._db.execute("UPDATE meta SET value = ? WHERE key = ?", (f"{digest:016x}", _DIGEST))

    def tidy(self) -> bool:
        """Give a slice of the freed pages beyond `KEPT_FREE` back to the disk; whether there is more."""
        if self._db.pragma("auto_vacuum") != 2:  # incremental
            return False
        spare = self._db.pragma("freelist_count") - KEPT_FREE // self._db.pragma("page_size")
        if spare <= 0:
            return False
        self._db.execute(f"PRAGMA incremental_vacuum({min(spare, _SLICE)})").fetchall()
        return spare > _SLICE

    def close(self) -> None:
        self._db.close()


def _crc(handle: int, chunk: int, vector: bytes) -> bytes:
    return _CHECK.pack(zlib.crc32(vector, zlib.crc32(f"{handle}/{chunk}".encode())))


def _source_digest(row: tuple) -> int:
    text = repr(row).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _wrong_in(db: apsw.Connection, width: int) -> str:
    """What is not as it was written, in technical words; "" where everything is. Rows of before there were checks
    are taken as they are."""
    told = db.execute("SELECT value FROM meta WHERE key = ?", (_DIGEST,)).get
    handles, counted = set(), 0
    for row in db.execute("SELECT * FROM sources"):
        handles.add(row[0])
        counted ^= _source_digest(row)
    if told is not None and int(told, 16) != counted:
        return "the sources are not those that were written"
    for handle, chunk, vector, hash_ in db.execute("SELECT source, chunk, embedding, hash FROM rows"):
        if handle not in handles:
            return "a row belongs to no source"
        if vector is None:
            continue
        if len(vector) != width:
            return f"a vector of {len(vector)} components"
        length = len(hash_ or b"")
        if length not in (0, HASH_BYTES, *_CHECKED):
            return f"a hash of {length} bytes"
        if length in _CHECKED and hash_[-_CHECK.size :] != _crc(handle, chunk, vector):
            return "a vector is not the one that was written"
    return ""


def _take(cursor: Iterator, count: int) -> Iterator:
    for _, row in zip(range(count), cursor, strict=False):
        yield row
