"""Filter chips: a small button that says what it lets through and opens the choice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QIntValidator, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from zbm_gui import style

#: A chip never grows wider than this many average characters: the search field needs the room.
_WIDEST = 20


class Chip(QToolButton):
    """A rounded button: `label` while it lets everything through, its `value` in accent when it filters."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label, self._value, self._filters = label, "", False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_value("")

    @property
    def value(self) -> str:
        return self._value

    def set_value(self, value: str, filters: bool = True) -> None:
        """Say *value* instead of the label; *filters*: it leaves something out, so it stands out."""
        self._value = value
        self._filters = filters and bool(value)
        self.setAccessibleName(f"{self._label}: {value or 'any'}")
        tip = f"{self._label}: {value}" if value else f"Filter by {self._label.lower()}"
        self.setToolTip(style.plain_tooltip(tip))
        self.updateGeometry()
        self.update()

    def _shown(self) -> str:
        metrics = QFontMetrics(self.font())
        return metrics.elidedText(
            self._value or self._label, Qt.TextElideMode.ElideRight, metrics.averageCharWidth() * _WIDEST
        )

    def sizeHint(self) -> QSize:
        unit, metrics = style.unit(self), QFontMetrics(self.font())
        width = metrics.horizontalAdvance(self._shown()) + unit * 2 + style.icon_size(self) - unit // 2
        return QSize(width, metrics.height() + unit)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        c, unit = style.colors(self), style.unit(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        filters = self._filters and self.isEnabled()
        ground = c.selection if filters else c.paper
        painter.setPen(c.accent if self.hasFocus() else c.selection if filters else c.hairline)
        painter.setBrush(ground)
        radius = box.height() / 2
        painter.drawRoundedRect(box, radius, radius)
        if self.underMouse() and self.isEnabled():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c.hover)
            painter.drawRoundedRect(box, radius, radius)
        painter.setPen(c.faint if not self.isEnabled() else c.ink if filters else c.secondary)
        mark = style.icon_size(self) * 3 // 4
        text = self.rect().adjusted(unit, 0, -mark - unit // 2, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._shown())
        arrow = self.rect()
        arrow.setLeft(arrow.right() - mark - unit // 2)
        arrow.setWidth(mark)
        style.draw_icon(painter, "chevron-down", arrow, c.secondary)


class _Popup(QFrame):
    """A small panel under a chip; Esc or a click elsewhere closes it."""

    closed = Signal()

    def __init__(self, chip: Chip) -> None:
        super().__init__(chip, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.column = QVBoxLayout(self)
        unit = style.unit(chip)
        self.column.setContentsMargins(unit, unit, unit, unit)
        self.column.setSpacing(unit)

    def open_under(self, chip: Chip) -> None:
        self.adjustSize()
        at = chip.mapToGlobal(QPoint(0, chip.height() + 2))
        screen = chip.screen().availableGeometry()
        at.setX(max(screen.left(), min(at.x(), screen.right() - self.width())))
        self.move(at)
        self.show()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self.closed.emit()


class ChecksChip(Chip):
    """Lets any number of choices be ticked.

    Signals: changed(): the ticked choices are others than before.
    """

    changed = Signal()

    #: Longer lists get a field to narrow them.
    _SEARCHED_FROM = 12
    #: Rows shown before the list scrolls.
    _ROWS = 14
    #: A library may carry tens of thousands of tags; the field finds the rest.
    _LISTED = 500

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, parent)
        self._choices: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._ticked: list[str] = []
        self.clicked.connect(self._open)

    @property
    def ticked(self) -> tuple[str, ...]:
        return tuple(self._ticked)

    def set_choices(self, choices: dict[str, str], counts: dict[str, int]) -> None:
        """*choices* maps a value to its name; *counts* to how many items have it. Ticks on values gone are kept."""
        self._choices, self._counts = choices, counts
        self.setEnabled(bool(choices) or bool(self._ticked))

    def set_ticked(self, values: Sequence[str]) -> None:
        self._ticked = list(values)
        names = [self._choices.get(value, value) for value in self._ticked]
        self.set_value(names[0] if len(names) == 1 else f"{names[0]} +{len(names) - 1}" if names else "")

    def _open(self) -> None:
        popup = _Popup(self)
        before = list(self._ticked)
        field = QLineEdit()
        field.setPlaceholderText("Narrow the list")
        field.setAccessibleName(f"Narrow the list of {self._label.lower()}")
        rows = QListWidget()
        rows.setAccessibleName(self._label)
        rows.setUniformItemSizes(True)
        rows.setFrameShape(QFrame.Shape.NoFrame)
        clear = QPushButton("Any")
        clear.setToolTip("Remove this filter")

        def fill() -> None:
            rows.blockSignals(True)
            rows.clear()
            wanted = field.text().casefold().strip()
            fitting = [value for value, name in self._choices.items() if wanted in name.casefold()]
            first = [value for value in self._ticked if value in fitting or not wanted]
            for value in [*first, *(value for value in fitting if value not in self._ticked)][: self._LISTED]:
                count = self._counts.get(value)
                name = self._choices.get(value, value)
                row = QListWidgetItem(name if count is None else f"{name}  ({count:,})", rows)
                row.setData(Qt.ItemDataRole.UserRole, value)
                row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                row.setCheckState(Qt.CheckState.Checked if value in self._ticked else Qt.CheckState.Unchecked)
            rows.blockSignals(False)

        def tick(row: QListWidgetItem) -> None:
            value = row.data(Qt.ItemDataRole.UserRole)
            ticked = [other for other in self._ticked if other != value]
            if row.checkState() is Qt.CheckState.Checked:
                ticked.append(value)
            self.set_ticked(ticked)

        def toggle(row: QListWidgetItem) -> None:
            checked = row.checkState() is Qt.CheckState.Checked
            row.setCheckState(Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked)

        def drop() -> None:
            self.set_ticked(())
            popup.close()

        def close() -> None:
            if before != self._ticked:
                self.changed.emit()
            popup.deleteLater()

        field.textChanged.connect(fill)
        rows.itemChanged.connect(tick)
        rows.itemActivated.connect(toggle)
        clear.clicked.connect(drop)
        popup.closed.connect(close)
        if len(self._choices) >= self._SEARCHED_FROM:
            popup.column.addWidget(field)
        popup.column.addWidget(rows)
        popup.column.addWidget(clear, 0, Qt.AlignmentFlag.AlignRight)
        fill()
        shown = max(3, min(rows.count(), self._ROWS))
        rows.setMinimumSize(
            self.fontMetrics().averageCharWidth() * 32, shown * max(rows.sizeHintForRow(0), 18) + 4
        )
        if rows.count():
            rows.setCurrentRow(0)
        popup.open_under(self)
        (field if field.parent() is popup else rows).setFocus()


class YearsChip(Chip):
    """A range of years, open on either side. Signals: changed()."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Year", parent)
        self._from: int | None = None
        self._to: int | None = None
        self._known: tuple[int, int] | None = None
        self.clicked.connect(self._open)

    @property
    def years(self) -> tuple[int | None, int | None]:
        return self._from, self._to

    def set_known(self, known: tuple[int, int] | None) -> None:
        self._known = known
        self.setEnabled(known is not None or self._from is not None or self._to is not None)

    def set_years(self, first: int | None, last: int | None) -> None:
        if first is not None and last is not None and first > last:
            first, last = last, first
        self._from, self._to = first, last
        if first is None and last is None:
            self.set_value("")
        elif first == last:
            self.set_value(str(first))
        elif last is None:
            self.set_value(f"from {first}")
        elif first is None:
            self.set_value(f"to {last}")
        else:
            self.set_value(f"{first}–{last}")

    def _open(self) -> None:
        popup = _Popup(self)
        before = self.years
        known = self._known or (1900, 2100)
        fields = []
        row = QHBoxLayout()
        for name, value, hint in (("From", self._from, known[0]), ("to", self._to, known[1])):
            field = QLineEdit("" if value is None else str(value))
            field.setValidator(QIntValidator(0, 9999, field))
            field.setPlaceholderText(str(hint))
            field.setAccessibleName(f"{name} year")
            field.setMaximumWidth(self.fontMetrics().averageCharWidth() * 10)
            label = QLabel(name)
            label.setBuddy(field)
            row.addWidget(label)
            row.addWidget(field)
            fields.append(field)
        clear = QPushButton("Any")
        clear.setToolTip("Remove this filter")

        def drop() -> None:
            for field in fields:
                field.clear()
            popup.close()

        def close() -> None:
            first, last = (int(field.text()) if field.text().strip() else None for field in fields)
            self.set_years(first, last)
            if self.years != before:
                self.changed.emit()
            popup.deleteLater()

        for field in fields:
            field.returnPressed.connect(popup.close)
        clear.clicked.connect(drop)
        popup.closed.connect(close)
        popup.column.addLayout(row)
        popup.column.addWidget(clear, 0, Qt.AlignmentFlag.AlignRight)
        popup.open_under(self)
        fields[0].setFocus()
