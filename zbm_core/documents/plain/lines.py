"""The lines of a plain text, and the pieces they are put together to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from zbm_core.documents.markup.text_places import utf16
from zbm_core.documents.structure import BlockKind

_SPACELESS = re.compile(
    "[\u2e80-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
"""Scripts that part words by nothing: a line that ends in one goes on without a space."""


class Line(NamedTuple):
    """A line without the white space around it."""

    text: str  # "" for a blank one
    at: int  # UTF-16 units of the text before `text`
    lead: str = ""  # the white space before it

    @property
    def width(self) -> int:
        """Characters up to its end, indentation with them."""
        return len(self.lead) + len(self.text)

    def indented(self) -> Line:
        """The same line, its indentation part of the text."""
        return Line(self.lead + self.text, self.at - len(self.lead)) if self.text else self

    def without(self, count: int) -> Line:
        """The line without its first *count* characters and the white space behind them."""
        rest = self.text[count:]
        text = rest.lstrip()
        return Line(text, self.at + utf16(self.text[: len(self.text) - len(text)]))


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines that are one block."""

    lines: list[Line]
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0  # of a heading, from 1
    keep: bool = False  # its line breaks mean something

    def glue(self, before: str, after: str) -> str:
        """What joins two of its lines."""
        if self.keep:
            return "\n"
        return "" if spaceless(before[-1]) and spaceless(after[0]) else " "


def spaceless(char: str) -> bool:
    return _SPACELESS.match(char) is not None


def lines_of(text: str) -> list[Line]:
    """The lines of a text, however they end; a form feed makes a blank one."""
    lines: list[Line] = []
    at = 0
    ascii_only = text.isascii()
    for raw in text.splitlines(keepends=True):
        stripped = raw.strip()
        lead = raw[: len(raw) - len(raw.lstrip())] if stripped else ""
        lines.append(Line(stripped, at + len(lead), lead))
        at += len(raw) if ascii_only else utf16(raw)
        if raw[-1] == "\f":
            lines.append(Line("", at))
    return lines
