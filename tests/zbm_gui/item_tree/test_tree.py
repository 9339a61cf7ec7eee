"""The tree as the window uses it."""

import json

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest

from tests.zbm_gui.item_tree.reading import (
    go_to,
    heard,
    key,
    keys,
    outline,
    position,
    rows,
    search,
    spy,
)
from tests.zbm_gui.item_tree.samples import found, passage, shelf_passages
from zbm_gui.item_tree import ItemTree, RowKind
from zbm_gui.item_tree.columns import CREATOR, DATE_ADDED, PUBLICATION, RELEVANCE, TITLE, YEAR

RESULT = found(("ITEMCCCC", 0.9), ("ITEMAAAA", 0.6), ("ITEMBBBB", 0.2))


def test_without_a_query_the_library_stands_newest_first(tree):
    shown = keys(tree)
    assert len(shown) == 10
    assert shown[:2] == ["ITEMAAAA", "ITEMCCCC"]
    assert tree.count() == 10
    assert tree.table.isColumnHidden(RELEVANCE)


def test_a_scope_shows_its_items_and_only_what_is_in_the_library(tree):
    tree.show_items({key("ITEMBBBB"), key("ITEMCCCC"), key("GONE2222")})
    assert keys(tree) == ["ITEMCCCC", "ITEMBBBB"]
    tree.show_items([])
    assert keys(tree) == []
    tree.show_items(None)
    assert tree.count() == 10


def test_items_can_be_shown_as_given_until_they_are_sorted(tree):
    given = [key("ITEMBBBB"), key("ITEMAAAA"), key("ITEMCCCC")]
    tree.show_items(given, as_given=True)
    assert keys(tree) == ["ITEMBBBB", "ITEMAAAA", "ITEMCCCC"]
    tree.sort_by(YEAR, True)
    assert keys(tree) == ["ITEMCCCC", "ITEMAAAA", "ITEMBBBB"]


def test_results_stand_by_relevance_and_the_library_comes_back_as_it_was(tree):
    tree.sort_by(TITLE, False)
    before = keys(tree)
    search(tree, RESULT)
    assert keys(tree) == ["ITEMCCCC", "ITEMAAAA", "ITEMBBBB"]
    assert not tree.table.isColumnHidden(RELEVANCE)
    tree.clear_results()
    assert keys(tree) == before
    assert all(row.level == 0 for row in rows(tree))
    assert tree.table.isColumnHidden(RELEVANCE)


def test_results_can_be_sorted_otherwise_and_the_next_search_is_by_relevance_again(tree):
    search(tree, RESULT)
    tree.sort_by(TITLE, False)
    assert keys(tree) == ["ITEMBBBB", "ITEMAAAA", "ITEMCCCC"]
    tree.sort_by(RELEVANCE, True)
    assert keys(tree) == ["ITEMCCCC", "ITEMAAAA", "ITEMBBBB"]
    tree.sort_by(TITLE, False)
    search(tree, found(("ITEMBBBB", 0.9), ("ITEMAAAA", 0.1), text="another"))
    assert keys(tree) == ["ITEMBBBB", "ITEMAAAA"]


def test_relevance_is_never_the_librarys_order(tree):
    tree.sort_by(RELEVANCE, True)
    assert keys(tree)[:2] == ["ITEMAAAA", "ITEMCCCC"]


