"""Text nodes become blocks: white space collapsed, each run of text with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from zbm_core.documents.markup.flow import LINE, PICTURE, Container, Flow, Mark, is_within
from zbm_core.documents.markup.text_places import LONGEST_NODE, utf16
from zbm_core.documents.structure import BlockKind, ContentFile, ElementPlace, TextNode, TextSpan

SPACE = " \t\n\r\f"
"""What HTML collapses. A no-break space or an ideographic one is not among it."""

_ONE_SPACE = str.maketrans(dict.fromkeys(SPACE, " "))
_SPACES = re.compile("  +")

# Soft hyphens, word joiners, marks of byte order: a word that holds one would not be found. Paragraph separators and
# the marks of objects mean something to a text view that no book means by them.
_INVISIBLE = re.compile("[\u00ad\u2060\ufeff\u2029\ufffc]")


class Around(NamedTuple):
    """What holds for the blocks within an element."""

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    container: Container | None = None
    exact: bool = False  # white space is kept
    align: str = ""
    direction: str = ""
    beside: bool = False  # the text: in an <aside>, whose headings are none of the text around it


class FlowBuilder:
    """The block that is being filled, and what surrounds it."""

    def __init__(self, file: ContentFile, rich: bool, labels: list[str]) -> None:
        self.file, self.rich, self.labels = file, rich, labels
        self.at = 0  # UTF-16 units of textContent so far
        self.around = Around()
        self.glue = False  # white space between parts means nothing
        self.rule = False
        self.opened: list[Mark] = []  # inline markup around the text
        self.ready: list[Flow] = []  # finished blocks; whoever drives the builder takes them out
        self.flow = Flow()
        self.length = 0
        self._parts: list[str] = []
        self._filled: Container | None = None  # what the last block stood in

    def text(self, raw: str, place: ElementPlace, step: int, before: int = 0) -> None:
        """Add a text node; *step* and *before* as in `TextNode`."""
        at = self.at
        if len(raw) > LONGEST_NODE:
            for first in range(0, len(raw), LONGEST_NODE):
                self.text(raw[first : first + LONGEST_NODE], place, step, before + self.at - at)
            return
        if raw.isascii():
            self.at = at + len(raw)
            # What most texts are: the white space a file's elements are set out with.
            if (self.glue or not self.length) and raw.isspace() and not self.around.exact:
                return
            self._add(raw, place, step, before, at)
            return
        self.at = at + utf16(raw)
        if _INVISIBLE.search(raw) is None:
            self._add(raw, place, step, before, at)
            return
        for piece in _INVISIBLE.split(raw):
            if piece:
                self._add(piece, place, step, before, at)
            units = utf16(piece) + 1
            before, at = before + units, at + units

    def _add(self, raw: str, place: ElementPlace, step: int, before: int, at: int) -> None:
        lead = 0
        length = self.length
        if self.around.exact:
            text = raw.replace("\n", LINE)
            if not length and text[0] == LINE:
                text, lead = text[1:], 1  # a line break right behind <pre> is not part of it
        else:
            text = raw.replace("\n", " ")
            if "\t" in text or "\r" in text or "\f" in text:
                text = text.translate(_ONE_SPACE)
            if "  " in text:
                text = _SPACES.sub(" ", text)
            if text == " " and self.glue:
                return
            if text[0] == " " and (not length or self._parts[-1][-1] in " \u2028"):
                text = text[1:]
                lead = len(raw) - len(raw.lstrip(SPACE))
        if not text:
            return
        self.length = end = length + len(text)
        self._parts.append(text)
        if text != " ":
            node = TextNode(self.file, place, step, before, at, raw, len(self.labels) - 1, self.around.exact)
            self.flow.spans.append(TextSpan(length, end, node, lead))

    def space(self) -> None:
        """Part what follows from what stands before."""
        if self.length and self._parts[-1][-1] not in " \u2028":
            self._parts.append(" ")
            self.length += 1

    def line_break(self) -> None:
        self._trim()
        if self.length or self.rich:
            self._parts.append(LINE)
            self.length += 1

    def picture(self, address: str) -> None:
        self.flow.marks.append(Mark("img", address, self.length, self.length + 1))
        self._parts.append(PICTURE)
        self.length += 1

    def whole(self, text: str, node: TextNode) -> None:
        """Add a text made of all from *node* to `node.until`, a formula."""
        if self.length and self._parts[-1][-1].isalnum() and text[0].isalnum():
            self.space()
        self.flow.spans.append(TextSpan(self.length, self.length + len(text), node))
        self._parts.append(text)
        self.length += len(text)

    def open(self, name: str, value: str) -> None:
        """Begin inline markup."""
        mark = Mark(name, value, self.length)
        self.opened.append(mark)
        self.flow.marks.append(mark)

    def close(self) -> None:
        """End the innermost inline markup."""
        self.opened.pop().end = self.length

    def empty_cell(self) -> None:
        """A cell without text keeps its place in the row."""
        if not is_within(self._filled, self.around.container):
            flow, self.flow = self.flow, Flow()
            flow.container, flow.kind = self.around.container, BlockKind.TABLE
            self.ready.append(flow)

    def flush(self) -> None:
        """End the block; one without anything to show leaves no trace but the places links lead to."""
        if not self.length:
            return
        self._trim(SPACE + LINE)
        flow = self.flow
        self.flow = fresh = Flow()
        text = "".join(self._parts)
        self._parts.clear()
        self.length, length = 0, len(text)
        for index, mark in enumerate(self.opened):
            # Inline markup around several blocks goes on in the next.
            mark.end = length
            self.opened[index] = again = Mark(mark.name, mark.value, 0)
            fresh.marks.append(again)
        if not text or text.isspace():
            fresh.anchors = [(identity, 0) for identity, _ in flow.anchors]
            return
        flow.text = text if self.rich or LINE not in text else text.replace(LINE, "\n")
        around = self.around
        flow.kind, flow.level, flow.container = around.kind, around.level, around.container
        flow.align, flow.direction = around.align, around.direction
        if self.rule:
            flow.rule, self.rule = True, False
        if flow.marks:
            for mark in flow.marks:
                mark.end = min(mark.end, length)
            flow.marks = [mark for mark in flow.marks if mark.start < mark.end]
        self._filled = flow.container
        self.ready.append(flow)

    def _trim(self, characters: str = SPACE) -> None:
        """Take white space off the end."""
        parts, spans = self._parts, self.flow.spans
        while parts:
            last = parts[-1]
            kept = last.rstrip(characters)
            if len(kept) == len(last):
                return
            self.length -= len(last) - len(kept)
            while spans and spans[-1].end > self.length:
                span = spans.pop()
                if span.start < self.length:
                    spans.append(span._replace(end=self.length))
            if kept:
                parts[-1] = kept
                return
            parts.pop()
