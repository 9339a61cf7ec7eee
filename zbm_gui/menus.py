"""The menu bar and the context menu of rows."""

from __future__ import annotations

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from zbm_gui.actions import THEMES, Actions
from zbm_gui.row_acts import RowActs
from zbm_gui.targets import Target

#: None stands for a line.
BAR: tuple[tuple[str, tuple[str | None, ...]], ...] = (
    ("&File", ("open_library", "open_demo", None, "close_tab", None, "preferences", None, "quit")),
    ("&Edit", ("search", "find", None, "copy_quote", "copy_passage", "copy_link")),
    (
        "&View",
        (
            *("sidebar", "item_pane", "appearance", None, "next_tab", "previous_tab", None),
            *("next_pane", "previous_pane", None, "full_screen"),
        ),
    ),
    (
        "&Item",
        (
            *("open", "open_externally", "show_file", None, "show_in_zotero", "open_in_zotero", None),
            *("similar", None, "next_match", "previous_match"),
        ),
    ),
    ("&Library", ("update_index", "pause_indexing", None, "attention")),
    ("&Help", ("how_to_search", "open_log", None, "about")),
)


def fill_menu_bar(bar: QMenuBar, actions: Actions, theme: QActionGroup) -> None:
    for title, names in BAR:
        menu = bar.addMenu(title)
        for name in names:
            if name is None:
                menu.addSeparator()
            elif name == "appearance":
                menu.addMenu("Appearance").addActions(theme.actions())
            else:
                menu.addAction(actions[name])


def make_theme_group(parent: QWidget, current: str) -> QActionGroup:
    """Checkable actions whose data is a theme's name."""
    group = QActionGroup(parent)
    for name, text in THEMES:
        action = QAction(text, group)
        action.setCheckable(True)
        action.setData(name)
        action.setChecked(name == current)
    return group


def make_row_menu(
    parent: QWidget, actions: Actions, acts: RowActs, target: Target, similar: bool = False
) -> QMenu:
    """The context menu of one row: what cannot be done with it is left out, not greyed.

    Args:
        similar: whether items can be compared by what they mean.
    """
    menu = QMenu(parent)
    attachment = acts.attachment(target)
    if attachment is not None:
        menu.addAction(actions["open"])
        menu.addAction(actions["open_externally"])
        if acts.has_file(target):
            menu.addAction(actions["show_file"])
        menu.addSeparator()
    menu.addAction(actions["show_in_zotero"])
    if acts.can_open_in_zotero(target):
        menu.addAction(actions["open_in_zotero"])
    menu.addSeparator()
    if similar:
        menu.addAction(actions["similar"])
        menu.addSeparator()
    menu.addAction(actions["copy_quote"])
    if target.passage is not None:
        menu.addAction(actions["copy_passage"])
    menu.addAction(actions["copy_link"])
    return menu
