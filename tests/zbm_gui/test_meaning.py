"""Searching by meaning in the window, with a tiny model in a child process of its own."""

import shutil
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.small_library import add_item, write_small_library
from tests.zbm_gui.tiny_model import install_tiny_model
from tests.zbm_gui.waiting import Catcher, settle, until
from tests.zbm_gui.windows import make_window, search, state
from zbm_core.engine import Engine
from zbm_core.errors import ZbmError
from zbm_core.indexing.records import Step
from zbm_core.library.records import ItemKey
from zbm_core.semantic import Preparing
from zbm_gui.indexing_control import IndexingControl
from zbm_gui.item_tree.rows import RowKind
from zbm_gui.states import Act

QUERY = "soil carbon"


@pytest.fixture(scope="session")
def embedded_home(app, small, indexed_home, tmp_path_factory):
    """A home folder in which the small library is indexed by words and by meaning."""
    home = tmp_path_factory.mktemp("embedded") / "home"
    shutil.copytree(indexed_home, home)
    install_tiny_model(home)
    window = make_window(home, ["--library", str(small.folder)])
    Catcher(window.engine.run_finished).wait()
    window.close()
    window.deleteLater()
    return home


@pytest.fixture
def make(windows, tmp_path, small):
    """Makes windows over a copy of a home folder."""

    def make_one(home, make_engine=None, library=None):
        shutil.copytree(home, tmp_path / "home")
        if "indexed" in str(home):
            install_tiny_model(tmp_path / "home")
        windows.append(
            make_window(tmp_path / "home", ["--library", str(library or small.folder)], make_engine)
        )
        return windows[-1]

    return make_one


@pytest.fixture
def ready(make, embedded_home):
    """A window in which everything is indexed by words and by meaning."""
    window = make(embedded_home)
    Catcher(window.engine.run_finished).wait()
    settle()
    return window


