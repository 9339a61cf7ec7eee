"""Reading order on one page: fragments become lines, lines become runs, runs are put in order.

A run is a stretch of lines that follow each other downwards in one column, as the file draws them.
Most files draw in reading order and are left alone. Where a run contradicts its predecessor (above
it, or left of it at the same height) the runs are sorted by the two rules of Breuel (2003), "High
performance document layout analysis": a run precedes another when it stands above it and they
share a part of the width, or when it stands wholly left of it and no third run between them in
height spans both.
"""

from __future__ import annotations

import re
from itertools import combinations

from zbm_core.documents.pdf.line import Line

WORD_GAP = 1.0
"""Widest gap, in font sizes, between fragments of one line of prose (justified text stretches)."""

OVERLAP = -1.2
"""Font sizes by which a piece of a line may begin within the one before it: an index above another."""

INITIAL = 1.8
"""Size of a first letter, as a share of its line's, from which it is an initial over several lines."""

WIDE = 0.22
"""Share of the page width from which neighbours on one height are columns of prose, not table cells."""

MAX_RUNS = 60
"""Sorting takes the cube of this in steps (a tenth of a second here); a page with more runs is a
drawing, and keeps the order of the file."""

SCRAP = 12
"""Characters of the longest piece of a formula that stands within a line of text."""

SCRAP_WIDTH = 6.0
"""Its width in font sizes."""

_CLAUSE = re.compile(r"[^\W\d_]{3,}\W+[^\W\d_]{2,}")  # words: neither a label nor a cell

_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


class Run:
    """Lines of one column in reading order; `rows` groups lines at one height (a table's row)."""

    __slots__ = ("rows", "table", "x0", "x1", "y0", "y1")

    def __init__(self, line: Line) -> None:
        self.rows: list[list[Line]] = [[line]]
        self.table = False
        self.x0, self.y0, self.x1, self.y1 = line.x0, line.y0, line.x1, line.y1

    def add(self, line: Line, *, same_row: bool) -> None:
        if same_row:
            self.rows[-1].append(line)
        else:
            self.rows.append([line])
        self.x0 = min(self.x0, line.x0)
        self.x1 = max(self.x1, line.x1)
        self.y0 = min(self.y0, line.y0)
        self.y1 = max(self.y1, line.y1)


def reading_order(lines: list[Line], width: float) -> list[Run]:
    """The runs of lines of one direction, in reading order; *width* is the page's in that direction."""
    runs = _runs(_joined(lines), width)
    units = _units(runs)
    firsts = [unit[0] for unit in units]
    if 1 < len(units) <= MAX_RUNS and any(
        _contradicts(after, before) for before, after in combinations(firsts, 2)
    ):
        by_first = {id(unit[0]): unit for unit in units}
        runs = [run for first in _sorted(firsts) for run in by_first[id(first)]]
    return runs


def _units(runs: list[Run]) -> list[list[Run]]:
    """Runs with the pieces of formulas drawn after each: where a piece stands says nothing of its order."""
    units: list[list[Run]] = []
    for run in runs:
        line = run.rows[0][0]
        piece = len(run.rows) == 1 and run.x1 - run.x0 < SCRAP_WIDTH * line.size
        if piece and units and len(run.rows[0]) == 1 and len(line.text) <= SCRAP:
            units[-1].append(run)
        else:
            units.append([run])
    return units


def needs_space(left: str, right: str) -> bool:
    """Whether two pieces of one paragraph are parted by a space: not where both sides are CJK."""
    return not (_CJK.match(left[-1]) and _CJK.match(right))


