"""Leaving libraries, collections and tags out of searches."""

import pytest
from PySide6.QtCore import Qt

from tests.zbm_gui.waiting import Catcher, until
from tests.zbm_gui.windows import search
from zbm_core.library import Exclusions, ItemKey
from zbm_gui.preferences.exclusion_group import in_words


@pytest.fixture
def group(window):
    group = window.preferences.open("Advanced").advanced.left_out
    until(lambda: group.summary.text() == "Nothing is left out.")
    return group


def choices(group):
    group.choose.click()
    until(lambda: group.dialog is not None)
    return group.dialog


def place(dialog, name):
    return dialog.places.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)[0]


def test_a_tag_is_left_out_at_once_and_comes_back(window, group, small):
    search(window, "soil")
    before = {match.item.key for match in window.library_tab.search.result.matches}
    assert small.soil in before
    dialog = choices(group)
    dialog._model.itemFromIndex(dialog._shown.mapToSource(dialog.tag_row("carbon"))).setCheckState(
        Qt.CheckState.Checked
    )
    answered, indexed = Catcher(window.engine.search_finished), Catcher(window.engine.run_finished)
    dialog.accept()
    answered.wait()
    indexed.wait()
    assert small.soil not in {match.item.key for match in window.library_tab.search.result.matches}
    until(lambda: group.summary.text() == "Left out: 1 tag. 1 item is not searched.")
    assert ItemKey(1, small.soil) in window.engine.engine.library.items
    group.dialog = None
    dialog = choices(group)
    assert dialog.tag_row("carbon").row() == 0, "what is left out stands first"
    dialog._model.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.accept()
    until(lambda: group.summary.text() == "Nothing is left out.")
    assert window._settings.get("library.excluded") == []
    indexed.wait()
    search(window, "soil")
    assert small.soil in {match.item.key for match in window.library_tab.search.result.matches}


def test_collections_and_libraries_are_ticked(group, small):
    dialog = choices(group)
    place(dialog, "Forests").setCheckState(0, Qt.CheckState.Checked)
    place(dialog, "Reading Group").setCheckState(0, Qt.CheckState.Checked)
    wanted = Exclusions(frozenset({small.group}), frozenset({ItemKey(1, small.forests)}))
    assert dialog.exclusions() == wanted
    heard = Catcher(group.excluded)
    dialog.accept()
    (lines,) = heard.wait()
    assert len(lines) == 2
    until(lambda: "Reading Group and Forests" in group.summary.text())


def test_cancel_changes_nothing(window, group):
    dialog = choices(group)
    place(dialog, "Soils").setCheckState(0, Qt.CheckState.Checked)
    dialog.reject()
    assert window._settings.get("library.excluded") == []


def test_tags_can_be_looked_for(group):
    dialog = choices(group)
    dialog.filter.setText("CARB")
    assert dialog._shown.rowCount() == 1
    dialog.reject()


def test_what_is_left_out_in_words(small_records, small):
    forests, gone = ItemKey(1, small.forests), ItemKey(1, "GONE2345")
    for exclusions, items, words in (
        (Exclusions(), 0, "Nothing is left out."),
        (Exclusions(collections=frozenset({forests})), 1, "Left out: Forests. 1 item is not searched."),
        (
            Exclusions(frozenset({1}), frozenset({gone}), frozenset({"a", "b"})),
            2310,
            "Left out: My Library, 2 tags and 1 no longer in the library. 2,310 items are not searched.",
        ),
    ):
        assert in_words(small_records, exclusions, items) == words
