"""What a row, a card or a match in the reader stands for when something is done with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.documents.structure import Selector, SelectorAnchor
from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note
from zbm_core.search.records import Passage
from zbm_gui.item_tree.wording import best_attachment

if TYPE_CHECKING:
    from zbm_core.library import Library

LINKED_URL = 3


@dataclass(frozen=True, slots=True)
class Target:
    """A record, and the passage of it that was meant, if one was.

    Attributes:
        place: where a reader stands in the document, which need not be at the passage: a physical page from 0, or
            what a text's reader calls the place.
    """

    record: ItemKey
    passage: Passage | None = None
    place: int | Selector | None = None


def attachment_of(library: Library, target: Target) -> Attachment | None:
    """The attachment to open for *target*; None for a note, or an item without a document."""
    key = target.passage.source if target.passage is not None else target.record
    record = library.record(key)
    if isinstance(record, Annotation):
        record = library.record(record.parent)
    if isinstance(record, Note) and record.parent is not None:
        return None
    if isinstance(record, Item):
        best = best_attachment(library, record.key)
        return library.attachments[best] if best is not None else None
    return record if isinstance(record, Attachment) else None


def page_of(target: Target) -> int | None:
    """The physical page that is read, or that of the passage, from 0."""
    if target.place is not None:
        return target.place if isinstance(target.place, int) else None
    return target.passage.page if target.passage is not None else None


def selector_of(target: Target) -> Selector | None:
    """Where the target stands in an EPUB, a snapshot or a text."""
    if target.place is not None:
        return target.place if isinstance(target.place, Selector) else None
    anchor = target.passage.anchor if target.passage is not None else None
    return anchor.selectors[0] if isinstance(anchor, SelectorAnchor) and anchor.selectors else None
