"""Stamps: what tells that a document must be read again.

A stamp is ``size|time|extractor|chunker|cache``: the file's size and time of change in nanoseconds (empty where
the file itself is absent), the format it was read as with the version of that format's extractor, the
version of the cut, and size and time of the text Zotero keeps beside it, where that was looked at.
"""

from __future__ import annotations

from pathlib import Path

from zbm_core.documents.chunker import CHUNKER_VERSION, MIN_CHUNKER_VERSION
from zbm_core.documents.structure import DocumentReport, Outcome

EXTRACTOR_VERSIONS = {"pdf": 4, "epub": 3, "html": 2, "text": 1, "cache": 1}
"""Raised with every change of what is read out of files of one format; the other formats are not read again."""

FULL_TEXT_CACHE = ".zotero-ft-cache"
"""Zotero's own text of an attachment, in the attachment's storage folder."""

UNPROCESSED_CACHE = ".zotero-ft-unprocessed"
"""A text that came from Zotero's servers and waits to be taken into Zotero's own index."""

ABSENT = "|"
"""The part of a stamp that a file has, where there is none."""


def file_stamp(path: str | Path) -> str:
    """Size and time of change of a file. Raises OSError."""
    stat = Path(path).stat()
    return f"{stat.st_size}|{stat.st_mtime_ns}"


def cache_stamp(folder: str | Path | None) -> str:
    """Size and time of what Zotero keeps as text in *folder*; "" where there is nothing."""
    if folder is None:
        return ""
    found = []
    for name in (FULL_TEXT_CACHE, UNPROCESSED_CACHE):
        try:
            stat = (Path(folder) / name).stat()
        except (OSError, ValueError):
            continue
        found.append(f"{stat.st_size}.{stat.st_mtime_ns}")
    return "+".join(found)


def stamp_of(file: str, extractor: str, cache: str = "") -> str:
    """The stamp of a document now read by *extractor*, one of `EXTRACTOR_VERSIONS` or "" for none.

    Args:
        file: its `file_stamp`, or `ABSENT`.
        cache: the `cache_stamp` of its folder.
    """
    return f"{file}|{_extractor(extractor)}|{CHUNKER_VERSION}|{cache}"


def _extractor(name: str) -> str:
    if name in EXTRACTOR_VERSIONS:
        return f"{name}{EXTRACTOR_VERSIONS[name]}"
    # Of no format, or it never came so far: any newer extractor may do better.
    return "-".join(map(str, EXTRACTOR_VERSIONS.values()))


def is_current(report: DocumentReport, file: str, folder: str | Path | None = None) -> bool:
    """Whether *report* is of the file as it is now, read as it would be read now.

    Args:
        file: the `file_stamp` of its file as it is now, or `ABSENT`.
        folder: the attachment's storage folder. What Zotero keeps there counts where the file gave no text.
    """
    parts = report.stamp.split("|")
    if len(parts) != 5:
        return False
    size, time, extractor, cut, cache = parts
    if f"{size}|{time}" != file or extractor != _extractor(extractor.rstrip("0123456789")):
        return False
    if report.outcome is Outcome.INDEXED and (not cut.isdigit() or int(cut) < MIN_CHUNKER_VERSION):
        return False
    if report.fallback or report.outcome is Outcome.NO_TEXT:
        return cache == cache_stamp(folder)
    return True
