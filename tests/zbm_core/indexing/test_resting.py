"""A run that waits: what goes on meanwhile, what rests with it, and that it loses nothing."""

from __future__ import annotations

import os
import sqlite3
import threading
import time

import pytest

from tests.support.small_library import write_pdf
from zbm_core.errors import CancelToken
from zbm_core.indexing import Step, machine
from zbm_core.indexing import run as run_module
from zbm_core.search.records import SearchRequest
from zbm_core.semantic import encoder as encoder_module

#: Enough pages for many batches of the tiny model, whose tokens are letters.
PAGES = 40
#: Passages of the items, notes and annotations: what was embedded beyond them is of documents.
RECORDS = 6
#: Seconds; far above what anything here takes.
PATIENCE = 60


class Running:
    """A patient run in a thread of its own, on a computer whose mains a test may pull."""

    def __init__(self, engine):
        self.engine, self.cancel = engine, CancelToken()
        self.told, self.outcome = [], None
        self.on_battery = False
        self._acts = []
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run)

    def when(self, condition, act):
        """*act* in the run's own thread at the first progress that *condition* holds of, so that it is in time."""
        self._acts.append((condition, act))
        return self

    def pull(self):
        self.on_battery = True

    def start(self):
        self._thread.start()
        return self

    def _run(self):
        self.outcome = self.engine.run(self.cancel, self._on_progress)

    def _on_progress(self, progress):
        for act in [entry for entry in self._acts if entry[0](progress)]:
            self._acts.remove(act)
            act[1]()
        with self._news:
            self.told.append(progress)
            self._news.notify_all()

    def until(self, condition):
        """Wait for a progress that *condition* holds of."""
        with self._news:
            seen = 0

            def there():
                nonlocal seen
                new, seen = self.told[seen:], len(self.told)
                return any(condition(progress) for progress in new)

            assert self._news.wait_for(there, PATIENCE), self.told[-1:]

    def end(self):
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.outcome


