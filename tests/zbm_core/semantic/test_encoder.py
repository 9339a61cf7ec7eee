import queue
import threading
import time

import numpy as np
import psutil
import pytest

from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic import Encoder, prepare
from zbm_core.semantic.child import ChildDied, ChildLink

SENTENCE = "Soils hold more carbon than the air and all plants together."
ODD = {
    "emoji": "😀👩‍👩‍👧🏽 🦄",
    "control characters": "soil\x00carbon\x07\x1b[31m \u200b\ufeff",
    "an unpaired surrogate": "soil \ud800 carbon",
    "mixed scripts": "soil почва 土壌 土壤 تربة sol Boden שלום ดิน",
    "one word without end": "a" * 5000,
    "unassigned characters": "\u0378\u0379 \U000e0080",
}


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.fixture
def own(e5):
    encoder = Encoder(*e5)
    yield encoder
    encoder.close()


def test_meaning_is_nearer_than_words_in_any_language(encoder):
    texts = [SENTENCE, "Böden speichern mehr Kohlenstoff als die Luft.", "The committee met on Tuesday."]
    query = encoder.query("how much carbon is stored in soil").astype(float)
    passages = prepare(encoder.raw_passages(texts), encoder.model, query=False).astype(float)
    answer, german, other = (cosine(query, passage) for passage in passages)
    assert answer > other and german > other


def test_every_text_is_in_one_batch_and_counted(encoder):
    texts = [SENTENCE * n for n in (9, 1, 3, 30, 1, 2)]
    batches = list(encoder.batches(texts))
    assert sorted(row for batch in batches for row in batch.rows) == list(range(6))
    assert all(batch.vectors.shape == (len(batch.rows), 384) for batch in batches)
    assert all(batch.tokens <= batch.padded for batch in batches)
    assert not any(batch.given_up for batch in batches)


