"""Every command of the window: its words, its keys, its icon, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from zbm_gui import style

_Keys = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `keys` are portable texts or Qt's standard keys; the first is shown in the menu."""

    name: str
    text: str
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    icon: str = ""
    checkable: bool = False
    in_library: bool = False  # its keys mean something else in a reader, which has its own action for them
    role: QAction.MenuRole = QAction.MenuRole.NoRole


COMMANDS: tuple[Command, ...] = (
    Command("open_library", "Open Library Folder…", (_Keys.Open,), "collection-open"),
    Command("open_demo", "Open the Demo Library"),
    Command("close_tab", "Close Tab", ("Ctrl+W",), "close"),
    Command("preferences", "Preferences…", ("Ctrl+,",), "settings", role=QAction.MenuRole.PreferencesRole),
    Command("quit", "Quit", ("Ctrl+Q",), role=QAction.MenuRole.QuitRole),
    Command("find", "Find", ("Ctrl+F",), "find", in_library=True),
    Command("search", "Search the Library", ("Ctrl+K",), "search"),
    Command("copy_quote", "Copy Quote with Citation", ("Ctrl+Shift+C",), "quote"),
    Command("copy_passage", "Copy Whole Passage with Citation", (), "copy"),
    Command("copy_link", "Copy Link", ("Ctrl+Shift+L",), "copy"),
    Command("sidebar", "Sidebar", ("F9",), "sidebar", checkable=True, in_library=True),
    Command("item_pane", "Item Pane", ("Shift+F9",), "item-pane", checkable=True, in_library=True),
    Command("full_screen", "Full Screen", ("F11",), checkable=True),
    Command("next_tab", "Next Tab", ("Ctrl+Tab", "Ctrl+PgDown")),
    Command("previous_tab", "Previous Tab", ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
    Command("next_pane", "Next Pane", ("F6",)),
    Command("previous_pane", "Previous Pane", ("Shift+F6",)),
    Command("next_match", "Next Match", ("F3",), "match-next", in_library=True),
    Command("previous_match", "Previous Match", ("Shift+F3",), "match-previous", in_library=True),
    Command("open", "Open at Passage", (), "open-in"),
    Command("open_externally", "Open Externally", ("Ctrl+Shift+O",), "external"),
    Command("show_in_zotero", "Show in Zotero", ("Ctrl+Shift+Z",), "library"),
    Command("open_in_zotero", "Open in Zotero at the Page", (), "pages"),
    Command("show_file", "Show File", (), "show-file"),
    Command("similar", "Find Similar Items", ("Ctrl+Shift+M",), "meaning"),
    Command("update_index", "Look for Changes Now", ("F5",), "refresh"),
    Command("pause_indexing", "Pause Indexing", (), "pause", checkable=True),
    Command("attention", "Documents That Need Attention…", (), "warning"),
    Command("how_to_search", "How to Search", ("F1",), "help"),
    Command("open_log", "Open the Log File"),
    Command("about", "About zbm", role=QAction.MenuRole.AboutRole),
)

THEMES = (("system", "As the System"), ("light", "Light"), ("dark", "Dark"))


class Actions:
    """The commands as QActions of *window*, by name: ``actions["search"]``.

    Keys of commands `in_library` work only while the keyboard is inside *library*: two actions with the
    same keys in one place would both be ignored.
    """

    def __init__(self, window: QWidget, library: QWidget) -> None:
        self._actions: dict[str, QAction] = {}
        for command in COMMANDS:
            action = QAction(command.text, window)
            action.setShortcuts([QKeySequence(keys) for keys in command.keys])
            action.setCheckable(command.checkable)
            action.setMenuRole(command.role)
            if command.icon:
                action.setIcon(style.icon(command.icon))
                action.setIconVisibleInMenu(not command.checkable)  # the tick needs the place
            action.setObjectName(command.name)
            if command.in_library:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            (library if command.in_library else window).addAction(action)
            self._actions[command.name] = action

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())
