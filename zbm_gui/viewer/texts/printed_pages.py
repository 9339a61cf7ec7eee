"""Printed pages of a text: which stands where, and what was typed to go to one."""

from __future__ import annotations

from bisect import bisect_right

from zbm_core.documents.reading.records import ReadingContents, Spot


def label_at(contents: ReadingContents | None, spot: Spot) -> str:
    """The printed page *spot* stands on, "" where the document has none."""
    pages = contents.pages if contents is not None else ()
    at = bisect_right(pages, spot, key=lambda entry: entry.spot) - 1
    return pages[at].title if at >= 0 else ""


def spot_named(contents: ReadingContents | None, text: str) -> Spot | None:
    """Where a typed page begins: a printed label, or the number of a section where no pages are printed."""
    if contents is None:
        return None
    wanted = text.casefold()
    if contents.pages:
        return next((entry.spot for entry in contents.pages if entry.title.casefold() == wanted), None)
    if not text.isdecimal() or not contents.sections:
        return None
    return Spot(min(max(1, int(text[:9])), len(contents.sections)) - 1, 0, 0)
