import queue
from dataclasses import replace

import numpy as np
import pytest

from tests.support.models import WORDS, tiny_graph, tiny_repository, tiny_table
from zbm_core.semantic import Encoder, Model
from zbm_core.semantic.batching import LEAST_BUDGET, MAX_TEXTS, TIGHT_MEMORY, affordable, batches
from zbm_core.semantic.encoder_worker import Worker
from zbm_core.semantic.runner import Runner

PLENTY = 64 << 30


@pytest.fixture
def tiny(tmp_path):
    """Make a small model in a folder: ``tiny(graph bytes, **fields of its record)``."""

    def tiny(graph=None, **fields):
        files = tiny_repository()
        (tmp_path / "model.onnx").write_bytes(graph or files["onnx/model.onnx"])
        (tmp_path / "tokenizer.json").write_bytes(files["tokenizer.json"])
        record = {
            "name": "tiny", "revision": "1", "repository": "o/tiny", "hub_revision": "", "files": (),
            "graph": "model.onnx", "tokenizer": "tokenizer.json", "pooling": "mean",
            "native_width": 8, "width": 8, "max_tokens": 32,
        }  # fmt: skip
        return tmp_path, Model(**{**record, **fields})

    return tiny


def embed(worker, folder, model, texts, budget=64):
    """Run a job in *worker*; its messages."""
    loaded = worker.handle(
        {"op": "load", "id": 1, "folder": str(folder), "record": model.to_json(), "threads": 1}, None
    )
    assert loaded == {"id": 1, "loaded": True}
    inbox = queue.SimpleQueue()
    worker.handle({"op": "embed", "id": 2, "texts": texts, "budget": budget}, inbox.put)
    messages = []
    while not messages or not ("done" in messages[-1] or "error" in messages[-1]):
        messages.append(inbox.get(timeout=30))
    return messages


def test_memory_pressure_halves_the_batches(tiny):
    folder, model = tiny(max_tokens=4096)
    texts = ["soil " * 62] * 32  # 64 tokens each with their marks
    sizes = {}
    for available in (PLENTY, TIGHT_MEMORY - 1, TIGHT_MEMORY // 2 - 1, 1):
        messages = embed(Worker(lambda left=available: left), folder, model, texts, budget=1024)
        sizes[available] = [len(part["rows"]) for part in messages if "rows" in part]
    assert [set(counts) for counts in sizes.values()] == [{16}, {8}, {4}, {2}]


def test_memory_is_looked_at_before_each_batch(tiny):
    folder, model = tiny(max_tokens=4096)
    left = iter([PLENTY, 1, 1, PLENTY])
    messages = embed(Worker(lambda: next(left, PLENTY)), folder, model, ["soil " * 62] * 36, budget=1024)
    assert [len(part["rows"]) for part in messages if "rows" in part] == [16, 2, 2, 16]


def test_a_budget_is_never_below_the_least():
    assert affordable(1024, 0) == LEAST_BUDGET
    assert affordable(1024, PLENTY) == 1024
    assert affordable(100, 0) == LEAST_BUDGET


def test_many_short_texts_are_no_endless_batch():
    assert {len(group) for group in batches([1] * 1000, 10**6)} == {MAX_TEXTS, 1000 % MAX_TEXTS}


def test_a_text_the_model_refuses_is_given_up_and_named(tiny):
    folder, model = tiny(tiny_graph(tiny_table(), fails_on=WORDS.index("river")))
    encoder = Encoder(folder, model)
    try:
        texts = ["soil carbon", "the river", "water in soil"]
        batches = list(encoder.batches(texts))
    finally:
        encoder.close()
    assert sorted(row for batch in batches for row in batch.rows) == [0, 1, 2]
    (refused,) = (batch for batch in batches if batch.given_up)
    assert refused.rows == [1] and not refused.vectors.any()
    assert "the river" in refused.given_up
    assert encoder.restarts == 0


CRASHING = """
import os, sys
import zbm_core.semantic.encoder_worker as worker
run = worker.Runner.run
def crash(self, rows):
    if any(9 in row for row in rows):
        os._exit(41)
    return run(self, rows)
worker.Runner.run = crash
worker.main()
"""


def test_a_text_that_crashes_the_child_twice_is_given_up_and_named(tiny, monkeypatch):
    import sys

    monkeypatch.setattr("zbm_core.semantic.child.worker_command", lambda: [sys.executable, "-c", CRASHING])
    encoder = Encoder(*tiny())
    try:
        assert WORDS[9] == "river"
        batches = list(encoder.batches(["soil carbon", "the river", "water in soil", "the soil"]))
    finally:
        encoder.close()
    assert sorted(row for batch in batches for row in batch.rows) == [0, 1, 2, 3]
    (refused,) = (batch for batch in batches if batch.given_up)
    assert refused.rows == [1] and "the river" in refused.given_up
    assert all(batch.vectors.any(axis=1).all() for batch in batches if not batch.given_up)
    assert encoder.restarts == 2


def test_a_model_that_always_crashes_is_given_up(tiny, monkeypatch):
    import sys

    always = CRASHING.replace("any(9 in row for row in rows)", "len(rows[0]) > 3")
    monkeypatch.setattr("zbm_core.semantic.child.worker_command", lambda: [sys.executable, "-c", always])
    encoder = Encoder(*tiny())
    with pytest.raises(Exception, match="several times"):
        list(encoder.batches(["soil carbon"] * 5))
    with pytest.raises(Exception, match="unexpectedly twice"):
        encoder.query("soil carbon")
    encoder.close()


def test_a_child_that_cannot_start_is_said(tiny, monkeypatch):
    import sys

    for command in ([sys.executable, "-c", "raise SystemExit(3)"], ["/no/such/program"]):
        monkeypatch.setattr("zbm_core.semantic.child.worker_command", lambda command=command: command)
        encoder = Encoder(*tiny())
        with pytest.raises(Exception, match="could not be started"):
            encoder.query("soil")
        encoder.close()


def test_vectors_that_are_no_numbers_say_nothing(tiny):
    from zbm_core.semantic import prepare

    table = tiny_table()
    table[WORDS.index("river")] = np.nan
    table[WORDS.index("water")] = np.inf
    folder, model = tiny(tiny_graph(table))
    runner = Runner(folder, model, 1)
    vectors = runner.run(runner.tokenize(["river", "water", "soil"], ""))
    rows = prepare(vectors, model, query=False)
    assert [bool(row.any()) for row in rows] == [False, False, True]


def test_padding_never_reaches_a_vector(tiny):
    table = tiny_table()
    table[0] = np.nan  # what padding looks up
    folder, model = tiny(tiny_graph(table))
    runner = Runner(folder, model, 1)
    rows = runner.tokenize(["soil", "carbon in the soil in the water"], "")
    together = runner.run(rows)
    assert np.isfinite(together).all()
    assert np.array_equal(together[0], runner.run(rows[:1])[0])


@pytest.mark.parametrize(("leading_space", "expected"), [(False, [1, 6, 2]), (True, [1, 3, 6, 2])])
def test_a_leading_space_is_put_where_the_record_wants_one(tiny, leading_space, expected):
    from tokenizers import Tokenizer, pre_tokenizers

    folder, model = tiny(leading_space=leading_space)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "isolated")  # a space is seen
    tokenizer.save(str(folder / "tokenizer.json"))
    assert Runner(folder, model, 1).tokenize(["  soil \n"], "") == [expected]


