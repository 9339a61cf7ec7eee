"""Whether a server's vectors may stand beside this machine's: found by embedding the same texts both ways."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from zbm_core.errors import CancelToken
from zbm_core.semantic.calibration import corpus_file, load_triples
from zbm_core.semantic.endpoint.address import Address
from zbm_core.semantic.endpoint.client import EndpointClient
from zbm_core.semantic.endpoint.forms import FORMS, Answer, Rejected, RequestFailed
from zbm_core.semantic.endpoint.records import (
    AGREEMENT_MIN,
    ApiKey,
    Check,
    OnCheck,
    State,
    Verdict,
    served_as,
)
from zbm_core.semantic.runner import MOST_TOKENS
from zbm_core.semantic.vectors import finish

if TYPE_CHECKING:
    from zbm_core.semantic.encoder import Encoder
    from zbm_core.semantic.model import Model

#: Probes (facts of the reference), spread over the corpus so that every language and field is among them.
QUERIES, PASSAGES = 8, 12
#: Characters of the long text at most, and to a token of the window: English scientific prose has a little more, so
#: the first size that is tried is nearly always the right one.
LONG_CHARACTERS, LONG_CHARACTERS_A_TOKEN = 9_000, 4.0
#: Share of the model's window that the long text may fill, so that it is certainly taken whole.
LONG_SHARE = 0.97
#: The end of the long text, which nothing before it resembles: a server that cuts it gives another vector.
TAIL = (
    "Всё сказанное выше не имеет отношения к последней фразе: парусная шхуна с грузом апельсинов вошла "
    "в гавань на рассвете, и оркестр пожарных сыграл вальс для пассажиров."
)


@dataclass(frozen=True, slots=True)
class Probes:
    queries: tuple[str, ...]
    passages: tuple[str, ...]


@lru_cache(maxsize=1)
def probes() -> Probes:
    """Texts from the corpus that comes with the product."""
    triples = load_triples(corpus_file())
    return Probes(
        tuple(triples[at].query for at in _spread(len(triples), QUERIES)),
        tuple(triples[at].passage for at in _spread(len(triples), PASSAGES)),
    )


def _spread(count: int, wanted: int) -> list[int]:
    return [(2 * place + 1) * count // (2 * wanted) for place in range(wanted)]


def as_sent(model: Model, text: str, *, query: bool = False) -> str:
    """*text* as the model is given it: its prefix before it, runs of whitespace as one space."""
    return (model.query_prefix if query else model.passage_prefix) + " ".join(text.split())


def cosines(served: np.ndarray, local: np.ndarray, width: int) -> np.ndarray:
    """Of each row ``(n, >= width)`` with the one of this machine, both cut to what is stored: ``(n,)``."""
    return np.einsum("ij,ij->i", finish(served, width), finish(local, width))


def window_of(model: Model) -> int:
    """Characters of English that nearly fill the model's window."""
    most = min(model.max_tokens, MOST_TOKENS) * LONG_SHARE
    return min(LONG_CHARACTERS, int(most * LONG_CHARACTERS_A_TOKEN))


