"""The records of a Zotero library, as the rest of the product sees them.

Every record is read only. Identity is `ItemKey`; keys are unique only within a library.
Times are UTC ``YYYY-MM-DD HH:MM:SS`` strings as Zotero stores them, so they sort as text.
"""

from __future__ import annotations

from typing import NamedTuple


class ItemKey(NamedTuple):
    """The durable identity of anything in a library: Zotero's libraryID and the 8-character key."""

    library: int
    key: str

    def __str__(self) -> str:
        return f"{self.library}/{self.key}"


class LibraryInfo(NamedTuple):
    """One library of the data directory."""

    library: int
    kind: str  # "user" or "group"; feeds are never read
    name: str  # "My Library", or the group's name
    group_id: int | None  # what zotero:// links of a group need


class Collection(NamedTuple):
    key: ItemKey
    name: str
    parent: ItemKey | None


class Creator(NamedTuple):
    """One creator; a single-field name (an institution) has everything in `last`."""

    role: str  # Zotero's creator type: "author", "editor", ...
    first: str
    last: str

    @property
    def full_name(self) -> str:
        return f"{self.first} {self.last}".strip()


class Item(NamedTuple):
    """A regular item (never an attachment, note or annotation)."""

    key: ItemKey
    item_type: str  # Zotero's name: "journalArticle", "book", ...
    title: str  # through the base field: a case's name, a statute's name, ...
    creators: tuple[Creator, ...]
    creator_summary: str  # "Smith", "Smith and Ng", "Smith et al."
    date: str  # as the user wrote it
    date_sort: str  # "YYYY-MM-DD" with 00 for unknown parts, "" if there is no date
    year: int | None
    publication: str  # through the base field publicationTitle
    abstract: str
    fields: tuple[tuple[str, str], ...]  # every filled field, by Zotero's field name, in its order
    tags: tuple[str, ...]
    collections: tuple[ItemKey, ...]
    date_added: str
    date_modified: str

    @property
    def citation(self) -> str:
        """How it is cited beside a quote: "Smith et al. 2019", or its title where it has no creators."""
        who = self.creator_summary or self.title
        return f"{who} {self.year}" if self.year else who


class Attachment(NamedTuple):
    key: ItemKey
    parent: ItemKey | None  # None: standalone, a result of its own
    title: str
    link_mode: int  # 0 imported file, 1 imported URL, 2 linked file, 3 linked URL
    content_type: str
    path: str  # as stored: "storage:...", "attachments:...", an absolute path, or ""
    url: str
    sync_state: int
    storage_hash: str  # md5 as Zotero knows it, "" if unknown
    tags: tuple[str, ...]
    collections: tuple[ItemKey, ...]  # only of a standalone attachment
    date_added: str
    date_modified: str
    last_read: int | None  # epoch seconds


class Note(NamedTuple):
    """A note. Its text is read on demand: `Library.note_texts`, `Library.note_html`."""

    key: ItemKey
    parent: ItemKey | None  # None: standalone, a result of its own
    title: str
    tags: tuple[str, ...]
    collections: tuple[ItemKey, ...]  # only of a standalone note
    date_added: str
    date_modified: str


class Annotation(NamedTuple):
    key: ItemKey
    parent: ItemKey  # the attachment
    kind: str  # "highlight", "note", "image", "ink", "underline", "text"; "unknown" of a later Zotero
    author: str
    text: str  # the marked passage (highlight and underline only)
    comment: str  # plain text
    color: str  # "#ffd400"
    page_label: str  # printed label, never a page number
    sort_index: str
    position: str  # Zotero's JSON, as stored
    tags: tuple[str, ...]
    date_added: str
    date_modified: str


Record = Item | Attachment | Note | Annotation
