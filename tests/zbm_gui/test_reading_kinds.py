"""Which reader shows a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from zbm_gui.reading_kinds import ReadingKind, reading_kind, told_type


@pytest.mark.parametrize(
    ("content_type", "name", "kind"),
    [
        ("application/pdf", "a.pdf", ReadingKind.PDF),
        ("application/pdf", "a", ReadingKind.PDF),
        ("application/octet-stream", "A.PDF", ReadingKind.PDF),
        ("application/epub+zip", "a.epub", ReadingKind.EPUB),
        ("", "a.epub", ReadingKind.EPUB),
        ("text/html", "index.php", ReadingKind.WEB_PAGE),
        ("text/html; charset=utf-8", "a.htm", ReadingKind.WEB_PAGE),
        ("application/xhtml+xml", "a.xhtml", ReadingKind.WEB_PAGE),
        ("text/plain", "page.html", ReadingKind.WEB_PAGE),
        ("text/plain", "notes", ReadingKind.TEXT),
        ("text/markdown", "notes.md", ReadingKind.TEXT),
        ("text/csv", "table.csv", ReadingKind.TEXT),
        ("text/rtf", "letter.rtf", None),
        ("image/png", "a.png", None),
        ("application/zip", "a.zip", None),
    ],
)
def test_kinds(content_type, name, kind):
    assert reading_kind(content_type, Path(name)) is kind


def test_the_reader_is_told_a_type_of_its_kind():
    assert told_type(ReadingKind.WEB_PAGE, "application/xhtml+xml") == "application/xhtml+xml"
    assert told_type(ReadingKind.EPUB, "application/octet-stream") == "application/epub+zip"
    assert told_type(ReadingKind.WEB_PAGE, "text/plain") == "text/html"
