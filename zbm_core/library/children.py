"""Records of attachments, notes and annotations: what hangs from items, or stands alone.

Each function takes the keys of the possible parents by itemID. A row whose parent is in the trash,
in a library that is not read, or gone is left out.
"""

from __future__ import annotations

from collections import defaultdict

from zbm_core.library.files import EMBEDDED_IMAGE
from zbm_core.library.notes import comment_text
from zbm_core.library.parts import Parts
from zbm_core.library.records import Annotation, Attachment, ItemKey, Note
from zbm_core.library.tables import Tables

_ANNOTATION_KINDS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}


def read_attachments(tables: Tables, parts: Parts, items: dict[int, ItemKey]) -> dict[int, Attachment]:
    """The attachments by itemID, without the pictures of notes."""
    found: dict[int, Attachment] = {}
    title, url = parts.names.field("title"), parts.names.field("url")
    data_of = parts.data_reader("WHERE itemID IN (SELECT itemID FROM itemAttachments)")
    for number, parent, library, mode, sync, read, key, kind, path, digest, added, modified in tables.rows(
        "itemAttachments CROSS JOIN items ON items.itemID = itemAttachments.itemID",
        numbers=(
            "itemAttachments.itemID",
            "itemAttachments.parentItemID",
            "items.libraryID",
            "itemAttachments.linkMode",
            "itemAttachments.syncState",
            "itemAttachments.lastRead",
        ),
        texts=(
            "items.key",
            "itemAttachments.contentType",
            "itemAttachments.path",
            "itemAttachments.storageHash",
            "items.dateAdded",
            "items.dateModified",
        ),
        tail=f"WHERE {parts.kept} ORDER BY itemAttachments.itemID",
    ):
        above = items.get(parent)
        if mode == EMBEDDED_IMAGE or (above is None and parent is not None):
            continue
        item_key = ItemKey(library, key)
        data = data_of(number)
        found[number] = Attachment(
            key=item_key,
            parent=above,
            title=parts.shared(data.get(title, "")),
            link_mode=mode or 0,
            content_type=parts.shared(kind),
            path=path,
            url=data.get(url, ""),
            sync_state=sync or 0,
            storage_hash=digest,
            tags=parts.tags_of(number),
            collections=parts.collections_of(number, item_key) if above is None else (),
            date_added=added,
            date_modified=added if modified == added else modified,
            last_read=read,
        )
    return found


def read_attachment_notes(tables: Tables) -> set[int]:
    """The itemIDs of the attachments that carry a note of their own."""
    return {
        number
        for (number,) in tables.rows(
            "itemAttachments CROSS JOIN itemNotes ON itemNotes.itemID = itemAttachments.itemID",
            numbers=("itemNotes.itemID",),
            tail="WHERE itemNotes.note <> ''",
        )
    }


def read_notes(tables: Tables, parts: Parts, items: dict[int, ItemKey]) -> dict[int, Note]:
    """The notes by itemID, without their texts."""
    found: dict[int, Note] = {}
    for number, parent, library, key, title, added, modified in tables.rows(
        "itemNotes CROSS JOIN items ON items.itemID = itemNotes.itemID",
        numbers=("itemNotes.itemID", "itemNotes.parentItemID", "items.libraryID"),
        texts=("items.key", "itemNotes.title", "items.dateAdded", "items.dateModified"),
        tail=f"WHERE {parts.kept} AND itemNotes.itemID NOT IN (SELECT itemID FROM itemAttachments)"
        " ORDER BY itemNotes.itemID",
    ):
        above = items.get(parent)
        if above is None and parent is not None:
            continue
        item_key = ItemKey(library, key)
        found[number] = Note(
            key=item_key,
            parent=above,
            title=parts.shared(title),
            tags=parts.tags_of(number),
            collections=parts.collections_of(number, item_key) if above is None else (),
            date_added=added,
            date_modified=added if modified == added else modified,
        )
    return found


def read_annotations(
    tables: Tables, parts: Parts, attachments: dict[int, ItemKey]
) -> tuple[dict[ItemKey, Annotation], dict[ItemKey, list[ItemKey]]]:
    """The annotations, and those of each attachment in the order of its pages."""
    found: dict[ItemKey, Annotation] = {}
    hung: dict[ItemKey, list[ItemKey]] = defaultdict(list)
    if not tables.has("itemAnnotations", "itemID", "parentItemID", "type"):
        return found, hung
    authors = _group_authors(tables)
    shared = parts.shared
    for row in tables.rows(
        "itemAnnotations CROSS JOIN items ON items.itemID = itemAnnotations.itemID",
        numbers=(
            "itemAnnotations.itemID",
            "itemAnnotations.parentItemID",
            "items.libraryID",
            "itemAnnotations.type",
        ),
        texts=(
            "items.key",
            "itemAnnotations.authorName",
            "itemAnnotations.text",
            "itemAnnotations.comment",
            "itemAnnotations.color",
            "itemAnnotations.pageLabel",
            "itemAnnotations.sortIndex",
            "itemAnnotations.position",
            "items.dateAdded",
            "items.dateModified",
        ),
        tail=f"WHERE {parts.kept} ORDER BY itemAnnotations.itemID",
    ):
        number, parent, library, kind, key, author, text, comment, color, label, *places_and_times = row
        sort_index, position, added, modified = places_and_times
        above = attachments.get(parent)
        if above is None:
            continue
        item_key = ItemKey(library, key)
        hung[above].append(item_key)
        found[item_key] = Annotation(
            key=item_key,
            parent=above,
            kind=_ANNOTATION_KINDS.get(kind, "unknown"),
            author=shared(author or authors.get(number, "")),
            text=text,
            comment=comment_text(comment) if comment else "",
            color=shared(color),
            page_label=shared(label),
            sort_index=sort_index,
            position=position,
            tags=parts.tags_of(number),
            date_added=added,
            date_modified=added if modified == added else modified,
        )
    for listed in hung.values():
        listed.sort(key=lambda key: found[key].sort_index)
    return found, hung


def _group_authors(tables: Tables) -> dict[int, str]:
    """Who made what in group libraries, by itemID."""
    if not tables.has("groupItems", "itemID", "createdByUserID") or not tables.has("users", "userID", "name"):
        return {}
    return dict(
        tables.rows(
            "groupItems JOIN users ON users.userID = groupItems.createdByUserID",
            numbers=("groupItems.itemID",),
            texts=("users.name",),
        )
    )
