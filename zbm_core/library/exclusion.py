"""A library without what its user has left out: by library, by collection, by tag."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zbm_core.library.records import ItemKey

if TYPE_CHECKING:
    from zbm_core.library.library import Library

_LIBRARY, _COLLECTION, _TAG = "library", "collection", "tag"


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is neither indexed nor found.

    libraries: by Zotero's libraryID.
    collections: with those below them; what is filed in one is left out even if it is filed elsewhere too.
    tags: exactly as written. On an item they leave out the item with all that belongs to it, on a note,
        attachment or annotation that one alone.
    """

    libraries: frozenset[int] = field(default_factory=frozenset)
    collections: frozenset[ItemKey] = field(default_factory=frozenset)
    tags: frozenset[str] = field(default_factory=frozenset)

    def __bool__(self) -> bool:
        return bool(self.libraries or self.collections or self.tags)

    # --- as settings: lines of "user key, kind, what", so that one list serves every library --------------

    @classmethod
    def of(cls, lines: Iterable[str], user_key: str) -> Exclusions:
        """Those of *lines* that are of the library with *user_key*; what is no such line is passed over."""
        libraries, collections, tags = set(), set(), set()
        for line in lines:
            owner, _, rest = line.partition("\t")
            kind, _, what = rest.partition("\t")
            if owner != user_key or not what:
                continue
            number, _, key = what.partition("/")
            if kind == _TAG:
                tags.add(what)
            elif kind == _LIBRARY and what.isdecimal():
                libraries.add(int(what))
            elif kind == _COLLECTION and number.isdecimal() and key:
                collections.add(ItemKey(int(number), key))
        return cls(frozenset(libraries), frozenset(collections), frozenset(tags))

    def put_into(self, lines: Iterable[str], user_key: str) -> list[str]:
        """*lines* with those of *user_key* replaced by these."""
        others = [line for line in lines if line.partition("\t")[0] != user_key]
        own = [(_LIBRARY, str(number)) for number in sorted(self.libraries)]
        own += [(_COLLECTION, str(key)) for key in sorted(self.collections)]
        own += [(_TAG, tag) for tag in sorted(self.tags)]
        return others + [f"{user_key}\t{kind}\t{what}" for kind, what in own]


def without(library: Library, exclusions: Exclusions) -> Library:
    """*library* with the records that *exclusions* leave out gone from every dict; itself where there are none.

    The answer shares the records, files and private copy of *library* and is closed with it.
    """
    if not exclusions:
        return library
    part = copy.copy(library)
    # The private copy is removed when `library` is collected: not while this part is in use.
    part._whole = library
    items = _kept(library.items, lambda item: not _excluded(item, exclusions, library))
    attachments = _kept(
        library.attachments,
        lambda one: _under(one.parent, items) and not _excluded(one, exclusions, library),
    )
    notes = _kept(
        library.notes, lambda note: _under(note.parent, items) and not _excluded(note, exclusions, library)
    )
    tags = exclusions.tags
    annotations = _kept(
        library.annotations, lambda one: one.parent in attachments and not _meets(one.tags, tags)
    )
    part.items, part.attachments, part.notes, part.annotations = items, attachments, notes, annotations
    part.attachment_notes = library.attachment_notes & attachments.keys()
    part.top_level = tuple(
        key for key in library.top_level if key in items or key in attachments or key in notes
    )
    return part


def _excluded(record, exclusions: Exclusions, library: Library) -> bool:
    """Whether *record* itself is left out, by its library, its collections or its tags."""
    if record.key.library in exclusions.libraries or _meets(record.tags, exclusions.tags):
        return True
    return any(_within(key, exclusions.collections, library) for key in record.collections)


def _within(key: ItemKey | None, wanted: Set[ItemKey], library: Library) -> bool:
    """Whether *key* or a collection above it is in *wanted*."""
    seen: set[ItemKey] = set()
    while wanted and key is not None and key not in seen:  # damaged parents may form a ring
        if key in wanted:
            return True
        seen.add(key)
        collection = library.collections.get(key)
        key = collection.parent if collection is not None else None
    return False


def _under(parent: ItemKey | None, items: dict) -> bool:
    return parent is None or parent in items


def _meets(tags: tuple[str, ...], wanted: Set[str]) -> bool:
    return bool(wanted) and not wanted.isdisjoint(tags)


def _kept(records: dict, keep: Callable) -> dict:
    return {key: record for key, record in records.items() if keep(record)}
