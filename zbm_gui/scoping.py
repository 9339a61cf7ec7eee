"""Which top-level items the list shows without a query."""

from __future__ import annotations

from collections.abc import Callable, Set
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Scope

if TYPE_CHECKING:
    from zbm_core.library import Library

#: "Recently Read" goes back this far, as in Zotero.
RECENT_DAYS = 14


def items_in(
    library: Library, scope: Scope, languages: Callable[[ItemKey], Set[str]] | None = None
) -> list[ItemKey]:
    """The top-level items that *scope* lets through, by the filter that searches use, in the library's order.

    Args:
        languages: what languages an item can be read in.
    """
    from zbm_core.search import scope_keys

    allowed = scope_keys(library, scope, languages)
    return [key for key in library.top_level if allowed is None or key in allowed]


def recently_read(library: Library, now: datetime | None = None) -> list[ItemKey]:
    """Items with an attachment opened within the last `RECENT_DAYS`, latest first."""
    since = ((now or datetime.now(UTC)) - timedelta(days=RECENT_DAYS)).timestamp()
    visible = set(library.top_level)
    latest: dict[ItemKey, int] = {}
    for attachment in library.attachments.values():
        if attachment.last_read is None or attachment.last_read < since:
            continue
        top = library.top_of(attachment.key)
        if top in visible:
            latest[top] = max(latest.get(top, 0), attachment.last_read)
    return sorted(latest, key=lambda key: -latest[key])