@pytest.fixture
def running(tiny_engine, small, monkeypatch):
    """A run over the small library and one long document, not yet begun."""
    write_pdf(
        small.folder / "storage" / small.soil_pdf / "soil.pdf",
        [f"On page {number} the plough turns {'peat and humus ' * 30}" for number in range(PAGES)],
    )
    for name, seconds in {
        "TELL_EVERY": 0.0,
        "WAIT_SECONDS": 0.02,
        "PATIENCE": 0.2,
        "COUNT_EVERY": 0.0,
    }.items():
        monkeypatch.setattr(run_module, name, seconds)
    monkeypatch.setattr(machine, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(machine, "QUIET", 0.0)  # the library was written just now
    tiny_engine.open_library(small.folder)
    running = Running(tiny_engine)
    monkeypatch.setattr(machine, "on_battery", lambda: running.on_battery)
    yield running
    running.cancel.cancel()
    running.end()


def embedding(progress):
    return progress.step is Step.EMBED and progress.embedded > RECORDS


def waits(progress):
    return progress.step is Step.WAITING and progress.waiting == machine.ON_BATTERY


def test_on_battery_what_one_writes_is_found_and_documents_wait(running, small):
    engine = running.engine
    running.on_battery = True
    running.start().until(waits)
    assert running.told[-1].in_words == machine.ON_BATTERY
    found = engine.search(SearchRequest("moths", margin=100)).result.matches
    assert small.lamps in {match.item.key for match in found}
    assert running.told[-1].records.meaning == running.told[-1].records.total
    assert running.told[-1].attachments.words == 0
    engine.settings.set("indexing.pause_on_battery", False)
    assert running.end().finished
    assert running.told[-1].attachments.meaning == running.told[-1].attachments.total == 2


def test_the_model_rests_with_the_run_and_is_let_go_of(running):
    engine = running.engine
    batches = []

    def pull():
        engine._desk.meaning.encoder.on_batch = batches.append
        running.pull()

    running.when(embedding, pull).start().until(waits)
    encoder = engine._desk.meaning.encoder
    done = threading.Event()
    for _ in range(PATIENCE * 20):
        if encoder.pid is None:
            break
        done.wait(0.05)
    assert encoder.pid is None
    assert not batches  # what runs ahead is not taken, and is made again
    assert running.told[-1].passages_waiting > 0
    running.on_battery = False
    outcome = running.end()
    assert outcome.finished and outcome.embedding.progress.done == outcome.embedding.progress.total
    assert outcome.embedding.restarts == 0  # that it was let go of is no fault of its


def test_a_short_rest_keeps_the_model(running, monkeypatch):
    monkeypatch.setattr(run_module, "PATIENCE", float(PATIENCE))
    running.when(embedding, running.pull).start().until(waits)
    pid = running.engine._desk.meaning.encoder.pid
    assert running.told[-1].passages_waiting > 0
    running.on_battery = False
    assert running.end().finished
    assert running.engine._desk.meaning.encoder.pid == pid


def test_a_kick_is_taken_between_two_batches(running, small):
    engine = running.engine

    def edit():
        db = sqlite3.connect(small.folder / "zotero.sqlite")
        with db:
            db.execute("UPDATE itemAnnotations SET comment = 'compare with the Dutch polders'")
        db.close()
        engine.kick()

    running.when(embedding, edit).start()
    assert running.end().finished
    taken = next(progress for progress in running.told if progress.rounds == 2)
    assert taken.passages_waiting > encoder_module.AHEAD  # long before the document was done
    assert engine.search(SearchRequest("polders", margin=100)).result.matches
    assert running.outcome.embedding.progress.done == running.outcome.embedding.progress.total


def test_who_comes_back_has_half_the_cores_again_at_once(running, monkeypatch):
    monkeypatch.setattr(machine, "cores_of", lambda: 2)
    engine = running.engine
    engine.attendance.boost("preferences", True)
    engine.attendance.boost("idle", True)
    engine.attendance.boost("idle", False)
    before = []

    def come_back():
        encoder = engine._desk.meaning.encoder
        before.append((encoder.threads, encoder.pid))
        engine.attendance.boost("preferences", False)

    running.when(embedding, come_back).start()
    assert running.end().finished
    encoder = engine._desk.meaning.encoder
    assert before[0][0] == 2 and (encoder.threads, encoder.restarts) == (1, 0)
    assert encoder.pid != before[0][1]
    assert running.outcome.embedding.progress.done == running.outcome.embedding.progress.total


def test_short_of_memory_nothing_heavy_begins(running, monkeypatch):
    left = [machine.ENOUGH_MEMORY - 1]
    monkeypatch.setattr(machine, "available_memory", lambda: left[0])
    running.start().until(lambda progress: progress.waiting == machine.LOW_MEMORY)
    assert not running.engine._documents._pool._readers
    left[0] = machine.ENOUGH_MEMORY
    assert running.end().finished


def test_while_zotero_writes_documents_wait(running, small, monkeypatch):
    monkeypatch.setattr(machine, "QUIET", float(PATIENCE))
    (small.folder / "zotero.sqlite-wal").touch()
    running.start().until(lambda progress: progress.waiting == machine.ZOTERO_WRITES)
    for name in ("zotero.sqlite", "zotero.sqlite-wal"):
        os.utime(small.folder / name, (1, 1))
    assert running.end().finished


def test_while_pages_are_drawn_the_work_rests_and_nobody_is_told(running, monkeypatch):
    monkeypatch.setattr(machine, "READER_QUIET", float(PATIENCE))
    monkeypatch.setattr(machine, "READER_COURTESY", float(PATIENCE))
    drawn = [0.0]
    running.engine.attendance.last_drawn = lambda: drawn[0]
    asked = threading.Event()

    def draw():
        drawn[0] = time.time()
        running.engine._desk.meaning.encoder.on_batch = lambda _batch: asked.set()

    running.when(embedding, draw).start().until(embedding)
    assert not asked.wait(0.5)
    assert running.told[-1].passages_waiting > 0
    drawn[0] = 0.0
    assert running.end().finished and asked.is_set()
    assert not any(progress.waiting for progress in running.told)


def test_a_run_that_is_done_waits_for_nothing(tiny_engine, small, monkeypatch):
    tiny_engine.open_library(small.folder)
    read = []
    # From the moment the last document was read there is a reason to wait, and nothing left to wait with.
    monkeypatch.setattr(run_module.Run, "_embed", lambda _run: None)
    entered = run_module.Run._read

    def reading(run, job, report):
        entered(run, job, report)
        read.append(job)

    monkeypatch.setattr(run_module.Run, "_read", reading)
    monkeypatch.setattr(
        machine.Machine, "why_wait", lambda _machine: machine.ON_BATTERY if len(read) == 2 else ""
    )
    outcome = tiny_engine.run()
    assert outcome.finished and len(read) == 2
    assert (outcome.progress.step, outcome.progress.in_words) == (Step.DONE, "")


@pytest.mark.parametrize(
    ("cores", "half", "most"), [(1, 1, 1), (2, 1, 1), (4, 2, 3), (8, 4, 4), (None, 1, 1)]
)
def test_half_the_cores_read_documents_unless_nobody_minds(tiny_engine, monkeypatch, cores, half, most):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert tiny_engine._runs.readers() == half
    tiny_engine.attendance.boost("idle", True)
    assert tiny_engine._runs.readers() == most
