"""The column headers: flat, with the direction of the sorting, a menu to show and hide columns."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from zbm_gui.item_tree.columns import COLUMNS, RELEVANCE, TITLE
from zbm_gui.style import colors, draw_icon, line_height, small_font, unit


class Header(QHeaderView):
    """Signals:
    column_toggled(column, shown): the user asked for it in the menu.
    """

    column_toggled = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setAccessibleName("Columns")
        self.setStretchLastSection(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setMouseTracking(True)
        self._chosen: frozenset[int] = frozenset()
        self._sorted_by = -1
        self._descending = False
        self.font_changed()

    def font_changed(self) -> None:
        self.setMinimumSectionSize(5 * unit(self))
        self.setFixedHeight(line_height(self) + unit(self))

    def set_chosen(self, columns: frozenset[int]) -> None:
        """Columns that the menu shows as chosen, also those for which there is no room now."""
        self._chosen = columns

    def show_sorting(self, column: int, descending: bool) -> None:
        self._sorted_by, self._descending = column, descending
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        c = colors(self)
        step = unit(self)
        painter.fillRect(rect, c.paper)
        bottom = QRect(rect.x(), rect.bottom(), rect.width(), 1)
        painter.fillRect(bottom, c.hairline)
        if self.visualIndex(logicalIndex) > 0:
            painter.fillRect(QRect(rect.x(), rect.y() + step // 2, 1, rect.height() - step - 1), c.hairline)
        left = round(0.75 * step) if logicalIndex != TITLE or self.visualIndex(TITLE) else step
        room = rect.adjusted(left, 0, -step // 2, -1)
        if logicalIndex == self._sorted_by:
            side = round(1.4 * step)
            arrow = QRect(room.right() - side, room.y(), side, room.height())
            draw_icon(painter, "chevron-down" if self._descending else "chevron-up", arrow, c.secondary)
            room.setRight(arrow.left() - step // 2)
        painter.setFont(small_font(self.font()))
        painter.setPen(c.ink if logicalIndex == self._sorted_by else c.secondary)
        text = painter.fontMetrics().elidedText(
            COLUMNS[logicalIndex].title, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.column_menu().exec(event.globalPos())

    def column_menu(self) -> QMenu:
        """Which columns to show. Title always is; Relevance comes and goes with a search."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, column in enumerate(COLUMNS):
            if number in (TITLE, RELEVANCE):
                continue
            action = menu.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(number in self._chosen)
            action.toggled.connect(lambda shown, number=number: self.column_toggled.emit(number, shown))
        return menu
