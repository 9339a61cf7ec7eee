"""Items that mean what one item means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zbm_core.errors import ZbmError
from zbm_core.library.records import ItemKey
from zbm_core.search.fusion import Voice, fuse
from zbm_core.search.records import Match

if TYPE_CHECKING:
    from zbm_core.library import Library
    from zbm_core.semantic import Meaning


def similar_items(meaning: Meaning, library: Library, item: ItemKey, limit: int) -> list[Match]:
    """The *limit* items of *library* closest to *item*, best first: each by its chunk closest to the item's
    mean vector.

    Raises:
        ZbmError: the item has no vectors yet.
    """
    found = meaning.similar(item)
    if found is None:
        raise ZbmError(
            "This item has not been indexed by meaning yet. Try again when indexing is further on."
        )
    voices = {
        likeness.hit.item: Voice(likeness.fraction, min(1.0, likeness.fraction))
        for likeness in found
        # The index may still hold what has just left the library.
        if library.record(likeness.hit.item) is not None
    }
    return list(fuse({}, voices)[:limit])
