"""The documents that need attention, as a table of any length."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from zbm_core.attention import HEADINGS, AttentionRow

_ROOT = QModelIndex()


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
