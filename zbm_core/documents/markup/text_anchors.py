"""Anchors of flowing text: selectors as Zotero's annotations have them, and the printed pages a text runs over."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from zbm_core.documents.markup.cfi import MOST_STEPS, range_of
from zbm_core.documents.markup.text_places import source_end, source_start, utf16
from zbm_core.documents.structure import (
    Block,
    ElementPlace,
    Selector,
    SelectorAnchor,
    TextNode,
    TextSpan,
)

Point = tuple[TextNode, int]

NAMELESS = "x-nameless"
"""What an element of a page is called whose name lxml does not take ("o:p"): selectors count it without its name."""


def selector_anchor(
    blocks: Sequence[Block], starts: Sequence[int], start: int, end: int
) -> tuple[SelectorAnchor | None, tuple[int, ...]]:
    """As `anchors.anchor_of`, for blocks with `TextSpan`s: one selector for each content file."""
    first = next(_spans(blocks, starts, start, end), None)
    if first is None:
        return None, ()
    last = _last_span(blocks, starts, start, end)
    if first.span.node.file is last.span.node.file:
        pieces = [(first, last)]
    else:
        pieces = []
        for part in _spans(blocks, starts, start, end):
            if pieces and pieces[-1][0].span.node.file is part.span.node.file:
                pieces[-1] = (pieces[-1][0], part)
            else:
                pieces.append((part, part))
    selectors: list[Selector] = []
    offsets: list[int] = []
    for first, last in pieces:
        selector = selector_of(source_start(first.span, first.start), source_end(last.span, last.end))
        if selector is not None:
            selectors.append(selector)
            offsets.append(first.block + first.start - start)
    return (SelectorAnchor(tuple(selectors)) if selectors else None), tuple(offsets)


def printed_pages(
    blocks: Sequence[Block], starts: Sequence[int], start: int, end: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pages characters `start`..`end` run over (indices in StructuredText.pages), and where each begins."""
    pages: list[int] = []
    offsets: list[int] = []
    for part in _spans(blocks, starts, start, end):
        page = part.span.node.page
        if page >= 0 and (not pages or pages[-1] != page):
            pages.append(page)
            offsets.append(part.block + part.start - start)
    return tuple(pages), tuple(offsets)


def selector_of(first: Point, last: Point) -> Selector | None:
    """The selector of a stretch of one content file; None where it stands too deep for a path."""
    node = first[0]
    if node.file.package_path:
        value = range_of(first, last)
        return Selector("FragmentSelector", value) if value is not None else None
    start, end = _position(first), _position(last)
    if node.element is None:
        return Selector("TextPositionSelector", "", start, end)
    assert last[0].element is not None
    around = _common(node.element, last[0].element)
    path = css_path(around)
    if path is None:
        return None
    return Selector("CssSelector", path, start - around.begin, end - around.begin)


def css_path(place: ElementPlace) -> str | None:
    """A CSS selector that names one element: children counted from the nearest id, else from the root."""
    parts: list[str] = []
    while True:
        if place.id:
            parts.append("#" + css_escaped(place.id))
            break
        if place.parent is None:
            parts.append(css_escaped(place.name))
            break
        name = css_escaped(place.name) if place.name != NAMELESS else ""
        parts.append(f"{name}:nth-child({place.step // 2})")
        place = place.parent
        if len(parts) > MOST_STEPS:
            return None
    return " > ".join(reversed(parts))


def css_escaped(name: str) -> str:
    """*name* as an identifier of CSS (CSSOM, "serialize an identifier")."""
    if name == "-":
        return "\\-"
    return _NO_IDENTIFIER.sub(_escape, name)


# CSS Syntax 3, "ident code point", which leaves out more than the first version of that standard did.
_NO_IDENTIFIER = re.compile(
    r"[\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\xb6\xb8-\xbf\xd7\xf7\u037e\u2000-\u200b\u200e-\u203e"
    r"\u2041-\u206f\u2190-\u2bff\u2ff0-\u3000\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]|^-?[0-9]"
)


def _escape(match: re.Match[str]) -> str:
    text = match[0]
    char = text[-1]
    if char == "\0":
        return "\ufffd"
    if char < " " or "\x7f" <= char <= "\x9f" or char.isdecimal():
        return f"{text[:-1]}\\{ord(char):x} "
    return "\\" + char


class _Part(NamedTuple):
    """The part of a span within a stretch of text."""

    block: int  # offset of its block in the text
    span: TextSpan
    start: int  # in the block
    end: int


_start, _end = attrgetter("start"), attrgetter("end")


def _spans(blocks: Sequence[Block], starts: Sequence[int], start: int, end: int) -> Iterator[_Part]:
    """Spans that have part in `start`..`end`, in order."""
    first = max(0, bisect_right(starts, start) - 1)
    for index in range(first, bisect_left(starts, end, first)):
        offset = starts[index]
        from_, to = start - offset, end - offset
        spans = blocks[index].spans
        for number in range(bisect_right(spans, from_, key=_end), len(spans)):
            span = spans[number]
            if span.start >= to:
                break
            if isinstance(span, TextSpan):
                yield _Part(offset, span, max(from_, span.start), min(to, span.end))


def _last_span(blocks: Sequence[Block], starts: Sequence[int], start: int, end: int) -> _Part:
    """The last of `_spans`, which must not be empty."""
    for index in range(bisect_left(starts, end) - 1, -1, -1):
        offset = starts[index]
        spans = blocks[index].spans
        for number in range(bisect_left(spans, end - offset, key=_start) - 1, -1, -1):
            if isinstance(span := spans[number], TextSpan):
                return _Part(offset, span, max(start - offset, span.start), min(end - offset, span.end))
    raise ValueError("no span")


def _position(point: Point) -> int:
    node, offset = point
    return node.at + utf16(node.raw[:offset])


def _common(a: ElementPlace, b: ElementPlace) -> ElementPlace:
    """The deepest element around both."""
    chain = set()
    place: ElementPlace | None = a
    while place is not None:
        chain.add(id(place))
        place = place.parent
    while id(b) not in chain:
        assert b.parent is not None
        b = b.parent
    return b
