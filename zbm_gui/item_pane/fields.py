"""What the Info section lists of a record: every filled field, named in words."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple

from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note, Record
from zbm_gui.item_tree.markup import plain_title
from zbm_gui.item_tree.wording import attachment_type, local_date, local_moment, record_type
from zbm_gui.wording import field_name, item_type_name

if TYPE_CHECKING:
    from zbm_core.library import Library

# Shown in their own places. Everything else an item has is listed, whether or not it is known here.
_ELSEWHERE = frozenset({"title", "abstractNote"})
# Zotero's names for a title in other types; left out where they say the title once more.
_TITLES = frozenset({"caseName", "nameOfAct", "subject"})


class Field(NamedTuple):
    label: str
    value: str


def fields_of(record: Record) -> list[Field]:
    """Every filled field of *record*, in the order they are read."""
    match record:
        case Item():
            own = _item_fields(record)
        case Attachment():
            own = _attachment_fields(record)
        case Annotation():
            own = [("Kind", record_type(record)), ("Author", record.author), ("Page", record.page_label)]
        case Note():
            own = [("Kind", "Note")]
    own.append(("Date added", local_moment(record.date_added)))
    own.append(("Date modified", local_moment(record.date_modified)))
    return [Field(label, value) for label, value in own if value.strip()]


def _item_fields(item: Item) -> list[tuple[str, str]]:
    fields = [("Item type", record_type(item))]
    fields += [(item_type_name(c.role), _creator_name(c.last, c.first)) for c in item.creators]
    for name, value in item.fields:
        if name in _ELSEWHERE or (name in _TITLES and plain_title(value) == plain_title(item.title)):
            continue
        if name == "date":
            value = item.date or value
        elif name == "accessDate":
            value = local_date(value)
        fields.append((field_name(name), value))
    return fields


def _creator_name(last: str, first: str) -> str:
    return f"{last}, {first}" if last and first else last or first


def _attachment_fields(attachment: Attachment) -> list[tuple[str, str]]:
    return [
        ("Kind", attachment_type(attachment)),
        ("File name", file_name(attachment.path)),
        ("URL", attachment.url),
        ("Last read", "" if attachment.last_read is None else local_moment(attachment.last_read)),
    ]


def file_name(path: str) -> str:
    """The last part of a stored path, whichever system it was written on."""
    for prefix in ("storage:", "attachments:"):
        path = path.removeprefix(prefix)
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name


def collection_paths(library: Library, keys: tuple[ItemKey, ...]) -> list[str]:
    """Collections with those they are in: "Soils > Long-term plots"."""
    paths = []
    for key in keys:
        names: list[str] = []
        seen: set[ItemKey] = set()
        at: ItemKey | None = key
        while at is not None and at not in seen and (collection := library.collections.get(at)) is not None:
            seen.add(at)  # a ring of parents ends here
            names.append(collection.name)
            at = collection.parent
        if names:
            paths.append(" > ".join(reversed(names)))
    return sorted(paths, key=str.casefold)
