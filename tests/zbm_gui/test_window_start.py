"""How the window starts, what it says when something fails, and how indexing is steered from it."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.waiting import Catcher, until
from tests.zbm_gui.windows import (
    click,
    make_window,
    state,
    titles,
    wait_for_index,
    wait_for_state,
)
from zbm_core.engine import Engine
from zbm_core.errors import ZbmError

# --- the start --------------------------------------------------------------------------------------


@pytest.fixture
def computer(monkeypatch, tmp_path):
    """A computer without any Zotero: a home folder of its own."""
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("XDG_CONFIG_HOME", "APPDATA", "ZOTERO_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    return home


def test_without_a_library_it_says_where_it_looked_and_offers_the_demo(windows, tmp_path, computer):
    window = make_window(tmp_path / "home", [])
    windows.append(window)
    page = wait_for_state(window, "No Zotero library was found")
    assert any(str(computer) in line for line in page.lines)
    finished = Catcher(window.engine.run_finished)
    click(window, "Try the demo library")
    finished.wait()
    assert window.windowTitle() == "Demo Library"
    assert len(titles(window)) > 10


def test_demo_if_none_opens_the_demo_at_once(windows, tmp_path, computer):
    window = make_window(tmp_path / "home", ["--demo-if-none"])
    windows.append(window)
    wait_for_index(window)
    assert window.flow.is_demo


def test_a_found_library_is_indexed_only_after_start(windows, tmp_path, computer):
    write_small_library(computer / "Zotero")
    window = make_window(tmp_path / "home", [])
    windows.append(window)
    page = wait_for_state(window, "Your Zotero library was found")
    assert f"6 items in {computer / 'Zotero'}" in page.text
    assert not window.engine.indexing and not window.library_tab.has_library
    finished = Catcher(window.engine.run_finished)
    click(window, "Start")
    assert finished.wait()[0].finished
    settings = json.loads((tmp_path / "home" / "config" / "settings.json").read_text())["values"]
    assert settings["library.folder"] == str(computer / "Zotero")
    assert settings["library.started"] is True
    window.close()

    again = make_window(tmp_path / "home", [])
    windows.append(again)
    wait_for_index(again)
    assert len(titles(again)) == 5


def test_a_library_that_is_gone_can_be_tried_again(windows, tmp_path, computer):
    window = make_window(tmp_path / "home", ["--library", str(computer / "Zotero")])
    windows.append(window)
    page = wait_for_state(window, "The library could not be opened")
    assert page.text
    write_small_library(computer / "Zotero")
    finished = Catcher(window.engine.run_finished)
    click(window, "Try again")
    finished.wait()
    assert len(titles(window)) == 5


def test_a_query_from_the_command_line_is_searched(windows, tmp_path, small):
    arguments = ["--library", str(small.folder), "--query", "lichen"]
    window = make_window(tmp_path / "home", arguments)
    windows.append(window)
    wait_for_index(window)
    until(lambda: window.library_tab.search.result is not None and window.library_tab.search.result.matches)
    assert window.library_tab.bar.text() == "lichen"


def test_a_second_start_brings_its_query_here(window):
    from zbm_gui.app import parse

    answered = Catcher(window.engine.search_finished)
    window.take_arguments(parse(["--query", "rivers"]))
    assert answered.wait()[1].result.request.text == "rivers"


# --- failures ---------------------------------------------------------------------------------------


def test_a_failing_engine_has_its_own_words_and_next_step(windows, tmp_path, small):
    class Broken(Engine):
        broken = True

        def search(self, request, cancel=None):
            if self.broken:
                raise ZbmError("The index cannot be read.", "disk I/O error")
            return super().search(request, cancel)

    window = make_window(tmp_path / "home", ["--library", str(small.folder)], Broken)
    windows.append(window)
    wait_for_index(window)
    field = window.library_tab.bar.field
    QTest.keyClicks(field, "soil")
    QTest.keyClick(field, Qt.Key.Key_Return)
    page = wait_for_state(window, "The search could not be carried out")
    assert (page.text, page.detail) == ("The index cannot be read.", "disk I/O error")
    Broken.broken = False
    click(window, "Try again")
    until(lambda: state(window) is None)


def test_a_failing_run_is_told_in_a_banner_and_words_still_rank(windows, tmp_path, small):
    class Failing(Engine):
        def run(self, *arguments, **more):
            raise ZbmError("The disk is full.", "ENOSPC")

    window = make_window(tmp_path / "home", ["--library", str(small.folder)], Failing)
    windows.append(window)
    until(lambda: window.library_tab.warning.state is not None)
    assert "The disk is full." in window.library_tab.warning.state.title
    assert len(titles(window)) == 5


# --- steering indexing -----------------------------------------------------------------------------


def test_pausing_is_remembered(window, tmp_path):
    window.commands["pause_indexing"].trigger()
    assert window.index_status.label.text() == "Indexing paused"
    settings = json.loads((tmp_path / "home" / "config" / "settings.json").read_text())["values"]
    assert settings["indexing.paused"] is True
    finished = Catcher(window.engine.run_finished)
    window.commands["pause_indexing"].trigger()
    finished.wait()
