"""Retrieval corpora from the test data folder, and how an answer is judged."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Corpus:
    """Documents and questions, with the gain of each judged document.

    Attributes:
        queries: text by id, only those with a relevant document.
        gains: by query id: by document id, > 0 for a relevant one.
    """

    documents: list[dict[str, str]]
    queries: dict[str, str]
    gains: dict[str, dict[str, int]]


def read_corpus(folder: Path) -> Corpus:
    gains: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, document, gain = line.split("\t")
        if int(gain) > 0:
            gains.setdefault(query, {})[document] = int(gain)
    queries = {row["id"]: row["text"] for row in _rows(folder / "queries.jsonl") if row["id"] in gains}
    return Corpus(_rows(folder / "corpus.jsonl"), queries, gains)


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def ndcg(ranked: Sequence[str], gains: Mapping[str, int], depth: int = 10) -> float:
    """nDCG with gain 2^rel - 1 and a log2 discount (Burges 2005, the form BEIR uses for graded judgements)."""
    earned = sum(
        (2 ** gains.get(document, 0) - 1) / math.log2(place + 2)
        for place, document in enumerate(ranked[:depth])
    )
    ideal = sorted(gains.values(), reverse=True)[:depth]
    return earned / sum((2**gain - 1) / math.log2(place + 2) for place, gain in enumerate(ideal))
