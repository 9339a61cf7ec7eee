"""Texts with marks for headings: Markdown, reStructuredText, TeX; and subtitles, which have times between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zbm_core.documents.plain.lines import Line, Piece
from zbm_core.documents.plain.paragraphs import KEPT_LINES, MARK, paragraphs
from zbm_core.documents.structure import BlockKind

CUE_LINES = 12
"""Lines of subtitles that are one paragraph: about half a minute."""

_ATX = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_SETEXT = re.compile(r"(=+|-{2,})$")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_QUOTE = re.compile(r"(?:>[ \t]?)+")
_RULE = re.compile(r"(?:[-*_][ \t]*){3,}$")
_UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}$")
_SECTION = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph)\*?(?:\[[^\]]*\])?\{(.+?)\}"
)
_TEX_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5}
_TIME = re.compile(r"[\d:.,]+\s*-->\s*[\d:.,]+")


def _heading(line: Line, text: str, level: int, start: int = 0) -> Piece:
    """A heading whose *text* stands in *line* from character *start* on."""
    rest = line.without(start)
    return Piece([rest._replace(text=text)], BlockKind.HEADING, level)


def _closed(title: str) -> str:
    """The title of a heading without the marks that close it."""
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def markdown(lines: Sequence[Line]) -> Iterator[Piece]:
    """Pieces of a Markdown text: front matter left out, code as it stands, lines of paragraphs joined."""
    waiting: list[Line] = []
    index = _behind_front_matter(lines)
    while index < len(lines):
        line = lines[index]
        fence = _FENCE.match(line.text)
        if fence:
            yield from _flowing(waiting)
            waiting = []
            end = index + 1
            while end < len(lines) and not (
                lines[end].text.startswith(fence[1]) and not lines[end].text.strip(fence[1][0])
            ):
                end += 1
            yield from _code(lines[index + 1 : end])
            index = end + 1
            continue
        if len(line.lead) < 4:
            if atx := _ATX.match(line.text):
                yield from _flowing(waiting)
                waiting = []
                if title := _closed(line.text[atx.end() :]):
                    yield _heading(line, title, len(atx[1]), atx.end())
                index += 1
                continue
            if waiting and waiting[-1].text and (setext := _SETEXT.match(line.text)):
                title = waiting.pop()
                if not MARK.match(title.text) and title.text[0] not in ">|":
                    yield from _flowing(waiting)
                    waiting = []
                    yield _heading(title, title.text, 1 if setext[1][0] == "=" else 2)
                    index += 1
                    continue
                waiting.append(title)
            if _RULE.match(line.text):
                line = Line("", line.at)
        if quote := _QUOTE.match(line.text):
            line = line.without(quote.end())
        waiting.append(line)
        index += 1
    yield from _flowing(waiting)


def _behind_front_matter(lines: Sequence[Line]) -> int:
    if not lines or lines[0].text not in ("---", "+++"):
        return 0
    for index in range(1, min(len(lines), 500)):
        if lines[index].text == lines[0].text or (lines[index].text == "..." and lines[0].text == "---"):
            return index + 1
    return 0


def _flowing(lines: list[Line]) -> Iterator[Piece]:
    """Paragraphs, lists, tables and indented code."""
    rows: list[Line] = []
    flow: list[Line] = []
    blank = True
    for line in lines:
        row = line.text.startswith("|")
        code = (
            len(line.lead.expandtabs(4)) >= 4
            and (blank or bool(rows))
            and not MARK.match(line.text)
            and not flow
        )
        if row or (code and line.text):
            if flow:
                yield from paragraphs(flow, joined=True)
                flow = []
            rows.append(line)
        else:
            if rows:
                yield from _code(rows)
                rows = []
            if line.text:
                flow.append(line)
            elif flow:
                yield from paragraphs(flow, joined=True)
                flow = []
        blank = not line.text
    yield from _code(rows)
    yield from paragraphs(flow, joined=True)


def _code(lines: Sequence[Line]) -> Iterator[Piece]:
    for first in range(0, len(lines), KEPT_LINES):
        part = [line.indented() for line in lines[first : first + KEPT_LINES]]
        if any(line.text for line in part):
            yield Piece(part, keep=True)


def restructured(lines: Sequence[Line]) -> Iterator[Piece]:
    """Pieces of a reStructuredText: levels of headings by the order in which their underlines come."""
    levels: dict[str, int] = {}
    waiting: list[Line] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        under = _UNDERLINE.match(lines[index + 1].text) if index + 1 < len(lines) and line.text else None
        if (
            under
            and not line.lead
            and not _UNDERLINE.match(line.text)
            and len(lines[index + 1].text) >= 0.8 * len(line.text)
        ):
            over = bool(waiting) and waiting[-1].text == lines[index + 1].text
            if over:
                waiting.pop()
            if not waiting or not waiting[-1].text:
                yield from paragraphs(waiting)
                waiting = []
                level = levels.setdefault(under[1] + "^" * over, len(levels) + 1)
                yield _heading(line, line.text, min(level, 6))
                index += 2
                continue
        waiting.append(Line("", line.at) if _UNDERLINE.match(line.text) else line)
        index += 1
    yield from paragraphs(waiting)


def tex(lines: Sequence[Line]) -> Iterator[Piece]:
    """Pieces of a TeX source: its sections are headings, its comments left out."""
    waiting: list[Line] = []
    for line in lines:
        if line.text.startswith("%"):
            continue
        if section := _SECTION.match(line.text):
            yield from paragraphs(waiting)
            waiting = []
            yield _heading(line, section[2].strip(), _TEX_LEVELS[section[1]], section.start(2))
            line = line.without(section.end())
        waiting.append(line)
    yield from paragraphs(waiting)


def subtitles(lines: Sequence[Line]) -> Iterator[Piece]:
    """Pieces of subtitles: what is said, without numbers and times."""
    said: list[Line] = []
    for index, line in enumerate(lines):
        text = line.text
        following = lines[index + 1].text if index + 1 < len(lines) else ""
        if (
            not text
            or _TIME.match(text)
            or _TIME.match(following)
            or (not said and text.startswith("WEBVTT"))
        ):
            continue
        said.append(line)
        if (len(said) >= CUE_LINES and text[-1] in ".?!…。？！") or len(said) >= 3 * CUE_LINES:
            yield Piece(said)
            said = []
    if said:
        yield Piece(said)
