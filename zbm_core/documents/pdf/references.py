"""Which blocks of a PDF are entries of its reference list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zbm_core.documents.pdf.paragraphs import Draft
from zbm_core.documents.references import is_reference_heading
from zbm_core.documents.structure import BlockKind

MIN_ENTRIES = 8
"""Numbered entries in a row that make a list of references where no heading says so."""

YEARS = 0.7
"""Share of those that must name a year."""

_NUMBER = re.compile(r"[\[(]?(\d{1,3})[\]).]?\s")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d[a-z]?\b")
_ENTRY_KINDS = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.FOOTNOTE)


def mark_references(drafts: Sequence[Draft]) -> None:
    """Mark what stands under the heading of a reference list, and lists that have no heading."""
    level: int | None = None
    for draft in drafts:
        if draft.kind is BlockKind.HEADING:
            if level is None or draft.level <= level:
                title = " ".join(line.text for line in draft.lines)
                level = draft.level if is_reference_heading(title) else None
        elif level is not None and draft.kind in _ENTRY_KINDS:
            draft.kind = BlockKind.REFERENCE
    _mark_numbered(drafts)


def _mark_numbered(drafts: Sequence[Draft]) -> None:
    """Entries numbered from 1 upwards, most of them with a year."""
    found: list[Draft] = []
    for draft in [*drafts, None]:
        if draft is not None and draft.kind in (BlockKind.CAPTION, BlockKind.TABLE, BlockKind.EXCLUDED):
            continue
        number = None
        if draft is not None and draft.kind in _ENTRY_KINDS:
            match = _NUMBER.match(draft.lines[0].text)
            number = int(match[1]) if match else None
        if number is not None and number == len(found) + 1:
            found.append(draft)
            continue
        _mark_if_entries(found)
        found = [draft] if number == 1 else []


def _mark_if_entries(found: Sequence[Draft]) -> None:
    if len(found) < MIN_ENTRIES:
        return
    dated = sum(any(_YEAR.search(line.text) for line in draft.lines) for draft in found)
    if dated >= YEARS * len(found):
        for draft in found:
            draft.kind = BlockKind.REFERENCE
