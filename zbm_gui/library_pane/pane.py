"""The sidebar itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from zbm_gui import style
from zbm_gui.digest import Digest
from zbm_gui.library_pane.tree import COUNT, NODE, Node, NodeKind, build
from zbm_gui.wording import number

if TYPE_CHECKING:
    from zbm_core.library import Library


class LibraryPane(QTreeView):
    """Libraries, collections, Recently Read.

    Signals:
        node_selected(Node): another row was selected (not when the library is merely read again).
    """

    node_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setIndentation(2 * style.unit(self))
        self.setItemDelegate(_CountDelegate(self))
        self.setAccessibleName("Libraries and collections")
        self._folded: set[str] = set()  # rows the user closed; all others stand open
        self._restoring = False
        self.collapsed.connect(lambda index: self._on_folded(index, True))
        self.expanded.connect(lambda index: self._on_folded(index, False))

    def set_library(self, library: Library, digest: Digest) -> None:
        """Show *library*; selection and open rows stay, by identity. Selects the first row if none can be kept."""
        selected = self.current_node()
        scroll = self.verticalScrollBar().value()
        old = self.model()
        self._restoring = True
        self.setModel(build(library, digest))
        if old is not None:
            old.deleteLater()
        self._unfold()
        kept = selected is not None and self._select(selected.id)
        self.verticalScrollBar().setValue(scroll)
        self._restoring = False
        if not kept and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def current_node(self) -> Node | None:
        index = self.currentIndex()
        return index.data(NODE) if index.isValid() else None

    def select(self, node_id: str) -> bool:
        """Select the row of that lasting name; False if there is none."""
        return self._select(node_id)

    def _select(self, node_id: str) -> bool:
        for row in _rows(self.model()):
            if row.data(NODE).id == node_id:
                self.setCurrentIndex(row.index())
                return True
        return False

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._restoring:
            self.node_selected.emit(current.data(NODE))

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        """A chevron of our own family where a row can be opened, no lines."""
        if not self.model().hasChildren(index):
            return
        arrow = QRect(rect)
        arrow.setLeft(rect.right() - self.indentation() + 1)
        size = style.icon_size(self) * 3 // 4
        box = QRect(0, 0, size, size)
        box.moveCenter(arrow.center())
        name = "chevron-down" if self.isExpanded(index) else "chevron-right"
        style.draw_icon(painter, name, box, style.colors(self).secondary)

    # --- what is open -------------------------------------------------------------------------------

    def folded(self) -> list[str]:
        return sorted(self._folded)

    def set_folded(self, ids: list[str]) -> None:
        self._folded = {str(name) for name in ids}
        if self.model() is not None:
            self._unfold()

    def _unfold(self) -> None:
        restoring, self._restoring = self._restoring, True
        for row in _rows(self.model()):
            if row.hasChildren():
                self.setExpanded(row.index(), row.data(NODE).id not in self._folded)
        self._restoring = restoring

    def _on_folded(self, index: QModelIndex, folded: bool) -> None:
        if self._restoring:
            return
        (self._folded.add if folded else self._folded.discard)(index.data(NODE).id)


def _rows(model: QStandardItemModel):
    """Every row of *model*, parents before their children."""
    waiting: list[QStandardItem] = [model.item(row) for row in reversed(range(model.rowCount()))]
    while waiting:
        row = waiting.pop()
        yield row
        waiting.extend(row.child(child) for child in reversed(range(row.rowCount())))


class _CountDelegate(QStyledItemDelegate):
    """The name, and at the right the number of items in secondary colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        size.setHeight(option.fontMetrics.height() + style.unit(option.widget))
        return size

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        widget, unit = option.widget, style.unit(option.widget)
        count = index.data(COUNT)
        text = "" if count is None else number(count)
        font = style.small_font(option.font)
        room = option.fontMetrics.horizontalAdvance(text) + unit
        view: QRect = option.rect
        # The ground over the whole row, the name only as far as the number leaves room.
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, widget)
        name = QStyleOptionViewItem(option)
        name.rect = view.adjusted(0, 0, -room, 0)
        name.state &= ~QStyle.StateFlag.State_HasFocus
        if index.data(NODE).kind is NodeKind.LIBRARY:
            name.font = style.bold_font(option.font)
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, name, painter, widget)
        if text:
            c = style.colors(widget)
            painter.save()
            painter.setFont(font)
            painter.setPen(c.secondary)
            painter.drawText(
                view.adjusted(0, 0, -unit, 0),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                text,
            )
            painter.restore()
