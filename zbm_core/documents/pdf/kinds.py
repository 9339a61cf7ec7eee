"""What paragraphs are by their looks: captions, footnotes and list items."""

from __future__ import annotations

import re
from collections.abc import Iterable

from zbm_core.documents.pdf.marks import CAPTION, LIST_MARK
from zbm_core.documents.pdf.paragraphs import Draft
from zbm_core.documents.structure import BlockKind

_FOOTNOTE = re.compile(r"^(?:\d{1,3}(?=[\s.)\]]*[^\W\d_])|[*†‡§¶]|[①-⑳])")

FOOTNOTE_SIZE = 0.93
"""Largest size of a footnote as a share of the body's."""

FLOOR = 0.4
"""Share of a page's height below which a footnote may begin."""

NOTE_SIZE = 0.85
"""Largest size of a note without a mark, as a share of the body's: what stands below the text of a column
in much smaller type (the permission to copy, the address of the author)."""

NOTE_LENGTH = 60
"""Characters of the shortest such note: labels of a drawing are shorter."""


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
    body = [
        draft
        for draft in drafts
        if draft.kind is BlockKind.PARAGRAPH and draft.size > FOOTNOTE_SIZE * size and len(draft.lines) > 1
    ]
    floor: Draft | None = None
    for draft in drafts:
        if draft.kind is not BlockKind.PARAGRAPH:
            continue
        first = draft.lines[0]
        small = draft.size <= FOOTNOTE_SIZE * size and not draft.bold
        if _is_caption(draft, size):
            draft.kind = BlockKind.CAPTION
        elif small and _is_footnote(draft, floor, page_height) and not _above(draft, body):
            draft.kind = BlockKind.FOOTNOTE
            floor = draft
        elif LIST_MARK.match(first.text):
            draft.kind = BlockKind.LIST_ITEM
    _mark_notes(drafts, size, page_height)


def _is_footnote(draft: Draft, floor: Draft | None, page_height: float) -> bool:
    """Whether a draft in small type is a note, *floor* being the note before it."""
    first = draft.lines[0]
    if first.mark and draft.text_length > 20:
        return True
    if first.y0 <= FLOOR * page_height:
        return False
    return (
        first.mark
        or bool(_FOOTNOTE.match(first.text))
        or (floor is not None and first.y0 > floor.lines[0].y0)
    )


def _above(draft: Draft, body: list[Draft]) -> bool:
    """Whether text of the body's size goes on below the draft, in its column."""
    last = draft.lines[-1]
    return any(
        other.lines[0].y0 >= last.y1 - 1
        and other.column[0] < draft.column[1]
        and other.column[1] > draft.column[0]
        for other in body
    )


def _mark_notes(drafts: list[Draft], size: float, page_height: float) -> None:
    """Notes without a mark: the last of a column of text, in much smaller type."""
    prose = [draft for draft in drafts if draft.kind is BlockKind.PARAGRAPH]
    body = [draft for draft in prose if draft.size > FOOTNOTE_SIZE * size and len(draft.lines) > 1]
    below: Draft | None = None
    for draft in prose:
        first = draft.lines[0]
        if draft.size > NOTE_SIZE * size or first.y0 < FLOOR * page_height or draft.rows:
            continue
        left, right = draft.column
        beside = [other for other in body if other.column[0] < right and other.column[1] > left]
        above = [other for other in beside if other.lines[-1].y1 <= first.y0]
        follows = (
            below is not None
            and below.lines[-1].y1 <= first.y0
            and first.y0 - below.lines[-1].y1 < 2 * first.size
        )
        long = len(draft.lines) > 1 and draft.text_length > NOTE_LENGTH
        if len(above) == len(beside) > 0 and (long or follows):
            draft.kind = BlockKind.FOOTNOTE
            below = draft


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
