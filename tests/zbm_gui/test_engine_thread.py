import threading

import pytest

from tests.zbm_gui.small_library import add_item, write_small_library
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.engine import Engine
from zbm_core.errors import ZbmError
from zbm_core.indexing.records import Step
from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import Outlook, SearchRequest
from zbm_core.settings import Settings
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Job


@pytest.fixture
def make(app, tmp_path):
    """Makes engine threads with the folders under tmp_path, and closes them."""
    made = []

    def make_one(make_engine=None) -> EngineThread:
        paths = AppPaths.under(tmp_path / "home")
        settings = Settings(paths.config / "settings.json")
        settings.set("search.semantic", False)  # a run would fetch or make a model
        made.append(EngineThread(paths, settings, make_engine))
        return made[-1]

    yield make_one
    for thread in made:
        assert thread.close()


@pytest.fixture
def opened(make, small):
    """An engine thread with the small library open and indexed."""
    thread = make()
    library_opened, finished = Catcher(thread.library_opened), Catcher(thread.run_finished)
    thread.open_library(small.folder)
    library_opened.wait()
    thread.start_indexing()
    assert finished.wait()[0].finished
    return thread


def test_a_library_is_opened_and_digested(make, small):
    thread = make()
    opened = Catcher(thread.library_opened)
    thread.open_library(small.folder)
    library, digest = opened.wait()
    assert library.folder == small.folder
    assert digest.items == 6
    assert thread.engine.library is library


def test_a_folder_without_a_library_fails_in_words(make, tmp_path):
    thread = make()
    failed = Catcher(thread.library_failed)
    thread.open_library(tmp_path)
    folder, failure = failed.wait()
    assert folder == tmp_path
    assert failure.message and "Traceback" not in failure.message


def test_a_search_answers_under_its_id_and_passages_follow(opened):
    answers = Catcher(opened.search_finished)
    number = opened.search(SearchRequest("soil carbon"))
    answered, session = answers.wait()
    assert answered == number
    assert session.result.outlook is Outlook.FOUND
    best = session.result.matches[0].item
    assert session.ready(best)


def test_a_newer_search_silences_the_older(opened):
    answers = Catcher(opened.search_finished)
    opened.search(SearchRequest("soil"))
    opened.search(SearchRequest("carbon"))
    last = opened.search(SearchRequest("rivers"))
    number, session = answers.wait()
    settle()
    assert number == last
    assert session.result.request.text == "rivers"
    assert answers.values == []


def test_a_cancelled_search_says_nothing(opened):
    answers = Catcher(opened.search_finished)
    opened.search(SearchRequest("soil"))
    opened.cancel_search()
    after = []
    opened._searching.lane.submit(Job("after", lambda token: 1, after.append))
    until(lambda: after)
    assert answers.values == []


def test_previews_wanted_on_the_screen_come_before_their_turn(opened):
    answers, ready = Catcher(opened.search_finished), Catcher(opened.passages_ready)
    number = opened.search(SearchRequest("soil"))
    _, session = answers.wait()
    items = [session.result.matches[0].item]
    opened.request_previews(session, items)
    until(lambda: (number, items) in ready.values)


def test_every_passage_of_an_item(opened, small):
    answers, passages = Catcher(opened.search_finished), []
    opened.search(SearchRequest("soil"))
    _, session = answers.wait()
    opened.request_passages(session, ItemKey(1, small.soil), passages.append)
    until(lambda: passages)
    assert len(passages[0]) > 3


def test_a_search_does_not_wait_for_a_run(make, small):
    """Indexing stands still in the middle; a search is answered all the same."""
    gate, inside = threading.Event(), threading.Event()

    class Slow(Engine):
        def run(self, cancel=None, on_progress=None, *others, **more):
            inside.set()
            gate.wait(30)
            return super().run(cancel, on_progress, *others, **more)

    thread = make(Slow)
    library_opened = Catcher(thread.library_opened)
    thread.open_library(small.folder)
    library_opened.wait()
    thread.start_indexing()
    until(inside.is_set)
    answers = Catcher(thread.search_finished)
    thread.search(SearchRequest("soil"))
    assert answers.wait()[1].result.outlook is Outlook.NOTHING_INDEXED
    assert thread.indexing
    gate.set()


