"""What a page of the preferences is."""

from __future__ import annotations

import logging

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from zbm_core.settings import Settings
from zbm_gui import style
from zbm_gui.preferences.editors import make_editor, setting_of

log = logging.getLogger(__name__)


def wrapped(text: str = "") -> QLabel:
    """A label for words of any length, never taken for markup."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    # It may become as narrow as its words allow; only layouts that ask for the height at the width they give
    # (boxes and grids, no forms) show it well.
    label.setMinimumWidth(8 * style.unit(label))
    return label


def hint(text: str = "") -> QLabel:
    """The same in the colour of what explains."""
    label = wrapped(text)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


class _CalmWheel(QObject):
    """The wheel over a slider or box that has not the keyboard scrolls the page and changes nothing."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not watched.hasFocus():
            event.ignore()
            return True
        return False


def calm_wheel(widget: QWidget) -> None:
    """Let *widget* on a page that scrolls be changed by the wheel only once it was clicked."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(_CalmWheel(widget))


class Page(QWidget):
    """A titled column of groups; subclasses set `title` and `icon` and fill `column`.

    Signals:
        changed(str): the setting of that key has a new value, already saved.
        not_saved(str): why a value could not be saved, for the user.
    """

    title = ""
    icon = "settings"
    scrolls = False  # whether it may be higher than the dialog
    changed = Signal(str)
    not_saved = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        unit = style.unit(self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(3 * unit, 2 * unit, 3 * unit, 2 * unit)
        self.column.setSpacing(unit)

    def shown(self) -> None:
        """Called each time the page comes to the front."""

    def add_space(self) -> None:
        """Between groups."""
        if self.column.count():
            self.column.addSpacing(2 * style.unit(self))

    def add_heading(self, title: str) -> None:
        heading = QLabel(title)
        heading.setFont(style.bold_font(self.font()))
        self.add_space()
        self.column.addWidget(heading)

    def indented(self, widget: QWidget) -> QWidget:
        """*widget* as far in as what stands under a heading."""
        box = QWidget()
        layout = QHBoxLayout(box)
        layout.setContentsMargins(2 * style.unit(self), 0, 0, 0)
        layout.addWidget(widget)
        layout.addStretch()
        return box

    def add_group(self, title: str) -> QFormLayout:
        """A heading with a form under it."""
        self.add_heading(title)
        unit = style.unit(self)
        form = QFormLayout()
        form.setContentsMargins(2 * unit, 0, 0, 0)
        form.setHorizontalSpacing(2 * unit)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.column.addLayout(form)
        return form

    def add_setting(self, form: QFormLayout, key: str) -> QWidget:
        """A row for *key*, made from the table."""
        editor = make_editor(self.settings, key, self.store)
        calm_wheel(editor)
        if setting_of(key).type is bool:
            form.addRow(editor)
        else:
            form.addRow(setting_of(key).text, editor)
        return editor

    def store(self, key: str, value: object) -> None:
        if self.settings.get(key) == value:
            return
        try:
            self.settings.set(key, value)
        except OSError as error:
            log.warning("settings not saved: %s", error)
            self.not_saved.emit(
                f"The choice holds until zbm is closed: it could not be saved. ({error.strerror})"
            )
        self.changed.emit(key)
