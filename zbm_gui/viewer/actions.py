"""What can be done in a reader: names, icons, shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from zbm_gui import style


class Deed(NamedTuple):
    """One action: how it is called, drawn and reached."""

    name: str
    text: str
    icon: str
    keys: tuple[str, ...] = ()
    checkable: bool = False


#: What both readers do, by the same names, pictures and keys.
COMMON = (
    Deed("back", "Back", "chevron-left", ("Alt+Left",)),
    Deed("forward", "Forward", "chevron-right", ("Alt+Right",)),
    Deed("previous_match", "Previous match", "match-previous", ("Shift+F3",)),
    Deed("next_match", "Next match", "match-next", ("F3",)),
    Deed("next_set", "Next search that is marked", "words", ("Ctrl+F3",)),
    Deed("previous_set", "Previous search that is marked", "words", ("Ctrl+Shift+F3",)),
    Deed("find", "Find in the document", "find", ("Ctrl+F",)),
    Deed("dark_pages", "Dark pages", "appearance-dark", ("Ctrl+I",), checkable=True),
    Deed("open_externally", "Open in another program", "external"),
    Deed("copy", "Copy", "copy", ("Ctrl+C",)),
    Deed("copy_citation", "Copy with citation", "quote"),  # the window's keys for quotes do it
)


def make_actions(
    reader: QWidget, slots: dict[str, Callable[..., object]], deeds: Sequence[Deed]
) -> dict[str, QAction]:
    """An action for each deed, added to *reader* with its shortcut working inside it only."""
    actions = {}
    for deed in deeds:
        action = QAction(style.icon(deed.icon), deed.text, reader)
        action.setCheckable(deed.checkable)
        action.setIconVisibleInMenu(not deed.checkable)  # the tick needs the place
        action.setShortcuts([QKeySequence(keys) for keys in deed.keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{deed.text} ({keys})" if keys else deed.text)
        action.triggered.connect(slots[deed.name])
        reader.addAction(action)
        actions[deed.name] = action
    return actions


def fill_menu(menu: QMenu, actions: dict[str, QAction], names: Sequence[str]) -> None:
    """Put the named actions into *menu*; "" is a line."""
    for name in names:
        if name:
            menu.addAction(actions[name])
        else:
            menu.addSeparator()
