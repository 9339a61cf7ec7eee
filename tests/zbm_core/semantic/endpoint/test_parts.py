"""Addresses, limits, the key that says nothing of itself, words for errors."""

import logging
import pickle
import time

import pytest

from tests.support.embedding_server import EmbeddingServerDouble
from tests.zbm_core.semantic.endpoint.conftest import QUICK
from zbm_core.errors import CancelToken
from zbm_core.semantic.endpoint import (
    Address,
    AddressError,
    ApiKey,
    EndpointClient,
    Pace,
    State,
    Usage,
    served_as,
    verify,
)
from zbm_core.semantic.endpoint.client import in_words
from zbm_core.semantic.endpoint.forms import RequestFailed
from zbm_core.semantic.endpoint.pace import back_off, duration, retry_after

SECRET = "sk-very-secret-0123456789"


@pytest.mark.parametrize(
    ("typed", "base"),
    [
        ("http://localhost:8080", "http://localhost:8080"),
        ("localhost:8080", "http://localhost:8080"),
        (" http://localhost:8080/v1/embeddings ", "http://localhost:8080"),
        ("http://localhost:8080/v1/", "http://localhost:8080"),
        ("https://lab.example/models/e5/v1/embeddings", "https://lab.example/models/e5"),
        ("https://lab.example/embed", "https://lab.example"),
        ("http://[::1]:8080/embeddings", "http://[::1]:8080"),
    ],
)
def test_an_address_is_taken_with_or_without_its_path(typed, base):
    address = Address.parse(typed)
    assert address.base == base and address.url == f"{base}/v1/embeddings"
    assert Address.parse(address.url) == address


@pytest.mark.parametrize(
    "typed", ["", "http://", "ftp://a", "http://u:p@a", "http://a?x", "http://a#x", "http://a b", "http://a:99999",
              "file:///etc/passwd", "x" * 3000, "http://a\nb"]
)  # fmt: skip
def test_what_is_no_address_is_told(typed):
    with pytest.raises(AddressError) as told:
        Address.parse(typed)
    assert told.value.message.endswith(".")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("[::1]", True), ("LOCALHOST.", True),
     ("10.0.0.1", False), ("localhost.example.org", False), ("127.0.0.1.example.org", False), ("128.0.0.1", False)],
)  # fmt: skip
def test_what_is_this_computer(host, loopback):
    assert Address.parse(f"http://{host}:80").loopback is loopback


def test_a_redirect_goes_to_the_same_server_or_nowhere():
    here = Address.parse("http://a.example:8080")
    assert here.same_server(Address.parse("http://A.example:8080/other"))
    assert here.same_server(Address.parse("https://a.example"))
    assert not here.same_server(Address.parse("http://a.example:8081"))
    assert not here.same_server(Address.parse("http://b.example:8080"))
    assert not Address.parse("https://a.example").same_server(Address.parse("http://a.example"))


def test_texts_and_key_do_not_follow_a_redirect_elsewhere(embed):
    with EmbeddingServerDouble(embed) as elsewhere, EmbeddingServerDouble(embed) as server:
        server.fault, server.redirect = "redirect", elsewhere.url
        client = EndpointClient(Address.parse(server.url), "openai", ApiKey(SECRET), **QUICK)
        with pytest.raises(RequestFailed) as failed:
            client.embed(["a"])
        assert failed.value.state is State.NOT_EMBEDDINGS and "another server" in failed.value.why
        assert len(server.requests) == 1 and not elsewhere.requests
        server.faults, server.fault = ["redirect"], ""
        server.redirect = "/v1/embeddings"  # the same server: followed
        assert client.embed(["a"]).vectors.shape[0] == 1
        client.close()


def test_an_endless_answer_is_cut_off(server, client):
    server.fault = "endless"
    with pytest.raises(RequestFailed) as failed:
        client.embed(["a"])
    assert "far too long" in failed.value.why


