"""The encoder: texts to vectors, computed in a child process.

The child's memory comes back when it has been idle, and a crash of the model costs one batch: the texts
in flight are tried again one by one, and one that crashes the child alone is given up and named.
"""

from __future__ import annotations

import base64
import itertools
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zbm_core.errors import CancelToken, ZbmError
from zbm_core.processes import Child, Reply
from zbm_core.semantic.batching import TOKEN_BUDGET
from zbm_core.semantic.model import Model
from zbm_core.semantic.vectors import centre, finish, quantize

#: Seconds after which an unused child is ended and its memory given back.
IDLE_SECONDS = 120.0
#: Seconds to load a model, to embed a query, to run one batch. A healthy laptop needs a fraction.
LOAD_SECONDS = 60.0
QUERY_SECONDS = 20.0
BATCH_SECONDS = 120.0
#: Characters of a query that reach the model: more than any model's window.
MAX_QUERY = 20_000
#: Characters of a passage: a longer one is cut before it is tokenized, which is linear in them.
MAX_PASSAGE = 100_000


class EncoderError(ZbmError):
    """The model could not be run."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch of results: *rows* index the texts given."""

    rows: list[int]
    vectors: np.ndarray  # (n, native width) float32, as the model gives them; zeros: nothing to say
    tokens: int
    padded: int
    seconds: float


def worker_command() -> list[str]:
    """How the child is started; a frozen build starts itself with a switch."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--encoder-worker"]
    return [sys.executable, "-P", "-m", "zbm_core.semantic.encoder_worker"]


def _environment() -> dict[str, str]:
    """The child imports the same `zbm_core`, wherever it is started, and its sums stay on one core."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUTF8": "1",
        # The static model's small products take ten times as long when BLAS parts them over threads.
        "OPENBLAS_NUM_THREADS": "1",
    }


