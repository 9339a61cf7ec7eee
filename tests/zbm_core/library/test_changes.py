from pathlib import Path

import pytest

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.zotero_edits import zotero
from zbm_core.library import LibraryChanges, changes_between, read_library
from zbm_core.library.records import ItemKey


@pytest.fixture
def edited(tmp_path):
    """A function: do this in Zotero; what changed by it."""
    keys = write_small_library(tmp_path / "Zotero")
    opened = []

    def read():
        opened.append(read_library(keys.folder, Path(tmp_path / "scratch")))
        return opened[-1]

    def edit(work) -> LibraryChanges:
        before = read()
        with zotero(keys.folder) as running:
            work(running)
            return changes_between(before, read())

    yield keys, edit
    for library in opened:
        library.close()


def test_nothing_changed(edited):
    _, edit = edited
    assert not edit(lambda running: None)


def test_an_item_added(edited):
    _, edit = edited
    found = edit(lambda running: running.add("ADDEDNOW", "New"))
    assert found == LibraryChanges(added=frozenset({ItemKey(1, "ADDEDNOW")}))


def test_an_item_trashed_takes_what_is_under_it_along(edited):
    keys, edit = edited
    assert edit(lambda running: running.trash(keys.soil)) == LibraryChanges(
        removed=frozenset({ItemKey(1, keys.soil)})
    )


@pytest.mark.parametrize("part", ["soil_pdf", "note", "highlight"])
def test_a_child_trashed_changes_its_item(edited, part):
    keys, edit = edited
    found = edit(lambda running: running.trash(getattr(keys, part)))
    assert found == LibraryChanges(changed=frozenset({ItemKey(1, keys.soil)}))


def test_fields_and_the_text_of_a_note(edited):
    keys, edit = edited

    def work(running):
        running.set_field(keys.forest, "title", "Forest roofs")
        running.set_note(keys.note, "<p>Compare with the quokka survey</p><p>of 1998</p>")

    assert edit(work).changed == {ItemKey(1, keys.forest), ItemKey(1, keys.soil)}


def test_a_child_that_moved_changes_both_items(edited):
    keys, edit = edited

    def work(running):
        running._connection.execute(
            "UPDATE itemNotes SET parentItemID = ? WHERE itemID = ?",
            (running._item(keys.forest), running._item(keys.note)),
        )

    assert edit(work).changed == {ItemKey(1, keys.forest), ItemKey(1, keys.soil)}
