"""Hostile books, pages and texts in the window's own reader, with the child that takes them apart: nothing is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from tests.hostile.conftest import Ear
from tests.support.hostile_texts import EPUB_BOMBS, HTML_BOMBS, calling_book, calling_markup
from tests.support.seed_documents import TYPES
from tests.zbm_gui.waiting import settle, until
from zbm_gui.viewer import TextReader, motion

END = "the end of the page"


@pytest.fixture
def reader(app, monkeypatch: pytest.MonkeyPatch) -> Iterator[TextReader]:
    monkeypatch.setattr(motion, "ANIMATE", False)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: pytest.fail(f"opened {url.toString()}"))
    widget = TextReader()
    widget.resize(800, 700)
    widget.show()
    yield widget
    widget.close_document()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()


def written(kind: str, folder: Path, address: str) -> tuple[Path, str]:
    path = folder / "calling"
    match kind:
        case "book":
            return calling_book(path, address), "application/epub+zip"
        case "text":
            path = path.with_suffix(".md")
            path.write_text(
                f"# t\n\n![a]({address}/a)\n\n<img src='{address}/b'>\n\n[l]({address}/c)\n\n{END}", "utf-8"
            )
            return path, "text/markdown"
        case "page of frames":
            (folder / "in.html").write_text(calling_markup(address), "utf-8")
            path.write_text(
                f"<!doctype html><frameset><frame src='{address}/f'><frame src='in.html'></frameset>", "utf-8"
            )
            return path, "text/html"
    path.write_text(f"<!doctype html><html><body>{calling_markup(address)}</body></html>", "utf-8")
    return path, "text/html"


@pytest.mark.parametrize("kind", ["book", "page", "page of frames", "text"])
def test_nothing_is_asked_for(kind: str, reader: TextReader, ear: Ear, tmp_path: Path) -> None:
    path, content_type = written(kind, tmp_path, ear.address)
    failed: list[str] = []
    reader.load_failed.connect(failed.append)
    assert reader.open(path, "hostile", content_type=content_type)
    until(lambda: failed or END in reader.view.toPlainText(), "the page", 60)
    assert not failed
    view = reader.view.viewport()
    for y in range(10, view.height(), 40):
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(60, y))
    reader.grab()
    settle(20)
    assert ear.heard == []


@pytest.mark.parametrize(
    "name",
    [
        "epub: 100,000 deep",
        "epub: laughs in a chapter",
        "html: 100,000 deep formulas",
        "html: spans of cells",
        "epub: large chapters",
    ],
)
def test_a_bomb_ends_in_pages_or_in_a_sentence(name: str, reader: TextReader, tmp_path: Path) -> None:
    bombs = EPUB_BOMBS if name.startswith("epub") else HTML_BOMBS
    path = bombs[name.partition(": ")[2]](tmp_path)
    failed: list[str] = []
    reader.load_failed.connect(failed.append)
    assert reader.open(path, "hostile", content_type=TYPES[path.suffix])
    until(
        lambda: failed or "whatever else the file holds" in reader.view.toPlainText(),
        "pages or a sentence",
        60,
    )
    assert all(said.endswith(".") for said in failed)
    assert bool(failed) == (name == "epub: large chapters")
