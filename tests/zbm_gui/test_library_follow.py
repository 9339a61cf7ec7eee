"""How often the library is read again, and where what was read before goes."""

import threading
import weakref
from types import SimpleNamespace

import pytest

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.waiting import Catcher, until
from zbm_core.library import read_library
from zbm_gui.library_follow import IN_A_ROW, LONGEST_REST, LibraryFollow


@pytest.fixture
def followed(app, tmp_path):
    """(follow, changed, how to have it read again at once): every reading finds another library."""
    folder = write_small_library(tmp_path / "Zotero").folder

    def read(_token=None):
        return read_library(folder, tmp_path / "scratch")

    engine = SimpleNamespace(refresh=read)
    follow = LibraryFollow(lambda: engine)
    kept = [read()]
    follow.begin(kept[0])
    changed = Catcher(follow.changed)

    def again():
        follow._not_before = min(follow._not_before, 0.001)  # the rest is over
        if follow._job is None:
            follow._on_written()
        library, *_ = changed.wait()
        return library

    yield follow, again, kept
    follow.close()
    for thread in follow.threads:
        until(lambda thread=thread: not thread.isRunning())


def test_a_few_edits_in_a_row_are_followed_alike_and_a_sync_ever_more_slowly(followed, monkeypatch):
    follow, again, kept = followed
    monkeypatch.setattr(type(follow), "_soon_again", lambda self: bool(self._read_at))
    paces = []
    for _ in range(IN_A_ROW + 6):
        kept.append(again())
        paces.append(follow._pace)
    assert paces[:IN_A_ROW] == [1] * IN_A_ROW
    assert paces[IN_A_ROW:] == [2, 4, 8, LONGEST_REST, LONGEST_REST, LONGEST_REST]
    monkeypatch.setattr(type(follow), "_soon_again", lambda self: False)
    kept.append(again())
    assert follow._pace == 1  # a pause ended the row


def test_what_was_read_before_is_not_freed_in_the_windows_thread(followed):
    _, again, kept = followed
    freed: list[int] = []
    watched = weakref.finalize(kept[0], lambda: freed.append(threading.get_ident()))
    kept.clear()  # nobody else holds it
    again()
    until(lambda: not watched.alive)
    assert freed and freed[0] != threading.get_ident()
