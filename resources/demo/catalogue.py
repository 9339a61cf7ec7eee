"""What the demo library holds, read from the files of `catalogue/`.

A catalogue file is TOML: collections, then items with their attachments, annotations and notes.
Everything in it has an `id` of our own; the eight-letter key in the database follows from that id
alone, so that adding an item never moves another one's files.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXTS = HERE / "texts"
CATALOGUE = HERE / "catalogue"

# Zotero's own alphabet for keys: no 0, 1 or O.
_KEY_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"


class CatalogueError(ValueError):
    """A catalogue file says something that cannot be built."""


@dataclass(frozen=True)
class Annotation:
    """An annotation, placed by words of its page and never by numbers.

    `quote` is the marked text; a note, a text or an ink line stands at it, an image is the figure
    whose caption it begins. `next_quote` is where a highlight goes on at the top of the next page.
    """

    id: str
    kind: str
    quote: str
    next_quote: str = ""
    page: int | None = None  # from 1, where a quote occurs more than once
    comment: str = ""
    color: str = "#ffd400"
    tags: tuple[str, ...] = ()
    added: str | None = None
    author: str = ""


@dataclass(frozen=True)
class Attachment:
    id: str
    title: str
    file: str = ""  # its name in the storage folder; "" for a link to the web
    text: str = ""  # the file of `texts/` it is made from; "" where Zotero has not downloaded it
    content_type: str = "application/pdf"
    link_mode: int = 0
    url: str = ""
    added: str | None = None
    last_read: int | None = None
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True)
class Note:
    id: str
    file: str  # in `texts/notes/`
    added: str | None = None
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    id: str
    type: str
    fields: dict[str, str]
    creators: tuple[tuple[str, ...], ...] = ()
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    added: str | None = None
    trashed: bool = False
    related: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Collection:
    id: str
    name: str
    parent: str = ""


@dataclass(frozen=True)
class Catalogue:
    """One library: the user's own, or a group's (`group_id` and `group_name` given)."""

    group_id: int | None = None
    group_name: str = ""
    collections: tuple[Collection, ...] = ()
    items: tuple[Item, ...] = ()
    attachments: tuple[Attachment, ...] = ()  # standing alone
    notes: tuple[Note, ...] = ()  # standing alone

    def all_attachments(self) -> list[Attachment]:
        return [*self.attachments, *(one for item in self.items for one in item.attachments)]


def key_of(identifier: str) -> str:
    """The Zotero key of an id of the catalogue: eight letters of its SHA-256."""
    number = int.from_bytes(hashlib.sha256(identifier.encode()).digest()[:8])
    letters = []
    for _ in range(8):
        number, digit = divmod(number, len(_KEY_ALPHABET))
        letters.append(_KEY_ALPHABET[digit])
    return "".join(letters)


def load() -> tuple[Catalogue, ...]:
    """Every library of the demo, the user's own first.

    Raises:
        CatalogueError: an unknown field, a repeated id, or a text that is not there.
    """
    own = Catalogue()
    groups = []
    for path in sorted(CATALOGUE.glob("*.toml")):
        try:
            part = _catalogue(tomllib.loads(path.read_text(encoding="utf-8")))
        except (tomllib.TOMLDecodeError, TypeError, KeyError) as error:
            raise CatalogueError(f"{path.name}: {error}") from error
        if part.group_id is None:
            own = Catalogue(
                collections=own.collections + part.collections,
                items=own.items + part.items,
                attachments=own.attachments + part.attachments,
                notes=own.notes + part.notes,
            )
        else:
            groups.append(part)
    libraries = (own, *groups)
    _check(libraries)
    return libraries


def _catalogue(data: dict) -> Catalogue:
    group = data.pop("group", {})
    return Catalogue(
        group_id=group.get("id"),
        group_name=group.get("name", ""),
        collections=tuple(Collection(**one) for one in data.pop("collection", ())),
        items=tuple(_item(one) for one in data.pop("item", ())),
        attachments=tuple(_attachment(one) for one in data.pop("attachment", ())),
        notes=tuple(Note(**_tuples(one)) for one in data.pop("note", ())),
    )


def _item(data: dict) -> Item:
    attachments = tuple(_attachment(one) for one in data.pop("attachment", ()))
    notes = tuple(Note(**_tuples(one)) for one in data.pop("note", ()))
    creators = tuple(tuple(one) for one in data.pop("creators", ()))
    return Item(**_tuples(data), creators=creators, attachments=attachments, notes=notes)


def _attachment(data: dict) -> Attachment:
    annotations = tuple(Annotation(**_tuples(one)) for one in data.pop("annotation", ()))
    return Attachment(**_tuples(data), annotations=annotations)


def _tuples(data: dict) -> dict:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def _check(libraries: tuple[Catalogue, ...]) -> None:
    seen: set[str] = set()
    for library in libraries:
        attachments = library.all_attachments()
        notes = [*library.notes, *(note for item in library.items for note in item.notes)]
        annotations = [one for attachment in attachments for one in attachment.annotations]
        for record in (*library.collections, *library.items, *attachments, *notes, *annotations):
            if record.id in seen:
                raise CatalogueError(f"the id {record.id} is given twice")
            seen.add(record.id)
        texts = [TEXTS / one.text for one in attachments if one.text]
        texts += [TEXTS / "notes" / note.file for note in notes]
        for text in texts:
            if not text.exists():
                raise CatalogueError(f"the text {text.name} is not there")
