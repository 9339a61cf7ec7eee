"""A query as tantivy queries, with what each could earn at most."""

from __future__ import annotations

import math
from dataclasses import dataclass

import tantivy

from zbm_core.text.stems import table

# BM25's saturation in tantivy; a term earns at most (K1 + 1) times its rarity.
K1 = 1.2
# Distinct terms searched at most; past it the rarest are kept (a question has about ten).
MAX_SCORED = 64
# A beginning stands for so many words of the library at most, those in most passages.
MAX_EXPANSIONS = 64
# Weight of two neighbouring words found as neighbours, and the share of passages the rarer of the
# two may be in: pairs of two common words cost most and say least.
PAIR_WEIGHT = 0.2
PAIR_MAX_SHARE = 0.1

_Q = tantivy.Query
_SHOULD = tantivy.Occur.Should


@dataclass(frozen=True, slots=True)
class Term:
    """One thing searched for: any of `stems`, each in the stem field."""

    stems: tuple[str, ...]
    weight: float


def idf(rows: int, frequency: int) -> float:
    """BM25's rarity as tantivy computes it; *frequency* may count deleted rows."""
    frequency = min(frequency, rows)
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


def stems_by_language(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(table(language)[word] for language in languages)) or (word,)
