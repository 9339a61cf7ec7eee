"""The window from a query to the highlighted passage, driven as a person drives it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.waiting import Catcher, settle, until
from tests.zbm_gui.windows import click, search, state, titles, tree_rows
from zbm_core.library.records import ItemKey
from zbm_gui.item_tree import RowKind

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
