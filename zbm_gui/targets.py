"""What a row, a card or a match in the reader stands for when something is done with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note
from zbm_core.search.records import Passage

if TYPE_CHECKING:
    from zbm_core.library import Library

LINKED_URL = 3
#: When an item itself is opened, the document people read comes first.
_READING_ORDER = ("application/pdf", "application/epub+zip", "text/html")


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
        return main_attachment(library, record.key)
    return record if isinstance(record, Attachment) else None


def main_attachment(library: Library, item: ItemKey) -> Attachment | None:
    """The document of *item* that people read: its oldest PDF, else EPUB, else snapshot, else any file."""
    children = [library.attachments[key] for key in library.children(item) if key in library.attachments]
    files = [attachment for attachment in children if attachment.link_mode != LINKED_URL] or children
    return min(files, key=_reading_order, default=None)


def _reading_order(attachment: Attachment) -> tuple[int, str]:
    kind = attachment.content_type
    place = _READING_ORDER.index(kind) if kind in _READING_ORDER else len(_READING_ORDER)
    return place, attachment.date_added


def page_of(target: Target) -> int | None:
    """The physical page of the passage, from 0."""
    return target.passage.page if target.passage is not None else None