def _joined(lines: list[Line]) -> list[Line]:
    """Lines with the fragments of one visual line put together."""
    result: list[Line] = []
    last: Line | None = None
    for line in lines:
        if last is not None and line.y0 < last.y1 and line.y1 > last.y0 and line.x0 > last.x0:
            shared = min(line.y1, last.y1) - max(line.y0, last.y0)
            height = min(line.y1 - line.y0, last.y1 - last.y0)
            gap = line.x0 - last.x1
            size = max(line.size, last.size)
            if shared > 0.5 * height and OVERLAP * size < gap < WORD_GAP * size and line.x1 > last.x1:
                if len(last.text) < 3 and last.size > INITIAL * line.size:
                    line.begin_with(last)
                    result[-1] = last = line
                    continue
                last.absorb(line, gap > 0.12 * size and needs_space(last.text, line.text))
                continue
        if last is not None and _is_scrap_of(line, last):
            top, bottom = last.y0, last.y1
            last.absorb(line, True)
            last.y0, last.y1 = top, bottom
            continue
        result.append(line)
        last = line
    return result


def _is_scrap_of(line: Line, last: Line) -> bool:
    """Whether a line is a piece of a formula within the line before it: an index, a part of a fraction."""
    size = last.size
    middle = (line.y0 + line.y1) / 2
    return (
        len(line.text) <= SCRAP
        and len(last.text) > len(line.text)
        and line.x1 - line.x0 < SCRAP_WIDTH * size
        and last.x0 + size < line.x0 < last.x1 + 0.5 * size
        and last.base - 1.2 * size < middle < last.base + 0.8 * size
        and _CLAUSE.search(last.text) is not None
    )


def _runs(lines: list[Line], width: float) -> list[Run]:
    runs: list[Run] = []
    run: Run | None = None
    last: Line | None = None
    for line in lines:
        if run is not None and last is not None:
            shared = min(line.y1, last.y1) - max(line.y0, last.y0)
            height = min(line.y1 - line.y0, last.y1 - last.y0)
            if shared > 0.5 * height:
                cell = line.x0 >= last.x1 - 0.2 * line.size
                prose = line.x1 - line.x0 > WIDE * width and last.x1 - last.x0 > WIDE * width
                if cell and not prose:
                    run.add(line, same_row=True)
                    last = line
                    continue
            elif (
                line.y1 > last.y1
                and line.x0 < run.x1
                and line.x1 > run.x0
                and line.y0 - last.y1 < 4 * max(line.size, last.size)
            ):
                run.add(line, same_row=False)
                last = line
                continue
        run = Run(line)
        runs.append(run)
        last = line
    return runs


def _contradicts(run: Run, before: Run) -> bool:
    """Whether *run* should have come ahead of *before*."""
    shares_width = min(run.x1, before.x1) > max(run.x0, before.x0)
    if shares_width:
        return run.y1 <= before.y0 + 1
    shares_height = min(run.y1, before.y1) > max(run.y0, before.y0)
    return shares_height and run.x1 <= before.x0


def _sorted(runs: list[Run]) -> list[Run]:
    count = len(runs)
    follows: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for a, first in enumerate(runs):
        for b, second in enumerate(runs):
            if a != b and _precedes(first, second, runs):
                follows[a].append(b)
                waits[b] += 1
    order: list[int] = []
    ready = [index for index in range(count) if not waits[index]]
    placed = [False] * count
    while len(order) < count:
        if not ready:
            # The rules contradict each other (overlapping boxes): the file's order decides.
            ready = [next(index for index in range(count) if not placed[index])]
        index = min(ready)
        ready.remove(index)
        if placed[index]:
            continue
        placed[index] = True
        order.append(index)
        for other in follows[index]:
            waits[other] -= 1
            if not waits[other] and not placed[other]:
                ready.append(other)
    return [runs[index] for index in order]


def _precedes(first: Run, second: Run, runs: list[Run]) -> bool:
    if min(first.x1, second.x1) > max(first.x0, second.x0):
        middle = first.y0 + first.y1
        return middle < second.y0 + second.y1
    if first.x1 > second.x0:
        return False
    low, high = min(first.y0, second.y0), max(first.y1, second.y1)
    for other in runs:
        if other is first or other is second:
            continue
        between = low < (other.y0 + other.y1) / 2 < high
        if (
            between
            and min(other.x1, first.x1) > max(other.x0, first.x0)
            and min(other.x1, second.x1) > max(other.x0, second.x0)
        ):
            return False
    return True