class Gated(Engine):
    """Indexing by meaning stands still until the gate is opened or the run is cancelled."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.gate, self.inside, self.cancelled = threading.Event(), threading.Event(), 0
        self.kicked = threading.Event()

    def run(self, cancel=None, on_progress=None, *others, **more):
        def gated(progress):
            on_progress(progress)
            if progress.step is Step.RECORDS:
                self.kicked.clear()
            if progress.step not in (Step.RECORDS_MEANING, Step.EMBED):
                return
            self.inside.set()
            while not self.gate.wait(0.01):
                if cancel.cancelled:
                    self.cancelled += 1
                    cancel.check()
                if self.kicked.is_set():
                    return

        return super().run(cancel, gated, *others, **more)

    def kick(self):
        super().kick()
        self.kicked.set()


def line(window) -> str:
    return window._message.text()


def test_after_words_the_library_is_indexed_by_meaning(make, indexed_home):
    window = make(indexed_home)
    progressed = Catcher(window.engine.run_progressed)
    report = Catcher(window.engine.run_finished).wait()[0].embedding
    assert report.finished and report.embedded > 10
    assert any(progress.step is Step.EMBED for (progress,) in progressed.values), "progress is told"
    assert window.engine.meaning.model == "Tiny model"
    assert window.engine.meaning.embedded == window.engine.meaning.total == report.progress.total
    search(window, QUERY)
    assert "words and meaning" in line(window)
    assert "Tiny model" in window._message.toolTip()


def test_what_is_indexed_is_there_at_the_next_start(ready):
    search(ready, QUERY)
    assert "words and meaning" in line(ready)
    result = ready.library_tab.search.result
    assert any(match.score.semantic is not None for match in result.matches)


def test_rows_tell_what_only_the_meaning_found(ready):
    ready.preferences.open().advanced.best_match.engines["meaning"].click()
    search(ready, "water in the river")
    assert line(ready).endswith("· meaning")
    model = ready.library_tab.tree._model
    until(lambda: any(model.row(n).kind is RowKind.MATCH for n in range(model.rowCount())))
    rows = [model.row(n) for n in range(model.rowCount())]
    assert all(row.passage.by_meaning for row in rows if row.kind is RowKind.MATCH)


def test_pausing_stops_at_once_and_resuming_goes_on(make, indexed_home):
    window = make(indexed_home, Gated)
    until(lambda: window.engine.engine is not None and window.engine.engine.inside.is_set())
    engine, status = window.engine.engine, window.index_status
    settle()
    status.button.click()
    until(lambda: engine.cancelled)  # it may be told twice: by the step, and by the end
    assert status.label.text() == "Indexing paused"
    assert not window.engine.embedding
    engine.gate.set()
    finished = Catcher(window.engine.run_finished)
    status.button.click()
    assert finished.wait()[0].finished


def test_a_paused_window_starts_paused_and_still_searches_by_meaning(make, embedded_home, monkeypatch):
    monkeypatch.setattr(IndexingControl, "paused", property(lambda self: True))
    window = make(embedded_home)
    until(lambda: window.library_tab.has_library)
    settle()
    assert not window.engine.indexing and not window.engine.embedding
    assert window.engine.meaning.model == "Tiny model"
    search(window, QUERY)
    assert "words and meaning" in line(window)


def test_a_change_of_the_library_comes_before_the_rest_of_the_meaning(make, indexed_home, tmp_path):
    keys = write_small_library(tmp_path / "Changing")
    window = make(indexed_home, Gated, keys.folder)
    until(lambda: window.engine.engine is not None and window.engine.engine.inside.is_set())
    settle()
    caught_up = Catcher(window.engine.run_caught_up)
    add_item(keys.folder, "Newly added pangolins")
    caught_up.wait()
    search(window, "pangolins")
    assert ItemKey(1, "ADDEDNOW") in [match.item for match in window.library_tab.search.result.matches]
    until(lambda: window.engine.embedding)
    window.engine.engine.gate.set()
    assert Catcher(window.engine.run_finished).wait()[0].finished


def test_every_step_of_getting_a_model_is_told(make, indexed_home):
    class Stepping(Engine):
        def prepare_meaning(self, cancel=None, on_progress=None):
            for what in ("Downloading one", "Preparing another", "Calibrating it"):
                on_progress(Preparing(what))
                on_progress(Preparing(what, 1, 100))
            return super().prepare_meaning(cancel, on_progress)

    window = make(indexed_home, Stepping)
    told = Catcher(window.engine.meaning_preparing)
    Catcher(window.engine.run_finished).wait()
    steps = [step.what for (step,) in told.values]
    assert steps[:3] == ["Downloading one", "Preparing another", "Calibrating it"]


def test_without_a_model_words_still_rank_and_it_can_be_tried_again(make, indexed_home):
    class Failing(Engine):
        broken = True

        def prepare_meaning(self, cancel=None, on_progress=None):
            if Failing.broken:
                raise ZbmError("The model cannot be run here.", "no such instruction")
            return super().prepare_meaning(cancel, on_progress)

    window = make(indexed_home, Failing)
    assert Catcher(window.engine.run_finished).wait()[0].meaning_error is not None
    warning = window.library_tab.warning
    assert "words still rank" in warning.state.title and "cannot be run here" in warning.state.title
    assert {Act.TRY_AGAIN, Act.DETAILS} <= set(warning.state.acts)
    search(window, QUERY)
    assert window.library_tab.search.result.matches
    Failing.broken = False
    finished = Catcher(window.engine.run_finished)
    warning.act_requested.emit(Act.TRY_AGAIN, warning.state)
    assert finished.wait()[0].finished
    assert warning.state is None


def test_a_notice_of_the_model_is_a_banner_that_can_be_dismissed(make, indexed_home):
    class Told(Engine):
        def prepare_meaning(self, cancel=None, on_progress=None):
            super().prepare_meaning(cancel, on_progress)
            return "Another model is in use."

    window = make(indexed_home, Told)
    until(lambda: window.library_tab.warning.state is not None)
    warning = window.library_tab.warning
    assert "Another model is in use." in warning.state.title
    assert warning.state.acts == (Act.DISMISS,)


def test_a_list_found_by_words_stays_and_meaning_is_offered(make, indexed_home):
    window = make(indexed_home, Gated)
    until(lambda: window.engine.engine is not None and window.engine.engine.inside.is_set())
    search(window, QUERY)
    assert "words" in line(window) and "words and meaning" not in line(window)
    listed = window.library_tab.search.result
    window.engine.engine.gate.set()
    Catcher(window.engine.run_finished).wait()
    settle()
    assert window.library_tab.search.result is listed, "nothing jumps"
    note = window.library_tab.note
    assert Act.SEARCH_AGAIN in note.state.acts
    answered = Catcher(window.engine.search_finished)
    note.act_requested.emit(Act.SEARCH_AGAIN, note.state)
    answered.wait()
    assert "words and meaning" in line(window)


def test_switched_off_words_alone_rank_and_on_again_nothing_is_lost(ready):
    search(ready, QUERY)
    switch = ready.preferences.open("Advanced").advanced.best_match.semantic
    answered = Catcher(ready.engine.search_finished)
    ended = Catcher(ready.engine.run_finished)
    switch.click()
    answered.wait()
    assert line(ready).endswith("· words")
    assert ended.wait()[0].embedding is None
    assert not ready.engine.meaning.enabled
    switch.click()
    report = ended.wait()[0].embedding
    assert report.finished and report.embedded == 0, "what was indexed was kept"
    search(ready, QUERY)
    assert "words and meaning" in line(ready)


def test_similar_items_are_listed_and_escape_returns(ready, small):
    search(ready, QUERY)
    tab = ready.library_tab
    soil = ItemKey(1, small.soil)
    assert tab.tree.select(soil)
    before = tab.tree.count()
    ready.commands["similar"].trigger()
    until(lambda: tab.similar.heading.state is not None)
    assert tab.similar.heading.state.title == "Similar to “How much carbon is stored in soil”"
    assert tab.tree.count() >= 1
    assert tab.tree._model.match(tab.tree._model.row(0)) is not None
    assert soil not in [tab.tree._model.row(n).key for n in range(tab.tree.count())]
    QTest.keyClick(tab.tree.table, Qt.Key.Key_Escape)
    assert tab.similar.heading.state is None
    assert tab.tree.count() == before
    assert tab.tree.current().key == soil
    assert "words and meaning" in line(ready)


def test_similar_items_without_a_search_lead_back_to_the_library(ready, small):
    tab = ready.library_tab
    everything = tab.tree.count()
    tab.tree.select(ItemKey(1, small.soil))
    ready.commands["similar"].trigger()
    until(lambda: tab.similar.heading.state is not None)
    tab.similar.heading.act_requested.emit(Act.BACK, tab.similar.heading.state)
    assert tab.tree.count() == everything and state(ready) is None
    assert tab.tree.current().key == ItemKey(1, small.soil)


def test_similar_items_are_not_offered_without_meaning(window, small):
    from zbm_gui.menus import make_row_menu
    from zbm_gui.targets import Target

    menu = make_row_menu(window, window.commands, window.acts, Target(ItemKey(1, small.soil)), False)
    assert window.commands["similar"] not in menu.actions()
    assert not window.commands["similar"].isEnabled()


def test_rebuilding_makes_both_indexes_anew(ready):
    search(ready, QUERY)
    folder = ready.engine.engine.home_of(ready.engine.engine.library.folder)
    marker = folder / "of the old index"
    marker.write_text("")
    ended = Catcher(ready.engine.run_finished)
    advanced = ready.preferences.open("Advanced").advanced
    advanced.rebuild_requested.emit()
    outcome = ended.wait()[0]
    assert outcome.indexed and outcome.embedding.embedded
    assert not marker.exists()
    search(ready, QUERY)
    assert "words and meaning" in line(ready)


def test_typing_loads_the_model_before_the_query_is_asked(ready):
    encoder = ready.engine._engine._desk.meaning.encoder
    encoder.close()
    assert encoder.pid is None
    QTest.keyClicks(ready.library_tab.bar.field, "so")
    until(lambda: encoder.pid is not None)
    pid = encoder.pid
    search(ready, QUERY)
    assert encoder.pid == pid