def test_a_model_of_another_width_is_refused(tiny):
    folder, model = tiny(native_width=16, width=16)
    answer = Worker().handle(
        {"op": "load", "id": 7, "folder": str(folder), "record": model.to_json(), "threads": 1}, None
    )
    assert answer["id"] == 7 and "8 wide" in answer["error"]


def test_a_graph_that_wants_what_is_not_known_is_refused(tiny):
    graph = tiny_graph(tiny_table()).replace(b"attention_mask", b"attention_zask")
    folder, model = tiny(graph)
    with pytest.raises(Exception, match="could not be loaded") as error:
        Runner(folder, model, 1)
    assert "attention_zask" in error.value.detail


def test_a_narrower_width_is_cut_to(tiny):
    from zbm_core.semantic import prepare

    folder, model = tiny(width=5)
    runner = Runner(folder, model, 1)
    assert prepare(runner.run(runner.tokenize(["soil"], "")), model, query=False).shape == (1, 5)


def test_no_text_is_longer_than_attention_can_bear(tiny):
    from zbm_core.semantic.runner import MOST_TOKENS

    folder, model = tiny(max_tokens=100_000)
    (row,) = Runner(folder, model, 1).tokenize(["soil " * 50_000], "")
    assert len(row) == MOST_TOKENS


def test_what_calls_kept_is_given_back_and_they_go_on(tiny):
    folder, model = tiny()
    runner = Runner(folder, model, 1)
    rows = runner.tokenize(["soil in water", "river"], "")
    before = runner.run(rows)
    runner.give_back()
    assert np.array_equal(runner.run(rows), before)


def test_a_stopped_job_ends_before_its_next_batch(tiny):
    folder, model = tiny()
    worker = Worker()
    worker.handle({"op": "stop", "id": 2}, None)
    assert embed(worker, folder, model, ["soil"] * 100) == [{"id": 2, "done": True}]


def test_an_unknown_request_is_answered(tiny):
    assert "Unknown request" in Worker().handle({"op": "dance", "id": 5}, None)["error"]
    assert "error" in Worker().handle({"op": "query", "id": 5, "text": "before loading"}, None)


def test_a_record_survives_as_json(tiny):
    _, model = tiny(query_prefix="q: ", leading_space=True)
    assert Model.from_json(model.to_json(), "here") == model
    assert replace(model, revision="2").identity != model.identity
