"""The encoder: texts to vectors, computed in a child process.

The child's memory comes back when it has been idle, and a crash of the model costs one batch: the texts
in flight are tried again one by one, and one that crashes the child alone is given up and named.
"""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zbm_core.errors import Cancelled, CancelToken, ZbmError
from zbm_core.semantic.batching import TOKEN_BUDGET
from zbm_core.semantic.child import ChildDied, ChildLink, Inbox
from zbm_core.semantic.model import Model
from zbm_core.semantic.vectors import centre, finish, quantize

#: Seconds after which an unused child is ended and its memory given back.
IDLE_SECONDS = 120.0
#: Seconds without a sign of life while a model is loaded, a query embedded, a batch run. A healthy laptop
#: needs a fraction.
LOAD_SECONDS = 60.0
QUERY_SECONDS = 20.0
BATCH_SECONDS = 120.0
#: Characters of a query that reach the model: more than any model's window.
MAX_QUERY = 20_000
#: Characters of a passage: a longer one is cut before it is tokenized, which is linear in them.
MAX_PASSAGE = 100_000
#: Children in a row that may die without finishing anything before the model is given up.
MAX_DEATHS = 3
#: Characters of a text by which it is named when it is given up.
_NAME = 60
#: Batches that the child may begin beyond those that were taken: one is computed while the one before is stored. Whoever
#: takes none (the run rests) so lets the model rest.
AHEAD = 2
#: Bytes a child may hold between two jobs: several times what the packaged model takes with a batch. One that
#: holds more is started anew, as freed memory does not go back by itself.
MOST_MEMORY = 768 << 20

#: What a model is warmed up with.
_WARMING = "warm"


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
    given_up: str = ""  # why the only text of this batch has no vector, and how it begins


