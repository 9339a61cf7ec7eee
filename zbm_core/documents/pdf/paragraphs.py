"""Lines in reading order become paragraphs and tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zbm_core.documents.pdf.line import Line
from zbm_core.documents.pdf.marks import BULLETS, CAPTION, CJK, ENDS, LIST_MARK, OPENS, TAIL
from zbm_core.documents.pdf.order import Run
from zbm_core.documents.pdf.tables import table_end
from zbm_core.documents.structure import BlockKind

APART = 3.0
"""Font sizes between two texts of one height and different size from which they are no line."""

WIDEST = 2.4
"""Steps from line to line, in font sizes, from which lines are parted unless the whole run is set like that."""

CODE = 1.2
"""Step from text to code or back, as a share of the usual one (or of 1.2 font sizes), from which they are apart:
names of functions within a text keep its step."""

EVEN_STEPS = 4
"""Steps in a run from which their median is its pitch; two lines of a title page say nothing of each other."""


class Draft:
    """A block in the making: its lines, and how it looks."""

    __slots__ = (
        "bold",
        "column",
        "continues",
        "kind",
        "level",
        "lines",
        "mono",
        "page",
        "rows",
        "section",
        "size",
    )

    def __init__(self, line: Line, column: tuple[float, float]) -> None:
        self.kind = BlockKind.PARAGRAPH
        self.lines = [line]
        self.rows: list[int] = []  # of a table or code: index of the first line of each row
        self.size = line.size
        self.bold = line.bold
        self.mono = line.mono
        self.page = line.page.number
        self.column = column  # left and right edge of the lines around it
        self.level = 0
        self.continues = False  # begins where only later lines of an entry of a list do
        self.section = False  # a section of the outline begins here

    @property
    def text_length(self) -> int:
        return sum(len(line.text) for line in self.lines)


def paragraphs(runs: Sequence[Run]) -> list[Draft]:
    """The drafts of one page, in reading order."""
    drafts: list[Draft] = []
    for run in runs:
        lines: list[Line] = []
        rows = run.rows
        index = 0
        while index < len(rows):
            end = table_end(rows, index)
            if end > index:
                _prose(lines, drafts)
                lines = []
                drafts.append(_table(rows[index:end], run))
                index = end
            else:
                line, *rest = rows[index]
                lines.append(line)
                index += 1
                for other in rest:
                    if _apart(lines[-1], other):
                        _prose(lines, drafts)
                        lines = [other]
                    else:
                        # A line with a wide gap, as after a number or a run-in heading.
                        lines[-1].absorb(other, True)
        _prose(lines, drafts)
    return drafts


def _apart(line: Line, other: Line) -> bool:
    """Whether two texts at one height have nothing to do with each other: far apart and of different type."""
    size = max(line.size, other.size)
    words = min(len(line.text), len(other.text)) > 3
    unlike = _differ(line.size, other.size) or line.bold != other.bold
    return words and other.x0 - line.x1 > APART * size and unlike


def _table(rows: list[list[Line]], run: Run) -> Draft:
    draft = Draft(rows[0][0], (run.x0, run.x1))
    draft.kind = BlockKind.TABLE
    draft.lines = []
    for row in rows:
        draft.rows.append(len(draft.lines))
        draft.lines.extend(row)
    return draft


def _prose(lines: list[Line], drafts: list[Draft]) -> None:
    """Paragraphs of a run's lines: first what space or type parts, then what indents and ends part."""
    if not lines:
        return
    pitch = _pitch(lines)
    reach = max(line.x1 for line in lines)
    stretch = [lines[0]]
    for before, line in pairwise(lines):
        if _parted(stretch, before, line, pitch):
            _stretch(stretch, drafts, reach)
            stretch = []
        stretch.append(line)
    _stretch(stretch, drafts, reach)


