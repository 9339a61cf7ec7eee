"""How fast a step goes, and what is said of it."""

from types import SimpleNamespace

import pytest

from zbm_core.indexing import Bar, RunProgress, Step, pace
from zbm_core.indexing.pace import ESTABLISHED_SECONDS, Pace


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_nothing_is_told_before_it_is_established(clock):
    going = Pace()
    going.did(1e6)
    clock.now += ESTABLISHED_SECONDS - 1
    assert (going.rate(), going.pieces_rate(), going.left(1e6)) == (None, None, None)
    clock.now += 1
    assert going.rate() == pytest.approx(1e6 / ESTABLISHED_SECONDS)
    assert going.left(1e6) == pytest.approx(ESTABLISHED_SECONDS)


def test_documents_are_counted_and_bytes_tell_how_long(clock):
    going = Pace()
    for size in (1e6, 2e6, 9e6):
        going.did(size)
    clock.now += 60
    assert going.pieces_rate() == pytest.approx(3 / 60)
    assert going.left(4e6) == pytest.approx(20)


def test_a_rest_does_not_count(clock):
    going = Pace()
    going.did(30)
    clock.now += 30
    going.rest()
    clock.now += 3600
    assert going.rate() == pytest.approx(1)
    going.go_on()
    going.did(30)
    clock.now += 30
    assert going.rate() == pytest.approx(1)


def test_a_step_without_work_has_no_rate(clock):
    going = Pace()
    clock.now += 3600
    assert (going.rate(), going.pieces_rate(), going.left(5)) == (None, None, None)


@pytest.mark.parametrize(
    ("step", "rate", "words"),
    [
        (Step.EXTRACT, 0.05, "3 documents a minute"),
        (Step.EXTRACT, 12.4, "12 documents a second"),
        (Step.EMBED, 4.25, "4.2 passages a second"),
        (Step.RECORDS_MEANING, 1234.0, "1,234 passages a second"),
        (Step.CUT, 5.0, ""),
        (Step.EMBED, None, ""),
    ],
)
def test_a_rate_in_words(step, rate, words):
    assert RunProgress(step, Bar(), Bar(), rate=rate).rate_in_words == words


def test_what_rests_has_no_rate():
    assert RunProgress(Step.WAITING, Bar(), Bar(), rate=5.0, waiting="Waiting").rate_in_words == ""
