"""What the window tells runs of who sits at the computer."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal

from tests.zbm_gui.waiting import settle
from zbm_core.indexing import Attendance
from zbm_core.indexing.records import Bar, RunProgress, Step
from zbm_core.settings import Settings
from zbm_gui.idleness import IDLE_AFTER, IdleWatch, reader
from zbm_gui.indexing_control import IndexingControl
from zbm_gui.widgets.index_status import IndexStatus


class Runs(QObject):
    """The engine's thread as far as runs go; there is no engine before the first library is open."""

    run_progressed = Signal(object)
    run_finished = Signal(object)
    run_failed = Signal(object)
    meaning_preparing = Signal(object)
    meaning_noticed = Signal(str)
    meaning_described = Signal(object)
    engine = None

    def start_indexing(self):
        pass

    def stop_indexing(self):
        pass


class Away(QObject):
    """A system on which nobody has been for long."""

    told = Signal(float)

    def ask(self):
        self.told.emit(IDLE_AFTER * 2)


@pytest.fixture
def control(app, tmp_path):
    runs, status = Runs(), IndexStatus()
    control = IndexingControl(runs, Settings(tmp_path / "settings.json"), status)
    control.runs = runs
    control.idleness._given = [Away(control)]
    yield control
    control.idleness.stop()
    control.deleteLater()
    status.deleteLater()


def told(step=Step.EMBED):
    return RunProgress(step, Bar(1, 1, 1), Bar(1, 1, 2))


def open_library(control):
    control.runs.engine = SimpleNamespace(attendance=Attendance())
    return control.runs.engine.attendance


def test_a_run_while_nobody_is_there_may_use_all_cores_until_it_ends(control):
    attendance = open_library(control)
    assert not control.idleness.watching  # nothing is asked while there is nothing to do
    control.runs.run_progressed.emit(told())
    assert control.idleness.watching and not attendance.boosted
    control.idleness.look()
    assert attendance.boosted
    control.runs.run_finished.emit(
        SimpleNamespace(progress=told(Step.DONE), embedding=None, meaning_error=None)
    )
    assert not control.idleness.watching and not attendance.boosted


def test_a_pause_ends_the_watch(control):
    open_library(control)
    control.runs.run_progressed.emit(told())
    control.set_paused(True)
    assert not control.idleness.watching


def test_closing_the_preferences_leaves_the_other_reason(control):
    attendance = open_library(control)
    control.runs.run_progressed.emit(told())
    control.idleness.look()
    control.boost("preferences", True)
    control.boost("preferences", False)
    assert attendance.boosted


def test_preferences_that_were_open_before_there_was_an_engine_count(control):
    control.boost("preferences", True)
    attendance = open_library(control)
    control.runs.run_progressed.emit(told())
    assert attendance.boosted
    control.boost("preferences", False)
    assert not attendance.boosted


def test_runs_know_when_a_page_was_drawn(control, monkeypatch):
    monkeypatch.setattr(reader, "_drawn", 0.0)
    attendance = open_library(control)
    control.runs.run_progressed.emit(told())
    assert attendance.last_drawn() == 0.0
    reader.drew()
    assert attendance.last_drawn() > 1e9


def test_a_watch_is_the_windows_own(window):
    assert isinstance(window.indexing.idleness, IdleWatch)
    assert not window.indexing.idleness.watching  # the run over the small library has ended
    settle()
