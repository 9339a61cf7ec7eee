"""Passages embedded by a server: nothing wrong is ever handed on."""

import threading
import time

import numpy as np
import pytest

from tests.support.embedding_server import EmbeddingServerDouble
from tests.zbm_core.semantic.endpoint.conftest import QUICK
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic import corpus_file, load_triples
from zbm_core.semantic.endpoint import Address, ApiKey, EndpointClient, Pace, RemoteEncoder, State, Verdict
from zbm_core.semantic.endpoint.remote import MAX_FAILURES, MAX_TEXTS
from zbm_core.semantic.endpoint.verification import as_sent, probes

TEXTS = [triple.near_miss for triple in load_triples(corpus_file())[:100]]


class Run:
    """One run against *server*, and what it came to."""

    def __init__(self, server, local, *, key="", parallel=1, pace=None, form="openai", **options):
        self.verdicts = []
        verdict = Verdict(State.OK, server.url, local.model.identity, form=form, server_model=server.model)
        client = EndpointClient(
            Address.parse(server.url), form, ApiKey(key), pace=pace, **{**QUICK, **options}
        )
        self.remote = RemoteEncoder(
            local, client, verdict, on_verdict=self.verdicts.append, parallel=parallel
        )

    def vectors(self, texts=TEXTS, cancel=None):
        """As an index would have them: every text exactly once."""
        rows = np.full((len(texts), self.remote.model.native_width), np.nan, np.float32)
        for batch in self.remote.batches(texts, cancel):
            assert np.isnan(rows[batch.rows]).all(), "a text came twice"
            rows[batch.rows] = batch.vectors
        assert not np.isnan(rows).any(), "a text is missing"
        return rows


def right(rows, local, texts=TEXTS):
    truth = local.raw_passages(texts)
    norms = np.linalg.norm(truth, axis=1) * np.linalg.norm(rows, axis=1)
    return np.allclose(np.einsum("ij,ij->i", rows, truth), norms, rtol=1e-4)


@pytest.fixture
def run(server, local):
    run = Run(server, local)
    yield run
    run.remote.close()


def test_texts_are_embedded_there_and_are_the_same(server, local, run):
    assert right(run.vectors(), local)
    usage = run.remote.usage
    assert usage.local_texts == 0 and usage.failures == 0
    assert usage.texts >= len(TEXTS) and usage.tokens > 0
    assert usage.requests == len(server.requests)
    assert not run.remote.skipped and not run.verdicts


def test_requests_are_small_and_each_carries_both_sentinels(server, run):
    run.vectors()
    query = as_sent(run.remote.model, probes().queries[0], query=True)
    sent = {as_sent(run.remote.model, text) for text in TEXTS}
    for request in server.requests:
        assert len(request["input"]) <= MAX_TEXTS
        assert request["input"].count(query) == 1
        (passage,) = [text for text in request["input"] if text not in sent and text != query]
        assert len(passage.encode()) >= 0.9 * max(len(text.encode()) for text in request["input"])
    places = {request["input"].index(query) for request in server.requests[1:]}
    assert len(server.requests) > 2 and len(places) > 1, "sentinels stand where a server could guess"


def test_several_requests_are_under_way_at_once(embed, local):
    at_once, most = 0, 0
    lock, met = threading.Lock(), threading.Barrier(2, timeout=20)

    def slow(texts):
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        if len(texts) > 2:
            met.wait()  # passes only if another request is here as well
        with lock:
            at_once -= 1
        return embed(texts)

    with EmbeddingServerDouble(slow) as server:
        run = Run(server, local, parallel=2)
        texts = TEXTS[:60]  # two requests
        assert right(run.vectors(texts), local, texts)
        run.remote.close()
    assert most == 2


def test_blank_texts_say_nothing_and_are_not_sent(server, run):
    rows = run.vectors([" ", TEXTS[0], "", "\n\t"])
    assert not rows[[0, 2, 3]].any() and rows[1].any()
    assert all(text.strip() for request in server.requests for text in request["input"])


WRONG = ["narrow", "nan", "null", "zeros", "missing", "ragged", "reversed", "sorted", "same", "huge", "misnumbered",
         "renamed", "other"]  # fmt: skip


@pytest.mark.parametrize("begins", [0, 2])
@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_batch_is_thrown_away_and_the_server_left(server, local, others, run, fault, begins):
    server.fault, server.healthy_requests = fault, begins
    server.other = others["another model"]
    assert right(run.vectors(), local)
    # "ragged" and "misnumbered" say nothing wrong of what is sent with a single vector; here there are two and more.
    assert [verdict.state for verdict in run.verdicts] == [State.INVALID]
    assert run.verdicts[0].why and run.verdicts[0].url == server.url
    assert run.remote.skipped and len(server.requests) == begins + 1
    again = len(server.requests)
    assert right(run.vectors(), local)
    assert len(server.requests) == again, "the server was asked after it was found out"


