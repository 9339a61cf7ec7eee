"""Where the index is, and moving it from the window."""

import shutil
import threading
import time
from pathlib import Path

import pytest

from tests.zbm_gui.waiting import Catcher, settle, until
from tests.zbm_gui.windows import search
from zbm_core import index_location
from zbm_core.engine_records import IndexPlace
from zbm_core.index_location import FOLDER_NAME
from zbm_gui import dialogs
from zbm_gui.preferences.index_move import CANCELLED
from zbm_gui.preferences.location_group import LocationGroup


def plain(label):
    return label.text().replace("\u200b", "")


@pytest.fixture
def location(window):
    location = window.preferences.open("Advanced").advanced.location
    until(lambda: location.where.text() != "Looking…")
    return location


def test_the_index_is_moved_and_everything_is_found_as_before(window, location, tmp_path):
    search(window, "soil carbon")
    before = [match.item for match in window.library_tab.search.result.matches]
    target = tmp_path / "other disk"
    target.mkdir()
    opened = Catcher(window.engine.library_opened)
    location.move_requested.emit(target)
    opened.wait()
    until(lambda: str(target / FOLDER_NAME) in plain(location.where))
    assert not (window.engine.engine.paths.data / "libraries").exists()
    assert location.back.isVisible() and location.move_button.isEnabled()
    search(window, "soil carbon")
    assert [match.item for match in window.library_tab.search.result.matches] == before


def test_a_place_that_is_refused_is_said_and_the_library_comes_back(window, location, small):
    opened = Catcher(window.engine.library_opened)
    location.move_requested.emit(Path(small.folder))
    opened.wait()
    until(lambda: location.note.text().startswith("That folder is inside a Zotero data directory"))
    window.preferences.open("Advanced").advanced.shown()
    settle(20)
    search(window, "soil carbon")
    assert window.library_tab.search.result.matches


def test_a_move_can_be_cancelled_and_leaves_the_old_place_whole(window, location, tmp_path, monkeypatch):
    folder = window.engine.engine.index_place.folder
    before = {path.relative_to(folder): path.stat().st_size for path in folder.rglob("*.pack")}
    target = tmp_path / "slow disk"
    target.mkdir()
    copying, going_on = threading.Event(), threading.Event()
    copy = index_location._copy

    def slow(*arguments):
        copying.set()
        assert going_on.wait(60)
        return copy(*arguments)

    monkeypatch.setattr(index_location, "_copy", slow)
    opened = Catcher(window.engine.library_opened)
    location.move_requested.emit(target)
    until(copying.is_set)
    location.show_moving(1, 2)  # as it is told now and then
    until(location.cancel.isVisible)
    location.cancel.click()
    assert location.note.text() == "Cancelling…" and not location.cancel.isEnabled()
    location.show_moving(1, 2)  # what was on its way says nothing more
    assert location.note.text() == "Cancelling…"
    going_on.set()
    opened.wait()
    until(lambda: location.note.text() == CANCELLED)
    assert not location.cancel.isVisible() and location.move_button.isEnabled()
    assert list(target.iterdir()) == [] and window.engine.engine.index_place.folder == folder
    assert {path.relative_to(folder): path.stat().st_size for path in folder.rglob("*.pack")} == before
    search(window, "soil carbon")
    assert window.library_tab.search.result.matches
    # And it can be moved after all.
    location.move_requested.emit(target)
    opened.wait()
    until(lambda: str(target / FOLDER_NAME) in plain(location.where))


def test_a_window_that_closes_gives_up_a_move(window, location, tmp_path, monkeypatch):
    target = tmp_path / "slow disk"
    target.mkdir()
    copying, settings = threading.Event(), window.engine.engine.settings

    def endless(_source, _target, cancel):
        copying.set()
        while True:
            cancel.check()
            time.sleep(0.01)

    monkeypatch.setattr(index_location, "_copy", endless)
    location.move_requested.emit(target)
    until(copying.is_set)
    window.close()
    assert window.stopped
    assert list(target.iterdir()) == [] and settings.get("index.folder") == ""


def test_an_index_whose_disk_is_gone_can_be_given_up(app, monkeypatch):
    asked = []
    monkeypatch.setattr(dialogs, "confirm", lambda *arguments: asked.append(arguments))
    group = LocationGroup()
    group.show_place(IndexPlace(Path("/media/away") / FOLDER_NAME, 0, False, Path("/home/me"), False))
    assert "not there now" in group.note.text() and not group.move_button.isEnabled()
    reset = Catcher(group.reset_requested)
    group.back.click()
    assert not reset.values
    asked[0][-1]()
    assert reset.values
    group.deleteLater()


def test_a_move_tells_how_far_it_is(app):
    group = LocationGroup()
    group.show_place(IndexPlace(Path("/a/b"), 5_000_000_000, True, Path("/a")))
    assert plain(group.where) == f"{Path('/a/b')} · 5,000 MB" and not group.back.isVisibleTo(group)
    group.show_moving(3_000_000_000, 5_000_000_000)
    assert group.note.text() == "Copying: 3,000 MB of 5,000 MB" and not group.move_button.isEnabled()
    group.show_moved("There is not enough space.")
    assert group.note.text() == "There is not enough space." and group.move_button.isEnabled()
    group.deleteLater()


def test_a_drive_that_is_away_at_the_start_is_said_in_place_of_the_list(window, location, tmp_path, windows):
    from tests.zbm_gui.windows import make_window

    target = tmp_path / "drive"
    target.mkdir()
    opened = Catcher(window.engine.library_opened)
    location.move_requested.emit(target)
    opened.wait()
    folder = window.engine.engine.library.folder
    window.close()
    settle()
    shutil.move(target, tmp_path / "away")
    again = make_window(tmp_path / "home", ["--library", str(folder)])
    windows.append(again)
    failed = Catcher(again.engine.library_failed)
    assert "not there now" in failed.wait()[1].message
    page = again.preferences.open("Advanced").advanced
    until(lambda: "not there now" in page.location.note.text())
    opened = Catcher(again.engine.library_opened)
    page.reset_requested.emit()
    opened.wait()
    until(lambda: "not there now" not in page.location.note.text())
    assert again.engine.engine.library.folder == folder
