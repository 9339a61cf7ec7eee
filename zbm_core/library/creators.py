"""Who an item is by, in the few words of a list's column."""

from __future__ import annotations

from collections.abc import Sequence

from zbm_core.library.records import Creator

# Where the type's main role has nobody, Zotero falls back to these, in this order.
_FALLBACK_ROLES = ("editor", "director", "contributor")


def summarize(creators: Sequence[Creator], main_role: str) -> str:
    """ "Smith", "Smith and Ng", "Smith et al.", or "": as Zotero fills its Creator column.

    Args:
        main_role: the primary creator type of the item's type ("author", "director", ...).
    """
    if not creators:
        return ""
    for role in (main_role, *_FALLBACK_ROLES):
        names = [creator.last or creator.first for creator in creators if creator.role == role]
        if len(names) == 1:
            return names[0]
        if len(names) == 2:
            return f"{names[0]} and {names[1]}"
        if names:
            return f"{names[0]} et al."
    return ""
