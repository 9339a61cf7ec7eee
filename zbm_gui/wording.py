"""Numbers, times and Zotero's terms as a person reads them."""

from __future__ import annotations

import re

#: Where Zotero's internal name does not say it.
_TYPE_NAMES = {
    "computerProgram": "Software",
    "email": "E-mail",
    "tvBroadcast": "TV broadcast",
    "webpage": "Web page",
}
_FIELD_NAMES = {
    "accessDate": "Accessed",
    "archiveID": "Archive ID",
    "callNumber": "Call number",
    "citationKey": "Citation key",
    "journalAbbreviation": "Journal abbr.",
    "numPages": "Pages in all",
    "numberOfVolumes": "Volumes in all",
    "publicationTitle": "Publication",
    "url": "URL",
    "versionNumber": "Version",
}


def number(value: int | None) -> str:
    """``2310`` as "2,310"; a count that could not be read is "unknown", never 0."""
    return "unknown" if value is None else f"{value:,}"


def counted(value: int, singular: str, plural: str = "") -> str:
    """``counted(1, "item")`` is "1 item", ``counted(2310, "item")`` is "2,310 items"."""
    return f"{value:,} {singular if value == 1 else plural or singular + 's'}"


def item_type_name(item_type: str) -> str:
    """Zotero's internal name in words: "journalArticle" is "Journal article"."""
    known = _TYPE_NAMES.get(item_type)
    if known:
        return known
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", item_type).lower()
    return spaced[:1].upper() + spaced[1:]


def field_name(field: str) -> str:
    """Zotero's name of an item's field in words: "DOI", "Conference name", "Journal abbr."."""
    return _FIELD_NAMES.get(field) or (field if field.isupper() else item_type_name(field))


def took(milliseconds: float) -> str:
    """How long an answer took: "38 ms", "1.2 s"."""
    if milliseconds < 1:
        return "under 1 ms"
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.1f} s"


def about(seconds: float) -> str:
    """A rough duration: "less than a minute", "about 50 minutes", "about 2 hours"."""
    minutes = seconds / 60
    if minutes < 1:
        return "less than a minute"
    if minutes < 1.5:
        return "about a minute"
    if minutes < 90:
        rounded = round(minutes) if minutes < 20 else round(minutes / 5) * 5
        return f"about {rounded} minutes"
    return f"about {round(minutes / 60)} hours"


def megabytes(size: int) -> str:
    """Bytes as "131 MB"."""
    return f"{size / 1e6:,.0f} MB"


def shortened(text: str, length: int = 60) -> str:
    """*text* on one line and no longer than *length* characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