def _parted(stretch: list[Line], before: Line, line: Line, pitch: float) -> bool:
    """Whether space or size of type parts *line* from *before*."""
    size = max(line.size, before.size)
    step = line.base - before.base
    if line.mono and before.mono:
        return step > WIDEST * size
    if line.mono != before.mono and step > CODE * min(pitch, 1.2 * size):
        return True
    if _differ(line.size, before.size) and not (_is_scrap(before.text) or _is_scrap(line.text)):
        sizes = (line.size, line.other)
        if all(_differ(size, before.size) and _differ(size, before.other) for size in sizes):
            return True
    # Lines set wider than usual belong together as long as they are even among themselves.
    if step > 1.35 * min(pitch, 1.5 * size) + 0.15 * size and step > 1.25 * size:
        own = stretch[-1].base - stretch[-2].base if len(stretch) > 1 else pitch
        return step > 1.25 * own or (step > WIDEST * size and step > 1.1 * pitch)
    return False


def _stretch(lines: list[Line], drafts: list[Draft], reach: float) -> None:
    """Paragraphs of lines that belong together by space and type; *reach* is the right edge of all the run."""
    left = min(line.x0 for line in lines)
    right = max(line.x1 for line in lines)
    hangs = _hangs(lines, left)
    ragged = _ragged(lines, left, right) and _tightest(lines)
    draft = Draft(lines[0], (left, right))
    draft.continues = hangs and lines[0].x0 > left + 0.7 * lines[0].size
    drafts.append(draft)
    for index, (before, line) in enumerate(pairwise(lines), 2):
        follows = lines[index] if index < len(lines) else None
        if (
            _breaks_ragged(draft, before, line, ragged)
            if ragged
            else _breaks(draft, before, line, follows, hangs, reach)
        ):
            draft = Draft(line, (left, right))
            drafts.append(draft)
            continue
        if line.mono and before.mono and draft.mono:
            # Code keeps its lines.
            draft.rows.append(len(draft.lines))
        draft.lines.append(line)
        if not line.bold:
            draft.bold = False


def _hangs(lines: list[Line], left: float) -> bool:
    """Whether the paragraphs of a run begin left of their other lines, as references do.

    Where first lines are indented instead, the line before an indented one ends a sentence.
    """
    at_left = indented = open_ = 0
    for before, line in pairwise(lines):
        indent = 0.7 * line.size
        if before.x0 > left + indent or LIST_MARK.match(before.text):
            continue
        at_left += 1
        if line.x0 > before.x0 + indent:
            indented += 1
            open_ += not ENDS.search(before.text[-TAIL:])
    return indented > 2 and indented > 0.5 * at_left and open_ > 0.6 * indented


def _ragged(lines: list[Line], left: float, right: float) -> bool:
    """Whether lines are set to the right or centred: then their beginnings tell nothing."""
    count = len(lines)
    if count < 3:
        return False
    reach = 0.5 * lines[0].size
    at_left = sum(line.x0 - left < reach for line in lines)
    at_right = sum(right - line.x1 < reach for line in lines)
    if at_left > 0.4 * count:
        return False
    middle = (left + right) / 2
    centred = sum(abs(line.x0 + line.x1 - 2 * middle) < reach for line in lines)
    return at_right > 0.9 * count or (at_right <= 0.4 * count and centred > 0.9 * count)


def _tightest(lines: list[Line]) -> float:
    """The smallest step from one line to the next."""
    return min(max(line.base - before.base, 0.5 * line.size) for before, line in pairwise(lines))


def _breaks_ragged(draft: Draft, before: Line, line: Line, tightest: float) -> bool:
    """Whether *line* begins a new paragraph where lines are set to the right or centred."""
    if draft.bold != line.bold or line.base - before.base > 1.25 * tightest:
        return True
    left = draft.column[0]
    room = before.x0 - left + draft.column[1] - before.x1
    return room > first_word(line) + line.size and ENDS.search(before.text[-TAIL:]) is not None


