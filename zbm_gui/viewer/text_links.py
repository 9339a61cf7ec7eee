"""Where the links of a section lead."""

from __future__ import annotations

import re

from PySide6.QtCore import QUrl

from zbm_core.documents.reading_records import Spot

#: Where a document may lead out of itself. A file, a program or a script may not be opened from it.
ALLOWED_SCHEMES = frozenset({"http", "https", "mailto"})
MAX_URL = 4096
_INWARD = re.compile(r"zbm-place:(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


def spot_of(address: str) -> Spot | None:
    """The spot of a link inside the document."""
    found = _INWARD.fullmatch(address)
    return Spot(*map(int, found.groups())) if found else None


def outward(address: str) -> str:
    """The address if it may be offered, else ""."""
    if not address or len(address) > MAX_URL:
        return ""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    return address if url.isValid() and url.scheme().lower() in ALLOWED_SCHEMES else ""
