"""Small files that would be huge: each ends in a stated outcome, within a GB and without harming what is read next.

Which one is the same on every machine: what decides are bounds of the files, and none of them is of time. Bombs that take
seconds even so are tried with ``pytest --thorough 2``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.conftest import GIGABYTE, Read
from tests.support import hostile_pdfs
from tests.support.hostile_texts import EPUB_BOMBS, HTML_BOMBS, PROSE, TEXT_BOMBS, Bomb
from tests.support.seed_documents import TYPES
from zbm_core.documents import Outcome, ReadingError, TextBook
from zbm_core.documents.reading import client as reading

READ, LARGE = Outcome.INDEXED, Outcome.TOO_LARGE
BROKEN, EMPTY = Outcome.DAMAGED, Outcome.NO_TEXT

SHOWN_WITHIN = 12.0
"""Seconds of work for one question to a reader's child: a bomb shall show that it is ended, not when."""

PDF = {
    "flate ratio": EMPTY,
    "many glyphs": READ,
    "doubling forms": LARGE,
    "form in itself": READ,
    "deep page tree": READ,
    "page tree in itself": BROKEN,
    "false count": BROKEN,
    "object stream": BROKEN,
    "outline in itself": READ,
    "huge picture": READ,
    "type 3 in itself": READ,
    "deep arrays": BROKEN,
    "many annotations": READ,
}
EPUB = {
    "a chapter of a GB": LARGE,
    "sizes that lie": BROKEN,
    "entries over each other": READ,
    "archives in archives": READ,
    "large chapters": LARGE,
    "laughs in a chapter": READ,
    "laughs in an attribute": READ,
    "entities of a size": READ,
    "laughs in the package": READ,
    "laughs in the outline": READ,
    "100,000 deep": READ,
    "100,000 deep outline": READ,
    "100,000 deep package": BROKEN,
    "a million attributes": READ,
    "a million columns": LARGE,
    "a spine without end": LARGE,
    "a manifest without end": READ,
    "ids without end": READ,
    "pictures without measure": READ,
}
HTML = {
    "500 MB": LARGE,
    "250 MB": READ,
    "100,000 deep divisions": READ,
    "100,000 deep spans": READ,
    "100,000 deep lists": READ,
    "100,000 deep formulas": READ,
    "100,000 marks": READ,
    "a million attributes": READ,
    "a million columns": READ,
    "spans of cells": READ,
    "a million lines": READ,
    "formatting that is opened again": READ,
    "formatting that is made again": LARGE,
    "an attribute of 30 MB": READ,
    "a picture of 200 MB": READ,
    "a selector a line": READ,
    "a million classes": READ,
    "entities without end": READ,
    "left angles": READ,
    "an archive of parts": BROKEN,
}
TEXT = {
    "500 MB": READ,
    "a line of 30 MB": READ,
    "lines of nothing": READ,
    "lines of one sign": EMPTY,
    "markdown that nests": READ,
    "a table of a million columns": READ,
    "json that nests": READ,
}
IN_PART = {
    "html: 250 MB",
    "html: a million columns",
    "html: a million lines",
    "text: 500 MB",
    "text: lines of nothing",
}
"""Of these the first part is searched, and that is said."""

ELSEWHERE = {"html: formatting that is made again", "pdf: doubling forms", "pdf: many annotations"}
"""Near or beyond the bound of memory. Linux holds a child to it from within; elsewhere it is ended from outside, and the
sentence is another."""

ALL = {
    **{f"pdf: {name}": (make, PDF[name]) for name, make in hostile_pdfs.BOMBS.items()},
    **{f"epub: {name}": (make, EPUB[name]) for name, make in EPUB_BOMBS.items()},
    **{f"html: {name}": (make, HTML[name]) for name, make in HTML_BOMBS.items()},
    **{f"text: {name}": (make, TEXT[name]) for name, make in TEXT_BOMBS.items()},
}

SLOW = {
    "text: json that nests", "pdf: doubling forms",
    "pdf: many glyphs", "pdf: deep page tree", "pdf: many annotations", "pdf: flate ratio", "epub: a million attributes",
    "epub: a manifest without end", "epub: ids without end", "html: 250 MB", "html: 100,000 deep lists",
    "html: 100,000 deep formulas", "html: a million columns", "html: a million lines", "html: left angles",
    "html: formatting that is opened again", "html: an archive of parts", "text: 500 MB", "text: a line of 30 MB",
    "text: lines of nothing", "text: lines of one sign", "text: a table of a million columns", "epub: sizes that lie",
    "html: formatting that is made again", "epub: a chapter of a GB", "html: a picture of 200 MB",
}  # fmt: skip
"""More than a second of work each."""


