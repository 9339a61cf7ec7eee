"""The steps of a test of a server, ticked off as they end, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from zbm_gui import style
from zbm_gui.widgets.icon_label import IconLabel
from zbm_gui.widgets.spinner import Spinner

if TYPE_CHECKING:
    from zbm_core.semantic import Check, Verdict


#: Steps of a test, and lines that what came of it takes.
_CHECKS, _OUTCOME_LINES = 5, 3


class EndpointChecks(QWidget):
    """Rows appear as their checks end; under them one sentence, and what to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        self.rows: list[tuple[str, bool, str]] = []  # what is shown: name, passed, text
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(unit)
        self._grid.setVerticalSpacing(unit // 2)
        self._grid.setColumnStretch(2, 1)
        self.spinner = Spinner()
        self.spinner.hide()
        self.outcome = QLabel()
        self.outcome.setTextFormat(Qt.TextFormat.PlainText)
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.outcome.setWordWrap(True)
        last = QHBoxLayout()
        last.setSpacing(unit)
        last.addWidget(self.spinner, 0, Qt.AlignmentFlag.AlignTop)
        last.addWidget(self.outcome, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * unit, unit, 0, 0)
        column.setSpacing(unit)
        column.addLayout(self._grid)
        column.addLayout(last)
        column.addStretch(1)
        # Room for all of it from the start: nothing moves while checks end.
        lines = style.line_height(self) + unit // 2
        self.setMinimumHeight((_CHECKS + _OUTCOME_LINES) * lines + 2 * unit)

    def start(self) -> None:
        self.clear()
        self.spinner.show()
        self._say("Testing the server…", "ink")

    def clear(self) -> None:
        self.rows = []
        while (taken := self._grid.takeAt(0)) is not None:
            taken.widget().hide()  # at once: the next rows stand in its place
            taken.widget().deleteLater()
        self.spinner.hide()
        self._say("", "ink")

    def add(self, check: Check) -> None:
        row = len(self.rows)
        self.rows.append((check.name, check.passed, check.text))
        name, role = ("ok", "ok") if check.passed else ("error", "error")
        text = QLabel(check.text)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setAccessibleName(f"{check.name} {'passed' if check.passed else 'failed'}: {check.text}")
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(IconLabel(name, style.icon_size(self), role), row, 0, top)
        self._grid.addWidget(QLabel(check.name), row, 1, top)
        self._grid.addWidget(text, row, 2, top)

    def finish(self, verdict: Verdict) -> None:
        """What the test came to, and what to do."""
        self.spinner.hide()
        self._say(f"{verdict.sentence} {verdict.remedy}".strip(), "ink")

    def say(self, message: str) -> None:
        """Something to know, which is no failure."""
        self.spinner.hide()
        self._say(message, "ink")

    def fail(self, message: str) -> None:
        """The test could not be made."""
        self.spinner.hide()
        self._say(message, "error")

    def _say(self, text: str, role: str) -> None:
        palette = self.outcome.palette()
        palette.setColor(self.outcome.foregroundRole(), getattr(style.colors(self), role))
        self.outcome.setPalette(palette)
        self.outcome.setText(text)
        self.outcome.setVisible(bool(text))
