"""The few dialogs that only say something."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from zbm_core import __version__
from zbm_gui.states import State


def show_about(parent: QWidget) -> None:
    QMessageBox.about(
        parent,
        "About zbm",
        f"<b>Zotero Best Match {__version__}</b><p>Searches a Zotero library and opens the document at "
        "the passage. It reads the library and never changes it; nothing leaves this computer.</p>"
        "<p>Free software under the GNU Affero General Public License, version 3 or later. "
        "Not made by or connected with the makers of Zotero.</p>",
    )


def show_details(parent: QWidget, state: State) -> QMessageBox:
    """What lies behind *state*, to read and to copy."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Details", state.title, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(state.text)
    box.setDetailedText(state.detail)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
