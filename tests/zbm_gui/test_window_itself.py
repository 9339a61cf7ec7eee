"""The window itself: layout, theme, keys, names, messages."""

import json

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.waiting import Catcher, settle, until
from tests.zbm_gui.windows import (
    click,
    make_window,
    search,
    state,
    titles,
    tree_rows,
    wait_for_index,
)

# --- the window itself ------------------------------------------------------------------------------


def test_layout_is_remembered(windows, tmp_path, small):
    arguments = ["--library", str(small.folder)]
    window = make_window(tmp_path / "home", arguments)
    windows.append(window)
    wait_for_index(window)
    window.commands["item_pane"].trigger()
    assert window.library_tab.item_pane.isHidden()
    window.library_tab.pane.collapse(window.library_tab.pane.model().index(0, 0))
    window.resize(1111, 700)
    window.close()
    again = make_window(tmp_path / "home", arguments)
    windows.append(again)
    again.resize(1360, 860)
    wait_for_index(again)
    assert again.library_tab.item_pane.isHidden()
    assert not again.commands["item_pane"].isChecked()
    assert not again.library_tab.pane.isExpanded(again.library_tab.pane.model().index(0, 0))


def test_the_theme_is_applied_and_kept(window, tmp_path):
    dark = next(action for action in window._theme.actions() if action.data() == "dark")
    dark.trigger()
    assert QApplication.palette().window().color().lightness() < 128
    settings = json.loads((tmp_path / "home" / "config" / "settings.json").read_text())["values"]
    assert settings["appearance.theme"] == "dark"
    next(action for action in window._theme.actions() if action.data() == "light").trigger()
    assert QApplication.palette().window().color().lightness() > 128


def test_panes_are_reached_by_keyboard(window):
    tab = window.library_tab
    tab.bar.focus()
    seen = []
    for _ in range(4):
        window.commands["next_pane"].trigger()
        seen.append(window.focusWidget())
    assert seen[0] is tab.tree.table
    assert tab.item_pane.isAncestorOf(seen[1])
    assert seen[2] is tab.pane
    assert seen[3] is tab.bar.field


def test_no_two_commands_share_a_key(window):
    for scope in (True, False):
        keys = [
            key.toString()
            for action in window.commands
            if (action.shortcutContext() is Qt.ShortcutContext.WidgetWithChildrenShortcut) is scope
            for key in action.shortcuts()
        ]
        assert len(keys) == len(set(keys))


def test_preferences_open_and_show_the_library(window, small):
    window.commands["preferences"].trigger()
    assert window.preferences.open().isVisible()
    assert window.preferences.open().general.folder.text() == str(small.folder)
    window.preferences.open().close()


def test_nothing_in_the_data_directory_changes(windows, tmp_path):
    keys = write_small_library(tmp_path / "Zotero")

    def everything():
        return {path: path.stat().st_mtime_ns for path in keys.folder.rglob("*")}

    before = everything()
    window = make_window(tmp_path / "home", ["--library", str(keys.folder)])
    windows.append(window)
    wait_for_index(window)
    search(window, "carbon")
    until(lambda: len(tree_rows(window)) > 1 and tree_rows(window)[1].passage)
    window.library_tab.tree.passage_activated.emit(tree_rows(window)[1].passage)
    until(lambda: window.tabs.current_reader() is not None and window.tabs.current_reader().has_matches)
    assert everything() == before


def test_whatever_takes_the_keyboard_has_a_name(window):
    search(window, "carbon")
    until(lambda: not window.library_tab.item_pane.sections["results"].isHidden())
    settle(20)
    nameless = [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not widget.accessibleName()
        and not getattr(widget, "text", str)()
    ]
    assert not nameless


def test_a_small_message_gives_way_to_the_line_of_the_list(window, monkeypatch):
    line = window._message.text()
    assert line == "5 items"
    window._said.setInterval(50)
    window.say("The link was copied.")
    assert window._message.text() == "The link was copied."
    until(lambda: window._message.text() == line)


def test_a_damaged_settings_file_is_told_until_it_is_dismissed(windows, tmp_path, small):
    (tmp_path / "home" / "config").mkdir(parents=True)
    (tmp_path / "home" / "config" / "settings.json").write_text("{")
    window = make_window(tmp_path / "home", ["--library", str(small.folder)])
    windows.append(window)
    wait_for_index(window)
    warning = window.library_tab.warning
    assert "settings file could not be read" in warning.state.title
    warning._choose(warning.state.acts[0])
    assert warning.isHidden()
    window.library_tab._show_warnings()
    assert warning.isHidden()


def test_a_search_before_all_is_indexed_says_so_and_offers_to_go_on(windows, tmp_path, small):
    (tmp_path / "home" / "config").mkdir(parents=True)
    settings = {"format": 1, "values": {"indexing.paused": True}}
    (tmp_path / "home" / "config" / "settings.json").write_text(json.dumps(settings))
    window = make_window(tmp_path / "home", ["--library", str(small.folder)])
    windows.append(window)
    until(lambda: window.library_tab.has_library)
    search(window, "lichen")
    assert state(window).title == "Indexing is paused: 0 of 6 items can be found so far."
    finished = Catcher(window.engine.run_finished)
    click(window, "Resume indexing")
    finished.wait()
    until(lambda: state(window) is None)
    assert "An idea about lichen" in titles(window)
