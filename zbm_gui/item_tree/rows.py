"""What a row of the tree is, and what is selected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Passage

Identity = tuple[object, ...]


class RowKind(StrEnum):
    ITEM = "item"  # top level: an item, a standalone attachment or note
    MATCH = "match"  # a quoted passage
    ATTACHMENT = "attachment"
    NOTE = "note"
    ANNOTATION = "annotation"


class Row(NamedTuple):
    """One row, as signals and menus describe it."""

    kind: RowKind
    key: ItemKey  # the record; for a match the record it was read from
    top: ItemKey  # the top-level row it stands under (itself, for one)
    level: int = 0
    passage: Passage | None = None

    @property
    def identity(self) -> Identity:
        """Equal for the same row of another library state or another search."""
        if self.passage is None:
            return (self.kind, self.key)
        return (self.kind, self.key, self.top, self.passage.chunk, self.passage.section, self.passage.quote)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected, in the order of the tree."""

    keys: tuple[ItemKey, ...] = ()  # records: items, attachments, notes, annotations
    passages: tuple[Passage, ...] = ()  # match rows

    def __bool__(self) -> bool:
        return bool(self.keys or self.passages)
