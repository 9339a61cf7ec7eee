"""Headings and the outline: the PDF's own where it has one, else what the fonts say."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from zbm_core.documents.pdf.marks import CAPTION, CJK
from zbm_core.documents.pdf.paragraphs import Draft
from zbm_core.documents.references import is_reference_heading
from zbm_core.documents.structure import BlockKind

MAX_HEADING = 180
"""Characters of the longest heading; what is longer is a paragraph in large type."""

LARGER = 1.08
"""A heading's size as a share of the body's, from which size alone makes one."""

PROSE = 60
"""Characters of a text that may have a heading of its own size: labels of a drawing are shorter."""

MIN_OWN = 3
"""Entries from which the PDF's own outline is believed to be one (some have only a title)."""

MAX_LEVEL = 6
MAX_ENTRIES = 5_000

_NUMBERED = re.compile(
    r"(?:[1-9]\d?(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|[A-Z]\.|第[一二三四五六七八九十\d]+[章节節])\s*\S"
)
_OWN_NUMBER = re.compile(r"^\d{1,6}")
_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u3400-\u9fff]{2}")
_PLAIN = re.compile(
    r"(?:abstract|summary|introduction|background|methods?|materials and methods|results|discussion|"
    r"conclusions?|acknowledge?ments?|zusammenfassung|einleitung|résumé|resumen|摘要|引言|结论|結論|はじめに)\s*[.:]?",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """One entry of an outline: where its section begins among the drafts."""

    title: str
    level: int
    page: int
    draft: Draft | None


class Own(NamedTuple):
    """One entry of the outline stored in a PDF; `top` in page space, None if not said."""

    level: int
    title: str
    page: int
    top: float | None


def find_headings(drafts: Sequence[Draft], own: Sequence[Own], body: float) -> list[Entry]:
    """Mark headings among *drafts* and return the outline.

    Args:
        drafts: all drafts of the document in reading order.
        own: the outline stored in the file, empty if there is none.
        body: size of the body text in points.
    """
    by_font = _by_font(drafts, body)
    own = [entry for entry in own if not CAPTION.match(entry.title.strip())]
    if len(own) >= MIN_OWN:
        entries = _from_own(drafts, own[:MAX_ENTRIES], by_font)
    else:
        entries = _from_fonts(drafts, by_font)
    for entry in entries:
        if entry.draft is not None:
            entry.draft.section = True
    return entries


def join_headlines(drafts: list[Draft], body: float) -> list[Draft]:
    """The drafts of one page, the lines of a heading that stand as drafts of their own made one."""
    result: list[Draft] = []
    for draft in drafts:
        last = result[-1] if result else None
        if last is not None and _same_heading(last, draft, body):
            last.lines.extend(draft.lines)
        else:
            result.append(draft)
    return result


def _same_heading(first: Draft, second: Draft, body: float) -> bool:
    if first.size < LARGER * body or _style(first) != _style(second):
        return False
    if first.text_length + second.text_length > MAX_HEADING or _NUMBERED.match(second.lines[0].text):
        return False
    above, below = first.lines[-1], second.lines[0]
    return (
        0 <= below.y0 - above.y0 < 1.7 * below.size
        and below.x0 < above.x1
        and below.x1 > above.x0
        and all(_looks_like_heading(draft, body, False) for draft in (first, second))
    )


def _by_font(drafts: Sequence[Draft], body: float) -> list[Draft]:
    bold_body = 2 * sum(draft.text_length for draft in drafts if draft.bold) > sum(
        draft.text_length for draft in drafts
    )
    found = []
    for draft, follows in zip_longest(drafts, drafts[1:]):
        # Sections in smaller type have headings in smaller type.
        smaller = (
            follows is not None and follows.page == draft.page and follows.size < body and not follows.bold
        )
        least = follows.size if smaller and follows.text_length > PROSE else body
        if _looks_like_heading(draft, body, bold_body, least):
            found.append(draft)
    return found


def _looks_like_heading(draft: Draft, body: float, bold_body: bool, least: float | None = None) -> bool:
    """Whether a draft is set like a heading; *least* is the size of the text below it, the body's by default."""
    if draft.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or len(draft.lines) > 4:
        return False
    length = draft.text_length
    text = draft.lines[0].text
    if length > MAX_HEADING or CAPTION.match(text) or not _WORD.search(text):
        return False
    end = draft.lines[-1].text[-1]
    wide = 3 * length if CJK.match(text) else length
    if end in ",;，；、" or (end in ".。" and not _NUMBERED.match(text) and wide > 40):
        return False
    if len(draft.lines) == 1 and (is_reference_heading(text) or _PLAIN.fullmatch(text)):
        return True
    if length < 2:
        return False
    if (
        draft.kind is BlockKind.LIST_ITEM
        and not _NUMBERED.match(text)
        and not (draft.bold and text[0] == "(")
    ):
        return False
    if draft.size >= LARGER * body:
        return True
    if draft.size < 0.93 * (least or body):
        return False
    if draft.bold and not bold_body:
        return True
    return text.isupper() and 4 < length < 80 and len(draft.lines) < 3 and not draft.lines[0].text.isdigit()


def _from_fonts(drafts: Sequence[Draft], found: list[Draft]) -> list[Entry]:
    found = _without_front_matter(found)
    styles = Counter(map(_style, found))
    ranks = {style: min(rank, MAX_LEVEL) for rank, style in enumerate(sorted(styles, reverse=True), 1)}
    entries = []
    for draft in found[:MAX_ENTRIES]:
        draft.kind = BlockKind.HEADING
        draft.level = ranks[_style(draft)]
        entries.append(Entry(_title(draft), draft.level, draft.page, draft))
    return entries


def _style(draft: Draft) -> tuple[float, bool]:
    return round(draft.size * 2) / 2, draft.bold


def _without_front_matter(found: list[Draft]) -> list[Draft]:
    """Without what is set on the first page as nowhere else: title, journal, labels.

    The title heads everything and so tells nothing about a passage.
    """
    last_pages = {}
    for draft in found:
        last_pages[_style(draft)] = draft.page
    first = min((draft.page for draft in found), default=0)
    if first > 1 or max(last_pages.values(), default=0) == first:
        return found
    for index, draft in enumerate(found):
        if last_pages[_style(draft)] != first or _PLAIN.fullmatch(_title(draft)):
            # What follows the first heading of the text belongs to the text.
            return found[index:]
        draft.kind, draft.level = BlockKind.HEADING, 1
    return []


def _title(draft: Draft) -> str:
    return " ".join(" ".join(line.text for line in draft.lines).replace("\u00ad", "").split())


def fold(text: str) -> str:
    """A title for comparison: letters and digits alone."""
    return "".join(char for char in unicodedata.normalize("NFKD", text).casefold() if char.isalnum())


def _from_own(drafts: Sequence[Draft], own: Sequence[Own], by_font: list[Draft]) -> list[Entry]:
    by_page: dict[int, list[Draft]] = {}
    for draft in drafts:
        by_page.setdefault(draft.page, []).append(draft)
    folded = {id(draft): fold(_title(draft)) for draft in drafts if _may_be_title(draft)}
    taken: set[int] = set()
    entries = []
    for level, title, page, top in own:
        wanted = fold(title)
        level = max(1, min(level, MAX_LEVEL))
        draft = _titled(by_page.get(page, ()), folded, wanted, taken, top)
        if draft is not None:
            taken.add(id(draft))
            draft.kind, draft.level = BlockKind.HEADING, level
        else:
            draft = _below(by_page.get(page, ()), top)
        entries.append(Entry(" ".join(title.split()), level, page, draft))
    # A list of references is told by its heading, whether the outline names it or not.
    for draft in by_font:
        if id(draft) not in taken and is_reference_heading(_title(draft)):
            draft.kind, draft.level = BlockKind.HEADING, 1
    return entries


def _may_be_title(draft: Draft) -> bool:
    return (
        len(draft.lines) < 6
        and draft.text_length <= MAX_HEADING + 40
        and draft.kind not in (BlockKind.TABLE, BlockKind.CAPTION)
    )


def _titled(
    drafts: Sequence[Draft], folded: Mapping[int, str], wanted: str, taken: set[int], top: float | None
) -> Draft | None:
    """The draft on the page whose text is the title: whole, or with a number before it."""
    if not wanted:
        return None
    best, distance = None, 1e9
    for draft in drafts:
        text = folded.get(id(draft))
        if text is None or id(draft) in taken:
            continue
        if _OWN_NUMBER.sub("", text, count=1) == wanted:
            text = wanted
        extra = abs(len(text) - len(wanted))
        longer, shorter = (text, wanted) if len(text) > len(wanted) else (wanted, text)
        if text == wanted or (0 < extra < 12 and len(shorter) > 3 and longer.endswith(shorter)):
            first = draft.lines[0].fragments[0].box[1]
            far = extra * 10 + (abs(first - top) if top is not None else 0)
            if far < distance:
                best, distance = draft, far
    return best


def _below(drafts: Sequence[Draft], top: float | None) -> Draft | None:
    """Where the section begins when its heading is not among the text: the first draft below *top*."""
    if top is None:
        return drafts[0] if drafts else None
    for draft in drafts:
        if draft.lines[0].fragments[0].box[3] > top:
            return draft
    return None
