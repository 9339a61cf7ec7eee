import pytest

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.waiting import Catcher, settle
from tests.zbm_gui.zotero_edits import zotero
from zbm_core.library import freshness_of
from zbm_gui import library_watch
from zbm_gui.library_watch import LibraryWatch


@pytest.fixture
def watched(app, tmp_path):
    """(watch, folder)"""
    folder = write_small_library(tmp_path / "Zotero").folder
    watch = LibraryWatch()
    yield watch, folder
    watch.close()
    assert watch.wait(5_000)


def test_a_write_to_the_log_is_told_by_the_system(watched, monkeypatch):
    monkeypatch.setattr(library_watch, "POLL_MS", 3_600_000)
    watch, folder = watched
    changed = Catcher(watch.changed)
    with zotero(folder) as running:
        watch.watch(folder, freshness_of(folder))
        settle()
        assert not changed.values
        running.add("ADDEDNOW", "Just added")
        changed.wait()


def test_a_log_that_comes_later_is_watched_too(watched, monkeypatch):
    monkeypatch.setattr(library_watch, "POLL_MS", 3_600_000)
    watch, folder = watched
    changed = Catcher(watch.changed)
    watch.watch(folder, freshness_of(folder))
    with zotero(folder) as running:
        running.add("ADDEDNOW", "Just added")
        changed.wait()
        watch.watch(folder, freshness_of(folder))
        settle()
        changed.values.clear()
        running.add("ADDEDTWO", "Another")
        changed.wait()


def test_where_the_system_tells_nothing_it_is_looked_for(watched, monkeypatch):
    monkeypatch.setattr(library_watch, "POLL_MS", 50)
    monkeypatch.setattr(library_watch._Watcher, "_watch_paths", lambda self: None)
    watch, folder = watched
    changed = Catcher(watch.changed)
    watch.watch(folder, freshness_of(folder))
    with zotero(folder) as running:
        running.add("ADDEDNOW", "Just added")
        changed.wait()


def test_what_was_written_before_the_watch_began_is_told_at_once(watched, monkeypatch):
    monkeypatch.setattr(library_watch, "POLL_MS", 3_600_000)
    watch, folder = watched
    changed = Catcher(watch.changed)
    known = freshness_of(folder)
    with zotero(folder) as running:
        running.add("ADDEDNOW", "Just added")
        watch.watch(folder, known)
        changed.wait()


def test_a_paused_watch_says_nothing(watched, monkeypatch):
    monkeypatch.setattr(library_watch, "POLL_MS", 20)
    watch, folder = watched
    known = freshness_of(folder)
    watch.watch(folder, known)
    watch.pause()
    watch.msleep(100)
    changed = Catcher(watch.changed)
    with zotero(folder) as running:
        running.add("ADDEDNOW", "Just added")
        watch.msleep(200)
        settle()
    assert not changed.values


def test_a_folder_that_goes_away_is_a_change_and_no_error(watched, monkeypatch):
    monkeypatch.setattr(library_watch, "POLL_MS", 50)
    watch, folder = watched
    changed = Catcher(watch.changed)
    watch.watch(folder, freshness_of(folder))
    folder.rename(folder.with_name("gone"))
    changed.wait()
