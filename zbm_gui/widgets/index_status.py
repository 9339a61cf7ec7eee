"""Indexing in the status bar: how far it is, and a button to pause it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from zbm_core.indexing.records import Phase
from zbm_gui import style
from zbm_gui.wording import about, counted, number

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.indexing.records import EmbeddingProgress, Progress
    from zbm_core.semantic import Preparing


class IndexStatus(QWidget):
    """Signals:
    pause_requested(bool): pause (True) or go on.
    attention_requested(): the user wants to see which documents could not be read.
    """

    pause_requested = Signal(bool)
    attention_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paused = False
        self._model = ""
        self.label = QLabel()
        self.bar = style.FillingBar()
        self.bar.setFixedWidth(style.unit(self) * 12)
        self.bar.setAccessibleName("Indexing progress")
        self.button = QToolButton()
        self.button.setAutoRaise(True)
        self.button.clicked.connect(lambda: self.pause_requested.emit(not self._paused))
        self.attention = QToolButton()
        self.attention.setAutoRaise(True)
        self.attention.setIcon(style.icon("warning", role="warning"))
        self.attention.clicked.connect(self.attention_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(style.unit(self))
        for widget in (self.label, self.bar, self.button, self.attention):
            row.addWidget(widget)
        self.show_nothing()

    def show_nothing(self) -> None:
        """No library is open, or all is indexed and there is nothing to say."""
        for widget in (self.label, self.bar, self.button, self.attention):
            widget.hide()

    def show_progress(self, progress: Progress) -> None:
        """A run is under way."""
        self._paused = False
        documents = progress.phase is Phase.DOCUMENTS
        done = progress.documents_done if documents else progress.items_done
        total = progress.documents_total if documents else progress.items_total
        if progress.phase is Phase.READING:
            self.label.setText("Comparing with the library")
            self.bar.setRange(0, 0)
        else:
            what = "documents" if documents else "items"
            self.label.setText(f"Indexing {what}  {number(done)} / {number(total)}")
            self.bar.setRange(0, max(total, 1))
            self.bar.setValue(done)
        left = "" if progress.seconds_left is None else f"{about(progress.seconds_left).capitalize()} left. "
        self.label.setToolTip(f"{left}{progress.current}".strip())
        self._show_button("pause", "Pause indexing")
        self.label.show()
        self.bar.show()
        self._show_attention(progress.attention)

    def describe_meaning(self, status: MeaningStatus) -> None:
        """Which model is in use, for the tooltip."""
        self._model = status.model

    def show_preparing(self, preparing: Preparing) -> None:
        """A model is being fetched or made."""
        words = preparing.what
        if preparing.total:
            words += f"  {min(1.0, preparing.done / preparing.total):.0%}"
        self._show_meaning(words, preparing.done, preparing.total or 0)
        self.label.setToolTip(f"{preparing.what}. Words are searched meanwhile.")

    def show_embedding(self, progress: EmbeddingProgress) -> None:
        """Passages are being indexed by meaning."""
        words = f"Indexing meaning  {number(progress.done)} / {number(progress.total)}"
        if progress.seconds_left is not None:
            words += f" · {about(progress.seconds_left)}"
        self._show_meaning(words, progress.done, max(progress.total, 1))
        by = f" by {self._model}" if self._model else ""
        self.label.setToolTip(f"Passages indexed{by}, on this computer. Words are searched meanwhile.")

    def _show_meaning(self, words: str, done: int, total: int) -> None:
        self._paused = False
        self.label.setText(words)
        self.bar.setRange(0, 1000 if total else 0)  # bytes may not fit Qt's numbers
        self.bar.setValue(round(1000 * min(1.0, done / total)) if total else 0)
        self._show_button("pause", "Pause indexing")
        self.label.show()
        self.bar.show()

    def show_paused(self, progress: Progress | None) -> None:
        self._paused = True
        self.label.setText("Indexing paused")
        self.label.setToolTip("")
        self.label.show()
        self.bar.hide()
        self._show_button("play", "Resume indexing")
        self._show_attention(progress.attention if progress else 0)

    def show_finished(self, progress: Progress) -> None:
        self.show_nothing()
        self._show_attention(progress.attention)

    def _show_button(self, icon: str, words: str) -> None:
        self.button.setIcon(style.icon(icon))
        self.button.setToolTip(words)
        self.button.setAccessibleName(words)
        self.button.show()

    def _show_attention(self, count: int) -> None:
        words = f"{counted(count, 'document')} {'needs' if count == 1 else 'need'} attention"
        self.attention.setVisible(count > 0)
        self.attention.setToolTip(words)
        self.attention.setAccessibleName(words)
        self.attention.setText(number(count))
