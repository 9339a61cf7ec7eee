"""Reading tables whose columns differ from version to version, and whose text may be broken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import apsw

# What a key looks like, in SQL. A row with any other is never read: keys become names of files.
KEY_GLOB = "[A-Z0-9]" * 8


class Tables:
    """The tables of one database, read by name.

    Never ``SELECT *``: Zotero adds, renames and drops columns, and gives other numbers to types and
    fields on every computer.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._columns: dict[str, frozenset[str]] = {}

    def has(self, table: str, *columns: str) -> bool:
        """Whether the table is there, with all of these columns."""
        known = self._columns.get(table)
        if known is None:
            # As bytes, because names may be broken like anything else.
            rows = self._connection.execute("SELECT CAST(name AS BLOB) FROM pragma_table_info(?)", (table,))
            known = self._columns[table] = frozenset(name.decode("utf-8", "replace") for (name,) in rows)
        return bool(known) and known.issuperset(columns)

    def rows(
        self,
        source: str,
        *,
        numbers: tuple[str, ...] = (),
        texts: tuple[str, ...] = (),
        tail: str = "",
        bindings: tuple[object, ...] = (),
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of *source*: first the *numbers* (int or None), then the *texts* (str, "" for NULL).

        Args:
            source: a table, or a join of tables.
            numbers, texts: columns as ``table.column``. One that this database lacks reads as NULL.
            tail: WHERE and ORDER BY.
        """
        parts = [self._expression(name, "CAST({} AS INTEGER)", "NULL") for name in numbers]
        plain = parts + [self._expression(name, "IFNULL(CAST({} AS TEXT), '')", "''") for name in texts]
        query = "SELECT {} FROM " + source + " " + tail
        done = 0
        try:
            for row in self._connection.execute(query.format(", ".join(plain)), bindings):
                yield row
                done += 1
        except UnicodeDecodeError:
            # Some text is not UTF-8. Start again with bytes, and go on after the last good row.
            as_bytes = parts + [
                self._expression(name, "CAST(IFNULL(CAST({} AS TEXT), '') AS BLOB)", "x''") for name in texts
            ]
            cursor = self._connection.execute(query.format(", ".join(as_bytes)), bindings)
            width = len(parts)
            for row in islice(cursor, done, None):
                yield (*row[:width], *(value.decode("utf-8", "replace") for value in row[width:]))

    def _expression(self, name: str, present: str, absent: str) -> str:
        table, _, column = name.partition(".")
        return present.format(f'{table}."{column}"') if self.has(table, column) else absent
