"""Paragraphs out of lines: which were one before a program wrapped them at a width."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from zbm_core.documents.plain.lines import Line, Piece, spaceless
from zbm_core.documents.structure import BlockKind

KEPT_LINES = 40
"""Lines of a block whose line breaks are kept: rows of a table, a log."""

WIDEST = 160
"""Characters of a line nobody wrapped at: such lines are paragraphs."""

NARROWEST = 30
"""Columns nobody wraps prose at; shorter lines are verse, addresses, lists."""

SHORT_SHARE = 0.25
"""Share of a paragraph's lines that may end although their next word had room."""

MARK = re.compile(
    r"(?:[-*+•‣◦▪·–—]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)]|[（(][0-9一二三四五六七八九十]{1,3}[）)])\s+(?=\S)"
)
"""What begins an item of a list."""


def paragraphs(lines: Sequence[Line], *, keep: bool = False, joined: bool = False) -> Iterator[Piece]:
    """Pieces of lines, parted at blank ones.

    Args:
        keep: all line breaks mean something.
        joined: none does (the lines of a Markdown paragraph).
    """
    usual = _usual_width(lines)
    for group in _groups(lines):
        if keep:
            yield from _kept(group)
            continue
        for part in _parts(group):
            yield from _pieces(part, usual, joined)


def _groups(lines: Sequence[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    for line in lines:
        if line.text:
            group.append(line)
        elif group:
            yield group
            group = []
    if group:
        yield group


def _usual_width(lines: Sequence[Line]) -> int:
    """The width most of the text is wrapped at, as far as it is."""
    widths = sorted(line.width for line in lines if line.text)
    return min(widths[int(0.95 * (len(widths) - 1))], 120) if widths else 0


def _parts(group: list[Line]) -> Iterator[list[Line]]:
    """Items of lists, and paragraphs that begin with an indentation alone."""
    if len(group) == 1:
        yield group
        return
    least = min(len(line.lead) for line in group)
    indented = sum(len(line.lead) > least for line in group[1:])
    # Most lines at the margin, some further in: these begin paragraphs.
    by_indent = 0 < indented <= len(group) / 2 or (indented == 0 and len(group[0].lead) > least)
    part: list[Line] = []
    listed = MARK.match(group[0].text) is not None
    for line in group:
        mark = MARK.match(line.text)
        begins = mark is not None and (
            listed or not line.text[0].isalnum() or not part or part[-1].text[-1] in ":：."
        )
        if part and (
            begins or (by_indent and len(line.lead) > least and len(part[-1].lead) == least and not listed)
        ):
            yield part
            part = []
        listed = listed or begins
        part.append(line)
    yield part


def _pieces(lines: list[Line], usual: int, joined: bool) -> Iterator[Piece]:
    if MARK.match(lines[0].text):
        yield Piece(lines, BlockKind.LIST_ITEM)
    elif joined or len(lines) == 1 or _wrapped(lines, usual):
        yield Piece(lines)
    elif max(line.width for line in lines) > WIDEST:
        yield from (Piece([line]) for line in lines)
    else:
        yield from _kept(lines)


def _wrapped(lines: list[Line], usual: int) -> bool:
    """Whether a program broke these lines: each ends where its next word had no room."""
    width = max(usual, *(line.width for line in lines))
    wide = spaceless(lines[0].text[-1])
    if width > WIDEST or width < (NARROWEST / 2 if wide else NARROWEST):
        return False
    early = 0
    for line, following in pairwise(lines):
        word = 1 if spaceless(following.text[0]) else 1 + len(following.text.split(None, 1)[0])
        # Ragged lines of proportional text and double spaces: a few columns are no sign.
        early += line.width + word + (2 if wide else 0) < width - 3
    return early <= SHORT_SHARE * (len(lines) - 1)


def _kept(lines: list[Line]) -> Iterator[Piece]:
    for first in range(0, len(lines), KEPT_LINES):
        part = lines[first : first + KEPT_LINES]
        if max(line.width for line in part) > WIDEST:
            yield from (Piece([line]) for line in part)
        else:
            yield Piece([line.indented() for line in part], keep=True)
