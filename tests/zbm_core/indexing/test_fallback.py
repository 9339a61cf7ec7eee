"""Where a file is absent, the text Zotero keeps of it is searched, said to be that, and claims no page."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from zbm_core.documents.structure import Outcome
from zbm_core.library import ItemKey
from zbm_core.search.records import Kind, SearchRequest

KEPT = (
    "Sphagnum grows where the water table stays close to the surface.\n\nCranberries thrive on the hummocks."
)


@pytest.fixture
def folder(small) -> Path:
    """The storage folder of the soil article, with Zotero's text of it and without the file."""
    folder = small.folder / "storage" / small.soil_pdf
    (folder / "soil.pdf").unlink()
    (folder / ".zotero-ft-cache").write_text(KEPT, encoding="utf-8")
    return folder


def matches(engine, text):
    return engine.search(SearchRequest(text, margin=100)).result.matches


def report(engine, small):
    return engine.document(ItemKey(1, small.soil_pdf))


def mark_as_synced(small) -> None:
    db = sqlite3.connect(small.folder / "zotero.sqlite")
    with db:
        db.execute(
            "UPDATE itemAttachments SET syncState = 2 WHERE itemID = (SELECT itemID FROM items WHERE key = ?)",
            (small.soil_pdf,),
        )
    db.close()


def test_a_missing_file_is_searched_by_zoteros_text_and_stays_on_the_list(engine, small, folder):
    engine.open_library(small.folder)
    run = engine.index()
    assert run.finished and run.progress.attention == 1
    session = engine.search(SearchRequest("sphagnum water table", margin=100))
    [match] = session.result.matches
    assert match.item.key == small.soil
    [passage] = [found for found in session.previews(match.item) if found.kind is Kind.ATTACHMENT]
    assert "Sphagnum" in passage.text
    assert (passage.page, passage.page_label, passage.anchor) == (None, "", None)
    found = report(engine, small)
    assert found.outcome is Outcome.INDEXED and found.fallback and found.pages is None
    assert "not in Zotero's storage folder" in found.reason and "Zotero's own text" in found.reason
    [(attachment, listed)] = engine.documents_needing_attention()
    assert attachment.key.key == small.soil_pdf and listed == found
    assert engine.status().attention == 1
    assert (engine.index().indexed, engine.index().deleted) == (0, 0)


def test_a_file_still_to_be_downloaded_asks_nothing_of_the_user(engine, small, folder):
    mark_as_synced(small)
    engine.open_library(small.folder)
    assert engine.index().progress.attention == 0
    assert matches(engine, "cranberries")
    assert "not on this computer yet" in report(engine, small).reason
    assert engine.documents_needing_attention() == []


def test_a_text_from_the_servers_serves_too(engine, small, folder):
    (folder / ".zotero-ft-cache").unlink()
    (folder / ".zotero-ft-unprocessed").write_text(json.dumps({"text": "Bilberries on acid ground."}))
    engine.open_library(small.folder)
    engine.index()
    assert matches(engine, "bilberries") and report(engine, small).fallback


def test_when_the_text_changes_it_is_read_again(engine, small, folder):
    engine.open_library(small.folder)
    engine.index()
    (folder / ".zotero-ft-cache").write_text(
        "Bilberries on acid ground, in the shade of pines.", encoding="utf-8"
    )
    assert report(engine, small) is None
    assert engine.index().indexed == 1
    assert matches(engine, "bilberries") and not matches(engine, "cranberries")


def test_when_the_file_arrives_it_is_read(indexed, small):
    file = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    whole = file.read_bytes()
    file.unlink()
    (file.parent / ".zotero-ft-cache").write_text(KEPT, encoding="utf-8")
    indexed.index()
    assert matches(indexed, "cranberries") and not matches(indexed, "drained decades")
    file.write_bytes(whole)
    assert report(indexed, small) is None
    indexed.index()
    found = report(indexed, small)
    assert (found.fallback, found.pages, found.reason) == (False, 2, "")
    assert matches(indexed, "drained decades") and not matches(indexed, "cranberries")
    # From here on Zotero's text is of no account.
    (file.parent / ".zotero-ft-cache").write_text("Something else.", encoding="utf-8")
    assert report(indexed, small) == found


def test_when_the_text_goes_too_the_document_leaves_the_index(engine, small, folder):
    engine.open_library(small.folder)
    engine.index()
    (folder / ".zotero-ft-cache").unlink()
    assert report(engine, small).outcome is Outcome.MISSING
    engine.index()
    assert not matches(engine, "cranberries")


def test_a_text_that_says_nothing_leaves_the_file_missing(engine, small, folder):
    (folder / ".zotero-ft-cache").write_text("~ ' . | ^ ; ~ - ' . ` | _ . ~ ' . | ^ ; ~", encoding="utf-8")
    engine.open_library(small.folder)
    assert engine.index().progress.attention == 1
    assert report(engine, small).outcome is Outcome.MISSING
    assert engine.index().finished
