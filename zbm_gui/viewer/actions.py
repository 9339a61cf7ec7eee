"""What can be done in a reader: names, icons, shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from zbm_gui import style


class Deed(NamedTuple):
    """One action: how it is called, drawn and reached."""

    name: str
    text: str
    icon: str
    keys: tuple[str, ...] = ()
    checkable: bool = False


DEEDS = (
    Deed("outline", "Outline", "outline", ("F9",), checkable=True),
    Deed("back", "Back", "chevron-left", ("Alt+Left",)),
    Deed("forward", "Forward", "chevron-right", ("Alt+Right",)),
    Deed("zoom_out", "Zoom out", "zoom-out", ("Ctrl+-",)),
    Deed("zoom_in", "Zoom in", "zoom-in", ("Ctrl++", "Ctrl+=")),
    Deed("fit_width", "Fit width", "fit-width", ("Ctrl+0",), checkable=True),
    Deed("fit_page", "Fit page", "fit-page", ("Ctrl+9",), checkable=True),
    Deed("actual_size", "Actual size", "pages", ("Ctrl+1",)),
    Deed("previous_match", "Previous match", "match-previous", ("Shift+F3",)),
    Deed("next_match", "Next match", "match-next", ("F3",)),
    Deed("find", "Find in the document", "find", ("Ctrl+F",)),
    Deed("dark_pages", "Dark pages", "appearance-dark", ("Ctrl+I",), checkable=True),
    Deed("open_in_zotero", "Open in Zotero at this page", "open-in"),
    Deed("open_externally", "Open in another program", "external"),
    Deed("go_to_page", "Go to page", "pages", ("Ctrl+G",)),
    Deed("copy", "Copy", "copy", ("Ctrl+C",)),
    Deed("select_page", "Select the page", "pages", ("Ctrl+A",)),
)


def make_actions(
    reader: QWidget, slots: dict[str, Callable[..., object]], deeds: Sequence[Deed] = DEEDS
) -> dict[str, QAction]:
    """An action for each deed, added to *reader* with its shortcut working inside it only."""
    actions = {}
    for deed in deeds:
        action = QAction(style.icon(deed.icon), deed.text, reader)
        action.setCheckable(deed.checkable)
        action.setShortcuts([QKeySequence(keys) for keys in deed.keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{deed.text} ({keys})" if keys else deed.text)
        action.triggered.connect(slots[deed.name])
        reader.addAction(action)
        actions[deed.name] = action
    return actions