def test_a_proxy_is_never_asked_for_this_computer(server, client, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")  # nothing is there
    assert client.embed(["a"]).vectors.shape[0] == 1


def test_a_proxy_is_asked_for_others(server, monkeypatch):
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1/embeddings"))
    client = EndpointClient(Address.parse("http://lab.invalid"), "openai", **QUICK)
    with pytest.raises(RequestFailed):
        client.embed(["a"])
    assert server.paths == ["http://lab.invalid/v1/embeddings"]
    client.close()


# --- the key -------------------------------------------------------------------------------------------


def test_a_key_says_nothing_of_itself():
    key = ApiKey(f" {SECRET}\n")
    assert key and key.reveal() == SECRET
    assert SECRET not in f"{key} {key!r} {[key]}"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(ValueError) as wrong:
        ApiKey("schlüssel")
    assert "schlüssel" not in str(wrong.value)


def test_no_log_line_and_no_error_has_the_key(embed, local, caplog):
    caplog.set_level(logging.DEBUG)
    with EmbeddingServerDouble(embed) as server:
        server.fault = "418"  # a server that sends back what it was sent
        client = EndpointClient(Address.parse(server.url), "openai", ApiKey(SECRET), **QUICK)
        with pytest.raises(RequestFailed) as failed:
            client.embed(["a"])
        verdict = verify(server.url, ApiKey(SECRET), local, **QUICK)
        client.close()
        assert server.headers[0]["Authorization"] == f"Bearer {SECRET}"
    assert "•••" in failed.value.detail
    told = f"{failed.value} {failed.value.detail} {failed.value.args} {verdict} {verdict.to_json()} {client.__dict__}"
    assert SECRET not in told
    assert caplog.text and SECRET not in caplog.text


# --- limits --------------------------------------------------------------------------------------------


def test_durations_in_every_form():
    assert [duration(text) for text in ("2", "1.5", "20ms", "6m0s", "1h")] == [2, 1.5, 0.02, 360, 3600]
    assert [duration(text) for text in ("", "soon", "-1", "1x", "nan", "inf", "5 s")] == [None] * 7


def test_when_to_come_back():
    assert retry_after({}) is None and retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert retry_after({"retry-after": "some day"}) is None


def test_back_off_doubles_and_varies():
    first = [back_off(1) for _ in range(50)]
    assert 0.5 <= min(first) < max(first) <= 1 and max(first) - min(first) > 0.1
    assert all(2 <= back_off(3) <= 4 for _ in range(50))
    assert back_off(40) <= 60


def test_tokens_a_minute_are_kept_but_one_heavy_request_passes():
    pace = Pace(tokens=100)
    assert pace._enter(500) == 0.0  # alone, it would wait for ever
    assert 0 < pace._enter(1) <= 60
    roomy = Pace(tokens=100)
    assert roomy._enter(60) == roomy._enter(40) == 0.0 and roomy._enter(1) > 0


def test_a_server_asking_for_hours_has_failed_for_now(server, client):
    server.fault, server.retry_after = "429", "7200"
    began = time.monotonic()
    with pytest.raises(RequestFailed) as failed:
        client.embed(["a"], CancelToken())
    assert failed.value.state is State.UNREACHABLE and "busy" in failed.value.why
    assert time.monotonic() - began < 30 and len(server.requests) == 1


def test_usage_adds_up_and_survives_a_damaged_setting():
    both = Usage(1, 2, 3, 4, 5, 6.0).added(Usage(1, 1, 1, 1, 1, 1.0))
    assert both == Usage(2, 3, 4, 5, 6, 7.0) == Usage.from_json(both.to_json())
    assert Usage.from_json("") == Usage.from_json("[]") == Usage.from_json('{"x": 1}') == Usage()


# --- words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("certificate verify failed: certificate has expired", "expired"),
        ("certificate verify failed: Hostname mismatch, certificate is not valid", "another name"),
        ("certificate verify failed: self-signed certificate", "signed its certificate itself"),
        ("certificate verify failed: unable to get local issuer certificate", "not known to this computer"),
        ("[SSL: WRONG_VERSION_NUMBER] wrong version number", "does not speak https"),
        ("[Errno 111] Connection refused", "nothing answers"),
        ("[Errno -2] Name or service not known", "no computer of this name"),
        ("something else", "the connection failed"),
    ],
)
def test_transport_errors_are_words(error, words):
    assert words in in_words(OSError(error))


def test_https_to_a_server_without_it_is_said(server):
    client = EndpointClient(Address.parse(f"https://127.0.0.1:{server.port}"), "openai", **QUICK)
    with pytest.raises(RequestFailed) as failed:
        client.embed(["a"])
    assert failed.value.why == "it does not speak https; try http"
    client.close()


def test_what_to_serve(local):
    served = served_as(local.model)
    assert served.pooling == "mean" and served.context == 2048
    assert "--embeddings --pooling mean" in served.command and "-c 2048 -ub 2048 -b 2048" in served.command
    assert served.command.count("\n") == 1
