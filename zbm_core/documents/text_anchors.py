"""Anchors of flowing text: selectors as Zotero's annotations have them, and the printed pages a text runs over."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from zbm_core.documents.cfi import MOST_STEPS, range_of
from zbm_core.documents.structure import (
    Block,
    ElementPlace,
    Selector,
    SelectorAnchor,
    TextNode,
    TextSpan,
)
from zbm_core.documents.text_places import source_end, source_start, utf16

Point = tuple[TextNode, int]

NAMELESS = "x-nameless"
"""What an element of a page is called whose name lxml does not take ("o:p"): selectors count it without its name."""


def selector_anchor(
    blocks: Sequence[Block], starts: Sequence[int], start: int, end: int
) -> tuple[SelectorAnchor | None, tuple[int, ...]]:
    """As `anchors.anchor_of`, for blocks with `TextSpan`s: one selector for each content file."""
    selectors: list[Selector] = []
    offsets: list[int] = []
    first: Point | None = None
    last: Point | None = None
    begun = 0
    for offset, span, from_, to in _spans(blocks, starts, start, end):
        if first is not None and last is not None and first[0].file is not span.node.file:
            _append(first, last, begun, selectors, offsets)
            first = None
        if first is None:
            first, begun = source_start(span, from_), offset + from_ - start
        last = source_end(span, to)
    if first is not None and last is not None:
        _append(first, last, begun, selectors, offsets)
    return (SelectorAnchor(tuple(selectors)) if selectors else None), tuple(offsets)


def printed_pages(
    blocks: Sequence[Block], starts: Sequence[int], start: int, end: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pages characters `start`..`end` run over (indices in StructuredText.pages), and where each begins."""
    pages: list[int] = []
    offsets: list[int] = []
    for offset, span, from_, _ in _spans(blocks, starts, start, end):
        if span.node.page >= 0 and (not pages or pages[-1] != span.node.page):
            pages.append(span.node.page)
            offsets.append(offset + from_ - start)
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
    return re.sub(r"[\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]|^-?[0-9]", _escape, name)


def _escape(match: re.Match[str]) -> str:
    text = match[0]
    char = text[-1]
    if char == "\0":
        return "\ufffd"
    if char < " " or char == "\x7f" or char.isdecimal():
        return f"{text[:-1]}\\{ord(char):x} "
    return "\\" + char


def _spans(
    blocks: Sequence[Block], starts: Sequence[int], start: int, end: int
) -> Iterator[tuple[int, TextSpan, int, int]]:
    """Spans that have part in `start`..`end`: offset of the block, span, and the part in the block's characters."""
    first = max(0, bisect_right(starts, start) - 1)
    for index in range(first, bisect_left(starts, end, first)):
        offset = starts[index]
        from_, to = start - offset, end - offset
        for span in blocks[index].spans:
            if span.end <= from_:
                continue
            if span.start >= to:
                break
            if isinstance(span, TextSpan):
                yield offset, span, max(from_, span.start), min(to, span.end)


def _append(first: Point, last: Point, begun: int, selectors: list[Selector], offsets: list[int]) -> None:
    selector = selector_of(first, last)
    if selector is not None:
        selectors.append(selector)
        offsets.append(begun)


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
