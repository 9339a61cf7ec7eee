"""What a person does in Zotero, as a second connection that writes to the log and stays open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LATER = "2030-01-01 00:00:00"


class Zotero:
    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA wal_autocheckpoint = 0")  # what is written stays in the log

    def close(self) -> None:
        self._connection.close()

    def _one(self, query: str, *values: object) -> int:
        return self._connection.execute(query, values).fetchone()[0]

    def _item(self, key: str) -> int:
        return self._one("SELECT itemID FROM items WHERE key = ?", key)

    def add(self, key: str, title: str, kind: str = "book") -> None:
        """A new item."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        item = run(
            "INSERT INTO items (itemTypeID, libraryID, key, dateAdded, dateModified, clientDateModified) "
            "VALUES ((SELECT itemTypeID FROM itemTypes WHERE typeName = ?), 1, ?, ?, ?, ?)",
            (kind, key, LATER, LATER, LATER),
        ).lastrowid
        self._set(item, "title", title)
        run("COMMIT")

    def set_field(self, key: str, field: str, value: str) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        self._set(self._item(key), field, value)
        run("UPDATE items SET dateModified = ?, clientDateModified = ? WHERE key = ?", (LATER, LATER, key))
        run("COMMIT")

    def _set(self, item: int, field: str, value: str) -> None:
        number = self._one("SELECT fieldID FROM fields WHERE fieldName = ?", field)
        self._connection.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
        known = self._one("SELECT valueID FROM itemDataValues WHERE value = ?", value)
        self._connection.execute("INSERT OR REPLACE INTO itemData VALUES (?, ?, ?)", (item, number, known))

    def set_note(self, key: str, html: str) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        run("UPDATE itemNotes SET note = ? WHERE itemID = ?", (html, self._item(key)))
        run("UPDATE items SET dateModified = ?, clientDateModified = ? WHERE key = ?", (LATER, LATER, key))
        run("COMMIT")

    def trash(self, key: str) -> None:
        self._connection.execute("INSERT INTO deletedItems (itemID) VALUES (?)", (self._item(key),))

    def restore(self, key: str) -> None:
        self._connection.execute("DELETE FROM deletedItems WHERE itemID = ?", (self._item(key),))


@contextmanager
def zotero(folder: Path) -> Iterator[Zotero]:
    """Zotero, running over the data directory *folder*."""
    running = Zotero(folder)
    try:
        yield running
    finally:
        running.close()
