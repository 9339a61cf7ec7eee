"""One content file laid out in sections, each no longer than a view lays out at once; places in it, both ways."""

from __future__ import annotations

import copy
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from zbm_core.documents.markup.flow import Flow, Mark
from zbm_core.documents.markup.text_anchors import selector_of
from zbm_core.documents.markup.text_places import block_offset, characters, source_end, source_start, utf16
from zbm_core.documents.structure import BlockKind, Selector, TextSpan

SECTION = 45_000
"""Weight of a section: bytes of text, and `BLOCK_WEIGHT` for each block. A rich text view takes up to 100 ms."""

BLOCK_WEIGHT = 60

LONGEST_BLOCK = 20_000
"""Characters of a block; longer ones, which no author makes, go on as a block of their own."""


class Line(NamedTuple):
    """A stretch of a block that stands in one text node: `at`..`end` of the file's textContent, in UTF-16 units."""

    at: int
    end: int
    block: int  # of the file
    span: TextSpan


class FileLayout:
    """What is kept of a content file: texts, sections, where ids stand. Not its tree, not its places."""

    __slots__ = ("cuts", "headings", "ids", "texts")

    def __init__(self, flows: Sequence[Flow], trailing: Iterable[str]) -> None:
        self.texts = [flow.text for flow in flows]
        self.headings = [
            (block, flow.level) for block, flow in enumerate(flows) if flow.kind is BlockKind.HEADING
        ]
        self.ids: dict[str, tuple[int, int]] = {}
        for block, flow in enumerate(flows):
            for identity, offset in flow.anchors:
                self.ids.setdefault(identity, (block, min(offset, len(flow.text))))
        if flows:
            for identity in trailing:
                self.ids.setdefault(identity, (len(flows) - 1, len(flows[-1].text)))
        self.cuts = list(_cuts(self.texts))  # first block of each section

    def sections(self) -> int:
        return len(self.cuts)

    def blocks(self, section: int) -> range:
        end = self.cuts[section + 1] if section + 1 < len(self.cuts) else len(self.texts)
        return range(self.cuts[section], end)

    def section_of(self, block: int) -> tuple[int, int]:
        """Section of a block of the file, and its number in the section."""
        section = bisect_right(self.cuts, block) - 1
        return section, block - self.cuts[section]

    def characters(self, section: int) -> int:
        return sum(len(self.texts[block]) for block in self.blocks(section))


def _cuts(texts: Sequence[str]) -> Iterator[int]:
    weights = [len(text.encode("utf-8", "replace")) + BLOCK_WEIGHT for text in texts]
    if not weights:
        return
    total = sum(weights)
    share = total / max(1, round(total / SECTION))
    done = 0.0
    wanted = share
    yield 0
    for block, weight in enumerate(weights):
        if block and done + weight / 2 >= wanted and total - done > share / 3:
            yield block
            wanted += share
        done += weight


def bounded(flows: Iterable[Flow]) -> Iterator[Flow]:
    """The blocks, those longer than `LONGEST_BLOCK` in pieces."""
    for flow in flows:
        while len(flow.text) > LONGEST_BLOCK:
            at = flow.text.rfind(" ", LONGEST_BLOCK // 2, LONGEST_BLOCK) + 1 or LONGEST_BLOCK
            first, flow = _split(flow, at)
            yield first
        yield flow


def _split(flow: Flow, at: int) -> tuple[Flow, Flow]:
    first, rest = copy.copy(flow), copy.copy(flow)
    first.text, rest.text = flow.text[:at], flow.text[at:]
    first.spans, rest.spans = [], []
    for span in flow.spans:
        if span.start < at:
            first.spans.append(span._replace(end=min(span.end, at)))
        if span.end > at:
            lead = source_start(span, max(at, span.start))[1]
            rest.spans.append(TextSpan(max(0, span.start - at), span.end - at, span.node, lead))
    first.anchors = [anchor for anchor in flow.anchors if anchor[1] < at]
    rest.anchors = [(identity, offset - at) for identity, offset in flow.anchors if offset >= at]
    first.marks, rest.marks = [], []
    for mark in flow.marks:
        if mark.start < at:
            first.marks.append(Mark(mark.name, mark.value, mark.start, min(mark.end, at)))
        if mark.end > at:
            rest.marks.append(Mark(mark.name, mark.value, max(0, mark.start - at), mark.end - at))
    rest.rule = False
    return first, rest


# -- places ---------------------------------------------------------------------------------------


class FilePlaces:
    """Places of one content file, from its blocks with their spans."""

    def __init__(self, flows: Sequence[Flow]) -> None:
        self._flows = flows
        self._lines: list[Line] = []
        for block, flow in enumerate(flows):
            for span in flow.spans:
                node, raw = source_start(span, span.start)
                last, end = source_end(span, span.end)
                at = node.at + utf16(node.raw[:raw])
                self._lines.append(Line(at, last.at + utf16(last.raw[:end]), block, span))
        self._ends = [line.end for line in self._lines]
        self._starts = [line.at for line in self._lines]

    def stretch(self, start: int, end: int) -> tuple[int, int, int, int] | None:
        """First block and offset, last block and offset (exclusive) of `start`..`end` of the file's textContent.

        None where nothing of it is shown.
        """
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end) - 1
        if first > last:
            return None
        line = self._lines[first]
        raw = characters(line.span.node.raw, max(start, line.at) - line.span.node.at)
        begin = block_offset(line.span, raw)
        block = line.block
        line = self._lines[last]
        if line.span.node.until is not None:
            stop = line.span.end
        else:
            raw = characters(line.span.node.raw, min(end, line.end) - line.span.node.at)
            stop = block_offset(line.span, max(0, raw - 1)) + 1
        stop = min(stop, line.span.end)
        return (block, begin, line.block, stop) if (block, begin) < (line.block, stop) else None

    def selector(self, start_block: int, start: int, end_block: int, end: int) -> Selector | None:
        """The selector of a stretch of shown text; None where it holds no text of the file."""
        first = last = None
        for block in range(start_block, end_block + 1):
            from_ = start if block == start_block else 0
            to = end if block == end_block else len(self._flows[block].text)
            for span in self._flows[block].spans:
                if span.end <= from_ or span.start >= to:
                    continue
                if first is None:
                    first = source_start(span, max(from_, span.start))
                last = source_end(span, min(to, span.end))
        if first is None or last is None:
            return None
        return selector_of(first, last)
