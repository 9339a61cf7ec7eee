"""Moving the index: it arrives whole, or stays where it was, whatever happens on the way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tree_hash import tree_hash
from zbm_core import index_location
from zbm_core.engine import EngineError
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.index_desk import IndexDesk
from zbm_core.index_location import FOLDER_NAME, MARKER, MoveError
from zbm_core.search.records import SearchRequest
from zbm_core.settings import Settings


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "config" / "settings.json")


@pytest.fixture
def desk(tmp_path, settings):
    desk = IndexDesk(tmp_path / "data", settings)
    for number in range(3):
        folder = desk.folder / "abc" / f"part{number}"
        folder.mkdir(parents=True)
        (folder / "rows").write_bytes(os.urandom(50_000))
    (desk.folder / "abc" / "empty").touch()
    return desk


@pytest.fixture
def elsewhere(tmp_path):
    folder = tmp_path / "Ünser Datenträger"
    folder.mkdir()
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MARKER
    }


def test_there_and_back(desk, settings, elsewhere, tmp_path):
    before, old = content(desk.folder), desk.folder
    told = []
    desk.move(elsewhere, [], on_progress=lambda done, total: told.append((done, total)))
    assert desk.folder == elsewhere / FOLDER_NAME and content(desk.folder) == before
    assert not old.exists() and settings.get("index.leftover") == ""
    assert told[-1][0] == told[-1][1] >= 150_000 and told == sorted(told)
    place = desk.place()
    assert not place.standard and place.reachable and place.size >= 150_000
    desk.move(tmp_path / "data", [])
    assert desk.folder == old and content(old) == before and desk.place().standard
    assert list(elsewhere.iterdir()) == []


def test_folders_it_may_not_be_in(desk, elsewhere, tmp_path):
    zotero = tmp_path / "Zotero"
    (zotero / "storage").mkdir(parents=True)
    for parent, why in (
        (zotero, "inside a Zotero data directory"),
        (zotero / "storage", "inside a Zotero data directory"),
        (tmp_path / "nowhere", "does not exist"),
        (desk.folder / "abc", "inside the index itself"),
        (tmp_path / "data", "there already"),
    ):
        before = tree_hash(parent) if parent.exists() else None
        with pytest.raises(MoveError, match=why):
            desk.move(parent, [zotero])
        assert before is None or tree_hash(parent) == before
    taken = elsewhere / FOLDER_NAME
    taken.mkdir()
    (taken / "thesis.txt").write_text("mine")
    with pytest.raises(MoveError, match="something in it already"):
        desk.move(elsewhere, [])
    assert content(taken) == {"thesis.txt": b"mine"}


def test_a_link_into_a_data_directory_is_seen_through(desk, tmp_path):
    (tmp_path / "Zotero").mkdir()
    link = tmp_path / "link"
    try:
        link.symlink_to(tmp_path / "Zotero", target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    with pytest.raises(MoveError, match="Zotero data directory"):
        desk.move(link, [tmp_path / "Zotero"])


def test_a_full_disk_is_refused_before_anything_is_copied(desk, elsewhere, monkeypatch):
    free = index_location.RESERVE + 100_000
    monkeypatch.setattr(index_location.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": free}))
    with pytest.raises(MoveError, match="not enough space"):
        desk.move(elsewhere, [])
    assert list(elsewhere.iterdir()) == []


def test_a_disk_that_fills_up_leaves_the_index_in_use(desk, settings, elsewhere, monkeypatch):
    before, old = content(desk.folder), desk.folder
    copied = []

    def copy(source, target, cancel):
        copied.append(target)
        if len(copied) == 3:
            raise OSError(28, "No space left on device")
        target.write_bytes(source.read_bytes())
        return index_location._hash(source, cancel)

    monkeypatch.setattr(index_location, "_copy", copy)
    with pytest.raises(MoveError, match="could not be copied"):
        desk.move(elsewhere, [])
    assert desk.folder == old and content(old) == before
    assert list(elsewhere.iterdir()) == [] and settings.get("index.leftover") == ""


def test_a_copy_that_differs_is_not_used(desk, elsewhere, monkeypatch):
    def copy(source, target, cancel):
        target.write_bytes(source.read_bytes()[:-1] + b"?")
        return index_location._hash(source, cancel)

    monkeypatch.setattr(index_location, "_copy", copy)
    old = desk.folder
    with pytest.raises(MoveError, match="differs"):
        desk.move(elsewhere, [])
    assert desk.folder == old and list(elsewhere.iterdir()) == []


def test_cancelling_leaves_nothing_behind(desk, elsewhere):
    token, old = CancelToken(), desk.folder
    before = content(old)
    with pytest.raises(Cancelled):
        desk.move(elsewhere, [], token, lambda done, total: token.cancel())
    assert desk.folder == old and content(old) == before and list(elsewhere.iterdir()) == []


def test_cancelling_at_the_very_end_leaves_it_where_it_was(desk, elsewhere):
    token, old = CancelToken(), desk.folder
    before = content(old)

    def on_progress(done, total):
        if done == total:
            token.cancel()

    with pytest.raises(Cancelled):
        desk.move(elsewhere, [], token, on_progress)
    assert desk.folder == old and content(old) == before and list(elsewhere.iterdir()) == []


#: Moves the index and dies hard after so many calls of what changes the disk.
_DIES = """
import os, sys
from pathlib import Path
from zbm_core import index_desk, index_location
from zbm_core.settings import Settings
left = int(sys.argv[3])
def counting(function):
    def call(*arguments, **more):
        global left
        left -= 1
        if left < 0:
            os._exit(9)
        return function(*arguments, **more)
    return call
