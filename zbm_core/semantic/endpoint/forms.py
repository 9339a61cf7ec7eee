"""The two forms in which servers are asked for embeddings, and what is made of their answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zbm_core.semantic.endpoint.records import State

#: Tried in this order (facts of the reference): llama.cpp and most others, then Text Embeddings Inference.
FORMS = ("openai", "tei")
_PATHS = {"openai": "/v1/embeddings", "tei": "/embed"}
#: Characters of a server's own model name that are kept.
_MAX_NAME = 200
#: Characters to a token where a server counts none: English prose has four.
CHARACTERS_A_TOKEN = 4
#: Bytes of one component as text at most, and the widest vector that is read.
_COMPONENT_BYTES, _WIDEST = 26, 8192


class RequestFailed(Exception):
    """A request that brought no vectors.

    Args:
        state: what it means for the server.
        why: the cause in words, after "The server could not be reached: "; "" where there is nothing to add.
        detail: technical.
    """

    def __init__(self, state: State, why: str = "", detail: str = "") -> None:
        super().__init__(detail or why or state)
        self.state, self.why, self.detail = state, why, detail


class Rejected(RequestFailed):
    """The server did not take these texts; fewer of them it may."""


class WrongVectors(RequestFailed):
    """An answer in the right form that cannot be right: rows missing, ragged, not finite or zero."""

    def __init__(self, why: str) -> None:
        super().__init__(State.NOT_EMBEDDINGS, why)


@dataclass(frozen=True, slots=True)
class Answer:
    vectors: np.ndarray  # (texts, the server's width) float32, in the order of the texts
    model: str  # as the server calls it, "" where it does not
    tokens: int


def path_of(form: str) -> str:
    return _PATHS[form]


def body_of(form: str, texts: Sequence[str]) -> bytes:
    key = "input" if form == "openai" else "inputs"
    return json.dumps({key: list(texts)}, ensure_ascii=False).encode("utf-8")


def longest_answer(texts: int) -> int:
    """Bytes of an answer about *texts* texts that are read at most."""
    return texts * _WIDEST * _COMPONENT_BYTES + (1 << 16)


def read_answer(form: str, body: bytes, texts: Sequence[str]) -> Answer:
    """Raises `RequestFailed` for what is no answer in this form, `WrongVectors` for one that cannot be right."""
    try:
        whole = json.loads(body)
    except (ValueError, RecursionError) as error:
        page = body.lstrip()[:1] == b"<"
        raise RequestFailed(
            State.NOT_EMBEDDINGS, "it sent a web page" if page else "its answer makes no sense", str(error)
        ) from error
    rows, model, tokens = (_openai if form == "openai" else _tei)(whole)
    if len(rows) != len(texts):
        raise WrongVectors(f"it sent {len(rows)} vectors for {len(texts)} texts")
    tokens = tokens or sum(len(text) for text in texts) // CHARACTERS_A_TOKEN + len(texts)
    return Answer(_matrix(rows), model[:_MAX_NAME], tokens)


def _openai(whole: Any) -> tuple[list[Any], str, int]:
    try:
        data = whole["data"]
        rows = [entry["embedding"] for entry in data]
        places = [entry.get("index") for entry in data]
    except (TypeError, KeyError, AttributeError) as error:
        raise RequestFailed(State.NOT_EMBEDDINGS, "its answer has another form", repr(error)) from error
    if any(place is not None for place in places):
        if sorted(place for place in places if isinstance(place, int)) != list(range(len(rows))):
            raise WrongVectors("it numbered its vectors wrongly")
        rows = [row for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]
    model = whole.get("model")
    usage = whole.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    tokens = usage.get("total_tokens") or usage.get("prompt_tokens")
    plausible = isinstance(tokens, int) and 0 < tokens < 1 << 40
    return rows, model if isinstance(model, str) else "", tokens if plausible else 0


def _tei(whole: Any) -> tuple[list[Any], str, int]:
    if not isinstance(whole, list):
        raise RequestFailed(State.NOT_EMBEDDINGS, "its answer has another form")
    return whole, "", 0


def _matrix(rows: list[Any]) -> np.ndarray:
    """Rows of numbers to ``(rows, width) float32``."""
    if not all(isinstance(row, list) and row for row in rows):
        raise RequestFailed(State.NOT_EMBEDDINGS, "its answer has another form")
    if any(isinstance(value, list) for row in rows for value in row[:1]):
        raise RequestFailed(
            State.NOT_EMBEDDINGS, "it sent a vector for each token, so it was started without pooling"
        )
    if len({len(row) for row in rows}) > 1:
        raise WrongVectors("its vectors have different lengths")
    try:
        with np.errstate(over="ignore"):
            vectors = np.array(rows, np.float64).astype(np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise RequestFailed(State.NOT_EMBEDDINGS, "its vectors are not of numbers", str(error)) from error
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise WrongVectors("its vectors have components that are no numbers")
    if not np.any(vectors != 0, axis=1).all():
        raise WrongVectors("it sent vectors of zeros")
    return vectors
