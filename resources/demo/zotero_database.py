"""Writes Zotero data directories: the demo library, and the libraries of the tests.

What it writes has the tables, columns and values that Zotero itself leaves behind, at any schema
from 95 (Zotero 5) to 129 (Zotero 10). The same calls give the same bytes: keys count up through a
fixed sequence and times are fixed unless they are given.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from resources.demo.zotero_schema import statements
from resources.demo.zotero_types import type_rows, types_of

USER_LIBRARY = 1
IMPORTED_FILE, IMPORTED_URL, LINKED_FILE, LINKED_URL, EMBEDDED_IMAGE = range(5)
ANNOTATION_TYPES = {"highlight": 1, "note": 2, "image": 3, "ink": 4, "underline": 5, "text": 6}

# Zotero's own alphabet for keys: no 0, 1 or O. The step has no factor in common with 33 (3 and 11),
# so that the sequence visits every key once.
_KEY_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
_KEY_STEP = 987_654_321_013
_KEY_COUNT = len(_KEY_ALPHABET) ** 8

_FIRST_TIME = datetime(2024, 1, 8, 9, 0, 0)
_FILE_TIME = 1_704_704_400  # the same moment, for the files of the storage folder


class ZoteroDatabase:
    """A Zotero data directory being written.

    Args:
        folder: created if need be; gets `zotero.sqlite` and `storage/`.
        schema: Zotero's userdata version, 95 to 129.
        journal_mode: "delete" (Zotero 5 to 9) or "wal" (Zotero 10).
        user_key: the installation's `localUserKey`.

    Everything goes into one transaction until `commit`. A key names an object within its library,
    so methods that take a key also take `library`. The open `connection` is there for what no
    method offers.
    """

    def __init__(
        self,
        folder: Path,
        *,
        schema: int = 129,
        journal_mode: str = "delete",
        user_key: str = "k7Qm2Xwd",
    ) -> None:
        self.folder = Path(folder)
        self.schema = schema
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "storage").mkdir(exist_ok=True)
        self.connection = sqlite3.connect(self.folder / "zotero.sqlite", isolation_level=None)
        self.connection.execute(f"PRAGMA journal_mode={journal_mode}")
        self.connection.execute("PRAGMA synchronous=OFF")
        self._begin()
        for statement in statements(schema):
            self.connection.execute(statement)
        self._types = types_of(schema)
        self._count = 0
        self._ids: dict[tuple[int, str], int] = {}
        self._collections: dict[tuple[int, str], int] = {}
        self._lookups: dict[str, dict[object, int]] = {"value": {}, "creator": {}, "tag": {}}
        self._feeds: set[int] = set()
        self._libraries = 0
        for table, values in type_rows(self._types):
            self._insert(table, **values)
        self._insert("version", schema="userdata", version=schema)
        self._insert("version", schema="globalSchema", version=11 if schema < 112 else 30)
        self._insert("settings", setting="account", key="localUserKey", value=user_key)
        self.add_library("user")

    def __enter__(self) -> ZoteroDatabase:
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    # Libraries and collections

    def add_library(self, kind: str) -> int:
        """A bare row of the libraries table; returns its libraryID."""
        self._libraries += 1
        self._insert("libraries", libraryID=self._libraries, type=kind, editable=1, filesEditable=1)
        return self._libraries

    def add_group(self, group_id: int, name: str) -> int:
        """A group library; returns its libraryID."""
        library = self.add_library("group")
        self._insert("groups", groupID=group_id, libraryID=library, name=name)
        return library

    def add_feed(self, name: str, url: str = "") -> int:
        """A feed; returns its libraryID. Items added to that library become feed items."""
        library = self.add_library("feed")
        self._feeds.add(library)
        self._insert("feeds", libraryID=library, name=name, url=url or f"https://example.org/feed/{library}")
        return library

    def add_collection(
        self, name: str, parent: str | None = None, library: int = USER_LIBRARY, key: str | None = None
    ) -> str:
        key = self._next_key() if key is None else key
        identifier = self._insert(
            "collections",
            collectionName=name,
            parentCollectionID=None if parent is None else self._collections[library, parent],
            clientDateModified=self._time(),
            libraryID=library,
            key=key,
        )
        self._collections[library, key] = identifier
        return key

    # Items and what hangs from them

    def add_item(
        self,
        item_type: str,
        fields: dict[str, object],
        creators: Sequence[tuple[str, ...]] = (),
        tags: Iterable[str] = (),
        collections: Iterable[str] = (),
        library: int = USER_LIBRARY,
        key: str | None = None,
        date_added: str | None = None,
        date_modified: str | None = None,
    ) -> str:
        """A regular item; returns its key.

        A field may be given by its base name ("title" of a case). Dates are given as a person
        writes them ("2019-08", "June 1, 2008") or ready made ("2019-08-00 08/2019"). A creator is
        ``(role, first, last)``, or ``(role, name)`` for an institution.
        """
        key, item = self._new_item(item_type, library, key, date_added, date_modified)
        self._write_fields(item, item_type, fields)
        for order, (role, *name) in enumerate(creators):
            first, last = name if len(name) == 2 else ("", name[0])
            creator = self._lookup(
                "creator",
                (first, last, int(len(name) == 1)),
                "creators",
                firstName=first,
                lastName=last,
                fieldMode=int(len(name) == 1),
            )
            self._insert(
                "itemCreators",
                itemID=item,
                creatorID=creator,
                creatorTypeID=self._types.roles[role],
                orderIndex=order,
            )
        self._write_tags(item, tags)
        self._file_in(item, collections, library)
        if library in self._feeds:
            self._insert("feedItems", itemID=item, guid=key)
        return key

    def add_attachment(
        self,
        parent: str | None = None,
        *,
        title: str = "",
        file: Path | bytes | None = None,
        filename: str | None = None,
        link_mode: int = IMPORTED_FILE,
        content_type: str | None = "application/pdf",
        path: str | None = None,
        url: str = "",
        note: str = "",
        library: int = USER_LIBRARY,
        key: str | None = None,
        collections: Iterable[str] = (),
        tags: Iterable[str] = (),
        sync_state: int = 0,
        last_read: int | None = None,
        date_added: str | None = None,
        date_modified: str | None = None,
    ) -> str:
        """An attachment; returns its key.

        `file` (a file to copy, or its bytes) is written to ``storage/KEY/filename``. `path` is what
        the database shall say; by default ``storage:filename`` for the modes that store a file.
        """
        key, item = self._new_item("attachment", library, key, date_added, date_modified)
        if filename is None and isinstance(file, Path):
            filename = file.name
        if path is None and filename is not None and link_mode not in (LINKED_FILE, LINKED_URL):
            path = f"storage:{filename}"
        stored: dict[str, object] = {}
        if file is not None:
            if filename is None:
                raise ValueError("bytes need a filename to be stored under")
            content = file.read_bytes() if isinstance(file, Path) else file
            self._store(key, filename, content)
            stored = {"storageModTime": _FILE_TIME * 1000, "storageHash": hashlib.md5(content).hexdigest()}
        if self.schema >= 124:
            stored["lastRead"] = last_read
        self._insert(
            "itemAttachments",
            itemID=item,
            parentItemID=self._id(parent, library),
            linkMode=link_mode,
            contentType=content_type,
            path=path,
            syncState=sync_state,
            **stored,
        )
        given = {"title": title, "url": url}
        self._write_fields(item, "attachment", {name: value for name, value in given.items() if value})
        if note:
            self._insert("itemNotes", itemID=item, note=note, title="")
        self._write_tags(item, tags)
        self._file_in(item, collections, library)
        return key

    def add_note(
        self,
        text: str,
        parent: str | None = None,
        *,
        title: str | None = None,
        tags: Iterable[str] = (),
        collections: Iterable[str] = (),
        library: int = USER_LIBRARY,
        key: str | None = None,
        date_added: str | None = None,
        date_modified: str | None = None,
    ) -> str:
        """A note; `text` is the HTML inside Zotero's outer div. Returns its key."""
        key, item = self._new_item("note", library, key, date_added, date_modified)
        outer = '<div class="zotero-note znv1">' if self.schema < 112 else '<div data-schema-version="9">'
        if title is None:
            first = re.split(r"</(?:h\d|p|div|li)>|<br", text, maxsplit=1)[0]
            title = html.unescape(re.sub(r"<[^>]*>", "", first)).strip()[:120]
        self._insert(
            "itemNotes",
            itemID=item,
            parentItemID=self._id(parent, library),
            note=f"{outer}{text}</div>",
            title=title,
        )
        self._write_tags(item, tags)
        self._file_in(item, collections, library)
        return key

    def add_annotation(
        self,
        attachment: str,
        kind: str,
        *,
        text: str | None = "",
        comment: str = "",
        color: str = "#ffd400",
        page_label: str = "",
        sort_index: str = "00000|000000|00000",
        position: str = "{}",
        author: str = "",
        is_external: bool = False,
        tags: Iterable[str] = (),
        library: int = USER_LIBRARY,
        key: str | None = None,
        date_added: str | None = None,
        date_modified: str | None = None,
    ) -> str:
        """An annotation ("highlight", "note", "image", "ink", "underline", "text"); returns its key."""
        key, item = self._new_item("annotation", library, key, date_added, date_modified)
        self._insert(
            "itemAnnotations",
            itemID=item,
            parentItemID=self._id(attachment, library),
            type=ANNOTATION_TYPES[kind],
            text=text,
            comment=comment,
            color=color,
            pageLabel=page_label,
            sortIndex=sort_index,
            position=position,
            isExternal=int(is_external),
            **({"authorName": author} if self.schema >= 119 else {}),
        )
        self._write_tags(item, tags)
        return key

    def relate(self, key: str, other: str, library: int = USER_LIBRARY) -> None:
        """Relate two items of the user library to each other, as Zotero does: in both directions."""
        predicate = self.connection.execute(
            "SELECT predicateID FROM relationPredicates WHERE predicate = 'dc:relation'"
        ).fetchone()
        number = predicate[0] if predicate else self._insert("relationPredicates", predicate="dc:relation")
        for source, target in ((key, other), (other, key)):
            self._insert(
                "itemRelations",
                itemID=self._id(source, library),
                predicateID=number,
                object=f"http://zotero.org/users/local/{quote(self.user_key)}/items/{target}",
            )

    def trash(self, key: str, library: int = USER_LIBRARY) -> None:
        """Put an item in the trash: like Zotero, only itself is listed, not its children."""
        self._insert("deletedItems", itemID=self._id(key, library), dateDeleted=self._time())

    def trash_collection(self, key: str, library: int = USER_LIBRARY) -> None:
        self._insert(
            "deletedCollections", collectionID=self._collections[library, key], dateDeleted=self._time()
        )

    # The file

    @property
    def user_key(self) -> str:
        return self.connection.execute(
            "SELECT value FROM settings WHERE setting = 'account' AND key = 'localUserKey'"
        ).fetchone()[0]

    def item_id(self, key: str, library: int = USER_LIBRARY) -> int:
        """The local itemID, for SQL of one's own."""
        return self._ids[library, key]

    def commit(self) -> None:
        self.connection.execute("COMMIT")
        self._begin()

    def close(self) -> None:
        self.connection.execute("COMMIT")
        self.connection.close()

    def _begin(self) -> None:
        self.connection.execute("BEGIN")

    def _insert(self, table: str, **values: object) -> int:
        columns = ", ".join(values)
        marks = ", ".join("?" * len(values))
        cursor = self.connection.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values())
        )
        return cursor.lastrowid

    def _lookup(self, kind: str, identity: object, table: str, **values: object) -> int:
        known = self._lookups[kind]
        if identity not in known:
            known[identity] = self._insert(table, **values)
        return known[identity]

    def _new_item(
        self, item_type: str, library: int, key: str | None, added: str | None, modified: str | None
    ) -> tuple[str, int]:
        if item_type not in self._types.types:
            raise ValueError(f"a database of schema {self.schema} has no item type {item_type!r}")
        key = self._next_key() if key is None else key
        added = added or self._time()
        item = self._insert(
            "items",
            itemTypeID=self._types.types[item_type],
            dateAdded=added,
            dateModified=modified or added,
            clientDateModified=modified or added,
            libraryID=library,
            key=key,
        )
        self._ids[library, key] = item
        return key, item

    def _write_fields(self, item: int, item_type: str, fields: dict[str, object]) -> None:
        own = self._types.type_fields[item_type]
        base = self._types.base[item_type]
        for name, value in fields.items():
            if name not in own:
                name = next((field for field, of in base.items() if of == name), name)
            if name not in own:
                raise ValueError(f"{item_type} has no field {name!r}")
            if name == "date" or base.get(name) == "date" or name == "filingDate":
                value = multipart(str(value))
            # The type is part of the identity: 12 and "12" are two values of the table.
            number = self._lookup("value", (type(value), value), "itemDataValues", value=value)
            self._insert("itemData", itemID=item, fieldID=self._types.fields[name], valueID=number)

    def _write_tags(self, item: int, tags: Iterable[str]) -> None:
        for name in tags:
            number = self._lookup("tag", name, "tags", name=name)
            self._insert("itemTags", itemID=item, tagID=number, type=0)

    def _file_in(self, item: int, collections: Iterable[str], library: int) -> None:
        for key in collections:
            self._insert("collectionItems", collectionID=self._collections[library, key], itemID=item)

    def _store(self, key: str, filename: str, content: bytes) -> None:
        target = self.folder / "storage" / key / filename
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        os.utime(target, (_FILE_TIME, _FILE_TIME))

    def _id(self, key: str | None, library: int) -> int | None:
        return None if key is None else self._ids[library, key]

    def _next_key(self) -> str:
        self._count += 1
        number = self._count * _KEY_STEP % _KEY_COUNT
        letters = []
        for _ in range(8):
            number, digit = divmod(number, len(_KEY_ALPHABET))
            letters.append(_KEY_ALPHABET[digit])
        return "".join(letters)

    def _time(self) -> str:
        return str(_FIRST_TIME + timedelta(minutes=self._count))


def multipart(written: str) -> str:
    """A date as Zotero stores it: sortable, then as written. "2019-08" -> "2019-08-00 2019-08"."""
    if re.match(r"\d{4}-\d\d-\d\d ", written):
        return written
    if iso := re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", written):
        return f"{iso[1]}-{iso[2] or '00'}-{iso[3] or '00'} {written}"
    year = re.search(r"\b\d{4}\b", written)
    return f"{year[0] if year else '0000'}-00-00 {written}"
