"""Calibration: what a model's cosines mean, measured over a corpus of triples.

A triple is a query, a passage that answers it, and a near miss from the same field, all in one language. From them:

- a mean for each language, of queries and of passages, that vectors are moved away from (`vectors.centre`);
- the floor, the 80th percentile of a query and the texts of the other fields: most that speak of something else
  are below it;
- the near-miss line, the 95th percentile of a query and its near miss: what is above it is about the query;
- the ceiling, the median of a query and the passage that answers it.

Near-miss line and ceiling are the reference's floor and ceiling. Its floor does not serve here: with
multilingual-e5-small, of true answers in another language than the query's half are below it, and Arabic questions
to English paragraphs fall from nDCG@10 0.825 to 0.38 when nothing below is shown (at the 95th percentile of other
fields to 0.75, at the 80th to 0.822). What is weak and yet above the floor is for the margin to cut, which knows
the query's best.
"""

from __future__ import annotations

import json
from collections import Counter
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

FLOOR_PERCENTILE = 0.80
NEAR_MISS_PERCENTILE = 0.95
CEILING_PERCENTILE = 0.50
#: Share of a mean that centring takes away. Plateau from 0.6 to 0.8; all of it costs 0.01 within a language.
SHARE = 0.7
#: Fewer triples say too little of a model, and fewer of a language say too little of its mean.
LEAST_TRIPLES, LEAST_OF_LANGUAGE = 40, 12


@dataclass(frozen=True, slots=True)
class Triple:
    query: str
    passage: str
    near_miss: str
    language: str = ""
    field: str = ""


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
                Triple(
                    entry["query"],
                    entry["passage"],
                    entry["near_miss"],
                    entry.get("language", ""),
                    entry.get("field", ""),
                )
            )
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(f"Line {number} of {file.name} is not a triple.", str(error)) from error
    return triples


def percentile(values: Iterable[float], share: float) -> float:
    """The value at ``round(share * (n - 1))`` of the sorted list, as the reference takes it."""
    ordered = sorted(values)
    return float(ordered[round(share * (len(ordered) - 1))])


def measure(
    triples: Sequence[Triple],
    queries: np.ndarray,
    passages: np.ndarray,
    near_misses: np.ndarray,
    width: int,
    share: float = SHARE,
) -> Calibration:
    """Calibrate from raw vectors ``(triples, native width)`` of the three sides.

    Raises:
        ModelError: the model cannot tell answers from near misses or from texts about something else.
    """
    sides = [finish(side, width) for side in (queries, passages, near_misses)]
    groups = _languages(triples)
    query_means = np.stack([sides[0][rows].mean(axis=0) for rows in groups.values()])
    means = np.stack(
        [np.concatenate([sides[1][rows], sides[2][rows]]).mean(axis=0) for rows in groups.values()]
    )
    query = centre(sides[0], query_means, share)
    passage, near_miss = (centre(side, means, share) for side in sides[1:])
    floor = percentile(_unrelated(triples, query, passage, near_miss), FLOOR_PERCENTILE)
    near = percentile(np.einsum("ij,ij->i", query, near_miss), NEAR_MISS_PERCENTILE)
    ceiling = percentile(np.einsum("ij,ij->i", query, passage), CEILING_PERCENTILE)
    if not max(floor, near) < ceiling:
        raise ModelError(
            "This model cannot tell a passage that answers from one that only sounds like it, so its "
            "scores would mean nothing. Choose another model.",
            f"floor {floor:.3f}, near misses {near:.3f}, ceiling {ceiling:.3f}",
        )
    return Calibration(
        round(floor, 4),
        round(near, 4),
        round(ceiling, 4),
        share,
        tuple(groups),
        means.astype("<f4").tobytes(),
        query_means.astype("<f4").tobytes(),
    )


def _languages(triples: Sequence[Triple]) -> dict[str, np.ndarray]:
    """Places of the triples of each language; those of languages with too few are one group, ""."""
    counts = Counter(triple.language for triple in triples)
    groups: dict[str, list[int]] = {}
    for place, triple in enumerate(triples):
        language = triple.language if counts[triple.language] >= LEAST_OF_LANGUAGE else ""
        groups.setdefault(language, []).append(place)
    return {language: np.array(places) for language, places in sorted(groups.items())}


def _unrelated(
    triples: Sequence[Triple], query: np.ndarray, passage: np.ndarray, near_miss: np.ndarray
) -> np.ndarray:
    """Cosines of each query with the texts of the other fields; of all other triples where no fields are named."""
    fields = np.array([triple.field for triple in triples])
    pairs = fields[:, None] != fields
    if not pairs.any():
        pairs = ~np.eye(len(triples), dtype=bool)
    return np.concatenate([(query @ side.T)[pairs] for side in (passage, near_miss)])


def calibrate(
    encoder: Encoder, triples: Sequence[Triple], *, cancel: CancelToken | None = None
) -> Calibration:
    """Measure *encoder*'s model over *triples*.

    Raises:
        ModelError: too few triples, or a model that fails the test. Cancelled. EncoderError.
    """
    if len(triples) < LEAST_TRIPLES:
        raise ModelError(f"{len(triples)} triples are too few to calibrate with.")
    cancel = cancel or CancelToken()
    queries = np.concatenate(list(_each_query(encoder, triples, cancel)))
    passages = encoder.raw_passages([triple.passage for triple in triples], cancel)
    near_misses = encoder.raw_passages([triple.near_miss for triple in triples], cancel)
    return measure(triples, queries, passages, near_misses, encoder.model.width)


def _each_query(encoder: Encoder, triples: Sequence[Triple], cancel: CancelToken) -> Iterator[np.ndarray]:
    for triple in triples:
        cancel.check()
        yield encoder.raw_query(triple.query)
