"""What belongs together across a page: labels of one drawing, and paragraphs over columns and pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zbm_core.documents.pdf.kinds import FOOTNOTE_SIZE
from zbm_core.documents.pdf.marks import CJK, ENDS, OPENS, TAIL
from zbm_core.documents.pdf.paragraphs import Draft, continues, first_word
from zbm_core.documents.structure import BlockKind

DEBRIS = 32
"""Letters (a Han character for three) below which a paragraph without an end of a sentence is a label, not prose."""

INDENT = 0.7
"""Font sizes by which the first line of a paragraph is indented at least."""

MOSTLY = 0.6
"""Share of a page's longer paragraphs that begin indented where that is the style; the rest go on from before."""

LONG = 20.0
"""Font sizes of a line that is text even when it stands alone at the foot of a page."""

ROOM = 2.0
"""Font sizes of room beside the next word at the end of a line that goes on in the next column: ragged lines."""

_HYPHEN_END = re.compile(r"[^\W\d_][-‐\u00ad]$")


def join_debris(drafts: list[Draft]) -> list[Draft]:
    """Labels of a drawing and pieces of a formula, each a paragraph by its place, made one.

    For a person and for the index a scattered figure is one thing; alone its labels say nothing.
    """
    result: list[Draft] = []
    lefts = {round(min(line.x0 for line in draft.lines)) for draft in drafts if len(draft.lines) > 2}
    for draft in drafts:
        last = result[-1] if result else None
        if (
            last is not None
            and last.page == draft.page
            and abs(last.size - draft.size) < 0.3 * last.size
            and _is_debris(draft)
            and _is_debris(last, joined=True)
            and not (_in_column(last, lefts) and _in_column(draft, lefts))
        ):
            last.lines.extend(draft.lines)
            last.bold = last.bold and draft.bold
        else:
            result.append(draft)
    return result


def _in_column(draft: Draft, lefts: set[int]) -> bool:
    """Whether the draft begins where the page's paragraphs do: a short line of the text and no label."""
    return round(draft.lines[0].x0) in lefts and len(draft.lines) == 1


def _is_debris(draft: Draft, *, joined: bool = False) -> bool:
    if draft.kind is not BlockKind.PARAGRAPH or draft.section or draft.rows:
        return False
    if joined:
        return all(_weight(line.text) < DEBRIS for line in draft.lines)
    return (
        len(draft.lines) < 4
        and sum(_weight(line.text) for line in draft.lines) < DEBRIS
        and not ENDS.search(draft.lines[-1].text[-TAIL:])
    )


def _weight(text: str) -> int:
    return len(text) * 3 if CJK.match(text) else len(text)


def join_over_breaks(pages: Sequence[list[Draft]]) -> list[Draft]:
    """All drafts of the document, paragraphs that go on in the next column or page made one.

    The later part moves to its first part, ahead of captions, footnotes and labels between them.
    """
    result: list[Draft] = []
    open_: Draft | None = None
    note: Draft | None = None
    for drafts in pages:
        indents = _indents(drafts)
        for draft in drafts:
            if draft.kind is BlockKind.FOOTNOTE:
                if note is not None and _note_goes_on(note, draft):
                    note.lines.extend(draft.lines)
                    note.column = draft.column
                else:
                    result.append(draft)
                    note = draft
            elif draft.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
                if draft.kind is BlockKind.HEADING:
                    open_ = None
                result.append(draft)
            elif open_ is not None and _goes_on(open_, draft, indents):
                open_.lines.extend(draft.lines)
                open_.column = draft.column
            else:
                result.append(draft)
                # A label or a line of code between the parts does not end the paragraph.
                passed = (
                    _is_debris(draft, joined=True)
                    or draft.mono
                    or (open_ is not None and draft.size <= FOOTNOTE_SIZE * open_.size and _is_open(open_))
                )
                if open_ is None or not (passed or (len(draft.lines) == 1 and _is_open(open_))):
                    open_ = draft
    return result


def _is_open(draft: Draft, word: float | None = None) -> bool:
    """Whether the draft stops in the middle of a sentence, at the end of a line without room for a word that wide."""
    last = draft.lines[-1]
    full = draft.column[1] - last.x1 < (1.5 * last.size if word is None else word + 0.3 * last.size)
    long = len(draft.lines) > 1 or last.x1 - last.x0 > LONG * last.size
    return full and long and not ENDS.search(last.text[-TAIL:])


def _indents(drafts: Sequence[Draft]) -> bool:
    """Whether the paragraphs of a page begin with an indented line."""
    long = [draft for draft in drafts if draft.kind is BlockKind.PARAGRAPH and len(draft.lines) > 2]
    indented = sum(
        draft.lines[0].x0 > min(line.x0 for line in draft.lines[1:]) + INDENT * draft.size for draft in long
    )
    return len(long) > 2 and indented >= MOSTLY * len(long)


def _note_goes_on(first: Draft, second: Draft) -> bool:
    """Whether a footnote without a mark is the rest of the one before it, in the next column or on the next page."""
    last, line = first.lines[-1], second.lines[0]
    apart = line.page is not last.page or line.y0 < last.y0
    near = line.page.number - last.page.number < 2 and abs(first.size - second.size) < 0.06 * first.size
    return apart and near and not ENDS.search(last.text[-TAIL:]) and continues(line.text)


def _goes_on(first: Draft, second: Draft, indents: bool) -> bool:
    if second.kind is not BlockKind.PARAGRAPH or second.section or second.rows or first.rows:
        return False
    if _is_debris(second, joined=True) and len(second.lines) > 1:
        return False
    last, line = first.lines[-1], second.lines[0]
    same_page = last.page is line.page
    if same_page and line.y0 >= last.y0 and line.x0 < last.x1 and line.x1 > last.x0:
        # In one column a break between paragraphs was seen; only a new column or page undoes it.
        return False
    if line.page.number - last.page.number > 1:
        return False
    if abs(first.size - second.size) > 0.06 * first.size or first.bold != second.bold:
        return False
    if second.continues or _HYPHEN_END.search(last.text[-3:]):
        return True
    word = first_word(line)
    indented = line.x0 - second.column[0] > INDENT * line.size
    if ENDS.search(last.text[-TAIL:]):
        # A sentence may end where a column does; where paragraphs are indented, one that is not goes on.
        full = first.column[1] - last.x1 < word + 0.3 * last.size
        return indents and full and not indented and len(second.lines) > 1 and bool(OPENS.match(line.text))
    if first.column[1] - last.x1 > word + ROOM * last.size:
        # The next word had room and yet began a new line: what stands there was complete (an index, a verse).
        return False
    if continues(line.text):
        return True
    # No sentence ended and the line is full: a name may begin the next column, not indented.
    prose = len(second.lines) > 1 and OPENS.match(line.text) is not None
    back = same_page and line.x1 < last.x0  # further down on the left: below a band of columns
    return prose and not indented and not back and _is_open(first, word)
