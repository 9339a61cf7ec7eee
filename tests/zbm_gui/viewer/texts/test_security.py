"""Whatever a page names, nothing is loaded, asked for or opened: not from the network, not from the disk."""

from __future__ import annotations

import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QTextDocument
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.texts.made_book import MadeBook
from tests.zbm_gui.waiting import settle, until
from zbm_core.documents.reading.records import SectionPage
from zbm_gui.viewer import TextReader
from zbm_gui.viewer.addresses import allowed_url
from zbm_gui.viewer.texts.links import spot_of
from zbm_gui.viewer.texts.pictures import TextPictures, decoded
from zbm_gui.viewer.texts.view import TextView


class Ear:
    """Listens on loopback; `heard` is whether anybody called."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(8)
        self._socket.setblocking(False)
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def heard(self) -> bool:
        try:
            self._socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear() -> Iterator[Ear]:
    listening = Ear()
    yield listening
    listening.close()


@pytest.fixture
def untouched(monkeypatch):
    """Fails when anything is handed to the system."""
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: pytest.fail(f"opened {url.toString()}"))


def hostile(address: str, picture: Path) -> str:
    file = QUrl.fromLocalFile(str(picture)).toString()
    return "".join(
        f"""
        <link rel="stylesheet" href="{base}/a.css"><style>@import url({base}/b.css);
        @font-face {{ font-family: x; src: url({base}/f.ttf) }} body {{ background-image: url({base}/c.png) }}</style>
        <script>new Image().src = "{base}/d"</script><meta http-equiv="refresh" content="0;url={base}/e">
        <iframe src="{base}/f"></iframe><object data="{base}/g"></object><embed src="{base}/h">
        <img src="{base}/i.png"><img src="{file}"><img src="{picture}"><img src="data:image/png;base64,AAAA">
        <img src="//{address.removeprefix("http://")}/j.png"><img src="qrc:/k.png"><img src="">
        <svg><image href="{base}/l.png"/></svg><table background="{base}/m.png"><tr><td>cell</td></tr></table>
        <ul style="list-style-image: url({base}/n.png)"><li>item</li></ul>
        <video src="{base}/o" poster="{base}/p"></video><p background="{file}">text</p>
        """
        for base in (address,)
    )


def test_a_hostile_page_loads_nothing_even_uncleaned(app, ear, tmp_path, untouched):
    """The page is cleaned before it comes; this is what the view does should that fail."""
    picture = tmp_path / "secret.png"
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    assert image.save(str(picture))
    view = TextView(TextPictures())
    view.resize(600, 2000)
    view.show()
    view.set_page(SectionPage(hostile(ear.address, picture), ("text",)), "html")
    settle(20)
    shot = view.viewport().grab().toImage()
    seen = {shot.pixel(x, y) for x in range(0, shot.width(), 5) for y in range(0, shot.height(), 5)}
    assert QImage(image).pixel(1, 1) not in seen, "a file of the disk was shown"
    assert not ear.heard
    view.deleteLater()


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/a.png",
        "file:///etc/hostname",
        "/etc/hostname",
        "data:image/png;base64,AAAA",
        "qrc:/a.png",
        "a.png",
        "zbm-image:",
        "zbm-image:nothing.png",
    ],
)
def test_a_picture_is_never_null_and_never_from_elsewhere(app, address):
    view = TextView(TextPictures())
    given = view.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(address))
    assert isinstance(given, QImage) and not given.isNull()
    for kind in (QTextDocument.ResourceType.StyleSheetResource, QTextDocument.ResourceType.HtmlResource):
        assert not view.loadResource(kind.value, QUrl(address))
    view.deleteLater()


def test_pictures_that_are_documents_or_none_are_not_drawn():
    assert decoded(b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>").isNull()
    assert decoded(b"").isNull()
    assert decoded(b"\x89PNG\r\n\x1a\n" + b"\0" * 100).isNull()


def test_links_lead_inward_or_to_the_web():
    assert spot_of("zbm-place:1.2.3") == (1, 2, 3)
    for address in ("zbm-place:1.2", "zbm-place:-1.0.0", "zbm-place:1.2.3.4", "http://zbm-place:1.2.3"):
        assert spot_of(address) is None
    for address in ("https://a.org/x?y=z", "http://a.org", "mailto:a@b.org"):
        assert allowed_url(address) == address
    for address in (
        "file:///etc/hosts",
        "javascript:alert(1)",
        "data:text/html,x",
        "zotero://select/library/items/ABCD2345",
        "smb://server/share",
        "search-ms:query",
        "x.html",
        "",
        "https://" + "a" * 5000,
    ):
        assert allowed_url(address) == ""


def write_epub(path: Path, body: str) -> Path:
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
            '<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        book.writestr(
            "a.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>'
            '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
        )
        book.writestr("a.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>')
    return path


@pytest.mark.parametrize("kind", ["epub", "html"])
def test_a_hostile_document_asks_for_nothing(app, ear, tmp_path, untouched, kind):
    inside = hostile(ear.address, tmp_path / "none.png") + "<p>the end of the page</p>"
    if kind == "epub":
        path, content_type = write_epub(tmp_path / "a.epub", inside), "application/epub+zip"
    else:
        path, content_type = tmp_path / "a.html", "text/html"
        path.write_text(f"<!doctype html><title>t</title><body>{inside}</body>", "utf-8")
    reader = TextReader()
    reader.resize(600, 900)
    reader.show()
    reader.open(path, "Hostile", content_type=content_type)
    until(lambda: reader._section >= 0 and reader.desk.idle)
    settle(20)
    assert "the end of the page" in reader.view.toPlainText()
    assert not ear.heard
    reader.close_document()
    reader.deleteLater()


def test_no_link_is_opened_by_the_keyboard_unasked(app, untouched):
    book = MadeBook([["<a href='https://example.org/'>a link</a>", "text"]])
    reader = TextReader(make_book=lambda _path, _type: book)
    reader.show()
    reader.open(Path("a.epub"), "Made")
    until(lambda: reader._section >= 0 and reader.desk.idle)
    reader.view.setFocus()
    QTest.keyClick(reader.view, Qt.Key.Key_Tab)
    QTest.keyClick(reader.view, Qt.Key.Key_Return)
    settle()
    assert not reader.link_strip.isHidden()
    assert reader.link_strip._text.text() == "https://example.org/"
    reader.close_document()
    reader.deleteLater()
