"""Indexing in the status bar: how far it is, and a button to pause it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from zbm_core.attention import in_words as attention_in_words
from zbm_core.indexing.records import Step
from zbm_gui import style
from zbm_gui.wording import about, number

if TYPE_CHECKING:
    from zbm_core.engine import MeaningStatus
    from zbm_core.indexing.records import RunProgress
    from zbm_core.semantic import Preparing

_OF_MEANING = frozenset({Step.EMBED, Step.RECORDS_MEANING})
_OF_RECORDS = frozenset({Step.READING, Step.RECORDS, Step.RECORDS_MEANING})


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

    def show_run(self, progress: RunProgress) -> None:
        """A run is under way: its step in words, how far the bar it belongs to is, both in the tooltip."""
        self._paused = False
        of_records = progress.step in _OF_RECORDS
        bar = progress.records if of_records else progress.attachments
        words = progress.in_words
        match progress.step:
            case Step.RECORDS:
                words = f"Indexing items  {number(bar.words)} / {number(bar.total)}"
            case Step.EXTRACT:
                words = f"Indexing documents  {number(bar.words)} / {number(bar.total)}"
        if progress.seconds_left is not None and not progress.waiting:
            words += f" · {about(progress.seconds_left)}"
        self.label.setText(words)
        counted_yet = progress.step not in (Step.READING, Step.MODEL)
        self.bar.setRange(0, 1000 if counted_yet else 0)
        self.bar.setValue(round(1000 * bar.share) if counted_yet else 0)
        self.label.setToolTip(self._tip(progress))
        for widget in (self.label, self.bar):
            widget.setVisible(bool(words))
        self.button.setVisible(bool(words))
        if words:
            self._show_button("pause", "Pause indexing")
        self._show_attention(progress.attention)

    def _tip(self, progress: RunProgress) -> str:
        records, attachments = progress.records, progress.attachments
        lines = [
            f"Metadata, notes and annotations: {number(records.meaning)} / {number(records.total)}",
            f"Attachments: {number(attachments.meaning)} / {number(attachments.total)}",
        ]
        if rate := progress.rate_in_words:
            by = f" by {self._model}" if self._model and progress.step in _OF_MEANING else ""
            lines.append(f"{rate}{by}.")
        if progress.step in _OF_MEANING:
            lines.append("Words are searched meanwhile.")
        if progress.current:
            lines.append(progress.current)
        return "\n".join(lines)

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

    def _show_meaning(self, words: str, done: int, total: int) -> None:
        self._paused = False
        self.label.setText(words)
        self.bar.setRange(0, 1000 if total else 0)  # bytes may not fit Qt's numbers
        self.bar.setValue(round(1000 * min(1.0, done / total)) if total else 0)
        self._show_button("pause", "Pause indexing")
        self.label.show()
        self.bar.show()

    def show_paused(self, progress: RunProgress | None) -> None:
        self._paused = True
        self.label.setText("Indexing paused")
        self.label.setToolTip("")
        self.label.show()
        self.bar.hide()
        self._show_button("play", "Resume indexing")
        self._show_attention(progress.attention if progress else 0)

    def show_finished(self, progress: RunProgress) -> None:
        self.show_nothing()
        self._show_attention(progress.attention)

    def _show_button(self, icon: str, words: str) -> None:
        self.button.setIcon(style.icon(icon))
        self.button.setToolTip(words)
        self.button.setAccessibleName(words)
        self.button.show()

    def _show_attention(self, count: int) -> None:
        words = attention_in_words(count)
        self.attention.setVisible(count > 0)
        self.attention.setToolTip(words)
        self.attention.setAccessibleName(words)
        self.attention.setText(number(count))
