"""What a file is, by its first bytes: names and declared types are often wrong, and settle only what bytes cannot."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePath

HEAD = 4096
"""Bytes to look at. PDF readers accept "%PDF-" anywhere in the first 1,024."""

_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|meta|title|script|frameset)\b", re.IGNORECASE)
_HEADER = re.compile(rb"[A-Za-z][A-Za-z0-9-]*:")


class FileKind(StrEnum):
    """Kinds that are told apart. The texts name those that are not read, in the plural."""

    PDF = "pdf"
    EPUB = "epub"
    HTML = "html"
    WEB_ARCHIVE = "web archive"  # MHTML: a page and its parts as a mail
    TEXT = "text"
    EMPTY = "empty"
    WORD = "Word documents"
    SPREADSHEET = "spreadsheets"
    SLIDES = "presentations"
    OPEN_DOCUMENT = "OpenDocument files"
    OFFICE = "older Microsoft Office files"
    RTF = "RTF documents"
    DJVU = "DjVu files"
    KINDLE = "Kindle books"
    POSTSCRIPT = "PostScript files"
    IMAGE = "images"
    AUDIO = "audio recordings"
    VIDEO = "videos"
    ZIP = "archives"
    OTHER = "other"


_MAGIC: tuple[tuple[int, bytes, FileKind], ...] = (
    (0, b"{\\rtf", FileKind.RTF),
    (0, b"AT&TFORM", FileKind.DJVU),
    (60, b"BOOKMOBI", FileKind.KINDLE),
    (0, b"\xeaDRMION\xee", FileKind.KINDLE),
    (0, b"TPZ", FileKind.KINDLE),
    (0, b"%!PS", FileKind.POSTSCRIPT),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind.OFFICE),
    (0, b"\x89PNG\r\n\x1a\n", FileKind.IMAGE),
    (0, b"\xff\xd8\xff", FileKind.IMAGE),
    (0, b"GIF8", FileKind.IMAGE),
    (0, b"BM", FileKind.IMAGE),
    (0, b"II*\0", FileKind.IMAGE),
    (0, b"MM\0*", FileKind.IMAGE),
    (8, b"WEBP", FileKind.IMAGE),
    (4, b"ftypavif", FileKind.IMAGE),
    (4, b"ftypheic", FileKind.IMAGE),
    (4, b"ftypM4A", FileKind.AUDIO),
    (0, b"ID3", FileKind.AUDIO),
    (0, b"\xff\xfb", FileKind.AUDIO),
    (0, b"fLaC", FileKind.AUDIO),
    (8, b"WAVE", FileKind.AUDIO),
    (0, b"OggS", FileKind.AUDIO),
    (4, b"ftyp", FileKind.VIDEO),
    (8, b"AVI ", FileKind.VIDEO),
    (0, b"\x1aE\xdf\xa3", FileKind.VIDEO),
    (0, b"7z\xbc\xaf\x27\x1c", FileKind.ZIP),
    (0, b"Rar!\x1a\x07", FileKind.ZIP),
    (0, b"\x1f\x8b", FileKind.ZIP),
)
_ZIPPED: tuple[tuple[bytes, FileKind], ...] = (
    (b"mimetypeapplication/epub+zip", FileKind.EPUB),
    (b"mimetypeapplication/vnd.oasis.opendocument", FileKind.OPEN_DOCUMENT),
    (b"META-INF/container.xml", FileKind.EPUB),
    (b"word/", FileKind.WORD),
    (b"xl/", FileKind.SPREADSHEET),
    (b"ppt/", FileKind.SLIDES),
)
_BY_SUFFIX: dict[str, FileKind] = {
    **dict.fromkeys((".html", ".htm", ".xhtml", ".xht", ".shtml"), FileKind.HTML),
    ".epub": FileKind.EPUB,
    ".docx": FileKind.WORD,
    ".xlsx": FileKind.SPREADSHEET,
    ".pptx": FileKind.SLIDES,
    ".azw": FileKind.KINDLE,
    ".azw3": FileKind.KINDLE,
    ".mobi": FileKind.KINDLE,
}
_BY_TYPE: dict[str, FileKind] = {
    **dict.fromkeys(("text/html", "application/xhtml+xml"), FileKind.HTML),
    **dict.fromkeys(("application/epub+zip", "application/epub"), FileKind.EPUB),
}
_OFFICE_ZIPS = frozenset((FileKind.EPUB, FileKind.WORD, FileKind.SPREADSHEET, FileKind.SLIDES))


def sniff(head: bytes) -> FileKind:
    """The kind of a file that begins with *head* (its first `HEAD` bytes)."""
    if not head:
        return FileKind.EMPTY
    if b"%PDF-" in head[:1024]:
        return FileKind.PDF
    if head.startswith(b"PK\x03\x04"):
        # The first entry of an EPUB is stored, is called "mimetype" and says which.
        return next((kind for mark, kind in _ZIPPED if mark in head), FileKind.ZIP)
    text = _as_utf8(head)
    if _begins_as_page(text):
        return FileKind.HTML
    for offset, magic, kind in _MAGIC:
        # Two letters begin many a text: what else is in it must be no text.
        if head.startswith(magic, offset) and (len(magic) > 2 or not _is_text(text)):
            return kind
    if _is_web_archive(head):
        return FileKind.WEB_ARCHIVE
    return FileKind.TEXT if _is_text(text) else FileKind.OTHER


def kind_of(head: bytes, name: str = "", content_type: str = "") -> FileKind:
    """As `sniff`, with the file's name and declared type for what bytes do not settle."""
    kind = sniff(head)
    declared = _BY_TYPE.get(content_type.partition(";")[0].strip().casefold())
    named = _BY_SUFFIX.get(PurePath(name).suffix.casefold())
    if kind in (FileKind.TEXT, FileKind.OTHER) and FileKind.HTML in (declared, named):
        return FileKind.HTML
    if kind is FileKind.OTHER and content_type.startswith("text/"):
        return FileKind.TEXT  # UTF-16 without its mark, or no text at all: its reader tells
    if kind is FileKind.HTML and content_type == "text/plain" and named is not FileKind.HTML:
        return FileKind.TEXT  # somebody's example of a page
    if kind is FileKind.ZIP:
        return next((said for said in (declared, named) if said in _OFFICE_ZIPS), kind)
    return named if kind is FileKind.OTHER and named is FileKind.KINDLE else kind


def _begins_as_page(head: bytes) -> bool:
    """Whether the first thing in it is an element of HTML, behind declarations and comments."""
    at = 0
    while True:
        at += len(head) - at - len(head[at:].lstrip())
        closing = b"-->" if head.startswith(b"<!--", at) else b">" if head.startswith(b"<?", at) else b""
        if not closing:
            return _HTML.match(head, at) is not None
        end = head.find(closing, at + 2)
        if end < 0:
            return False
        at = end + len(closing)


def _is_web_archive(head: bytes) -> bool:
    """Whether it begins as a mail of several parts that belong together."""
    for line in head.splitlines():
        if line[:1] in (b" ", b"\t"):
            continue
        if not _HEADER.match(line):
            return False
        if line.lower().startswith(b"content-type:"):
            return b"multipart/related" in line.lower()
    return False


def _is_text(text: bytes) -> bool:
    return b"\0" not in text and not any(byte < 9 for byte in text)


def _as_utf8(head: bytes) -> bytes:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            return head[2:].decode(encoding, "replace").encode()
    return head.removeprefix(b"\xef\xbb\xbf")
