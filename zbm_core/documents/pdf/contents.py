"""Lines of a printed table of contents: they lead to the text and are none themselves.

A search for a chapter's subject should find the chapter, not the line that names it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from zbm_core.documents.pdf.line import Line
from zbm_core.documents.pdf.page import PageText

MIN_LINES = 4
"""Lines with dots and a rising page number that make a page one of contents; a table of values with
dots seldom rises."""

_LEADER = re.compile(r"(?:[.·…]\s?){5,}\s*(\d{1,4})?$")
_ENDS_IN_NUMBER = re.compile(r"^.{1,120}\s(?:\d{1,4}|[ivxlc]{1,6})$")
_LAST_NUMBER = re.compile(r"\s(\d{1,4})$")
_TITLE = re.compile(
    r"(?:table\s+of\s+)?contents|inhalt(?:sverzeichnis)?|sommaire|table\s+des\s+matières|índice|contenido|sumário|indice|"
    r"содержание|оглавление|目\s*[录錄次]|차례|목차|المحتويات",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,4}")


def remove_contents(page: PageText) -> list[list[Line]]:
    """Take lines of contents out of the page's lines and return them."""
    found: list[tuple[list[Line], int]] = []
    lines = page.lines
    plain = _without_dots(page)
    if plain:
        return plain
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


def _without_dots(page: PageText) -> list[list[Line]]:
    """Rows of a page headed "Contents", or with hardly anything else, that end in rising numbers."""
    if not any(_ENDS_IN_NUMBER.match(line.text) or _NUMBER.fullmatch(line.text) for line in page.lines):
        return []
    rows = _rows(page.lines)
    if len(rows) < MIN_LINES:
        return []
    texts = [" ".join(line.text for line in sorted(row, key=lambda line: line.x0)) for row in rows]
    ends = [_ENDS_IN_NUMBER.match(text) is not None for text in texts]
    numbers = [int(match[1]) for text in texts if (match := _LAST_NUMBER.search(text)) is not None]
    titled = any(_TITLE.fullmatch(text) for text in texts)
    least, share = (MIN_LINES, 0.5) if titled else (2 * MIN_LINES, 0.7)
    rising = sum(a <= b for a, b in pairwise(numbers))
    if (
        sum(ends) < max(least, share * len(rows))
        or rising < 0.9 * (len(numbers) - 1)
        or len(numbers) < MIN_LINES
    ):
        return []
    out = [row for row, end in zip(rows, ends, strict=True) if end]
    gone = {id(line) for row in out for line in row}
    page.lines = [line for line in page.lines if id(line) not in gone]
    return out


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Lines at one height together, in the order of the file otherwise."""
    rows: dict[int, list[Line]] = {}
    for line in lines:
        place = round(line.y1 / 4)
        key = next((near for near in (place, place - 1, place + 1) if near in rows), place)
        rows.setdefault(key, []).append(line)
    return list(rows.values())
