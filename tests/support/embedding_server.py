"""An embedding server on loopback: right answers from a real encoder, and every way in which they can be wrong."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from zbm_core.semantic import Encoder

Embed = Callable[[Sequence[str]], np.ndarray]


def embed_by(encoder: Encoder) -> Embed:
    """What *encoder*, whose model has no prefixes, makes of texts; each text is computed once."""
    known: dict[str, np.ndarray] = {}
    lock = threading.Lock()

    def embed(texts: Sequence[str]) -> np.ndarray:
        with lock:
            new = [text for text in dict.fromkeys(texts) if text not in known]
            if new:
                known.update(zip(new, encoder.raw_passages(new), strict=True))
            return np.stack([known[text] for text in texts])

    return embed


class EmbeddingServerDouble:
    """Serves *embed* in one form until closed.

    Attributes:
        fault: what is wrong with answers from now on; "" for nothing. See `_answer` and `_spoil`.
        faults: of the next requests, one each; "" is none. Before `fault`.
        healthy_requests: before `fault` begins.
        most_texts: more in a request are refused with 413.
        requests: bodies as they came; `headers`: of each.
        model: the name given with answers.
    """

    def __init__(self, embed: Embed, form: str = "openai", model: str = "the-model", key: str = "") -> None:
        self.embed, self.form, self.model, self.key = embed, form, model, key
        self.other: Embed | None = None  # embeds in the place of `embed` under the fault "other"
        self.fault = ""
        self.faults: list[str] = []
        self.healthy_requests = 0
        self.most_texts = 10**6
        self.redirect = ""
        self.retry_after = "0"
        self.extra_headers: dict[str, str] = {}
        self.silence = 30.0
        self.requests: list[dict] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self._lock = threading.Lock()
        self._release = threading.Event()
        double = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with double._lock:
                    double.requests.append(json.loads(body))
                    double.headers.append(dict(self.headers))
                    double.paths.append(self.path)
                    number = len(double.requests)
                    if double.faults:
                        fault = double.faults.pop(0)
                    else:
                        fault = double.fault if number > double.healthy_requests else ""
                double._answer(self, json.loads(body), fault)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, address):
                pass  # a client that hangs up is part of the tests

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1/embeddings"

    def __enter__(self) -> EmbeddingServerDouble:
        return self

    def __exit__(self, *exception) -> None:
        self._release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    # --- answers ----------------------------------------------------------------------------------

    def _answer(self, request: BaseHTTPRequestHandler, asked: dict, fault: str) -> None:
        path = "/v1/embeddings" if self.form == "openai" else "/embed"
        if request.path != path:
            return self._send(request, 404, b"{}")
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return self._send(request, 401, b'{"error": "no"}')
        texts = asked["input" if self.form == "openai" else "inputs"]
        if fault.isdigit():
            said = json.dumps({"error": request.headers.get("Authorization", "") + " is of no use"}).encode()
            return self._send(request, int(fault), said, {"Retry-After": self.retry_after})
        if fault == "html":
            return self._send(request, 200, b"<!doctype html><title>Sign in</title>", kind="text/html")
        if fault == "silence":
            self._release.wait(self.silence)
            return None
        if fault == "redirect":
            return self._send(request, 307, b"", {"Location": self.redirect})
        if fault == "endless":
            return self._endless(request)
        if fault == "drop":
            request.close_connection = True
            return request.connection.close()
        if len(texts) > self.most_texts:
            return self._send(request, 413, b'{"error": "too many"}')
        return self._send(request, 200, self._body(texts, fault), self.extra_headers)

    def _body(self, texts: list[str], fault: str) -> bytes:
        vectors = (self.other if fault == "other" else self.embed)(texts)
        rows = self._spoil(vectors.astype(float).tolist(), texts, fault)
        if self.form == "tei":
            return json.dumps(rows).encode()
        data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
        if fault == "numbered":  # in another order, and numbered so: that is right
            data.reverse()
        elif fault == "misnumbered":
            data[0]["index"] = 7 * len(data)
        model = "another-name" if fault == "renamed" else self.model
        tokens = sum(len(text.split()) for text in texts)
        return json.dumps({"data": data, "model": model, "usage": {"total_tokens": tokens}}).encode()

    @staticmethod
    def _spoil(rows: list, texts: list[str], fault: str) -> list:
        match fault:
            case "narrow":
                return [row[: len(row) // 2] for row in rows]
            case "nan":
                rows[len(rows) // 2][3] = float("nan")
            case "null":
                rows[len(rows) // 2][3] = None
            case "zeros":
                rows[len(rows) // 2] = [0.0] * len(rows[0])
            case "reversed":
                rows.reverse()
            case "sorted":  # by length, as a server does to batch, and not sorted back
                order = sorted(range(len(rows)), key=lambda place: -len(texts[place]))
                return [rows[place] for place in order]
            case "missing":
                del rows[len(rows) // 2]
            case "same":
                return [rows[0]] * len(rows)
            case "ragged" if len(rows) > 1:
                rows[-1] = rows[-1][:-1]
            case "tokens":
                return [[row, row] for row in rows]
            case "huge":
                rows[0][0] = 1e300
        return rows

    def _endless(self, request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Connection", "close")
        request.end_headers()
        while not self._release.is_set():
            request.wfile.write(b" " * (1 << 20))
            time.sleep(0.001)

    @staticmethod
    def _send(
        request: BaseHTTPRequestHandler,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        kind: str = "application/json",
    ) -> None:
        request.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            **(headers or {}),
        }.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)
