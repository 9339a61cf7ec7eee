"""What bounds the child that runs models: how far it runs ahead, its memory, its threads and their priority."""

import contextlib
import os
import queue
import sys
import threading
from pathlib import Path

import psutil
import pytest

from tests.support.models import tiny_repository
from zbm_core.restraints import NICE
from zbm_core.semantic import Encoder, Model
from zbm_core.semantic import encoder as encoder_module
from zbm_core.semantic.encoder_worker import Worker
from zbm_core.semantic.pool_threads import in_background
from zbm_core.semantic.runner import Runner

TEXTS = ["soil carbon water " * 40] * 12
#: Padded tokens of a call: of the texts above, one a batch.
BUDGET = 128


@pytest.fixture
def tiny(tmp_path):
    """A small model: its folder and record."""
    files = tiny_repository()
    (tmp_path / "model.onnx").write_bytes(files["onnx/model.onnx"])
    (tmp_path / "tokenizer.json").write_bytes(files["tokenizer.json"])
    return tmp_path, Model(
        name="tiny", revision="1", repository="o/tiny", hub_revision="", files=(), graph="model.onnx",
        tokenizer="tokenizer.json", pooling="mean", native_width=8, width=8, max_tokens=512,
    )  # fmt: skip


@pytest.fixture
def own(tiny):
    encoder = Encoder(*tiny)
    yield encoder
    encoder.close()


@pytest.fixture
def job(tiny):
    """A worker with a job that may run two batches ahead, and what it sends."""
    folder, model = tiny
    worker, sent = Worker(), queue.SimpleQueue()
    worker.handle(
        {"op": "load", "id": 1, "folder": str(folder), "record": model.to_json(), "threads": 1}, None
    )
    worker.handle({"op": "embed", "id": 2, "texts": TEXTS, "budget": BUDGET, "ahead": 2}, sent.put)
    return worker, sent


def next_rows(sent):
    while "rows" not in (message := sent.get(timeout=30)):
        assert "done" not in message
    return message["rows"]


def test_a_job_whose_answers_nobody_takes_rests(job):
    worker, sent = job
    assert len(next_rows(sent) + next_rows(sent)) == 2
    with pytest.raises(queue.Empty):
        sent.get(timeout=0.3)
    worker.handle({"op": "more", "id": 2}, None)
    assert len(next_rows(sent)) == 1
    with pytest.raises(queue.Empty):
        sent.get(timeout=0.3)
    # Meanwhile a query is answered.
    assert "vector" in worker.handle({"op": "query", "id": 3, "text": "soil"}, None)
    worker.handle({"op": "stop", "id": 2}, None)
    assert sent.get(timeout=30) == {"id": 2, "done": True}


def test_a_resting_job_that_is_left_gives_its_place_to_the_next(own):
    left = own.batches(TEXTS, budget=BUDGET)
    next(left)
    left.close()
    assert sorted(row for batch in own.batches(TEXTS, budget=BUDGET) for row in batch.rows) == list(range(12))


def test_a_batch_tells_the_seconds_of_the_model_alone(own):
    batches = own.batches(TEXTS, budget=BUDGET)
    found = [next(batches)]
    threading.Event().wait(0.2)  # while it was not taken, the next was long done
    found += batches
    assert all(0 < batch.seconds < 0.2 for batch in found)


# --- what a child may hold ---------------------------------------------------------------------------


def test_a_child_that_has_grown_is_replaced_between_two_jobs(own, monkeypatch):
    own.raw_passages(TEXTS)
    first = own.pid
    own.adapt(1)
    assert own.pid == first
    monkeypatch.setattr(encoder_module, "MOST_MEMORY", 1 << 20)
    own.adapt(1)
    assert own.pid is None
    assert own.raw_passages(TEXTS).any()
    assert own.pid not in {None, first}
    assert (own.restarts, own.renewals) == (0, [1, 0])


def test_other_threads_are_another_child_once_it_is_free(own):
    job = own.batches(TEXTS, budget=BUDGET)
    next(job)
    first = own.pid
    own.adapt(2)
    assert own.pid == first  # it is at work
    job.close()
    own.adapt(2)
    assert own.pid is None and own.renewals == [0, 1]
    own.query("soil")
    second = own.pid
    own.adapt(2)
    assert own.pid == second


def test_a_child_at_rest_is_ended_and_one_at_work_is_not(own):
    job = own.batches(TEXTS, budget=BUDGET)
    next(job)
    process = psutil.Process(own.pid)
    own.rest()
    assert process.is_running()
    job.close()
    own.rest()
    process.wait(10)
    assert own.pid is None
    own.rest()
    assert own.query("soil").any()


# --- priorities --------------------------------------------------------------------------------------

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems keep threads' priorities to themselves"
)


def tasks():
    return {int(entry.name) for entry in Path("/proc/self/task").iterdir()}


@linux
def test_the_threads_of_a_runtime_stand_behind_and_ours_do_not(tiny):
    before, own_nice = tasks(), os.getpriority(os.PRIO_PROCESS, 0)
    over = threading.Event()
    with in_background():
        runner = Runner(*tiny, threads=3)
        ours = threading.Thread(target=over.wait)
        ours.start()
    theirs = tasks() - before - {thread.native_id for thread in threading.enumerate()}
    try:
        assert len(theirs) >= 2
        assert {os.getpriority(os.PRIO_PROCESS, number) for number in theirs} == {max(NICE, own_nice)}
        assert os.getpriority(os.PRIO_PROCESS, ours.native_id) == own_nice
    finally:
        over.set()
        ours.join()
        del runner


@linux
def test_of_a_child_only_what_answers_a_person_has_the_priority_of_the_window(tiny):
    own = Encoder(*tiny, threads=3)
    try:
        own.raw_passages(TEXTS)
        nices = []
        for thread in psutil.Process(own.pid).threads():
            with contextlib.suppress(ProcessLookupError):
                nices.append(os.getpriority(os.PRIO_PROCESS, thread.id))
    finally:
        own.close()
    lowered = max(NICE, os.getpriority(os.PRIO_PROCESS, 0))
    assert nices.count(lowered) >= 3  # the job's, and the two that help it
