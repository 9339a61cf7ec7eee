"""What differs between two states of a library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.library.records import ItemKey, Record

if TYPE_CHECKING:
    from zbm_core.library.library import Library


@dataclass(frozen=True, slots=True)
class LibraryChanges:
    """By what a person sees as one thing: items, standalone attachments and standalone notes.

    Attributes:
        added: those that are new, or came back from the trash.
        removed: those that are gone, or in the trash.
        changed: those that are in both states and differ, themselves or in anything under them.
    """

    added: frozenset[ItemKey] = frozenset()
    removed: frozenset[ItemKey] = frozenset()
    changed: frozenset[ItemKey] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def changes_between(old: Library, new: Library) -> LibraryChanges:
    """Compare all records; of 20,000 items with ten children each some 0.1 s.

    A note counts as changed with its date of modification: its text is in no record.
    """
    before, after = set(old.top_level), set(new.top_level)
    touched: set[ItemKey] = set()
    for earlier, later in (
        (old.items, new.items),
        (old.attachments, new.attachments),
        (old.notes, new.notes),
        (old.annotations, new.annotations),
    ):
        if earlier is later or earlier == later:  # equal tables are compared without a step of Python
            continue
        for library, key in _differing(earlier, later, old, new):
            touched.add(library.top_of(key))
    return LibraryChanges(
        frozenset(after - before), frozenset(before - after), frozenset(touched & before & after)
    )


def _differing(
    earlier: Mapping[ItemKey, Record], later: Mapping[ItemKey, Record], old: Library, new: Library
) -> Iterator[tuple[Library, ItemKey]]:
    """Keys with the state in which to look for what they hang from: a child that moved counts in both."""
    for key, record in later.items():
        known = earlier.get(key)
        if known != record:
            yield new, key
            if known is not None:
                yield old, key
    for key in earlier.keys() - later.keys():
        yield old, key
