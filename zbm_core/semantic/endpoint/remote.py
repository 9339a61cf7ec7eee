"""Passages embedded by a server, in the place of this machine's encoder.

Every batch carries two texts whose vectors are known here, at places the server cannot guess. A batch in which they
are not what and where they should be is thrown away as a whole and embedded here, and the server is not asked
again until it has passed a new test.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from zbm_core.errors import CancelToken
from zbm_core.semantic.batching import TOKEN_BUDGET
from zbm_core.semantic.encoder import MAX_PASSAGE, Batch
from zbm_core.semantic.endpoint.client import EndpointClient
from zbm_core.semantic.endpoint.forms import Answer, Rejected, RequestFailed, WrongVectors
from zbm_core.semantic.endpoint.records import AGREEMENT_MIN, State, Usage, Verdict
from zbm_core.semantic.endpoint.sentinels import Sentinels
from zbm_core.semantic.endpoint.verification import as_sent, cosines

if TYPE_CHECKING:
    from zbm_core.semantic.encoder import Encoder
    from zbm_core.semantic.model import Model

#: Texts a request, the two sentinels among them: Text Embeddings Inference takes 32 unless told otherwise.
MAX_TEXTS = 32
#: Characters a request: some 8,000 tokens, which a graphics card does in a moment and a processor in seconds.
MAX_CHARACTERS = 32_000
#: Requests under way at once: with one, a server is idle while an answer travels, and of two behind a balancer one
#: is idle always.
PARALLEL = 4
#: Requests in a row that may fail for good before the server is left in peace for the rest of the run.
MAX_FAILURES = 3
#: Seconds between looks at the token while answers are waited for.
_LOOK_SECONDS = 0.1


class Untrue(Exception):
    """An answer whose sentinels are not what they should be."""


class RemoteEncoder:
    """Has the interface that an embedding run uses of `Encoder`: `model`, `batches`, `restarts`.

    For one run: the server is looked at anew at its beginning, and what it failed at is forgotten with it.

    Args:
        local: this machine's encoder: for sentinels, for what the server fails at. Not closed here.
        client: of the server that *verdict* is about.
        on_verdict: told, from any thread, when the server loses its good verdict.

    Attributes:
        skipped: why the server is not asked for the rest of this run; "" while it is.
    """

    def __init__(
        self,
        local: Encoder,
        client: EndpointClient,
        verdict: Verdict,
        *,
        on_verdict: Callable[[Verdict], None] | None = None,
        parallel: int = PARALLEL,
    ) -> None:
        self._local, self._client, self._verdict = local, client, verdict
        self._on_verdict = on_verdict or (lambda verdict: None)
        self._parallel = parallel
        self._lock = threading.Lock()
        self._failures = 0
        self._local_texts = 0
        self._sentinels = Sentinels(local)
        self._checked = False
        self._random = random.Random()
        self.skipped = ""

    @property
    def model(self) -> Model:
        return self._local.model

    @property
    def restarts(self) -> int:
        return self._local.restarts

    @property
    def usage(self) -> Usage:
        """What this run has asked of the server."""
        return replace(self._client.usage, local_texts=self._local_texts)

    def batches(
        self, texts: Sequence[str], cancel: CancelToken | None = None, budget: int = TOKEN_BUDGET
    ) -> Iterator[Batch]:
        """As `Encoder.batches`: every text is in exactly one batch, from the server or from here.

        Args:
            budget: padded tokens of a call of this machine's model.

        Raises:
            Cancelled. EncoderError: this machine's model was needed and cannot be run.
        """
        cancel = cancel or CancelToken()
        # Unpaired surrogates have no place in UTF-8.
        texts = [text[:MAX_PASSAGE].encode("utf-8", "replace").decode("utf-8") for text in texts]
        if not self._checked:
            self._recheck(cancel)
        if self.skipped:
            yield from self._here(texts, list(range(len(texts))), cancel, budget)
            return
        blank = [row for row, text in enumerate(texts) if not text.strip()]
        if blank:
            # They say nothing, so there is nothing to ask.
            yield Batch(blank, np.zeros((len(blank), self.model.native_width), np.float32), 0, 0, 0.0)
        left_over: list[int] = []
        yield from self._there(texts, _groups(texts), left_over, cancel)
        if left_over:
            yield from self._here(texts, left_over, cancel, budget)

    # --- here -------------------------------------------------------------------------------------

    def _here(
        self, texts: Sequence[str], rows: list[int], cancel: CancelToken, budget: int
    ) -> Iterator[Batch]:
        for batch in self._local.batches([texts[row] for row in rows], cancel, budget):
            self._local_texts += len(batch.rows)
            yield replace(batch, rows=[rows[row] for row in batch.rows])

    # --- there ------------------------------------------------------------------------------------

    def _there(
        self, texts: Sequence[str], groups: list[list[int]], left_over: list[int], cancel: CancelToken
    ) -> Iterator[Batch]:
        """The batches that the server embedded; the rows it did not are put into *left_over*."""
        outcomes: queue.SimpleQueue[tuple[list[int], list[Batch] | BaseException]] = queue.SimpleQueue()
        ours = CancelToken()  # of the requests: set as well when whoever reads the batches stops

        def work(rows: list[int]) -> None:
            try:
                outcomes.put((rows, self._ask(texts, rows, ours)))
            except BaseException as error:  # carried over to the thread that reads
                outcomes.put((rows, error))

        pool = ThreadPoolExecutor(self._parallel, thread_name_prefix="endpoint")
        try:
            for rows in groups:
                pool.submit(work, rows)
            waiting = len(groups)
            while waiting:
                cancel.check()
                try:
                    rows, outcome = outcomes.get(timeout=_LOOK_SECONDS)
                except queue.Empty:
                    continue
                waiting -= 1
                if isinstance(outcome, BaseException):
                    raise outcome
                done = {row for batch in outcome for row in batch.rows}
                left_over += [row for row in rows if row not in done]
                for batch in outcome:
                    if self._local.on_batch is not None:
                        self._local.on_batch(batch)
                    yield batch
        finally:
            ours.cancel()
            pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, texts: Sequence[str], rows: list[int], cancel: CancelToken) -> list[Batch]:
        """What the server embedded of *rows*, in halves where it does not take them at once."""
        if self.skipped:
            return []
        try:
            answer, seconds = self._request([as_sent(self.model, texts[row]) for row in rows], cancel)
        except Rejected as error:
            if len(rows) > 1:
                half = len(rows) // 2
                return [
                    batch for part in (rows[:half], rows[half:]) for batch in self._ask(texts, part, cancel)
                ]
            self._failed(error)  # the one text is embedded here
            return []
        except (Untrue, WrongVectors) as error:
            self._give_up(State.INVALID, str(error))
            return []
        except RequestFailed as error:
            self._failed(error)
            return []
        with self._lock:
            if self.skipped:
                return []  # it was found out meanwhile, and may have been wrong here as well
            self._failures = 0
        tokens = answer.tokens
        return [Batch(rows, self._widened(answer.vectors), tokens, tokens, seconds)]

    def _request(self, sent: list[str], cancel: CancelToken) -> tuple[Answer, float]:
        """The vectors of *sent* and the seconds they took.

        Raises:
            Untrue: the sentinels that went with them came back wrong, or under another model's name.
        """
        marks, known = self._sentinels.beside(sent, cancel)
        places = sorted(self._random.sample(range(len(sent) + len(marks)), len(marks)))
        marked = list(sent)
        for place, mark in zip(places, marks, strict=True):
            marked.insert(place, mark)
        began = time.monotonic()
        answer = self._client.embed(marked, cancel)
        seconds = time.monotonic() - began
        if answer.model != self._verdict.server_model:
            raise Untrue(f"it now serves {answer.model or 'a model without a name'}")
        if answer.vectors.shape[1] < self.model.width:
            raise Untrue(
                f"its vectors have {answer.vectors.shape[1]} components instead of {self.model.width}"
            )
        agreement = float(cosines(answer.vectors[places], known, self.model.width).min())
        if agreement < AGREEMENT_MIN:
            raise Untrue(f"agreement {agreement:.3f}, at least {AGREEMENT_MIN} is needed")
        return replace(answer, vectors=np.delete(answer.vectors, places, axis=0)), seconds

    def _recheck(self, cancel: CancelToken) -> None:
        """Before the first batch: is it still the server of the verdict?"""
        self._checked = True
        try:
            self._request([], cancel)
        except (Untrue, WrongVectors) as error:
            self._give_up(State.INVALID, str(error))
        except RequestFailed as error:
            self._failed(error)

    def _widened(self, vectors: np.ndarray) -> np.ndarray:
        """As the run expects them, ``(n, native width)``: a server may send what is stored only."""
        missing = self.model.native_width - vectors.shape[1]
        if missing <= 0:
            return vectors[:, : self.model.native_width]
        return np.pad(vectors, ((0, 0), (0, missing)))

    # --- failures ---------------------------------------------------------------------------------

    def _failed(self, error: RequestFailed) -> None:
        if error.state is State.UNAUTHORIZED:
            # The key will not become right by asking again.
            self._give_up(State.UNAUTHORIZED, error.why, error.detail)
            return
        with self._lock:
            self._failures += 1
            if self._failures >= MAX_FAILURES and not self.skipped:
                self.skipped = error.why or error.state

    def _give_up(self, state: State, why: str, detail: str = "") -> None:
        with self._lock:
            if self.skipped:
                return
            self.skipped = why or state
        self._on_verdict(replace(self._verdict, state=state, why=why, detail=detail, time=time.time()))

    def close(self) -> None:
        """Let the server go; the local encoder stays."""
        self._client.close()


def _groups(texts: Sequence[str]) -> list[list[int]]:
    """Rows that go in one request, texts of like length together; blank texts are in none."""
    order = sorted((row for row, text in enumerate(texts) if text.strip()), key=lambda row: len(texts[row]))
    groups: list[list[int]] = []
    size = 0
    for row in order:
        size += len(texts[row])
        if not groups or len(groups[-1]) >= MAX_TEXTS - 2 or size > MAX_CHARACTERS:
            groups.append([])
            size = len(texts[row])
        groups[-1].append(row)
    return groups
