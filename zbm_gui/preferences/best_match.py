"""Best Match: searching by meaning, the cutoff, which engines rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QButtonGroup, QFormLayout, QHBoxLayout, QLabel, QRadioButton, QSlider, QWidget

from zbm_core.settings import Settings
from zbm_gui import style
from zbm_gui.preferences.editors import Store, choice_name, make_editor, setting_of
from zbm_gui.wording import counted, megabytes, number

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.search.records import SearchResult

#: The slider is stored, and the last search asked again, when it has stood still for this long.
SETTLED_MS = 150


class BestMatchGroup(QWidget):
    """Three settings and what follows from them: the model in use, what the cutoff keeps.

    Args:
        store: called with a key and its new value.
    """

    def __init__(self, settings: Settings, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._store = settings, store
        unit = style.unit(self)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(2 * unit, 0, 0, 0)
        self._form.setHorizontalSpacing(2 * unit)
        self._form.setVerticalSpacing(unit)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)

        self.semantic = make_editor(settings, "search.semantic", self._on_semantic)
        self._form.addRow(self.semantic)
        self.model = _hint()
        self._form.addRow("Model", self.model)

        self.cutoff = QSlider(Qt.Orientation.Horizontal)
        setting = setting_of("search.margin")
        self.cutoff.setRange(setting.low, setting.high)
        self.cutoff.setPageStep(10)
        self.cutoff.setMinimumWidth(unit * 24)
        self.cutoff.setMaximumWidth(unit * 40)
        self.cutoff.setValue(settings.get("search.margin"))
        self.cutoff.setAccessibleName("Cutoff, from tight to wide")
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._on_settled)
        self.cutoff.valueChanged.connect(lambda _value: self._settled.start())
        row = QHBoxLayout()
        row.setSpacing(unit)
        row.addWidget(QLabel("tight"))
        row.addWidget(self.cutoff, 1)
        row.addWidget(QLabel("wide"))
        row.addStretch()
        self._form.addRow(setting.text, row)
        self.kept = _hint()
        self._form.addRow("", self.kept)

        self.engines: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(2 * unit)
        for choice in setting_of("search.engine").choices:
            button = QRadioButton(choice_name("search.engine", choice))
            button.setChecked(choice == settings.get("search.engine"))
            button.toggled.connect(lambda on, choice=choice: on and self._store("search.engine", choice))
            self._group.addButton(button)
            self.engines[choice] = button
            row.addWidget(button)
        row.addStretch()
        self._form.addRow(setting_of("search.engine").text, row)
        self._status: MeaningStatus | None = None
        self.show_result(None)
        self._show_model()

    def _on_semantic(self, key: str, on: object) -> None:
        self._store(key, on)
        self._show_model()

    def _on_settled(self) -> None:
        if self.cutoff.value() != self._settings.get("search.margin"):
            self._store("search.margin", self.cutoff.value())

    def describe(self, status: MeaningStatus | None) -> None:
        """Which model is in use."""
        self._status = status
        self._show_model()

    def _show_model(self) -> None:
        on = self._settings.get("search.semantic")
        for button in self.engines.values():
            button.setEnabled(on)
        if not on:
            self.model.setText("Off: items are found by their words. What was indexed by meaning is kept.")
            return
        status = self._status
        if status is None or not status.model:
            self.model.setText("None is ready yet.")
            return
        size = megabytes(status.size) if status.size else ""
        self.model.setText(" · ".join(part for part in (status.model, status.licence, size) if part))

    def show_result(self, result: SearchResult | None) -> None:
        """What the cutoff keeps of the search that is shown."""
        if result is None or not (result.matches or result.hidden):
            self.kept.setText("How many of the weaker matches are listed.")
            return
        found = len(result.matches) + result.hidden
        self.kept.setText(
            f"Keeps {number(len(result.matches))} of {counted(found, 'match', 'matches')} of your last search."
        )


def _hint() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setForegroundRole(label.foregroundRole().PlaceholderText)
    return label
