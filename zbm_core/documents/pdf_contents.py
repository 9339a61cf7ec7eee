"""Lines of a printed table of contents: they lead to the text and are none themselves.

A search for a chapter's subject should find the chapter, not the line that names it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from zbm_core.documents.pdf_page import Line, PageText

MIN_LINES = 4
"""Lines with dots and a rising page number that make a page one of contents; a table of values with
dots seldom rises."""

_LEADER = re.compile(r"(?:[.·…]\s?){5,}\s*(\d{1,4})?$")
_ENDS_IN_NUMBER = re.compile(r"^.{1,120}\s(?:\d{1,4}|[ivxlc]{1,6})$")
_NUMBER = re.compile(r"\d{1,4}")


def remove_contents(page: PageText) -> list[list[Line]]:
    """Take lines of contents out of the page's lines and return them."""
    found: list[tuple[list[Line], int]] = []
    lines = page.lines
    for index, line in enumerate(lines):
        match = _LEADER.search(line.text) if line.text[-1:].isdigit() or line.text[-1:] in ".·…" else None
        if match is None:
            continue
        if match[1]:
            found.append(([line], int(match[1])))
        elif index + 1 < len(lines):
            other = lines[index + 1]
            if _NUMBER.fullmatch(other.text) and abs(other.y1 - line.y1) < line.size:
                found.append(([line, other], int(other.text)))
    if len(found) < MIN_LINES:
        return []
    rising = sum(a[1] <= b[1] for a, b in pairwise(found))
    if rising < 0.8 * (len(found) - 1):
        return []
    # With the rows of dots go what stands beside them and rows set like them without dots.
    dotted = {id(line) for row, _ in found for line in row}
    kept: list[Line] = []
    out: list[list[Line]] = []
    for row in _rows(lines):
        text = " ".join(line.text for line in row)
        if any(id(line) in dotted for line in row) or _ENDS_IN_NUMBER.match(text):
            out.append(row)
        else:
            kept.extend(row)
    page.lines = kept
    return out


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Lines at one height together, in the order of the file otherwise."""
    rows: dict[int, list[Line]] = {}
    for line in lines:
        place = round(line.y1 / 4)
        key = next((near for near in (place, place - 1, place + 1) if near in rows), place)
        rows.setdefault(key, []).append(line)
    return list(rows.values())
