"""Diagnostics: figures for whoever wonders what zbm is doing, hidden until asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, Qt, QTimer, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from zbm_core.diagnostics import as_text, figures
from zbm_gui import style
from zbm_gui.engine_thread import EngineThread
from zbm_gui.preferences.page import hint, wrapped

if TYPE_CHECKING:
    from zbm_core.diagnostics import Diagnostics

#: Seconds between looks while they are shown (facts of the reference: processes every 10 s).
EVERY = 5.0
COPIED = "Copied. It holds figures only: no titles, folders or queries."
WHAT_IS_COPIED = "What is copied holds figures only: no titles, folders or queries."


class DiagnosticsGroup(QWidget):
    """A disclosure; nothing is measured while it is closed or the page is out of sight."""

    def __init__(self, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._last: Diagnostics | None = None
        self._asking = False
        unit = style.unit(self)
        self.disclosure = QToolButton()
        self.disclosure.setText("Diagnostics")
        self.disclosure.setAutoRaise(True)
        self.disclosure.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.disclosure.setFont(style.bold_font(self.font()))
        # Not a checkable button: that looks pressed while it is open.
        self.disclosure.clicked.connect(lambda: self.set_open(not self.open))
        self.open = False
        self.body = QWidget()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * unit)
        self._grid.setVerticalSpacing(unit // 2)
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 3)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self.errors = wrapped()
        self.errors.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = QPushButton(style.icon("copy"), "Copy diagnostics")
        self.copy.clicked.connect(self._copy)
        self.said = hint(WHAT_IS_COPIED)
        foot = QHBoxLayout()
        foot.setSpacing(unit)
        foot.addWidget(self.copy)
        foot.addWidget(self.said, 1)
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(2 * unit, 0, 0, 0)
        inner.setSpacing(unit)
        inner.addLayout(self._grid)
        inner.addWidget(self.errors)
        inner.addLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(unit)
        column.addWidget(self.disclosure)
        column.addWidget(self.body)
        self._timer = QTimer(self, interval=round(EVERY * 1000))
        self._timer.timeout.connect(self._look)
        self.set_open(False)

    def set_open(self, open_: bool) -> None:
        self.open = open_
        self.disclosure.setIcon(style.icon("chevron-down" if open_ else "chevron-right"))
        self.disclosure.setAccessibleName(f"{'Hide' if open_ else 'Show'} diagnostics")
        self.body.setVisible(open_)
        self._watch()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._watch()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _watch(self) -> None:
        if self.open and self.isVisible():
            self.said.setText(WHAT_IS_COPIED)
            self._look()
            self._timer.start()
        else:
            self._timer.stop()

    def _look(self) -> None:
        if self._asking:
            return  # the lane is busy: one question waits there already
        self._asking = True

        def failed(failure) -> None:
            self._asking = False
            self.errors.setText(failure.message)

        self._engine.ask("diagnostics", lambda engine, _token: engine.figures.look(), self.show_look, failed)

    def show_look(self, look: Diagnostics) -> None:
        self._asking = False
        self._last = look
        lines = figures(look)
        while len(self._rows) < len(lines):
            row = len(self._rows)
            name, value = wrapped(), wrapped()
            name.setForegroundRole(name.foregroundRole().PlaceholderText)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
            self._rows.append((name, value))
        for row, (name, value) in enumerate(self._rows):
            shown = row < len(lines)
            name.setVisible(shown)
            value.setVisible(shown)
            if shown:
                name.setText(lines[row][0])
                value.setText(lines[row][1])
        self.copy.setEnabled(True)
        self.errors.setText(_errors(look))

    def _copy(self) -> None:
        if self._last is None:
            return
        QGuiApplication.clipboard().setText(as_text(self._last, [("Qt", qVersion())]))
        self.said.setText(COPIED)


def _errors(look: Diagnostics) -> str:
    if not look.errors:
        return "No errors since the start."
    lines = ["Last errors and warnings:"]
    for error in look.errors[:5]:
        when = QDateTime.fromSecsSinceEpoch(int(error.when)).toString("HH:mm:ss")
        lines.append(f"{when}  {' '.join(error.message.split())[:300]}")
    return "\n".join(lines)
