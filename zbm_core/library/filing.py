"""The collections of a database and what is filed in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container

from zbm_core.library.records import Collection, ItemKey
from zbm_core.library.tables import KEY_GLOB, Tables


def read_collections(
    tables: Tables, libraries: Container[int]
) -> tuple[dict[ItemKey, Collection], dict[int, list[ItemKey]]]:
    """The collections outside the trash, and by itemID the collections each item is filed in."""
    if not tables.has("collections", "collectionID", "libraryID", "key"):
        return {}, {}
    gone: set[int] = set()
    if tables.has("deletedCollections", "collectionID"):
        gone = {
            number
            for (number,) in tables.rows("deletedCollections", numbers=("deletedCollections.collectionID",))
        }
    found: dict[int, tuple[ItemKey, str, int | None]] = {}
    for number, library, parent, key, name in tables.rows(
        "collections",
        numbers=("collections.collectionID", "collections.libraryID", "collections.parentCollectionID"),
        texts=("collections.key", "collections.collectionName"),
        tail=f"WHERE key GLOB '{KEY_GLOB}'",
    ):
        if library in libraries:
            found[number] = (ItemKey(library, key), name, parent)
    kept = {number: entry[0] for number, entry in found.items() if _is_kept(number, found, gone)}
    collections = {}
    for number, key in kept.items():
        _, name, parent = found[number]
        collections[key] = Collection(key, name, None if parent is None else kept.get(parent))
    filed: dict[int, list[ItemKey]] = defaultdict(list)
    if kept and tables.has("collectionItems", "collectionID", "itemID"):
        for number, item in tables.rows(
            "collectionItems", numbers=("collectionItems.collectionID", "collectionItems.itemID")
        ):
            if number in kept:
                filed[item].append(kept[number])
    return collections, filed


def _is_kept(number: int, found: dict[int, tuple[ItemKey, str, int | None]], gone: set[int]) -> bool:
    """Whether neither a collection nor one above it is in the trash. One in a circle is not kept."""
    seen: set[int] = set()
    above: int | None = number
    while above is not None:
        if above in gone or above in seen:
            return False
        if above not in found:
            break
        seen.add(above)
        above = found[above][2]
    return True
