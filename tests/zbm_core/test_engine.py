import threading
from types import SimpleNamespace

import pytest

from tests.support.tree_hash import tree_hash
from zbm_core.documents.structure import Selector
from zbm_core.engine import Engine, EngineError
from zbm_core.errors import ZbmError
from zbm_core.library import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import SearchRequest
from zbm_core.settings import Settings


def test_nothing_in_the_data_directory_is_ever_touched(engine, small):
    before = tree_hash(small.folder)
    engine.open_library(small.folder)
    engine.index()
    session = engine.search(SearchRequest("moths supper humus", margin=100))
    for match in session.result.matches:
        session.passages(match.item)
    engine.note_texts([ItemKey(1, small.lamps_note)])
    engine.refresh()
    engine.close()
    assert tree_hash(small.folder) == before


def test_asking_before_a_library_is_open_is_said_in_words(engine):
    for ask in (engine.index, engine.status, lambda: engine.search(SearchRequest("x")), engine.index_notice):
        with pytest.raises(EngineError, match="No library is open"):
            ask()
    assert engine.library is None
    assert not engine.changed_on_disk()


def test_a_library_that_cannot_be_opened_leaves_the_open_one(indexed, small, tmp_path):
    with pytest.raises(ZbmError):
        indexed.open_library(tmp_path / "nowhere")
    assert indexed.library.folder == small.folder
    assert indexed.search(SearchRequest("moths")).result.matches


def test_the_index_is_there_after_a_restart(indexed, small, tmp_path):
    indexed.close()
    paths = AppPaths.under(tmp_path / "app")
    again = Engine(paths, Settings(paths.config / "settings.json"))
    again.open_library(small.folder)
    assert again.search(SearchRequest("drained peat")).result.matches
    assert again.index().indexed == 0
    again.close()


def test_each_library_has_an_index_of_its_own(indexed, tmp_path):
    from tests.support.small_library import build

    other = build(tmp_path / "Zotero 2", tmp_path / "work2")
    indexed.open_library(other.folder)
    assert not indexed.search(SearchRequest("drained peat")).result.matches
    indexed.index()
    assert indexed.search(SearchRequest("drained peat")).result.matches


def test_links_and_citations(indexed, small):
    soil, pdf = ItemKey(1, small.soil), ItemKey(1, small.soil_pdf)
    assert indexed.select_link(soil) == f"zotero://select/library/items/{small.soil}"
    assert indexed.open_link(pdf, page=3) == f"zotero://open-pdf/library/items/{small.soil_pdf}?page=4"
    cfi = indexed.open_link(pdf, selector=Selector("FragmentSelector", "epubcfi(/6/2)"))
    assert cfi == f"zotero://open/library/items/{small.soil_pdf}?cfi=epubcfi%28%2F6%2F2%29"
    css = indexed.open_link(pdf, selector=Selector("CssSelector", "#a p", 3, 9))
    assert css == f"zotero://open/library/items/{small.soil_pdf}?sel=%23a%20p"
    plain = indexed.open_link(pdf, selector=Selector("TextPositionSelector", "", 3, 9))
    assert plain == f"zotero://open/library/items/{small.soil_pdf}"
    group = ItemKey(small.group, small.group_item)
    assert indexed.select_link(group) == f"zotero://select/groups/4711/items/{small.group_item}"
    assert indexed.citation(soil) == "Gómez et al. 2019"
    assert indexed.citation(ItemKey(1, small.standalone)) == "Lamp survey"
    assert indexed.citation(group) == "Moth counts 2010"
    with pytest.raises(EngineError):
        indexed.citation(ItemKey(1, "XXXXXXXX"))
    with pytest.raises(EngineError):
        indexed.locate(soil)


def test_note_text_is_what_one_sees(indexed, small):
    note = ItemKey(1, small.lamps_note)
    assert indexed.note_texts([note])[note].split() == (
        ["Remember", "the", "moths", "of", "Turin", "and", "the", "supper", "of", "bats."]
    )
    assert "<b>" in indexed.note_html(note)


def test_searches_go_on_while_a_run_writes(engine, small):
    engine.open_library(small.folder)
    failures = []
    done = threading.Event()

    def search():
        while not done.is_set():
            try:
                session = engine.search(SearchRequest("moths humus", margin=100))
                for match in session.result.matches:
                    session.passages(match.item)
            except Exception as error:
                failures.append(error)
                return

    thread = threading.Thread(target=search)
    thread.start()
    engine.index()
    done.set()
    thread.join()
    assert not failures
    assert engine.search(SearchRequest("moths")).result.matches


def test_a_session_outlives_a_library_read_again(indexed, small):
    import sqlite3

    session = indexed.search(SearchRequest("moths supper Turin", margin=100))
    for turn in range(3):
        db = sqlite3.connect(small.folder / "zotero.sqlite")
        with db:
            db.execute(
                "UPDATE items SET dateModified = ? WHERE itemID = 1", (f"2026-01-0{turn + 1} 00:00:00",)
            )
        db.close()
        assert indexed.refresh() is not None
        session.invalidate([ItemKey(1, small.lamps)])
        assert session.previews(ItemKey(1, small.lamps))


def test_rebuilding_throws_the_index_away_and_keeps_the_library(indexed, small):
    home = indexed.home_of(small.folder)
    (home / "of the old index").write_text("")
    library = indexed.rebuild()
    assert library.folder == small.folder and library is indexed.library
    assert not (home / "of the old index").exists()
    assert not indexed.search(SearchRequest("moths")).result.matches
    indexed.index()
    assert indexed.search(SearchRequest("moths")).result.matches


def test_an_index_that_cannot_be_deleted_is_said_in_words(indexed, small, monkeypatch):
    def refused(path):
        raise PermissionError("in use")

    monkeypatch.setattr("zbm_core.engine.shutil", SimpleNamespace(rmtree=refused))
    with pytest.raises(EngineError, match="could not be deleted"):
        indexed.rebuild()
