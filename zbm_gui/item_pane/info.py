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
    """Every filled field of a record.

    Signals:
        field_copied(str): label of the field whose value is on the clipboard now.
    """

    field_copied = Signal(str)

    def __init__(self, library: Library, record: Record, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        step = unit(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(round(1.5 * step))
        grid.setVerticalSpacing(step // 2)
        grid.setColumnStretch(0, 5)
        grid.setColumnStretch(1, 12)
        fields = fields_of(record)
        labels = [*(field.label for field in fields), "Collections"]
        words = {word for label in labels for word in label.split()}
        # A word of a label is never cut, however narrow the pane is.
        grid.setColumnMinimumWidth(0, max(map(self.fontMetrics().horizontalAdvance, words)) + 1)
        row = 0
        before = ""
        for field in fields:
            # The same label again (a second author) is not repeated.
            words = "" if field.label == before else field.label
            label = Text(words, secondary=True, selectable=False)
            value = CopyText(field.label, field.value)
            value.copied.connect(self.field_copied)
            grid.addWidget(label, row, 0)
            grid.addWidget(value, row, 1)
            before = field.label
            row += 1
        filed = record.collections if isinstance(record, Item | Attachment | Note) else ()
        for title, values, icon in (
            ("Tags", record.tags, ""),
            ("Collections", collection_paths(library, filed), "collection"),
        ):
            if values:
                grid.addWidget(Text(title, secondary=True, selectable=False), row, 0)
                grid.addWidget(_Chips(values, icon), row, 1)
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
