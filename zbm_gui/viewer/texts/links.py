"""Where the links of a section lead within the document."""

from __future__ import annotations

import re

from zbm_core.documents.reading.records import Spot

_INWARD = re.compile(r"zbm-place:(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


def spot_of(address: str) -> Spot | None:
    """The spot of a link inside the document."""
    found = _INWARD.fullmatch(address)
    return Spot(*map(int, found.groups())) if found else None
