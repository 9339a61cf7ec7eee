"""What an anchor's selectors name, read by a parser and in a way that extraction does not use."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser

from zbm_core.documents.structure import Chunk, SelectorAnchor

# White space, and characters that are not to be seen: control characters, soft hyphens, zero-width marks.
_SPACE = re.compile("[\\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2060\ufeff\ufffe\uffff]+")


@lru_cache(maxsize=4)
def _parsed(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html)


def text_content(html: str, selector: str) -> str | None:
    """The textContent of the element *selector* names, as `querySelector` finds it; None for none."""
    found = _parsed(html).css_first(selector)
    if found is None:
        return None
    texts = (node.text_content or "" for node in found.traverse(include_text=True) if node.is_text_node)
    return "".join(texts)


def units(text: str, start: int, end: int) -> str:
    """Characters *start* to *end* of *text*, counted in UTF-16 units."""
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")


def recovered(source: str, chunk: Chunk) -> str | None:
    """The text a chunk's anchor names in *source* (a page, or a plain text); None where it names nothing."""
    if not isinstance(chunk.anchor, SelectorAnchor):
        return None
    parts = []
    for selector in chunk.anchor.selectors:
        content = source if selector.type == "TextPositionSelector" else text_content(source, selector.value)
        if content is None or selector.start is None or selector.end is None:
            return None
        parts.append(units(content, selector.start, selector.end))
    return "".join(parts)


def squeezed(text: str) -> str:
    return _SPACE.sub("", text)


def holds(source: str, chunk: Chunk) -> bool:
    """Whether the anchor names the chunk's text: all its lines, in order, from the first character to the last."""
    found = recovered(source, chunk)
    if found is None:
        return False
    text = squeezed(found)
    lines = [line for line in re.split(r"[\n\t]", chunk.text) if line.strip()]
    at = 0
    for line in lines:
        place = text.find(squeezed(line), at)
        if place >= 0:
            at = place + len(squeezed(line))
            continue
        # Something within the line is not to be seen: its characters stand there one after the other.
        for character in squeezed(line):
            place = text.find(character, at)
            if place < 0:
                return False
            at = place + 1
    first, last = squeezed(lines[0].split()[0]), squeezed(lines[-1].split()[-1])
    return text.startswith(first) and text.endswith(last)


def in_order(chunks: list[Chunk]) -> bool:
    """Whether chunks stand in the order of their anchors, where these name one element."""
    anchors = [chunk.anchor for chunk in chunks if isinstance(chunk.anchor, SelectorAnchor)]
    return all(
        before.selectors[0].start <= after.selectors[0].start  # type: ignore[operator]
        for before, after in pairwise(anchors)
        if before.selectors[0].value == after.selectors[0].value
    )
