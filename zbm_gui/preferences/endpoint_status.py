"""Whether passages are embedded by a server, in two lines, and the way to its dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from zbm_gui import style
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.endpoint_desk import EndpointStatus


class EndpointStatusRow(QWidget):
    """Signals:
    configure_endpoint_requested(): open the dialog.
    """

    configure_endpoint_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        self.line = QLabel()
        self.usage = QLabel()
        self.usage.setForegroundRole(self.usage.foregroundRole().PlaceholderText)
        for label in (self.line, self.usage):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.configure = QPushButton("Configure…")
        self.configure.setAccessibleName("Configure the embedding server")
        self.configure.clicked.connect(self.configure_endpoint_requested)
        words = QVBoxLayout()
        words.setSpacing(unit // 2)
        words.addWidget(self.line)
        words.addWidget(self.usage)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * unit, 0, 0, 0)
        row.setSpacing(unit)
        row.addLayout(words, 1)
        row.addWidget(self.configure, 0, Qt.AlignmentFlag.AlignTop)
        self.show_status(None)

    def show_status(self, status: EndpointStatus | None) -> None:
        """Args:
        status: None while no library is open.
        """
        self.configure.setEnabled(status is not None)
        self.line.setText("" if status is None else status.line)
        usage = status.usage if status is not None else None
        parts = []
        if usage is not None and usage.requests:
            parts = [
                counted(usage.texts, "text"),
                counted(usage.tokens, "token"),
                counted(usage.requests, "request"),
            ]
            if usage.failures:
                parts.append(f"{usage.failures:,} failed")
        self.usage.setText(" · ".join(parts))
        self.usage.setVisible(bool(parts))
