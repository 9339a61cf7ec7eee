"""``endpoint``: servers that misbehave are caught on that batch, and what a second server gains.

Each misbehaviour is a real HTTP server on loopback that answers rightly at first and wrongly from then on; the model
is the packaged one. What a run hands to the index is held against what this machine makes of the same texts. Two
servers stand behind a balancer that gives each new connection to the next; they and one alone run in turns. "asleep"
are servers that take a fixed time a text without using this machine's processor, as those of other machines do.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.benchmarks.figures import Figure, at_least, plain, unmeasured
from tests.support.embedding_server import Embed, EmbeddingServerDouble, embed_by
from tests.support.models import made_once
from tests.support.word_model import word_encoder
from zbm_core.semantic import (
    Address,
    EmbeddingServer,
    Encoder,
    EndpointClient,
    ModelError,
    RemoteEncoder,
    State,
    Verdict,
    corpus_file,
    load_triples,
    prepare,
    unprefixed,
    verify,
)
from zbm_core.semantic.endpoint.verification import long_text

MODEL = "multilingual-e5-small"
GOAL_CAUGHT = 15
#: Least cosine of a stored row with this machine's: one of two roundings to 8 bits.
SAME = 0.999
#: Of two servers behind a balancer over one.
GOAL_TWO = 1.7
TEXTS, CHARACTERS, LONG_TEXTS = 56, 200, 2
#: Texts a run of two servers against one, times each is run, and seconds a sleeping server takes a text.
POOL, QUICK_POOL, TURNS, A_TEXT = 480, 120, 3, 0.02
#: Of the texts are computed where both servers are this machine.
SHARE = 4
QUICK = {"answer_seconds": 60.0, "first_back_off": 0.02}
#: Seconds that a client waits for the silent server; what is asked of it was computed before.
PATIENCE = 3.0

#: Name and fault of the server (`EmbeddingServerDouble`). "other" answers by another encoder.
MISBEHAVIOURS = (
    ("another_model", "other"),
    ("another_pooling", "other"),
    ("truncation", "other"),
    ("narrower_width", "narrow"),
    ("nan", "nan"),
    ("zeros", "zeros"),
    ("wrong_order", "sorted"),
    ("missing_rows", "missing"),
    ("html_with_200", "html"),
    ("status_401", "401"),
    ("status_404", "404"),
    ("status_429_for_ever", "429"),
    ("status_500_twice", "500"),
    ("silence", "silence"),
    ("redirect_elsewhere", "redirect"),
)
#: How each ends, where it is not "wrong".
_ENDS = {
    "html": "failure",
    "404": "failure",
    "429": "failure",
    "silence": "failure",
    "redirect": "failure",
    "401": "key",
    "status_500_twice": "fine",
}


def run(options: argparse.Namespace) -> Iterator[Figure]:
    try:
        shelf, model = made_once(MODEL)
    except ModelError as error:
        yield unmeasured("endpoint", error.message)
        return
    folder = shelf.folder_of(MODEL)
    parts = set(filter(None, options.only.split(","))) or {"misbehaviours", "servers"}
    with tempfile.TemporaryDirectory() as scratch, Encoder(folder, model) as local:
        if "misbehaviours" in parts:
            with _Servers(Path(scratch), folder, model) as servers:
                yield from _misbehaviours(servers, local)
        if "servers" in parts:
            yield from _two_servers(folder, model, local, QUICK_POOL if options.quick else POOL)


# --- misbehaviours ---------------------------------------------------------------------------------------


class _Servers(ExitStack):
    """What right and wrong servers compute with."""

    def __init__(self, scratch: Path, folder: Path, model) -> None:
        super().__init__()
        served = unprefixed(model)
        self.right = self._embed(Encoder(folder, served))
        self.others: dict[str, Embed] = {
            "another_model": self._embed(word_encoder(scratch / "words", width=384, prefixes=("", ""))),
            "another_pooling": self._embed(_first_token(folder, served, scratch / "pooling")),
            # The model's own window is 512 tokens: this is half of it, which cuts what the model takes whole.
            "truncation": self._embed(Encoder(folder, replace(served, max_tokens=256))),
        }

    def _embed(self, encoder: Encoder) -> Embed:
        self.enter_context(encoder)
        return embed_by(encoder)


def _first_token(folder: Path, model, target: Path) -> Encoder:
    """The same model, pooled by its first token: its graph, ended before it pools."""
    import onnx
    from onnx import TensorProto, helper

    target.mkdir()
    for file in folder.iterdir():
        if file.name != model.graph:
            # Not a link: weights are read from within the model's folder only.
            shutil.copyfile(file, target / file.name)
    graph = onnx.load(str(folder / model.graph), load_external_data=False)
    (weighted,) = [node for node in graph.graph.node if "weighted" in node.output]
    del graph.graph.output[:]
    states = helper.make_tensor_value_info(weighted.input[0], TensorProto.FLOAT, ["batch", "tokens", 384])
    graph.graph.output.append(states)
    (target / model.graph).write_bytes(graph.SerializeToString())
    return Encoder(target, replace(model, pooling="cls"))


def _misbehaviours(servers: _Servers, local: Encoder) -> Iterator[Figure]:
    triples = load_triples(corpus_file())
    texts = [triple.near_miss[:CHARACTERS] for triple in triples[:TEXTS]]
    whole, _ = long_text(local, _never())
    texts += [f"{number} {whole[: len(whole) - 40 * number]}" for number in range(1, LONG_TEXTS + 1)]
    truth = prepare(local.raw_passages(texts), local.model, query=False)
    caught, wrong = 0, 0
    for name, fault in MISBEHAVIOURS:
        with (
            EmbeddingServerDouble(servers.right) as server,
            EmbeddingServerDouble(servers.right) as elsewhere,
        ):
            server.other = servers.others.get(name)
            server.redirect = elsewhere.url
            if name == "status_500_twice":
                server.faults = ["", "500", "500"]
            else:
                server.healthy_requests, server.fault = 2, fault
            verdicts: list[Verdict] = []
            patience = PATIENCE if fault == "silence" else QUICK["answer_seconds"]
            remote = _remote(server, local, verdicts.append, **{**QUICK, "answer_seconds": patience})
            rows = np.zeros_like(truth)
            seen = 0
            for batch in remote.batches(texts):
                rows[batch.rows] = prepare(batch.vectors, local.model, query=False)
                seen += len(batch.rows)
            remote.close()
            differing = int((_cosines(rows, truth) < SAME).sum())
            wrong += differing
            # What fails is embedded here; what is wrong costs the server its verdict as well.
            states = [verdict.state for verdict in verdicts]
            expected = {
                "failure": remote.usage.failures > 0 and remote.usage.local_texts > 0 and not states,
                "fine": remote.usage.local_texts == 0 and not states,
                "key": states == [State.UNAUTHORIZED],
                "wrong": states == [State.INVALID] and remote.usage.local_texts > 0,
            }[_ENDS.get(fault if name != "status_500_twice" else name, "wrong")]
            right = expected and differing == 0 and seen == len(texts) and not elsewhere.requests
            caught += right
            yield plain(f"endpoint.{name}.texts_from_server", seen - remote.usage.local_texts, "texts")
            if not right:
                yield unmeasured(f"endpoint.{name}", f"not caught: {differing} wrong, {remote.skipped!r}")
    yield at_least("endpoint.caught", caught, GOAL_CAUGHT, f"of {len(MISBEHAVIOURS)}")
    yield Figure("endpoint.wrong_vectors_stored", wrong, "vectors", "== 0", wrong == 0)
    yield from _verdicts(servers, local)


def _verdicts(servers: _Servers, local: Encoder) -> Iterator[Figure]:
    """The figure a test of the server gives: of the right one, and of those that must not pass."""
    for name, embed in (("same_model", servers.right), *servers.others.items()):
        with EmbeddingServerDouble(embed) as server:
            verdict = verify(server.url, None, local, **QUICK)
        agreement = min(
            verdict.agreement or 0.0, 1.0 if verdict.long_agreement is None else verdict.long_agreement
        )
        holds = verdict.ok is (name == "same_model")
        yield Figure(f"endpoint.agreement.{name}", round(agreement, 4), "cosine",
                     ">= 0.98" if name == "same_model" else "< 0.98", holds)  # fmt: skip


def _remote(
    server, local: Encoder, on_verdict: Callable[[Verdict], None] | None = None, **options
) -> RemoteEncoder:
    url = getattr(server, "url", None) or server.address
    name = getattr(server, "model", None) or server.name
    verdict = Verdict(State.OK, url, local.model.identity, form="openai", server_model=name)
    return RemoteEncoder(
        local, EndpointClient(Address.parse(url), "openai", **options), verdict, on_verdict=on_verdict
    )


def _cosines(rows: np.ndarray, truth: np.ndarray) -> np.ndarray:
    rows, truth = rows.astype(np.float64), truth.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(truth, axis=1)
    return np.einsum("ij,ij->i", rows, truth) / np.maximum(lengths, 1e-9)


def _never():
    from zbm_core.errors import CancelToken

    return CancelToken()


# --- two servers -----------------------------------------------------------------------------------------


def _two_servers(folder: Path, model, local: Encoder, count: int) -> Iterator[Figure]:
    triples = load_triples(corpus_file())
    texts = [f"{number} {triples[number % len(triples)].near_miss[:CHARACTERS]}" for number in range(count)]
    with ExitStack() as stack:
        known = np.random.default_rng(1).normal(size=(1, model.native_width)).astype(np.float32)
        sentinels: dict[str, np.ndarray] = {}

        def asleep(lock: threading.Lock) -> Embed:
            def embed(asked):
                with lock:  # one machine does one thing after the other
                    time.sleep(A_TEXT * len(asked))
                return np.concatenate([sentinels.get(text, known) for text in asked])

            return embed

        from zbm_core.semantic.endpoint.sentinels import Sentinels

        known_sentinels = Sentinels(local)
        for size in (0, 600, 1_100, 10_000):
            marks, vectors = known_sentinels.beside(["a" * size], _never())
            sentinels |= {mark: vectors[at : at + 1] for at, mark in enumerate(marks)}
        doubles = [stack.enter_context(EmbeddingServerDouble(asleep(threading.Lock()))) for _ in range(2)]
        yield from _gain("asleep", doubles, [double.port for double in doubles], texts, local, GOAL_TWO)

        encoders = [stack.enter_context(Encoder(folder, unprefixed(model), threads=1)) for _ in range(2)]
        real = [stack.enter_context(EmbeddingServer(encoder, port=0)) for encoder in encoders]
        ports = [Address.parse(server.address).port for server in real]
        yield from _gain("on_this_machine", real, ports, texts[: count // SHARE], local, None)


def _gain(
    kind: str, servers, ports: list[int], texts: list[str], local: Encoder, goal: float | None
) -> Iterator[Figure]:
    """How many times as fast two are as one: the median of turns."""
    ratios, client = [], []
    with _Balancer(ports) as two, _Balancer(ports[:1]) as one:
        for _ in range(TURNS):
            seconds = {}
            for balancer in (one, two):
                remote = _remote(
                    _Named(balancer.url, getattr(servers[0], "model", None) or servers[0].name), local
                )
                wall, cpu = time.perf_counter(), time.process_time()
                done = sum(len(batch.rows) for batch in remote.batches(texts))
                seconds[balancer] = time.perf_counter() - wall
                client.append((time.process_time() - cpu) / len(texts))
                remote.close()
                assert done == len(texts) and remote.usage.local_texts == 0, remote.skipped
            ratios.append(seconds[one] / seconds[two])
    ratio = float(np.median(ratios))
    name = f"endpoint.two_servers.{kind}"
    yield plain(name, ratio, "times one") if goal is None else at_least(name, ratio, goal, "times one")
    if kind == "asleep":
        yield plain("endpoint.client_cpu", 1000 * float(np.median(client)), "ms a text, server included")


class _Named:
    def __init__(self, url: str, model: str) -> None:
        self.url, self.model = url, model


class _Balancer:
    """Gives each new connection to the next of *ports*."""

    def __init__(self, ports: list[int]) -> None:
        self._ports, self._next = ports, 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1/embeddings"

    def __enter__(self) -> _Balancer:
        return self

    def __exit__(self, *exception) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                port = self._ports[self._next % len(self._ports)]
                self._next += 1
                server = socket.create_connection(("127.0.0.1", port))
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=_copy, args=(source, target), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while block := source.recv(1 << 16):
            target.sendall(block)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
