"""The window from the start to the highlighted passage, driven as a person drives it."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.waiting import Catcher, settle, until
from tests.zbm_gui.windows import make_window, search, state, tree_rows, wait_for_index, wait_for_state
from zbm_core.engine import Engine
from zbm_core.errors import ZbmError
from zbm_core.library.records import ItemKey
from zbm_gui.item_tree import RowKind


def titles(window):
    library = window.engine.engine.library
    return [library.record(row.key).title for row in tree_rows(window) if row.kind is RowKind.ITEM]


def click(window, words):
    buttons = window.library_tab.findChildren(QPushButton)
    next(button for button in buttons if button.text() == words and button.isVisible()).click()


# --- the main job -----------------------------------------------------------------------------------


def test_from_a_query_to_the_marked_passage_by_keyboard_alone(window, small):
    window.library_tab.tree.setFocus()
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    field = window.library_tab.bar.field
    assert field.hasFocus() or window.focusWidget() is field
    answered = Catcher(window.engine.search_finished)
    QTest.keyClicks(field, "how much carbon is stored in soil")
    QTest.keyClick(field, Qt.Key.Key_Return)
    answered.wait()
    assert titles(window)[0] == "How much carbon is stored in soil"
    QTest.keyClick(field, Qt.Key.Key_Down)
    tree = window.library_tab.tree
    assert window.focusWidget() is tree.table
    until(lambda: len(tree_rows(window)) > 1 and tree_rows(window)[1].kind is RowKind.MATCH)
    QTest.keyClick(tree.table, Qt.Key.Key_Down)
    chosen = tree.current().passage
    assert chosen is not None
    QTest.keyClick(tree.table, Qt.Key.Key_Return)
    until(lambda: window.tabs.current_reader() is not None and window.tabs.current_reader().has_matches)
    tab = window.tabs.current_reader()
    assert tab.target.passage.chunk == chosen.chunk
    assert tab.reader.current_page() == chosen.page
    assert window.tabs.tabText(1).startswith("Okonjo et al. 2021, p. ")
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.tabs.current_reader() is None and window.tabs.count() == 1


def test_results_are_told_in_the_status_bar_and_shown_in_the_item_pane(window):
    search(window, "carbon soil")
    assert " in " in window._message.text() and window._message.text().endswith("· words")
    pane = window.library_tab.item_pane
    until(lambda: not pane.sections["results"].isHidden())
    until(lambda: pane._passages)
    assert all(passage.item == window.library_tab.tree.selected().keys[0] for passage in pane._passages)


def test_selecting_match_rows_shows_just_these_passages(window):
    search(window, "carbon soil")
    until(lambda: len(tree_rows(window)) > 2 and tree_rows(window)[2].kind is RowKind.MATCH)
    table = window.library_tab.tree.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 0))
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    selected = window.library_tab.tree.selected()
    assert len(selected.passages) == 2 and not selected.keys
    cards = window.library_tab.item_pane.sections["results"]
    until(lambda: not cards.isHidden())
    until(lambda: window.library_tab.item_pane._shown is None)


def test_a_note_and_an_annotation_are_found_under_their_item(window, small):
    search(window, "quokka")
    assert titles(window) == ["How much carbon is stored in soil"]
    search(window, "okapi")
    assert titles(window) == ["How much carbon is stored in soil"]
    until(lambda: any(row.kind is RowKind.MATCH for row in tree_rows(window)))
    passage = next(row.passage for row in tree_rows(window) if row.passage)
    window.library_tab.tree.passage_activated.emit(passage)
    until(lambda: window.tabs.current_reader() is not None and window.tabs.current_reader().has_matches)
    assert window.tabs.current_reader().attachment.key == ItemKey(1, small.soil_pdf)


def test_a_second_passage_of_the_same_document_uses_the_same_tab(window):
    search(window, "carbon")
    until(lambda: len(tree_rows(window)) > 2 and tree_rows(window)[2].kind is RowKind.MATCH)
    passages = [row.passage for row in tree_rows(window)[1:3]]
    for passage in passages:
        window.library_tab.tree.passage_activated.emit(passage)
        until(lambda: window.tabs.current_reader() is not None and window.tabs.current_reader().has_matches)
        window.tabs.setCurrentIndex(0)
    assert window.tabs.count() == 2


def test_escape_clears_the_search_and_then_returns_to_the_list(window):
    search(window, "lichen")
    assert len(titles(window)) == 1 + 1 * (len(titles(window)) > 1)
    field = window.library_tab.bar.field
    QTest.keyClick(field, Qt.Key.Key_Escape)
    settle()
    assert len(titles(window)) == 5  # all of My Library again
    assert not window.library_tab.search.active
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert window.focusWidget() is window.library_tab.tree.table


def test_next_and_previous_match_wrap_in_the_reader(window):
    search(window, "carbon")
    until(lambda: len(tree_rows(window)) > 1 and tree_rows(window)[1].passage)
    window.library_tab.tree.passage_activated.emit(tree_rows(window)[1].passage)
    until(lambda: window.tabs.current_reader() is not None and window.tabs.current_reader().has_matches)
    tab = window.tabs.current_reader()
    first = tab.target
    window.commands["next_match"].trigger()
    settle()
    assert tab.target != first
    window.commands["previous_match"].trigger()
    settle()
    assert tab.target == first


# --- scope ------------------------------------------------------------------------------------------


def test_the_sidebar_scopes_the_list_and_the_search(window, small):
    pane = window.library_tab.pane
    pane.select(f"collection:{ItemKey(1, small.soils)}")
    assert sorted(titles(window)) == ["Forest floors", "How much carbon is stored in soil"]
    search(window, "rivers")
    page = state(window)
    assert page.title == "Nothing in Soils matches"
    assert page.text.startswith("1 item in all libraries does")
    click(window, "Search there")
    until(lambda: state(window) is None)
    assert titles(window) == ["A report on rivers"]


def test_an_empty_collection_says_so(window, small):
    window.library_tab.pane.select(f"collection:{ItemKey(1, small.empty)}")
    assert state(window).title == "Empty has no items"


def test_recently_read_lists_what_was_read(window):
    assert window.library_tab.pane.select("recent")
    assert titles(window) == ["How much carbon is stored in soil"]


def test_filters_narrow_the_list_and_can_be_removed(window):
    bar = window.library_tab.bar
    bar.years_chip.set_years(2005, 2005)
    bar.years_chip.changed.emit()
    assert titles(window) == ["A report on rivers"]
    bar.tags_chip.set_ticked(["carbon"])
    bar.tags_chip.changed.emit()
    assert state(window).title == "The filters leave nothing to show"
    click(window, "Remove the filters")
    assert len(titles(window)) == 5


def test_filters_that_remove_every_match_are_another_answer_than_no_match(window):
    bar = window.library_tab.bar
    bar.years_chip.set_years(1900, 1950)
    search(window, "rivers")
    assert "with these filters" in state(window).title
    click(window, "Remove the filters")
    until(lambda: state(window) is None)
    search(window, "zyzzyva")
    assert state(window).title.startswith("Nothing in") and "filters" not in state(window).title


def test_punctuation_alone_is_not_searched(window):
    search(window, "?!")
    assert state(window).title == "There is nothing to search for"


def test_weaker_matches_can_be_shown(window):
    search(window, "soil lichen")
    note = window.library_tab.note
    until(lambda: not note.isHidden())
    assert "weaker match" in note.state.title
    before = len(titles(window))
    answered = Catcher(window.engine.search_finished)
    click(window, "Show them")
    answered.wait()
    settle()
    assert len(titles(window)) > before
    assert note.isHidden()


# --- the start --------------------------------------------------------------------------------------


@pytest.fixture
def computer(monkeypatch, tmp_path):
    """A computer without any Zotero: a home folder of its own."""
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("XDG_CONFIG_HOME", "APPDATA", "ZOTERO_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    return home


def test_without_a_library_it_says_where_it_looked_and_offers_the_demo(windows, tmp_path, computer):
    window = make_window(tmp_path / "home", [])
    windows.append(window)
    page = wait_for_state(window, "No Zotero library was found")
    assert any(str(computer) in line for line in page.lines)
    finished = Catcher(window.engine.run_finished)
    click(window, "Try the demo library")
    finished.wait()
    assert window.windowTitle() == "Demo Library"
    assert len(titles(window)) > 10


def test_demo_if_none_opens_the_demo_at_once(windows, tmp_path, computer):
    window = make_window(tmp_path / "home", ["--demo-if-none"])
    windows.append(window)
    wait_for_index(window)
    assert window.flow.is_demo


def test_a_found_library_is_indexed_only_after_start(windows, tmp_path, computer):
    write_small_library(computer / "Zotero")
    window = make_window(tmp_path / "home", [])
    windows.append(window)
    page = wait_for_state(window, "Your Zotero library was found")
    assert f"6 items in {computer / 'Zotero'}" in page.text
    assert not window.engine.indexing and not window.library_tab.has_library
    finished = Catcher(window.engine.run_finished)
    click(window, "Start")
    assert finished.wait()[0].finished
    settings = json.loads((tmp_path / "home" / "config" / "settings.json").read_text())["values"]
    assert settings["library.folder"] == str(computer / "Zotero")
    assert settings["library.started"] is True
    window.close()

    again = make_window(tmp_path / "home", [])
    windows.append(again)
    wait_for_index(again)
    assert len(titles(again)) == 5


def test_a_library_that_is_gone_can_be_tried_again(windows, tmp_path, computer):
    window = make_window(tmp_path / "home", ["--library", str(computer / "Zotero")])
    windows.append(window)
    page = wait_for_state(window, "The library could not be opened")
    assert page.text
    write_small_library(computer / "Zotero")
    finished = Catcher(window.engine.run_finished)
    click(window, "Try again")
    finished.wait()
    assert len(titles(window)) == 5


def test_a_query_from_the_command_line_is_searched(windows, tmp_path, small):
    arguments = ["--library", str(small.folder), "--query", "lichen"]
    window = make_window(tmp_path / "home", arguments)
    windows.append(window)
    wait_for_index(window)
    until(lambda: window.library_tab.search.result is not None and window.library_tab.search.result.matches)
    assert window.library_tab.bar.text() == "lichen"


def test_a_second_start_brings_its_query_here(window):
    from zbm_gui.app import parse

    answered = Catcher(window.engine.search_finished)
    window.take_arguments(parse(["--query", "rivers"]))
    assert answered.wait()[1].result.request.text == "rivers"


# --- failures ---------------------------------------------------------------------------------------


def test_a_failing_engine_has_its_own_words_and_next_step(windows, tmp_path, small):
    class Broken(Engine):
        broken = True

        def search(self, request, cancel=None):
            if self.broken:
                raise ZbmError("The index cannot be read.", "disk I/O error")
            return super().search(request, cancel)

    window = make_window(tmp_path / "home", ["--library", str(small.folder)], Broken)
    windows.append(window)
    wait_for_index(window)
    field = window.library_tab.bar.field
    QTest.keyClicks(field, "soil")
    QTest.keyClick(field, Qt.Key.Key_Return)
    page = wait_for_state(window, "The search could not be carried out")
    assert (page.text, page.detail) == ("The index cannot be read.", "disk I/O error")
    Broken.broken = False
    click(window, "Try again")
    until(lambda: state(window) is None)


def test_a_failing_run_is_told_in_a_banner_and_words_still_rank(windows, tmp_path, small):
    class Failing(Engine):
        def run(self, *arguments, **more):
            raise ZbmError("The disk is full.", "ENOSPC")

    window = make_window(tmp_path / "home", ["--library", str(small.folder)], Failing)
    windows.append(window)
    until(lambda: window.library_tab.warning.state is not None)
    assert "The disk is full." in window.library_tab.warning.state.title
    assert len(titles(window)) == 5


# --- steering indexing -----------------------------------------------------------------------------


def test_pausing_is_remembered(window, tmp_path):
    window.commands["pause_indexing"].trigger()
    assert window.index_status.label.text() == "Indexing paused"
    settings = json.loads((tmp_path / "home" / "config" / "settings.json").read_text())["values"]
    assert settings["indexing.paused"] is True
    finished = Catcher(window.engine.run_finished)
    window.commands["pause_indexing"].trigger()
    finished.wait()


# --- documents --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("missing", "The file is not where Zotero says it is"),
        ("damaged", "The document is damaged"),
        ("table", "This document opens in another program"),
    ],
)
def test_a_document_that_cannot_be_shown_has_a_page_with_its_reason(window, small, name, title):
    key = ItemKey(1, getattr(small, name))
    window.library_tab.tree.attachment_activated.emit(key)
    until(lambda: window.tabs.current_reader() is not None)
    tab = window.tabs.current_reader()
    until(lambda: tab.page.state is not None and not tab.page.state.busy)
    assert tab.page.state.title == title
    assert tab.page.state.text and tab.page.state.acts


def test_a_document_of_another_kind_opens_in_its_program(window, small, opened):
    window.library_tab.tree.attachment_activated.emit(ItemKey(1, small.table))
    tab = window.tabs.current_reader()
    until(lambda: tab.page.state is not None and not tab.page.state.busy)
    next(b for b in tab.findChildren(QPushButton) if b.text() == "Open externally").click()
    until(lambda: opened)
    assert opened == [("file", "rivers.ods")]


def test_a_link_is_followed_not_read(window, small, opened):
    window.library_tab.tree.attachment_activated.emit(ItemKey(1, small.link))
    settle()
    assert opened == [("link", "https://example.org/sand")]
    assert window.tabs.count() == 1


# --- acts of a row ----------------------------------------------------------------------------------


def test_the_context_menu_offers_what_can_be_done(window, small):
    from zbm_gui.menus import make_row_menu
    from zbm_gui.targets import Target

    def offered(key, passage=None):
        menu = make_row_menu(window, window.commands, window.acts, Target(ItemKey(1, key), passage))
        return [action.text() for action in menu.actions() if action.text()]

    assert offered(small.soil) == [
        "Open at Passage",
        "Open Externally",
        "Show File",
        "Show in Zotero",
        "Open in Zotero at the Page",
        "Copy Quote with Citation",
        "Copy Link",
    ]
    assert offered(small.note) == ["Show in Zotero", "Copy Quote with Citation", "Copy Link"]
    assert "Show File" not in offered(small.link)


def test_links_and_quotes_of_a_match(window, small, opened):
    search(window, "carbon")
    until(lambda: len(tree_rows(window)) > 1 and tree_rows(window)[1].passage)
    table = window.library_tab.tree.table
    table.setCurrentIndex(table.model().index(1, 0))
    passage = window.library_tab.tree.current().passage
    window.commands["show_in_zotero"].trigger()
    window.commands["open_in_zotero"].trigger()
    page = f"?page={passage.page + 1}"
    assert opened[1] == ("link", f"zotero://open-pdf/library/items/{small.soil_pdf}{page}")
    assert opened[0][1].startswith("zotero://")
    window.commands["copy_quote"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("“") and "(Okonjo et al. 2021, p. " in text
    window.commands["copy_link"].trigger()
    assert QGuiApplication.clipboard().text().endswith(page)
    window.commands["show_file"].trigger()
    window.commands["open_externally"].trigger()
    until(lambda: ("file", "okonjo.pdf") in opened)
    assert ("show", "okonjo.pdf") in opened


def test_a_program_among_the_attachments_is_shown_not_started(windows, tmp_path, opened):
    from resources.demo.zotero_database import ZoteroDatabase
    from zbm_gui.targets import Target

    with ZoteroDatabase(tmp_path / "Zotero") as database:
        item = database.add_item("book", {"title": "A book"})
        key = database.add_attachment(
            item, file=b"MZ", filename="paper.pdf.exe", content_type="application/pdf"
        )
    window = make_window(tmp_path / "home", ["--library", str(tmp_path / "Zotero")])
    windows.append(window)
    wait_for_index(window)
    window.acts.open_externally(Target(ItemKey(1, key)))
    until(lambda: opened)
    assert opened == [("show", "paper.pdf.exe")]


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
