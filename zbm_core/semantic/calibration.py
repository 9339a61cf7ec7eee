"""Calibration: what a model's cosines mean, measured over a corpus of triples.

A triple is a query, a passage that answers it, and a near miss from the same field. The mean is taken
over the passages; the floor is the 95th percentile of query and near miss, the ceiling the median of
query and passage, all of centred vectors (facts of the reference: `Calibration.record`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zbm_core.errors import CancelToken
from zbm_core.semantic.model import Calibration, ModelError
from zbm_core.semantic.vectors import centre, finish

if TYPE_CHECKING:
    from zbm_core.semantic.encoder import Encoder

FLOOR_PERCENTILE = 0.95
CEILING_PERCENTILE = 0.50
#: Fewer triples say too little of a model.
LEAST_TRIPLES = 40


@dataclass(frozen=True, slots=True)
class Triple:
    query: str
    passage: str
    near_miss: str
    language: str = ""


def corpus_file() -> Path:
    """The corpus that comes with the product."""
    return Path(__file__).resolve().parent.parent.parent / "resources" / "calibration" / "triples.jsonl"


def load_triples(file: Path) -> list[Triple]:
    """Raises `ModelError` naming the line that is not a triple."""
    triples = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        try:
            entry = json.loads(line)
            triples.append(
                Triple(entry["query"], entry["passage"], entry["near_miss"], entry.get("language", ""))
            )
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(f"Line {number} of {file.name} is not a triple.", str(error)) from error
    return triples


def percentile(values: Iterable[float], share: float) -> float:
    """The value at ``round(share * (n - 1))`` of the sorted list, as the reference takes it."""
    ordered = sorted(values)
    return float(ordered[round(share * (len(ordered) - 1))])


def measure(
    queries: np.ndarray, passages: np.ndarray, near_misses: np.ndarray, width: int, *, query_mean: bool
) -> Calibration:
    """Calibrate from raw vectors ``(triples, native width)`` of the three sides.

    Args:
        query_mean: centre queries on a mean of their own instead of the passages'.

    Raises:
        ModelError: the model cannot tell answers from near misses (ceiling <= floor).
    """
    sides = [finish(side, width) for side in (queries, passages, near_misses)]
    mean = np.concatenate(sides[1:]).mean(axis=0)
    own = sides[0].mean(axis=0) if query_mean else mean
    query, passage, near_miss = centre(sides[0], own), centre(sides[1], mean), centre(sides[2], mean)
    floor = percentile(np.einsum("ij,ij->i", query, near_miss), FLOOR_PERCENTILE)
    ceiling = percentile(np.einsum("ij,ij->i", query, passage), CEILING_PERCENTILE)
    if ceiling <= floor:
        raise ModelError(
            "This model cannot tell a passage that answers from one that only sounds like it, so its "
            "scores would mean nothing. Choose another model.",
            f"floor {floor:.3f}, ceiling {ceiling:.3f}",
        )
    return Calibration(
        round(floor, 4),
        round(ceiling, 4),
        tuple(mean.tolist()),
        tuple(own.tolist()) if query_mean else (),
    )


def calibrate(
    encoder: Encoder, triples: Sequence[Triple], *, query_mean: bool, cancel: CancelToken | None = None
) -> Calibration:
    """Measure *encoder*'s model over *triples*.

    Raises:
        ModelError: too few triples, or a model that fails the test. Cancelled.
    """
    if len(triples) < LEAST_TRIPLES:
        raise ModelError(f"{len(triples)} triples are too few to calibrate with.")
    cancel = cancel or CancelToken()
    queries = np.concatenate(list(_each_query(encoder, triples, cancel)))
    passages = encoder.raw_passages([triple.passage for triple in triples], cancel)
    near_misses = encoder.raw_passages([triple.near_miss for triple in triples], cancel)
    return measure(queries, passages, near_misses, encoder.model.width, query_mean=query_mean)


def _each_query(encoder: Encoder, triples: Sequence[Triple], cancel: CancelToken) -> Iterator[np.ndarray]:
    for triple in triples:
        cancel.check()
        yield encoder.raw_query(triple.query)
