"""What is selected stays selected, by id, while the list is made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject, Signal

from zbm_gui.item_tree.columns import COLUMNS, TITLE
from zbm_gui.item_tree.model import ItemTreeModel
from zbm_gui.item_tree.rows import Identity
from zbm_gui.item_tree.table import ItemTable


class SelectionKeeper(QObject):
    """Signals:
    changed(): other rows are selected than before.
    """

    changed = Signal()

    def __init__(self, table: ItemTable, model: ItemTreeModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table, self._model = table, model
        self._keeping = False
        table.selectionModel().selectionChanged.connect(self._on_selection_changed)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Selection and current row are the same rows afterwards, as far as they are still there."""
        if self._keeping:
            yield
            return
        self._keeping = True
        try:
            # All of many rows need no names to be found again.
            everything, count = self._table.all_selected(), self._model.rowCount()
            selected = set() if everything else self.identities()
            at = self._table.currentIndex().row()
            current = self._model.row(at).identity if at >= 0 else None
            yield
            if everything:
                self._table.selectAll()
                changed = self._model.rowCount() != count
            else:
                self._select(selected)
                changed = self.identities() != selected
            self._go_to(current)
        finally:
            self._keeping = False
        if changed:
            self.changed.emit()

    def identities(self) -> set[Identity]:
        """Of the rows selected."""
        return {
            self._model.row(position).identity
            for first, last in self._table.selected_ranges()
            for position in range(first, last + 1)
        }

    def _select(self, identities: set[Identity]) -> None:
        if not identities or self.identities() == identities:
            return
        chosen = QItemSelection()
        for first, last in stretches(self._model.positions(identities)):
            chosen.select(self._model.index(first, 0), self._model.index(last, len(COLUMNS) - 1))
        self._table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _go_to(self, identity: Identity | None) -> None:
        position = self._model.position(identity) if identity is not None else None
        if position is not None:
            self._table.selectionModel().setCurrentIndex(
                self._model.index(position, TITLE), QItemSelectionModel.SelectionFlag.NoUpdate
            )

    def _on_selection_changed(self) -> None:
        if not self._keeping:
            self.changed.emit()


def stretches(positions: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending positions as first and last of each unbroken run."""
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and runs[-1][1] == position - 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return runs
