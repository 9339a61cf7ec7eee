"""What a document is once it has been read: structured text, chunks and anchors.

Coordinates are PDF user space: points, origin at the bottom left of the unrotated page, as in
Zotero's own annotations.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class Rect(NamedTuple):
    """A box on a page, in points of PDF user space."""

    page: int  # from 0
    left: float
    bottom: float
    right: float
    top: float


class Selector(NamedTuple):
    """A stretch of one content file, in the terms of Zotero's annotations (W3C selectors).

    A FragmentSelector is an EPUB's: `value` is a CFI range, "epubcfi(/6/8!/4/2,/1:0,/5/1:20)".
    A CssSelector is a snapshot's: `value` names an element, and the TextPositionSelector that refines it is
    `start` and `end`, characters (UTF-16 units, as in a browser) of that element's textContent.
    A TextPositionSelector alone is a plain text's: characters of the file's decoded text.
    """

    type: str  # "FragmentSelector", "CssSelector", "TextPositionSelector"
    value: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class PdfAnchor:
    """The lines of a passage on their pages, in reading order."""

    rects: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class SelectorAnchor:
    """A passage of an EPUB, snapshot or text: one selector for each content file it runs through, in order."""

    selectors: tuple[Selector, ...]


Anchor = PdfAnchor | SelectorAnchor


class BlockKind(StrEnum):
    """What a block of text is on its page."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    TABLE = "table"
    REFERENCE = "reference"  # an entry of a reference list
    EXCLUDED = "excluded"  # running header or footer, page number


class PartBoxes(Protocol):
    """Where the parts of one span stand. A chunk may begin or end inside a line."""

    def rect(self, text: str, start: int, end: int) -> Rect:
        """The box of `text[start:end]`, *text* being all of the span's text."""


class Span(NamedTuple):
    """Characters `start`..`end` of a block's text and the box they stand in: one line, or part of one."""

    start: int
    end: int
    rect: Rect
    parts: PartBoxes | None = None  # None: only the whole span has a box


class ContentFile(NamedTuple):
    """The file of a document that a text stands in: one of a book's spine, a snapshot's page, a plain text."""

    number: int = 0  # in the spine, from 0
    package_path: str = ""  # EPUB: the package's part of a CFI, "/6/8[id]"; "" for all others


class ElementPlace:
    """Where an element stands in its file: a chain up to the root, which has no parent."""

    __slots__ = ("begin", "id", "name", "parent", "step")

    def __init__(self, parent: ElementPlace | None, step: int, name: str, id: str, begin: int) -> None:
        self.parent = parent
        self.step = step  # as in a CFI: the nth element among its siblings is 2n
        self.name = name  # local tag name, lower case in HTML
        self.id = id  # "" for none, and where another element before it has the same
        self.begin = begin  # UTF-16 units of the root's textContent before it


class TextNode:
    """A text node as the file has it. Offsets in it count characters of `raw`."""

    __slots__ = ("at", "before", "element", "exact", "file", "page", "raw", "step", "until")

    def __init__(
        self,
        file: ContentFile,
        element: ElementPlace | None,
        step: int,
        before: int,
        at: int,
        raw: str,
        page: int = -1,
        exact: bool = False,
    ) -> None:
        self.file = file
        self.element = element  # None: a plain text, which has no elements
        self.step = step  # as in a CFI: odd, the text behind n elements is 2n + 1
        self.before = before  # UTF-16 units of the run of text before `raw`: comments part nodes, not runs
        self.at = at  # UTF-16 units of the file's textContent (or decoded text) before `raw`
        self.raw = raw
        self.page = page  # index in StructuredText.pages, -1 for none
        self.exact = exact  # white space of `raw` is kept and not collapsed
        self.until: TextNode | None = (
            None  # a formula: the span's text was made of all up to the end of that node
        )


