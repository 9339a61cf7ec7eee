"""Asks before a link leads out of the document."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from zbm_gui import style


class LinkStrip(QWidget):
    """The whole address to read, then Open or Copy. Signals: open_requested(str)"""

    open_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        row.setSpacing(unit)
        self._url = ""
        self._text = QLineEdit(readOnly=True)  # so that a long address can be read to its end
        self._text.setFrame(False)
        self._text.setAccessibleName("Address of the link")
        row.addWidget(QLabel("This link leads to"))
        self._open = QPushButton("Open")
        self._open.clicked.connect(self._on_open)
        copy = QPushButton("Copy address")
        copy.clicked.connect(self._on_copy)
        close = QToolButton()
        close.setIcon(style.icon("close"))
        close.setAutoRaise(True)
        close.setToolTip("Dismiss")
        close.setAccessibleName("Dismiss")
        close.clicked.connect(self.hide)
        row.addWidget(self._text, 1)
        for widget in (self._open, copy, close):
            row.addWidget(widget)
        self.hide()

    def ask(self, url: str) -> None:
        self._url = url
        self._text.setText(url)
        self._text.setCursorPosition(0)
        self.setAccessibleName(f"This link leads to {url}")
        self.show()
        self._open.setFocus()

    def _on_open(self) -> None:
        self.hide()
        self.open_requested.emit(self._url)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._url)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = style.colors(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.ground)
        painter.fillRect(0, 0, self.width(), 1, colors.hairline)