def first_word(line: Line) -> float:
    """Width of a line's first word; of a script without spaces, two characters."""
    if CJK.match(line.text):
        return 2 * line.size
    return (line.x1 - line.x0) * (line.text.find(" ") + 1 or len(line.text)) / len(line.text)


def _pitch(lines: list[Line]) -> float:
    """The usual distance of one line to the next: the median."""
    steps = sorted(
        line.y1 - before.y1 for before, line in pairwise(lines) if line.y1 - before.y1 > 0.5 * line.size
    )
    if not steps:
        return 1.2 * lines[0].size
    pitch = steps[len(steps) // 2]
    tight = steps[len(steps) // 5]
    if lines[0].size < tight < 0.7 * pitch:
        # Most paragraphs are one line, as in a dialogue: the steps within the others tell.
        pitch = tight
    return pitch if len(steps) >= EVEN_STEPS else min(pitch, 1.5 * lines[0].size)


def _breaks(draft: Draft, before: Line, line: Line, follows: Line | None, hangs: bool, reach: float) -> bool:
    """Whether *line* begins a new paragraph after *before*, the last line of *draft*, with *follows* after it."""
    if line.mono and before.mono:
        return False
    size = max(line.size, before.size)
    left, right = draft.column
    room = right - before.x1
    ended = ENDS.search(before.text[-TAIL:]) is not None
    if draft.bold != line.bold and not CAPTION.match(draft.lines[0].text):
        if draft.bold and (room > 2 * size or not continues(line.text)):
            return True
        if line.bold and not draft.bold and (ended or room > 2 * size):
            return True
    if line.lead and ended and not before.bold:
        return True
    first = draft.lines[0]
    if line.y0 < first.drop - 0.3 * line.size and line.page is first.page:
        # Beside the initial of the paragraph.
        return False
    indent = 0.7 * size
    if hangs:
        return line.x0 <= left + indent
    if LIST_MARK.match(line.text):
        if ended or room > 4 * size or line.text[0] in BULLETS:
            return True
        if line.x0 <= first.x0 + indent and LIST_MARK.match(first.text):
            return True
    if first.drop:
        pass  # The lines beside an initial tell nothing of how the others begin.
    elif len(draft.lines) > 1:
        follow = draft.lines[1].x0
        if line.x0 < follow - indent and abs(line.x0 - first.x0) < indent:
            # Back at the hanging first line: the next entry.
            return True
        if line.x0 > follow + indent and (ended or room > 2 * size):
            return True
    elif line.x0 > before.x0 + indent:
        hanging = (not ended and room < 3 * size) or LIST_MARK.match(before.text)
        if not hanging:
            return True
    elif (
        ended
        and follows is not None
        and follows.x0 < line.x0 - indent
        and before.x0 > left + indent
        and abs(line.x0 - before.x0) < 0.3 * size
    ):
        # Both lines are indented and the next is not: the first was a paragraph of one line.
        return True
    if line.mark and before.x0 >= line.x0 - indent and (ended or line.size < 0.9 * size):
        return True
    if ended and len(draft.lines) == 1 and follows is None and before.x0 < left + indent:
        # Two lines alone: the lines around them tell how far they might have gone.
        room = max(room, reach - before.x1)
    if room < 2 * size:
        return False
    # The line had room for the first word of the next, yet that word went to a new line.
    width = right - left
    word = first_word(line)
    if ended:
        return room > word + size
    return room > 0.45 * width and room > word + 2 * size and not continues(line.text)


def _is_scrap(text: str) -> bool:
    """A piece of a formula, whose size says nothing."""
    return len(text) < 4 and not CJK.match(text)


def _differ(size: float, other: float) -> bool:
    return abs(size - other) > 0.12 * max(size, other)


def continues(text: str) -> bool:
    """Whether *text* begins like the middle of a sentence."""
    return bool(OPENS.match(text)) and text.lstrip("\"'“‘([")[:1].islower()
