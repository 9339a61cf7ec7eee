"""What the sidebar and the filters need to know of a library, counted once, off the UI thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.library.records import Attachment, Collection, Item, ItemKey, Note
from zbm_gui.scoping import recently_read

if TYPE_CHECKING:
    from zbm_core.library import Library


@dataclass(frozen=True, slots=True)
class Digest:
    """Counts over the top-level items of a library.

    Attributes:
        counts: items of each library, by its number.
        collection_counts: items of each collection and its subcollections.
        subcollections: collections by their parent, by name; top ones under ``(library, None)``.
        item_types: how many items are of each type, most first ("attachment", "note" for
            standalone ones).
        tags: how many items carry each tag, most first.
        attachments: files that indexing reads.
        years: first and last year, None without any date.
        recent: items read recently, latest first.
    """

    counts: dict[int, int]
    collection_counts: dict[ItemKey, int]
    subcollections: dict[tuple[int, ItemKey | None], tuple[Collection, ...]]
    item_types: dict[str, int]
    tags: dict[str, int]
    attachments: int
    years: tuple[int, int] | None
    recent: tuple[ItemKey, ...] = ()

    @property
    def items(self) -> int:
        return sum(self.counts.values())

    @classmethod
    def of(cls, library: Library) -> Digest:
        counts: Counter[int] = Counter()
        item_types: Counter[str] = Counter()
        tags: Counter[str] = Counter()
        members: dict[ItemKey, set[ItemKey]] = {key: set() for key in library.collections}
        ancestors = {key: tuple(_upwards(library.collections, key)) for key in library.collections}
        years: list[int] = []
        for key in library.top_level:
            record = library.record(key)
            counts[key.library] += 1
            item_types[type_of(record)] += 1
            tags.update(record.tags)
            if isinstance(record, Item) and record.year is not None:
                years.append(record.year)
            for collection in record.collections:
                for ancestor in ancestors.get(collection, ()):
                    members[ancestor].add(key)
        return cls(
            counts={number: counts[number] for number in library.libraries},
            collection_counts={key: len(items) for key, items in members.items()},
            subcollections=collections_by_parent(library.collections),
            item_types=dict(item_types.most_common()),
            tags=dict(sorted(tags.items(), key=lambda entry: (-entry[1], entry[0].casefold()))),
            attachments=sum(attachment.link_mode != 3 for attachment in library.attachments.values()),
            years=(min(years), max(years)) if years else None,
            recent=tuple(recently_read(library)),
        )


def type_of(record: Item | Attachment | Note) -> str:
    """Zotero's item type of a top-level record."""
    if isinstance(record, Item):
        return record.item_type
    return "attachment" if isinstance(record, Attachment) else "note"


def _upwards(collections: dict[ItemKey, Collection], key: ItemKey) -> Iterator[ItemKey]:
    """*key* and its ancestors; ends at a parent that is absent or in a ring."""
    seen: set[ItemKey] = set()
    at: ItemKey | None = key
    while at is not None and at in collections and at not in seen:
        seen.add(at)
        yield at
        at = collections[at].parent


def collections_by_parent(
    collections: dict[ItemKey, Collection],
) -> dict[tuple[int, ItemKey | None], tuple[Collection, ...]]:
    """Collections under ``(library, parent)``, by name; top ones under ``(library, None)``."""
    families: dict[tuple[int, ItemKey | None], list[Collection]] = {}
    for collection in collections.values():
        # A collection whose parent is gone is shown at the top rather than lost.
        parent = collection.parent if collection.parent in collections else None
        families.setdefault((collection.key.library, parent), []).append(collection)
    return {
        place: tuple(sorted(family, key=lambda collection: collection.name.casefold()))
        for place, family in families.items()
    }
