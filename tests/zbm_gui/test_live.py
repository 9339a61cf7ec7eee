"""Zotero is used while the window is open: a second connection writes to the database's log."""

import pytest

from tests.zbm_gui.small_library import add_item, write_small_library
from tests.zbm_gui.waiting import Catcher, settle, until
from tests.zbm_gui.windows import make_window, search, tree_rows, wait_for_index, wait_for_state
from tests.zbm_gui.zotero_edits import zotero
from zbm_core.library.records import ItemKey
from zbm_gui.item_tree import RowKind
from zbm_gui.states import Act
from zbm_gui.targets import Target


@pytest.fixture
def live(windows, tmp_path):
    """(window, keys, Zotero): a window over a library of its own, indexed, and Zotero with it open."""
    keys = write_small_library(tmp_path / "Zotero")
    with zotero(keys.folder) as running:
        window = make_window(tmp_path / "home", ["--library", str(keys.folder)])
        windows.append(window)
        wait_for_index(window)
        yield window, keys, running
        window.close()


def titles(window) -> list[str]:
    model = window.library_tab.tree._model
    return [model.text(row, 0) for row in tree_rows(window) if row.level == 0]


def read_again(window, write) -> None:
    """Do *write*, and wait until the window has taken it and its index has it."""
    changed, finished = Catcher(window.engine.library_changed), Catcher(window.engine.run_finished)
    write()
    changed.wait()
    finished.wait()
    settle()


def test_an_item_added_in_zotero_appears_and_what_one_was_at_stays(live):
    window, keys, running = live
    tree = window.library_tab.tree
    tree.select(ItemKey(1, keys.soil))
    tree.table.toggle(tree.table.currentIndex().row())
    window.resize(1360, 240)  # so low that the list scrolls
    settle()
    bar = tree.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    settle()
    top = tree._model.row(tree.table.rowAt(0)).identity
    assert bar.value() > 0
    read_again(window, lambda: running.add("ADDEDNOW", "Just added"))
    assert titles(window)[0] == "Just added"
    assert tree.selected().keys == (ItemKey(1, keys.soil),)
    assert ItemKey(1, keys.soil) in tree._model.opened
    assert tree._model.row(tree.table.rowAt(0)).identity == top
    search(window, "just added")
    assert titles(window)[0] == "Just added"


def test_the_sidebar_keeps_its_place_and_the_search_its_scope(live):
    window, keys, running = live
    pane = window.library_tab.pane
    node = f"collection:{ItemKey(1, keys.soils)}"
    assert pane.select(node)
    read_again(window, lambda: running.add("ADDEDNOW", "Just added"))
    assert pane.current_node().id == node
    assert "Just added" not in titles(window)


def test_a_list_that_is_read_stays_and_searching_again_is_offered(live):
    window, keys, running = live
    search(window, "lichen")
    tree, note = window.library_tab.tree, window.library_tab.note
    before = titles(window)
    tree.select(ItemKey(1, keys.idea))
    read_again(window, lambda: running.add("ADDEDNOW", "More lichen"))
    assert titles(window) == before
    assert note.state.title == "1 item has changed since this search."
    assert note.state.acts == (Act.REPEAT,)
    answered = Catcher(window.engine.search_finished)
    note._choose(Act.REPEAT)
    answered.wait()
    settle()
    assert sorted(titles(window)) == sorted([*before, "More lichen"])
    assert tree.selected().keys == (ItemKey(1, keys.idea),)
    assert note.state is None


def test_what_is_trashed_leaves_the_results_at_once(live):
    window, keys, running = live
    read_again(window, lambda: running.add("ADDEDNOW", "More lichen"))
    search(window, "lichen")
    assert len(titles(window)) == 2
    read_again(window, lambda: running.trash(keys.idea))
    assert titles(window) == ["More lichen"]
    assert window.library_tab.note.state is None
    read_again(window, lambda: running.trash("ADDEDNOW"))
    assert wait_for_state(window, "Nothing")


