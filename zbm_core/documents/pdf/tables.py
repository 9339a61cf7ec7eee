"""Which rows of a run are a table."""

from __future__ import annotations

from itertools import pairwise

from zbm_core.documents.pdf.line import Line

CELL_ROWS = 3
"""Rows of one cell that may stand between rows of several: a cell of four lines."""

GUTTER = 0.5
"""Font sizes of white space, from row to row, that part the cells of a table."""


def table_end(rows: list[list[Line]], start: int) -> int:
    """The end of a table beginning at row *start*; *start* itself if none begins there.

    A table begins and ends with a row of several cells and has two such rows or more; up to
    `CELL_ROWS` rows of one short cell (a cell of several lines) may stand between them.
    """
    if len(rows[start]) < 2:
        return start
    end = index = start
    cells = 0
    above = rows[start]
    while index < len(rows) and index - end <= CELL_ROWS:
        if len(rows[index]) > 1:
            if not _share_gutter(above, rows[index]):
                break
            above = rows[index]
            cells += len(rows[index])
            end = index = index + 1
        elif _short(rows[index][0], rows[start]):
            index += 1
        else:
            break
    return end if end - start > 1 and cells > 3 else start


def _short(line: Line, row: list[Line]) -> bool:
    return line.x1 - line.x0 < 0.6 * (row[-1].x1 - row[0].x0)


def _share_gutter(above: list[Line], row: list[Line]) -> bool:
    """Whether a gap of one row goes on in the next: the gaps of stretched prose are anywhere."""
    return any(
        min(right.x0, other_right.x0) - max(left.x1, other_left.x1) > GUTTER * left.size
        for left, right in pairwise(above)
        for other_left, other_right in pairwise(row)
    )
