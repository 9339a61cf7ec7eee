"""Lines in reading order become paragraphs, tables, captions, footnotes and list items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from zbm_core.documents.pdf_order import Run
from zbm_core.documents.pdf_page import Line
from zbm_core.documents.structure import BlockKind

LIST_MARK = re.compile(
    r"(?:[•‣▪▫●○◦■□◆◇►▶➢✓✔\uf0b7\uf0a7·]|[-–—*]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]\s|\[\d{1,3}\]|[（(][一二三四五六七八九十\d]+[）)])"
)
CAPTION = re.compile(
    r"(?:(?:supplementary|extended data|appendix)\s+)?"
    r"(?:fig(?:ure|\.)?|table|tab\.|scheme|box|chart|plate|listing|algorithm|abbildung|abb\.|tabelle|figura|"
    r"tabla|tableau|tabela|tabella|рис(?:унок|\.)|табл(?:ица|\.)|图|圖|表|図|그림|표|شكل|الشكل|جدول|الجدول)"
    r"\s*(?:[A-Z]?\d+|[IVX]+\b|[一二三四五六七八九十]+)",
    re.IGNORECASE,
)
ENDS = re.compile(r"[.!?…:;。！？；：؟۔।][\"'”’»)\]）」』】]*(?:\s?\[?\d{1,3}(?:[,–-]\d{1,3})*\]?)?$")
OPENS = re.compile(r"^[\"'“‘(\[]?[^\W\d_]")
_FOOTNOTE = re.compile(r"^(?:\d{1,3}(?!\d)|[*†‡§¶]|[①-⑳])")
TAIL = 24
"""Characters at the end of a line among which the end of a sentence is looked for."""

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

CELL_ROWS = 3
"""Rows of one cell that may stand between rows of several: a cell of four lines."""

FOOTNOTE_SIZE = 0.93
"""Largest size of a footnote as a share of the body's."""


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
            end = _table_end(rows, index)
            if end > index:
                _prose(lines, drafts)
                lines = []
                drafts.append(_table(rows[index:end], run))
                index = end
            else:
                line, *rest = rows[index]
                for other in rest:
                    # No table: a line with a wide gap, as after a number or a run-in heading.
                    line.absorb(other, True)
                lines.append(line)
                index += 1
        _prose(lines, drafts)
    return drafts


def _table_end(rows: list[list[Line]], start: int) -> int:
    """The end of a table beginning at row *start*; *start* itself if none begins there.

    A table begins and ends with a row of several cells and has two such rows or more; up to
    `CELL_ROWS` rows of one short cell (a cell of several lines) may stand between them.
    """
    if len(rows[start]) < 2:
        return start
    end = index = start
    cells = 0
    while index < len(rows) and index - end <= CELL_ROWS:
        if len(rows[index]) > 1:
            cells += len(rows[index])
            end = index = index + 1
        elif _short(rows[index][0], rows[start]):
            index += 1
        else:
            break
    return end if end - start > 1 and cells > 3 else start


def _short(line: Line, row: list[Line]) -> bool:
    return line.x1 - line.x0 < 0.6 * (row[-1].x1 - row[0].x0)


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
    stretch = [lines[0]]
    for before, line in pairwise(lines):
        if _parted(stretch, before, line, pitch):
            _stretch(stretch, drafts)
            stretch = []
        stretch.append(line)
    _stretch(stretch, drafts)


def _parted(stretch: list[Line], before: Line, line: Line, pitch: float) -> bool:
    """Whether space or size of type parts *line* from *before*."""
    size = max(line.size, before.size)
    step = line.base - before.base
    if line.mono and before.mono:
        return step > 2.4 * size
    if _differ(line.size, before.size) and not (_is_scrap(before.text) or _is_scrap(line.text)):
        sizes = (line.size, line.other)
        if all(_differ(size, before.size) and _differ(size, before.other) for size in sizes):
            return True
    # Lines set wider than usual belong together as long as they are even among themselves.
    if step > 1.35 * min(pitch, 1.5 * size) + 0.15 * size and step > 1.25 * size:
        own = stretch[-1].base - stretch[-2].base if len(stretch) > 1 else pitch
        return step > 1.25 * own or step > 2.4 * size
    return False


