"""Zotero's multipart dates: a sortable part, then what the user wrote.

"2019-08-00 08/2019" is August 2019, written "08/2019". Month and day are 00 where unknown; the
year is 0000 where Zotero could not read the text. Other programs store the bare text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MULTIPART = re.compile(r"(\d{4})-(0\d|1[0-2])-([0-2]\d|3[01]) (.*\S.*)", re.DOTALL)
_ISO = re.compile(r"(\d{4})(?:-(0\d|1[0-2])(?:-([0-2]\d|3[01]))?)?(?:[ T]\d\d:\d\d(?::\d\d)?Z?)?")
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")


class Date(NamedTuple):
    written: str  # as the user wrote it
    sort: str  # "YYYY-MM-DD", "" without a year
    year: int | None


NO_DATE = Date("", "", None)


def parse_date(stored: str) -> Date:
    """Read a date field's stored value. Never fails: what cannot be read has no year."""
    stored = stored.strip()
    if not stored:
        return NO_DATE
    if match := _ISO.fullmatch(stored):
        return _date(stored, match[1], match[2], match[3])
    if match := _MULTIPART.fullmatch(stored):
        return _date(match[4], match[1], match[2], match[3])
    match = _YEAR.search(stored)
    return _date(stored, match[1] if match else "0000", None, None)


def written_date(stored: str) -> str:
    """The user's part of a multipart date; any other text as it is."""
    match = _MULTIPART.fullmatch(stored)
    return match[4] if match else stored


def _date(written: str, year: str, month: str | None, day: str | None) -> Date:
    if year == "0000":
        return Date(written, "", None)
    return Date(written, f"{year}-{month or '00'}-{day or '00'}", int(year))
