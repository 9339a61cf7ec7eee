"""What a page of the preferences is."""

from __future__ import annotations

import logging

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from zbm_core.settings import Settings
from zbm_gui import style
from zbm_gui.preferences.editors import make_editor, setting_of

log = logging.getLogger(__name__)


class Page(QWidget):
    """A titled column of groups; subclasses set `title` and `icon` and fill `column`.

    Signals:
        changed(str): the setting of that key has a new value, already saved.
        not_saved(str): why a value could not be saved, for the user.
    """

    title = ""
    icon = "settings"
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

    def add_heading(self, title: str) -> None:
        heading = QLabel(title)
        heading.setFont(style.bold_font(self.font()))
        if self.column.count():
            self.column.addSpacing(2 * style.unit(self))
        self.column.addWidget(heading)

    def add_group(self, title: str) -> QFormLayout:
        """A heading with a form under it."""
        self.add_heading(title)
        unit = style.unit(self)
        form = QFormLayout()
        form.setContentsMargins(2 * unit, 0, 0, 0)
        form.setHorizontalSpacing(2 * unit)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.column.addLayout(form)
        return form

    def add_setting(self, form: QFormLayout, key: str) -> QWidget:
        """A row for *key*, made from the table."""
        editor = make_editor(self.settings, key, self.store)
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
