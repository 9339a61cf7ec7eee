"""From the tables of a snapshot to records.

Everything goes by name and by (library, key). Zotero's integer IDs never leave this module but
for the notes, whose text is fetched by them while the same snapshot is open.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import apsw

from zbm_core.errors import CancelToken
from zbm_core.library.creators import summarize
from zbm_core.library.dates import NO_DATE, parse_date, written_date
from zbm_core.library.files import EMBEDDED_IMAGE
from zbm_core.library.filing import read_collections
from zbm_core.library.names import Names
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
from zbm_core.library.schema import NEWEST_KNOWN_SCHEMA, check_version
from zbm_core.library.tables import KEY_GLOB, Tables

_ANNOTATION_KINDS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}
_CHILD_TYPES = ("attachment", "note", "annotation")

# Fields that hold a multipart date without standing for the base field "date".
_OTHER_DATES = ("filingDate", "originalDate")


@dataclass
class Contents:
    """Everything of a database that is kept in memory."""

    user_key: str
    schema_version: int
    warnings: list[str] = field(default_factory=list)
    libraries: dict[int, LibraryInfo] = field(default_factory=dict)
    collections: dict[ItemKey, Collection] = field(default_factory=dict)
    members: dict[ItemKey, list[ItemKey]] = field(default_factory=lambda: defaultdict(list))
    items: dict[ItemKey, Item] = field(default_factory=dict)
    attachments: dict[ItemKey, Attachment] = field(default_factory=dict)
    notes: dict[ItemKey, Note] = field(default_factory=dict)
    annotations: dict[ItemKey, Annotation] = field(default_factory=dict)
    children: dict[ItemKey, tuple[ItemKey, ...]] = field(default_factory=dict)
    note_ids: dict[ItemKey, int] = field(default_factory=dict)  # itemIDs of notes
    attachment_notes: dict[ItemKey, int] = field(default_factory=dict)  # itemIDs of attachments with a note


def read_contents(
    connection: apsw.Connection,
    name: str,
    cancel: CancelToken,
    on_progress: Callable[[str, float], None],
) -> Contents:
    """Read the whole database into records.

    Raises:
        LibraryError: see `check_version`.
        Cancelled: by *cancel*, between two steps.
    """
    tables = Tables(connection)
    reader = _Reader(tables, check_version(tables, name))
    steps = reader.steps()
    with _collector_paused():
        for done, step in enumerate(steps):
            cancel.check()
            on_progress("Reading the library", done / len(steps))
            step()
    return reader.contents


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Records form no cycles: looking for some after every few thousand costs a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


class _Reader:
    def __init__(self, tables: Tables, version: int) -> None:
        self._tables = tables
        self._names = Names(tables)
        self.contents = Contents(self._user_key(), version)
        self._filed: dict[int, list[ItemKey]] = {}
        self._tags: dict[int, list[str]] = defaultdict(list)
        self._creators: dict[int, list[Creator]] = defaultdict(list)
        self._values: dict[int, str] = {}
        self._layouts: dict[tuple[int, ...], tuple[tuple[int, str], ...]] = {}  # by type and filled fields
        self._items: dict[int, ItemKey] = {}  # of what was read so far, by itemID
        self._attachments: dict[int, ItemKey] = {}
        self._hung: dict[ItemKey, list[ItemKey]] = defaultdict(list)  # children by parent
        self._shared: dict[str, str] = {}  # one object for each text that recurs

    def steps(self) -> tuple[Callable[[], None], ...]:
        """What to call, in this order."""
        return (
            self._warn,
            self._read_libraries,
            self._read_filing,
            self._read_tags,
            self._read_creators,
            self._read_values,
            self._read_items,
            self._read_attachments,
            self._read_notes,
            self._read_annotations,
            self._finish,
        )

    def _user_key(self) -> str:
        """What marks this database: Zotero gives IDs out anew when it is created again."""
        if not self._tables.has("settings", "setting", "key", "value"):
            return ""
        known = dict(
            self._tables.rows(
                "settings",
                texts=("settings.key", "settings.value"),
                tail="WHERE setting = 'account' AND key IN ('localUserKey', 'userID')",
            )
        )
        return known.get("localUserKey") or known.get("userID", "")

    def _warn(self) -> None:
        warnings = self.contents.warnings
        if self.contents.schema_version > NEWEST_KNOWN_SCHEMA:
            warnings.append(
                "This library was last used by a Zotero newer than this program knows. It can be read, but "
                "something new may be missing."
            )
        malformed = self._tables.rows(
            "items", numbers=("items.itemID",), tail=f"WHERE key IS NULL OR key NOT GLOB '{KEY_GLOB}'"
        )
        if count := sum(1 for _ in malformed):
            warnings.append(f"Left out, because their keys are malformed: {count:,} entries of the database.")

    def _read_libraries(self) -> None:
        groups: dict[int, tuple[int, str]] = {}
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
            elif kind == "group" and library in groups:
                group, name = groups[library]
                found.append(LibraryInfo(library, kind, name or f"Group {group}", group))
        found.sort(key=lambda info: (info.kind != "user", info.name.casefold(), info.library))
        self.contents.libraries = {info.library: info for info in found}
        # The plus keeps SQLite from walking its index of libraries and keys: a scan takes a tenth.
        self._kept = f"+items.libraryID IN ({', '.join(str(info.library) for info in found)})"
        self._kept += f" AND items.key GLOB '{KEY_GLOB}'"
        if self._tables.has("deletedItems", "itemID"):
            self._kept += " AND items.itemID NOT IN (SELECT itemID FROM deletedItems)"

    def _read_filing(self) -> None:
        self.contents.collections, self._filed = read_collections(self._tables, self.contents.libraries)

    def _read_tags(self) -> None:
        if not self._tables.has("itemTags", "itemID", "tagID") or not self._tables.has(
            "tags", "tagID", "name"
        ):
            return
        names = dict(self._tables.rows("tags", numbers=("tags.tagID",), texts=("tags.name",)))
        for number, tag in self._tables.rows("itemTags", numbers=("itemTags.itemID", "itemTags.tagID")):
            if name := names.get(tag):
                self._tags[number].append(name)

    def _read_creators(self) -> None:
        tables = self._tables
        if not tables.has("creators", "creatorID", "lastName") or not tables.has("itemCreators", "itemID"):
            return
        people = {
            number: ("", last or first) if mode == 1 else (first, last)
            for number, mode, first, last in tables.rows(
                "creators",
                numbers=("creators.creatorID", "creators.fieldMode"),
                texts=("creators.firstName", "creators.lastName"),
            )
        }
        roles = self._names.roles
        made: dict[tuple[int, int], Creator] = {}
        for number, person, role in tables.rows(
            "itemCreators",
            numbers=("itemCreators.itemID", "itemCreators.creatorID", "itemCreators.creatorTypeID"),
            tail="ORDER BY itemID, orderIndex",
        ):
            creator = made.get((person, role))
            if creator is None:
                if person not in people:
                    continue
                creator = made[person, role] = Creator(roles.get(role, ""), *people[person])
            self._creators[number].append(creator)

    def _read_values(self) -> None:
        self._values = dict(
            self._tables.rows(
                "itemDataValues", numbers=("itemDataValues.valueID",), texts=("itemDataValues.value",)
            )
        )

    def _read_items(self) -> None:
        names = self._names
        kinds = [str(number) for number, name in names.types.items() if name not in _CHILD_TYPES]
        data_of = self._data_reader()
        items = self.contents.items
        keys = self._items
        abstract = names.field("abstractNote")
        base = {
            int(kind): tuple(names.field_of(int(kind), of) for of in ("title", "date", "publicationTitle"))
            for kind in kinds
        }
        for number, kind, library, text, added, modified in self._tables.rows(
            "items",
            numbers=("items.itemID", "items.itemTypeID", "items.libraryID"),
            texts=("items.key", "items.dateAdded", "items.dateModified"),
            tail=f"WHERE {self._kept} AND items.itemTypeID IN ({', '.join(kinds)}) ORDER BY items.itemID",
        ):
            key = keys[number] = ItemKey(library, text)
            title, date_field, publication = base[kind]
            data = data_of(number)
            date = parse_date(data[date_field]) if date_field in data else NO_DATE
            creators = tuple(self._creators.pop(number, ()))
            items[key] = Item(
                key,
                names.types[kind],
                data.get(title, ""),
                creators,
                summarize(creators, names.main_role(kind)),
                date.written,
                date.sort,
                date.year,
                data.get(publication, ""),
                data.get(abstract, ""),
                self._fields(kind, data, date_field, date.written),
                self._tags_of(number),
                self._collections_of(number, key),
                added,
                added if modified == added else modified,
            )

    def _data_reader(self, where: str = "") -> Callable[[int], dict[int, str]]:
        """A function from an itemID to its filled fields, to be asked in the order of itemIDs.

        The rows are read alongside the items, so that they never all lie in memory.
        """
        values = self._values
        rows: Iterator[tuple[int, int, int]] = self._tables.rows(
            "itemData",
            numbers=("itemData.itemID", "itemData.fieldID", "itemData.valueID"),
            tail=f"{where} ORDER BY itemID",
        )
        row = next(rows, None)

        def data_of(number: int) -> dict[int, str]:
            nonlocal row
            data: dict[int, str] = {}
            while row is not None and row[0] <= number:
                if row[0] == number and (text := values.get(row[2])):
                    data[row[1]] = text
                row = next(rows, None)
            return data

        return data_of

    def _fields(
        self, kind: int, data: dict[int, str], date_field: int, written: str
    ) -> tuple[tuple[str, str], ...]:
        # Most items of a type have the same fields filled, and so the same order and names.
        filled = (kind, *data)
        layout = self._layouts.get(filled)
        if layout is None:
            order = self._names.order_of(kind)
            names = self._names.fields
            ordered = sorted(data, key=lambda own: order.get(own, len(order)))
            layout = self._layouts[filled] = tuple((own, names[own]) for own in ordered if own in names)
        return tuple(
            (
                name,
                written
                if own == date_field
                else written_date(data[own])
                if name in _OTHER_DATES
                else data[own],
            )
            for own, name in layout
        )

    def _read_attachments(self) -> None:
        contents = self.contents
        title, url = (self._names.field(name) for name in ("title", "url"))
        data_of = self._data_reader("WHERE itemID IN (SELECT itemID FROM itemAttachments)")
        share = self._shared.setdefault
        noted = {
            number
            for (number,) in self._tables.rows(
                "itemAttachments CROSS JOIN itemNotes ON itemNotes.itemID = itemAttachments.itemID",
                numbers=("itemNotes.itemID",),
                tail="WHERE itemNotes.note <> ''",
            )
        }
        for (
            number,
            parent,
            library,
            mode,
            sync,
            read,
            text,
            kind,
            path,
            digest,
            added,
            modified,
        ) in self._tables.rows(
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
            above = None if parent is None else self._items.get(parent)
            if mode == EMBEDDED_IMAGE or (above is None and parent is not None):
                continue
            key = self._attachments[number] = ItemKey(library, text)
            data = data_of(number)
            if above is not None:
                self._hung[above].append(key)
            if number in noted:
                contents.attachment_notes[key] = number
            name = data.get(title, "")
            contents.attachments[key] = Attachment(
                key,
                above,
                share(name, name),
                mode or 0,
                share(kind, kind),
                path,
                data.get(url, ""),
                sync or 0,
                digest,
                self._tags_of(number),
                () if above is not None else self._collections_of(number, key),
                added,
                added if modified == added else modified,
                read,
            )

    def _read_notes(self) -> None:
        self._values.clear()
        contents = self.contents
        share = self._shared.setdefault
        for number, parent, library, text, title, added, modified in self._tables.rows(
            "itemNotes CROSS JOIN items ON items.itemID = itemNotes.itemID",
            numbers=("itemNotes.itemID", "itemNotes.parentItemID", "items.libraryID"),
            texts=("items.key", "itemNotes.title", "items.dateAdded", "items.dateModified"),
            tail=f"WHERE {self._kept} AND itemNotes.itemID NOT IN (SELECT itemID FROM itemAttachments)"
            " ORDER BY itemNotes.itemID",
        ):
            above = None if parent is None else self._items.get(parent)
            if above is None and parent is not None:
                continue
            key = ItemKey(library, text)
            if above is not None:
                self._hung[above].append(key)
            contents.note_ids[key] = number
            contents.notes[key] = Note(
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
        authors = self._group_authors()
        share = self._shared.setdefault
        annotations = self.contents.annotations
        attachments = self._attachments
        hung: dict[ItemKey, list[ItemKey]] = defaultdict(list)
        for row in self._tables.rows(
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
            number, parent, library, kind, text, author, marked, comment, color, label, place, *rest = row
            position, added, modified = rest
            above = attachments.get(parent)
            if above is None:
                continue
            key = ItemKey(library, text)
            hung[above].append(key)
            author = author or authors.get(number, "")
            annotations[key] = Annotation(
                key,
                above,
                _ANNOTATION_KINDS.get(kind, "unknown"),
                share(author, author),
                marked,
                comment_text(comment) if comment else "",
                share(color, color),
                share(label, label),
                place,
                position,
                self._tags_of(number),
                added,
                added if modified == added else modified,
            )
        for above, listed in hung.items():
            listed.sort(key=lambda key: annotations[key].sort_index)
            self.contents.children[above] = tuple(listed)

    def _group_authors(self) -> dict[int, str]:
        """Who made what in group libraries, by itemID."""
        tables = self._tables
        if not tables.has("groupItems", "itemID", "createdByUserID") or not tables.has(
            "users", "userID", "name"
        ):
            return {}
        return dict(
            tables.rows(
                "groupItems JOIN users ON users.userID = groupItems.createdByUserID",
                numbers=("groupItems.itemID",),
                texts=("users.name",),
            )
        )

    def _finish(self) -> None:
        self.contents.children.update((key, tuple(listed)) for key, listed in self._hung.items())

    def _tags_of(self, number: int) -> tuple[str, ...]:
        listed = self._tags.pop(number, None)
        return tuple(sorted(listed, key=str.casefold)) if listed else ()

    def _collections_of(self, number: int, key: ItemKey) -> tuple[ItemKey, ...]:
        listed = self._filed.pop(number, None)
        if not listed:
            return ()
        for collection in listed:
            self.contents.members[collection].append(key)
        return tuple(listed)
