"""A page that says one `State` in the middle of the space a list would have."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from zbm_gui import style
from zbm_gui.states import State
from zbm_gui.widgets.icon_label import IconLabel

#: A measure of text the eye follows easily, in average characters.
_MEASURE = 62


class StatePage(QScrollArea):
    """Signals: act_requested(Act, State): the user chose one of the state's acts."""

    act_requested = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._state: State | None = None

    @property
    def state(self) -> State | None:
        return self._state

    def show_state(self, state: State) -> None:
        """Show *state*; the same one again changes nothing, so that focus stays."""
        if state == self._state:
            return
        had_focus = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._state = state
        self.setWidget(self._built(state))
        self.setAccessibleName(" ".join((state.title + ".", state.text)))
        if had_focus:
            self.focus_first_act()

    def focus_first_act(self) -> bool:
        button = self.widget().findChild(QPushButton) if self.widget() else None
        if button is not None:
            button.setFocus()
        return button is not None

    def _built(self, state: State) -> QWidget:
        page = QWidget()
        page.setAutoFillBackground(True)
        page.setBackgroundRole(QPalette.ColorRole.Base)
        unit = style.unit(self)
        body = QWidget()
        body.setMaximumWidth(self.fontMetrics().averageCharWidth() * _MEASURE)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(unit)
        column.addWidget(IconLabel(state.icon, 5 * unit, "faint"), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(_text(state.title, style.title_font(self.font())))
        if state.text:
            column.addWidget(_text(state.text, self.font()))
        if state.lines:
            lines = _text("\n".join(state.lines), style.small_font(self.font()))
            lines.setTextInteractionFlags(_READABLE)
            column.addWidget(lines)
        if state.busy:
            bar = QProgressBar()
            bar.setRange(0, 0)
            bar.setTextVisible(False)
            bar.setFixedSize(unit * 20, unit // 2)
            column.addWidget(bar, 0, Qt.AlignmentFlag.AlignHCenter)
        if state.acts:
            column.addSpacing(unit)
            column.addLayout(self._buttons(state))

        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(body, 1000)  # as wide as it may be before the stretches get anything
        row.addStretch(1)
        around = QVBoxLayout(page)
        around.setContentsMargins(3 * unit, 3 * unit, 3 * unit, 3 * unit)
        around.addStretch(2)
        around.addLayout(row)
        around.addStretch(3)  # a little above the middle looks like the middle
        return page

    def _buttons(self, state: State) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch()
        for place, act in enumerate(state.acts):
            button = QPushButton(str(act))
            button.setAutoDefault(True)
            button.setDefault(place == 0)
            button.clicked.connect(lambda _checked, act=act: self.act_requested.emit(act, state))
            row.addWidget(button)
        row.addStretch()
        return row


_READABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


def _text(words: str, font: QFont) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)  # file names and errors are not markup
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setFont(font)
    return label
