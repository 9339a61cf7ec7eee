"""A server is trusted only because its vectors match."""

import threading
import time

import pytest

from tests.support.embedding_server import EmbeddingServerDouble, embed_by
from tests.zbm_core.semantic.endpoint.conftest import QUICK
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic import Encoder, unprefixed
from zbm_core.semantic.endpoint import AddressError, ApiKey, State, Verdict, verify


def checked(server, local, key=None, cancel=None):
    told = []
    verdict = verify(server.url, key and ApiKey(key), local, cancel, told.append, **QUICK)
    return verdict, {check.name: check.passed for check in told}


def test_a_server_of_the_same_model_is_trusted(server, local):
    verdict, checks = checked(server, local)
    assert verdict.state is State.OK and verdict.ok
    assert verdict.agreement > 0.9999 and verdict.long_agreement > 0.9999
    assert verdict.form == "openai" and verdict.server_model == "the-model"
    assert verdict.url == server.url and verdict.model == local.model.identity
    assert verdict.width == local.model.width and verdict.time > 0
    assert checks == dict.fromkeys(("Connection", "Embeddings", "Width", "Agreement", "Long texts"), True)
    assert not verdict.remedy


def test_the_other_form_is_found_by_itself(embed, local):
    with EmbeddingServerDouble(embed, form="tei") as server:
        verdict, _ = checked(server, local)
    assert verdict.ok and verdict.form == "tei" and verdict.server_model == ""


def test_what_is_sent_has_the_prefixes_and_single_spaces(server, local):
    checked(server, local)
    sent = [text for request in server.requests for text in request["input"]]
    assert all(text.startswith(("query: ", "passage: ")) for text in sent)
    assert (
        sum(text.startswith("query: ") for text in sent) == 8 + 1
    )  # the first is asked alone, to begin with
    assert all(text == " ".join(text.split()) for text in sent)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("another model", State.LOW_AGREEMENT),
        ("another pooling", State.LOW_AGREEMENT),
        ("cut at 512 tokens", State.CONTEXT_TOO_SMALL),
    ],
)
def test_another_model_pooling_or_window_is_found_out(others, local, name, state):
    with EmbeddingServerDouble(others[name]) as server:
        verdict, checks = checked(server, local)
    assert verdict.state is state
    assert [name for name, passed in checks.items() if not passed] == [
        "Agreement" if state is State.LOW_AGREEMENT else "Long texts"
    ]
    assert verdict.sentence and verdict.remedy


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("narrow", State.WIDTH_MISMATCH),
        ("nan", State.NOT_EMBEDDINGS),
        ("null", State.NOT_EMBEDDINGS),
        ("zeros", State.NOT_EMBEDDINGS),
        ("missing", State.NOT_EMBEDDINGS),
        ("ragged", State.NOT_EMBEDDINGS),
        ("tokens", State.NOT_EMBEDDINGS),
        ("huge", State.NOT_EMBEDDINGS),
        ("misnumbered", State.NOT_EMBEDDINGS),
        ("reversed", State.LOW_AGREEMENT),
        ("sorted", State.LOW_AGREEMENT),
        ("same", State.LOW_AGREEMENT),
        ("html", State.NOT_EMBEDDINGS),
        ("401", State.UNAUTHORIZED),
        ("403", State.UNAUTHORIZED),
        ("404", State.NOT_EMBEDDINGS),
        ("429", State.UNREACHABLE),
        ("500", State.UNREACHABLE),
        ("drop", State.UNREACHABLE),
    ],
)
def test_each_misbehaviour_has_its_verdict(server, local, fault, state):
    server.fault = fault
    verdict, checks = checked(server, local)
    assert verdict.state is state, verdict
    assert sum(not passed for passed in checks.values()) == 1
    assert verdict.sentence.endswith(".") and verdict.remedy.endswith(".")


def test_a_server_that_numbers_its_vectors_may_send_them_in_any_order(server, local):
    server.fault = "numbered"
    assert checked(server, local)[0].ok


def test_a_busy_server_is_asked_again(server, local):
    server.faults = ["500", "503", "", "429"]
    assert checked(server, local)[0].ok


def test_texts_go_in_halves_to_a_server_that_takes_few(server, local):
    server.most_texts = 3
    assert checked(server, local)[0].ok
    assert max(len(request["input"]) for request in server.requests if len(request["input"]) <= 3) == 3


def test_a_server_that_refuses_the_long_text_is_too_small(server, local):
    server.faults = ["", "", "413"]
    verdict, _ = checked(server, local)
    assert verdict.state is State.CONTEXT_TOO_SMALL
    assert "-c 2048" in verdict.remedy


def test_nothing_listens(local):
    with EmbeddingServerDouble(lambda texts: None) as gone:
        pass
    verdict, checks = checked(gone, local)
    assert verdict.state is State.UNREACHABLE and checks == {"Connection": False}
    assert "nothing answers at this address" in verdict.sentence


def test_a_key_is_asked_for_and_sent(embed, local):
    with EmbeddingServerDouble(embed, key="abc-123") as server:
        assert checked(server, local)[0].state is State.UNAUTHORIZED
        assert checked(server, local, "wrong")[0].state is State.UNAUTHORIZED
        assert checked(server, local, "abc-123")[0].ok


def test_a_test_can_be_given_up_while_the_server_is_silent(server, local):
    server.fault = "silence"
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        verify(server.url, None, local, cancel, answer_seconds=60.0)
    assert time.monotonic() - began < 20  # not the server's half minute, nor the minute of patience


def test_silence_has_an_end(server, local):
    server.fault = "silence"
    verdict = verify(server.url, None, local, answer_seconds=0.3, first_back_off=0.01)
    assert verdict.state is State.UNREACHABLE and "in time" in verdict.sentence


def test_what_is_no_address_is_said(local):
    for text in ("", "ftp://host", "http://", "http://user:secret@host", "http://host?key=1", "a b"):
        with pytest.raises(AddressError):
            verify(text, None, local)


def test_a_verdict_is_kept_as_text(server, local):
    verdict, _ = checked(server, local)
    assert Verdict.from_json(verdict.to_json()) == verdict
    for damaged in ("", "[]", "{", '{"state": "fine"}', '{"state": "ok", "more": 1}', "null"):
        assert Verdict.from_json(damaged) is None


def test_the_packaged_model_agrees_with_itself_and_not_with_its_cut_self(e5):
    folder, model = e5
    with Encoder(folder, model, threads=2) as local:
        with (
            Encoder(folder, unprefixed(model), threads=2) as served,
            EmbeddingServerDouble(embed_by(served)) as server,
        ):
            verdict, _ = checked(server, local)
            assert verdict.ok and verdict.agreement > 0.999 and verdict.long_agreement > 0.999
        from dataclasses import replace

        # Half the window: what sentence-transformers cuts some models at unless told otherwise.
        with (
            Encoder(folder, replace(unprefixed(model), max_tokens=256), threads=2) as served,
            EmbeddingServerDouble(embed_by(served)) as server,
        ):
            assert checked(server, local)[0].state is State.CONTEXT_TOO_SMALL
