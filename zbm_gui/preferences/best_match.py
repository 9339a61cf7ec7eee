"""Best Match: searching by meaning and its model, the cutoff, which engines rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from zbm_core.settings import Settings
from zbm_gui import style
from zbm_gui.preferences.cost import cost_in_words, model_in_words
from zbm_gui.preferences.editors import Store, choice_name, make_editor, setting_of
from zbm_gui.preferences.page import calm_wheel, hint
from zbm_gui.wording import counted, megabytes, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zbm_core.engine_records import MeaningStatus, ModelChoice
    from zbm_core.meaning_cost import MeaningCost
    from zbm_core.search import Session

#: The slider is stored, and the last search asked again, when it has stood still for this long.
SETTLED_MS = 150
#: What the model is called that zbm picks itself.
AUTOMATIC = "The best on this computer"


class BestMatchGroup(QWidget):
    """The choices and what follows from them: cost, the model in use, what the cutoff keeps.

    Args:
        store: called with a key and its new value.

    Signals:
        model_chosen(str): another model, by its name, "" for zbm's own choice; not stored yet.
    """

    model_chosen = Signal(str)

    def __init__(self, settings: Settings, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._store = settings, store
        self._status: MeaningStatus | None = None
        self._session: Session | None = None
        self._cost: MeaningCost | None = None
        self._choices: tuple[ModelChoice, ...] = ()
        unit = style.unit(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * unit, 0, 0, 0)
        column.setSpacing(unit)

        self.semantic = make_editor(settings, "search.semantic", self._on_semantic)
        self.cost = hint()
        column.addWidget(self.semantic)
        column.addWidget(self.cost)

        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * unit)
        grid.setVerticalSpacing(unit)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        self.models = QComboBox()
        self.models.setAccessibleName("Embedding model")
        # A long name is cut in the box and whole in its list: the page does not grow with it.
        self.models.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.models.setMinimumContentsLength(12)
        self.models.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.models.addItem(AUTOMATIC, "")
        self.models.activated.connect(self._on_model)
        self.model, self.kept = hint(), hint()
        cutoff = self._make_cutoff(unit)
        for widget in (self.models, self.cutoff):
            calm_wheel(widget)
        rows = (
            ("Model", self.models, self.model),
            (setting_of("search.margin").text, cutoff, self.kept),
            (setting_of("search.engine").text, self._make_engines(unit), None),
        )
        for number_, (name, editor, words) in enumerate(rows):
            cell = QVBoxLayout()
            cell.setSpacing(unit // 2)
            cell.addWidget(editor)
            if words is not None:
                cell.addWidget(words)
            label = QLabel(name)
            # Beside the first line of what it names.
            first = editor if number_ < 2 else next(iter(self.engines.values()))
            label.setMinimumHeight(first.sizeHint().height())
            grid.addWidget(label, number_, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(cell, number_, 1)
        self.show_search(None)
        self.show_cost(None)
        self._show_model()

    def _make_cutoff(self, unit: int) -> QWidget:
        self.cutoff = QSlider(Qt.Orientation.Horizontal)
        setting = setting_of("search.margin")
        self.cutoff.setRange(setting.low, setting.high)
        self.cutoff.setPageStep(10)
        self.cutoff.setMinimumWidth(unit * 12)
        self.cutoff.setMaximumWidth(unit * 40)
        self.cutoff.setValue(self._settings.get("search.margin"))
        self.cutoff.setAccessibleName("Cutoff, from tight to wide")
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._on_settled)
        self.cutoff.valueChanged.connect(self._on_moved)
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(unit)
        for widget in (QLabel("tight"), self.cutoff, QLabel("wide")):
            layout.addWidget(widget)
        layout.addStretch()
        return row

    def _make_engines(self, unit: int) -> QWidget:
        self.engines: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        for choice in setting_of("search.engine").choices:
            button = QRadioButton(choice_name("search.engine", choice))
            button.setChecked(choice == self._settings.get("search.engine"))
            button.toggled.connect(lambda on, choice=choice: on and self._store("search.engine", choice))
            style.visible_indicators(button)
            self._group.addButton(button)
            self.engines[choice] = button
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(unit // 2)
        for button in self.engines.values():
            layout.addWidget(button)
        return box

    # --- meaning ------------------------------------------------------------------------------------

    def _on_semantic(self, key: str, on: object) -> None:
        self._store(key, on)
        self._show_model()
        self.show_cost(self._cost)

    def _on_model(self, _index: int) -> None:
        name = self.models.currentData()
        if name != self._settings.get("semantic.model"):
            self.model_chosen.emit(name)

    def show_models(self, choices: Sequence[ModelChoice]) -> None:
        """What there is to choose from; the stored choice is selected, known or not."""
        chosen = self._settings.get("semantic.model")
        if (choices := tuple(choices)) == self._choices:
            self.show_choice()  # its list may be open just now
            return
        self._choices = choices
        self.models.clear()
        self.models.addItem(AUTOMATIC, "")
        for choice in choices:
            self.models.addItem(model_in_words(choice), choice.name)
            self.models.setItemData(
                self.models.count() - 1, model_in_words(choice), Qt.ItemDataRole.ToolTipRole
            )
        if chosen and self.models.findData(chosen) < 0:
            self.models.addItem(f"{chosen} · no longer known", chosen)
        self.show_choice()

    def show_choice(self) -> None:
        """Select the stored model: the box was changed and the change was not wanted."""
        self.models.setCurrentIndex(max(0, self.models.findData(self._settings.get("semantic.model"))))

    def show_cost(self, cost: MeaningCost | None) -> None:
        """What searching by meaning takes for this library."""
        self._cost = cost
        self.cost.setText(cost_in_words(cost, self._settings.get("search.semantic")))

    def describe(self, status: MeaningStatus | None) -> None:
        """Which model is in use."""
        self._status = status
        self._show_model()

    def _show_model(self) -> None:
        on = self._settings.get("search.semantic")
        for widget in (*self.engines.values(), self.models):
            widget.setEnabled(on)
        if not on:
            self.model.setText("Off: items are found by their words. What was indexed by meaning is kept.")
            return
        status = self._status
        if status is None or not status.model:
            self.model.setText("None is ready yet.")
            return
        size = megabytes(status.size) if status.size else ""
        self.model.setText(
            "In use: " + " · ".join(part for part in (status.model, status.licence, size) if part)
        )

    # --- the cutoff ---------------------------------------------------------------------------------

    def _on_moved(self, _value: int) -> None:
        self._settled.start()
        self._show_kept()

    def _on_settled(self) -> None:
        if self.cutoff.value() != self._settings.get("search.margin"):
            self._store("search.margin", self.cutoff.value())

    def show_search(self, session: Session | None) -> None:
        """The search that is shown in the window: what the cutoff keeps of it is counted as it moves."""
        self._session = session
        self._show_kept()

    def _show_kept(self) -> None:
        kept, found = self._session.kept_at(self.cutoff.value()) if self._session is not None else (0, 0)
        if not found:
            self.kept.setText("How many of the weaker matches are listed.")
            return
        self.kept.setText(
            f"Keeps {number(kept)} of {counted(found, 'match', 'matches')} of your last search."
        )
        self.cutoff.setAccessibleDescription(self.kept.text())
