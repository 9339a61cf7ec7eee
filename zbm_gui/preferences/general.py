"""General: where the library is, how the window looks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from zbm_core.settings import Settings
from zbm_gui import opening, style
from zbm_gui.preferences.editors import setting_of
from zbm_gui.preferences.page import Page, hint

if TYPE_CHECKING:
    from zbm_core.library import Library


class GeneralPage(Page):
    """Signals:
    library_chosen(Path): another library folder.
    """

    title = "General"
    icon = "settings"
    scrolls = True
    library_chosen = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        form = self.add_group("Library")
        self.folder = QLineEdit()
        self.folder.setReadOnly(True)
        self.folder.setPlaceholderText("No library is open")
        self.folder.setAccessibleName(setting_of("library.folder").text)
        choose = QPushButton("Choose…")
        choose.setAccessibleName("Choose the Zotero data directory")
        choose.clicked.connect(self._choose_library)
        self._show = QPushButton("Show")
        self._show.setAccessibleName("Show the Zotero data directory in the file manager")
        self._show.clicked.connect(lambda: opening.show_file(Path(self.folder.text())))
        form.addRow(setting_of("library.folder").text, _in_row(self.folder, choose, self._show))

        self.base = QLineEdit(settings.get("library.base_attachment_path"))
        self.base.setPlaceholderText("As in Zotero's own settings")
        self.base.setAccessibleName(setting_of("library.base_attachment_path").text)
        self.base.editingFinished.connect(self._store_base)
        choose_base = QPushButton("Choose…")
        choose_base.setAccessibleName("Choose the base folder of linked attachments")
        choose_base.clicked.connect(self._choose_base)
        form.addRow(setting_of("library.base_attachment_path").text, _in_row(self.base, choose_base))
        for line in (self.folder, self.base):
            line.setMinimumWidth(16 * style.unit(self))  # else it is put under its name
        note = hint("zbm reads these folders and never changes anything in them.")
        note.setIndent(2 * style.unit(self))
        self.column.addWidget(note)

        form = self.add_group("Appearance")
        self.theme = self.add_setting(form, "appearance.theme")
        self.add_setting(form, "reader.dark_pages")

        self.column.addStretch(1)

    def set_library(self, library: Library | None) -> None:
        self.folder.setText(str(library.folder) if library else "")
        self.folder.setCursorPosition(0)
        self._show.setEnabled(library is not None)

    def _choose_library(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Choose the Zotero data directory", self.folder.text()
        )
        if chosen:
            self.library_chosen.emit(Path(chosen))

    def _choose_base(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Choose the base folder of linked attachments", self.base.text()
        )
        if chosen:
            self.base.setText(chosen)
            self._store_base()

    def _store_base(self) -> None:
        self.store("library.base_attachment_path", self.base.text().strip())


def _in_row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for place, widget in enumerate(widgets):
        layout.addWidget(widget, 1 if place == 0 else 0, Qt.AlignmentFlag.AlignVCenter)
    return row
