from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tests.zbm_gui.waiting import Catcher
from zbm_core.library.records import ItemKey
from zbm_gui.digest import Digest
from zbm_gui.library_pane import LibraryPane, NodeKind
from zbm_gui.library_pane.tree import COUNT, NODE


@pytest.fixture
def pane(app, small_records):
    pane = LibraryPane()
    pane.resize(240, 400)
    pane.show()
    pane.set_library(small_records, Digest.of(small_records))
    yield pane
    pane.close()
    pane.deleteLater()


def rows(pane):
    """(depth, name, count) of each row in order."""
    found = []

    def walk(parent, depth):
        model = pane.model()
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            found.append((depth, index.data(), index.data(COUNT)))
            walk(index, depth + 1)

    walk(pane.rootIndex(), 0)
    return found


def test_own_library_first_then_groups_then_recently_read(pane):
    assert rows(pane) == [
        (0, "My Library", 5),
        (1, "Empty", 0),
        (1, "Soils", 2),
        (2, "Forests", 1),
        (0, "Reading Group", 1),
        (0, "Recently Read", 1),
    ]


def test_recently_read_is_left_out_when_nothing_was(app, small_records):
    pane = LibraryPane()
    pane.set_library(small_records, replace(Digest.of(small_records), recent=()))
    assert "Recently Read" not in [name for _, name, _ in rows(pane)]


def test_rows_read_as_sentences(pane):
    index = pane.model().index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "My Library, 5 items"


def test_selecting_tells_what_was_selected(pane, small):
    selected = Catcher(pane.node_selected)
    assert pane.select(f"collection:{ItemKey(1, small.forests)}")
    (node,) = selected.wait()
    assert (node.kind, node.name, node.library) == (NodeKind.COLLECTION, "Forests", 1)
    assert node.collection == ItemKey(1, small.forests)
    assert not pane.select("collection:1/GONE")


def test_reading_again_keeps_selection_and_folding_and_says_nothing(pane, small, small_records):
    soils = f"collection:{ItemKey(1, small.soils)}"
    pane.select(soils)
    pane.collapse(pane.currentIndex())
    selected = Catcher(pane.node_selected)
    pane.set_library(small_records, Digest.of(small_records))
    assert pane.current_node().id == soils
    assert not pane.isExpanded(pane.currentIndex())
    assert selected.values == []
    assert pane.folded() == [soils]


def test_a_selected_collection_that_is_gone_gives_way_to_the_first_row(pane, small, small_records):
    pane.select(f"collection:{ItemKey(1, small.empty)}")
    selected = Catcher(pane.node_selected)
    digest = Digest.of(small_records)
    digest.subcollections[1, None] = digest.subcollections[1, None][1:]
    pane.set_library(small_records, digest)
    assert pane.current_node().name == "My Library"
    assert selected.values


def test_the_keyboard_moves_through_the_rows(pane, app):
    pane.setFocus()
    pane.setCurrentIndex(pane.model().index(0, 0))
    selected = Catcher(pane.node_selected)
    from PySide6.QtTest import QTest

    QTest.keyClick(pane, Qt.Key.Key_Down)
    assert selected.wait()[0].name == "Empty"


def test_it_paints(pane):
    assert not pane.grab().isNull()
    assert pane.model().index(0, 0).data(NODE).kind is NodeKind.LIBRARY