def _stretch(lines: list[Line], drafts: list[Draft]) -> None:
    left = min(line.x0 for line in lines)
    right = max(line.x1 for line in lines)
    hangs = _hangs(lines, left)
    draft = Draft(lines[0], (left, right))
    draft.continues = hangs and lines[0].x0 > left + 0.7 * lines[0].size
    drafts.append(draft)
    for before, line in pairwise(lines):
        if _breaks(draft, before, line, hangs):
            draft = Draft(line, (left, right))
            drafts.append(draft)
            continue
        if line.mono and before.mono:
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


def _pitch(lines: list[Line]) -> float:
    """The usual distance of one line to the next: the median."""
    steps = sorted(
        line.y1 - before.y1 for before, line in pairwise(lines) if line.y1 - before.y1 > 0.5 * line.size
    )
    return steps[len(steps) // 2] if steps else 1.2 * lines[0].size


def _breaks(draft: Draft, before: Line, line: Line, hangs: bool) -> bool:
    """Whether *line* begins a new paragraph after *before*, the last line of *draft*."""
    if line.mono and before.mono:
        return False
    size = max(line.size, before.size)
    left, right = draft.column
    room = right - before.x1
    ended = ENDS.search(before.text[-TAIL:]) is not None
    if draft.bold != line.bold:
        if draft.bold and (room > 2 * size or not continues(line.text)):
            return True
        if line.bold and not draft.bold and (ended or room > 2 * size):
            return True
    first = draft.lines[0]
    indent = 0.7 * size
    if hangs:
        return line.x0 <= left + indent
    if LIST_MARK.match(line.text):
        if ended or room > 4 * size:
            return True
        if line.x0 <= first.x0 + indent and LIST_MARK.match(first.text):
            return True
    if len(draft.lines) > 1:
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
    if line.mark and before.x0 >= line.x0 - indent and (ended or line.size < 0.9 * size):
        return True
    if room < 2 * size:
        return False
    # The line had room for the first word of the next, yet that word went to a new line.
    width = right - left
    word = 2 * size
    if not CJK.match(line.text):
        word = (line.x1 - line.x0) * (line.text.find(" ") + 1 or len(line.text)) / len(line.text)
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


def body_size(drafts: Iterable[Draft]) -> float:
    """The font size most characters of the document are set in, in points."""
    weights: dict[float, int] = {}
    for draft in drafts:
        if draft.kind is BlockKind.PARAGRAPH:
            key = round(draft.size * 2) / 2
            weights[key] = weights.get(key, 0) + draft.text_length
    return max(weights, key=weights.__getitem__, default=10.0)


def mark_kinds(drafts: list[Draft], size: float, page_height: float) -> None:
    """Captions, footnotes and list items of one page."""
    floor = None
    for draft in drafts:
        if draft.kind is not BlockKind.PARAGRAPH:
            continue
        first = draft.lines[0]
        if _is_caption(draft, size):
            draft.kind = BlockKind.CAPTION
        elif (
            draft.size <= FOOTNOTE_SIZE * size
            and first.y0 > 0.5 * page_height
            and (first.mark or _FOOTNOTE.match(first.text) or (floor is not None and first.y0 > floor))
        ) or (first.mark and draft.size <= FOOTNOTE_SIZE * size and draft.text_length > 20):
            draft.kind = BlockKind.FOOTNOTE
            floor = first.y0
        elif LIST_MARK.match(first.text):
            draft.kind = BlockKind.LIST_ITEM


def _is_caption(draft: Draft, size: float) -> bool:
    first = draft.lines[0]
    match = CAPTION.match(first.text)
    if match is None:
        return False
    after = first.text[match.end() :].lstrip()
    if after[:1] in (".", ":", "|", "–", "—", "：", "．"):
        return True
    # "Figure 3 shows ..." is a sentence; a caption is set apart by its type or is short.
    sentence = after[:1].islower() or after[:1] in "(,;)"
    return not sentence and (draft.size < 0.97 * size or first.bold or len(draft.lines) < 4)
