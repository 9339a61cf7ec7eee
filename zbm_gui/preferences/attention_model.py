"""The documents that need attention, as a table of any length."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.library.records import Attachment, Item, ItemKey

if TYPE_CHECKING:
    from zbm_core.library import Library

OUTCOME_NAMES = {
    Outcome.NO_TEXT: "Scan without text",
    Outcome.PASSWORD: "Needs a password",
    Outcome.DRM: "Copy protected",
    Outcome.MISSING: "File missing",
    Outcome.NOT_DOWNLOADED: "Not downloaded",
    Outcome.DAMAGED: "Damaged",
    Outcome.TOO_LARGE: "Too large",
    Outcome.UNSUPPORTED: "Format not read yet",
    Outcome.FAILED: "Reading failed",
    Outcome.INDEXED: "Read in part",
}
HEADINGS = ("Document", "What happened", "Reason")
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class AttentionRow:
    """One document."""

    key: ItemKey
    name: str  # of its item, else of the attachment
    happened: str
    reason: str
    file: str  # its name, "" where it is not known

    @property
    def cells(self) -> tuple[str, str, str]:
        return self.name, self.happened, self.reason


def rows_of(library: Library, found: Iterable[tuple[Attachment, DocumentReport]]) -> list[AttentionRow]:
    """Rows by what happened, then by name."""
    rows = []
    for attachment, report in found:
        parent = library.record(attachment.parent) if attachment.parent else None
        name = parent.title if isinstance(parent, Item) and parent.title else attachment.title
        file = attachment.path.removeprefix("storage:").replace("\\", "/").rpartition("/")[2]
        rows.append(
            AttentionRow(attachment.key, name or file, OUTCOME_NAMES[report.outcome], report.reason, file)
        )
    return sorted(rows, key=lambda row: (row.happened, row.name.casefold()))


class AttentionModel(QAbstractTableModel):
    """Rows can be narrowed by words and sorted by any column; nothing is copied but the list of rows."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self._all: list[AttentionRow] = []
        self.rows: list[AttentionRow] = []
        self._words: tuple[str, ...] = ()
        self._order: tuple[int, bool] | None = None

    def set_rows(self, rows: Sequence[AttentionRow]) -> None:
        self._reset(lambda: self._all.__setitem__(slice(None), rows))

    @property
    def total(self) -> int:
        return len(self._all)

    def narrow(self, text: str) -> None:
        """Show the rows that hold every word of *text*."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self._reset(lambda: None)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = None if column < 0 else (column, order is Qt.SortOrder.DescendingOrder)
        self._reset(lambda: None)

    def _reset(self, change: Callable[[], None]) -> None:
        self.beginResetModel()
        change()
        self.rows = [row for row in self._all if self._holds(row)] if self._words else list(self._all)
        if self._order is not None:
            column, down = self._order
            self.rows.sort(key=lambda row: row.cells[column].casefold(), reverse=down)
        self.endResetModel()

    def _holds(self, row: AttentionRow) -> bool:
        text = "\n".join((*row.cells, row.file)).casefold()
        return all(word in text for word in self._words)

    # --- the table ----------------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(HEADINGS)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(row.cells[index.column()].split())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() != 1:
            from zbm_gui import style

            return style.plain_tooltip(row.file if index.column() == 0 else row.reason)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, row.cells))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return None


# --- exporting --------------------------------------------------------------------------------------------

#: A cell that begins so is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(rows: Iterable[AttentionRow]) -> str:
    """For a spreadsheet: one line a document, and no cell that it would calculate."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow((*HEADINGS, "File", "Zotero key"))
    for row in rows:
        cells = (*row.cells, row.file, str(row.key))
        writer.writerow(f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells)
    return out.getvalue()


def as_lines(rows: Iterable[AttentionRow]) -> str:
    """For a mail or a note: one paragraph a document."""
    return "\n".join(
        f"{row.name}\n    {row.happened}{f' ({row.file})' if row.file else ''}\n"
        + (f"    {' '.join(row.reason.split())}\n" if row.reason else "")
        for row in rows
    )
