"""The document's outline beside its pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QTreeView, QWidget

from zbm_core.documents.structure import OutlineEntry
from zbm_gui import style

_PAGE = Qt.ItemDataRole.UserRole
# Opened at first: enough to see the chapters of a book, not every heading of it.
OPEN_ROWS = 60


class OutlinePanel(QTreeView):
    """Signals: entry_chosen(int): go to this page, from 0."""

    entry_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Outline of the document")
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self._by_page: list[tuple[int, QStandardItem]] = []
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def set_entries(self, entries: Sequence[OutlineEntry], *, paged: bool = True) -> None:
        """Show *entries*; where they are not *paged*, `page` is only a number that `entry_chosen` gives back."""
        self._model.clear()
        self._by_page = []
        parents: list[tuple[int, QStandardItem]] = [(0, self._model.invisibleRootItem())]
        for entry in entries:
            item = QStandardItem(entry.title or "(untitled)")
            item.setData(entry.page, _PAGE)
            tip = f"{entry.title}, p. {entry.page + 1}" if paged and entry.page >= 0 else entry.title
            item.setToolTip(style.plain_tooltip(tip))
            while parents[-1][0] >= entry.level and len(parents) > 1:
                parents.pop()
            parents[-1][1].appendRow(item)
            parents.append((entry.level, item))
            if entry.page >= 0:
                self._by_page.append((entry.page, item))
        self._by_page.sort(key=lambda known: known[0])  # stable: the last of a page is its deepest
        if len(entries) <= OPEN_ROWS:
            self.expandAll()

    def follow(self, page: int) -> None:
        """Mark the entry that *page* belongs to."""
        chosen = None
        for first, item in self._by_page:
            if first > page:
                break
            chosen = item
        if chosen is None:
            self.setCurrentIndex(QModelIndex())
            return
        index = chosen.index()
        while index.parent().isValid() and not self.isExpanded(index.parent()):
            index = index.parent()  # not opened by the reader: mark the one that is seen
        if index != self.currentIndex():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._model.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(style.colors(self).secondary)
            room = self.viewport().rect().adjusted(8, 8, -8, -8)
            flags = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(room, flags, "This document has no outline.")

    def _on_chosen(self, index: QModelIndex) -> None:
        page = index.data(_PAGE)
        if isinstance(page, int) and page >= 0:
            self.entry_chosen.emit(page)
