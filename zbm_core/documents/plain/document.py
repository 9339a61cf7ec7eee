"""Plain texts: paragraphs out of lines, an outline out of headings, each with its place in the file.

Lines that a program wrapped at a width are joined; verse, code, tables and lists keep theirs. A place is a
TextPositionSelector: UTF-16 units of the decoded text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple

from zbm_core.documents.markup.charset import decode
from zbm_core.documents.markup.text_places import LONGEST_NODE, utf16
from zbm_core.documents.plain.lines import Piece, lines_of
from zbm_core.documents.plain.markup import markdown, restructured, subtitles, tex
from zbm_core.documents.plain.paragraphs import paragraphs
from zbm_core.documents.structure import (
    Block,
    BlockKind,
    ContentFile,
    OutlineEntry,
    StructuredText,
    TextNode,
    TextSpan,
)

MAX_BYTES = 32 << 20
"""Bytes of a text that are read: the Bible has 4.5 million characters, a year of a log far more than is read."""


MAX_LINES = 500_000
"""Lines of a text that are read: each is a record of its own, and takes half a kB."""


class PlainText(NamedTuple):
    """A text as it was read."""

    text: StructuredText
    charset: str
    cut: bool  # it has more than `MAX_BYTES` or `MAX_LINES`: the rest is not there
    binary: bool  # what it holds is no text


def read_plain(data: bytes, name: str = "", content_type: str = "") -> PlainText:
    """The text in any bytes.

    Args:
        data: the file, or its first `MAX_BYTES` and one more.
        name: the file's name: its ending says which marks are headings.
        content_type: the same, as the library says it ("text/markdown").
    """
    cut = len(data) > MAX_BYTES
    decoded = decode(data[:MAX_BYTES])
    if is_binary(decoded.text):
        return PlainText(StructuredText((), (), ()), decoded.charset, cut, True)
    source = bounded(decoded.text)
    cut = cut or len(source) < len(decoded.text)
    text = structured(source, form_of(name, content_type))
    if cut:
        text = replace(text, notice="The text is very long: only its first part is searched.")
    return PlainText(text, decoded.charset, cut, False)


def bounded(text: str) -> str:
    """The first `MAX_LINES` of a text."""
    breaks = text.count("\n") + text.count("\r") + text.count("\f")
    if breaks <= MAX_LINES:
        return text
    return "".join(islice(io.StringIO(text, newline=""), MAX_LINES))


def is_binary(text: str) -> bool:
    """Whether a decoded "text" is none: control characters no text has, or bytes that stand for nothing."""
    sample = text[:65536]
    odd = sum(char < "\t" or "\x0e" <= char < "\x1b" or char == "\ufffd" for char in sample)
    return odd > 4 and odd > 0.02 * len(sample)


_FORMS = {
    "markdown": ({".md", ".markdown", ".mkd", ".mdown", ".qmd", ".rmd"}, {"text/markdown", "text/x-markdown"}),
    "restructured": ({".rst", ".rest"}, {"text/x-rst", "text/prs.fallenstein.rst"}),
    "tex": ({".tex", ".latex", ".ltx"}, {"text/x-tex", "application/x-tex", "application/x-latex", "text/x-latex"}),
    "subtitles": ({".srt", ".vtt"}, {"text/vtt", "application/x-subrip"}),
    "rows": ({".csv", ".tsv", ".json", ".jsonl", ".log", ".bib", ".ris", ".xml", ".yaml", ".yml", ".ini"},
             {"text/csv", "text/tab-separated-values", "application/json", "text/xml", "application/xml"}),
}  # fmt: skip


def form_of(name: str, content_type: str = "") -> str:
    """Which of the forms a text is in: "markdown", "restructured", "tex", "subtitles", "rows" or "" (none)."""
    suffix, declared = PurePath(name).suffix.casefold(), content_type.partition(";")[0].strip().casefold()
    for form, (suffixes, _) in _FORMS.items():
        if suffix in suffixes:
            return form
    return next((form for form, (_, types) in _FORMS.items() if declared in types), "")


def structured(text: str, form: str = "", *, places: bool = True) -> StructuredText:
    """Blocks and outline of a decoded text. Without *places* its blocks say nothing of where they stand."""
    lines = lines_of(text)
    match form:
        case "markdown":
            pieces = markdown(lines)
        case "restructured":
            pieces = restructured(lines)
        case "tex":
            pieces = tex(lines)
        case "subtitles":
            pieces = subtitles(lines)
        case "rows":
            pieces = paragraphs(lines, keep=True)
        case _:
            pieces = paragraphs(lines)
    file = ContentFile()
    blocks: list[Block] = []
    outline: list[OutlineEntry] = []
    for piece in pieces:
        block = _block(piece, file, places)
        if not block.text.strip():
            continue
        if piece.kind is BlockKind.HEADING:
            outline.append(OutlineEntry(" ".join(block.text.split()), piece.level, -1, len(blocks)))
        blocks.append(block)
    return StructuredText(tuple(blocks), tuple(outline), ())


def _block(piece: Piece, file: ContentFile, places: bool) -> Block:
    parts: list[str] = []
    spans: list[TextSpan] = []
    length = 0
    for line in piece.lines:
        text = line.text
        if not text:
            parts.append("\n")
            length += 1
            continue
        if length:
            glue = piece.glue(parts[-1], text)
            parts.append(glue)
            length += len(glue)
        parts.append(text)
        if places:
            spans.extend(_spans(file, text, line.at, length))
        length += len(text)
    return Block(piece.kind, "".join(parts), tuple(spans), piece.level)


def _spans(file: ContentFile, text: str, at: int, start: int) -> Iterator[TextSpan]:
    """The spans of a line that stands at *at* of the file and at *start* of its block."""
    for first in range(0, len(text), LONGEST_NODE):
        part = text[first : first + LONGEST_NODE]
        node = TextNode(file, None, 1, 0, at, part, exact=True)
        yield TextSpan(start + first, start + first + len(part), node)
        at += utf16(part)
