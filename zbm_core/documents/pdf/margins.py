"""Running headers, running footers and page numbers: what repeats at the edges of the pages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from zbm_core.documents.pdf.line import Line
from zbm_core.documents.pdf.page import PageText

EDGE_ROWS = 3
"""Rows looked at from the top and from the bottom of each page."""

EDGE_SHARE = 0.18
"""A header or footer stands within this share of the page's height from its edge."""

PLACE_STEP = 8.0
"""Points within which a repeated row may stand higher or lower; neighbouring steps count too."""

SHORT_DOCUMENT = 5
"""Up to this many pages two repetitions are enough, beyond it three: headers of left and right
pages differ, and those of a chapter stand on its pages only."""

NEARBY = 8
"""Pages to either side among which a row must repeat: headings of chapters look alike from far apart."""

LARGE = 1.2
"""Size of a row, as a share of its page's usual, from which its numbers are part of what must repeat:
"Chapter 1" and "Chapter 2" are headings."""

_NUMBER = re.compile(
    r"(?:(?:page|seite|s\.|p\.|pp\.|pag\.|página|pagina|стр\.|第)\s*)?"
    r"[-–—\[(|·\s]*(?:[a-z]{1,2}-?)?(?:\d{1,5}|[ivxlcdm]{1,8})[-–—\])|·\s]*"
    r"(?:(?:/|of|von|de|di|из|页|頁|ページ)\s*[/共第]*\s*\d*\s*(?:页|頁)?)?",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_ROMAN_END = re.compile(r"^[ivxlcdm]{1,7}\b|\b[ivxlcdm]{1,7}$")

_FIRST_NUMBER = re.compile(r"(\d{1,5})(?!\S)")
_LAST_NUMBER = re.compile(r"(?<!\S)(\d{1,5})$")

Row = list[Line]


def remove_margins(pages: Sequence[PageText]) -> list[list[Row]]:
    """Take running headers, footers and page numbers out of the pages' lines; return them by page.

    A row at the edge is one when its text, numbers aside, stands at about the same place on other
    pages too, or when it is a number and other pages have a number there.
    """
    if not pages:
        return []
    edges = [[_rows(page, top=True), _rows(page, top=False)] for page in pages]
    named = [
        [[(_key(row, page), _place(row, page, side == 0)) for row in rows] for side, rows in enumerate(sides)]
        for page, sides in zip(pages, edges, strict=True)
    ]
    seen: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for number, sides in enumerate(named):
        for side, rows in enumerate(sides):
            for key, place in rows:
                seen.setdefault((side, key), []).append((number, place))
    parts = _parts(pages, edges)
    needed = 2 if len(pages) <= SHORT_DOCUMENT else 3
    counted = _page_numbers(pages, edges, needed)
    removed: list[list[Row]] = []
    for number, (page, sides, names) in enumerate(zip(pages, edges, named, strict=True)):
        out: list[Row] = []
        for side, (rows, keys) in enumerate(zip(sides, names, strict=True)):
            for depth, (row, (key, place)) in enumerate(zip(rows, keys, strict=True)):
                count = _repetitions(seen[side, key], number, place)
                is_number = key == "#" and (count > 1 or _stands_alone(row, rows, depth))
                if count >= needed or is_number or id(row) in counted:
                    out.append(row)
                else:
                    # A label may stand beside a running footer on one page only.
                    again = [line for line in row if _repeats(line, page, side, parts, place, needed)]
                    if again:
                        out.append(again)
                    if len(again) < len(row):
                        # What stands further in is text, whatever it repeats.
                        break
        _take_out(page, out)
        removed.append(out)
    for rows, strays in zip(removed, _repeated_strays(pages, needed), strict=True):
        rows.extend([line] for line in strays)
    return removed


Parts = dict[tuple[int, str, int], list[tuple[int, int]]]


def _parts(pages: Sequence[PageText], edges: Sequence[list[list[Row]]]) -> Parts:
    """Pages and heights of each text of the edge rows, by its distance from the left."""
    seen: Parts = {}
    for page, sides in zip(pages, edges, strict=True):
        for side, rows in enumerate(sides):
            for row in rows:
                place = _place(row, page, side == 0)
                for line in row:
                    key = side, _key([line], page), round(line.x0 / PLACE_STEP)
                    seen.setdefault(key, []).append((page.number, place))
    return seen


def _repeats(line: Line, page: PageText, side: int, parts: Parts, place: int, needed: int) -> bool:
    found = parts.get((side, _key([line], page), round(line.x0 / PLACE_STEP)), ())
    return len(found) >= needed and _repetitions(found, page.number, place) >= needed


def _page_numbers(pages: Sequence[PageText], edges: Sequence[list[list[Row]]], needed: int) -> set[int]:
    """Ids of the outermost rows that hold the page's number beside words that change with every section.

    Such a number runs with the pages: its distance to the page's place in the file is the same on
    other pages, at the same height.
    """
    found: list[tuple[int, list[tuple[int, int, int]]]] = []
    seen: Counter[tuple[int, int, int]] = Counter()
    for page, sides in zip(pages, edges, strict=True):
        for side, rows in enumerate(sides):
            if not rows:
                continue
            row = rows[0]
            if row[0].size > LARGE * _usual_size(page):
                row = [line for line in row if _NUMBER.fullmatch(line.text)]
            place = _place(rows[0], page, side == 0)
            names = [(side, place, number - page.number) for number in _end_numbers(row)]
            seen.update(names)
            found.append((id(rows[0]), names))
    return {
        row
        for row, names in found
        if any(
            sum(seen[side, near, distance] for near in (place - 1, place, place + 1)) >= needed
            for side, place, distance in names
        )
    }


def _end_numbers(row: Row) -> set[int]:
    """Numbers at the outer ends of a row."""
    if not row:
        return set()
    ordered = sorted(row, key=lambda line: line.x0)
    ends = (_FIRST_NUMBER.match(ordered[0].text), _LAST_NUMBER.search(ordered[-1].text))
    return {int(match[1]) for match in ends if match}


def _repetitions(found: Sequence[tuple[int, int]], number: int, place: int) -> int:
    """Pages near page *number* with the same row at the same height, itself included."""
    first = bisect_left(found, (number - NEARBY, -1))
    last = bisect_left(found, (number + NEARBY + 1, -1))
    return len({page for page, other in found[first:last] if abs(other - place) <= 1})


def _take_out(page: PageText, rows: list[Row]) -> None:
    if rows:
        gone = {id(line) for row in rows for line in row}
        page.lines = [line for line in page.lines if id(line) not in gone]


def _repeated_strays(pages: Sequence[PageText], needed: int) -> list[list[Line]]:
    """Stamps along the margin ("Author manuscript", "Downloaded from ...")."""
    seen = Counter(key for page in pages for key in set(map(_stray_key, page.stray)))
    removed = []
    for page in pages:
        out = [line for line in page.stray if seen[_stray_key(line)] >= needed]
        if out:
            gone = set(map(id, out))
            page.stray = [line for line in page.stray if id(line) not in gone]
        removed.append(out)
    return removed


def _stray_key(line: Line) -> tuple[str, int, int]:
    return _DIGITS.sub("#", line.text), round(line.x0 / PLACE_STEP), round(line.y0 / PLACE_STEP)


def _rows(page: PageText, *, top: bool) -> list[Row]:
    """The outermost rows of one edge, from the edge inwards."""
    limit = page.height * EDGE_SHARE
    if top:
        lines = sorted((line for line in page.lines if line.y1 < limit), key=lambda line: line.y0)
    else:
        limit = page.height - limit
        lines = sorted((line for line in page.lines if line.y0 > limit), key=lambda line: -line.y1)
    rows: list[Row] = []
    for line in lines:
        if rows:
            other = rows[-1][0]
            shared = min(line.y1, other.y1) - max(line.y0, other.y0)
            if shared > 0.5 * min(line.y1 - line.y0, other.y1 - other.y0):
                rows[-1].append(line)
                continue
            if len(rows) == EDGE_ROWS:
                break
        rows.append([line])
    return rows


def _key(row: Row, page: PageText) -> str:
    """The row's text without its numbers; "#" if it is nothing but a page number."""
    if all(_NUMBER.fullmatch(line.text) for line in row):
        return "#"
    ordered = row if len(row) == 1 else sorted(row, key=lambda line: line.x0)
    if row[0].size > LARGE * _usual_size(page):
        return " ".join(line.text for line in ordered if not _NUMBER.fullmatch(line.text)).casefold()
    text = " ".join(line.text for line in ordered).casefold()
    text = _DIGITS.sub("#", text)
    return _ROMAN_END.sub("#", text)


def _usual_size(page: PageText) -> float:
    sizes = sorted(line.size for line in page.lines)
    return sizes[len(sizes) // 2]


def _place(row: Row, page: PageText, top: bool) -> int:
    return round((row[0].y0 if top else page.height - row[0].y1) / PLACE_STEP)


def _stands_alone(row: Row, rows: list[Row], depth: int) -> bool:
    """A number at the very edge with clear space before the next row: the only page, or a changed layout."""
    if depth or len(row) > 1:
        return False
    if len(rows) == 1:
        return True
    gap = max(row[0].y0 - rows[1][0].y1, rows[1][0].y0 - row[0].y1)
    return gap > 1.5 * row[0].size
