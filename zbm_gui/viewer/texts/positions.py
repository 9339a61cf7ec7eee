"""Between characters of blocks and positions in a QTextDocument.

A text document counts UTF-16 units and puts a mark between paragraphs, around tables and in their cells; a block
counts characters. The page's promise is that what is rendered is its blocks, in order, with nothing but such marks
between them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtGui import QTextDocument

from zbm_core.documents.reading.records import Place, SectionPage

from .alignment import stretches

#: What a text document puts between blocks: paragraph, frame begin and end, line, tab, object.
SEPARATORS = frozenset("\u2029\ufdd0\ufdd1\u2028\ufffc \n\t\u00a0")


class Positions:
    """Where each block of *page* stands in *document*."""

    def __init__(self, document: QTextDocument, page: SectionPage) -> None:
        raw = document.toRawText()
        self._blocks = page.blocks
        self._length = _units(raw)
        # Without characters beyond the first plane (nearly always) units are characters.
        wide = self._length != len(raw)
        self._starts: list[int] = []
        self.strays = 0  # blocks that were not where they should be
        at = units_at = counted_to = 0
        for text in page.blocks:
            found = raw.find(text, at) if text else at
            if found < 0:
                self.strays += 1
                found = at
            elif text and not SEPARATORS.issuperset(raw[at:found]):
                self.strays += 1
            if wide:
                units_at += _units(raw[counted_to:found])
                counted_to = found
            self._starts.append(units_at if wide else found)
            at = found + (len(text) if raw.startswith(text, found) else 0)
        self._wide = wide

    def position(self, block: int, offset: int) -> int:
        """The document's position before character *offset* of *block*; the nearest there is."""
        if not self._starts:
            return 0
        block = min(max(0, block), len(self._starts) - 1)
        text = self._blocks[block]
        offset = min(max(0, offset), len(text))
        return min(self._length, self._starts[block] + (_units(text[:offset]) if self._wide else offset))

    def spot(self, position: int) -> tuple[int, int]:
        """Block and character at a *position* of the document; the end of the block before it between blocks."""
        if not self._starts:
            return 0, 0
        block = max(0, bisect_right(self._starts, position) - 1)
        text = self._blocks[block]
        units = max(0, position - self._starts[block])
        if self._wide:
            offset = len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
        else:
            offset = units
        return block, min(offset, len(text))

    def span(self, place: Place) -> tuple[int, int]:
        """First and end position of *place*."""
        start = self.position(place.start_block, place.start)
        return start, max(start, self.position(place.end_block, place.end))

    def stretches(self, place: Place) -> list[tuple[int, int]]:
        """The same block by block: the text engine selects whole cells of a table where a stretch runs over two."""
        return [
            (self.position(block, start), self.position(block, end))
            for block, start, end in stretches(place, self._blocks)
        ]

    @property
    def starts(self) -> Sequence[int]:
        return self._starts


def _units(text: str) -> int:
    """UTF-16 units of *text*."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)
