"""`Engine.run`: both indexes in one call, giving way to a kick, over libraries that change."""

from __future__ import annotations

import sqlite3

import psutil
import pytest

from tests.support.small_library import write_pdf
from zbm_core.errors import CancelToken
from zbm_core.indexing import Step
from zbm_core.indexing import run as run_module
from zbm_core.library import ItemKey
from zbm_core.search.records import SearchRequest


@pytest.fixture
def engine(tiny_engine):
    return tiny_engine


@pytest.fixture
def whole(engine, small):
    """An engine whose library is indexed by both."""
    engine.open_library(small.folder)
    outcome = run(engine)
    assert outcome.finished and outcome.meaning_error is None
    return engine


def run(engine, **options):
    return engine.run(patient=False, **options)


def change(small, statement, *values):
    db = sqlite3.connect(small.folder / "zotero.sqlite")
    with db:
        db.execute(statement, values)
    db.close()


def found(engine, text):
    return [match.item.key for match in engine.search(SearchRequest(text, margin=100)).result.matches]


def cost(outcome):
    """What a run had to do: sources written, removed, passages embedded."""
    return outcome.indexed, outcome.deleted, outcome.embedding.embedded


def vectors(engine):
    return {key.key for key in engine._desk.meaning.index.stamps()}


def test_one_run_does_both(whole, small):
    status = whole.meaning_status()
    assert status.embedded == status.total > 5
    assert found(whole, "drained decades")[0] == small.soil
    assert small.soil_pdf in vectors(whole)


def reading_children():
    """Only of this process's own: tests run side by side."""
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if any("documents.worker" in part for part in child.cmdline())
    ]


def test_no_child_that_reads_outlives_what_there_is_to_read(engine, small):
    engine.open_library(small.folder)
    during = []

    def on_progress(progress):
        if progress.step is Step.EXTRACT:
            during.extend(reading_children())
        if progress.step is Step.CUT:
            assert not reading_children()  # their memory is the model's now

    assert run(engine, on_progress=on_progress).finished
    assert during and not reading_children()
    write_pdf(
        small.folder / "storage" / small.soil_pdf / "soil.pdf", ["Quicklime and marl are spread in autumn."]
    )
    assert run(engine).indexed == 1  # others come when they are needed


def test_bars_and_steps(engine, small, monkeypatch):
    monkeypatch.setattr(run_module, "TELL_EVERY", 0.0)
    engine.open_library(small.folder)
    told = []
    last = run(engine, on_progress=told.append).progress
    assert last.records.words == last.records.meaning == last.records.total == 5
    assert last.attachments.words == last.attachments.meaning == last.attachments.total == 2
    assert last.records.share == last.attachments.share == 1.0
    assert (last.passages_waiting, last.items_waiting, last.in_words) == (0, 0, "")
    steps = list(dict.fromkeys(progress.step for progress in told))
    assert steps[:3] == [Step.READING, Step.RECORDS, Step.RECORDS_MEANING]
    assert steps[-1] is Step.DONE
    assert [steps.index(step) for step in (Step.RECONCILE, Step.EXTRACT, Step.CUT, Step.EMBED)] == sorted(
        steps.index(step) for step in (Step.RECONCILE, Step.EXTRACT, Step.CUT, Step.EMBED)
    )
    assert "Generating semantic data locally for 2 items" in {progress.in_words for progress in told}
    assert all(progress.seconds_left is None for progress in told)  # nothing is established so soon


def test_an_unchanged_library_costs_nothing(whole):
    assert cost(run(whole)) == (0, 0, 0)


def test_item_fields(whole, small):
    change(
        small,
        "UPDATE itemDataValues SET value = 'Lanterns and beetles at dusk' WHERE valueID = (SELECT d.valueID FROM itemData d "
        "JOIN items i USING (itemID) JOIN fields f USING (fieldID) WHERE i.key = ? AND f.fieldName = 'title')",
        small.lamps,
    )
    outcome = run(whole)
    assert (outcome.indexed, outcome.deleted) == (1, 0) and outcome.embedding.embedded == 1
    assert small.lamps in found(whole, "beetles")


def test_notes(whole, small):
    change(
        small,
        "UPDATE itemNotes SET note = '<p>Bilberries and cranberries ripen late</p>' WHERE parentItemID IS NOT NULL",
    )
    change(
        small,
        "UPDATE items SET dateModified = '2031-01-01 00:00:00' WHERE itemID IN (SELECT itemID FROM itemNotes)",
    )
    outcome = run(whole)
    assert outcome.indexed >= 1 and outcome.embedding.embedded >= 1
    assert found(whole, "cranberries")


