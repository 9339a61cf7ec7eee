"""A foldable section of the pane."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from zbm_gui.style import bold_font, colors, draw_icon, line_height, unit


class Section(QWidget):
    """A header and, while it is unfolded, a body.

    Signals:
        folded_changed(str, bool): name of the section, whether it is folded now.
    """

    folded_changed = Signal(str, bool)

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.title = title
        self.count: int | None = None
        self.header = _Header(title, self)
        self.header.clicked.connect(lambda: self.set_folded(not self.folded))
        self._body = QWidget(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._body)
        step = unit(self)
        inside = QVBoxLayout(self._body)
        inside.setContentsMargins(2 * step, step // 2, 2 * step, 2 * step)
        inside.setSpacing(0)

    @property
    def folded(self) -> bool:
        return self._body.isHidden()

    def set_folded(self, folded: bool) -> None:
        if folded != self.folded:
            self._body.setVisible(not folded)
            self.header.set_folded(folded)
            self.folded_changed.emit(self.name, folded)

    def set_count(self, count: int | None) -> None:
        self.count = count
        self.header.set_count(count)

    @property
    def short_title(self) -> str:
        """The title with the count: "Notes 2"."""
        return self.title if self.count is None else f"{self.title} {self.count:,}"

    def fill(self, *widgets: QWidget) -> None:
        """Put *widgets* in the place of what was there."""
        layout = self._body.layout()
        while layout.count():
            old = layout.takeAt(0).widget()
            old.hide()
            old.setParent(None)
            old.deleteLater()
        for widget in widgets:
            layout.addWidget(widget)

    def contents(self) -> list[QWidget]:
        layout = self._body.layout()
        return [layout.itemAt(place).widget() for place in range(layout.count())]


class _Header(QAbstractButton):
    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = title
        self._count: int | None = None
        self._folded = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._say()

    def set_folded(self, folded: bool) -> None:
        self._folded = folded
        self._say()

    def set_count(self, count: int | None) -> None:
        self._count = count
        self._say()

    def _say(self) -> None:
        count = "" if self._count is None else f" {self._count:,}"
        self.setAccessibleName(f"{self._title}{count}, {'folded' if self._folded else 'unfolded'}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(10 * unit(self), line_height(self) + 2 * unit(self))

    def paintEvent(self, event: QPaintEvent) -> None:
        c, step = colors(self), unit(self)
        painter = QPainter(self)
        if self.parentWidget().y() > 0:  # the first one has the title's line above it
            painter.fillRect(QRect(0, 0, self.width(), 1), c.hairline)
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect().adjusted(0, 1, 0, 0), c.hover)
        side = round(1.5 * step)
        chevron = QRect(step // 4, 0, side, self.height())
        draw_icon(painter, "chevron-right" if self._folded else "chevron-down", chevron, c.secondary)
        painter.setFont(bold_font(self.font()))
        painter.setPen(c.ink)
        room = self.rect().adjusted(2 * step, 0, -step, 0)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(room, flags, self._title)
        if self._count is not None:
            room.setLeft(room.left() + painter.fontMetrics().horizontalAdvance(self._title) + step)
            painter.setFont(self.font())
            painter.setPen(c.secondary)
            painter.drawText(room, flags, f"{self._count:,}")
