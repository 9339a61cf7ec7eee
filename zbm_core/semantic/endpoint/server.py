"""This machine's model as a server in the OpenAI form, so that another computer can have its passages embedded here.

``POST /v1/embeddings`` (also ``/embeddings``) with ``{"input": text or [texts]}``, ``GET /v1/models``, ``GET /health``.
Texts are embedded as they come: prefixes are the client's business. What several clients ask at once is embedded
together, sorted by length.
"""

from __future__ import annotations

import base64
import hmac
import json
import os
import queue
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np

from zbm_core.errors import Cancelled, CancelToken, ZbmError
from zbm_core.semantic.endpoint.records import ApiKey

if TYPE_CHECKING:
    from zbm_core.semantic.encoder import Encoder
    from zbm_core.semantic.model import Model

#: Bytes of a request, texts in it, and characters of one text at most.
MAX_BODY, MAX_INPUTS, MAX_CHARACTERS = 8 << 20, 256, 100_000
#: Texts that may wait; what comes beyond is asked to return. A processor embeds some ten a second.
MAX_WAITING = 1_024
#: Connections at once. A client has a handful; more than this is a mistake or worse.
MAX_CONNECTIONS = 64
#: Texts embedded in one go: new ones are taken in between.
_TEXTS_A_JOB = 128
#: Seconds a client may be silent within a request or between two.
SILENCE_SECONDS = 60.0
#: Bytes of a body that is read although its request is refused.
_DRAINED = 1 << 20
#: Refusals for what the body itself is: too long, or of no known length.
_UNREAD = {411, 413}
#: Seconds a refused client is asked to stay away.
RETRY_SECONDS = 2
#: Seconds that what is under way may take to end when the server is told to.
ENDING_SECONDS = 10.0


class ServerError(ZbmError):
    """The server cannot be started as asked."""


@dataclass(eq=False, slots=True)
class _Job:
    texts: list[str]
    done: threading.Event = field(default_factory=threading.Event)
    vectors: np.ndarray | None = None
    tokens: int = 0
    failure: str = ""


