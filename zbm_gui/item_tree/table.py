"""The list itself: a table view whose rows are painted whole, with a tree's keys and mouse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QElapsedTimer, QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QToolTip, QWidget

from zbm_gui.item_tree.columns import COLUMNS, RELEVANCE, TITLE, sort_text
from zbm_gui.item_tree.header import Header
from zbm_gui.item_tree.model import ItemTreeModel
from zbm_gui.item_tree.painter import RowPainter, RowState
from zbm_gui.item_tree.rows import RowKind
from zbm_gui.style import colors, plain_tooltip, quiet_scroll_bars


class ItemTable(QTableView):
    """Signals:
    row_activated(int): Enter or a double click.
    menu_requested(QPoint, int): global position and row, -1 beside the rows.
    touched(): the user moved in the list; from now on nothing opens by itself.
    """

    row_activated = Signal(int)
    menu_requested = Signal(QPoint, int)
    touched = Signal()

    def __init__(self, model: ItemTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._hovered = -1
        self._typed = ""
        self._since_typed = QElapsedTimer()
        self.header = Header(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        quiet_scroll_bars(self)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAccessibleName("Items")
        vertical = self.verticalHeader()
        vertical.hide()
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.setMinimumSectionSize(1)
        self.painter = RowPainter(self, model)
        vertical.setDefaultSectionSize(self.painter.item_height)
        model.modelAboutToBeReset.connect(self._on_model_about_to_reset)
        model.modelReset.connect(self._on_model_reset)
        model.rows_refilled.connect(self._give_heights)

    # Heights

    def _on_model_reset(self) -> None:
        self._hovered = -1
        self._raise_matches(self.painter.match_height)

    def _on_model_about_to_reset(self) -> None:
        """Heights stay with the place in the list, whatever row will stand there: level them first."""
        self._raise_matches(self.painter.item_height)

    def _raise_matches(self, height: int) -> None:
        vertical = self.verticalHeader()
        for position in self._model.match_positions():
            vertical.resizeSection(position, height)

    def _give_heights(self, first: int, count: int) -> None:
        vertical = self.verticalHeader()
        for position in range(first, first + count):
            if self._model.is_match(position):
                vertical.resizeSection(position, self.painter.match_height)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "painter"):
            with self.keeping_place():
                self.painter.font_changed()
                self.header.font_changed()
                vertical = self.verticalHeader()
                vertical.setDefaultSectionSize(self.painter.item_height)  # resizes every row
                self._give_heights(0, self._model.rowCount() if self._model.opened else 0)

    # Place

    @contextmanager
    def keeping_place(self) -> Iterator[None]:
        """What stands at the top of the list stands there afterwards, whatever came above it."""
        top = self.rowAt(0) if self.verticalScrollBar().value() else -1
        row = self._model.row(top) if 0 <= top < self._model.rowCount() else None
        offset = self.rowViewportPosition(top) if row is not None else 0
        yield
        self.updateGeometries()
        if row is None:
            return
        position = self._model.position(row.identity)
        if position is None:
            position = self._model.position((RowKind.ITEM, row.top))
        if position is not None:
            self.verticalScrollBar().setValue(self.verticalHeader().sectionPosition(position) - offset)

    def visible_positions(self) -> range:
        first = self.rowAt(0)
        if first < 0:
            return range(0)
        last = self.rowAt(self.viewport().height() - 1)
        return range(first, (last if last >= 0 else self._model.rowCount() - 1) + 1)

    def all_selected(self) -> bool:
        rows = self._model.rowCount()
        return rows > 0 and sum(last - first + 1 for first, last in self.selected_ranges()) == rows

    def selected_ranges(self) -> list[tuple[int, int]]:
        """First and last row of each selected stretch, in order."""
        selection = self.selectionModel().selection()
        return sorted({(stretch.top(), stretch.bottom()) for stretch in selection})

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = event.rect()
        painter.fillRect(area, colors(self).paper)
        first = self.rowAt(area.top())
        if first < 0:
            return
        last = self.rowAt(area.bottom())
        last = last if last >= 0 else self._model.rowCount() - 1
        width = self.viewport().width()
        columns = [
            (section, self.columnViewportPosition(section), self.columnWidth(section))
            for section in range(len(COLUMNS))
            if not self.isColumnHidden(section)
        ]
        selected = self.selected_ranges()
        focused = self.hasFocus()
        current = self.currentIndex().row()
        for position in range(first, last + 1):
            top, height = self.rowViewportPosition(position), self.rowHeight(position)
            cells = [(section, QRect(left, top, wide, height)) for section, left, wide in columns]
            state = RowState(
                selected=any(a <= position <= b for a, b in selected),
                focused=focused,
                current=position == current,
                hovered=position == self._hovered,
            )
            row = self._model.row(position)
            self.painter.paint(painter, row, QRect(0, top, width, height), cells, state)

    def focusInEvent(self, event: QEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # Mouse

    def _cell(self, position: int, column: int) -> QRect:
        return QRect(
            self.columnViewportPosition(column),
            self.rowViewportPosition(position),
            self.columnWidth(column),
            self.rowHeight(position),
        )

    def _on_twisty(self, point: QPoint) -> int:
        """The row whose twisty is at *point*, or -1."""
        position = self.rowAt(point.y())
        if position < 0:
            return -1
        row = self._model.row(position)
        rect = self.painter.twisty_rect(self._cell(position, TITLE), row.level)
        return position if rect.contains(point) and self._model.openable(row) else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.touched.emit()
        if event.button() is Qt.MouseButton.LeftButton:
            position = self._on_twisty(event.position().toPoint())
            if position >= 0:
                self.toggle(position)
                event.accept()
                return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.button() is Qt.MouseButton.LeftButton:
            if self._on_twisty(point) >= 0:
                self.mousePressEvent(event)
                return
            position = self.rowAt(point.y())
            if position >= 0:
                self.row_activated.emit(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.touched.emit()
        super().wheelEvent(event)

    def _hover(self, position: int) -> None:
        if position == self._hovered:
            return
        for changed in (self._hovered, position):
            if 0 <= changed < self._model.rowCount():
                top, height = self.rowViewportPosition(changed), self.rowHeight(changed)
                self.viewport().update(0, top, self.viewport().width(), height)
        self._hovered = position

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._hover(-1)
        elif event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        return super().viewportEvent(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        position, column = self.rowAt(event.pos().y()), self.columnAt(event.pos().x())
        text = ""
        if position >= 0 and column >= 0 and not self._model.is_match(position):
            row = self._model.row(position)
            text = self._model.text(row, column)
            room = self.columnWidth(column) - (0 if column == RELEVANCE else self.painter.item_height)
            if column != RELEVANCE and self.fontMetrics().horizontalAdvance(text) < room:
                text = ""  # it can be read in its cell
        QToolTip.showText(event.globalPos(), plain_tooltip(text), self.viewport())

    def contextMenuEvent(self, event: QEvent) -> None:
        self.touched.emit()
        if event.reason() == event.Reason.Keyboard:
            position = self.currentIndex().row()
            point = self._cell(position, TITLE).center() if position >= 0 else QPoint()
            self.menu_requested.emit(self.viewport().mapToGlobal(point), position)
        else:
            self.menu_requested.emit(event.globalPos(), self.rowAt(event.pos().y()))
        event.accept()

    # Keys

    def toggle(self, position: int) -> None:
        self.set_open(position, not self._model.is_open(self._model.row(position)))

    def set_open(self, position: int, opened: bool) -> bool:
        """Open or close a row; a current row that goes away hands on to the row it stood under."""
        inside = self.currentIndex().row()
        top = self._model.row(position)
        level = top.level
        if not opened and inside > position:
            walk = inside
            while walk > position and self._model.row(walk).level > level:
                walk -= 1
            if walk == position:
                self.setCurrentIndex(self._model.index(position, TITLE))
        return self._model.set_open(position, opened)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.touched.emit()
        key, position = event.key(), self.currentIndex().row()
        if position >= 0 and self._tree_key(key, event, position):
            event.accept()
            return
        super().keyPressEvent(event)

    def _tree_key(self, key: int, event: QKeyEvent, position: int) -> bool:
        keys = Qt.Key
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        row = self._model.row(position)
        if key in (keys.Key_Return, keys.Key_Enter):
            self.row_activated.emit(position)
            return True
        if key == keys.Key_Plus or (key == keys.Key_Right and plain):
            if not self.set_open(position, True) and key == keys.Key_Right and self._model.is_open(row):
                self.setCurrentIndex(self._model.index(position + 1, TITLE))
            return True
        if key == keys.Key_Minus and plain:
            return self.set_open(position, False) or True
        if key == keys.Key_Left and plain:
            if not self.set_open(position, False):
                parent = self._model.parent_position(position)
                if parent is not None:
                    self.setCurrentIndex(self._model.index(parent, TITLE))
            return True
        return False

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Rows are what one moves among: Home and End go to the first and last of them."""
        rows = self._model.rowCount()
        if rows and action is QAbstractItemView.CursorAction.MoveHome:
            return self._model.index(0, TITLE)
        if rows and action is QAbstractItemView.CursorAction.MoveEnd:
            return self._model.index(rows - 1, TITLE)
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next row whose title begins with what was typed."""
        if not self._since_typed.isValid() or self._since_typed.elapsed() > (
            QGuiApplication.styleHints().keyboardInputInterval()
        ):
            self._typed = ""
        self._since_typed.restart()
        repeated = self._typed == search  # the same letter again: the next row with it
        self._typed = search if repeated else self._typed + search
        wanted = sort_text(self._typed)
        start = max(0, self.currentIndex().row()) + (1 if len(self._typed) == 1 else 0)
        position = self._model.find_title(wanted, start)
        if position is not None:
            self.setCurrentIndex(self._model.index(position, TITLE))

    def sizeHintForColumn(self, column: int) -> int:
        return -1  # widths are the user's; asking 50,000 rows for theirs would take seconds