def text_of_size(size: int) -> str:
    """About *size* bytes from the corpus, with `TAIL` at the end."""
    tail = TAIL if size >= 2 * len(TAIL.encode()) else TAIL[: max(1, size // 4)]
    return _body()[: size - len(tail.encode())].rpartition(" ")[0] + " " + tail


@lru_cache(maxsize=1)
def _body() -> str:
    return " ".join(triple.passage for triple in load_triples(corpus_file())[:40])


def long_text(encoder: Encoder, cancel: CancelToken) -> tuple[str, np.ndarray]:
    """A text that nearly fills the model's window and ends in `TAIL`; with its vector ``(1, native width)``."""
    most = min(encoder.model.max_tokens, MOST_TOKENS) * LONG_SHARE
    size = window_of(encoder.model)
    while True:
        text = text_of_size(size)
        (batch,) = encoder.batches([text], cancel)
        if batch.tokens <= most or size < len(TAIL):
            return text, batch.vectors
        size = int(size * min(0.97, most / batch.tokens))


def embed_halving(client: EndpointClient, texts: Sequence[str], cancel: CancelToken) -> Answer:
    """As `EndpointClient.embed`; what the server does not take at once is asked in halves.

    Raises:
        Rejected: it does not take one of the texts alone. RequestFailed, Cancelled.
    """
    try:
        return client.embed(texts, cancel)
    except Rejected:
        if len(texts) == 1:
            raise
    half = len(texts) // 2
    parts = [embed_halving(client, part, cancel) for part in (texts[:half], texts[half:])]
    if parts[0].vectors.shape[1] != parts[1].vectors.shape[1]:
        raise RequestFailed(State.NOT_EMBEDDINGS, "its vectors have different lengths")
    return Answer(
        np.concatenate([part.vectors for part in parts]), parts[0].model, sum(part.tokens for part in parts)
    )


def verify(
    url: str,
    key: ApiKey | None,
    encoder: Encoder,
    cancel: CancelToken | None = None,
    on_check: OnCheck | None = None,
    **options: float,
) -> Verdict:
    """Embed fixed texts here and there and compare.

    Vectors are compared as the models give them, before anything is moved away from a mean.

    Args:
        on_check: told each step as it ends.
        options: of `EndpointClient`.

    Raises:
        AddressError: *url* is none. EncoderError: the model of this machine cannot be run. Cancelled.
    """
    return _Verification(Address.parse(url), key, encoder, cancel, on_check, options).run()


class _Verification:
    def __init__(self, address, key, encoder, cancel, on_check, options) -> None:
        self._address, self._key, self._encoder = address, key, encoder
        self._cancel = cancel or CancelToken()
        self._tell = on_check or (lambda check: None)
        self._options = options
        model = encoder.model
        served = served_as(model)
        self._verdict = Verdict(
            State.OK,
            address.url,
            model.identity,
            pooling=served.pooling,
            context=served.context,
            title=served.model,
        )

    def run(self) -> Verdict:
        client = None
        try:
            client = self._connect()
            self._compare_short(client)
            self._compare_long(client)
        except _Failed as failed:
            self._tell(Check(failed.check, False, failed.verdict.why or failed.verdict.sentence))
            self._verdict = failed.verdict
        finally:
            if client is not None:
                client.close()
        return replace(self._verdict, time=time.time())

    def _connect(self) -> EndpointClient:
        """A client in the form that the server speaks."""
        first: RequestFailed | None = None
        text = as_sent(self._encoder.model, probes().queries[0], query=True)
        for form in FORMS:
            client = EndpointClient(self._address, form, self._key, **self._options)
            try:
                answer = client.embed([text], self._cancel)
            except RequestFailed as error:
                client.close()
                first = first or error
                if error.state is State.NOT_EMBEDDINGS:
                    continue
                raise self._failed(error, "Connection") from error
            except BaseException:
                client.close()
                raise
            self._verdict = replace(
                self._verdict, form=form, server_model=answer.model, width=answer.vectors.shape[1]
            )
            self._tell(Check("Connection", True, self._address.base))
            name = f" ({answer.model})" if answer.model else ""
            kind = "OpenAI form" if form == "openai" else "Text Embeddings Inference"
            self._tell(Check("Embeddings", True, f"{kind}{name}"))
            return client
        self._tell(Check("Connection", True, self._address.base))
        raise self._failed(first, "Embeddings") from first

    def _compare_short(self, client: EndpointClient) -> None:
        model, texts = self._encoder.model, probes()
        if self._verdict.width < model.width:
            why = f"{self._verdict.width} components instead of {model.width}"
            raise _Failed("Width", replace(self._verdict, state=State.WIDTH_MISMATCH, why=why))
        self._tell(Check("Width", True, f"{self._verdict.width} components"))
        sent = [as_sent(model, text, query=True) for text in texts.queries]
        sent += [as_sent(model, text) for text in texts.passages]
        try:
            answer = embed_halving(client, sent, self._cancel)
        except RequestFailed as error:
            raise self._failed(error, "Agreement") from error
        local = [self._local_query(text) for text in texts.queries]
        local.append(self._encoder.raw_passages(texts.passages, self._cancel))
        agreement = self._least(answer, np.concatenate(local))
        self._verdict = replace(self._verdict, agreement=agreement)
        if agreement < AGREEMENT_MIN:
            why = f"agreement {agreement:.3f}, at least {AGREEMENT_MIN} is needed"
            raise _Failed("Agreement", replace(self._verdict, state=State.LOW_AGREEMENT, why=why))
        self._tell(Check("Agreement", True, f"{agreement:.4f} over {len(sent)} texts"))

    def _compare_long(self, client: EndpointClient) -> None:
        text, local = long_text(self._encoder, self._cancel)
        try:
            answer = client.embed([as_sent(self._encoder.model, text)], self._cancel)
        except RequestFailed as error:
            if error.state is not State.NOT_EMBEDDINGS:
                raise self._failed(error, "Long texts") from error
            verdict = replace(
                self._verdict, state=State.CONTEXT_TOO_SMALL, why=error.why, detail=error.detail
            )
            raise _Failed("Long texts", verdict) from error
        agreement = self._least(answer, local)
        self._verdict = replace(self._verdict, long_agreement=agreement)
        if agreement < AGREEMENT_MIN:
            why = f"agreement {agreement:.3f} on a text of {len(text):,} characters"
            raise _Failed("Long texts", replace(self._verdict, state=State.CONTEXT_TOO_SMALL, why=why))
        self._tell(Check("Long texts", True, f"{agreement:.4f} on {len(text):,} characters"))

    def _local_query(self, text: str) -> np.ndarray:
        self._cancel.check()
        return self._encoder.raw_query(text)

    def _least(self, answer: Answer, local: np.ndarray) -> float:
        width = self._encoder.model.width
        if answer.vectors.shape[1] < width:
            return 0.0
        return float(cosines(answer.vectors, local, width).min())

    def _failed(self, error: RequestFailed, check: str) -> _Failed:
        return _Failed(check, replace(self._verdict, state=error.state, why=error.why, detail=error.detail))


class _Failed(Exception):
    def __init__(self, check: str, verdict: Verdict) -> None:
        super().__init__(verdict.sentence)
        self.check, self.verdict = check, verdict
