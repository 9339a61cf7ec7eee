"""The columns: what each shows and by what it sorts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from zbm_core.library.records import Annotation, Item, Record
from zbm_gui.item_tree.markup import plain_title, without_tags
from zbm_gui.item_tree.wording import local_date, record_title, record_type


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the tree."""

    name: str  # what is remembered; never changes
    title: str
    width: int  # at first, in steps of the grid (`style.unit`)
    shown: bool  # at first
    text: Callable[[Record], str]
    sort_key: Callable[[Record], str | int | None]  # None or "": sorts last, whatever the direction
    descending: bool = False  # at the first click: newest first
    title_parts: bool = True  # equal ones stand in the order of their titles


# What decomposing leaves of accents.
_ACCENTS = re.compile("[\u0300-\u036f]+")


def sort_text(text: str) -> str:
    """*text* as it sorts: without case, accents and what stands before the first letter or figure.

    A collator's own keys would know more of each language, but compare 20 times slower from Python.
    """
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    text = text.casefold()
    if text and not text[0].isalnum():
        text = text.lstrip(" \t\"'([{<«»‹›“”„‘’‚…-–—¿¡.*") or text
    return text


_sort_name = lru_cache(maxsize=50_000)(sort_text)  # names repeat


def _title_key(record: Record) -> str:
    """50,000 of them are computed while one waits: the usual title goes the short way."""
    if isinstance(record, Annotation):
        return ""
    title = without_tags(record.title)
    if not title.isascii():
        return sort_text(title)
    key = title.lower()
    return key if key[:1].isalnum() else sort_text(title)


def _creator(record: Record) -> str:
    return record.creator_summary if isinstance(record, Item) else ""


def _creator_key(record: Record) -> str:
    if not isinstance(record, Item) or not record.creators:
        return ""
    # The second creator parts those that share the first.
    return "\x1f".join([_sort_name(creator.last) for creator in record.creators[:2]])


def _year(record: Record) -> str:
    return str(record.year) if isinstance(record, Item) and record.year is not None else ""


def _year_key(record: Record) -> str:
    return record.date_sort if isinstance(record, Item) else ""


def _publication(record: Record) -> str:
    return plain_title(record.publication) if isinstance(record, Item) else ""


TITLE, CREATOR, YEAR, PUBLICATION, RELEVANCE, ITEM_TYPE, DATE_ADDED, DATE_MODIFIED = range(8)

COLUMNS = (
    Column("title", "Title", 40, True, record_title, _title_key),
    Column("creator", "Creator", 18, True, _creator, _creator_key),
    Column("year", "Year", 7, True, _year, _year_key, descending=True),
    Column("publication", "Publication", 20, True, _publication, lambda r: _sort_name(_publication(r))),
    Column("relevance", "Relevance", 11, True, lambda r: "", lambda r: None, descending=True),
    Column("itemType", "Item type", 15, False, record_type, lambda r: _sort_name(record_type(r))),
    Column(
        "dateAdded",
        "Date added",
        12,
        False,
        lambda r: local_date(r.date_added),
        attrgetter("date_added"),
        descending=True,
        title_parts=False,
    ),
    Column(
        "dateModified",
        "Date modified",
        12,
        False,
        lambda r: local_date(r.date_modified),
        attrgetter("date_modified"),
        descending=True,
        title_parts=False,
    ),
)