class TextSpan(NamedTuple):
    """Characters `start`..`end` of a block's text and the text node they stand in.

    They are `node.raw` from character `lead` on, runs of white space collapsed to one space (not if `node.exact`).
    """

    start: int
    end: int
    node: TextNode
    lead: int = 0

    @property
    def page(self) -> int:
        return self.node.page


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, ... with hyphenation undone and lines joined, over columns and pages.

    The text of a PDF has no line breaks in it; others keep those the author set as "\\n" (verse, code, rows of a table).
    """

    kind: BlockKind
    text: str
    spans: tuple[Span, ...] | tuple[TextSpan, ...]  # in order, covering every visible character of `text`
    level: int = 0  # of a heading, from 1

    @property
    def page(self) -> int | None:
        """Index in StructuredText.pages."""
        if not self.spans:
            return None
        first = self.spans[0]
        page = first.rect.page if isinstance(first, Span) else first.node.page
        return page if page >= 0 else None


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    title: str
    level: int  # from 1
    page: int  # from 0; -1 where the document has no pages
    block: int | None  # index of the heading's block in StructuredText.blocks


@dataclass(frozen=True, slots=True)
class Page:
    label: str  # printed label, "" if the file has none
    width: float = 0.0  # points, unrotated crop box; 0 where a page is but a label in flowing text
    height: float = 0.0
    rotation: int = 0  # 0, 90, 180, 270


@dataclass(frozen=True, slots=True)
class StructuredText:
    blocks: tuple[Block, ...]
    outline: tuple[OutlineEntry, ...]
    pages: tuple[Page, ...]
    unread: int = 0  # pages that gave nothing: damaged
    too_large: int = 0  # of these, those that would have taken too much memory
    notice: str = ""  # one sentence for the user: what of the document could not be read


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of a match: for both engines, in the indexes, in the pane and in the reader."""

    index: int  # from 0 within the document
    text: str  # what a person reads, paragraphs parted by "\n\n"
    embed_text: str  # text with the outline path put before each section: what a model reads
    outline_path: tuple[str, ...]
    page_labels: tuple[str, ...]  # printed label of each of its pages, "" for none; empty without pages
    is_reference: bool  # stands under a heading of a reference list, or is nothing but entries
    anchor: Anchor | None
    starts: tuple[int, ...] = ()  # where in `text` each rect begins; with selectors, each of `page_labels`
    language: str = ""  # ISO 639-1 code of what it is written in, "" where that cannot be told

    def rect_at(self, offset: int) -> int | None:
        """Which of the anchor's rects holds character *offset* of the text; None without rects."""
        if not isinstance(self.anchor, PdfAnchor):
            return None
        return max(0, bisect_right(self.starts, offset) - 1)

    def page_at(self, offset: int) -> tuple[int | None, str]:
        """Physical page (from 0) and printed label where character *offset* of the text stands.

        Flowing text has no physical pages, and a label only where its book lists the pages of its printed edition.
        """
        if isinstance(self.anchor, SelectorAnchor):
            place = bisect_right(self.starts, offset) - 1
            return None, self.page_labels[place] if 0 <= place < len(self.page_labels) else ""
        rect = self.rect_at(offset)
        if rect is None:
            return None, ""
        page = self.anchor.rects[rect].page
        place = page - self.anchor.rects[0].page
        return page, self.page_labels[place] if 0 <= place < len(self.page_labels) else ""


class Outcome(StrEnum):
    """How the reading of one document ended. Every document ends in exactly one."""

    INDEXED = "indexed"
    NO_TEXT = "no_text"  # pages but no text layer: a scan
    PASSWORD = "password"
    DRM = "drm"  # a book whose text is encrypted for one reader program
    MISSING = "missing"  # the file should be here and is not
    NOT_DOWNLOADED = "not_downloaded"  # Zotero has not fetched it yet
    DAMAGED = "damaged"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"  # a format that is not read (yet)
    FAILED = "failed"  # crashed, hung or ran out of memory; `reason` says which


@dataclass(frozen=True, slots=True)
class DocumentReport:
    outcome: Outcome
    reason: str = ""  # one sentence for the user; "" when all of it is indexed
    pages: int | None = None  # None: unknown
    chunks: int = 0
    stamp: str = ""  # file size, time and extractor version: differs when the file must be read again
    digest: str = ""  # of the chunks' texts: the same after a new reading that found the same
    kept: float = 1.0  # share of the document's characters that are text; the rest is debris and left out
    languages: tuple[tuple[str, float], ...] = ()  # ISO 639-1 codes with their share of the text, most first
    fallback: bool = False  # the file itself gave nothing: this is a text made elsewhere, without pages
