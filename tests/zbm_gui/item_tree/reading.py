"""What a tree shows, said in a few words: for the assertions."""

from __future__ import annotations

from PySide6.QtTest import QSignalSpy

from tests.zbm_gui.item_tree.samples import shelf_passages
from zbm_core.library.records import ItemKey
from zbm_core.search.records import SearchResult
from zbm_gui.item_tree import ItemTree, Row, RowKind


def key(text: str) -> ItemKey:
    return ItemKey(1, text)


def rows(tree: ItemTree) -> list[Row]:
    model = tree.table.model()
    return [model.row(position) for position in range(model.rowCount())]


def keys(tree: ItemTree) -> list[str]:
    """Keys of the top-level rows, as they stand."""
    return [row.key.key for row in rows(tree) if row.kind is RowKind.ITEM]


def outline(tree: ItemTree) -> list[str]:
    """Every row as its kind and key, indented."""
    return [f"{'  ' * row.level}{row.kind} {row.key.key}" for row in rows(tree)]


def position(tree: ItemTree, text: str, kind: RowKind = RowKind.ITEM) -> int:
    return next(n for n, row in enumerate(rows(tree)) if row.key.key == text and row.kind is kind)


def go_to(tree: ItemTree, at: int) -> None:
    tree.table.setCurrentIndex(tree.table.model().index(at, 0))


def search(tree: ItemTree, result: SearchResult) -> None:
    """Show *result* with all the passages there are of the shelf."""
    tree.show_results(result)
    for item, passages in shelf_passages().items():
        tree.set_passages(key(item), passages)


def spy(signal) -> QSignalSpy:
    return QSignalSpy(signal)


def heard(watcher: QSignalSpy) -> list:
    """The first argument of every emission, or () for none."""
    calls = [watcher.at(n) for n in range(watcher.count())]
    return [call[0] if call else () for call in calls]
