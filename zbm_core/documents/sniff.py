"""What a file is, by its first bytes: names and declared types are often wrong."""

from __future__ import annotations

import re
from enum import StrEnum

HEAD = 4096
"""Bytes to look at. PDF readers accept "%PDF-" anywhere in the first 1,024."""

_HTML = re.compile(
    rb"^(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html|head|body|meta|title|script)\b",
    re.IGNORECASE | re.DOTALL,
)


class FileKind(StrEnum):
    PDF = "pdf"
    EPUB = "epub"
    ZIP = "zip"  # some other archive: an office document, a book of another kind
    HTML = "html"
    TEXT = "text"
    EMPTY = "empty"
    OTHER = "other"


def sniff(head: bytes) -> FileKind:
    """The kind of a file that begins with *head* (its first `HEAD` bytes)."""
    if not head:
        return FileKind.EMPTY
    if b"%PDF-" in head[:1024]:
        return FileKind.PDF
    if head.startswith(b"PK\x03\x04"):
        # The first entry of an EPUB is stored, is called "mimetype" and says which.
        return FileKind.EPUB if b"mimetypeapplication/epub+zip" in head else FileKind.ZIP
    text = _as_utf8(head)
    if _HTML.match(text):
        return FileKind.HTML
    if b"\0" not in text and sum(byte < 9 for byte in text) == 0:
        return FileKind.TEXT
    return FileKind.OTHER


def _as_utf8(head: bytes) -> bytes:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            return head[2:].decode(encoding, "replace").encode()
    return head.removeprefix(b"\xef\xbb\xbf")