def test_another_pooling_is_found_out(server, local, others, run):
    server.fault, server.healthy_requests, server.other = "other", 1, others["another pooling"]
    assert right(run.vectors(), local) and run.verdicts[0].state is State.INVALID


def test_a_server_that_begins_to_cut_is_found_out_by_the_first_batch_it_cuts(server, local, others, run):
    server.fault, server.healthy_requests, server.other = "other", 1, others["cut at 512 tokens"]
    texts = [*TEXTS[:40], *(" ".join(TEXTS[start : start + 12])[:6000] for start in range(0, 60, 12))]
    assert right(run.vectors(texts), local, texts)
    assert [verdict.state for verdict in run.verdicts] == [State.INVALID]
    assert 0 < run.remote.usage.local_texts < len(texts), "what it did not cut was right, and is kept"


@pytest.mark.parametrize("fault", ["html", "404", "429", "500", "drop", "redirect", "tokens"])
def test_three_failures_in_a_row_skip_the_server_for_the_run(server, local, run, fault):
    server.fault, server.redirect = fault, "http://127.0.0.2:1/v1/embeddings"
    assert right(run.vectors(), local)
    assert run.remote.skipped and not run.verdicts
    assert run.remote.usage.failures == MAX_FAILURES
    assert run.remote.usage.local_texts == len(TEXTS)
    assert all(request["input"] for request in server.requests)


def test_failures_that_are_not_in_a_row_are_made_up_for(server, local, run):
    server.faults = ["", "404", "404", ""]
    assert right(run.vectors(), local)
    assert not run.remote.skipped and run.remote.usage.failures == 2
    assert 0 < run.remote.usage.local_texts < len(TEXTS)


def test_five_hundred_twice_then_fine_costs_nothing(server, local, run):
    server.faults = ["500", "500", ""]
    assert right(run.vectors(), local)
    assert run.remote.usage.local_texts == 0 and run.remote.usage.failures == 0


def test_a_key_that_is_no_longer_taken_is_not_tried_again(embed, local):
    with EmbeddingServerDouble(embed, key="right") as server:
        run = Run(server, local, key="wrong")
        assert right(run.vectors(), local)
        assert [verdict.state for verdict in run.verdicts] == [State.UNAUTHORIZED]
        assert len(server.requests) == 1
        run.remote.close()


def test_batches_are_halved_until_the_server_takes_them(server, local, run):
    server.most_texts = 7
    assert right(run.vectors(), local)
    assert run.remote.usage.local_texts == 0 and not run.remote.skipped


def test_what_it_does_not_take_even_alone_is_embedded_here(embed, local):
    long = max(TEXTS, key=len)

    def picky(texts):
        return embed(texts)

    with EmbeddingServerDouble(picky) as server:
        original = server._answer

        def answer(request, asked, fault):
            too_long = any(text.endswith(long[-40:]) for text in asked["input"])
            original(request, asked, "400" if too_long else fault)

        server._answer = answer
        run = Run(server, local)
        assert right(run.vectors(), local)
        assert run.remote.usage.local_texts == 1
        run.remote.close()


def test_the_other_form(embed, local):
    with EmbeddingServerDouble(embed, form="tei", model="") as server:
        run = Run(server, local, form="tei")
        assert right(run.vectors(), local) and run.remote.usage.local_texts == 0
        server.fault = "reversed"
        assert right(run.vectors(), local) and run.verdicts[0].state is State.INVALID
        run.remote.close()


def test_a_run_stops_at_once_while_the_server_is_silent(server, run):
    server.fault, server.healthy_requests = "silence", 1
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        run.vectors(cancel=cancel)
    assert time.monotonic() - began < 20  # the server is silent for thirty seconds, patience is a minute


def test_silence_ends_in_work_done_here(server, local):
    server.fault, server.healthy_requests = "silence", 1
    run = Run(server, local, answer_seconds=0.3)
    assert right(run.vectors(), local) and run.remote.skipped
    run.remote.close()


def test_whoever_stops_reading_leaves_no_requests_behind(server, run):
    for batch in run.remote.batches(TEXTS):
        assert len(batch.rows)
        break
    count = len(server.requests)
    time.sleep(0.3)
    assert len(server.requests) <= count + 1  # the one that was on its way


def test_a_limit_of_requests_is_kept(server, local):
    pace = Pace(requests=2)
    run = Run(server, local, pace=pace)
    cancel = CancelToken()
    threading.Timer(1.0, cancel.cancel).start()
    with pytest.raises(Cancelled):
        run.vectors(cancel=cancel)
    assert len(server.requests) == 2
    run.remote.close()


def test_a_server_that_says_nothing_is_left_is_not_asked(server, local, run):
    server.extra_headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "50s"}
    cancel = CancelToken()
    threading.Timer(1.0, cancel.cancel).start()
    with pytest.raises(Cancelled):
        run.vectors(cancel=cancel)
    assert len(server.requests) == 1