def written(name: str, folder: Path) -> Path:
    make = ALL[name][0]
    if not name.startswith("pdf"):
        return make(folder)
    path = folder / "a.pdf"
    path.write_bytes(make())
    return path


WORDS = {
    LARGE: re.compile("too large|larger .* are not read"),
    BROKEN: re.compile("is damaged|cut off or damaged"),
    EMPTY: re.compile("hold no text|is unreadable"),
}
"""What a person is told."""


@pytest.fixture(params=list(ALL))
def bomb(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    if request.param in SLOW and request.config.getoption("--thorough") < 2:
        pytest.skip("takes seconds; tried with --thorough 2")
    return request.param, written(request.param, tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_read_for_the_index(bomb: tuple[str, Path], read: Callable[..., Read], tmp_path: Path) -> None:
    name, path = bomb
    found = read(path, TYPES.get(path.suffix, "text/plain"))
    report = found.report
    if name in ELSEWHERE and not sys.platform.startswith("linux") and report.outcome is Outcome.FAILED:
        assert "needed too much memory" in report.reason
        return
    assert report.outcome is ALL[name][1], report.reason
    if report.outcome is not READ:
        assert WORDS[report.outcome].search(report.reason) and report.reason.endswith((".", ")"))
    assert ("only its first part is searched" in report.reason) == (name in IN_PART)
    assert found.memory <= GIGABYTE
    assert sum(len(chunk.text) for chunk in found.chunks) <= 64 << 20
    if name.startswith(("epub: laughs", "epub: entities")):
        assert "ha ha" not in found.text and "qqqq" not in found.text
        assert "whatever else the file holds" in found.text


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_shown(bomb: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader's child ends the same way: with pages, or with a sentence."""
    from tests.support.watching import ChildWatch

    name, path = bomb
    if name.startswith("pdf"):
        pytest.skip("PDFs are shown by Qt's reader")
    monkeypatch.setattr(reading, "BOUNDS", reading.BOUNDS._replace(stall=SHOWN_WITHIN, cpu=2 * SHOWN_WITHIN))
    with ChildWatch() as watch, TextBook(path, TYPES.get(path.suffix, "text/plain")) as book:
        try:
            contents = book.contents()
            pages = [book.section(number) for number in range(min(3, len(contents.sections)))]
        except ReadingError as error:
            assert error.message.endswith(".") and "Traceback" not in error.message
        else:
            assert all(len(page.html) < 16 << 20 for page in pages)
            assert "ha ha ha" not in "".join(page.html for page in pages)
    assert watch.most <= GIGABYTE


def test_every_bomb_has_its_outcome() -> None:
    tables: list[tuple[dict[str, Bomb], dict]] = [(EPUB_BOMBS, EPUB), (HTML_BOMBS, HTML), (TEXT_BOMBS, TEXT)]
    assert all(set(bombs) == set(outcomes) for bombs, outcomes in tables)
    assert set(hostile_pdfs.BOMBS) == set(PDF) and set(ALL) >= SLOW


def test_pictures_without_measure_are_not_decoded(tmp_path: Path) -> None:
    """Names and sizes in the head of a file decide, before a byte is inflated."""
    path = EPUB_BOMBS["pictures without measure"](tmp_path)
    with TextBook(path, "application/epub+zip") as book:
        assert "whatever else" in book.section(0).html
        for name in ("OEBPS/p0.png", "OEBPS/p1.png"):
            with pytest.raises(ReadingError):
                book.image(name)
        assert book.image("OEBPS/p2.png").startswith(b"\x89PNG")


def test_the_next_document_is_read(tmp_path: Path, read: Callable[..., Read]) -> None:
    """A child that was ended for one document takes nothing from the next."""
    path = tmp_path / "a.pdf"
    path.write_bytes(hostile_pdfs.doubling_forms())
    ended = read(path, "application/pdf", 0.3).report
    assert ended.outcome is Outcome.FAILED
    assert ended.reason == "The file could not be read: reading took too long and was stopped."
    page = tmp_path / "b.html"
    page.write_text(f"<!doctype html><body>{PROSE}</body>")
    assert read(page, "text/html").report.outcome is Outcome.INDEXED
