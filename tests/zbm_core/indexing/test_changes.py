"""Every change of a library is the change of what it is about, and of nothing else: whole runs over a copied library."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.support.small_library import write_pdf
from zbm_core.documents.structure import Outcome
from zbm_core.indexing import Machine
from zbm_core.library import ItemKey
from zbm_core.search.records import EngineChoice, Scope, SearchRequest

LATER = "2031-01-01 00:00:00"


class Zotero:
    """What a person does, in the library's own database and folders."""

    def __init__(self, small):
        self.small = small

    def do(self, *statements):
        with closing(sqlite3.connect(self.small.folder / "zotero.sqlite")) as db, db:
            return [db.execute(statement, values).lastrowid for statement, *values in statements]

    def number(self, key):
        with closing(sqlite3.connect(self.small.folder / "zotero.sqlite")) as db:
            return db.execute("SELECT itemID FROM items WHERE key = ?", (key,)).fetchone()[0]

    def attach(self, key, name, parent, pages):
        """A new PDF under *parent*."""
        folder = self.small.folder / "storage" / key
        folder.mkdir()
        write_pdf(folder / name, pages)
        (item,) = self.do(
            (
                "INSERT INTO items (itemTypeID, libraryID, key, dateAdded, dateModified, clientDateModified) VALUES "
                "((SELECT itemTypeID FROM itemTypes WHERE typeName = 'attachment'), 1, ?, ?, ?, ?)",
                key, LATER, LATER, LATER,
            )
        )  # fmt: skip
        self.do(
            (
                "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path) VALUES (?, ?, 0, ?, ?)",
                item, self.number(parent), "application/pdf", f"storage:{name}",
            )
        )  # fmt: skip

    def hang(self, attachment, parent):
        """Drag an attachment to another item."""
        self.do(
            (
                "UPDATE itemAttachments SET parentItemID = ? WHERE itemID = ?",
                self.number(parent),
                self.number(attachment),
            ),
            ("UPDATE items SET dateModified = ? WHERE key = ?", LATER, attachment),
        )

    def trash(self, key):
        self.do(("INSERT INTO deletedItems (itemID) VALUES (?)", self.number(key)))

    def restore(self, key):
        self.do(("DELETE FROM deletedItems WHERE itemID = ?", self.number(key)))

    def delete(self, *keys):
        """For good, children first."""
        for key in keys:
            number = self.number(key)
            for table in (
                "itemAnnotations",
                "itemNotes",
                "itemAttachments",
                "itemData",
                "itemCreators",
                "itemTags",
            ):
                self.do((f"DELETE FROM {table} WHERE itemID = ?", number))
            self.do(
                ("DELETE FROM collectionItems WHERE itemID = ?", number),
                ("DELETE FROM items WHERE itemID = ?", number),
            )


@pytest.fixture
def zotero(small):
    return Zotero(small)


@pytest.fixture
def whole(tiny_engine, small):
    """An engine whose library is indexed by both."""
    tiny_engine.open_library(small.folder)
    assert cost(tiny_engine)
    assert cost(tiny_engine) == (0, 0, 0)
    return tiny_engine


def cost(engine):
    """A run: sources written, removed, passages embedded."""
    outcome = engine.run(patient=False)
    assert outcome.finished and outcome.meaning_error is None and outcome.library_error is None
    return outcome.indexed, outcome.deleted, outcome.embedding.embedded


def found(engine, text, scope=None):
    """By words: the model of letters likens everything to everything."""
    request = SearchRequest(text, scope or Scope(), EngineChoice.WORDS, margin=100)
    return {match.item.key for match in engine.search(request).result.matches}


def vectors(engine):
    return {key.key for key in engine._desk.meaning.index.stamps()}


@pytest.fixture
def reads(whole, monkeypatch):
    """The names of the files that are read from now on."""
    read = []
    work = whole._documents._work

    def counting(number, job):
        answer = work(number, job)
        if not hasattr(answer, "outcome"):
            read.append(job.path.name if job.path else job.folder.name)
        return answer

    monkeypatch.setattr(whole._documents, "_work", counting)
    return read


