"""What goes into the word index and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind


@dataclass(frozen=True, slots=True)
class Source:
    """Everything searchable that one record offers: put and deleted as a whole.

    An item offers its fields and its abstract as passages; a note its text cut into chunks; an
    annotation one passage (text and comment); an attachment its document's chunks.
    """

    key: ItemKey  # the record itself
    kind: Kind
    top: ItemKey  # the result it counts for (itself, for an item or a standalone record)
    stamp: str  # differs when the text must be indexed again
    title: str = ""  # an item's title; an attachment's or a note's own title only where standalone
    fields: Mapping[str, str] = field(default_factory=dict)  # other fields people search, by name
    passages: Sequence[str] = ()  # as a person reads them; normalised by the index
    references: frozenset[int] = frozenset()  # passages that are reference lists: never quoted
    language: str = ""  # as the item says ("en-GB", "de"); "" = to be told from the text


class PassageHit(NamedTuple):
    """One passage and how much of the query it carries."""

    source: ItemKey
    kind: Kind
    passage: int | None  # index in Source.passages; None: the title or a field matched
    score: float  # 0-1


class LexicalHit(NamedTuple):
    """One result item."""

    item: ItemKey
    score: float  # 0-1, share of what the query could earn
    best: PassageHit  # its strongest single piece of evidence
