"""This computer's model as a server for others."""

import base64
import http.client
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.support.word_model import word_encoder
from tests.zbm_core.semantic.endpoint.conftest import QUICK
from zbm_core.semantic.endpoint import Address, ApiKey, EmbeddingServer, EndpointClient, verify
from zbm_core.semantic.endpoint import server as server_module
from zbm_core.semantic.endpoint.server import ServerError


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with word_encoder(tmp_path_factory.mktemp("served"), prefixes=("", "")) as encoder:
        yield encoder


@pytest.fixture
def own(served):
    with EmbeddingServer(served, port=0) as server:
        yield server


def ask(server, body, path="/v1/embeddings", method="POST", headers=None):
    address = Address.parse(server.address)
    connection = http.client.HTTPConnection(address.host, address.port, timeout=20)
    try:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, raw if method == "POST" else None, headers or {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null"), answer.headers
    finally:
        connection.close()


def test_it_passes_the_test_of_another_zbm(own, local):
    verdict = verify(own.address, None, local, **QUICK)
    assert verdict.ok and verdict.agreement > 0.9999
    assert verdict.server_model == "words"


def test_a_text_or_a_list_of_texts(own):
    _, one, _ = ask(own, {"input": "soil carbon"})
    status, two, _ = ask(own, {"input": ["a river", "soil carbon"], "model": "whatever"})
    assert status == 200 and two["object"] == "list" and two["model"] == "words"
    assert [entry["index"] for entry in two["data"]] == [0, 1]
    assert two["data"][1]["embedding"] == one["data"][0]["embedding"]
    assert np.linalg.norm(one["data"][0]["embedding"]) == pytest.approx(1, abs=1e-5)
    assert two["usage"]["total_tokens"] == two["usage"]["prompt_tokens"] > 0


def test_packed_vectors_are_the_same(own):
    _, plain, _ = ask(own, {"input": "soil"})
    _, packed, _ = ask(own, {"input": "soil", "encoding_format": "base64"})
    unpacked = np.frombuffer(base64.b64decode(packed["data"][0]["embedding"]), "<f4")
    assert np.allclose(unpacked, plain["data"][0]["embedding"], atol=1e-7)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b"\xff\xfe", 400),
        ([], 400),
        ({}, 400),
        ({"input": []}, 400),
        ({"input": [1, 2]}, 400),
        ({"input": [[1, 2]]}, 400),
        ({"input": "  "}, 400),
        ({"input": ["a"] * 257}, 413),
        ({"input": "a" * 100_001}, 413),
        ({"input": "a", "encoding_format": "gif"}, 400),
        ({"input": "a", "dimensions": 7}, 400),
    ],
)
def test_what_cannot_be_answered_is_said(own, body, status):
    got, answer, _ = ask(own, body)
    assert got == status and answer["error"]["message"].endswith(".")
    assert ask(own, {"input": "still here"})[0] == 200


def test_a_body_has_a_bounded_and_stated_length(own):
    assert ask(own, b"", headers={"Content-Length": str(9 << 20)})[0] == 413
    assert ask(own, b"", headers={"Content-Length": "9" * 5000})[0] == 413
    assert ask(own, b"", headers={"Content-Length": "-5"})[0] == 411
    assert ask(own, b"", headers={"Transfer-Encoding": "chunked", "Content-Length": "2"})[0] == 411


def test_models_and_health(own):
    assert ask(own, None, "/v1/models", "GET")[1]["data"][0]["id"] == "words"
    assert ask(own, None, "/health", "GET")[:2] == (200, {"status": "ok"})
    assert ask(own, None, "/other", "GET")[0] == 404
    assert ask(own, {"input": "a"}, "/other")[0] == 404


def test_only_who_has_the_key_is_answered(served):
    with EmbeddingServer(served, port=0, key=ApiKey("right")) as server:
        for header in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic right"},
                       {"Authorization": "right"}, {"Authorization": "Bearer \xe9"}):  # fmt: skip
            assert ask(server, {"input": "a"}, headers=header)[0] == 401
        assert ask(server, {"input": "a"}, headers={"Authorization": "Bearer right"})[0] == 200
        assert ask(server, None, "/v1/models", "GET")[0] == 401
        assert ask(server, None, "/health", "GET")[0] == 200


def test_a_page_in_a_browser_is_not_served(own):
    assert ask(own, {"input": "a"}, headers={"Origin": "https://example.org"})[0] == 403


def test_what_many_ask_at_once_is_embedded_together(own):
    jobs = own.jobs
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda n: ask(own, {"input": [f"soil {n}", "carbon"]}), range(48)))
    assert all(status == 200 for status, _, _ in answers)
    carbon = {tuple(body["data"][1]["embedding"]) for _, body, _ in answers}
    assert len(carbon) == 1, "each has its own texts' vectors"
    assert own.requests >= 48 and own.jobs - jobs < 48


def test_too_much_waiting_is_refused_for_a_moment(served, monkeypatch):
    monkeypatch.setattr(server_module, "MAX_WAITING", 3)
    with EmbeddingServer(served, port=0) as server:
        status, _, headers = ask(server, {"input": ["a", "b", "c", "d"]})
        assert status == 429 and int(headers["Retry-After"]) > 0
        assert ask(server, {"input": ["a", "b"]})[0] == 200


def test_too_many_connections_are_refused_and_the_others_kept(own, monkeypatch):
    address = Address.parse(own.address)
    idle = [
        socket.create_connection((address.host, address.port)) for _ in range(server_module.MAX_CONNECTIONS)
    ]
    for connection in idle:  # each is a thread that waits for its request by now
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n")
    with pytest.raises((OSError, http.client.HTTPException, AssertionError)):
        status, *_ = ask(own, None, "/health", "GET")
        assert status == 200, "refused"
    idle[0].sendall(b"\r\n")
    assert idle[0].recv(20).startswith(b"HTTP/1.1 200")
    for connection in idle:
        connection.close()


def test_a_client_that_leaves_harms_nobody(own):
    address = Address.parse(own.address)
    for _ in range(5):
        connection = socket.create_connection((address.host, address.port))
        connection.sendall(b"POST /v1/embeddings HTTP/1.1\r\nContent-Length: 50\r\n\r\n{")
        connection.close()
    assert ask(own, {"input": "still here"})[0] == 200


def test_what_is_under_way_is_finished_at_the_end(served):
    server = EmbeddingServer(served, port=0)
    client = EndpointClient(Address.parse(server.address), "openai", **QUICK)
    answers = []
    asking = threading.Thread(target=lambda: answers.append(client.embed(["soil " * 400] * 30)))
    asking.start()
    while not server._waiting and asking.is_alive():
        pass
    server.close()
    asking.join(20)
    client.close()
    assert answers and answers[0].vectors.shape[0] == 30
    with pytest.raises(OSError):
        ask(server, {"input": "gone"})


def test_a_port_in_use_is_said(own, served):
    with pytest.raises(ServerError) as told:
        EmbeddingServer(served, port=Address.parse(own.address).port)
    assert "in use" in told.value.message
