"""What a search asks and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from zbm_core.documents.structure import Anchor
from zbm_core.library.records import ItemKey

#: Best-ranked items whose previews are ready with the results (facts of the reference).
PRELOADED_ITEMS = 10


class Kind(StrEnum):
    """What a piece of evidence was read from."""

    ITEM = "item"  # title, abstract and other fields
    NOTE = "note"
    ANNOTATION = "annotation"
    ATTACHMENT = "attachment"


class EngineChoice(StrEnum):
    HYBRID = "hybrid"
    WORDS = "words"
    MEANING = "meaning"


class Fusion(StrEnum):
    """How the two engines' answers become one ranking."""

    STRENGTH = "strength"  # the sum of what each engine found
    RANKS = "ranks"  # the reference's strength-weighted reciprocal rank fusion, for comparison


@dataclass(frozen=True, slots=True)
class Scope:
    """Which items may answer. The default is everything."""

    library: int | None = None
    collection: ItemKey | None = None
    subcollections: bool = True
    tags: tuple[str, ...] = ()  # all of them
    year_from: int | None = None
    year_to: int | None = None
    item_types: tuple[
        str, ...
    ] = ()  # any of them; Zotero's names, and "attachment", "note" for standalone ones
    languages: tuple[str, ...] = ()  # any of them; ISO 639-1 codes


@dataclass(frozen=True, slots=True)
class SearchRequest:
    text: str
    scope: Scope = field(default_factory=Scope)
    engine: EngineChoice = EngineChoice.HYBRID
    margin: int = 50  # percent; 100 keeps everything above the floor
    limit: int | None = None  # items
    fusion: Fusion = Fusion.STRENGTH


@dataclass(frozen=True, slots=True)
class Score:
    """What each engine said of an item, 0 to 1. None: it said nothing, which is not zero."""

    lexical: float | None = None
    semantic: float | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One result: a top-level item, or a standalone attachment or note."""

    item: ItemKey
    rank: int  # from 1; ties share a rank
    score: Score
    strength: float  # 0-1, the Relevance bar: the strongest single piece of evidence


@dataclass(frozen=True, slots=True)
class Passage:
    """One place where an item matched."""

    item: ItemKey  # the result it belongs to
    source: ItemKey  # the attachment, note, annotation or item it was read from
    kind: Kind
    chunk: int | None  # index within the document or note; None for a field or an annotation
    section: tuple[str, ...]  # outline path; for an item's own text the field's name
    page: int | None  # physical, from 0: where the quote begins
    page_label: str
    text: str  # the whole passage
    quote: tuple[int, int]  # the line worth reading, in `text`
    ranges: tuple[tuple[int, int], ...]  # the query's words in `text`
    anchor: Anchor | None
    strength: float
    by_meaning: bool = False  # only the meaning matched: the quote was picked by the model
    focus: int = 0  # which of the anchor's rects the quote begins in
    quoted: bool = True  # among the (at most three) shown under the item


class Outlook(StrEnum):
    """Why a search answered as it did. Each has its own words and its own next step."""

    FOUND = "found"
    NOT_SEARCHABLE = "not_searchable"  # empty, or punctuation only
    NOTHING_MATCHES = "nothing_matches"
    NOTHING_INDEXED = "nothing_indexed"  # the index has not got that far yet
    FILTERED_OUT = "filtered_out"  # the scope removed every match


@dataclass(frozen=True, slots=True)
class SearchResult:
    request: SearchRequest
    outlook: Outlook
    matches: tuple[Match, ...]
    hidden: int = 0  # weaker matches the margin cut
    elsewhere: int = 0  # matches outside the scope
    indexed: int = 0  # items that can be found so far
    total: int = 0  # items in the libraries
    engines: str = "words"  # which engines spoke: "words", "words and meaning", "meaning"
    notice: str = ""  # e.g. meaning asked for but not ready
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
