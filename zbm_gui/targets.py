"""What a row, a card or a match in the reader stands for when something is done with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note
from zbm_core.search.records import Passage
from zbm_gui.item_tree.wording import best_attachment

if TYPE_CHECKING:
    from zbm_core.library import Library

LINKED_URL = 3


@dataclass(frozen=True, slots=True)
class Target:
    """A record, and the passage of it that was meant, if one was."""

    record: ItemKey
    passage: Passage | None = None


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
    """The physical page of the passage, from 0."""
    return target.passage.page if target.passage is not None else None