def test_a_search_that_found_nothing_is_asked_again(live):
    window, _, running = live
    search(window, "wombat")
    assert not window.library_tab.tree.isVisible()
    read_again(window, lambda: running.add("ADDEDNOW", "The wombat"))
    until(lambda: titles(window) == ["The wombat"] and window.library_tab.tree.isVisible())


def test_previews_of_a_changed_item_are_derived_anew(live):
    window, keys, running = live
    search(window, "quokka")

    def quotes() -> list[str]:
        return [row.passage.text for row in tree_rows(window) if row.kind is RowKind.MATCH]

    assert quotes() == ["Compare with the quokka survey"]
    read_again(window, lambda: running.set_note(keys.note, "<p>The quokka census of Rottnest</p>"))
    until(lambda: quotes() == ["The quokka census of Rottnest"], quotes)
    assert window.library_tab.note.state.title == "1 item has changed since this search."


def test_the_item_pane_shows_what_changed_and_stays_where_it_was(live):
    window, keys, running = live
    tab = window.library_tab
    tab.tree.select(ItemKey(1, keys.soil))
    until(lambda: tab.item_pane._shown == ItemKey(1, keys.soil))
    window.resize(1360, 300)
    bar = tab.item_pane.frame.scroll_bar
    until(lambda: bar.maximum() > 40)
    settle()
    bar.setValue(40)
    settle()
    notes = tab.item_pane.sections["notes"].contents()
    read_again(window, lambda: running.set_field(keys.soil, "title", "How much carbon"))
    until(lambda: tab.item_pane.frame._title.text() == "How much carbon", "the new title")
    until(lambda: bar.value() == 40, "the place")
    assert tab.item_pane.sections["notes"].contents() == notes  # not made anew


def test_a_document_that_leaves_the_library_says_so_and_stays_readable(live):
    window, keys, running = live
    search(window, "soil")
    window.library_tab.tree.select(ItemKey(1, keys.soil))
    tab = window.tabs.open(ItemKey(1, keys.soil_pdf), Target(ItemKey(1, keys.soil_pdf)), None)
    until(lambda: tab.reader is not None and tab.reader.page_count)
    name = window.tabs.tabText(1)
    read_again(window, lambda: running.trash(keys.soil_pdf))
    assert tab.farewell.state.title == "This document is no longer in your library."
    assert tab.farewell.isVisible() and tab.reader.isVisible()
    assert window.tabs.tabText(1) == name
    tab.reader.go_to_page(1)
    tab._copy_cited("a quote", "2")
    read_again(window, lambda: running.restore(keys.soil_pdf))
    assert tab.farewell.state is None


def test_an_unchanged_part_of_the_library_keeps_its_reader_as_it_is(live):
    window, keys, running = live
    tab = window.tabs.open(ItemKey(1, keys.soil_pdf), Target(ItemKey(1, keys.soil_pdf)), None)
    until(lambda: tab.reader is not None and tab.reader.page_count)
    given = []
    tab.reader.set_annotations = given.append
    read_again(window, lambda: running.add("ADDEDNOW", "Just added"))
    assert given == []


def test_a_library_that_cannot_be_read_again_is_told_once_and_stays_shown(windows, tmp_path, monkeypatch):
    monkeypatch.setattr("zbm_gui.library_follow.UNREADABLE_REST", 0.0)
    keys = write_small_library(tmp_path / "Zotero")
    window = make_window(tmp_path / "home", ["--library", str(keys.folder)])
    windows.append(window)
    wait_for_index(window)
    (keys.folder / "zotero.sqlite").rename(tmp_path / "away.sqlite")
    warning = window.library_tab.warning
    until(lambda: warning.state is not None)
    assert "could not be read again" in warning.state.title
    assert len(titles(window)) == 5
    (tmp_path / "away.sqlite").rename(keys.folder / "zotero.sqlite")
    add_item(keys.folder, "Back again")
    until(lambda: "Back again" in titles(window))
    assert warning.state is None