def test_a_failing_search_is_told_in_words(make, small):
    class Broken(Engine):
        def search(self, request, cancel=None):
            raise ZbmError("The index cannot be read.", "disk I/O error")

    thread = make(Broken)
    library_opened = Catcher(thread.library_opened)
    thread.open_library(small.folder)
    library_opened.wait()
    failed = Catcher(thread.search_failed)
    number = thread.search(SearchRequest("soil"))
    answered, failure = failed.wait()
    assert (answered, failure.message) == (number, "The index cannot be read.")


def test_a_change_in_zotero_is_noticed(make, tmp_path):
    keys = write_small_library(tmp_path / "Zotero")
    thread = make()
    opened, changed = Catcher(thread.library_opened), Catcher(thread.library_changed)
    thread.open_library(keys.folder)
    library, _ = opened.wait()
    add_item(keys.folder, "Just added")
    fresh, digest, changes = changed.wait()
    assert fresh is not library
    assert changes.added == {ItemKey(1, "ADDEDNOW")} and not changes.removed and not changes.changed
    assert digest.items == 7
    assert any(item.title == "Just added" for item in fresh.items.values())


def test_a_change_during_a_run_is_read_beside_it_and_the_run_takes_it_first(make, tmp_path):
    keys = write_small_library(tmp_path / "Zotero")
    kicked = threading.Event()

    class Watched(Engine):
        def kick(self):
            super().kick()
            kicked.set()

        def run(self, cancel=None, on_progress=None, *others, **more):
            def slowly(progress):
                on_progress(progress)
                if progress.step is Step.EXTRACT and not kicked.is_set():
                    if not (tmp_path / "added").exists():
                        (tmp_path / "added").touch()
                        add_item(keys.folder, "Added meanwhile")
                    assert kicked.wait(60)

            return super().run(cancel, slowly, *others, **more)

    thread = make(Watched)
    opened, changed = Catcher(thread.library_opened), Catcher(thread.library_changed)
    finished, caught_up = Catcher(thread.run_finished), Catcher(thread.run_caught_up)
    steps = Catcher(thread.run_progressed)
    thread.library_changed.connect(lambda *_: thread.start_indexing())
    thread.open_library(keys.folder)
    opened.wait()
    thread.start_indexing()
    outcome = finished.wait()[0]
    assert outcome.finished and not finished.values, [p.step.value for (p,) in steps.values]
    assert changed.wait()[1].items == 7 and not changed.values
    assert len(caught_up.values) == 2, [p.step for (p,) in steps.values]
    answers = Catcher(thread.search_finished)
    thread.search(SearchRequest("meanwhile"))
    assert [match.item for match in answers.wait()[1].result.matches] == [ItemKey(1, "ADDEDNOW")]


def test_a_document_is_located_with_its_report(opened, small):
    infos = []
    opened.locate(ItemKey(1, small.soil_pdf), infos.append, infos.append)
    opened.locate(ItemKey(1, small.missing), infos.append, infos.append)
    until(lambda: len(infos) == 2)
    assert infos[0].path.name == "okonjo.pdf"
    assert infos[0].report.chunks > 0
    assert (infos[1].path, infos[1].state) == (None, "missing")


def test_closing_ends_a_run_within_a_second(make, small):
    inside = threading.Event()

    class Endless(Engine):
        def run(self, cancel=None, on_progress=None, *others, **more):
            inside.set()
            cancel.wait(60)
            cancel.check()

    thread = make(Endless)
    opened = Catcher(thread.library_opened)
    thread.open_library(small.folder)
    opened.wait()
    thread.start_indexing()
    until(inside.is_set)
    assert thread.close()


@pytest.mark.expects_log("did not stop in time")
def test_closing_does_not_wait_for_what_cannot_be_stopped(make, small):
    gate, inside = threading.Event(), threading.Event()

    class Deaf(Engine):
        def run(self, cancel=None, on_progress=None, *others, **more):
            inside.set()
            gate.wait(30)

    thread = make(Deaf)
    opened = Catcher(thread.library_opened)
    thread.open_library(small.folder)
    opened.wait()
    thread.start_indexing()
    until(inside.is_set)
    assert not thread.close()
    gate.set()
