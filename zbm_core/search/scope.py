"""Which items may answer: the same set whichever engine runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zbm_core.library.records import Attachment, Item, ItemKey, Note
from zbm_core.search.records import Scope

if TYPE_CHECKING:
    from zbm_core.library import Library


def scope_keys(library: Library, scope: Scope) -> frozenset[ItemKey] | None:
    """The top-level items of *library* that *scope* admits; None when it admits everything."""
    if scope == Scope(subcollections=scope.subcollections):
        return None
    keys = library.top_level
    if scope.collection is not None:
        members = library.in_collection(scope.collection, scope.subcollections)
        keys = [key for key in keys if key in members]
    if scope.library is not None:
        keys = [key for key in keys if key.library == scope.library]
    return frozenset(key for key in keys if _admits(library.record(key), scope))


def _admits(record: Item | Attachment | Note, scope: Scope) -> bool:
    if scope.tags and not set(scope.tags) <= set(record.tags):
        return False
    if scope.item_types and item_type(record) not in scope.item_types:
        return False
    if scope.year_from is None and scope.year_to is None:
        return True
    year = record.year if isinstance(record, Item) else None
    if year is None:
        return False
    return (scope.year_from is None or year >= scope.year_from) and (
        scope.year_to is None or year <= scope.year_to
    )


def item_type(record: Item | Attachment | Note) -> str:
    """Zotero's item type name, "attachment" and "note" for standalone ones."""
    if isinstance(record, Item):
        return record.item_type
    return "attachment" if isinstance(record, Attachment) else "note"
