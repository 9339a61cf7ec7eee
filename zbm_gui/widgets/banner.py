"""A strip above or below a list: something that can be repaired, with its next step."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from zbm_gui import style
from zbm_gui.states import Act, State
from zbm_gui.widgets.icon_label import IconLabel


class Banner(QWidget):
    """Hidden until `show_state`; `clear` hides it.

    Signals:
        act_requested(Act, State): one of its acts was chosen; [Dismiss] has hidden the banner already.
    """

    act_requested = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: State | None = None
        unit = style.unit(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(unit + unit // 2, unit // 2, unit, unit // 2)
        self._row.setSpacing(unit)
        self._picture = IconLabel("info", style.icon_size(self))
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self._text, 1)
        self._buttons: list[QWidget] = []
        self.hide()

    @property
    def state(self) -> State | None:
        return self._state

    def show_state(self, state: State | None) -> None:
        if state is None:
            self.clear()
            return
        if state == self._state:
            return
        self._state = state
        self._picture.set_icon(state.icon, "warning" if state.icon == "warning" else "icon")
        text = " ".join(part for part in (state.title, state.text) if part)
        self._text.setText(text)
        self.setAccessibleName(text)
        self._drop_buttons()
        for act in state.acts:
            button = self._button(act)
            button.clicked.connect(lambda _checked=False, act=act: self._choose(act))
            self._row.addWidget(button)
            self._buttons.append(button)
        self.show()

    def clear(self) -> None:
        self._state = None
        self.hide()

    def _button(self, act: Act) -> QPushButton | QToolButton:
        if act is not Act.DISMISS:
            return QPushButton(str(act))
        button = QToolButton()
        button.setAutoRaise(True)
        button.setIcon(style.icon("close"))
        button.setToolTip("Dismiss")
        button.setAccessibleName("Dismiss")
        return button

    def _choose(self, act: Act) -> None:
        state = self._state
        if act is Act.DISMISS:
            self.clear()
        self.act_requested.emit(act, state)

    def _drop_buttons(self) -> None:
        for button in self._buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self._buttons = []

    def paintEvent(self, event: QPaintEvent) -> None:
        c = style.colors(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), c.ground)
        for line in (0, self.height() - 1):
            painter.fillRect(0, line, self.width(), 1, c.hairline)
