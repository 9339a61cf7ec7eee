"""What a reader shows of an EPUB, a snapshot or a plain text: sections of cleaned blocks, and places in them.

The same walk over the markup makes these blocks and the blocks that are cut into chunks, so that a place found by
a search is a place on the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Place(NamedTuple):
    """A stretch of text on one section's page: from a character of one block up to a character of another."""

    section: int
    start_block: int
    start: int  # character of the block's text
    end_block: int
    end: int  # exclusive


class Spot(NamedTuple):
    """A point on a page: where a link, an outline entry or a page label leads."""

    section: int
    block: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class ReadingEntry:
    """A line of the outline, or of the list of printed pages (level 1)."""

    title: str
    level: int  # from 1
    spot: Spot


@dataclass(frozen=True, slots=True)
class ReadingSection:
    """What is laid out at once: a content file, or a part of a long one, cut between blocks."""

    title: str  # nearest outline entry, "" for none
    characters: int
    file: int  # index of its content file in the spine; 0 for a snapshot or a text


@dataclass(frozen=True, slots=True)
class ReadingContents:
    """A document as its reader meets it, without any text."""

    title: str
    language: str  # BCP 47, "" unknown
    right_to_left: bool
    sections: tuple[ReadingSection, ...]
    outline: tuple[ReadingEntry, ...]
    pages: tuple[ReadingEntry, ...] = ()  # printed page labels (page list), in order
    notice: str = ""  # one sentence for the reader's banner: parts that could not be read


@dataclass(frozen=True, slots=True)
class SectionPage:
    """One section, cleaned.

    Attributes:
        html: for a rich text view. No script, style sheet, form, frame or address to load from. Every block opens with
            ``<a name="bN"></a>`` (N counts from 0 in the section), and its rendered text is `blocks[N]`, character
            for character: whitespace collapsed, a line break U+2028, an image U+FFFC. Images are
            ``<img src="zbm-image:NAME">``, read with `image(NAME)`; links inside the document are
            ``<a href="zbm-place:SECTION.BLOCK.OFFSET">``; links out of it keep http, https and mailto addresses.
        blocks: the text of each block.
    """

    html: str
    blocks: tuple[str, ...]
