"""The Info section: fields in two columns, tags as chips, collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from zbm_core.library.records import Attachment, Item, Note, Record
from zbm_gui.item_pane.fields import collection_paths, fields_of
from zbm_gui.item_pane.flow import FlowLayout
from zbm_gui.item_pane.texts import CopyText, Text
from zbm_gui.style import colors, draw_icon, line_height, plain_tooltip, small_font, unit

if TYPE_CHECKING:
    from zbm_core.library import Library


class Info(QWidget):
    """Every filled field of a record. Its labels are kept for the next record: making and placing forty of them
    anew holds the window three times as long as giving them other words.

    Signals:
        field_copied(str): label of the field whose value is on the clipboard now.
    """

    field_copied = Signal(str)

    def __init__(self, library: Library, record: Record, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        step = unit(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(round(1.5 * step))
        self._grid.setVerticalSpacing(step // 2)
        self._grid.setColumnStretch(0, 5)
        self._grid.setColumnStretch(1, 12)
        self._rows: list[tuple[Text, CopyText]] = []
        self._below: list[QWidget] = []  # tags and collections
        self.show_record(library, record)

    def show_record(self, library: Library, record: Record) -> None:
        """Show this record in place of the one before."""
        fields = fields_of(record)
        labels = [*(field.label for field in fields), "Collections"]
        words = {word for label in labels for word in label.split()}
        # A word of a label is never cut, however narrow the pane is.
        self._grid.setColumnMinimumWidth(0, max(map(self.fontMetrics().horizontalAdvance, words)) + 1)
        before = ""
        for place, field in enumerate(fields):
            if place == len(self._rows):
                self._add_row()
            label, value = self._rows[place]
            # The same label again (a second author) is not repeated.
            label.set_text("" if field.label == before else field.label)
            value.set_value(field.label, field.value)
            before = field.label
        for place, row in enumerate(self._rows):
            for widget in row:
                widget.setVisible(place < len(fields))
        self._show_below(library, record)

    def _add_row(self) -> None:
        label, value = Text("", secondary=True, selectable=False), CopyText("", "")
        value.copied.connect(self.field_copied)
        for column, widget in enumerate((label, value)):
            self._grid.addWidget(widget, len(self._rows), column)
        self._rows.append((label, value))

    def _show_below(self, library: Library, record: Record) -> None:
        for widget in self._below:
            self._grid.removeWidget(widget)
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        self._below.clear()
        filed = record.collections if isinstance(record, Item | Attachment | Note) else ()
        row = len(self._rows)
        for title, values, icon in (
            ("Tags", record.tags, ""),
            ("Collections", collection_paths(library, filed), "collection"),
        ):
            if values:
                self._below += [Text(title, secondary=True, selectable=False), _Chips(values, icon)]
                for column, widget in enumerate(self._below[-2:]):
                    self._grid.addWidget(widget, row, column)
                row += 1


class _Chips(QWidget):
    def __init__(self, values: tuple[str, ...] | list[str], icon: str) -> None:
        super().__init__()
        flow = FlowLayout(unit(self) // 2, self)
        for value in values:
            flow.addWidget(_Chip(value, icon))
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)


class _Chip(QWidget):
    def __init__(self, text: str, icon: str) -> None:
        super().__init__()
        self._text, self._icon = text, icon
        self.setFont(small_font(self.font()))
        self.setAccessibleName(text)
        self.setToolTip(plain_tooltip(text))

    def sizeHint(self) -> QSize:
        step = unit(self)
        icon = 2 * step if self._icon else 0
        return QSize(
            self.fontMetrics().horizontalAdvance(self._text) + round(2.5 * step) + icon,
            line_height(self) + step // 2,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        c, step = colors(self), unit(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.track)
        radius = self.height() / 2
        painter.drawRoundedRect(self.rect(), radius, radius)
        room = self.rect().adjusted(step, 0, -step, 0)
        if self._icon:
            draw_icon(painter, self._icon, QRect(room.x(), 0, round(1.5 * step), self.height()), c.secondary)
            room.setLeft(room.left() + 2 * step)
        painter.setPen(c.ink)
        shown = painter.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)