# --- the set of attachments ---------------------------------------------------------------------------


def test_a_new_attachment_is_read_and_nothing_else_is(whole, zotero, small, reads):
    zotero.attach("NEWPDF22", "marl.pdf", small.lamps, ["Marl and quicklime are spread in autumn."])
    assert cost(whole) == (1, 0, 1)
    assert reads == ["marl.pdf"]
    assert small.lamps in found(whole, "quicklime")
    assert cost(whole) == (0, 0, 0)


def test_an_attachment_at_another_item_is_found_there(whole, zotero, small, reads):
    assert found(whole, "aggregates") == {small.soil}
    zotero.hang(small.soil_pdf, small.lamps)
    indexed, deleted, embedded = cost(whole)
    assert found(whole, "aggregates") == {small.lamps}
    assert (reads, deleted, embedded) == ([], 0, 0)  # its text is the same: no file is read, no vector made
    assert indexed == 2  # the document, and its annotation
    assert cost(whole) == (0, 0, 0)


def test_an_attachment_in_the_trash_leaves_its_item(whole, zotero, small, reads):
    zotero.trash(small.soil_pdf)
    assert cost(whole)[1:] == (2, 0)  # with its annotation
    assert found(whole, "aggregates") == set() and small.soil in found(whole, "tillage")
    assert small.soil_pdf not in vectors(whole)
    zotero.restore(small.soil_pdf)
    assert cost(whole)[:2] == (2, 0)
    assert found(whole, "aggregates") == {small.soil}
    assert reads == []  # what was read of it was kept
    assert cost(whole) == (0, 0, 0)


# --- the text of the file -----------------------------------------------------------------------------


def test_full_text_that_arrives_later_is_searched(whole, small, reads):
    file = small.folder / "storage" / small.soil_pdf / "soil.pdf"
    shutil.move(file, file.with_name("elsewhere"))
    assert cost(whole) == (1, 0, 0)  # its own note is still searched
    assert found(whole, "aggregates") == set()
    (file.parent / ".zotero-ft-cache").write_text("Cranberries thrive on the hummocks of the bog.", "utf-8")
    assert cost(whole) == (1, 0, 1)
    assert found(whole, "cranberries") == {small.soil}
    assert cost(whole) == (0, 0, 0)
    shutil.move(file.with_name("elsewhere"), file)
    assert cost(whole)[0] == 1
    assert found(whole, "cranberries") == set() and found(whole, "aggregates") == {small.soil}
    assert cost(whole) == (0, 0, 0)


def test_a_scan_whose_text_zotero_finds_later(whole, zotero, small, reads):
    zotero.attach("SCANNED2", "scan.pdf", small.lamps, [""])
    cost(whole)
    assert whole.document(ItemKey(1, "SCANNED2")).outcome is Outcome.NO_TEXT
    folder = small.folder / "storage" / "SCANNED2"
    (folder / ".zotero-ft-cache").write_text("Cranberries thrive on the hummocks of the bog.", "utf-8")
    assert cost(whole) == (1, 0, 1)
    assert found(whole, "cranberries") == {small.lamps}


@pytest.fixture
def replaced(whole, small):
    """The PDF of the soil article replaced by another of the same size and time."""

    def replace(in_place):
        file = small.folder / "storage" / small.soil_pdf / "soil.pdf"
        stat = file.stat()
        other = write_pdf(file.with_name("other.pdf"), ["Quicklime and marl are spread in autumn."])
        content = other.read_bytes()
        assert len(content) < stat.st_size
        content += b"\n" * (stat.st_size - len(content))
        other.write_bytes(content)
        if in_place:
            file.write_bytes(content)
            other.unlink()
        else:
            other.replace(file)
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        now = file.stat()
        assert (now.st_size, now.st_mtime_ns) == (stat.st_size, stat.st_mtime_ns)

    return replace


