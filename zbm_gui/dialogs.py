"""The few dialogs that only say something."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from zbm_core import __version__
from zbm_gui.states import State


def show_about(parent: QWidget, model: str = "") -> None:
    """Args:
    model: the embedding model in use, "" while there is none.
    """
    meaning = f"<p>Embedding model in use: {html.escape(model)}.</p>" if model else ""
    QMessageBox.about(
        parent,
        "About zbm",
        f"<b>Zotero Best Match {__version__}</b><p>Searches a Zotero library and opens the document at "
        "the passage. It reads the library and never changes it; nothing leaves this computer unless you "
        "set an embedding server.</p>"
        "<p>Free software under the GNU Affero General Public License, version 3 or later. "
        f"Not made by or connected with the makers of Zotero.</p>{meaning}",
    )


def confirm(parent: QWidget, title: str, text: str, act: str, then: Callable[[], object]) -> QMessageBox:
    """Ask once before something that takes long or cannot be undone; *then* is called on [*act*]."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, title, parent=parent)
    box.setInformativeText(text)
    yes = box.addButton(act, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    yes.clicked.connect(lambda: then())
    box.open()
    return box


def show_details(parent: QWidget, state: State) -> QMessageBox:
    """What lies behind *state*, to read and to copy."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Details", state.title, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(state.text)
    box.setDetailedText(state.detail)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
