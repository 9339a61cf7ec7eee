"""Choosing the libraries, collections and tags that are left out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from zbm_core.library.records import ItemKey
from zbm_gui import style
from zbm_gui.digest import collections_by_parent
from zbm_gui.preferences.page import hint

if TYPE_CHECKING:
    from zbm_core.library import Exclusions, Library

TagCounts = list[tuple[str, int]]
_KEY = Qt.ItemDataRole.UserRole
NOTE = (
    "Tick what is to be left out. A collection takes what is below it, and items that are filed elsewhere too. A "
    "tag of an item takes its notes and attachments."
)


def count_tags(library: Library) -> TagCounts:
    """Every tag of anything in *library* with how many carry it, by name."""
    counts: Counter[str] = Counter()
    for records in (library.items, library.attachments, library.notes, library.annotations):
        for record in records.values():
            counts.update(record.tags)
    return sorted(counts.items(), key=lambda entry: entry[0].casefold())


class ExclusionDialog(QDialog):
    """`exclusions()` is what is ticked."""

    def __init__(
        self, library: Library, tags: TagCounts, exclusions: Exclusions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Leave out of searches")
        unit = style.unit(self)
        self._before = exclusions
        self.places = QTreeWidget()
        self.places.setHeaderHidden(True)
        self.places.setAccessibleName("Libraries and collections to leave out")
        self.places.setUniformRowHeights(True)
        self._fill_places(library, exclusions)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a tag")
        self.filter.setAccessibleName("Find a tag")
        self.filter.setClearButtonEnabled(True)
        self._model = QStandardItemModel(self)
        self._fill_tags(tags, exclusions)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._model)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter.textChanged.connect(self._shown.setFilterFixedString)
        self.tags = QListView()
        self.tags.setModel(self._shown)
        self.tags.setUniformItemSizes(True)
        self.tags.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tags.setAccessibleName("Tags to leave out")
        for view in (self.places, self.tags):
            style.visible_indicators(view)
            style.quiet_scroll_bars(view)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit)
        column.setSpacing(unit)
        column.addWidget(hint(NOTE))
        column.addWidget(QLabel("Libraries and collections"))
        column.addWidget(self.places, 3)
        column.addWidget(QLabel("Tags"))
        column.addWidget(self.filter)
        column.addWidget(self.tags, 2)
        column.addWidget(buttons)
        self.resize(unit * 56, unit * 72)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def exclusions(self) -> Exclusions:
        """What is ticked, with what was left out before and is not in the library just now."""
        libraries = set(self._before.libraries - self._known_libraries)
        collections = set(self._before.collections - self._known_collections)
        rows = [self.places.topLevelItem(number) for number in range(self.places.topLevelItemCount())]
        while rows:
            row = rows.pop()
            rows += [row.child(number) for number in range(row.childCount())]
            if row.checkState(0) is Qt.CheckState.Checked:
                key = row.data(0, _KEY)
                (collections if isinstance(key, ItemKey) else libraries).add(key)
        items = [self._model.item(number) for number in range(self._model.rowCount())]
        tags = {item.data(_KEY) for item in items if item.checkState() is Qt.CheckState.Checked}
        return type(self._before)(frozenset(libraries), frozenset(collections), frozenset(tags))

    def _fill_places(self, library: Library, exclusions: Exclusions) -> None:
        self._known_libraries = frozenset(library.libraries)
        self._known_collections = frozenset(library.collections)
        below = collections_by_parent(library.collections)
        for info in library.libraries.values():
            row = _ticked(info.name, info.library, info.library in exclusions.libraries)
            self.places.addTopLevelItem(row)
            todo = [(row, (info.library, None))]
            while todo:
                parent, place = todo.pop()
                for collection in below.get(place, ()):
                    child = _ticked(collection.name, collection.key, collection.key in exclusions.collections)
                    parent.addChild(child)
                    todo.append((child, (info.library, collection.key)))
            row.setExpanded(True)
        for key in exclusions.collections & self._known_collections:
            self._show(key)
        self.places.setCurrentItem(self.places.topLevelItem(0))

    def _show(self, key: ItemKey) -> None:
        """Open what lies above a ticked collection, so that it can be seen."""
        rows = [self.places.topLevelItem(number) for number in range(self.places.topLevelItemCount())]
        while rows:
            row = rows.pop()
            if row.data(0, _KEY) == key:
                while (row := row.parent()) is not None:
                    row.setExpanded(True)
                return
            rows += [row.child(number) for number in range(row.childCount())]

    def _fill_tags(self, tags: TagCounts, exclusions: Exclusions) -> None:
        counts = dict(tags)
        known = [*((tag, 0) for tag in sorted(exclusions.tags - counts.keys())), *tags]
        # What is left out already stands first.
        for tag, count in sorted(known, key=lambda entry: entry[0] not in exclusions.tags):
            item = QStandardItem(f"{tag} ({count:,})")
            item.setData(tag, _KEY)
            item.setCheckable(True)
            item.setCheckState(_state(tag in exclusions.tags))
            self._model.appendRow(item)

    def tag_row(self, tag: str) -> QModelIndex:
        """Where *tag* is in the list, for tests and the keyboard."""
        return next(
            self._shown.index(row, 0)
            for row in range(self._shown.rowCount())
            if self._shown.index(row, 0).data(_KEY) == tag
        )


def _ticked(name: str, key: ItemKey | int, on: bool) -> QTreeWidgetItem:
    row = QTreeWidgetItem([name])
    row.setData(0, _KEY, key)
    row.setCheckState(0, _state(on))
    return row


def _state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
