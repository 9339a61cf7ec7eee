"""How rows look. One call a row: a table view's own way would take one a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from zbm_core.library.records import Annotation, Attachment, Item, Record
from zbm_gui.item_tree.columns import COLUMNS, RELEVANCE, TITLE
from zbm_gui.item_tree.model import ItemTreeModel
from zbm_gui.item_tree.quote_line import QuoteLines
from zbm_gui.item_tree.rows import Row, RowKind
from zbm_gui.item_tree.wording import place, record_title
from zbm_gui.style import (
    Colors,
    annotation_icon,
    attachment_icon,
    colors,
    draw_icon,
    icon_size,
    item_icon,
    line_height,
    small_font,
    unit,
)

ITEM_LINES = 1.6  # heights, in lines of the font
MATCH_LINES = 2.6
_TAIL = 0.22  # share of a title's width that its last words keep when its middle is left out
_MOST_ELIDED = 2000
_IDEOGRAPHS = "\u2e80"  # from here on scripts mostly do without spaces between words

_CELL = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
_CELL_FLAGS = int(_CELL | Qt.TextFlag.TextSingleLine)


@dataclass(frozen=True, slots=True)
class RowState:
    selected: bool = False
    focused: bool = False  # the keyboard is in the tree
    current: bool = False
    hovered: bool = False


class RowPainter:
    """Paints rows of a model for one view; distances come from the view's font."""

    def __init__(self, view: QWidget, model: ItemTreeModel) -> None:
        self._view = view
        self._model = model
        self._quotes = QuoteLines()
        self._elided: dict[tuple[str, int], str] = {}
        self.font_changed()

    def font_changed(self) -> None:
        """Measure again; call for a new font or a new library."""
        view = self._view
        self._font = QFont(view.font())
        self._small = small_font(self._font)
        self._metrics = QFontMetrics(self._font)
        self._small_metrics = QFontMetrics(self._small)
        line = line_height(self._font)
        self.item_height = round(ITEM_LINES * line)
        self.match_height = round(MATCH_LINES * line)
        self._unit = unit(view)
        self._icon = icon_size(view)
        self._gap = round(0.75 * self._unit)
        self._twisty = 2 * self._unit
        self._elided.clear()
        self._quotes.clear()

    def twisty_rect(self, cell: QRect, level: int) -> QRect:
        """Where the mouse opens a row whose title cell is *cell*."""
        return QRect(cell.x() + self._indent(level), cell.y(), self._twisty + self._unit // 2, cell.height())

    def _indent(self, level: int) -> int:
        return self._unit // 2 + level * (self._twisty + self._unit // 2)

    def paint(
        self,
        painter: QPainter,
        row: Row,
        rect: QRect,
        cells: Sequence[tuple[int, QRect]],
        state: RowState,
    ) -> None:
        """Paint one row. *cells*: the visible columns and their rects in the row."""
        c = colors(self._view)
        ground = self._ground(c, state)
        if ground is not None:
            painter.fillRect(rect, ground)
        if row.kind is RowKind.MATCH:
            self._paint_match(painter, row, rect, c)
        else:
            record = self._model.record(row)
            if record is not None:
                for column, cell in cells:
                    self._paint_cell(painter, row, record, column, cell, c)
        if state.current and state.focused and not state.selected:
            painter.setPen(c.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _ground(self, c: Colors, state: RowState) -> QColor | None:
        if state.selected:
            return c.selection if state.focused else c.selection_inactive
        return c.hover if state.hovered else None

    def _paint_cell(
        self, painter: QPainter, row: Row, record: Record, column: int, cell: QRect, c: Colors
    ) -> None:
        if column == TITLE:
            self._paint_title(painter, row, record, cell, c)
            return
        if row.kind is not RowKind.ITEM:
            return
        if column == RELEVANCE:
            self._paint_bar(painter, row, cell, c)
            return
        text = COLUMNS[column].text(record)
        if text:
            room = cell.adjusted(self._gap, 0, -self._gap, 0)
            painter.setFont(self._font)
            painter.setPen(c.secondary)
            shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            self._draw_text(painter, room, shown)

    def _paint_title(self, painter: QPainter, row: Row, record: Record, cell: QRect, c: Colors) -> None:
        x = cell.x() + self._indent(row.level)
        if self._model.openable(row):
            name = "chevron-down" if self._model.is_open(row) else "chevron-right"
            side = round(0.75 * self._icon)
            twisty = QRect(x + (self._twisty - side) // 2, cell.y(), side, cell.height())
            draw_icon(painter, name, twisty, c.secondary)
        x += self._twisty + self._unit // 2
        draw_icon(
            painter, icon_of(record), QRect(x, cell.y(), self._icon, cell.height()), self._tint(record, c)
        )
        x += self._icon + self._gap
        room = QRect(x, cell.y(), cell.right() - self._gap - x, cell.height())
        painter.setFont(self._font)
        if isinstance(record, Annotation) and record.page_label:
            label = f"p. {record.page_label}"
            painter.setPen(c.secondary)
            painter.drawText(room, _CELL_FLAGS, label)
            room.setLeft(room.left() + self._metrics.horizontalAdvance(label) + self._unit)
        painter.setPen(c.ink if row.kind is RowKind.ITEM else c.secondary)
        self._draw_text(painter, room, self._elide_title(record_title(record), room.width()))

    def _tint(self, record: Record, c: Colors) -> QColor:
        """An annotation's icon has the colour of its mark."""
        if isinstance(record, Annotation):
            own = QColor(record.color)
            if own.isValid():
                return own
        return c.icon

    def _paint_bar(self, painter: QPainter, row: Row, cell: QRect, c: Colors) -> None:
        match = self._model.match(row)
        if match is None:
            return
        height = max(4, round(0.5 * self._unit))
        bar = QRectF(
            cell.x() + self._gap, cell.center().y() - height / 2 + 0.5, cell.width() - 2 * self._gap, height
        )
        if bar.width() <= 0:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.track)
        painter.drawRoundedRect(bar, height / 2, height / 2)
        filled = QRectF(bar)
        filled.setWidth(max(height, bar.width() * min(1.0, max(0.0, match.strength))))
        painter.setBrush(c.accent)
        painter.drawRoundedRect(filled, height / 2, height / 2)
        painter.restore()

    def _paint_match(self, painter: QPainter, row: Row, rect: QRect, c: Colors) -> None:
        passage = row.passage
        rail = rect.x() + self._indent(1) + self._unit // 2 + self._icon // 2
        left = rect.x() + self._indent(1) + self._unit // 2 + self._icon + self._gap
        width = rect.right() - 2 * self._gap - left
        line, small = self._metrics.height(), self._small_metrics.height()
        top = rect.y() + (rect.height() - line - small) // 2
        painter.fillRect(QRect(rail - 1, rect.y() + 2, 2, rect.height() - 4), c.hairline)
        painter.setFont(self._small)
        painter.setPen(c.secondary)
        where = self._small_metrics.elidedText(
            place(passage, self._model.library), Qt.TextElideMode.ElideMiddle, width
        )
        self._draw_text(painter, QRect(left, top, width, small), where)
        painter.setPen(c.ink)
        self._quotes.draw(painter, passage, left, top + small, width, self._font, c.highlight)

    def _draw_text(self, painter: QPainter, room: QRect, text: str) -> None:
        # Each text in its own direction, all of them beginning at the left of their column.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.drawText(room, _CELL_FLAGS, text)

    def _elide_title(self, text: str, width: int) -> str:
        """*text* cut to *width* towards its end, so that its last words still show."""
        key = (text, width)
        shown = self._elided.get(key)
        if shown is None:
            shown = elide_title(text, width, self._metrics)
            if len(self._elided) >= _MOST_ELIDED:
                self._elided.clear()
            self._elided[key] = shown
        return shown


def elide_title(text: str, width: int, metrics: QFontMetrics) -> str:
    """*text*, or its beginning, "…" and its last words within *width* pixels."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    tail = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, int(width * _TAIL)).lstrip("…")
    if tail and tail[0] < _IDEOGRAPHS and not text[: -len(tail)].endswith(" "):
        tail = tail[tail.find(" ") + 1 :] if " " in tail else ""  # whole words only
    if not tail:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
    room = width - metrics.horizontalAdvance(tail)
    head = metrics.elidedText(text[: -len(tail)], Qt.TextElideMode.ElideRight, room)
    return (head if head.endswith("…") else head.rstrip() + "…") + tail


def icon_of(record: Record) -> str:
    """The name of the icon that stands for *record*."""
    match record:
        case Item():
            return item_icon(record.item_type)
        case Attachment():
            return attachment_icon(record.content_type, record.link_mode)
        case Annotation():
            return annotation_icon(record.kind)
        case _:
            return "note"
