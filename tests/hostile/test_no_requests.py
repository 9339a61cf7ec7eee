"""Nothing that a document names is asked for: by reading it for the index, or by showing it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.hostile.conftest import Ear, Read
from tests.support import epubs, hostile_pdfs
from tests.support.hostile_texts import PROSE, calling_book, calling_markup, calling_xml
from zbm_core.documents import Outcome, TextBook

END = "the end of the page"


def test_the_ear_hears(ear: Ear) -> None:
    """What listens does hear; otherwise the tests below could not fail."""
    with urlopen(f"{ear.address}/a", timeout=10) as answer:
        answer.read()
    assert ear.heard and ear.heard[0].startswith(b"GET /a")


@pytest.fixture(params=["page", "page of frames", "web archive", "book", "text", "pdf"])
def calling(request: pytest.FixtureRequest, ear: Ear, tmp_path: Path) -> tuple[Path, str]:
    """A document that calls out, and its content type."""
    path = tmp_path / "calling"
    match request.param:
        case "page":
            path.write_text(
                f"<!doctype html><html><body>{calling_markup(ear.address)}</body></html>", "utf-8"
            )
            return path, "text/html"
        case "page of frames":
            path.write_text(
                f"<!doctype html><html><frameset><frame src='{ear.address}/f'><frame src='in.html'></frameset></html>"
            )
            (tmp_path / "in.html").write_text(calling_markup(ear.address), "utf-8")
            return path, "text/html"
        case "web archive":
            path.write_text(
                "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
                "Content-Type: text/html; charset=utf-8\r\n"
                f"Content-Location: {ear.address}/page\r\n\r\n<html><body>{calling_markup(ear.address)}</body></html>\r\n"
                f'--b\r\nContent-Type: message/external-body; access-type=URL; URL="{ear.address}/body"\r\n\r\n\r\n--b--\r\n',
                "utf-8",
            )
            return path, "multipart/related"
        case "book":
            return calling_book(path, ear.address), "application/epub+zip"
        case "text":
            path = path.with_suffix(".md")
            path.write_text(
                f"# t\n\n![a]({ear.address}/a)\n\n<img src='{ear.address}/b'>\n\n[l]: {ear.address}/c\n\n{END}"
            )
            return path, "text/markdown"
    path.write_bytes(hostile_pdfs.calling(ear.address))
    return path, "application/pdf"


def test_reading_for_the_index_asks_for_nothing(
    calling: tuple[Path, str], ear: Ear, read: Callable[..., Read]
) -> None:
    found = read(*calling)
    assert found.report.outcome is Outcome.INDEXED, found.report.reason
    assert END in found.text or "whatever else the file holds" in found.text
    assert not ear.heard


def test_showing_asks_for_nothing(calling: tuple[Path, str], ear: Ear) -> None:
    path, content_type = calling
    if content_type == "application/pdf":
        pytest.skip("shown by the window (tests.hostile.window)")
    with TextBook(path, content_type) as book:
        contents = book.contents()
        pages = [
            book.section(number).html
            for number in range(len(contents.sections))
            if contents.sections[number].characters
        ]
        assert any(END in page or "in a drawing" in page for page in pages) or content_type == "text/html"
        for page in pages:
            for forbidden in (
                "<script",
                "<link",
                "<style",
                "<iframe",
                "<object",
                "<embed",
                "url(",
                "onload",
                "onerror",
                "srcset",
            ):
                assert forbidden not in page.lower(), forbidden
    assert not ear.heard


def test_stylesheets_and_inclusions_of_xml_are_not_followed(
    ear: Ear, tmp_path: Path, read: Callable[..., Read]
) -> None:
    """Well-formed XML with an external document type, so that it is the XML parser that reads it."""
    path = epubs.book(tmp_path / "a.epub", [calling_xml(ear.address)])
    found = read(path, "application/epub+zip")
    assert "the end of the page" in found.text
    hostname = Path("/etc/hostname")
    if hostname.exists() and len(name := hostname.read_text().strip()) > 5:
        assert name not in found.text
    assert not ear.heard


def test_prose_is_kept(tmp_path: Path, read: Callable[..., Read]) -> None:
    """What calls out costs nothing of the text around it."""
    path = tmp_path / "a.html"
    path.write_text(f"<!doctype html><body>{calling_markup('http://127.0.0.1:9')}{PROSE}</body>", "utf-8")
    assert "whatever else the file holds" in read(path, "text/html").text