@pytest.mark.parametrize(
    "in_place",
    [
        False,
        pytest.param(
            True, marks=pytest.mark.skipif(os.name == "nt", reason="Windows keeps no time of such a change")
        ),
    ],
)
def test_a_file_of_other_content_with_the_same_size_and_time_is_read_again(
    whole, small, replaced, reads, in_place
):
    replaced(in_place)
    assert cost(whole) == (1, 0, 1)
    assert reads == ["soil.pdf"]
    assert found(whole, "quicklime") == {small.soil} and found(whole, "aggregates") == set()
    assert cost(whole) == (0, 0, 0)


def test_it_is_told_by_words_alone_and_after_a_restart(whole, small, replaced):
    whole.close()
    replaced(False)
    whole.open_library(small.folder)
    report = whole.index()
    assert (report.indexed, report.deleted) == (1, 0)
    assert report.progress.documents_done == report.progress.documents_total
    assert found(whole, "quicklime") == {small.soil}


def test_a_file_that_something_was_done_to_and_says_the_same_is_not_read(whole, small, reads):
    # Another copy of the whole data directory, as from a backup.
    storage = small.folder / "storage"
    shutil.copytree(storage, storage.with_name("copy"))
    shutil.rmtree(storage)
    storage.with_name("copy").rename(storage)
    assert cost(whole) == (0, 0, 0)
    assert reads == []
    contents = whole._runs._contents
    assert len(contents._known) == 2  # hashed once, and not again:
    contents._take = None
    assert cost(whole) == (0, 0, 0)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"format": 1, "files": [1]}', b'{"format": 99}', None])
def test_what_files_held_may_be_lost(whole, small, replaced, reads, damage):
    file = whole.home_of(small.folder) / "contents.json"
    whole.close()
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage)
    whole.open_library(small.folder)
    assert cost(whole) == (0, 0, 0)
    assert whole._runs._contents._known  # and is known again
    replaced(False)
    assert cost(whole) == (1, 0, 1)


def test_files_are_not_looked_into_on_battery(whole, small, replaced, monkeypatch):
    replaced(False)
    waits = ["Waiting for mains power"]
    monkeypatch.setattr(Machine, "why_wait", lambda _machine: waits[0])
    outcome = whole.run()  # there is nothing else to do
    assert outcome.finished and outcome.indexed == 0 and not outcome.progress.waiting
    waits[0] = ""
    assert whole.run().indexed == 1


# --- where items are ----------------------------------------------------------------------------------


def test_a_move_between_collections_is_a_change_of_scopes_alone(whole, zotero, small, reads):
    sub, top = (ItemKey(1, key) for key in (small.subcollection, small.collection))
    assert found(whole, "tillage", Scope(collection=sub)) == {small.soil}
    zotero.do(
        (
            "UPDATE collectionItems SET collectionID = (SELECT collectionID FROM collections WHERE key = ?) WHERE "
            "itemID = ?",
            small.collection,
            zotero.number(small.soil),
        )
    )
    assert cost(whole) == (0, 0, 0) and reads == []
    assert found(whole, "tillage", Scope(collection=sub)) == set()
    assert found(whole, "tillage", Scope(collection=top, subcollections=False)) == {small.soil}


def test_trash_and_back_reads_and_embeds_what_it_must(whole, zotero, small, reads):
    zotero.trash(small.soil)
    assert cost(whole) == (0, 3, 0)
    assert small.soil not in found(whole, "tillage")
    assert not {small.soil, small.soil_pdf, small.highlight} & vectors(whole)
    zotero.restore(small.soil)
    assert cost(whole)[:2] == (3, 0)
    assert small.soil in found(whole, "tillage") and reads == []
    assert cost(whole) == (0, 0, 0)


def test_what_is_deleted_for_good_leaves_both_indexes(whole, zotero, small, reads):
    zotero.delete(small.highlight, small.soil_pdf, small.soil)
    assert cost(whole) == (0, 3, 0)
    assert not {small.soil, small.soil_pdf, small.highlight} & vectors(whole)
    assert found(whole, "tillage") == found(whole, "aggregates") == set()
    # The file may still lie there, and means nothing.
    assert cost(whole) == (0, 0, 0) and reads == []
