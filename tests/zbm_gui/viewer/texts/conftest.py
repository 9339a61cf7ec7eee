"""A reader of texts that is shown, and a book of five chapters."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from tests.zbm_gui.viewer.texts.made_book import MadeBook
from tests.zbm_gui.viewer.texts.reading import OUTLINE, SECTIONS
from tests.zbm_gui.waiting import settle, until
from zbm_gui.viewer import TextReader, motion


@pytest.fixture(autouse=True)
def still(monkeypatch):
    monkeypatch.setattr(motion, "ANIMATE", False)


@pytest.fixture
def opened(app):
    """Opens a made book in a reader that is shown."""
    readers = []

    def open_(book: MadeBook, matches=None, current=0, **kwargs) -> TextReader:
        reader = TextReader(make_book=lambda _path, _type: book)
        readers.append((reader, book))
        reader.resize(800, 700)
        reader.show()
        assert reader.open(Path("made.epub"), "Made", **kwargs)
        if matches is not None:
            reader.show_matches(matches, current)
        return reader

    yield open_
    for reader, book in readers:
        reader.close_document()
        until(book.closed.is_set, "the book to be closed")
        reader.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()


@pytest.fixture
def book() -> MadeBook:
    return MadeBook(SECTIONS, tags=["h2"], outline=OUTLINE)