def test_a_result_opens_with_its_matches_then_attachments_then_notes(tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    assert outline(tree) == [
        "item ITEMAAAA",
        "  match ATTAAAAA",
        "  match ATTAAAAA",
        "  match NOTEAAAA",
        "  attachment ATTAAAAA",
        "  attachment ATTBBBBB",
        "  note NOTEAAAA",
    ]  # the fourth passage is not among the quoted


def test_the_first_screen_opens_by_itself_and_the_rest_does_not(tree):
    tree.resize(900, 300)
    search(tree, found(("ITEMAAAA", 0.9), ("ITEMBBBB", 0.8), ("ITEMEEEE", 0.7), ("ITEMCCCC", 0.1)))
    opened = {row.top.key for row in rows(tree) if row.level}
    assert "ITEMAAAA" in opened
    assert "ITEMCCCC" not in opened


def test_nothing_opens_by_itself_once_the_user_has_moved(app, tree):
    tree.show_results(RESULT)
    QTest.keyClick(tree.table, Qt.Key.Key_Down)
    for item, passages in shelf_passages().items():
        tree.set_passages(key(item), passages)
    assert all(row.level == 0 for row in rows(tree))


def test_the_same_search_again_keeps_what_is_open_and_selected(tree):
    search(tree, RESULT)
    at = position(tree, "ITEMAAAA")
    tree.table.toggle(at)
    go_to(tree, position(tree, "ATTDDDDD", RowKind.MATCH))
    before = outline(tree)
    tree.show_results(RESULT)
    assert outline(tree) == before
    assert [p.source.key for p in tree.selected().passages] == ["ATTDDDDD"]


def test_passages_that_change_take_the_place_of_the_old(tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    tree.set_passages(key("ITEMAAAA"), [passage("ITEMAAAA", "NOTEAAAA", "Only this.")])
    assert outline(tree)[:3] == ["item ITEMAAAA", "  match NOTEAAAA", "  attachment ATTAAAAA"]
    tree.set_passages(key("ITEMAAAA"), [])
    assert outline(tree)[:2] == ["item ITEMAAAA", "  attachment ATTAAAAA"]


def test_annotations_stand_under_their_attachment(tree):
    tree.table.toggle(position(tree, "ITEMAAAA"))
    tree.table.toggle(position(tree, "ATTAAAAA", RowKind.ATTACHMENT))
    assert outline(tree)[:6] == [
        "item ITEMAAAA",
        "  attachment ATTAAAAA",
        "    annotation ANNOAAAA",
        "    annotation ANNOBBBB",
        "  attachment ATTBBBBB",
        "  note NOTEAAAA",
    ]
    tree.table.toggle(position(tree, "ITEMAAAA"))
    assert outline(tree)[:2] == ["item ITEMAAAA", "item ITEMCCCC"]


def test_a_later_state_keeps_what_is_open_and_selected_by_id(tree, later_shelf):
    tree.table.toggle(position(tree, "ITEMAAAA"))
    go_to(tree, position(tree, "NOTEAAAA", RowKind.NOTE))
    changes = spy(tree.selection_changed)
    tree.set_library(later_shelf)
    assert keys(tree)[:2] == ["ITEMJJJJ", "ITEMAAAA"]
    assert "ITEMFFFF" not in keys(tree)
    assert "  note NOTEAAAA" in outline(tree)
    assert tree.selected().keys == (key("NOTEAAAA"),)
    assert tree.current().key == key("NOTEAAAA")
    assert changes.count() == 0
    assert (
        tree.table.model()
        .data(tree.table.model().index(position(tree, "ITEMBBBB"), TITLE))
        .endswith("second edition")
    )


def test_a_selected_row_that_is_gone_is_told(tree, later_shelf):
    go_to(tree, position(tree, "ITEMFFFF"))
    changes = spy(tree.selection_changed)
    tree.set_library(later_shelf)
    assert not tree.selected()
    assert changes.count() == 1


def test_a_later_state_keeps_the_results(tree, later_shelf):
    search(tree, found(("ITEMAAAA", 0.8), ("ITEMFFFF", 0.4)))
    tree.set_library(later_shelf)
    assert keys(tree) == ["ITEMAAAA"]
    assert "  match NOTEAAAA" in outline(tree)


def test_what_stands_at_the_top_stays_there_when_rows_come_above(app, tree):
    tree.resize(900, 150)
    app.processEvents()
    tree.show_results(found(("ITEMAAAA", 0.9), *((k, 0.5) for k in keys(tree) if k != "ITEMAAAA")))
    QTest.keyClick(tree.table, Qt.Key.Key_Down)  # nothing opens by itself from here on
    tree.table.set_open(0, True)
    bar = tree.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    top = rows(tree)[tree.table.rowAt(0)]
    offset = tree.table.rowViewportPosition(tree.table.rowAt(0))
    tree.set_passages(key("ITEMAAAA"), shelf_passages()["ITEMAAAA"])
    app.processEvents()
    assert rows(tree)[tree.table.rowAt(0)] == top
    assert tree.table.rowViewportPosition(tree.table.rowAt(0)) == offset


def test_selection_speaks_of_records_and_of_passages(tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    tree.table.selectAll()
    chosen = tree.selected()
    assert [k.key for k in chosen.keys] == ["ITEMAAAA", "ATTAAAAA", "ATTBBBBB", "NOTEAAAA"]
    assert [p.source.key for p in chosen.passages] == ["ATTAAAAA", "ATTAAAAA", "NOTEAAAA"]
    assert bool(chosen)


def test_all_rows_stay_selected_when_they_are_sorted(tree):
    tree.table.selectAll()
    tree.sort_by(TITLE, False)
    assert len(tree.selected().keys) == 10


def test_a_row_can_be_selected_by_its_key(tree):
    assert tree.select(key("ITEMGGGG"))
    assert tree.selected().keys == (key("ITEMGGGG"),)
    assert not tree.select(key("NOWHERE2"))


def test_passages_of_results_on_the_screen_are_asked_for_once(app, tree):
    wanted = spy(tree.passages_wanted)
    tree.show_results(RESULT)
    QTest.qWait(80)
    assert heard(wanted) == [[key("ITEMCCCC"), key("ITEMAAAA"), key("ITEMBBBB")]]
    tree.sort_by(TITLE, False)
    QTest.qWait(80)
    assert wanted.count() == 1


def test_only_what_is_seen_is_asked_for(app, tree):
    tree.resize(900, 120)
    tree.show_results(found(*((k, 0.5) for k in keys(tree))))
    wanted = spy(tree.passages_wanted)
    QTest.qWait(80)
    first = heard(wanted)[0]
    assert 0 < len(first) < 10
    tree.table.verticalScrollBar().setValue(tree.table.verticalScrollBar().maximum())
    QTest.qWait(80)
    assert set(heard(wanted)[-1]).isdisjoint(first)


def test_a_match_opens_its_passage(tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    opened = spy(tree.passage_activated)
    go_to(tree, 2)
    QTest.keyClick(tree.table, Qt.Key.Key_Return)
    assert heard(opened) == [shelf_passages()["ITEMAAAA"][1]]


def test_rows_open_what_they_stand_for(tree):
    tree.table.toggle(position(tree, "ITEMAAAA"))
    tree.table.toggle(position(tree, "ATTAAAAA", RowKind.ATTACHMENT))
    opened = {
        RowKind.ATTACHMENT: spy(tree.attachment_activated),
        RowKind.NOTE: spy(tree.note_activated),
        RowKind.ANNOTATION: spy(tree.annotation_activated),
    }
    for kind, text in (
        (RowKind.ATTACHMENT, "ATTBBBBB"),
        (RowKind.NOTE, "NOTEAAAA"),
        (RowKind.ANNOTATION, "ANNOBBBB"),
    ):
        go_to(tree, position(tree, text, kind))
        QTest.keyClick(tree.table, Qt.Key.Key_Enter)
        assert heard(opened[kind]) == [key(text)]


def test_an_item_opens_its_document_and_in_a_search_its_best_passage(tree):
    attachments, passages = spy(tree.attachment_activated), spy(tree.passage_activated)
    go_to(tree, position(tree, "ITEMAAAA"))
    QTest.keyClick(tree.table, Qt.Key.Key_Return)
    assert heard(attachments) == [key("ATTAAAAA")]  # the PDF, not the snapshot
    search(tree, found(("ITEMAAAA", 0.8)))
    go_to(tree, 0)
    QTest.keyClick(tree.table, Qt.Key.Key_Return)
    assert heard(passages) == [shelf_passages()["ITEMAAAA"][0]]
    assert attachments.count() == 1


def test_standalone_records_open_themselves(tree):
    attachments, notes = spy(tree.attachment_activated), spy(tree.note_activated)
    for text in ("ATTEEEEE", "NOTEBBBB"):
        go_to(tree, position(tree, text))
        QTest.keyClick(tree.table, Qt.Key.Key_Return)
    assert heard(attachments) == [key("ATTEEEEE")]
    assert heard(notes) == [key("NOTEBBBB")]


def test_columns_and_sorting_are_remembered(app, tree, shelf):
    header = tree.table.header
    header.column_toggled.emit(DATE_ADDED, True)
    header.column_toggled.emit(PUBLICATION, False)
    header.moveSection(header.visualIndex(YEAR), 0)
    header.resizeSection(CREATOR, 201)
    tree.sort_by(YEAR, False)
    state = tree.save_state()
    other = ItemTree()
    other.resize(900, 600)
    other.show()
    other.set_library(shelf)
    assert other.restore_state(state)
    app.processEvents()
    assert other.table.header.visualIndex(YEAR) == 0
    assert other.table.header.sectionSize(CREATOR) == 201
    assert not other.table.isColumnHidden(DATE_ADDED) and other.table.isColumnHidden(PUBLICATION)
    assert keys(other) == keys(tree)
    assert json.loads(other.save_state()) == json.loads(state)


def test_a_state_that_cannot_be_read_changes_nothing(tree):
    before = tree.save_state()
    bad = ["", "{}", "[]", "null", b"\xff\xfe", '{"version": 1}', '{"version": 99}']
    bad.append('{"version": 1, "sorting": ["title", true], "order": 3, "widths": {}, "hidden": []}')
    for state in bad:
        assert tree.restore_state(state) is False
    assert tree.save_state() == before


def test_widths_that_no_one_could_have_chosen_are_not_taken(tree):
    state = json.loads(tree.save_state())
    state["widths"] |= {"creator": 1e9, "year": -5}
    assert tree.restore_state(json.dumps(state))
    assert tree.table.header.sectionSize(CREATOR) < 400
    assert tree.table.header.sectionSize(YEAR) > 20


def test_titles_keep_their_room_in_a_narrow_window(app, tree):
    tree.resize(300, 400)
    app.processEvents()
    assert tree.table.columnWidth(TITLE) >= 150
    assert tree.table.isColumnHidden(PUBLICATION)
    menu = tree.table.header.column_menu()
    shown = {action.text(): action.isChecked() for action in menu.actions()}
    assert shown["Publication"] is True  # chosen; there is no room for it now
    tree.resize(1000, 400)
    app.processEvents()
    assert not tree.table.isColumnHidden(PUBLICATION)


def test_the_menu_offers_all_columns_but_title_and_relevance(tree):
    names = [action.text() for action in tree.table.header.column_menu().actions()]
    assert names == ["Creator", "Year", "Publication", "Item type", "Date added", "Date modified"]


def test_a_click_on_a_header_sorts_and_another_turns_it_round(tree):
    header = tree.table.header
    header.sectionClicked.emit(YEAR)
    assert keys(tree)[:3] == ["ITEMCCCC", "ITEMFFFF", "ITEMAAAA"]  # newest first
    header.sectionClicked.emit(YEAR)
    assert keys(tree)[0] == "ITEMGGGG"
    assert keys(tree)[-3:] == ["NOTEBBBB", "ATTEEEEE", "ITEMEEEE"] or keys(tree)[-1] == "ITEMEEEE"


def test_relevance_falls_and_never_rises(tree):
    search(tree, RESULT)
    tree.table.header.sectionClicked.emit(RELEVANCE)
    tree.table.header.sectionClicked.emit(RELEVANCE)
    assert keys(tree) == ["ITEMCCCC", "ITEMAAAA", "ITEMBBBB"]


def test_a_context_menu_says_which_row(app, tree):
    asked = spy(tree.context_menu_requested)
    table = tree.table
    at = position(tree, "ITEMCCCC")
    go_to(tree, at)
    point = QPoint(200, table.rowViewportPosition(at) + 5)
    beside = QPoint(200, table.viewport().height() - 5)
    for reason, where in (
        (QContextMenuEvent.Reason.Mouse, point),
        (QContextMenuEvent.Reason.Keyboard, QPoint(0, 0)),
        (QContextMenuEvent.Reason.Mouse, beside),
    ):
        event = QContextMenuEvent(reason, where, table.viewport().mapToGlobal(where))
        app.sendEvent(table.viewport(), event)
    by_mouse, by_key, nowhere = (asked.at(n) for n in range(3))
    assert by_mouse[0] == table.viewport().mapToGlobal(point)
    assert by_mouse[1].key == by_key[1].key == key("ITEMCCCC")
    assert table.rowAt(table.viewport().mapFromGlobal(by_key[0]).y()) == at  # the menu opens at the row
    assert nowhere[1] is None
