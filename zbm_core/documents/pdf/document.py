"""A PDF becomes structured text. Run in worker children only: here MuPDF holds the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from zbm_core.documents.pdf.blocks import Hyphens, build, excluded
from zbm_core.documents.pdf.contents import remove_contents
from zbm_core.documents.pdf.errors import mupdf_errors, out_of_memory
from zbm_core.documents.pdf.headings import MAX_ENTRIES, Own, find_headings, join_headlines
from zbm_core.documents.pdf.joining import join_debris, join_over_breaks
from zbm_core.documents.pdf.kinds import body_size, mark_kinds
from zbm_core.documents.pdf.labels import page_labels
from zbm_core.documents.pdf.line import Line
from zbm_core.documents.pdf.margins import remove_margins
from zbm_core.documents.pdf.ocr import settle_type
from zbm_core.documents.pdf.order import reading_order
from zbm_core.documents.pdf.page import PageText, read_page
from zbm_core.documents.pdf.paragraphs import Draft, paragraphs
from zbm_core.documents.pdf.references import mark_references
from zbm_core.documents.structure import Block, OutlineEntry, Page, StructuredText

SAME_ANGLE = 1
"""Degrees between lines of one slanted text: a photograph's caption leans with it."""

SHRINK_EVERY = 64
"""Pages after which MuPDF's cache of fonts and images is halved; by itself it keeps 256 MB."""


def read_pdf(document: Any, on_page: Callable[[int], None] | None = None) -> StructuredText:
    """Read an open `pymupdf.Document` of kind PDF.

    Args:
        on_page: called often, with the number of pages read so far.
    """
    import pymupdf

    texts: list[PageText] = []
    labels = page_labels(document)
    pages: list[Page] = []
    unread = too_large = 0
    for number in range(document.page_count):
        try:
            text, page = _page(document, number, labels[number])
        except (MemoryError, *mupdf_errors()) as error:
            # One damaged page is no reason to lose the others; the report tells how many there are.
            text, page = PageText(number, (1.0, 0.0, 0.0)), Page(labels[number], 0.0, 0.0, 0)
            text.keep_words([])
            unread += 1
            if out_of_memory(error):
                too_large += 1
                pymupdf.TOOLS.store_shrink(100)
        pages.append(page)
        texts.append(text)
        if on_page is not None:
            on_page(number + 1)
        if number % SHRINK_EVERY == SHRINK_EVERY - 1:
            pymupdf.TOOLS.store_shrink(50)
    read = structure(texts, _own_outline(document), tuple(pages), on_page)
    return replace(read, unread=unread, too_large=too_large) if unread else read


def _page(document: Any, number: int, label: str) -> tuple[PageText, Page]:
    page = document.load_page(number)
    rotation = page.rotation
    if rotation:
        page.set_rotation(0)
    user = _user_space(page)
    bound = page.rect
    text = read_page(page, number, user)
    return text, Page(label, bound.width * user[0], bound.height * user[0], rotation)


def structure(
    texts: Sequence[PageText],
    own: Sequence[Own],
    pages: tuple[Page, ...],
    on_page: Callable[[int], None] | None = None,
) -> StructuredText:
    """Lines become blocks in reading order, with the outline."""
    settle_type(texts)
    margins = remove_margins(texts)
    by_page: list[list[Draft]] = []
    for text, out in zip(texts, margins, strict=True):
        out.extend(remove_contents(text))
        drafts = paragraphs(reading_order(text.lines, text.width))
        drafts.extend(_strays(text))
        by_page.append(drafts)
        if on_page is not None:
            on_page(len(texts))
    body = body_size(draft for drafts in by_page for draft in drafts)
    by_page = [join_headlines(drafts, body) for drafts in by_page]
    for text, drafts in zip(texts, by_page, strict=True):
        mark_kinds(drafts, body, text.height)
    entries = find_headings([draft for drafts in by_page for draft in drafts], own, body)
    drafts = join_over_breaks([join_debris(drafts) for drafts in by_page])
    mark_references(drafts)
    hyphens = Hyphens([line.text for draft in drafts for line in draft.lines])
    places: dict[int, int] = {}
    blocks: list[Block] = []
    for draft in drafts:
        places[id(draft)] = len(blocks)
        blocks.append(build(draft, hyphens))
        if on_page is not None:
            on_page(len(texts))
    outline = tuple(
        OutlineEntry(entry.title, entry.level, entry.page, places.get(id(entry.draft))) for entry in entries
    )
    for rows in margins:
        blocks.extend(excluded(rows))
    return StructuredText(tuple(blocks), outline, pages)


def _strays(text: PageText) -> list[Draft]:
    """Paragraphs of the lines that do not run like the page, direction by direction."""
    groups: list[tuple[int, list[Line]]] = []
    for line in text.stray:
        near = next((lines for angle, lines in groups if abs(angle - line.angle) <= SAME_ANGLE), None)
        if near is None:
            groups.append((line.angle, near := []))
        near.append(line)
    return [
        draft
        for _, lines in groups
        for draft in paragraphs(reading_order(lines, max(text.width, text.height)))
    ]


def _user_space(page: Any) -> tuple[float, float, float]:
    """Scale, left and top that turn page space into PDF user space.

    `Page.transformation_matrix` maps user space to page space for a page that is not rotated,
    crop box and UserUnit included.
    """
    matrix = ~page.transformation_matrix
    return matrix.a, matrix.e, matrix.f


def _own_outline(document: Any) -> list[Own]:
    """The outline stored in the file, walked without recursion: its depth is the file's to choose."""
    own: list[Own] = []
    try:
        node = document.outline
    except mupdf_errors():
        return own
    waiting: list[tuple[Any, int]] = [(node, 1)]
    while waiting and len(own) < MAX_ENTRIES:
        node, level = waiting.pop()
        if node is None or node.this is None or not node.this.m_internal:
            continue
        title, page, top = node.title, node.page, node.y
        if title and title.strip() and isinstance(page, int) and 0 <= page < document.page_count:
            own.append(Own(level, title, page, top if isfinite(top) and top > 0 else None))
        waiting.append((node.next, level))
        waiting.append((node.down, level + 1))
    return own