class Encoder:
    """One model's encoder. Thread-safe; a query is answered beside a running job.

    Args:
        folder: the installed model's files.
        model: its record.
        threads: of the child's calls.
    """

    def __init__(self, folder: Path, model: Model, threads: int = 1) -> None:
        self._folder = Path(folder)
        self.model = model
        self._threads = threads
        self._lock = threading.RLock()
        self._child: Child | None = None
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._waiting: dict[int, queue.SimpleQueue[dict | None]] = {}
        self._numbers = itertools.count(1)
        self._last_query: tuple[str, np.ndarray] | None = None
        self._last_used = time.monotonic()
        self._idle: threading.Timer | None = None
        self.restarts = 0

    # --- what is asked --------------------------------------------------------------------------------

    def query(self, text: str) -> np.ndarray:
        """The query's vector ``(width,) int8``; zeros when it says nothing. The last one is kept.

        Raises:
            EncoderError: the model failed twice.
        """
        text = text[:MAX_QUERY].encode("utf-8", "replace").decode("utf-8")
        with self._lock:
            if self._last_query is not None and self._last_query[0] == text:
                return self._last_query[1]
        for attempt in (1, 2):
            try:
                answer = self._ask({"op": "query", "text": text}, QUERY_SECONDS)
                break
            except EncoderError:
                if attempt == 2:
                    raise
        vector = prepare(_decode(answer["vector"], 1), self.model, query=True)[0]
        with self._lock:
            self._last_query = (text, vector)
        return vector

    def raw_query(self, text: str) -> np.ndarray:
        """The model's own vector of a query ``(1, native width) float32``, for calibration."""
        return _decode(self._ask({"op": "query", "text": text}, QUERY_SECONDS)["vector"], 1)

    def raw_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        """The model's own vectors of *texts* ``(texts, native width) float32``, in their order."""
        vectors = np.zeros((len(texts), self.model.native_width), np.float32)
        for batch in self.batches(texts, cancel):
            vectors[batch.rows] = batch.vectors
        return vectors

    def batches(
        self, texts: Sequence[str], cancel: CancelToken | None = None, budget: int = TOKEN_BUDGET
    ) -> Iterator[Batch]:
        """Embed *texts*, yielding each batch as it is done, in the order that suits the model.

        Every text is in exactly one batch; one that crashes the model twice has a row of zeros.

        Raises:
            Cancelled: within a second of *cancel*. EncoderError: the model cannot be run at all.
        """
        texts = [text[:MAX_PASSAGE].encode("utf-8", "replace").decode("utf-8") for text in texts]
        cancel = cancel or CancelToken()
        todo = list(range(len(texts)))
        alone: list[int] = []
        while todo or alone:
            job, todo = (todo, []) if todo else ([alone.pop()], [])
            left, in_flight = set(job), []
            try:
                for batch, begun in self._job([texts[index] for index in job], cancel, budget):
                    if batch is None:
                        in_flight = [job[row] for row in begun]
                        continue
                    rows = [job[row] for row in batch.rows]
                    left.difference_update(rows)
                    yield Batch(rows, batch.vectors, batch.tokens, batch.padded, batch.seconds)
            except _Died as death:
                self.restarts += 1
                if not in_flight:
                    raise EncoderError(
                        "The embedding model stopped unexpectedly; words still rank. Try again later.",
                        str(death),
                    ) from death
                if len(job) == 1:
                    # It crashed the model twice, once in company and once alone.
                    nothing = np.zeros((1, self.model.native_width), np.float32)
                    yield Batch(job, nothing, 0, 0, 0.0)
                    continue
                suspects = [index for index in in_flight if index in left]
                alone += suspects
                todo = sorted(left.difference(suspects))

    # --- the child ------------------------------------------------------------------------------------

    def _job(
        self, texts: list[str], cancel: CancelToken, budget: int
    ) -> Iterator[tuple[Batch | None, list[int]]]:
        number, inbox = self._send({"op": "embed", "texts": texts, "budget": budget})
        began = time.monotonic()
        try:
            while True:
                cancel.check()
                message = self._receive(inbox, BATCH_SECONDS, cancel)
                self._touch()
                if "begin" in message:
                    began = time.monotonic()
                    yield None, message["begin"]
                elif "rows" in message:
                    rows = message["rows"]
                    vectors = _decode(message["vectors"], len(rows))
                    seconds = time.monotonic() - began
                    yield Batch(rows, vectors, message["tokens"], message["padded"], seconds), []
                elif message.get("done"):
                    return
        finally:
            with self._lock:
                self._waiting.pop(number, None)
                if self._child is not None:
                    self._child.send({"op": "stop", "id": number})

    def _ask(self, message: dict, seconds: float) -> dict:
        number, inbox = self._send(message)
        try:
            return self._receive(inbox, seconds, None)
        except _Died as death:
            raise EncoderError("The embedding model stopped unexpectedly.", str(death)) from death
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def _send(self, message: dict) -> tuple[int, queue.SimpleQueue]:
        with self._lock:
            child = self._running()
            number = next(self._numbers)
            inbox: queue.SimpleQueue[dict | None] = queue.SimpleQueue()
            self._waiting[number] = inbox
            self._touch()
            child.send({**message, "id": number})  # a child that is gone answers with None
            return number, inbox

    def _receive(self, inbox: queue.SimpleQueue, seconds: float, cancel: CancelToken | None) -> dict:
        limit = time.monotonic() + seconds
        while True:
            if cancel is not None:
                cancel.check()
            try:
                message = inbox.get(timeout=0.2)
            except queue.Empty:
                if time.monotonic() > limit:
                    self.close()
                    raise _Died("no answer in time") from None
                continue
            if message is None:
                raise _Died(self._why())
            if "error" in message:
                raise EncoderError(message["error"], message.get("detail", ""))
            return message

    def _running(self) -> Child:
        """The child, started and loaded if need be. Called with the lock held."""
        if self._child is not None and self._child.ended is None and self._child.pid is not None:
            return self._child
        self._replies = queue.SimpleQueue()
        self._child = Child(worker_command(), self._replies, environment=_environment())
        loaded: queue.SimpleQueue[dict | None] = queue.SimpleQueue()
        self._waiting = {0: loaded}
        threading.Thread(target=self._route, args=(self._child, self._replies), daemon=True).start()
        self._child.send(
            {
                "op": "load", "id": 0, "folder": str(self._folder),
                "record": self.model.to_json(), "threads": self._threads,
            }
        )  # fmt: skip
        try:
            self._receive(loaded, LOAD_SECONDS, None)
        except _Died as death:
            raise EncoderError("The embedding model could not be started.", str(death)) from death
        return self._child

    def _route(self, child: Child, replies: queue.SimpleQueue[Reply]) -> None:
        """Hand each message to who waits for it, until the child's end."""
        while (message := replies.get().message) is not None:
            inbox = self._waiting.get(message.get("id"))
            if inbox is not None:
                inbox.put(message)
        child.wait()
        for inbox in list(self._waiting.values()):
            inbox.put(None)

    def _why(self) -> str:
        child = self._child
        return child.wait().detail if child is not None else "stopped"

    def _touch(self) -> None:
        self._last_used = time.monotonic()
        if self._idle is None:
            self._idle = threading.Timer(IDLE_SECONDS, self._end_if_idle)
            self._idle.daemon = True
            self._idle.start()

    def _end_if_idle(self) -> None:
        with self._lock:
            self._idle = None
            if self._child is None:
                return
            if self._waiting.keys() - {0} or time.monotonic() - self._last_used < IDLE_SECONDS:
                self._touch()
                return
            self.close()

    def close(self) -> None:
        """End the child; the next request starts another."""
        with self._lock:
            child, self._child = self._child, None
            if self._idle is not None:
                self._idle.cancel()
                self._idle = None
        if child is not None:
            child.kill()
            child.wait()


def prepare(raw: np.ndarray, model: Model, *, query: bool) -> np.ndarray:
    """Raw model output ``(n, native width)`` to what is stored and scanned: ``(n, width) int8``."""
    vectors = finish(raw, model.width)
    calibration = model.calibration
    if calibration is not None:
        mean = calibration.query_mean if query and calibration.query_mean else calibration.mean
        vectors = centre(vectors, np.asarray(mean, np.float32))
    return quantize(vectors)


def _decode(text: str, count: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(count, -1)


class _Died(Exception):
    """The child ended while it was waited for."""
