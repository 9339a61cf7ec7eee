"""The page that asks for a document's password."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from zbm_gui import style
from zbm_gui.states import Act
from zbm_gui.widgets.icon_label import IconLabel

MEASURE = 56  # average characters: the width of the text and the field
MAX_PASSWORD = 1024  # characters; PDF itself counts at most 127 bytes
ASKS = "Type it to read the document here. zbm remembers it until it is closed and does not store it."
WRONG = "That password does not open the document. Capital letters and spaces count."


class PasswordPage(QScrollArea):
    """Signals:
    given(str): a password to try.
    act_requested(Act): another way was chosen.
    """

    given = Signal(str)
    act_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        page = QWidget()
        page.setAutoFillBackground(True)
        page.setBackgroundRole(QPalette.ColorRole.Base)
        unit = style.unit(self)
        body = QWidget()
        body.setFixedWidth(self.fontMetrics().averageCharWidth() * MEASURE)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(unit)
        column.addWidget(IconLabel("lock", 5 * unit, "faint"), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(_centred("The document asks for a password", style.title_font(self.font())))
        self._title = _centred("", style.small_font(self.font()))
        column.addWidget(self._title)
        column.addWidget(_centred(ASKS, self.font()))
        column.addSpacing(unit)
        row = QHBoxLayout()
        row.setSpacing(unit)
        self._edit = QLineEdit(echoMode=QLineEdit.EchoMode.Password, maxLength=MAX_PASSWORD)
        self._edit.setAccessibleName("Password of the document")
        self._edit.setPlaceholderText("Password")
        self._edit.returnPressed.connect(self._on_given)
        self._edit.textChanged.connect(self._on_typed)
        self._open = QPushButton("Open")
        self._open.setEnabled(False)
        self._open.setDefault(True)
        self._open.clicked.connect(self._on_given)
        row.addWidget(self._edit, 1)
        row.addWidget(self._open)
        column.addLayout(row)
        self._wrong = _centred("", self.font())
        self._wrong.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._tell_apart()
        column.addWidget(self._wrong)
        others = QHBoxLayout()
        others.addStretch()
        for act in (Act.OPEN_EXTERNALLY, Act.SHOW_IN_ZOTERO):
            button = QPushButton(str(act))
            button.setAutoDefault(True)
            button.clicked.connect(lambda _checked=False, act=act: self.act_requested.emit(act))
            others.addWidget(button)
        others.addStretch()
        column.addLayout(others)
        around = QVBoxLayout(page)
        around.setContentsMargins(3 * unit, 3 * unit, 3 * unit, 3 * unit)
        around.addStretch(2)
        middle = QHBoxLayout()  # which asks the labels how high they are at this width
        middle.addStretch(1)
        middle.addWidget(body)
        middle.addStretch(1)
        around.addLayout(middle)
        around.addStretch(3)  # a little above the middle looks like the middle
        self.setWidget(page)
        self.setFocusProxy(self._edit)

    def _tell_apart(self) -> None:
        palette = QPalette(self.palette())
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
            palette.setColor(role, style.colors(self).error)
        if self._wrong.palette() != palette:
            self._wrong.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_wrong"):
            self._tell_apart()

    def ask(self, title: str, *, wrong: bool = False) -> None:
        """Ask for the password of the document called *title*; *wrong*: the one just given did not open it."""
        shown = self._title.fontMetrics().elidedText(
            title, Qt.TextElideMode.ElideMiddle, 2 * self._edit.parentWidget().width()
        )
        self._title.setText(shown)
        self._wrong.setText(WRONG if wrong else "")
        if wrong:
            self._edit.selectAll()
        else:
            self._edit.clear()
        self.setAccessibleName(f"The document asks for a password. {self._wrong.text()}".strip())
        self._edit.setAccessibleDescription(self._wrong.text())
        self._edit.setFocus()

    def forget(self) -> None:
        """Keep nothing of what was typed."""
        self._edit.clear()

    def _on_typed(self, text: str) -> None:
        self._open.setEnabled(bool(text))
        if text and self._wrong.text():
            self._wrong.setText("")

    def _on_given(self) -> None:
        if self._edit.text():
            self.given.emit(self._edit.text())


def _centred(words: str, font: QFont) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setFont(font)
    return label
