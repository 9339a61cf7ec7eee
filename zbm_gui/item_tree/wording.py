"""What rows say: where a passage stands, names of item types, whole sentences for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QTimeZone

from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note, Record
from zbm_core.search.records import Kind, Match, Passage
from zbm_gui.item_tree.markup import plain_title
from zbm_gui.wording import field_name, item_type_name

if TYPE_CHECKING:
    from zbm_core.library import Library

ANNOTATION_NAMES = {
    "highlight": "Highlight",
    "underline": "Underline",
    "note": "Note",
    "image": "Area",
    "ink": "Drawing",
    "text": "Text",
}


def record_type(record: Record) -> str:
    """What kind of thing *record* is, in words."""
    match record:
        case Item():
            return item_type_name(record.item_type)
        case Attachment():
            return attachment_type(record)
        case Note():
            return "Note"
        case _:
            return ANNOTATION_NAMES.get(record.kind, "Annotation")


def attachment_type(attachment: Attachment) -> str:
    if attachment.link_mode == 3:
        return "Link"
    kinds = {"application/pdf": "PDF", "application/epub+zip": "EPUB", "text/html": "Snapshot"}
    return kinds.get(attachment.content_type, "File")


def record_title(record: Record) -> str:
    """The line a row shows for *record*; never empty."""
    if isinstance(record, Annotation):
        text = record.text or record.comment
        return plain_title(text) or ANNOTATION_NAMES.get(record.kind, "Annotation")
    return plain_title(record.title) or f"[Untitled {record_type(record)}]"


def page_words(page: int | None, label: str) -> str:
    """The physical page (*page* counts from 0), with the printed label beside it where it differs:
    "p. 4", "p. 4 (iv)"; the label alone where a format has no pages; "" without either."""
    if page is None:
        return f"p. {label}" if label else ""
    number = str(page + 1)
    return f"p. {number}" if label in ("", number) else f"p. {number} ({label})"


def place(passage: Passage, library: Library | None) -> str:
    """Where *passage* stands, in few words: "p. 4 · Results > Plots", a note's title, ..."""
    record = library.record(passage.source) if library is not None else None
    section = " > ".join(plain_title(part) for part in passage.section)
    match passage.kind:
        case Kind.NOTE:
            first = f"Note · {record_title(record)}" if record is not None else "Note"
            return " · ".join(part for part in (first, section) if part)
        case Kind.ANNOTATION:
            author = record.author if isinstance(record, Annotation) else ""
            first = f"Annotation by {author}" if author else "Annotation"
            return " · ".join(part for part in (first, page_words(passage.page, passage.page_label)) if part)
        case Kind.ITEM:
            return field_name(passage.section[0]) if passage.section else "Item"
        case _:
            return " · ".join(
                part for part in (page_words(passage.page, passage.page_label), section) if part
            ) or (record_title(record) if record is not None else "Attachment")


def relevance_words(match: Match) -> str:
    """ "Rank 3 · words 0.62 · meaning 0.48"; an engine that said nothing is left out."""
    parts = [f"Rank {match.rank:,}"]
    if match.score.lexical is not None:
        parts.append(f"words {match.score.lexical:.2f}")
    if match.score.semantic is not None:
        parts.append(f"meaning {match.score.semantic:.2f}")
    return " · ".join(parts)


def quote_of(passage: Passage) -> str:
    """The quoted line of a passage, on one line; all of it where no line was picked."""
    start, end = passage.quote
    return " ".join((passage.text[start:end] or passage.text).split())


def local_date(stamp: str) -> str:
    """A stored UTC time as the user's own short date; what cannot be read is shown as it is."""
    moment = _moment(stamp)
    return QLocale().toString(moment.date(), QLocale.FormatType.ShortFormat) if moment else stamp


def local_moment(stamp: str | int) -> str:
    """A stored UTC time, or epoch seconds, as the user's own date and time of day."""
    moment = QDateTime.fromSecsSinceEpoch(stamp) if isinstance(stamp, int) else _moment(stamp)
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat) if moment else str(stamp)


def _moment(stamp: str) -> QDateTime | None:
    moment = QDateTime.fromString(stamp[:19], "yyyy-MM-dd HH:mm:ss")
    if not moment.isValid():
        return None
    moment.setTimeZone(QTimeZone.utc())
    return moment.toLocalTime()


def item_sentence(record: Record, match: Match | None, matches: int, opened: bool) -> str:
    """A top-level row as one sentence."""
    parts = [f"{record_type(record)}: {record_title(record)}"]
    if isinstance(record, Item):
        if record.creator_summary:
            parts.append(f"by {record.creator_summary}")
        if record.year is not None:
            parts.append(str(record.year))
        if record.publication:
            parts.append(f"in {plain_title(record.publication)}")
    if match is not None:
        parts.append(f"rank {match.rank:,}")
    if matches:
        parts.append("1 match" if matches == 1 else f"{matches} matches")
    if opened:
        parts.append("opened")
    return ", ".join(parts) + "."


def child_sentence(record: Record | None) -> str:
    """An attachment's, note's or annotation's row as one sentence."""
    if record is None:
        return ""
    name = record_type(record)
    if isinstance(record, Annotation):
        where = f" on page {record.page_label}" if record.page_label else ""
        by = f" by {record.author}" if record.author else ""
        return f"{name}{by}{where}: {record_title(record)}."
    return f"{name}: {record_title(record)}."


def passage_sentence(passage: Passage, library: Library | None) -> str:
    """A match row as one sentence."""
    how = "Match by meaning" if passage.by_meaning else "Match"
    where = place(passage, library).replace(" · ", ", ").replace(" > ", ", ").replace("p. ", "page ", 1)
    return f"{how}, {where}: {quote_of(passage)}"


def best_attachment(library: Library, item: ItemKey) -> ItemKey | None:
    """The attachment that opening *item* opens: a PDF before an EPUB, a snapshot, any other."""
    if item in library.attachments:
        return item
    kinds = ("application/pdf", "application/epub+zip", "text/html")
    found = [
        (kinds.index(a.content_type) if a.content_type in kinds else len(kinds), n, a.key)
        for n, a in enumerate(library.attachments.get(child) for child in library.children(item))
        if a is not None
    ]
    return min(found)[2] if found else None
