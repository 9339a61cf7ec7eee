"""The sidebar's rows as a model: small, rebuilt whole when the library changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from zbm_core.library.records import ItemKey, LibraryInfo
from zbm_gui import style
from zbm_gui.digest import Digest
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.library import Library

NODE = Qt.ItemDataRole.UserRole
COUNT = Qt.ItemDataRole.UserRole + 1
#: Deeper nests than any person makes; a ring of parents in a damaged library ends here.
DEEPEST = 40


class NodeKind(StrEnum):
    LIBRARY = "library"
    COLLECTION = "collection"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class Node:
    """What one row of the sidebar stands for."""

    kind: NodeKind
    name: str
    library: int | None = None
    collection: ItemKey | None = None

    @property
    def id(self) -> str:
        """The row's lasting name: layout and selection are kept by it."""
        if self.kind is NodeKind.COLLECTION:
            return f"collection:{self.collection}"
        return self.kind if self.library is None else f"{self.kind}:{self.library}"


def build(library: Library, digest: Digest) -> QStandardItemModel:
    """Libraries (the user's own first, then groups by name), each with its collections; then Recently Read,
    if anything was.
    """
    model = QStandardItemModel()
    for info in sorted(library.libraries.values(), key=_library_order):
        row = _row(
            Node(NodeKind.LIBRARY, info.name, info.library),
            "group" if info.kind == "group" else "library",
            digest.counts.get(info.library),
        )
        _add_collections(row, digest, info.library, None, 0)
        model.appendRow(row)
    if digest.recent:
        model.appendRow(_row(Node(NodeKind.RECENT, "Recently Read"), "recent", len(digest.recent)))
    return model


def _library_order(info: LibraryInfo) -> tuple[bool, str]:
    return (info.kind != "user", info.name.casefold())


def _add_collections(
    above: QStandardItem, digest: Digest, library: int, parent: ItemKey | None, depth: int
) -> None:
    if depth > DEEPEST:
        return
    for collection in digest.subcollections.get((library, parent), ()):
        node = Node(NodeKind.COLLECTION, collection.name, library, collection.key)
        row = _row(node, "collection", digest.collection_counts.get(collection.key))
        _add_collections(row, digest, library, collection.key, depth + 1)
        above.appendRow(row)


def _row(node: Node, icon: str, count: int | None) -> QStandardItem:
    row = QStandardItem(style.icon(icon), node.name)
    row.setEditable(False)
    row.setData(node, NODE)
    row.setData(count, COUNT)
    sentence = node.name if count is None else f"{node.name}, {counted(count, 'item')}"
    row.setToolTip(style.plain_tooltip(sentence))
    row.setData(sentence, Qt.ItemDataRole.AccessibleTextRole)
    return row
