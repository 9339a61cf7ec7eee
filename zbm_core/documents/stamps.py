"""Stamps: what tells that a document must be read again."""

from __future__ import annotations

from pathlib import Path

from zbm_core.documents.chunker import CHUNKER_VERSION

EXTRACTOR_VERSION = 2
"""Raised with every change of what is read out of a file."""


def stamp_of(path: str | Path) -> str:
    """Size, time of change, and the versions of extractor and cut. Raises OSError."""
    stat = Path(path).stat()
    return f"{stat.st_size}|{stat.st_mtime_ns}|{EXTRACTOR_VERSION}|{CHUNKER_VERSION}"
