"""The index: how far it is, pausing it, making it anew."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from zbm_core.attention import in_words as attention_in_words
from zbm_core.engine_records import PAUSED
from zbm_gui import style
from zbm_gui.preferences.index_view import BarView, IndexView
from zbm_gui.preferences.page import wrapped

#: Steps of a bar: finer than a pixel.
_STEPS = 1000


class IndexGroup(QWidget):
    """Shows an `IndexView`.

    Signals:
        pause_requested(bool): pause (True) or go on.
        rebuild_requested(): asked once already.
        attention_requested(): show the documents that could not be read.
    """

    pause_requested = Signal(bool)
    rebuild_requested = Signal()
    attention_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paused = False
        self.view = IndexView()
        unit = style.unit(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * unit)
        grid.setVerticalSpacing(unit // 2)
        grid.setColumnStretch(0, 1)
        self.records, self.records_count = _bar_rows(grid, 0, "Metadata, notes and annotations", unit)
        self.documents, self.documents_count = _bar_rows(grid, 3, "Attachments", unit)
        self.meaning = wrapped()
        self.pause = QPushButton()
        self.pause.clicked.connect(lambda: self.pause_requested.emit(not self._paused))
        self.rebuild = QPushButton("Rebuild…")
        self.rebuild.setToolTip("Throw the index away and make it anew")
        self.rebuild.clicked.connect(self.rebuild_requested)
        acts = QHBoxLayout()
        acts.setSpacing(unit)
        acts.addWidget(self.meaning, 1)
        acts.addWidget(self.pause, 0, Qt.AlignmentFlag.AlignTop)
        acts.addWidget(self.rebuild, 0, Qt.AlignmentFlag.AlignTop)
        self.attention = QLabel()
        self.show_attention = QPushButton("Show")
        self.show_attention.setAccessibleName("Show the documents that need attention")
        self.show_attention.clicked.connect(self.attention_requested)
        row = QHBoxLayout()
        row.setSpacing(unit)
        row.addWidget(self.attention)
        row.addWidget(self.show_attention)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * unit, 0, 0, 0)
        column.setSpacing(unit)
        column.addLayout(grid)
        column.addLayout(acts)
        column.addLayout(row)
        self.set_paused(False)
        self.show_nothing()

    def show_nothing(self) -> None:
        """No library is open."""
        self.show_view(IndexView(step="No library is open."))

    def set_paused(self, paused: bool) -> None:
        self._paused = paused
        self._say()
        self.pause.setText("Resume" if paused else "Pause")
        self.pause.setAccessibleName(f"{self.pause.text()} indexing")

    def show_view(self, view: IndexView) -> None:
        self.view = view
        _fill(self.records, self.records_count, view.records)
        _fill(self.documents, self.documents_count, view.attachments)
        self._say()
        for button in (self.pause, self.rebuild):
            button.setEnabled(view.known)
        count = view.attention
        self.attention.setVisible(count > 0)
        self.show_attention.setVisible(count > 0)
        self.attention.setText(attention_in_words(count))

    def _say(self) -> None:
        paused = self._paused and self.view.known
        self.meaning.setText(f"{PAUSED} {self.view.step}" if paused else self.view.step)


def _bar_rows(grid: QGridLayout, row: int, text: str, unit: int) -> tuple[QProgressBar, QLabel]:
    """The name at the left, the counts at the right, the bar under both."""
    bar = style.FillingBar()
    bar.setRange(0, _STEPS)
    bar.setAccessibleName(text)
    count = QLabel()
    count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    grid.addWidget(wrapped(text), row, 0)
    grid.addWidget(count, row, 1)
    grid.addWidget(bar, row + 1, 0, 1, 2)
    grid.setRowMinimumHeight(row + 2, unit)
    return bar, count


def _fill(bar: QProgressBar, count: QLabel, view: BarView) -> None:
    bar.setValue(round(_STEPS * view.share))
    count.setText(view.text)
    bar.setAccessibleDescription(view.tip or view.text)
    for widget in (bar, count):
        widget.setToolTip(view.tip)