def test_a_vector_does_not_depend_on_its_batch_mates(encoder):
    texts = [SENTENCE, "Carbon.", SENTENCE * 4, "土壤中储存了多少碳", *ODD.values()]
    together = encoder.raw_passages(texts)
    alone = np.concatenate([encoder.raw_passages([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6


def test_whitespace_of_any_kind_is_one_space(encoder):
    plain, odd = encoder.raw_passages(["soil carbon stock", "  soil\u00a0\n\n\tcarbon \u2009 stock\r\n"])
    assert np.array_equal(plain, odd)


def test_a_query_and_a_passage_are_told_apart(encoder):
    assert not np.allclose(encoder.raw_query(SENTENCE), encoder.raw_passages([SENTENCE]), atol=1e-3)


@pytest.mark.parametrize("what", ODD)
def test_odd_texts_have_finite_vectors(encoder, what):
    vectors = encoder.raw_passages([ODD[what], SENTENCE])
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1).all()
    assert encoder.query(ODD[what]).any()


@pytest.mark.parametrize("text", ["", " \n\t ", "\u2003"])
def test_a_blank_text_says_nothing(encoder, text):
    vectors = encoder.raw_passages([text, SENTENCE])
    assert not vectors[0].any() and vectors[1].any()
    assert not encoder.query(text).any()


def test_no_texts_no_batches(encoder):
    assert list(encoder.batches([])) == []


def test_a_text_of_a_million_characters_is_cut_not_choked_on(encoder):
    text = (SENTENCE + " ") * 17_000
    assert len(text) > 1_000_000
    (batch,) = encoder.batches([text])
    assert batch.tokens == encoder.model.max_tokens
    assert np.abs(batch.vectors[0] - encoder.raw_passages([text[:5000]])[0]).max() < 1e-6
    assert encoder.query(text).any()


def test_a_prepared_vector_is_int8_as_wide_as_the_model(encoder):
    rows = prepare(encoder.raw_passages([SENTENCE, ""]), encoder.model, query=False)
    assert rows.dtype == np.int8 and rows.shape == (2, 384)
    assert np.abs(rows[0]).max() == 127 and not rows[1].any()


def test_the_last_query_is_kept(encoder, monkeypatch):
    first = encoder.query("soil carbon kept")
    monkeypatch.setattr(encoder, "_ask", lambda message: pytest.fail("asked again"))
    assert encoder.query("soil carbon kept") is first


def test_a_query_is_answered_beside_a_running_job(encoder):
    job = encoder.batches([SENTENCE * 8] * 40)
    next(job)
    answered = []
    thread = threading.Thread(target=lambda: answered.append(encoder.query("beside a job")))
    thread.start()
    thread.join(30)
    # The job's other batches are still to come: the query did not wait for them.
    assert len(answered) == 1 and len(list(job)) > 1


def test_a_job_stops_within_a_second_of_being_told(encoder):
    cancel = CancelToken()
    job = encoder.batches([SENTENCE * 40] * 20, cancel)
    next(job)
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(Cancelled):
        list(job)
    assert encoder.raw_passages([SENTENCE]).any()  # and the child goes on to other work


def test_a_token_set_before_stops_before_the_first_batch(encoder):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(encoder.batches([SENTENCE], cancel))


# --- the child dies ----------------------------------------------------------------------------------


def test_a_child_killed_in_the_middle_of_a_batch_costs_that_batch(own):
    texts = [SENTENCE * (1 + n % 5) for n in range(24)]
    expected = own.raw_passages(texts)
    vectors, seen = np.zeros_like(expected), []
    for batch in own.batches(texts):
        vectors[batch.rows] = batch.vectors
        seen += batch.rows
        assert not batch.given_up
        if len(seen) == len(batch.rows):  # after the first one: the next is being computed
            psutil.Process(own.pid).kill()
    assert sorted(seen) == list(range(24))
    assert np.abs(vectors - expected).max() < 1e-6
    assert own.restarts == 1


def test_a_child_killed_before_its_first_batch_is_replaced(own):
    own.query("load it")
    psutil.Process(own.pid).kill()
    assert own.raw_passages([SENTENCE]).any()


def test_a_query_is_asked_again_of_another_child(own):
    own.query("load it")
    first = own.pid
    process = psutil.Process(first)
    process.suspend()  # so that the question is surely unanswered when it dies
    threading.Timer(0.3, process.kill).start()
    assert own.query("asked twice").any()
    assert own.pid != first


def test_an_unused_child_is_ended_and_another_started_when_needed(e5):
    own = Encoder(*e5, idle_seconds=0.3)
    own.query("soil")
    process = psutil.Process(own.pid)
    process.wait(20)
    assert own.pid is None
    assert own.query("carbon").any()
    own.close()


def test_closing_ends_the_child_and_stops_its_job(own):
    job = own.batches([SENTENCE * 8] * 40)
    next(job)
    process = psutil.Process(own.pid)
    threading.Timer(0.1, own.close).start()
    with pytest.raises(Cancelled):
        list(job)
    process.wait(10)
    assert own.pid is None


def test_the_child_ends_with_its_parent(own):
    own.query("soil")
    child = psutil.Process(own.pid)
    own._link._child._process.stdin.close()
    child.wait(10)


# --- picking the line to quote -------------------------------------------------------------------------


def test_the_sentence_that_means_the_query_is_picked(encoder):
    groups = [
        ["The meeting was in May.", "Soils store large amounts of carbon.", "We thank the reviewers."],
        [],
        ["", "Der Boden speichert Kohlenstoff."],
        ["Only this."],
    ]
    assert encoder.pick("carbon in the ground", groups) == [1, 0, 1, 0]
    assert encoder.pick("carbon in the ground", []) == []


def test_odd_sentences_do_no_harm(encoder):
    assert encoder.pick("soil \ud800", [[*ODD.values(), "Soil."]])[0] in range(len(ODD) + 1)
    assert encoder.pick("", [["One.", "Two."]])[0] in (0, 1)


def test_without_a_picking_model_there_is_no_pick(own):
    assert own.pick("soil", [["One.", "Two."]]) is None
    assert own.pid is None  # and nothing was started for it


def test_a_pick_is_answered_beside_a_running_job(encoder):
    job = encoder.batches([SENTENCE * 8] * 40)
    next(job)
    assert encoder.pick("carbon", [["A cat.", "Carbon."]]) == [1]
    assert len(list(job)) > 1


def test_time_goes_on_only_while_the_machine_is_awake(monkeypatch):
    link = ChildLink()
    now = time.monotonic()
    clock = iter([now + 3600 * n for n in range(100)])  # each look finds that an hour has passed
    monkeypatch.setattr("zbm_core.semantic.child.POLL", 0.001)
    monkeypatch.setattr("zbm_core.semantic.child.time.monotonic", lambda: next(clock))
    with pytest.raises(ChildDied):
        link.receive(queue.SimpleQueue(), 5)
    # Six looks of a second each, not one look of an hour.
    assert next(clock) - now >= 6 * 3600
