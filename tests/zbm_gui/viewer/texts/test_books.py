"""Real books and web pages: what is marked on the page is what was found, letter for letter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.zbm_gui.waiting import settle, until
from zbm_core.documents import DocumentStore, TextBook
from zbm_core.documents.store import Job
from zbm_core.documents.structure import Chunk
from zbm_core.library import read_library
from zbm_core.library.records import ItemKey
from zbm_core.sources import annotation_anchor
from zbm_gui.viewer import ReaderMatch, TextReader, motion
from zbm_gui.viewer.texts.alignment import letters_of, text_of
from zbm_gui.viewer.texts.desk import OpenBook
from zbm_gui.viewer.texts.matching import standing_of
from zbm_gui.viewer.texts.pictures import TextPictures
from zbm_gui.viewer.texts.view import TextView

DEMO = Path(__file__).parents[4] / "resources" / "demo" / "library"
DOCUMENTS = Path(__file__).parents[5] / "shared" / "documents"
EPUB, WEB = "application/epub+zip", "text/html"
BOOKS = [
    ("epub/arabic_regime.epub", EPUB, 1),
    ("epub/georgia_cfi.epub", EPUB, 1),
    ("epub/haruko_ja.epub", EPUB, 1),
    ("epub/wasteland.epub", EPUB, 1),
    ("epub/zotero_1.epub", EPUB, 1),
    ("epub/zotero_2.epub", EPUB, 2),
    ("epub/indexing_eds.epub", EPUB, 3),
    ("epub/accessible_epub_3.epub", EPUB, 3),
    ("epub/linear_algebra_mathml.epub", EPUB, 200),
    ("html/derived_singlefile_style.html", WEB, 1),
    ("html/derived_shift_jis.html", WEB, 1),
    ("html/derived_utf16_bom.html", WEB, 1),
    ("html/zotero_snapshot_1.html", WEB, 1),
]


def chunks_of(path: Path, content_type: str, folder: Path) -> list[Chunk]:
    key = ItemKey(1, "BOOK2345")
    store = DocumentStore(folder)
    try:
        list(store.extract([Job(key, path, content_type)]))
        return store.chunks(key)
    finally:
        store.close()


@pytest.fixture
def view(app) -> Iterator[TextView]:
    widget = TextView(TextPictures())
    widget.resize(800, 700)
    yield widget
    widget.deleteLater()


@pytest.mark.parametrize(("name", "content_type", "every"), BOOKS, ids=[name for name, *_ in BOOKS])
def test_what_is_marked_is_the_passage(view, tmp_path, name, content_type, every):
    path = DOCUMENTS / name
    if not path.exists():
        pytest.skip(f"the test data folder beside the project has no {name}")
    chunks = chunks_of(path, content_type, tmp_path)
    assert chunks
    with TextBook(path, content_type) as text_book:
        book = OpenBook(text_book)
        right_to_left = book.book.contents().right_to_left
        shown = -1
        for chunk in chunks[::every]:
            middle = len(chunk.text) // 2
            match = ReaderMatch(anchor=chunk.anchor, text=chunk.text, quote=(middle, len(chunk.text)))
            standing = standing_of(match, book)
            marked = ""
            for place in standing.places:
                if place.section != shown:
                    shown = place.section
                    view.set_page(book.section(shown), "epub", right_to_left)
                    assert view.positions.strays == 0
                for stretch in view.positions.stretches(place):
                    marked += view.cursor_of(*stretch).selectedText()
            letters, wanted = letters_of(marked), letters_of(chunk.text)
            assert letters == wanted, f"chunk {chunk.index}"
            assert standing.quote is not None


def test_a_real_book_opens_at_its_passage(app, tmp_path, monkeypatch, request):
    monkeypatch.setattr(motion, "ANIMATE", False)
    path = DOCUMENTS / "epub/zotero_2.epub"
    if not path.exists():
        pytest.skip("the test data folder beside the project has no zotero_2.epub")
    chunk = chunks_of(path, EPUB, tmp_path)[150]
    start = len(chunk.text) // 3
    words = next(iter(chunk.text[start:].split(" ", 2)[1:2]))
    at = chunk.text.index(words, start)
    reader = TextReader()
    request.addfinalizer(reader.close_document)
    reader.resize(800, 700)
    reader.show()
    reader.open(path, "A book", content_type=EPUB)
    reader.show_matches(
        [
            ReaderMatch(
                (), (words,), "here", 0, chunk.anchor, chunk.text, (at, at + 200), ((at, at + len(words)),)
            )
        ]
    )
    until(lambda: reader._section >= 0 and reader.desk.idle)
    settle()
    marks = reader.view.extraSelections()  # own the cursors
    assert letters_of(marks[0].cursor.selectedText()) in letters_of(chunk.text)
    assert marks[-1].cursor.selectedText() == words
    line = reader.view._rect(marks[-1].cursor.selectionStart()).top()
    assert 0 < line < reader.view.viewport().height() * 0.6


def test_the_demo_librarys_annotations_stand_on_their_words(tmp_path):
    library = read_library(DEMO, tmp_path)
    checked = []
    for attachment in library.attachments.values():
        path = library.resolve(attachment).path
        if attachment.content_type not in (EPUB, WEB) or path is None:
            continue
        with TextBook(path, attachment.content_type) as book:
            book.contents()
            for key in library.children(attachment.key):
                annotation = library.annotations.get(key)
                if annotation is None:
                    continue
                places = book.places(annotation_anchor(annotation))
                marked = "".join(text_of(place, book.section(place.section).blocks) for place in places)
                assert letters_of(marked) == letters_of(annotation.text)
                checked.append(attachment.content_type)
    library.close()
    assert {EPUB, WEB} <= set(checked)
