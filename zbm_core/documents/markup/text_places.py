"""From characters of a block's text to places in the source, and the lengths browsers count in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zbm_core.documents.structure import TextNode, TextSpan

_RUN = re.compile("  +")
_ONE_SPACE = str.maketrans("\t\n\r\f", "    ")

LONGEST_NODE = 1 << 14
"""Characters of a text node that are held as one: a place is counted from the beginning of its node, and a text in a single
line of 30 MB has a place every 400 characters."""


def utf16(text: str) -> int:
    """Length of *text* in UTF-16 units, in which browsers and CFIs count."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) >> 1


def source_start(span: TextSpan, offset: int) -> tuple[TextNode, int]:
    """Text node and offset in its `raw` where character *offset* of the block's text stands."""
    if span.node.until is not None:
        raw = span.node.raw
        return span.node, len(raw) - len(raw.lstrip())
    return span.node, _raw_offset(span, offset)


def source_end(span: TextSpan, offset: int) -> tuple[TextNode, int]:
    """Text node and offset in its `raw` behind the character before *offset* of the block's text."""
    if (until := span.node.until) is not None:
        return until, len(until.raw.rstrip())
    return span.node, _raw_offset(span, offset - 1) + 1


def _raw_offset(span: TextSpan, offset: int) -> int:
    raw, at = span.node.raw, span.lead
    wanted = offset - span.start
    if span.node.exact or len(raw) - at == span.end - span.start:
        return at + wanted
    for run in _runs(raw, at):
        gap = run.start() - at
        if wanted <= gap:
            break
        wanted -= gap + 1
        at = run.end()
    return at + wanted


def _runs(raw: str, at: int) -> Iterator[re.Match[str]]:
    """The runs of white space in *raw* from *at* on that are shown as one space."""
    if "\t" in raw or "\r" in raw or "\f" in raw:
        raw = raw.translate(_ONE_SPACE)
    else:
        raw = raw.replace("\n", " ")
    return _RUN.finditer(raw, at)


def block_offset(span: TextSpan, raw: int) -> int:
    """Offset in the block's text of the character that stands at *raw* of the span's text node, or of what is
    shown next; the other way of `source_start`."""
    if span.node.until is not None:
        return span.start
    at, offset = span.lead, span.start
    if raw <= at:
        return offset
    if not span.node.exact:
        for run in _runs(span.node.raw, at):
            if raw <= run.start():
                break
            offset += run.start() - at + 1
            at = run.end()
            if raw < at:
                return min(offset - 1, span.end)
    return min(offset + raw - at, span.end)


def characters(text: str, units: int) -> int:
    """How many characters of *text* the first *units* UTF-16 units are; a pair counts when it is whole."""
    if units <= 0 or text.isascii():
        return min(max(0, units), len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
