"""From the tables of a snapshot to records.

Everything goes by name and by (library, key). Zotero's integer IDs never leave the reading but for
the notes, whose text is fetched by them while the same snapshot is open.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import apsw

from zbm_core.errors import CancelToken
from zbm_core.library.children import (
    read_annotations,
    read_attachment_notes,
    read_attachments,
    read_notes,
)
from zbm_core.library.creators import summarize
from zbm_core.library.dates import NO_DATE, parse_date, written_date
from zbm_core.library.filing import read_collections
from zbm_core.library.names import Names
from zbm_core.library.parts import Parts
from zbm_core.library.records import (
    Annotation,
    Attachment,
    Collection,
    Item,
    ItemKey,
    LibraryInfo,
    Note,
)
from zbm_core.library.schema import NEWEST_KNOWN_SCHEMA, check_version
from zbm_core.library.tables import KEY_GLOB, Tables

# What an item's record holds through its type's own fields: the title of a case is its caseName.
_BASE_FIELDS = ("title", "date", "publicationTitle")
_CHILD_TYPES = ("attachment", "note", "annotation")

# Fields that hold a multipart date without standing for the base field "date".
_OTHER_DATES = ("filingDate", "originalDate")


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything of a database that is kept in memory. For its attributes see `Library`."""

    user_key: str
    schema_version: int
    warnings: tuple[str, ...]
    libraries: dict[int, LibraryInfo]
    collections: dict[ItemKey, Collection]
    members: dict[ItemKey, list[ItemKey]]  # the top-level keys filed in each collection
    items: dict[ItemKey, Item]
    attachments: dict[ItemKey, Attachment]
    notes: dict[ItemKey, Note]
    annotations: dict[ItemKey, Annotation]
    children: dict[ItemKey, tuple[ItemKey, ...]]
    note_ids: dict[ItemKey, int]  # itemIDs of notes
    attachment_notes: dict[ItemKey, int]  # itemIDs of attachments with a note of their own


def read_contents(
    connection: apsw.Connection,
    name: str,
    cancel: CancelToken,
    on_progress: Callable[[str, float], None],
) -> Contents:
    """Read the whole database into records.

    Args:
        name: how to call the database in a message.

    Raises:
        LibraryError: see `check_version`.
        Cancelled: by *cancel*, between two kinds of records.
    """

    def step(share: float) -> None:
        cancel.check()
        on_progress("Reading the library", share)

    tables = Tables(connection)
    version = check_version(tables, name)
    # The shares are those of the time a library of 20,000 items takes.
    with _collector_paused():
        step(0.0)
        libraries = _read_libraries(tables)
        collections, filed = read_collections(tables, libraries)
        parts = Parts(tables, libraries, filed)
        step(0.15)
        items = _read_items(tables, parts)
        item_keys = {number: item.key for number, item in items.items()}
        step(0.4)
        attachments = read_attachments(tables, parts, item_keys)
        attachment_keys = {number: attachment.key for number, attachment in attachments.items()}
        noted = read_attachment_notes(tables)
        parts.forget_values()
        step(0.5)
        notes = read_notes(tables, parts, item_keys)
        step(0.6)
        annotations, of_attachments = read_annotations(tables, parts, attachment_keys)
        of_items: dict[ItemKey, list[ItemKey]] = defaultdict(list)
        for record in (*attachments.values(), *notes.values()):
            if record.parent is not None:
                of_items[record.parent].append(record.key)
        return Contents(
            user_key=_user_key(tables),
            schema_version=version,
            warnings=tuple(_warnings(tables, version)),
            libraries=libraries,
            collections=collections,
            members=dict(parts.members),
            items={item.key: item for item in items.values()},
            attachments={attachment.key: attachment for attachment in attachments.values()},
            notes={note.key: note for note in notes.values()},
            annotations=annotations,
            children={
                key: tuple(listed) for hung in (of_items, of_attachments) for key, listed in hung.items()
            },
            note_ids={note.key: number for number, note in notes.items()},
            attachment_notes={
                attachment_keys[number]: number for number in noted if number in attachment_keys
            },
        )


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Records form no cycles: looking for some after every few thousand costs a third of the time. Nor is it of any use
    later: they are left out of all collections to come, the first of which would hold every thread for a tenth of a
    second. Reference counts still free them."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()  # before it runs again
    finally:
        if running:
            gc.enable()


