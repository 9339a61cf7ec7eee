"""From the tables of a snapshot to records.

Everything goes by name and by (library, key); Zotero's integer IDs never leave this module but
for the notes, whose text is fetched by them while the same snapshot is open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain

import apsw

from zbm_core.errors import CancelToken
from zbm_core.library.creators import summarize
from zbm_core.library.dates import NO_DATE, parse_date, written_date
from zbm_core.library.errors import LibraryError
from zbm_core.library.files import EMBEDDED_IMAGE
from zbm_core.library.notes import comment_text
from zbm_core.library.records import (
    Annotation,
    Attachment,
    Collection,
    Creator,
    Item,
    ItemKey,
    LibraryInfo,
    Note,
)
from zbm_core.library.tables import Tables

OLDEST_SCHEMA = 95  # Zotero 5.0
NEWEST_KNOWN_SCHEMA = 129  # Zotero 10

# What nothing can be read without. Everything else is probed and may be missing.
_REQUIRED = {
    "libraries": ("libraryID", "type"),
    "items": ("itemID", "itemTypeID", "libraryID", "key"),
    "itemTypes": ("itemTypeID", "typeName"),
    "fields": ("fieldID", "fieldName"),
    "itemData": ("itemID", "fieldID", "valueID"),
    "itemDataValues": ("valueID", "value"),
    "itemNotes": ("itemID", "parentItemID", "note"),
    "itemAttachments": ("itemID", "parentItemID", "linkMode", "path"),
}

_ANNOTATION_KINDS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}
_CHILD_TYPES = ("attachment", "note", "annotation")

# Fields that hold a multipart date without standing for the base field "date".
_OTHER_DATES = ("filingDate", "originalDate")

_KEY_GLOB = "[A-Z0-9]" * 8

# Cancelling is looked at every so many rows.
_ROWS_A_LOOK = 20_000


@dataclass
class Contents:
    """Everything of a database that is kept in memory."""

    user_key: str
    schema_version: int
    warnings: list[str] = field(default_factory=list)
    libraries: dict[int, LibraryInfo] = field(default_factory=dict)
    collections: dict[ItemKey, Collection] = field(default_factory=dict)
    members: dict[ItemKey, tuple[ItemKey, ...]] = field(default_factory=dict)  # of each collection
    items: dict[ItemKey, Item] = field(default_factory=dict)
    attachments: dict[ItemKey, Attachment] = field(default_factory=dict)
    notes: dict[ItemKey, Note] = field(default_factory=dict)
    annotations: dict[ItemKey, Annotation] = field(default_factory=dict)
    children: dict[ItemKey, tuple[ItemKey, ...]] = field(default_factory=dict)
    note_ids: dict[ItemKey, int] = field(default_factory=dict)  # itemIDs of notes
    attachment_notes: dict[ItemKey, int] = field(default_factory=dict)  # itemIDs of attachments with a note


def check_version(tables: Tables, name: str) -> int:
    """The schema version of a database, once it is known to be Zotero's and readable.

    Args:
        name: how to call the database in a message.

    Raises:
        LibraryError: foreign, older than Zotero 5, or without what is needed.
    """
    version = None
    if tables.has("version", "schema", "version") and tables.has("items"):
        rows = tables.rows("version", numbers=("version.version",), tail="WHERE schema = 'userdata'")
        version = next((number for (number,) in rows), None)
    if version is None:
        raise LibraryError(
            f"{name} is not a Zotero database. Choose the folder of Zotero's own zotero.sqlite.",
            "no userdata version",
        )
    if version < OLDEST_SCHEMA:
        raise LibraryError(
            f"{name} was last used by Zotero 4 or older. Open it once with a current Zotero, which "
            "updates it, and try again.",
            f"schema {version}",
        )
    for table, columns in _REQUIRED.items():
        if not tables.has(table, *columns):
            raise LibraryError(
                f"{name} has a form that this version cannot read. Install the newest version of this "
                "program and try again.",
                f"schema {version}: table {table} lacks one of {', '.join(columns)}",
            )
    return version


def read_contents(
    connection: apsw.Connection,
    name: str,
    cancel: CancelToken,
    on_progress: Callable[[str, float], None] | None = None,
) -> Contents:
    """Read the whole database into records.

    Raises:
        LibraryError: see `check_version`.
        Cancelled: by *cancel*.
    """
    tables = Tables(connection)
    version = check_version(tables, name)
    return _Reader(tables, version, cancel, on_progress or (lambda _stage, _share: None)).read()


class _Reader:
    def __init__(
        self, tables: Tables, version: int, cancel: CancelToken, on_progress: Callable[[str, float], None]
    ) -> None:
        self._tables = tables
        self._cancel = cancel
        self._on_progress = on_progress
        self._contents = Contents(self._user_key(), version)
        self._keys: dict[int, ItemKey] = {}  # of what is kept, by itemID
        self._hung: dict[ItemKey, list[ItemKey]] = defaultdict(list)  # children by parent
        self._shared: dict[str, str] = {}

    def read(self) -> Contents:
        contents = self._contents
        if contents.schema_version > NEWEST_KNOWN_SCHEMA:
            contents.warnings.append(
                "This library was last used by a Zotero that is newer than this program knows. "
                "It reads well, but something new may be missing."
            )
        steps = (
            self._read_libraries,
            self._read_names,
            self._read_collections,
            self._read_tags,
            self._read_data,
            self._read_items,
            self._read_attachments,
            self._read_notes,
            self._read_annotations,
            self._finish,
        )
        for done, step in enumerate(steps):
            self._cancel.check()
            self._on_progress("Reading the library", done / len(steps))
            step()
        return contents

    def _rows(self, source: str, **columns: object):
        """`Tables.rows`, stopping when cancelled."""
        for count, row in enumerate(self._tables.rows(source, **columns)):
            if count % _ROWS_A_LOOK == 0:
                self._cancel.check()
            yield row

    def _user_key(self) -> str:
        """What marks this installation of the database: IDs are given out anew when it is recreated."""
        if not self._tables.has("settings", "setting", "key", "value"):
            return ""
        rows = self._tables.rows(
            "settings",
            texts=("settings.key", "settings.value"),
            tail="WHERE setting = 'account' AND key IN ('localUserKey', 'userID')",
        )
        known = dict(rows)
        return known.get("localUserKey") or known.get("userID", "")

    # Names, libraries, collections, tags, field values

    def _read_libraries(self) -> None:
        groups: dict[int | None, tuple[int, str]] = {}
        if self._tables.has("groups", "groupID", "libraryID", "name"):
            for group, library, name in self._tables.rows(
                "groups", numbers=("groups.groupID", "groups.libraryID"), texts=("groups.name",)
            ):
                groups[library] = (group, name)
        found = []
        for library, kind in self._tables.rows(
            "libraries", numbers=("libraries.libraryID",), texts=("libraries.type",)
        ):
            if kind == "user":
                found.append(LibraryInfo(library, kind, "My Library", None))
            elif kind == "group":
                group, name = groups.get(library, (None, ""))
                if group is not None:
                    found.append(LibraryInfo(library, kind, name or f"Group {group}", group))
        found.sort(key=lambda info: (info.kind != "user", info.name.casefold(), info.library))
        self._contents.libraries = {info.library: info for info in found}
        self._kept = f"items.libraryID IN ({', '.join(str(info.library) for info in found)})"
        self._kept += f" AND items.key GLOB '{_KEY_GLOB}'"
        if self._tables.has("deletedItems", "itemID"):
            self._kept += " AND items.itemID NOT IN (SELECT itemID FROM deletedItems)"

    def _read_names(self) -> None:
        """The numbers that this database gives to types, fields and creator roles."""
        self._types = self._names("itemTypes", "itemTypeID", "typeName")
        self._fields = self._names("fields", "fieldID", "fieldName")
        self._roles = self._names("creatorTypes", "creatorTypeID", "creatorType")
        numbers = {name: number for number, name in self._fields.items()}
        self._title, self._date, self._publication, self._abstract, self._url = (
            numbers.get(name) for name in ("title", "date", "publicationTitle", "abstractNote", "url")
        )
        self._other_dates = {numbers.get(name) for name in _OTHER_DATES}
        # Of each type: the field that stands for a base field, and the order of its fields.
        self._base: dict[tuple[int, int], int] = {}
        self._order: dict[int, dict[int, int]] = defaultdict(dict)
        for table in ("baseFieldMappings", "baseFieldMappingsCombined"):
            if self._tables.has(table, "itemTypeID", "baseFieldID", "fieldID"):
                columns = tuple(f"{table}.{name}" for name in ("itemTypeID", "baseFieldID", "fieldID"))
                for kind, base, own in self._tables.rows(table, numbers=columns):
                    self._base[kind, base] = own
        for table in ("itemTypeFields", "itemTypeFieldsCombined"):
            if self._tables.has(table, "itemTypeID", "fieldID", "orderIndex"):
                columns = tuple(f"{table}.{name}" for name in ("itemTypeID", "fieldID", "orderIndex"))
                for kind, own, order in self._tables.rows(table, numbers=columns):
                    self._order[kind][own] = order
        self._main_role: dict[int, str] = {}
        if self._tables.has("itemTypeCreatorTypes", "itemTypeID", "creatorTypeID", "primaryField"):
            for kind, role in self._tables.rows(
                "itemTypeCreatorTypes",
                numbers=("itemTypeCreatorTypes.itemTypeID", "itemTypeCreatorTypes.creatorTypeID"),
                tail="WHERE primaryField = 1",
            ):
                self._main_role[kind] = self._roles.get(role, "")

    def _names(self, table: str, number: str, name: str) -> dict[int, str]:
        names: dict[int, str] = {}
        # The combined tables repeat the plain ones and add what users defined themselves.
        for each in (f"{table}Combined", table):
            if self._tables.has(each, number, name):
                names.update(
                    self._tables.rows(each, numbers=(f"{each}.{number}",), texts=(f"{each}.{name}",))
                )
        return names

    def _read_collections(self) -> None:
        tables = self._tables
        gone = set()
        if tables.has("deletedCollections", "collectionID"):
            gone = {
                number
                for (number,) in tables.rows(
                    "deletedCollections", numbers=("deletedCollections.collectionID",)
                )
            }
        found: dict[int, tuple[ItemKey, str, int | None]] = {}
        if tables.has("collections", "collectionID", "libraryID", "key"):
            for number, library, parent, key, name in tables.rows(
                "collections",
                numbers=(
                    "collections.collectionID",
                    "collections.libraryID",
                    "collections.parentCollectionID",
                ),
                texts=("collections.key", "collections.collectionName"),
                tail=f"WHERE key GLOB '{_KEY_GLOB}'",
            ):
                if library in self._contents.libraries:
                    found[number] = (ItemKey(library, key), name, parent)
        # A collection goes with the one it is in; whatever hangs from itself goes too.
        kept: dict[int, ItemKey] = {}
        for number, (key, _, _) in found.items():
            above: int | None = number
            seen: set[int] = set()
            while above is not None and above in found and above not in gone and above not in seen:
                seen.add(above)
                above = found[above][2]
            if above is None or (above not in found and above not in gone):
                kept[number] = key
        for number, key in kept.items():
            _, name, parent = found[number]
            self._contents.collections[key] = Collection(key, name, kept.get(parent) if parent else None)
        self._filed: dict[int, list[ItemKey]] = defaultdict(list)
        if kept and tables.has("collectionItems", "collectionID", "itemID"):
            for collection, item in self._rows(
                "collectionItems", numbers=("collectionItems.collectionID", "collectionItems.itemID")
            ):
                if collection in kept:
                    self._filed[item].append(kept[collection])

    def _read_tags(self) -> None:
        self._tags: dict[int, list[str]] = defaultdict(list)
        if not self._tables.has("itemTags", "itemID", "tagID") or not self._tables.has(
            "tags", "tagID", "name"
        ):
            return
        names = dict(self._tables.rows("tags", numbers=("tags.tagID",), texts=("tags.name",)))
        for item, tag in self._rows("itemTags", numbers=("itemTags.itemID", "itemTags.tagID")):
            name = names.get(tag)
            if name:
                self._tags[item].append(name)

    def _read_data(self) -> None:
        values = dict(
            self._rows("itemDataValues", numbers=("itemDataValues.valueID",), texts=("itemDataValues.value",))
        )
        self._data: dict[int, dict[int, str]] = defaultdict(dict)
        for item, own, value in self._rows(
            "itemData", numbers=("itemData.itemID", "itemData.fieldID", "itemData.valueID")
        ):
            text = values.get(value)
            if text:
                self._data[item][own] = text

    # Records

    def _read_items(self) -> None:
        children = {number for number, name in self._types.items() if name in _CHILD_TYPES}
        creators = self._read_creators()
        items = self._contents.items
        members: dict[ItemKey, list[ItemKey]] = defaultdict(list)
        self._members = members
        base = self._base
        for number, kind, library, text, added, modified in self._rows(
            "items",
            numbers=("items.itemID", "items.itemTypeID", "items.libraryID"),
            texts=("items.key", "items.dateAdded", "items.dateModified"),
            tail=f"WHERE {self._kept} ORDER BY items.itemID",
        ):
            if kind in children:
                continue
            key = self._keys[number] = ItemKey(library, text)
            data = self._data.pop(number, {})
            date_field = base.get((kind, self._date), self._date)
            date = parse_date(data[date_field]) if date_field in data else NO_DATE
            by = creators.get(number, ())
            items[key] = Item(
                key,
                self._types.get(kind, ""),
                data.get(base.get((kind, self._title), self._title), ""),
                by,
                summarize(by, self._main_role.get(kind, "author")),
                date.written,
                date.sort,
                date.year,
                data.get(base.get((kind, self._publication), self._publication), ""),
                data.get(self._abstract, ""),
                self._named(kind, data, date_field, date.written),
                self._tags_of(number),
                self._collections_of(number, key),
                added,
                added if modified == added else modified,
            )

    def _named(
        self, kind: int, data: dict[int, str], date_field: int | None, written: str
    ) -> tuple[tuple[str, str], ...]:
        order = self._order[kind]
        names = self._fields
        return tuple(
            (
                names[own],
                written
                if own == date_field
                else written_date(data[own])
                if own in self._other_dates
                else data[own],
            )
            for own in sorted(data, key=lambda own: order.get(own, len(order)))
            if own in names
        )

    def _read_creators(self) -> dict[int, tuple[Creator, ...]]:
        tables = self._tables
        if not tables.has("creators", "creatorID", "lastName") or not tables.has("itemCreators", "itemID"):
            return {}
        names = {
            number: ("", last or first) if mode == 1 else (first, last)
            for number, mode, first, last in self._rows(
                "creators",
                numbers=("creators.creatorID", "creators.fieldMode"),
                texts=("creators.firstName", "creators.lastName"),
            )
        }
        made: dict[tuple[int, int], Creator] = {}
        ordered: dict[int, list[tuple[int, Creator]]] = defaultdict(list)
        columns = ("itemID", "creatorID", "creatorTypeID", "orderIndex")
        for item, creator, role, order in self._rows(
            "itemCreators", numbers=tuple(f"itemCreators.{name}" for name in columns)
        ):
            one = made.get((creator, role))
            if one is None:
                if creator not in names:
                    continue
                one = made[creator, role] = Creator(self._roles.get(role, ""), *names[creator])
            ordered[item].append((order or 0, one))
        return {
            item: tuple(creator for _, creator in sorted(listed, key=lambda pair: pair[0]))
            for item, listed in ordered.items()
        }

    def _read_attachments(self) -> None:
        self._skipped: set[int] = set()  # attachments that are no records: pictures in notes
        share = self._shared.setdefault
        noted = set()
        for (number,) in self._tables.rows(
            "itemNotes JOIN itemAttachments ON itemAttachments.itemID = itemNotes.itemID",
            numbers=("itemNotes.itemID",),
            tail="WHERE itemNotes.note <> ''",
        ):
            noted.add(number)
        for (
            number,
            parent,
            library,
            mode,
            state,
            read,
            text,
            kind,
            path,
            digest,
            added,
            modified,
        ) in self._rows(
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
            tail=f"WHERE {self._kept} ORDER BY itemAttachments.itemID",
        ):
            if mode == EMBEDDED_IMAGE:
                continue
            above = self._parent(parent)
            if above is None and parent is not None:
                continue
            key = self._keys[number] = ItemKey(library, text)
            data = self._data.pop(number, {})
            if above is not None:
                self._hung[above].append(key)
            if number in noted:
                self._contents.attachment_notes[key] = number
            self._contents.attachments[key] = Attachment(
                key,
                above,
                share(title := data.get(self._title, ""), title),
                mode or 0,
                share(kind, kind),
                path,
                data.get(self._url, ""),
                state or 0,
                digest,
                self._tags_of(number),
                () if above is not None else self._collections_of(number, key),
                added,
                added if modified == added else modified,
                read,
            )

    def _read_notes(self) -> None:
        share = self._shared.setdefault
        for number, parent, library, text, title, added, modified in self._rows(
            "itemNotes CROSS JOIN items ON items.itemID = itemNotes.itemID",
            numbers=("itemNotes.itemID", "itemNotes.parentItemID", "items.libraryID"),
            texts=("items.key", "itemNotes.title", "items.dateAdded", "items.dateModified"),
            tail=f"WHERE {self._kept} AND itemNotes.itemID NOT IN (SELECT itemID FROM itemAttachments) "
            "ORDER BY itemNotes.itemID",
        ):
            above = self._parent(parent)
            if above is None and parent is not None:
                continue
            key = self._keys[number] = ItemKey(library, text)
            if above is not None:
                self._hung[above].append(key)
            self._contents.note_ids[key] = number
            self._contents.notes[key] = Note(
                key,
                above,
                share(title, title),
                self._tags_of(number),
                () if above is not None else self._collections_of(number, key),
                added,
                added if modified == added else modified,
            )

    def _read_annotations(self) -> None:
        if not self._tables.has("itemAnnotations", "itemID", "parentItemID", "type"):
            return
        authors = self._read_group_authors()
        share = self._shared.setdefault
        attachments = self._contents.attachments
        for (
            number,
            parent,
            library,
            kind,
            text,
            author,
            marked,
            comment,
            color,
            label,
            order,
            position,
            added,
            modified,
        ) in self._rows(
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
            tail=f"WHERE {self._kept} ORDER BY itemAnnotations.itemID",
        ):
            above = self._keys.get(parent)
            if above is None or above not in attachments:
                continue
            key = ItemKey(library, text)
            self._hung[above].append(key)
            if not author:
                author = authors.get(number, "")
            self._contents.annotations[key] = Annotation(
                key,
                above,
                _ANNOTATION_KINDS.get(kind, "unknown"),
                share(author, author),
                marked,
                comment_text(comment) if comment else "",
                share(color, color),
                share(label, label),
                order,
                position,
                self._tags_of(number),
                added,
                added if modified == added else modified,
            )

    def _read_group_authors(self) -> dict[int, str]:
        """Who made what in group libraries, by itemID."""
        tables = self._tables
        if not tables.has("groupItems", "itemID", "createdByUserID") or not tables.has(
            "users", "userID", "name"
        ):
            return {}
        return dict(
            self._rows(
                "groupItems JOIN users ON users.userID = groupItems.createdByUserID",
                numbers=("groupItems.itemID",),
                texts=("users.name",),
            )
        )

    def _finish(self) -> None:
        contents = self._contents
        annotations = contents.annotations
        for key, listed in self._hung.items():
            if key in contents.attachments and len(listed) > 1:
                listed.sort(key=lambda child: (annotations[child].sort_index, annotations[child].date_added))
            contents.children[key] = tuple(listed)
        contents.members = {key: tuple(listed) for key, listed in self._members.items()}
        malformed = self._tables.rows(
            "items",
            numbers=("items.itemID",),
            tail=f"WHERE items.key NOT GLOB '{_KEY_GLOB}' OR items.key IS NULL",
        )
        count = sum(1 for _ in malformed)
        if count:
            contents.warnings.append(
                f"{count} entries of the database have malformed keys and were left out."
            )

    def _parent(self, number: int | None) -> ItemKey | None:
        """The parent's key; None if it is trashed, left out, or was never there."""
        return None if number is None else self._keys.get(number)

    def _tags_of(self, number: int) -> tuple[str, ...]:
        listed = self._tags.get(number)
        return tuple(sorted(listed, key=str.casefold)) if listed else ()

    def _collections_of(self, number: int, key: ItemKey) -> tuple[ItemKey, ...]:
        listed = self._filed.get(number)
        if not listed:
            return ()
        for collection in listed:
            self._members[collection].append(key)
        return tuple(listed)


def top_level(contents: Contents) -> tuple[ItemKey, ...]:
    """Items, then attachments and notes that stand alone."""
    alone = (
        key
        for key, record in chain(contents.attachments.items(), contents.notes.items())
        if record.parent is None
    )
    return (*contents.items, *alone)
