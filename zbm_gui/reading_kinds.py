"""Which reader shows a file: by what Zotero says it is, and by its name where Zotero says little."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


class ReadingKind(StrEnum):
    PDF = "pdf"
    EPUB = "epub"
    WEB_PAGE = "web page"
    TEXT = "text"


#: What the readers are told, one content type for each kind.
CONTENT_TYPES = {
    ReadingKind.PDF: "application/pdf",
    ReadingKind.EPUB: "application/epub+zip",
    ReadingKind.WEB_PAGE: "text/html",
    ReadingKind.TEXT: "text/plain",
}
_BY_TYPE = {
    **{content_type: kind for kind, content_type in CONTENT_TYPES.items()},
    "application/x-pdf": ReadingKind.PDF,
    "application/xhtml+xml": ReadingKind.WEB_PAGE,
}
_BY_SUFFIX = {
    ".pdf": ReadingKind.PDF,
    ".epub": ReadingKind.EPUB,
    ".html": ReadingKind.WEB_PAGE,
    ".htm": ReadingKind.WEB_PAGE,
    ".xhtml": ReadingKind.WEB_PAGE,
    ".txt": ReadingKind.TEXT,
    ".text": ReadingKind.TEXT,
    ".md": ReadingKind.TEXT,
    ".markdown": ReadingKind.TEXT,
}
#: Text of a kind that is meant for programs or for another reader.
_NOT_READ = frozenset({"text/calendar", "text/vcard", "text/rtf"})


def reading_kind(content_type: str, path: Path) -> ReadingKind | None:
    """The kind of the file at *path*; None for one that no reader here shows."""
    declared = content_type.partition(";")[0].strip().lower()
    by_name = _BY_SUFFIX.get(path.suffix.lower())
    # Zotero takes an unknown file for plain text or for bytes; a name says more than that.
    if declared in _BY_TYPE and declared != CONTENT_TYPES[ReadingKind.TEXT]:
        return _BY_TYPE[declared]
    if by_name is not None:
        return by_name
    return ReadingKind.TEXT if declared.startswith("text/") and declared not in _NOT_READ else None


def told_type(kind: ReadingKind, content_type: str) -> str:
    """The content type to open a file of *kind* with: its own where that names the kind."""
    declared = content_type.partition(";")[0].strip().lower()
    return declared if _BY_TYPE.get(declared) is kind else CONTENT_TYPES[kind]
