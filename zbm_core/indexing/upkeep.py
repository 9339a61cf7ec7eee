"""What keeps the indexes in order when there is nothing else to do, a slice at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zbm_core.errors import CancelToken

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore


class Tidied(Protocol):
    """An index with room that may be given back."""

    def tidy(self) -> bool:
        """Give a slice of it back, a few ms of a lock; whether there is more."""
        ...


#: Seconds between two slices: a search that came meanwhile has its turn before the next.
BREATH = 0.01


def tidy(*indexes: Tidied | None, cancel: CancelToken) -> None:
    """Give room that is no longer used back to the disk: no search waits longer than for one slice. What is left when
    *cancel* is set is the next run's."""
    for index in indexes:
        while index is not None and index.tidy():
            if cancel.wait(BREATH):
                return


def broken_packs(documents: DocumentStore, cancel: CancelToken) -> int:
    """How many packs are not whole; they are removed, so that their documents are read again.

    Raises:
        Cancelled.
    """
    stored, found = documents.keys(), 0
    for key in stored:
        cancel.check()
        found += not documents.is_whole(key)
    return found