def _warnings(tables: Tables, version: int) -> Iterator[str]:
    if version > NEWEST_KNOWN_SCHEMA:
        yield (
            "This library was last used by a Zotero newer than this program knows. It can be read, but "
            "something new may be missing."
        )
    malformed = tables.rows(
        "items", numbers=("items.itemID",), tail=f"WHERE key IS NULL OR key NOT GLOB '{KEY_GLOB}'"
    )
    if count := sum(1 for _ in malformed):
        yield f"Left out, because their keys are malformed: {count:,} entries of the database."


def _user_key(tables: Tables) -> str:
    """What marks this database: Zotero gives IDs out anew when it is created again."""
    if not tables.has("settings", "setting", "key", "value"):
        return ""
    known = dict(
        tables.rows(
            "settings",
            texts=("settings.key", "settings.value"),
            tail="WHERE setting = 'account' AND key IN ('localUserKey', 'userID')",
        )
    )
    return known.get("localUserKey") or known.get("userID", "")


def _read_libraries(tables: Tables) -> dict[int, LibraryInfo]:
    """The user's library, then the groups by name. Feeds are no libraries to search."""
    groups: dict[int, tuple[int, str]] = {}
    if tables.has("groups", "groupID", "libraryID", "name"):
        for group, library, name in tables.rows(
            "groups", numbers=("groups.groupID", "groups.libraryID"), texts=("groups.name",)
        ):
            groups[library] = (group, name)
    found = []
    for library, kind in tables.rows(
        "libraries", numbers=("libraries.libraryID",), texts=("libraries.type",)
    ):
        if kind == "user":
            found.append(LibraryInfo(library, kind, "My Library", None))
        elif kind == "group" and library in groups:
            group, name = groups[library]
            found.append(LibraryInfo(library, kind, name or f"Group {group}", group))
    found.sort(key=lambda info: (info.kind != "user", info.name.casefold(), info.library))
    return {info.library: info for info in found}


def _read_items(tables: Tables, parts: Parts) -> dict[int, Item]:
    """The regular items by itemID."""
    found: dict[int, Item] = {}
    names = parts.names
    children = [number for number, name in names.types.items() if name in _CHILD_TYPES]
    base: dict[int, tuple[int, ...]] = {}
    abstract = names.field("abstractNote")
    layout = _FieldLayout(names)
    data_of = parts.data_reader()
    for number, kind, library, key, added, modified in tables.rows(
        "items",
        numbers=("items.itemID", "items.itemTypeID", "items.libraryID"),
        texts=("items.key", "items.dateAdded", "items.dateModified"),
        tail=f"WHERE {parts.kept} AND items.itemTypeID NOT IN ({', '.join(map(str, children))})"
        " ORDER BY items.itemID",
    ):
        item_key = ItemKey(library, key)
        if kind not in base:
            base[kind] = tuple(names.field_of(kind, field) for field in _BASE_FIELDS)
        title, date_field, publication = base[kind]
        data = data_of(number)
        date = parse_date(data[date_field]) if date_field in data else NO_DATE
        creators = parts.creators_of(number)
        found[number] = Item(
            key=item_key,
            item_type=names.types.get(kind, "document"),
            title=data.get(title, ""),
            creators=creators,
            creator_summary=summarize(creators, names.main_role(kind)),
            date=date.written,
            date_sort=date.sort,
            year=date.year,
            publication=data.get(publication, ""),
            abstract=data.get(abstract, ""),
            fields=layout.named(kind, data, date_field, date.written),
            tags=parts.tags_of(number),
            collections=parts.collections_of(number, item_key),
            date_added=added,
            date_modified=added if modified == added else modified,
        )
    return found


class _FieldLayout:
    """The filled fields of an item by name, in Zotero's order for its type."""

    def __init__(self, names: Names) -> None:
        self._names = names
        # Most items of a type have the same fields filled, and so the same names in the same order.
        self._layouts: dict[tuple[int, ...], tuple[tuple[int, str], ...]] = {}

    def named(
        self, kind: int, data: dict[int, str], date_field: int, written: str
    ) -> tuple[tuple[str, str], ...]:
        filled = (kind, *data)
        layout = self._layouts.get(filled)
        if layout is None:
            layout = self._layouts[filled] = self._lay_out(kind, data)
        return tuple(
            (
                name,
                written
                if field == date_field
                else written_date(data[field])
                if name in _OTHER_DATES
                else data[field],
            )
            for field, name in layout
        )

    def _lay_out(self, kind: int, data: dict[int, str]) -> tuple[tuple[int, str], ...]:
        order = self._names.order_of(kind)
        fields = sorted(data, key=lambda field: order.get(field, len(order)))
        return tuple((field, self._names.fields[field]) for field in fields if field in self._names.fields)