for module, names in (
    (index_location, ("_copy", "mark")), (index_desk, ("mark", "delete")),
    (Settings, ("_save",)), (index_location.shutil, ("rmtree",)),
):
    for name in names:
        setattr(module, name, counting(getattr(module, name)))
settings = Settings(Path(sys.argv[1]) / "config" / "settings.json")
index_desk.IndexDesk(Path(sys.argv[1]) / "data", settings).move(Path(sys.argv[2]), [])
"""


def test_a_move_cut_off_anywhere_leaves_one_whole_index_and_is_tidied(desk, settings, elsewhere, tmp_path):
    before, finished, places = content(desk.folder), False, set()
    for calls in range(40):
        if finished:
            break
        done = subprocess.run([sys.executable, "-c", _DIES, tmp_path, elsewhere, str(calls)], check=False)
        assert done.returncode in (0, 9)
        finished = done.returncode == 0
        again = IndexDesk(tmp_path / "data", Settings(tmp_path / "config" / "settings.json"))
        assert content(again.folder) == before, calls
        again.check_reachable()
        again.tidy()
        assert content(again.folder) == before, calls
        there = [
            folder for folder in (elsewhere / FOLDER_NAME, tmp_path / "data" / "libraries") if folder.exists()
        ]
        assert there == [again.folder], calls
        places.add(again.folder)
        if again.folder.is_relative_to(elsewhere) and not finished:
            again.move(tmp_path / "data", [])
    assert finished and len(places) == 2


def test_what_is_not_the_programs_own_is_never_deleted(desk, settings, elsewhere):
    (elsewhere / "thesis.txt").write_text("mine")
    settings.set("index.leftover", str(elsewhere))
    desk.tidy()
    assert (elsewhere / "thesis.txt").exists() and settings.get("index.leftover") == ""
    settings.set("index.leftover", str(desk.folder))
    index_location.mark(desk.folder)
    desk.tidy()
    assert content(desk.folder)


def test_a_disk_that_is_away_is_said_and_can_be_given_up(indexed, small, tmp_path):
    drive = tmp_path / "drive"
    drive.mkdir()
    indexed.move_index(drive)
    indexed.open_library(small.folder)
    assert indexed.search(SearchRequest("drained peat")).result.matches
    indexed.close()
    drive.rename(tmp_path / "away")
    with pytest.raises(EngineError, match="which is not there now"):
        indexed.open_library(small.folder)
    assert not drive.exists() and not indexed.index_place.place().reachable
    indexed.index_place.reset()
    indexed.open_library(small.folder)
    assert not indexed.search(SearchRequest("drained peat")).result.matches
    (tmp_path / "away").rename(drive)
    indexed.open_library(small.folder)
    assert list(drive.iterdir()) == []


def test_the_engine_refuses_the_folder_of_the_library(indexed, small):
    before = tree_hash(small.folder)
    with pytest.raises(MoveError, match="Zotero data directory"):
        indexed.move_index(small.folder)
    indexed.open_library(small.folder)
    assert indexed.search(SearchRequest("drained peat")).result.matches
    assert tree_hash(small.folder) == before


def test_the_index_in_use_is_never_taken_for_what_was_left(desk, settings, elsewhere, tmp_path):
    desk.move(elsewhere, [])
    before = content(desk.folder)
    index_location.mark(elsewhere)
    for other in (elsewhere, elsewhere / "." / FOLDER_NAME, elsewhere / FOLDER_NAME / ".." / FOLDER_NAME):
        settings.set("index.leftover", str(other))
        desk.tidy()
        assert content(desk.folder) == before and settings.get("index.leftover") == ""


def test_a_name_for_the_folder_in_use_is_seen_through(desk, settings, tmp_path):
    index_location.mark(desk.folder)
    try:
        (tmp_path / "link").symlink_to(desk.folder, target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    before = content(desk.folder)
    settings.set("index.leftover", str(tmp_path / "link"))
    desk.tidy()
    assert content(desk.folder) == before


def test_what_cannot_be_deleted_now_is_tried_again(desk, settings, elsewhere, monkeypatch):
    old, before = desk.folder, content(desk.folder)
    monkeypatch.setattr(index_location.shutil, "rmtree", lambda *arguments, **more: None)
    desk.move(elsewhere, [])
    assert content(desk.folder) == before and old.exists()
    assert settings.get("index.leftover") == str(old)
    monkeypatch.undo()
    desk.tidy()
    assert not old.exists() and settings.get("index.leftover") == ""