def test_annotations(whole, small):
    change(small, "UPDATE itemAnnotations SET comment = 'compare with the Dutch polders'")
    outcome = run(whole)
    assert (outcome.indexed, outcome.deleted) == (1, 0) and outcome.embedding.embedded == 1
    assert small.soil in found(whole, "polders")


def test_a_file_of_another_content(whole, small):
    write_pdf(
        small.folder / "storage" / small.soil_pdf / "soil.pdf", ["Quicklime and marl are spread in autumn."]
    )
    outcome = run(whole)
    assert outcome.indexed == 1 and outcome.embedding.embedded == 1
    assert small.soil in found(whole, "quicklime")


def test_a_file_of_another_time_and_the_same_content(whole, small):
    import os

    os.utime(small.folder / "storage" / small.soil_pdf / "soil.pdf", (1, 1))
    assert cost(run(whole)) == (0, 0, 0)


def test_trash_and_back(whole, small):
    change(small, "INSERT INTO deletedItems (itemID) SELECT itemID FROM items WHERE key = ?", small.soil)
    outcome = run(whole)
    assert outcome.deleted == 3
    assert not {small.soil, small.soil_pdf} & vectors(whole)
    change(
        small, "DELETE FROM deletedItems WHERE itemID IN (SELECT itemID FROM items WHERE key = ?)", small.soil
    )
    assert run(whole).indexed == 3
    assert small.soil in found(whole, "drained decades")


def test_a_move_between_collections_costs_nothing(whole, small):
    change(small, "DELETE FROM collectionItems")
    assert cost(run(whole)) == (0, 0, 0)
    assert whole.library.in_collection(next(iter(whole.library.collections)), True) == set()


def test_another_profile_is_another_library(whole, small):
    change(small, "UPDATE settings SET value = 'zzzzzzzz' WHERE setting = 'account' AND key = 'localUserKey'")
    whole.close()
    whole.open_library(small.folder)
    assert whole.index_notice()
    outcome = run(whole)
    assert outcome.indexed == 7 and outcome.embedding.embedded > 5


def test_a_kick_during_the_attachments_work_is_taken_before_it_ends(whole, small, monkeypatch):
    monkeypatch.setattr(run_module, "TELL_EVERY", 0.0)
    pdf = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    write_pdf(pdf, ["Quicklime and marl are spread in autumn."])
    libraries, order = [], []

    def on_progress(progress):
        order.append(progress.step)
        if progress.step is Step.EXTRACT and not libraries:
            libraries.append(None)
            change(small, "UPDATE itemAnnotations SET comment = 'compare with the Dutch polders'")
            whole.kick()

    outcome = run(whole, on_progress=on_progress, on_library=libraries.append)
    assert outcome.finished
    assert libraries[1] is whole.library
    first = order.index(Step.EXTRACT)
    assert Step.RECORDS in order[first : order.index(Step.DONE)]
    assert small.soil in found(whole, "polders") and small.soil in found(whole, "quicklime")
    assert cost(run(whole)) == (0, 0, 0)


def test_cut_short_it_goes_on(engine, small):
    engine.open_library(small.folder)
    cancel = CancelToken()

    def on_progress(progress):
        if progress.step is Step.CUT:
            cancel.cancel()

    first = run(engine, cancel=cancel, on_progress=on_progress)
    assert not first.finished
    second = run(engine)
    assert second.finished and second.indexed == 0 and second.embedding.embedded > 0


def test_meaning_switched_off_during_a_run(engine, small):
    engine.open_library(small.folder)

    def on_progress(progress):
        if progress.step is Step.EXTRACT and engine.settings.get("search.semantic"):
            engine.settings.set("search.semantic", False)
            engine.kick()

    outcome = run(engine, on_progress=on_progress)
    assert outcome.finished and outcome.embedding is None
    assert engine._desk.meaning is None
    assert small.soil in found(engine, "drained decades")


def test_a_damaged_pack_is_read_again_and_said(whole, small):
    documents = whole._documents
    pack = documents._path(ItemKey(1, small.soil_pdf))
    whole.close()
    content = bytearray(pack.read_bytes())
    content[-3] ^= 255
    pack.write_bytes(content)
    (whole.home_of(small.folder) / "open").touch()  # the last end was none
    whole.open_library(small.folder)
    said = []
    assert run(whole, on_notice=said.append).reread == 1
    assert said and "read again" in said[0]
    assert whole._documents.chunks(ItemKey(1, small.soil_pdf))
