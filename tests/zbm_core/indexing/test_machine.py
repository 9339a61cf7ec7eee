"""What the computer and who sits at it say about working now."""

from types import SimpleNamespace

import psutil
import pytest

from zbm_core.indexing import Machine, Tireless
from zbm_core.indexing import machine as module
from zbm_core.indexing.machine import (
    ENOUGH_MEMORY,
    LEAST_MEMORY,
    LONGEST_COURTESY,
    LOW_MEMORY,
    ON_BATTERY,
    QUIET,
    READER_COURTESY,
    READER_QUIET,
    READING,
    ZOTERO_WRITES,
)


class Clock:
    """Both of the clocks a machine looks at; they go on only where a test says so."""

    def __init__(self):
        self.now = 1_900_000_000.0

    def time(self):
        return self.now

    monotonic = time


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def computer(monkeypatch):
    """A computer on mains, with memory to spare."""
    computer = SimpleNamespace(plugged=True, available=8 << 30)
    battery = lambda: None if computer.plugged is None else SimpleNamespace(power_plugged=computer.plugged)  # noqa: E731
    monkeypatch.setattr(psutil, "sensors_battery", battery, raising=False)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=computer.available))
    return computer


def later(clock, seconds=module.LOOK_EVERY):
    clock.now += seconds


def test_work_waits_for_mains_power_where_the_user_wants_it(clock, computer):
    wanted = [True]
    machine = Machine(spare_battery=lambda: wanted[0])
    assert machine.why_wait() == ""
    computer.plugged = False
    assert machine.why_wait() == ""  # it looks every few seconds
    later(clock)
    assert machine.why_wait() == ON_BATTERY
    wanted[0] = False
    assert machine.why_wait() == ""  # while it waits it looks at every turn
    wanted[0] = True
    later(clock)
    assert machine.why_wait() == ON_BATTERY
    computer.plugged = True
    assert machine.why_wait() == ""


def test_a_computer_without_battery_or_one_that_does_not_say_runs_on_mains(clock, computer, monkeypatch):
    computer.plugged = None
    assert Machine(spare_battery=lambda: True).why_wait() == ""

    def broken():
        raise NotImplementedError

    monkeypatch.setattr(psutil, "sensors_battery", broken)
    assert Machine(spare_battery=lambda: True).why_wait() == ""
    monkeypatch.delattr(psutil, "sensors_battery")
    assert Machine(spare_battery=lambda: True).why_wait() == ""


def test_to_begin_takes_more_memory_than_to_go_on(clock, computer):
    machine = Machine()
    computer.available = ENOUGH_MEMORY - 1
    assert machine.why_wait() == LOW_MEMORY
    computer.available = ENOUGH_MEMORY
    assert machine.why_wait() == ""
    computer.available = LEAST_MEMORY  # what the work itself takes does not stop it
    later(clock)
    assert machine.why_wait() == ""
    computer.available = LEAST_MEMORY - 1
    later(clock)
    assert machine.why_wait() == LOW_MEMORY
    computer.available = ENOUGH_MEMORY - 1  # and its going does not start it
    assert machine.why_wait() == LOW_MEMORY
    computer.available = ENOUGH_MEMORY
    assert machine.why_wait() == ""


def test_work_gives_way_to_a_sync_and_goes_on_beside_one_of_hours(clock, computer):
    written = [clock.now]
    machine = Machine(last_write=lambda: written[0])
    assert machine.why_wait() == ZOTERO_WRITES
    later(clock, QUIET)
    assert machine.why_wait() == ""
    told = []
    for _ in range(round(LONGEST_COURTESY) * 2):
        written[0] = clock.now
        told.append(machine.why_wait())
        later(clock, 1.0)
    assert told.count(ZOTERO_WRITES) >= LONGEST_COURTESY / 2
    assert not any(told[round(LONGEST_COURTESY) + round(module.LOOK_EVERY) :])
    later(clock, max(QUIET, module.LOOK_EVERY))
    assert machine.why_wait() == ""  # it was quiet once
    written[0] = clock.now
    later(clock, QUIET - 1)
    written[0] = clock.now + 0.0
    later(clock, module.LOOK_EVERY)
    written[0] = clock.now
    assert machine.why_wait() == ZOTERO_WRITES


def test_a_library_written_in_the_future_is_not_waited_for(clock, computer):
    assert Machine(last_write=lambda: clock.now + 3600).why_wait() == ""


def test_work_gives_way_to_a_page_at_once_and_not_for_ever(clock, computer):
    drawn = [0.0]
    machine = Machine(last_drawn=lambda: drawn[0])
    assert machine.why_wait() == ""
    drawn[0] = clock.now
    assert machine.why_wait() == READING  # without waiting for the next look
    later(clock, READER_QUIET)
    assert machine.why_wait() == ""
    told = []
    for _ in range(round(READER_COURTESY) * 2):
        drawn[0] = clock.now
        told.append(machine.why_wait())
        later(clock, 1.0)
    assert told.count(READING) == round(READER_COURTESY)
    assert not any(told[round(READER_COURTESY) :])


@pytest.mark.parametrize(("cores", "half", "whole"), [(1, 1, 1), (2, 1, 2), (6, 3, 6), (8, 4, 8), (64, 4, 8)])
def test_half_the_cores_unless_nobody_minds(monkeypatch, cores, half, whole):
    monkeypatch.setattr(module, "cores_of", lambda: cores)
    boosted = [False]
    machine = Machine(boosted=lambda: boosted[0])
    assert machine.threads() == half
    boosted[0] = True
    assert machine.threads() == whole


def test_who_waits_for_the_work_waits_for_nothing_else(computer):
    computer.plugged, computer.available = False, 0
    assert Tireless(spare_battery=lambda: True).why_wait() == ""
