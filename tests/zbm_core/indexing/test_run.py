import sqlite3
import sys
from pathlib import Path

import pytest

from resources.demo.zotero_database import ZoteroDatabase  # noqa: F401  (the writer the library was made with)
from tests.support.small_library import write_pdf
from zbm_core.documents import DocumentStore, worker_command
from zbm_core.documents.store import MAX_ATTEMPTS
from zbm_core.documents.structure import Outcome
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.indexing import Phase
from zbm_core.library import ItemKey
from zbm_core.search.records import SearchRequest

BROKEN_WORKER = Path(__file__).resolve().parents[2] / "support" / "broken_worker.py"


def found(engine, text):
    return [match.item.key for match in engine.search(SearchRequest(text, margin=100)).result.matches]


def change(small, statement, *values):
    """Change the library as Zotero would: in its own database, while we look on."""
    db = sqlite3.connect(small.folder / "zotero.sqlite")
    with db:
        db.execute(statement, values)
    db.close()


def set_title(small, key, title):
    change(
        small,
        "UPDATE itemDataValues SET value = ? WHERE valueID = (SELECT d.valueID FROM itemData d JOIN items i "
        "USING (itemID) JOIN fields f USING (fieldID) WHERE i.key = ? AND f.fieldName = 'title')",
        title,
        key,
    )


def test_everything_in_the_library_can_be_found(indexed, small):
    assert found(indexed, "plough") == [small.soil]
    assert found(indexed, "peat drained") == [small.soil]
    assert found(indexed, "Gomez") == [small.soil]
    assert found(indexed, "10.5555/plough") == [small.soil]
    assert small.lamps in found(indexed, "Turin")
    assert found(indexed, "mire drainage")[0] == small.soil
    assert small.standalone in found(indexed, "survey")
    assert found(indexed, "seminar") == [small.soil]  # an attachment's own note
    assert set(found(indexed, "moths")) == {small.lamps, small.standalone, small.group_item}


def test_what_is_in_the_trash_is_not(indexed):
    assert found(indexed, "trash") == []


def test_a_second_run_has_nothing_to_do(indexed):
    report = indexed.index()
    assert report.finished
    assert (report.indexed, report.deleted) == (0, 0)


def test_progress_counts_what_is_stored_and_ends_complete(engine, small):
    engine.open_library(small.folder)
    told = []
    report = engine.index(on_progress=told.append)
    assert report.finished
    assert told[0].phase is Phase.READING
    assert told[-1].phase is Phase.DONE
    assert [progress.documents_done for progress in told] == sorted(p.documents_done for p in told)
    last = told[-1]
    assert last.items_done == last.items_total == 5  # three items, a note, an annotation
    assert last.documents_done == last.documents_total == 2
    assert last.attention == 0
    stored = engine.status()
    assert (stored.items_done, stored.documents_done) == (5, 2)


def test_an_edited_item_is_found_by_its_new_words_only(indexed, small):
    set_title(small, small.lamps, "Lanterns and beetles")
    assert indexed.refresh() is not None
    report = indexed.index()
    assert report.indexed == 1
    assert found(indexed, "beetles") == [small.lamps]


def test_a_deleted_item_takes_its_children_with_it(indexed, small):
    change(small, "INSERT INTO deletedItems (itemID) SELECT itemID FROM items WHERE key = ?", small.soil)
    indexed.refresh()
    report = indexed.index()
    assert report.deleted == 3  # the item, its PDF, the annotation
    assert found(indexed, "peat") == []
    assert found(indexed, "mire drainage") == []


def test_a_changed_file_is_read_again(indexed, small):
    pdf = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    write_pdf(pdf, ["Quicklime and marl are spread in autumn."])
    report = indexed.index()
    assert report.indexed == 1
    assert found(indexed, "quicklime") == [small.soil]
    assert found(indexed, "drained decades") == []


def test_a_vanished_file_leaves_the_index_and_says_so(indexed, small):
    (small.folder / "storage" / small.soil_pdf / "soil.pdf").unlink()
    indexed.index()
    assert found(indexed, "drained decades") == []
    assert found(indexed, "plough") == [small.soil]
    (attention,) = indexed.documents_needing_attention()
    assert attention[0].key.key == small.soil_pdf
    assert attention[1].outcome is Outcome.MISSING
    assert attention[1].reason


def test_a_damaged_file_costs_that_document_only(engine, small):
    (small.folder / "storage" / small.soil_pdf / "soil.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    engine.open_library(small.folder)
    report = engine.index()
    assert report.finished
    assert report.progress.attention == 1
    assert found(engine, "supper") != []
    assert engine.document(ItemKey(1, small.soil_pdf)).outcome is Outcome.DAMAGED


def test_a_standalone_file_without_text_is_found_by_its_title(engine, small):
    (small.folder / "storage" / small.standalone / "lamps.pdf").write_bytes(b"")
    engine.open_library(small.folder)
    engine.index()
    assert found(engine, "survey") == [small.standalone]
    assert engine.index().indexed == 0


def test_reading_again_tries_a_failed_document_once_more(engine, small):
    pdf = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    whole = pdf.read_bytes()
    pdf.write_bytes(b"%PDF-1.7\nnothing more")
    engine.open_library(small.folder)
    engine.index()
    pdf.write_bytes(whole)
    engine.read_again([ItemKey(1, small.soil_pdf)])
    engine.index()
    assert found(engine, "drained decades") == [small.soil]


def test_a_cancelled_run_keeps_what_it_did_and_the_next_one_goes_on(engine, small):
    engine.open_library(small.folder)
    cancel = CancelToken()

    def stop_at_documents(progress):
        if progress.phase is Phase.DOCUMENTS:
            cancel.cancel()

    report = engine.index(cancel, stop_at_documents)
    assert not report.finished
    assert found(engine, "Turin") == [small.lamps]
    assert found(engine, "drained decades") == []
    resumed = engine.index()
    assert resumed.finished
    assert found(engine, "drained decades") == [small.soil]
    assert resumed.indexed == 2


def test_a_token_that_is_set_already_does_nothing(engine, small):
    engine.open_library(small.folder)
    cancel = CancelToken()
    cancel.cancel()
    report = engine.index(cancel)
    assert not report.finished
    assert report.indexed == 0
    with pytest.raises(Cancelled):
        engine.search(SearchRequest("moths"), cancel)


def test_a_reading_that_crashed_is_tried_again_by_the_next_runs_and_not_for_ever(engine, small):
    pdf = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    pdf.rename(pdf.with_name("crash.pdf"))  # the only file there, so it is the attachment's
    engine.open_library(small.folder)
    folder = engine._documents._folder
    broken = [sys.executable, "-P", str(BROKEN_WORKER)]

    def run(command):
        engine._documents.close()
        engine._documents = DocumentStore(folder, command=lambda: command)
        return engine.index()

    for _ in range(MAX_ATTEMPTS - 1):
        assert run(broken).progress.attention == 1
    assert engine.document(ItemKey(1, small.soil_pdf)).outcome is Outcome.FAILED
    whole = run(worker_command())
    assert whole.progress.attention == 0
    assert found(engine, "drained decades") == [small.soil]
    pdf.with_name("crash.pdf").touch()
    for _ in range(MAX_ATTEMPTS):
        assert run(broken).progress.attention == 1
    assert run(["/no/such/program"]).finished
