"""The child that runs models. How it is started: `zbm_core.children`.

Messages (one JSON object a line, each with an ``id`` that its answers repeat):

- ``{"op": "load", "folder", "record", "threads", "picker"?: {"folder", "record"}}`` → ``{"loaded": true}``
- ``{"op": "query", "text"}`` → ``{"vector"}``: answered beside a running job
- ``{"op": "pick", "query", "groups": [[sentence, ...], ...]}`` → ``{"picks": [index, ...]}``: likewise
- ``{"op": "embed", "texts", "budget", "ahead"?}`` → for each batch ``{"begin": [rows]}`` and
  ``{"rows": [rows], "vectors", "tokens", "padded", "seconds"}``, with ``"failed": why`` for a row the model
  refuses; at the end ``{"done": true}``. With ``ahead`` no more than so many batches are begun beyond those
  that ``{"op": "more", "id"}`` was said for: who takes no answers lets the job rest.
- ``{"op": "stop", "id"}``: job *id* ends after the batch it is in
- ``{"op": "make", "folder", "record"}`` → ``{"made": true}``: see `making`

Vectors are base64 of little-endian float32, ``(n, native width)``, pooled but neither cut nor normalised.
An error is ``{"error": sentence, "detail": ...}``.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zbm_core.errors import ZbmError
from zbm_core.processes import serve
from zbm_core.restraints import this_thread_to_background
from zbm_core.semantic.batching import affordable, batches
from zbm_core.semantic.model import Model
from zbm_core.semantic.picker import SentencePicker, load_picker
from zbm_core.semantic.pool_threads import in_background
from zbm_core.semantic.runner import Runner

#: Seconds a thread may hold the interpreter: a query must not wait for a job's tokens to be counted.
SWITCH_SECONDS = 0.001

Send = Callable[[dict[str, Any]], None]


def available_memory() -> int:
    """Bytes that can be taken without swapping."""
    import psutil

    return psutil.virtual_memory().available


class Worker:
    """Answers messages; jobs run one after the other in a thread of their own.

    Args:
        available: reads the memory that is left.
    """

    def __init__(self, available: Callable[[], int] = available_memory) -> None:
        self._available = available
        self._runner: Runner | None = None
        self._model: Model | None = None
        self._picker_place: tuple[Path, Model] | None = None
        self._picker: SentencePicker | None = None
        self._jobs: queue.SimpleQueue[tuple[dict[str, Any], Send]] = queue.SimpleQueue()
        self._stopped: set[int] = set()
        self._turns: dict[int, threading.Semaphore] = {}  # of jobs that must not run far ahead
        threading.Thread(target=self._work, daemon=True).start()

    def handle(self, message: dict[str, Any], send: Send) -> dict[str, Any]:
        """The answer to *message*; the batches of a job follow by *send*."""
        identifier = message.get("id", 0)
        try:
            return {"id": identifier, **self._answer(message, send)}
        except ZbmError as error:
            return {"id": identifier, "error": error.message, "detail": error.detail}
        except Exception as error:  # said, not died of: other requests are under way
            return {"id": identifier, "error": "The model failed on this text.", "detail": repr(error)}

    def _answer(self, message: dict[str, Any], send: Send) -> dict[str, Any]:
        match message["op"]:
            case "load":
                self._load(message)
                return {"loaded": True}
            case "query":
                rows = self._runner.tokenize([message["text"]], self._model.query_prefix)
                return {"vector": _encode(self._runner.run(rows))}
            case "pick":
                return {"picks": self._pick(message["query"], message["groups"])}
            case "embed":
                if "ahead" in message:
                    self._turns[message["id"]] = threading.Semaphore(message["ahead"])
                self._jobs.put((message, send))
                return {"queued": True}
            case "more":
                self._turn(message["id"])
                return {"going": True}
            case "stop":
                self._stopped.add(message["id"])
                self._turn(message["id"])
                return {"stopping": True}
            case "make":
                from zbm_core.semantic.making import make

                make(Path(message["folder"]), Model.from_json(message["record"], "given"))
                return {"made": True}
        return {"error": f"Unknown request {message['op']!r}."}

    def _load(self, message: dict[str, Any]) -> None:
        self._model = Model.from_json(message["record"], "given")
        with in_background():  # what helps a call of a job must not outrank its caller
            self._runner = Runner(Path(message["folder"]), self._model, message["threads"])
        if picker := message.get("picker"):
            self._picker_place = Path(picker["folder"]), Model.from_json(picker["record"], "given")
        _give_back()

    def _pick(self, query: str, groups: Sequence[Sequence[str]]) -> list[int]:
        if self._picker is None:
            self._picker = SentencePicker(load_picker(*self._picker_place))
            _give_back()
        return self._picker.closest_each(query, groups)

    def _work(self) -> None:
        this_thread_to_background()  # jobs stand behind queries, which this process answers too
        while True:
            message, send = self._jobs.get()
            identifier = message["id"]
            try:
                self._embed(message, lambda part, to=identifier, by=send: by({"id": to, **part}))
            except Exception as error:  # the parent decides; nothing may die unsaid in a thread
                send({"id": identifier, "error": "The model failed.", "detail": repr(error)})
            self._stopped.discard(identifier)
            self._turns.pop(identifier, None)
            if self._jobs.empty():
                self._rest()

    def _rest(self) -> None:
        with contextlib.suppress(Exception):  # a model that cannot rest can still run
            self._runner.give_back()
        _give_back()

    def _turn(self, identifier: int) -> None:
        turns = self._turns.get(identifier)
        if turns is not None:
            turns.release()

    def _goes_on(self, identifier: int) -> bool:
        """Whether the job's next batch may begin, once its turn has come; False where it was stopped."""
        turns = self._turns.get(identifier)
        if turns is not None:
            turns.acquire()
        return identifier not in self._stopped

    def _embed(self, message: dict[str, Any], send: Send) -> None:
        waiting = [] if message["id"] in self._stopped else message["texts"]
        rows = self._runner.tokenize(waiting, self._model.passage_prefix)
        budget = message["budget"]
        parts = batches([len(row) for row in rows], lambda: affordable(budget, self._available()))
        # The turn comes first: how large a batch may be depends on the memory there is when it begins.
        while self._goes_on(message["id"]) and (batch := next(parts, None)) is not None:
            send({"begin": batch})
            try:
                send(self._batch(rows, batch))
            except Exception as error:
                if len(batch) == 1:
                    send(self._refused(batch, error))
                    continue
                for row in batch:
                    send({"begin": [row]})
                    try:
                        send(self._batch(rows, [row]))
                    except Exception as alone:
                        send(self._refused([row], alone))
        send({"done": True})

    def _batch(self, rows: list[list[int]], batch: list[int]) -> dict[str, Any]:
        part = [rows[index] for index in batch]
        lengths = [len(row) for row in part if row]
        began = time.monotonic()
        vectors = self._runner.run(part)
        return {
            "rows": batch,
            "vectors": _encode(vectors),
            "seconds": time.monotonic() - began,
            "tokens": sum(lengths),
            "padded": max(lengths, default=0) * len(lengths),
        }

    def _refused(self, batch: list[int], error: Exception) -> dict[str, Any]:
        nothing = np.zeros((len(batch), self._model.native_width), np.float32)
        return {"rows": batch, "vectors": _encode(nothing), "tokens": 0, "padded": 0, "failed": repr(error)}


def _give_back() -> None:
    """Return what was freed to the system: the C library of Linux keeps it, 80 MB after a model is loaded."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def _encode(vectors: np.ndarray) -> str:
    return base64.b64encode(vectors.astype("<f4").tobytes()).decode("ascii")


def main() -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    serve(Worker().handle)


if __name__ == "__main__":
    main()
