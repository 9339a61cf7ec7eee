"""Which columns stand where: the user's choice, remembered, and what a narrow window leaves of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHeaderView

from zbm_gui.item_tree.columns import (
    COLUMNS,
    CREATOR,
    DATE_ADDED,
    DATE_MODIFIED,
    ITEM_TYPE,
    PUBLICATION,
    RELEVANCE,
    TITLE,
    YEAR,
)
from zbm_gui.item_tree.header import Header
from zbm_gui.style import unit

# Titles are what one reads: below this width, in steps of the grid, other columns make room, in this order.
_TITLE_ROOM = 26
_GIVING_WAY = (DATE_MODIFIED, DATE_ADDED, ITEM_TYPE, PUBLICATION, YEAR, CREATOR)
_NARROWEST, _WIDEST = 3, 400  # of a remembered width that is believed


class ColumnLayout(QObject):
    """Signals:
    column_shown(int): the user asked for a column; its contents are needed from now on.
    """

    column_shown = Signal(int)

    def __init__(self, header: Header, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._header = header
        self._hidden = {number for number, column in enumerate(COLUMNS) if not column.shown}
        self._searching = False
        self._step = unit(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        for number, column in enumerate(COLUMNS):
            header.resizeSection(number, column.width * self._step)
        # Relevance stands at the right edge at first, behind columns shown later.
        header.moveSection(header.visualIndex(RELEVANCE), len(COLUMNS) - 1)
        header.column_toggled.connect(self.set_shown)
        self.fit()

    def set_searching(self, searching: bool) -> None:
        """Relevance is there while something is searched."""
        if searching != self._searching:
            self._searching = searching
            self.fit()

    def set_shown(self, column: int, shown: bool) -> None:
        (self._hidden.discard if shown else self._hidden.add)(column)
        self.fit()
        if shown:
            self.column_shown.emit(column)

    def fit(self) -> None:
        """Show the columns the user wants, as far as titles keep their room."""
        header = self._header
        wanted = [n for n in range(len(COLUMNS)) if n not in self._hidden and n != TITLE]
        if not self._searching:
            wanted = [number for number in wanted if number != RELEVANCE]
        room = header.viewport().width() - _TITLE_ROOM * self._step
        taken = sum(self._width(number) for number in wanted)
        for number in _GIVING_WAY:
            if taken <= room or room <= 0:
                break
            if number in wanted:
                wanted.remove(number)
                taken -= self._width(number)
        for number in range(len(COLUMNS)):
            hide = number != TITLE and number not in wanted
            if header.isSectionHidden(number) != hide:
                header.setSectionHidden(number, hide)
        header.set_chosen(frozenset(range(len(COLUMNS))) - self._hidden)

    def _width(self, column: int) -> int:
        """Of a column, also while it is hidden."""
        header = self._header
        if not header.isSectionHidden(column):
            return header.sectionSize(column)
        header.blockSignals(True)
        header.setSectionHidden(column, False)
        width = header.sectionSize(column)
        header.setSectionHidden(column, True)
        header.blockSignals(False)
        return width

    def font_changed(self) -> None:
        """Widths grow with the font."""
        widths = {n: self._width(n) / self._step for n in range(len(COLUMNS)) if n != TITLE}
        self._step = unit(self._header)
        for number, width in widths.items():
            self._resize(number, width)
        self.fit()

    def _resize(self, column: int, steps: float) -> None:
        hidden = self._header.isSectionHidden(column)
        self._header.setSectionHidden(column, False)
        self._header.resizeSection(column, round(steps * self._step))
        self._header.setSectionHidden(column, hidden)

    def save(self) -> dict[str, Any]:
        header = self._header
        return {
            "order": [COLUMNS[n].name for n in sorted(range(len(COLUMNS)), key=header.visualIndex)],
            "widths": {
                column.name: round(self._width(number) / self._step, 2)
                for number, column in enumerate(COLUMNS)
                if number != TITLE
            },
            "hidden": [COLUMNS[number].name for number in sorted(self._hidden)],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Raises KeyError, TypeError, ValueError or AttributeError for what `save` never gave."""
        names = {column.name: number for number, column in enumerate(COLUMNS)}
        order = [names[name] for name in state["order"] if name in names]
        widths = {names[n]: float(w) for n, w in state["widths"].items() if n in names}
        hidden = {names[name] for name in state["hidden"] if name in names} - {TITLE, RELEVANCE}
        for visual, number in enumerate(order):
            self._header.moveSection(self._header.visualIndex(number), visual)
        for number, width in widths.items():
            if _NARROWEST <= width <= _WIDEST and number != TITLE:
                self._resize(number, width)
        self._hidden = hidden
        self.fit()
