"""The index: how far it is, pausing it, making it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

from zbm_gui import style
from zbm_gui.wording import about, counted, number

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.indexing.records import EmbeddingProgress, Progress
    from zbm_core.semantic import Preparing


class IndexGroup(QWidget):
    """Signals:
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
        unit = style.unit(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * unit)
        grid.setVerticalSpacing(unit)
        grid.setColumnStretch(1, 1)
        self.records, self.records_count = _bar_row(grid, 0, "Metadata, notes and annotations")
        self.documents, self.documents_count = _bar_row(grid, 1, "Attachments")
        self.meaning = QLabel()
        self.meaning.setTextFormat(Qt.TextFormat.PlainText)
        self.meaning.setWordWrap(True)
        self.pause = QPushButton()
        self.pause.clicked.connect(lambda: self.pause_requested.emit(not self._paused))
        self.rebuild = QPushButton("Rebuild…")
        self.rebuild.setToolTip("Throw the index away and make it anew")
        self.rebuild.clicked.connect(self.rebuild_requested)
        acts = QHBoxLayout()
        acts.setSpacing(unit)
        acts.addWidget(self.meaning, 1)
        acts.addWidget(self.pause)
        acts.addWidget(self.rebuild)
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
        for bar, count in ((self.records, self.records_count), (self.documents, self.documents_count)):
            bar.setRange(0, 1)
            bar.setValue(0)
            count.setText("")
        self.meaning.setText("No library is open.")
        self._show_attention(0)
        for button in (self.pause, self.rebuild):
            button.setEnabled(False)

    def set_paused(self, paused: bool) -> None:
        self._paused = paused
        self.pause.setText("Resume" if paused else "Pause")
        self.pause.setAccessibleName(f"{self.pause.text()} indexing")

    def show_progress(self, progress: Progress) -> None:
        """Where the word index stands."""
        for button in (self.pause, self.rebuild):
            button.setEnabled(True)
        _fill(self.records, self.records_count, progress.items_done, progress.items_total)
        left = progress.seconds_left
        _fill(self.documents, self.documents_count, progress.documents_done, progress.documents_total, left)
        self._show_attention(progress.attention)

    def show_preparing(self, preparing: Preparing) -> None:
        self.meaning.setText(f"{preparing.what}…")

    def show_embedding(self, progress: EmbeddingProgress) -> None:
        waiting = progress.total - progress.done
        words = f"Generating semantic data locally for {counted(waiting, 'passage')}"
        left = "" if progress.seconds_left is None else f" · {about(progress.seconds_left)}"
        self.meaning.setText(words + left)

    def describe(self, status: MeaningStatus | None, running: bool) -> None:
        """Where the index of meaning stands.

        Args:
            running: a model is being prepared or texts are being indexed just now.
        """
        if status is None or not status.enabled:
            self.meaning.setText("Searching by meaning is off.")
        elif not status.model:
            self.meaning.setText("No semantic data yet.")
        elif status.embedded == status.total:
            self.meaning.setText(f"Semantic data of {counted(status.total, 'passage')} is up to date.")
        elif running:
            waiting = counted(status.total - status.embedded, "passage")
            self.meaning.setText(f"Generating semantic data locally for {waiting}")
        else:
            waiting = status.total - status.embedded
            verb = "waits" if waiting == 1 else "wait"
            self.meaning.setText(f"{counted(waiting, 'passage')} {verb} for semantic data.")

    def _show_attention(self, count: int) -> None:
        self.attention.setVisible(count > 0)
        self.show_attention.setVisible(count > 0)
        self.attention.setText(f"{counted(count, 'document')} {'needs' if count == 1 else 'need'} attention")


def _bar_row(grid: QGridLayout, row: int, text: str) -> tuple[QProgressBar, QLabel]:
    bar = style.FillingBar()
    bar.setAccessibleName(text)
    count = QLabel()
    count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    grid.addWidget(QLabel(text), row, 0)
    grid.addWidget(bar, row, 1, Qt.AlignmentFlag.AlignVCenter)
    grid.addWidget(count, row, 2)
    return bar, count


def _fill(bar: QProgressBar, count: QLabel, done: int, total: int, left: float | None = None) -> None:
    bar.setRange(0, max(total, 1))
    bar.setValue(done if total else 1)  # nothing to do is done
    words = f"{number(done)} / {number(total)}"
    count.setText(words if left is None or done == total else f"{words} · {about(left)}")
