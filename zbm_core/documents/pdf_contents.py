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
_NUMBER = re.compile(r"\d{1,4}")


def remove_contents(page: PageText) -> list[list[Line]]:
    """Take lines of contents out of the page's lines and return them, each with its number."""
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
    gone = {id(line) for row, _ in found for line in row}
    page.lines = [line for line in lines if id(line) not in gone]
    return [row for row, _ in found]