class Encoder:
    """One model's encoder. Thread-safe; a query is answered beside a running job.

    Args:
        folder: the installed model's files.
        model: its record.
        threads: of the child's calls.
        picker: folder and record of the model that picks the line to quote; None: `pick` answers None.
        idle_seconds: after which an unused child is ended.

    Attributes:
        restarts: children that ended unexpectedly during a job.
        renewals: children that were replaced because they had grown, and for other threads.
        threads: of the child's calls.
        on_batch: told of each batch of a job, in the thread that runs it.
    """

    def __init__(
        self,
        folder: Path,
        model: Model,
        threads: int = 1,
        *,
        picker: tuple[Path, Model] | None = None,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._folder = Path(folder)
        self.model = model
        self.threads = threads
        self._picker = picker
        self._idle_seconds = idle_seconds
        self._lock = threading.RLock()
        self._link: ChildLink | None = None
        self._link_threads = threads  # of the child there is
        self._last_query: tuple[str, np.ndarray] | None = None
        self._last_used = time.monotonic()
        self._idle: threading.Timer | None = None
        self._closings = 0
        self.restarts = 0
        self.renewals = [0, 0]
        self.on_batch: Callable[[Batch], None] | None = None

    @property
    def pid(self) -> int | None:
        """Of the child; None while there is none."""
        link = self._link
        return link.pid if link is not None and link.alive else None

    # --- what is asked --------------------------------------------------------------------------------

    def query(self, text: str) -> np.ndarray:
        """The query's vector ``(width,) int8``; zeros when it says nothing. The last one is kept.

        Raises:
            EncoderError: the model failed twice. Cancelled: closed meanwhile.
        """
        text = _clean(text, MAX_QUERY)
        with self._lock:
            if self._last_query is not None and self._last_query[0] == text:
                return self._last_query[1]
        vector = prepare(self._query(text), self.model, query=True)[0]
        with self._lock:
            self._last_query = (text, vector)
        return vector

    def warm_up(self) -> None:
        """Start and load the child if there is none, so that the next query need not wait for it.

        Raises:
            EncoderError: the model cannot be run. Cancelled: closed meanwhile.
        """
        if self.pid is None:
            # The first sentence of all reads the weights from the disk.
            self._query(_WARMING)

    def raw_query(self, text: str) -> np.ndarray:
        """The model's own vector of a query ``(1, native width) float32``, for calibration."""
        return self._query(_clean(text, MAX_QUERY))

    def raw_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        """The model's own vectors of *texts* ``(texts, native width) float32``, in their order."""
        vectors = np.zeros((len(texts), self.model.native_width), np.float32)
        for batch in self.batches(texts, cancel):
            vectors[batch.rows] = batch.vectors
        return vectors

    def pick(self, query: str, groups: Sequence[Sequence[str]]) -> list[int] | None:
        """For each group of sentences the index of the one closest to *query*; None without a picking model.

        Raises:
            EncoderError: the model failed twice. Cancelled: closed meanwhile.
        """
        if self._picker is None:
            return None
        if not any(groups):
            return [0] * len(groups)
        message = {
            "op": "pick",
            "query": _clean(query, MAX_QUERY),
            "groups": [[_clean(sentence, MAX_QUERY) for sentence in group] for group in groups],
        }
        return self._ask(message)["picks"]

    def batches(
        self, texts: Sequence[str], cancel: CancelToken | None = None, budget: int = TOKEN_BUDGET
    ) -> Iterator[Batch]:
        """Embed *texts*, yielding each batch as it is done, in the order that suits the model.

        Every text is in exactly one batch; one that crashes the model twice, once in company and once
        alone, has a row of zeros and says so.

        Raises:
            Cancelled: within a second of *cancel* or of `close`. EncoderError: the model cannot be run at all.
        """
        texts = [_clean(text, MAX_PASSAGE) for text in texts]
        cancel = cancel or CancelToken()
        closings = self._closings
        todo, alone = list(range(len(texts))), []
        deaths = 0  # since something was finished
        while todo or alone:
            self._check_open(closings)
            job, todo = (todo, []) if todo else ([alone.pop()], [])
            left, in_flight = set(job), []
            try:
                for batch, begun in self._job([texts[index] for index in job], cancel, budget):
                    in_flight = [job[row] for row in begun]
                    if batch is not None:
                        rows = [job[row] for row in batch.rows]
                        left.difference_update(rows)
                        deaths = 0
                        if self.on_batch is not None:
                            self.on_batch(batch)
                        yield self._numbered(batch, rows, texts)
                continue
            except ChildDied as death:
                self._check_open(closings)
                self.restarts += 1
                deaths += 1
                if deaths >= MAX_DEATHS:
                    raise EncoderError(
                        "The embedding model stopped unexpectedly several times, so meaning is not indexed "
                        "for now; words still rank. Try again later.",
                        str(death),
                    ) from death
                why = f"the model ended: {death}"
            if len(job) == 1 and in_flight:
                nothing = np.zeros((1, self.model.native_width), np.float32)
                yield self._numbered(Batch([0], nothing, 0, 0, 0.0, why), job, texts)
            else:
                alone += in_flight
                todo = sorted(left.difference(in_flight))

    @staticmethod
    def _numbered(batch: Batch, rows: list[int], texts: Sequence[str]) -> Batch:
        given_up = batch.given_up and f"{texts[rows[0]][:_NAME]!r}: {batch.given_up}"
        return Batch(rows, batch.vectors, batch.tokens, batch.padded, batch.seconds, given_up)

    def adapt(self, threads: int) -> None:
        """Run the model with *threads* from now on. A child that has others, or that holds more than `MOST_MEMORY`,
        is ended, and the next request starts another."""
        with self._lock:
            self.threads = threads
            link = self._link
            if link is None or link.busy:
                return  # a query is being answered: the next turn will do
            grown = (link.memory() or 0) > MOST_MEMORY
            if threads == self._link_threads and not grown:
                return
            self.renewals[0 if grown else 1] += 1
            self._link = None
        link.end()

    def rest(self) -> None:
        """Give the child's memory back now, unless something is being asked of it; the next request starts another."""
        with self._lock:
            link = self._link
            if link is None or link.busy:
                return
            self._link = None
        link.end()

    # --- the child ------------------------------------------------------------------------------------

    def _query(self, text: str) -> np.ndarray:
        if not text.strip():
            return np.zeros((1, self.model.native_width), np.float32)
        return _decode(self._ask({"op": "query", "text": text})["vector"], 1)

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """One answer; asked again of another child when this one dies."""
        closings = self._closings
        for last in (False, True):
            link = self._running()
            number, inbox = link.ask(message)
            try:
                return self._answer(link, inbox, QUERY_SECONDS)
            except ChildDied as death:
                self._check_open(closings)
                if last:
                    raise EncoderError(
                        "The embedding model stopped unexpectedly twice, so only words rank. Try again later.",
                        str(death),
                    ) from death
            finally:
                link.forget(number)
        raise AssertionError("unreachable")

    def _job(
        self, texts: list[str], cancel: CancelToken, budget: int
    ) -> Iterator[tuple[Batch | None, list[int]]]:
        """Each batch as it is done, and which rows are being computed from then on."""
        link = self._running()
        number, inbox = link.ask({"op": "embed", "texts": texts, "budget": budget, "ahead": AHEAD})
        began, done = time.monotonic(), False
        try:
            while not done:
                message = self._answer(link, inbox, BATCH_SECONDS, cancel)
                self._touch()
                if "begin" in message:
                    began = time.monotonic()
                    yield None, message["begin"]
                elif "rows" in message:
                    rows = message["rows"]
                    vectors = _decode(message["vectors"], len(rows))
                    seconds = message.get("seconds", time.monotonic() - began)
                    failed = message.get("failed", "")
                    yield Batch(rows, vectors, message["tokens"], message["padded"], seconds, failed), []
                    link.tell({"op": "more", "id": number})
                done = message.get("done", False)
        finally:
            link.forget(number)
            if not done:
                link.tell({"op": "stop", "id": number})

    @staticmethod
    def _answer(
        link: ChildLink, inbox: Inbox, seconds: float, cancel: CancelToken | None = None
    ) -> dict[str, Any]:
        message = link.receive(inbox, seconds, cancel)
        if "error" in message:
            raise EncoderError(message["error"], message.get("detail", ""))
        return message

    def _running(self) -> ChildLink:
        """The child, started and loaded if need be."""
        with self._lock:
            self._touch()
            if self._link is not None and self._link.alive:
                return self._link
            link = ChildLink()
            message = {
                "op": "load",
                "folder": str(self._folder),
                "record": self.model.to_json(),
                "threads": self.threads,
            }
            if self._picker is not None:
                message["picker"] = {"folder": str(self._picker[0]), "record": self._picker[1].to_json()}
            number, inbox = link.ask(message)
            try:
                self._answer(link, inbox, LOAD_SECONDS)
                self._link_threads = self.threads
            except BaseException as error:
                link.end()
                if isinstance(error, ChildDied):
                    raise EncoderError("The embedding model could not be started.", str(error)) from error
                raise
            link.forget(number)
            self._link = link
            return link

    def _check_open(self, closings: int) -> None:
        if self._closings != closings:
            raise Cancelled

    def _touch(self) -> None:
        with self._lock:
            self._last_used = time.monotonic()
            if self._idle is None:
                self._start_timer(self._idle_seconds)

    def _start_timer(self, seconds: float) -> None:
        self._idle = threading.Timer(seconds, self._end_if_idle)
        self._idle.daemon = True
        self._idle.start()

    def _end_if_idle(self) -> None:
        with self._lock:
            self._idle = None
            link = self._link
            if link is None:
                return
            rest = self._last_used + self._idle_seconds - time.monotonic()
            if link.busy or rest > 0:
                self._start_timer(max(rest, self._idle_seconds / 10))
                return
            self._link = None
        link.end()

    def close(self) -> None:
        """End the child and what is being asked of it; a later request starts another."""
        with self._lock:
            self._closings += 1
            link, self._link = self._link, None
            if self._idle is not None:
                self._idle.cancel()
                self._idle = None
        if link is not None:
            link.end()

    def __enter__(self) -> Encoder:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def prepare(raw: np.ndarray, model: Model, *, query: bool) -> np.ndarray:
    """Raw model output ``(n, native width)`` to what is stored and scanned: ``(n, width) int8``."""
    vectors = finish(raw, model.width)
    calibration = model.calibration
    if calibration is not None:
        vectors = centre(vectors, calibration.table(query=query), calibration.share)
    return quantize(vectors)


def _clean(text: str, most: int) -> str:
    """Cut, and unpaired surrogates replaced: they have no place in UTF-8."""
    return text[:most].encode("utf-8", "replace").decode("utf-8")


def _decode(text: str, count: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(count, -1)
