"""When a page was last drawn for someone who reads: heavy work of the index gives way to it for a moment."""

from __future__ import annotations

import time

_drawn = 0.0


def drew() -> None:
    """A page is about to be drawn, or was."""
    global _drawn
    _drawn = time.time()


def last_drawn() -> float:
    """In seconds since the epoch; 0.0: never. For any thread."""
    return _drawn
