"""A newer version reads again only what it reads otherwise, and indexes again only what says something else."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.support.small_library import LAMPS, TILLAGE, write_pdf
from tests.zbm_core.indexing.test_embedding import embedded, meaningful, models  # noqa: F401
from zbm_core.documents import DocumentStore, chunker, stamps
from zbm_core.engine import Engine
from zbm_core.library import ItemKey
from zbm_core.search.records import SearchRequest

NEWER = Path(__file__).resolve().parents[2] / "support" / "newer_worker.py"


@pytest.fixture
def raised(monkeypatch):
    """Raise versions in this process, and give an engine children that have them too."""

    def raise_(engine: Engine, *, least_chunker: bool = False, **versions: int) -> None:
        monkeypatch.setattr(stamps, "EXTRACTOR_VERSIONS", dict(stamps.EXTRACTOR_VERSIONS))
        for name, more in versions.items():
            if name == "chunker":
                for module in (stamps, chunker):
                    monkeypatch.setattr(module, "CHUNKER_VERSION", module.CHUNKER_VERSION + more)
            else:
                stamps.EXTRACTOR_VERSIONS[name] += more
        if least_chunker:
            monkeypatch.setattr(stamps, "MIN_CHUNKER_VERSION", stamps.CHUNKER_VERSION)
        give(engine, [sys.executable, "-P", str(NEWER), json.dumps(versions)])

    return raise_


def give(engine: Engine, command: list[str]) -> None:
    """Have *engine* read documents by *command*."""
    engine._documents.close()
    engine._documents = DocumentStore(engine._documents._folder, command=lambda: command)


def nothing_is_read(engine: Engine) -> bool:
    """Whether a run finishes where no reading child could start."""
    give(engine, ["/no/such/program"])
    return engine.index().finished


def stamp(engine: Engine, key: str) -> str:
    return engine.document(ItemKey(1, key)).stamp


def test_a_newer_extractor_of_one_format_reads_no_file_of_another(indexed, small, raised):
    before = stamp(indexed, small.soil_pdf)
    raised(indexed, html=1, epub=1, text=1)
    assert nothing_is_read(indexed)
    assert stamp(indexed, small.soil_pdf) == before


def test_a_newer_extractor_that_finds_the_same_writes_no_row_and_no_vector(embedded, small, raised):  # noqa: F811
    before = stamp(embedded, small.soil_pdf)
    raised(embedded, pdf=1)
    assert embedded.document(ItemKey(1, small.soil_pdf)) is None
    report = embedded.index()
    assert (report.finished, report.indexed, report.deleted) == (True, 0, 0)
    assert stamp(embedded, small.soil_pdf) != before
    assert embedded.embed().embedded == 0
    assert nothing_is_read(embedded)


def test_a_newer_chunker_leaves_documents_as_they_were_cut(indexed, small, raised):
    before = stamp(indexed, small.soil_pdf)
    raised(indexed, chunker=1)
    assert nothing_is_read(indexed)
    assert stamp(indexed, small.soil_pdf) == before


def test_a_newer_chunker_cuts_a_file_that_changes(indexed, small, raised):
    raised(indexed, chunker=1)
    write_pdf(small.folder / "storage" / small.soil_pdf / "soil.pdf", [LAMPS])
    indexed.index()
    assert stamp(indexed, small.soil_pdf).split("|")[3] == str(stamps.CHUNKER_VERSION)
    assert stamp(indexed, small.standalone).split("|")[3] == str(stamps.CHUNKER_VERSION - 1)


def test_a_chunker_can_force_and_texts_that_stay_keep_their_vectors(embedded, small, raised):  # noqa: F811
    raised(embedded, chunker=1, least_chunker=True)
    assert embedded.document(ItemKey(1, small.soil_pdf)) is None
    report = embedded.index()
    # Items, notes and annotations are cut when they are read back, so their rows follow the cut.
    assert (report.finished, report.indexed) == (True, 5)
    assert stamp(embedded, small.soil_pdf).split("|")[3] == str(stamps.CHUNKER_VERSION)
    assert embedded.embed().embedded == 0
    assert nothing_is_read(embedded)


def test_a_touched_file_is_read_and_nothing_is_written(embedded, small):  # noqa: F811
    pdf = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    pdf.touch()
    report = embedded.index()
    assert (report.finished, report.indexed) == (True, 0)
    assert embedded.embed().embedded == 0


def test_a_tag_costs_no_vector(embedded, small):  # noqa: F811
    db = sqlite3.connect(small.folder / "zotero.sqlite")
    with db:
        db.execute("INSERT INTO tags (tagID, name) VALUES (900, 'loess')")
        db.execute(
            "INSERT INTO itemTags (itemID, tagID, type) SELECT itemID, 900, 0 FROM items WHERE key = ?",
            (small.soil,),
        )
    db.close()
    assert embedded.refresh() is not None
    assert embedded.index().indexed >= 1
    assert embedded.embed().embedded == 0
    assert embedded.search(SearchRequest("loess", margin=100)).result.matches[0].item.key == small.soil


def test_of_a_changed_document_only_the_new_texts_are_embedded(embedded, small):  # noqa: F811
    pdf = small.folder / "storage" / small.standalone / "lamps.pdf"
    pages = [TILLAGE * 5 + f" Section {n}." for n in range(4)]
    write_sections(pdf, pages)
    embedded.index()
    whole = embedded.embed().embedded
    pages[2] = LAMPS * 5
    write_sections(pdf, pages)
    assert embedded.index().indexed == 1
    assert 0 < embedded.embed().embedded < whole / 2


def write_sections(path: Path, texts: list[str]) -> None:
    """A PDF with an entry of its outline for each page."""
    import pymupdf

    document = pymupdf.open()
    for number, text in enumerate(texts):
        page = document.new_page(width=420, height=595)
        page.insert_text((50, 60), f"Part {number + 1}", fontsize=18, fontname="hebo")
        page.insert_textbox(pymupdf.Rect(50, 90, 370, 540), text, fontsize=8, fontname="tiro")
    document.set_toc([[1, f"Part {number + 1}", number + 1] for number in range(len(texts))])
    document.save(path)
    document.close()
