"""The item tree, as the window uses it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Passage, SearchResult
from zbm_gui.item_tree.column_layout import ColumnLayout
from zbm_gui.item_tree.columns import COLUMNS, DATE_ADDED, RELEVANCE, TITLE
from zbm_gui.item_tree.keeping import SelectionKeeper
from zbm_gui.item_tree.model import ItemTreeModel
from zbm_gui.item_tree.rows import Row, RowKind, Selection
from zbm_gui.item_tree.table import ItemTable
from zbm_gui.item_tree.wording import best_attachment

if TYPE_CHECKING:
    from zbm_core.library import Library

_ASK_AFTER = 40  # ms without scrolling before passages of what is seen are asked for
_STATE_VERSION = 1


class ItemTree(QWidget):
    """Items of a library or results of a search, with what stands under them.

    Signals:
        selection_changed(): ask `selected()`.
        passage_activated(Passage), attachment_activated(ItemKey), annotation_activated(ItemKey),
        note_activated(ItemKey): Enter or a double click asked to open it.
        context_menu_requested(QPoint, Row | None): global position; None beside the rows.
        passages_wanted(list[ItemKey]): results on the screen whose passages are not known yet.
    """

    selection_changed = Signal()
    passage_activated = Signal(object)
    attachment_activated = Signal(object)
    annotation_activated = Signal(object)
    note_activated = Signal(object)
    context_menu_requested = Signal(QPoint, object)
    passages_wanted = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ItemTreeModel(self)
        self.table = ItemTable(self._model, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.setFocusProxy(self.table)

        self._shown: list[ItemKey] | None = None  # without a search; None: the whole library
        self._as_given = False
        self._result: SearchResult | None = None
        self._sorting = (DATE_ADDED, True)  # of the library; results have their own
        self._result_sorting = (RELEVANCE, True)
        self._library_opened: frozenset[ItemKey] = frozenset()
        self._opening: set[ItemKey] = set()  # results to open as their passages arrive
        self._asked: set[ItemKey] = set()

        self._preparing: Iterator[None] = iter(())
        self._prepare = QTimer(self, interval=0)  # when nothing else waits
        self._prepare.timeout.connect(self._on_idle)
        self._ask = QTimer(self, singleShot=True, interval=_ASK_AFTER)
        self._ask.timeout.connect(self._ask_for_passages)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.menu_requested.connect(self._on_menu_requested)
        self.table.touched.connect(self._opening.clear)
        self.table.verticalScrollBar().valueChanged.connect(lambda _value: self._ask.start())
        self._keeper = SelectionKeeper(self.table, self._model, self)
        self._keeper.changed.connect(self.selection_changed)
        self._model.rowsInserted.connect(lambda *_: self._ask.start())
        header = self.table.header
        header.sectionClicked.connect(self._on_header_clicked)
        header.show_sorting(*self._sorting)
        self._columns = ColumnLayout(header, self)

    # What is shown

    def set_library(self, library: Library) -> None:
        """Show *library*, or another state of the one shown: what is opened, selected, searched
        and where one was stays, by id."""
        with self._keeper.kept(), self.table.keeping_place():
            self._model.set_library(library)
            self._show()
        self._preparing = self._model.prepare()
        self._prepare.start()

    def follow(self, library: Library, keys: Iterable[ItemKey]) -> None:
        """Another state of the library shown, and the top-level records listed now without a search: what is
        opened, selected, searched and where one was stays."""
        self._shown = list(keys)
        self.set_library(library)

    @property
    def preparing(self) -> bool:
        """Whether keys to sort by are still being computed ahead."""
        return self._prepare.isActive()

    def _on_idle(self) -> None:
        if next(self._preparing, self) is self:
            self._prepare.stop()

    def show_items(self, keys: Iterable[ItemKey] | None, *, as_given: bool = False) -> None:
        """Show these top-level records (None: all) while nothing is searched, sorted as the user sorts;
        *as_given*: in the order of *keys*, until the user sorts them."""
        self._shown = list(keys) if keys is not None else None
        self._as_given = as_given and keys is not None
        if self._result is None:
            with self._keeper.kept():
                self._show()
            self.table.scrollToTop()

    def show_results(self, result: SearchResult) -> None:
        """Show what a search found, by relevance; the first screen opens as its passages arrive."""
        again = self._result is not None and self._result.request == result.request
        with self._keeper.kept():
            if self._result is None:
                self._library_opened = self._model.opened
            self._result = result
            if not again:
                self._result_sorting = (RELEVANCE, True)
                self._model.close_all()
                self._model.forget_passages()
                self._asked.clear()
                self._opening.clear()
                self._opening.update(match.item for match in result.matches[: self._first_screen()])
            self._show()
        if not again:
            self.table.scrollToTop()

    def clear_results(self) -> None:
        """Back to the library as it was before the search."""
        if self._result is None:
            return
        with self._keeper.kept():
            self._result = None
            self._opening.clear()
            self._model.forget_matches()
            self._model.close_all()
            self._model.open_quietly(self._library_opened)
            self._show()
        self._show_current()

    def set_passages(self, item: ItemKey, passages: Sequence[Passage]) -> None:
        """Take a result's passages; call as often as they arrive, each call whole."""
        if self._result is None:
            return
        if item not in self._opening and item not in self._model.opened:
            self._model.set_passages(item, passages)  # no row moves
            return
        with self.table.keeping_place(), self._keeper.kept():
            self._model.set_passages(item, passages)
            if item in self._opening:
                self._opening.discard(item)
                position = self._model.position((RowKind.ITEM, item))
                if position is not None and any(passage.quoted for passage in passages):
                    self._model.set_open(position, True)

    def _show(self) -> None:
        if self._model.library is None:
            return
        if self._result is None:
            self._model.show(self._shown, None if self._as_given else self._sorting)
        else:
            by = None if self._result_sorting[0] == RELEVANCE else self._result_sorting
            self._model.show_matches(self._result.matches, by)
        self._columns.set_searching(self._result is not None)
        if self._result is not None:
            self.table.header.show_sorting(*self._result_sorting)
        else:
            self.table.header.show_sorting(*((-1, False) if self._as_given else self._sorting))
        self._ask.start()

    def _first_screen(self) -> int:
        """How many results fill the view when each shows its three matches."""
        painter = self.table.painter
        each = painter.item_height + 3 * painter.match_height
        return max(1, math.ceil(self.table.viewport().height() / each))

    def _ask_for_passages(self) -> None:
        if self._result is None:
            return
        wanted = []
        for position in self.table.visible_positions():
            row = self._model.row(position)
            if (
                row.kind is RowKind.ITEM
                and row.key not in self._asked
                and self._model.passages(row.key) is None
            ):
                wanted.append(row.key)
        self._asked.update(wanted)
        if wanted:
            self.passages_wanted.emit(wanted)

    # Selection

    def selected(self) -> Selection:
        """What is selected, in the order of the rows."""
        keys, passages = [], []
        for first, last in self.table.selected_ranges():
            for position in range(first, last + 1):
                row = self._model.row(position)
                if row.passage is not None:
                    passages.append(row.passage)
                else:
                    keys.append(row.key)
        return Selection(tuple(keys), tuple(passages))

    def select(self, key: ItemKey) -> bool:
        """Select a top-level record and bring it into view; False if it is not shown."""
        position = self._model.position((RowKind.ITEM, key))
        if position is None:
            return False
        self.table.setCurrentIndex(self._model.index(position, TITLE))
        self._show_current()
        return True

    def current(self) -> Row | None:
        position = self.table.currentIndex().row()
        return self._model.row(position) if position >= 0 else None

    def count(self) -> int:
        """Top-level rows shown."""
        return self._model.count

    def _show_current(self) -> None:
        index = self.table.currentIndex()
        if index.isValid():
            self.table.scrollTo(index)

    # Opening

    def _on_row_activated(self, position: int) -> None:
        row = self._model.row(position)
        match row.kind:
            case RowKind.MATCH:
                self.passage_activated.emit(row.passage)
            case RowKind.ATTACHMENT:
                self.attachment_activated.emit(row.key)
            case RowKind.ANNOTATION:
                self.annotation_activated.emit(row.key)
            case RowKind.NOTE:
                self.note_activated.emit(row.key)
            case _:
                self._activate_item(position, row.key)

    def _activate_item(self, position: int, key: ItemKey) -> None:
        """Open an item at its best passage, at its best attachment, or show what is under it."""
        passages = self._model.passages(key)
        library = self._model.library
        if passages and passages[0].source in library.attachments:
            self.passage_activated.emit(passages[0])
            return
        if key in library.notes:
            self.note_activated.emit(key)
            return
        attachment = best_attachment(library, key)
        if attachment is not None:
            self.attachment_activated.emit(attachment)
        else:
            self.table.toggle(position)

    def _on_menu_requested(self, point: QPoint, position: int) -> None:
        row = self._model.row(position) if position >= 0 else None
        self.context_menu_requested.emit(point, row)

    # Columns

    def _on_header_clicked(self, column: int) -> None:
        searching = self._result is not None
        now, descending = self._result_sorting if searching else self._sorting
        if column == now and column != RELEVANCE:
            descending = not descending
        else:
            descending = COLUMNS[column].descending
        self.sort_by(column, descending)

    def sort_by(self, column: int, descending: bool) -> None:
        if self._result is not None:
            self._result_sorting = (column, descending)
        elif column != RELEVANCE:
            self._sorting = (column, descending)
            self._as_given = False
        with self._keeper.kept():
            self._show()
        if self.table.currentIndex().isValid():
            self._show_current()
        else:
            self.table.scrollToTop()

    def save_state(self) -> str:
        """Columns and sorting, to be given to `restore_state` another time."""
        column, descending = self._sorting
        state = {"version": _STATE_VERSION, "sorting": [COLUMNS[column].name, descending]}
        return json.dumps(state | self._columns.save())

    def restore_state(self, state: str | bytes) -> bool:
        """Take what `save_state` gave; False, and nothing changed, if it cannot be read."""
        names = {column.name: number for number, column in enumerate(COLUMNS)}
        try:
            known = json.loads(state)
            if known["version"] != _STATE_VERSION:
                return False
            column, descending = names[known["sorting"][0]], bool(known["sorting"][1])
            self._columns.restore(known)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return False
        if column != RELEVANCE:
            self._sorting = (column, descending)
        with self._keeper.kept():
            self._show()
        return True

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and hasattr(self, "_columns"):
            self._columns.font_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._columns.fit()
        self._ask.start()
