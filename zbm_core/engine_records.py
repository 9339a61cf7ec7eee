"""What the engine says of itself, and its error."""

from __future__ import annotations

from dataclasses import dataclass

from zbm_core.errors import ZbmError


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
