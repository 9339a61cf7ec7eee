"""Anchors: where a stretch of text stands; for a PDF the boxes on its pages."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import ceil, floor

from zbm_core.documents.structure import Anchor, Block, PdfAnchor, Rect, TextSpan

STEP = 10
"""Boxes are kept in tenths of a point, rounded outward, so that no glyph loses its edge."""

_SLACK = 1e-4
"""Points a coordinate may lie beyond a step by error of calculation alone."""


def anchor_of(
    blocks: Sequence[Block], starts: Sequence[int], start: int, end: int
) -> tuple[Anchor | None, tuple[int, ...]]:
    """The anchor of characters `start`..`end` of the blocks' joined text; None if nothing has a place.

    Blocks with `Span`s (PDF) get a PdfAnchor, blocks with `TextSpan`s a SelectorAnchor.

    Args:
        starts: offset of each block in the joined text.

    Returns:
        The anchor, and for each of its rects or selectors the offset from *start* at which its text begins.
    """
    first = max(0, bisect_right(starts, start) - 1)
    last = bisect_left(starts, end, first)
    if any(block.spans and isinstance(block.spans[0], TextSpan) for block in blocks[first:last]):
        from zbm_core.documents.markup.text_anchors import selector_anchor

        return selector_anchor(blocks, starts, start, end)
    rects: list[Rect] = []
    offsets: list[int] = []
    for index in range(first, last):
        block, offset = blocks[index], starts[index]
        _add(block, start - offset, end - offset, rects, offsets)
    return (PdfAnchor(tuple(map(snapped, rects))) if rects else None), tuple(offsets)


def _add(block: Block, start: int, end: int, rects: list[Rect], offsets: list[int]) -> None:
    for span in block.spans:
        if span.end <= start:
            continue
        if span.start >= end:
            break
        if (span.start >= start and span.end <= end) or span.parts is None:
            rect = span.rect
        else:
            text = block.text[span.start : span.end]
            first, last = max(0, start - span.start), min(len(text), end - span.start)
            if not text[first:last].strip():
                continue
            rect = span.parts.rect(text, first, last)
        if rects and _one_line(rects[-1], rect):
            other = rects[-1]
            rects[-1] = Rect(
                rect.page,
                min(other.left, rect.left),
                min(other.bottom, rect.bottom),
                max(other.right, rect.right),
                max(other.top, rect.top),
            )
        else:
            rects.append(rect)
            offsets.append(max(span.start, start) - start)


def _one_line(a: Rect, b: Rect) -> bool:
    """Whether two boxes are pieces of one line with nothing between them."""
    height = min(a.top - a.bottom, b.top - b.bottom)
    return (
        a.page == b.page
        and abs(a.top - b.top) < 0.15 * height
        and abs(a.bottom - b.bottom) < 0.15 * height
        and max(a.left, b.left) - min(a.right, b.right) < height
    )


def snapped(rect: Rect) -> Rect:
    """*rect* in whole steps, rounded outward."""
    return Rect(
        rect.page,
        floor(rect.left * STEP + _SLACK) / STEP,
        floor(rect.bottom * STEP + _SLACK) / STEP,
        ceil(rect.right * STEP - _SLACK) / STEP,
        ceil(rect.top * STEP - _SLACK) / STEP,
    )
