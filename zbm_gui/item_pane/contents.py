"""What the pane shows of a record, and what under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note, Record
from zbm_gui.item_tree.markup import plain_title
from zbm_gui.item_tree.wording import record_type

if TYPE_CHECKING:
    from zbm_core.library import Library


def subtitle(record: Record) -> str:
    """Who, when and where, in one line."""
    if isinstance(record, Item):
        year = "" if record.year is None else str(record.year)
        parts = (record.creator_summary, year, plain_title(record.publication))
        return " · ".join(part for part in parts if part) or record_type(record)
    return record_type(record)


def paragraphs(text: str) -> str:
    """An abstract without formatting tags, its paragraphs kept."""
    lines = (plain_title(line) for line in text.splitlines())
    return "\n\n".join(line for line in lines if line)


def notes_of(library: Library, record: Record) -> list[Note]:
    """A note itself, or the notes of an item."""
    return [record] if isinstance(record, Note) else _children(library, record.key, Note)


def annotations_of(library: Library, record: Record) -> list[Annotation]:
    """An annotation itself, or those of an attachment or of all attachments of an item."""
    if isinstance(record, Annotation):
        return [record]
    if isinstance(record, Attachment):
        return _children(library, record.key, Annotation)
    return [
        annotation
        for attachment in _children(library, record.key, Attachment)
        for annotation in _children(library, attachment.key, Annotation)
    ]


def _children(library: Library, key: ItemKey, kind: type) -> list:
    records = (library.record(child) for child in library.children(key))
    return [record for record in records if isinstance(record, kind)]
