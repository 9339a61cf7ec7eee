"""The model of the tree: a flat list of the rows to be seen, which holds ids only.

A table view asks nothing of rows that are not on the screen, so 50,000 rows cost a list. Opening a
row inserts its children into the list. Top-level rows are numbers: positions in `top`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from zbm_core.library.records import ItemKey, Record
from zbm_core.search.records import Match, Passage
from zbm_gui.item_tree.columns import COLUMNS, CREATOR, RELEVANCE, TITLE, YEAR, sort_text
from zbm_gui.item_tree.ordering import NEW, Ordering
from zbm_gui.item_tree.rows import Identity, Row, RowKind
from zbm_gui.item_tree.wording import (
    child_sentence,
    item_sentence,
    passage_sentence,
    quote_of,
    record_title,
    relevance_words,
)

if TYPE_CHECKING:
    from zbm_core.library import Library

_log = logging.getLogger(__name__)

Sorting = tuple[int, bool]  # column, and whether the largest comes first

_Index = QModelIndex


class ItemTreeModel(QAbstractTableModel):
    """Rows, their order and what is opened.

    Signals:
        rows_refilled(first, count): these rows are new where the list was not reset; the view
            gives them their heights.
    """

    rows_refilled = Signal(int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library: Library | None = None
        self._ordering = Ordering([])
        self._number: dict[ItemKey, int] = {}
        self._order: list[int] = []
        self._rows: list[int | Row] = []
        self._matches: dict[int, Match] | None = None
        self._passages: dict[ItemKey, tuple[Passage, ...]] = {}
        self._opened: set[ItemKey] = set()

    # What is shown

    def set_library(self, library: Library) -> None:
        """Take another state of the library; the caller shows a selection of it afterwards."""
        self.beginResetModel()
        before = self.library.top_level if self.library is not None else ()
        self.library = library
        self._order, self._rows = [], []
        top = library.top_level
        had: Sequence[int] = range(len(top))  # which number each had before
        if top != before:
            known = self._number
            had = [known.get(key, NEW) for key in top] if known else ()
            self._number = dict(zip(top, range(len(top)), strict=True))
        records = _records(library)
        self._ordering = Ordering(records, self._ordering if before else None, had)
        self.endResetModel()

    def prepare(self) -> Iterator[None]:
        """Do ahead, a slice at a time, what the first sorting by the columns mostly used will need."""
        for column in (TITLE, CREATOR, YEAR):
            yield from self._ordering.prepare(column)
        self._ordering.forget_before()

    def show(self, keys: Iterable[ItemKey] | None, sorting: Sorting | None) -> None:
        """Show the top-level rows *keys* (None: all), sorted; those not in the library are left out.

        Without a sorting they stand as given.
        """
        top = self.library.top_level if self.library is not None else ()
        # Told by the same objects in the same order, which costs nothing beside looking each of them up.
        if keys is None or (keys := tuple(keys)) == top:
            numbers: Sequence[int] = range(len(top))
        else:
            numbers = [self._number[key] for key in keys if key in self._number]
        self._fill(self._sorted(numbers, sorting))

    def show_matches(self, matches: Sequence[Match], sorting: Sorting | None) -> None:
        """Show search results: by rank, without a sorting."""
        known = self._number
        self._matches = {known[m.item]: m for m in matches if m.item in known}
        self._fill(self._sorted(list(self._matches), sorting))

    def _sorted(self, numbers: Sequence[int], sorting: Sorting | None) -> list[int]:
        if sorting is None:
            return list(dict.fromkeys(numbers))
        column, descending = sorting
        wanted = numbers if type(numbers) is range else set(numbers)
        everything = len(wanted) == len(self._number)
        return self._ordering.sorted(column, descending, None if everything else wanted)

    def forget_matches(self) -> None:
        self._matches = None
        self._passages = {}

    def forget_passages(self) -> None:
        self._passages = {}

    @property
    def count(self) -> int:
        """Top-level rows shown."""
        return len(self._order)

    def _fill(self, order: list[int]) -> None:
        self.beginResetModel()
        self._order = order
        opened = {self._number[key] for key in self._opened if key in self._number}
        if opened:
            rows: list[int | Row] = []
            for number in order:
                rows.append(number)
                if number in opened:
                    rows.extend(self._children(self.library.top_level[number]))
            self._rows = rows
        else:
            self._rows = list(order)
        self.endResetModel()

    def _children(self, top: ItemKey) -> list[Row]:
        """The rows under an opened top-level row: matches, attachments, notes; annotations below."""
        library = self.library
        rows = [
            Row(RowKind.MATCH, passage.source, top, 1, passage)
            for passage in self._passages.get(top, ())
            if passage.quoted
        ]
        if top in library.attachments:
            rows += self._annotations(top, top, 1)
            return rows
        notes = []
        for child in library.children(top):
            if child in library.attachments:
                rows.append(Row(RowKind.ATTACHMENT, child, top, 1))
                if child in self._opened:
                    rows += self._annotations(child, top, 2)
            elif child in library.notes:
                notes.append(Row(RowKind.NOTE, child, top, 1))
        return rows + notes

    def _annotations(self, attachment: ItemKey, top: ItemKey, level: int) -> list[Row]:
        return [
            Row(RowKind.ANNOTATION, child, top, level)
            for child in self.library.children(attachment)
            if child in self.library.annotations
        ]

    # Rows

    def row(self, position: int) -> Row:
        """Raises IndexError for a position that is not in the list."""
        row = self._rows[position]
        if type(row) is int:
            key = self.library.top_level[row]
            return Row(RowKind.ITEM, key, key)
        return row

    def record(self, row: Row) -> Record | None:
        return self.library.record(row.key) if self.library is not None else None

    def match(self, row: Row) -> Match | None:
        if self._matches is None or row.kind is not RowKind.ITEM:
            return None
        return self._matches.get(self._number[row.key])

    def passages(self, item: ItemKey) -> tuple[Passage, ...] | None:
        """None: not known (yet)."""
        return self._passages.get(item)

    def position(self, identity: Identity) -> int | None:
        """Where the row of this identity stands, None if it is not in the list."""
        kind, key = identity[0], identity[1]
        if kind is RowKind.ITEM:
            number = self._number.get(key)
            try:
                return self._rows.index(number) if number is not None else None
            except ValueError:
                return None
        for position, row in enumerate(self._rows):
            if type(row) is not int and row.identity == identity:
                return position
        return None

    def find_title(self, prefix: str, start: int) -> int | None:
        """The first row from *start* on, round the end, whose title begins so (as `sort_text` makes it)."""
        titles, count = self._ordering.keys(TITLE), len(self._rows)
        for step in range(count):
            position = (start + step) % count
            row = self._rows[position]
            title = titles[row] if type(row) is int else sort_text(self.text(row, TITLE))
            if title.startswith(prefix):
                return position
        return None

    def positions(self, identities: set[Identity]) -> list[int]:
        """Where the rows of *identities* stand, ascending: one pass, for many of them."""
        numbers = {self._number.get(i[1]) for i in identities if i[0] is RowKind.ITEM}
        return [
            position
            for position, row in enumerate(self._rows)
            if (row in numbers if type(row) is int else row.identity in identities)
        ]

    def parent_position(self, position: int) -> int | None:
        """Where the row stands under which this one does."""
        level = self.row(position).level
        while level and position > 0:
            position -= 1
            if self.row(position).level < level:
                return position
        return None

    def match_positions(self) -> list[int]:
        """Where match rows stand: they are higher than the others."""
        if len(self._rows) == len(self._order):
            return []  # nothing stands open
        return [
            position
            for position, row in enumerate(self._rows)
            if type(row) is not int and row.kind is RowKind.MATCH
        ]

    def is_match(self, position: int) -> bool:
        row = self._rows[position]
        return type(row) is not int and row.kind is RowKind.MATCH

    # Opening

    def openable(self, row: Row) -> bool:
        if row.kind is RowKind.ITEM:
            return any(p.quoted for p in self._passages.get(row.key, ())) or bool(
                self.library.children(row.key)
            )
        return row.kind is RowKind.ATTACHMENT and bool(self.library.children(row.key))

    def is_open(self, row: Row) -> bool:
        return row.key in self._opened and row.kind in (RowKind.ITEM, RowKind.ATTACHMENT)

    def set_open(self, position: int, opened: bool) -> bool:
        """Open or close the row there; False if that changes nothing."""
        row = self.row(position)
        if self.is_open(row) == opened or (opened and not self.openable(row)):
            return False
        if opened:
            self._opened.add(row.key)
            self._insert(position + 1, self._below(row))
        else:
            self._opened.discard(row.key)
            self._remove(position + 1, self._span(position))
        self.row_changed(position)
        return True

    def open_quietly(self, keys: Iterable[ItemKey]) -> None:
        """Mark rows as opened before they are shown."""
        self._opened.update(keys)

    def close_all(self) -> None:
        self._opened.clear()

    @property
    def opened(self) -> frozenset[ItemKey]:
        return frozenset(self._opened)

    def _below(self, row: Row) -> list[Row]:
        if row.kind is RowKind.ITEM:
            return self._children(row.key)
        return self._annotations(row.key, row.top, row.level + 1)

    def _span(self, position: int) -> int:
        """How many rows stand under the one there."""
        level = self.row(position).level
        end = position + 1
        while end < len(self._rows) and type(self._rows[end]) is not int and self._rows[end].level > level:
            end += 1
        return end - position - 1

    def set_passages(self, item: ItemKey, passages: Sequence[Passage]) -> None:
        """Take an item's passages; where the item is opened its match rows are put in place."""
        if self._passages.get(item) == tuple(passages):
            return
        self._passages[item] = tuple(passages)
        position = self.position((RowKind.ITEM, item))
        if position is None:
            return
        if item in self._opened:
            old = 0
            while position + 1 + old < len(self._rows) and self.is_match(position + 1 + old):
                old += 1
            self._remove(position + 1, old)
            rows = [row for row in self._children(item) if row.kind is RowKind.MATCH]
            self._insert(position + 1, rows)
        self.row_changed(position)

    def _insert(self, position: int, rows: list[Row]) -> None:
        if not rows:
            return
        self.beginInsertRows(_Index(), position, position + len(rows) - 1)
        self._rows[position:position] = rows
        self.endInsertRows()
        self.rows_refilled.emit(position, len(rows))

    def _remove(self, position: int, count: int) -> None:
        if not count:
            return
        self.beginRemoveRows(_Index(), position, position + count - 1)
        del self._rows[position : position + count]
        self.endRemoveRows()

    def row_changed(self, position: int) -> None:
        self.dataChanged.emit(self.index(position, 0), self.index(position, len(COLUMNS) - 1))

    # Qt's questions

    def rowCount(self, parent: QModelIndex = _Index()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex = _Index()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Horizontal and 0 <= section < len(COLUMNS):
            if role == Qt.ItemDataRole.DisplayRole:
                return COLUMNS[section].title
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return f"Column {COLUMNS[section].title}"
        return None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text of a cell, from memory alone; a row that went away meanwhile has none."""
        wanted = (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        )
        if role not in wanted or not index.isValid() or index.row() >= len(self._rows):
            return None
        try:
            row = self.row(index.row())
            if role == Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(row, index.column())
            if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == TITLE:
                return self.sentence(row)
            return self.text(row, index.column())
        except Exception:  # Qt calls this while painting: an exception there would end the program
            _log.exception("a row of the item tree could not say what it is")
            return None

    def text(self, row: Row, column: int) -> str:
        """What a cell shows as text."""
        if row.passage is not None:
            return quote_of(row.passage) if column == TITLE else ""
        record = self.record(row)
        if record is None:
            return ""
        if row.kind is not RowKind.ITEM:
            return record_title(record) if column == TITLE else ""
        if column == RELEVANCE:
            match = self.match(row)
            return relevance_words(match) if match is not None else ""
        return COLUMNS[column].text(record)

    def _tooltip(self, row: Row, column: int) -> str | None:
        match = self.match(row)
        return relevance_words(match) if column == RELEVANCE and match is not None else None

    def sentence(self, row: Row) -> str:
        """The row read out."""
        if row.passage is not None:
            return passage_sentence(row.passage, self.library)
        record = self.record(row)
        if row.kind is not RowKind.ITEM or record is None:
            return child_sentence(record)
        return item_sentence(
            record,
            self.match(row),
            sum(p.quoted for p in self._passages.get(row.key, ())),
            self.is_open(row),
        )


def _records(library: Library) -> list[Record]:
    """The top-level records. Looking up 50,000 keys would be seen, and mostly the items stand there as they are."""
    items, attachments, notes, top = library.items, library.attachments, library.notes, library.top_level
    if tuple(items) == top[: len(items)]:
        known = list(items.values())
    else:
        known = list(map(items.get, top))
    known += [None] * (len(top) - len(known))
    return [record or attachments.get(key) or notes[key] for record, key in zip(known, top, strict=True)]
