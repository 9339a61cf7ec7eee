"""The bar to find text in the document."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from zbm_gui import style
from zbm_gui.wording import counted, number

# Letters typed in a row are one query.
TYPING_REST_MS = 150
MAX_QUERY = 500


class FindBar(QWidget):
    """Signals:
    query_changed(str), step_requested(int): 1 next, -1 previous, closed()
    """

    query_changed = Signal(str)
    step_requested = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        row.setSpacing(unit // 2)
        self._edit = QLineEdit()
        self._edit.setPlaceholderText("Find in the document")
        self._edit.setAccessibleName("Find in the document")
        self._edit.setToolTip("Enter: next, Shift+Enter: previous, Esc: close")
        self._edit.setMaxLength(MAX_QUERY)
        self._edit.setClearButtonEnabled(True)
        for clear in self._edit.findChildren(QToolButton):
            clear.setAccessibleName("Clear")
            clear.setToolTip("Clear")
        self._edit.setMaximumWidth(self.fontMetrics().averageCharWidth() * 44)
        self._edit.textChanged.connect(lambda _text: self._typing.start())
        self._count = QLabel()
        self._count.setAccessibleName("Found")
        row.addWidget(self._edit, 1)
        row.addWidget(self._tool("arrow-up", "Previous (Shift+Enter)", lambda: self.step_requested.emit(-1)))
        row.addWidget(self._tool("arrow-down", "Next (Enter)", lambda: self.step_requested.emit(1)))
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self._tool("close", "Close (Esc)", self.closed.emit))
        self._typing = QTimer(self, singleShot=True, interval=TYPING_REST_MS)
        self._typing.timeout.connect(lambda: self.query_changed.emit(self._edit.text()))

    def _tool(self, name: str, text: str, slot: object) -> QToolButton:
        button = QToolButton()
        button.setIcon(style.icon(name))
        button.setAutoRaise(True)
        button.setToolTip(text)
        button.setAccessibleName(text.partition(" (")[0] + (" hit" if "Close" not in text else ""))
        button.clicked.connect(lambda: slot())  # type: ignore[operator]
        return button

    @property
    def query(self) -> str:
        return self._edit.text()

    def begin(self, text: str | None = None) -> None:
        """Show the bar, with *text* or what it held, ready to type over."""
        self.show()
        if text is not None:
            self._edit.setText(text)
            self._typing.stop()
            self.query_changed.emit(text)
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.selectAll()

    def set_count(self, current: int, count: int, finished: bool, complete: bool) -> None:
        """Say how many hits there are, *current* from 1, 0 for none chosen."""
        if not self.query.strip():
            said = ""
        elif not count:
            said = "Nothing found" if finished else "Searching…"
        else:
            total = number(count) + ("" if complete else "+")
            said = f"{number(current)} of {total}" if current else counted(count, "hit")
            said += "" if finished else " …"
        self._count.setText(said)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        if event.key() == keys.Key_Escape:
            self.closed.emit()
        elif event.key() in (keys.Key_Return, keys.Key_Enter):
            if self._typing.isActive():
                self._typing.stop()
                self.query_changed.emit(self._edit.text())  # goes to its first hit
                return
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.step_requested.emit(-1 if back else 1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = style.colors(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.ground)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors.hairline)
