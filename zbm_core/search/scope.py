"""Which items may answer: the same set whichever engine runs."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import TYPE_CHECKING

from zbm_core.library.records import Attachment, Item, ItemKey, Note
from zbm_core.search.records import Scope

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.library import Library


#: Share of a document that a language has at least for the document to be in it: quotations do not count.
_LANGUAGE_SHARE = 0.2


def scope_keys(
    library: Library, scope: Scope, languages: Callable[[ItemKey], Set[str]] | None = None
) -> frozenset[ItemKey] | None:
    """The top-level items of *library* that *scope* admits; None when it admits everything.

    Args:
        languages: what languages an item can be read in; without it what items say of themselves counts.
    """
    only = next(iter(library.libraries), None) if len(library.libraries) == 1 else None
    if scope in (
        Scope(subcollections=scope.subcollections),
        Scope(only, subcollections=scope.subcollections),
    ):
        return None
    keys = library.top_level
    if scope.collection is not None:
        members = library.in_collection(scope.collection, scope.subcollections)
        keys = [key for key in keys if key in members]
    if scope.library is not None:
        keys = [key for key in keys if key.library == scope.library]
    if scope != Scope(scope.library, scope.collection, scope.subcollections):
        keys = (key for key in keys if _admits(library.record(key), scope))
    if scope.languages:
        wanted = set(scope.languages)
        of = languages or (lambda key: languages_of(library, key))
        keys = (key for key in keys if wanted & of(key))
    return frozenset(keys)


def languages_of(library: Library, item: ItemKey, documents: DocumentStore | None = None) -> set[str]:
    """ISO 639-1 codes of the languages *item* can be read in: what it says itself, and those of its documents."""
    from zbm_core.text import language_named

    record = library.record(item)
    found: set[str] = set()
    if isinstance(record, Item):
        found.update(language_named(text) for name, text in record.fields if name == "language")
    if documents is not None:
        attachments = [item] if isinstance(record, Attachment) else library.children(item)
        for key in attachments:
            report = documents.report(key) if key in library.attachments else None
            if report is not None:
                found.update(code for code, share in report.languages if share >= _LANGUAGE_SHARE)
    return found - {""}


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
