"""Edits as Zotero 10 makes them: through the write-ahead log, its lock held, a transaction for each."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from pathlib import Path


class ZoteroEdits:
    """A running Zotero's side of a data directory. Each method returns the moment (`time.time`) of its commit.

    Args:
        folder: holds `zotero.sqlite` in WAL mode and `storage/`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._database = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        self._database.close()

    def retitle(self, key: str, title: str) -> float:
        with _Transaction(self._database) as run:
            run("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (title,))
            run(
                "UPDATE itemData SET valueID = (SELECT valueID FROM itemDataValues WHERE value = ?) "
                "WHERE itemID = (SELECT itemID FROM items WHERE key = ?) "
                "AND fieldID = (SELECT fieldID FROM fields WHERE fieldName = 'title')",
                (title, key),
            )
            self._touch(run, key)
        return time.time()

    def rewrite_note(self, key: str, text: str) -> float:
        with _Transaction(self._database) as run:
            run(
                "UPDATE itemNotes SET note = ?, title = ? WHERE itemID = (SELECT itemID FROM items WHERE key = ?)",
                (f'<div data-schema-version="9"><p>{text}</p></div>', text[:80], key),
            )
            self._touch(run, key)
        return time.time()

    def attach_text(self, parent: str, key: str, content: bytes) -> float:
        """A plain text file under the item *parent*, as new attachment *key*."""
        file = self._folder / "storage" / key / "added.txt"
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        now = _now()
        with _Transaction(self._database) as run:
            run(
                "INSERT INTO items (itemTypeID, dateAdded, dateModified, clientDateModified, libraryID, key) "
                "SELECT itemTypeID, ?, ?, ?, 1, ? FROM itemTypes WHERE typeName = 'attachment'",
                (now, now, now, key),
            )
            run(
                "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path, syncState, "
                "storageModTime, storageHash) SELECT a.itemID, p.itemID, 0, 'text/plain', 'storage:added.txt', "
                "0, ?, ? FROM items a, items p WHERE a.key = ? AND p.key = ?",
                (int(file.stat().st_mtime * 1000), hashlib.md5(content).hexdigest(), key, parent),
            )
        return time.time()

    @staticmethod
    def _touch(run, key: str) -> None:
        now = _now()
        run("UPDATE items SET dateModified = ?, clientDateModified = ? WHERE key = ?", (now, now, key))


class _Transaction:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self):
        self._database.execute("BEGIN IMMEDIATE")
        return self._database.execute

    def __exit__(self, kind, _error, _trace) -> None:
        self._database.execute("COMMIT" if kind is None else "ROLLBACK")


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