class EmbeddingServer:
    """Serves *encoder*'s model until `close`.

    Args:
        encoder: whose model has no prefixes (`unprefixed`). Not closed here.
        host, port: where to listen; port 0 chooses one.
        key: asked for as ``Authorization: Bearer``; empty: nobody is asked.

    Raises:
        ServerError: the address is taken, or is not this computer's.
    """

    def __init__(
        self, encoder: Encoder, host: str = "127.0.0.1", port: int = 8080, key: ApiKey | None = None
    ) -> None:
        assert not encoder.model.passage_prefix, "prefixes are the client's business"
        self._encoder = encoder
        self._key = key or ApiKey()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting = 0
        self._connections = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._cancel = CancelToken()
        self.texts = self.requests = self.jobs = 0  # what was served, for the one who watches
        try:
            self._http = _Http((host, port), _handler(self), self._connections)
        except (OSError, OverflowError) as error:
            raise ServerError(
                f"The server cannot listen on {host}, port {port}: it may be in use by another program.",
                str(error),
            ) from error
        self._threads = [
            threading.Thread(
                target=self._http.serve_forever, args=(0.1,), name="endpoint accept", daemon=True
            ),
            threading.Thread(target=self._embed, name="endpoint model", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def address(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{f'[{host}]' if ':' in str(host) else host}:{port}"

    @property
    def name(self) -> str:
        """Of the model, as clients see it."""
        return self._encoder.model.name

    def close(self) -> None:
        """Take nothing more, finish what waits for at most `ENDING_SECONDS`, end."""
        self._http.shutdown()
        end = time.monotonic() + ENDING_SECONDS
        while self._waiting and time.monotonic() < end:
            time.sleep(0.05)
        self._cancel.cancel()
        self._jobs.put(None)
        for thread in self._threads:
            thread.join(ENDING_SECONDS)
        self._http.server_close()

    def __enter__(self) -> EmbeddingServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # --- the model --------------------------------------------------------------------------------

    def submit(self, texts: list[str]) -> _Job | None:
        """A job for *texts*; None where too much waits already."""
        with self._lock:
            if self._cancel.cancelled or self._waiting + len(texts) > MAX_WAITING:
                return None
            self._waiting += len(texts)
        job = _Job(texts)
        self._jobs.put(job)
        return job

    def _embed(self) -> None:
        """Take what waits, as a whole if it is little, and embed it."""
        while (first := self._jobs.get()) is not None:
            jobs, count, last = [first], len(first.texts), False
            while count < _TEXTS_A_JOB and not last:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    last = True
                else:
                    jobs.append(following)
                    count += len(following.texts)
            self._embed_jobs(jobs)
            if last:
                break

    def _embed_jobs(self, jobs: list[_Job]) -> None:
        places = [(job, row) for job in jobs for row in range(len(job.texts))]
        for job in jobs:
            job.vectors = np.zeros((len(job.texts), self._encoder.model.native_width), np.float32)
        try:
            texts = [job.texts[row] for job, row in places]
            for batch in self._encoder.batches(texts, self._cancel):
                for number, at in enumerate(batch.rows):
                    job, row = places[at]
                    job.vectors[row] = batch.vectors[number]
                    job.tokens += batch.tokens // len(batch.rows)
                    job.failure = job.failure or batch.given_up
            self.jobs += 1
        except (ZbmError, Cancelled) as error:
            for job in jobs:
                job.failure = getattr(error, "message", "") or "the server is ending"
        finally:
            with self._lock:
                self._waiting -= sum(len(job.texts) for job in jobs)
            for job in jobs:
                job.done.set()

    # --- what is answered ---------------------------------------------------------------------------

    def allows(self, header: str) -> bool:
        if not self._key:
            return True
        kind, _, given = header.partition(" ")
        same = hmac.compare_digest(given.strip().encode("utf-8", "replace"), self._key.reveal().encode())
        return kind.lower() == "bearer" and same

    def answer(self, asked: Any) -> tuple[int, dict[str, Any]]:
        """Status and body for the body of a request."""
        if not isinstance(asked, dict):
            return _error(400, "The body is no JSON object.")
        texts = asked.get("input")
        texts = [texts] if isinstance(texts, str) else texts
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            return _error(400, '"input" is a text or a list of texts.')
        if len(texts) > MAX_INPUTS:
            return _error(413, f"At most {MAX_INPUTS} texts at once.")
        if any(len(text) > MAX_CHARACTERS for text in texts):
            return _error(413, f"A text has at most {MAX_CHARACTERS} characters.")
        if not all(text.strip() for text in texts):
            return _error(400, "A text says nothing.")
        packed = asked.get("encoding_format", "float")
        if packed not in ("float", "base64"):
            return _error(400, '"encoding_format" is "float" or "base64".')
        if asked.get("dimensions") not in (None, self._encoder.model.native_width):
            return _error(400, f"Vectors have {self._encoder.model.native_width} dimensions.")
        job = self.submit(texts)
        if job is None:
            return _error(429, "Too much is waiting. Try again in a moment.")
        job.done.wait()
        if job.failure:
            return _error(500, job.failure)
        self.requests += 1
        self.texts += len(texts)
        data = [
            {"object": "embedding", "index": place, "embedding": _written(vector, packed)}
            for place, vector in enumerate(job.vectors)
        ]
        usage = {"prompt_tokens": job.tokens, "total_tokens": job.tokens}
        return 200, {"object": "list", "data": data, "model": self.name, "usage": usage}


def _written(vector: np.ndarray, packed: str) -> list[float] | str:
    length = float(np.linalg.norm(vector)) or 1.0
    vector = (vector / length).astype("<f4")
    if packed == "base64":
        return base64.b64encode(vector.tobytes()).decode("ascii")
    # Nine digits are what a float32 holds.
    return [float(f"{value:.9g}") for value in vector]


def _error(status: int, message: str) -> tuple[int, dict[str, Any]]:
    return status, {"error": {"message": message, "type": "invalid_request_error", "code": status}}


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = MAX_CONNECTIONS

    def __init__(
        self, where: tuple[str, int], handler: type, connections: threading.BoundedSemaphore
    ) -> None:
        self._connections = connections
        if ":" in where[0]:
            self.address_family = socket.AF_INET6
        super().__init__(where, handler)

    def server_bind(self) -> None:
        # Without looking its own name up, which may take seconds.
        if os.name == "posix":  # elsewhere it would share a port that is in use
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._connections.acquire(blocking=False):
            with suppress(OSError):
                request.sendall(
                    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no fault of the server."""


def _handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version, sys_version = "zbm", ""
        timeout = SILENCE_SECONDS

        def log_message(self, *arguments: object) -> None:
            """Nothing of what clients ask is written anywhere."""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0].rstrip("/")
            if path in ("/health", "/v1/health"):
                self._send(200, {"status": "ok"})
            elif self._refused():
                return
            elif path in ("/v1/models", "/models"):
                self._send(200, {"object": "list", "data": [{"id": server.name, "object": "model"}]})
            else:
                self._send(*_error(404, "There is nothing here. Ask /v1/embeddings."))

        def do_POST(self) -> None:
            if self._refused():
                return
            if self.path.partition("?")[0].rstrip("/") not in ("/v1/embeddings", "/embeddings"):
                self._send(*_error(404, "There is nothing here. Ask /v1/embeddings."), leave=True)
                return
            length = self.headers.get("Content-Length", "")
            if not length.isascii() or not length.isdigit() or "Transfer-Encoding" in self.headers:
                self._send(*_error(411, "Say how long the body is."), leave=True)
                return
            if len(length) > 12 or int(length) > MAX_BODY:
                self._send(*_error(413, f"A request has at most {MAX_BODY} bytes."), leave=True)
                return
            body = self.rfile.read(int(length))
            try:
                asked = json.loads(body)
            except (ValueError, RecursionError):
                self._send(*_error(400, "The body is no JSON."))
                return
            self._send(*server.answer(asked))

        def _refused(self) -> bool:
            """Whether this request is not to be answered; it is told so."""
            if "Origin" in self.headers:
                # A page in a browser, which could have this computer work for it.
                self._send(*_error(403, "Pages in a browser are not served."), leave=True)
                return True
            if not server.allows(self.headers.get("Authorization", "")):
                self._send(*_error(401, "A key is needed."), leave=True)
                return True
            return False

        def _drain(self) -> None:
            """Read what a client of good faith has sent: closed upon unread, it would not see the answer."""
            length = self.headers.get("Content-Length", "")
            if length.isascii() and length.isdigit() and len(length) < 9 and int(length) <= _DRAINED:
                with suppress(OSError):
                    self.rfile.read(int(length))

        def _send(self, status: int, answer: dict[str, Any], *, leave: bool = False) -> None:
            """Args:
            leave: end the connection: a body may be on its way that was not read.
            """
            body = json.dumps(answer).encode("utf-8")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            if status == 429:
                self.send_header("Retry-After", str(RETRY_SECONDS))
            if leave:
                if status not in _UNREAD:
                    self._drain()
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            self.wfile.write(body)

    return Handler


def unprefixed(model: Model) -> Model:
    """*model* as it is served: it is given texts with their prefixes."""
    return replace(model, query_prefix="", passage_prefix="")
