"""Every chunk of every book leads back to its text, by its anchor and the standard alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.support.text_recovery import Trees, in_order, plain
from zbm_core.documents.chunker import cut
from zbm_core.documents.epub.document import read_epub
from zbm_core.documents.reading.book import Book
from zbm_core.documents.reading.sources import EpubSource
from zbm_core.documents.structure import Chunk, SelectorAnchor

FOLDER = Path(__file__).resolve().parents[5] / "shared" / "documents" / "epub"
BOOKS = sorted(FOLDER.glob("*.epub"))
LONG = {"linear_algebra_mathml.epub"}
"""Books of which every twentieth chunk is looked at, for the tests' time; all were, once, with the same result."""


@pytest.fixture(params=BOOKS or [None], ids=lambda path: path.stem if path else "none")
def path(request: pytest.FixtureRequest) -> Path:
    if request.param is None:
        pytest.skip("the test data folder beside the project is not here")
    return request.param


@cache
def chunks_of(path: Path) -> list[Chunk]:
    return cut(read_epub(path))


def test_the_text_at_each_anchor_holds_the_chunk(path: Path) -> None:
    chunks = chunks_of(path)
    assert chunks
    trees = Trees(path)
    for chunk in chunks[:: 20 if path.name in LONG else 1]:
        assert isinstance(chunk.anchor, SelectorAnchor)
        recovered = "".join(trees.text(selector.value) for selector in chunk.anchor.selectors)
        assert in_order(chunk.text, recovered), (chunk.anchor, chunk.text, recovered)
    trees.close()


def test_the_reader_shows_the_chunk_at_its_places(path: Path) -> None:
    chunks = chunks_of(path)
    step = 20 if path.name in LONG else 1
    source = EpubSource(path)
    book = Book(source)
    for chunk in chunks[::step]:
        assert isinstance(chunk.anchor, SelectorAnchor)
        shown = []
        for place in book.places(chunk.anchor):
            blocks = book.section(place.section).blocks
            parts = list(blocks[place.start_block : place.end_block + 1])
            parts[-1] = parts[-1][: place.end]
            parts[0] = parts[0][place.start :]
            shown += parts
        assert in_order(chunk.text, plain("".join(shown))), (chunk.anchor, chunk.text, shown)
    source.close()


def test_a_place_gives_the_selector_it_was_found_by(path: Path) -> None:
    if path.name in LONG:
        pytest.skip("the shorter books show it")
    chunks = chunks_of(path)
    source = EpubSource(path)
    book = Book(source)
    for chunk in chunks[:: max(1, len(chunks) // 20)]:
        assert isinstance(chunk.anchor, SelectorAnchor)
        for selector in chunk.anchor.selectors:
            places = book.places(SelectorAnchor((selector,)))
            if len(places) == 1:
                assert book.selector(places[0]) == selector
    source.close()


def test_a_wrong_anchor_would_be_seen(path: Path) -> None:
    if path.name in LONG:
        pytest.skip("the shorter books show it")
    for chunk in chunks_of(path):
        assert isinstance(chunk.anchor, SelectorAnchor)
        head, _, end = chunk.anchor.selectors[-1].value.rpartition(":")
        if int(end[:-1]) > 2:
            break
    trees = Trees(path)
    recovered = trees.text(f"{head}:{int(end[:-1]) - 2})")
    trees.close()
    assert not in_order(chunk.text.split("\n")[-1], recovered)
