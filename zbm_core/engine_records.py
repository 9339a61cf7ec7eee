"""What the engine says of itself, and its error."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zbm_core.errors import ZbmError

#: Said wherever it is told how far the index is.
PAUSED = "Indexing is paused."


class EngineError(ZbmError):
    """Something was asked that needs a library to be open, or a record it does not have."""


@dataclass(frozen=True, slots=True)
class MeaningStatus:
    """Where searching by meaning stands."""

    enabled: bool
    model: str = ""  # its title; "" while none is ready
    licence: str = ""
    embedded: int = 0  # chunks
    total: int = 0
    size: int | None = None  # bytes of the model's files; None: not known

    @property
    def in_words(self) -> str:
        """Where it stands while no run is under way."""
        if not self.enabled:
            return "Searching by meaning is off."
        if not self.model:
            return "No semantic data yet."
        waiting = self.total - self.embedded
        if waiting:
            return f"{_passages(waiting)} {'waits' if waiting == 1 else 'wait'} for semantic data."
        return f"Semantic data of {_passages(self.total)} is up to date."


def _passages(count: int) -> str:
    return f"{count:,} {'passage' if count == 1 else 'passages'}"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """An embedding model that can be searched with."""

    name: str
    title: str
    licence: str
    size: int | None  # bytes of its files; None: not known before it is made
    installed: bool
    in_use: bool


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Where the indexes are."""

    folder: Path
    size: int  # bytes
    standard: bool  # whether it is the place the program chose
    standard_parent: Path  # to move it back into
    reachable: bool = True  # False: the disk it is on is not there
