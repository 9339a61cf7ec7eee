"""Fusion: what two engines say of an item, as one ranking.

Both engines speak on scales that mean something by themselves: the word engine gives the share of the
query that an item carries, the embedding engine where its best chunk lies between a near miss and an
answer. So strengths are added, and each engine has as much to say on a query as its evidence is strong: an
exact hit is not outranked by a vague likeness, and a question in another language, which shares no words,
is ranked by its meaning alone. Ranks alone know nothing of that: on the covidqa library reciprocal rank
fusion is no better than words (benchmark `quality`). It is kept for comparison.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Fusion, Match, Score

#: What a whole display band of meaning weighs against a whole query of words. Chosen on half of the
#: questions of each collection and told on the other half (benchmark `quality`).
MEANING_WEIGHT = 0.12
#: The same once the meaning has been asked again (`feedback`): two opinions of it weigh more than one.
FEEDBACK_WEIGHT = 0.3
#: The constant of reciprocal rank fusion (facts of the reference).
RRF_CONSTANT = 60


@dataclass(frozen=True, slots=True)
class Voice:
    """What one engine says of one item.

    strength: 0-1 for words; for meaning the display band's fraction, which may exceed 1.
    evidence: its strongest single piece of evidence, 0-1.
    """

    strength: float
    evidence: float


Voices = Mapping[ItemKey, Voice]


def cut_by_margin(voices: Voices, margin: int) -> dict[ItemKey, Voice]:
    """The voices of at least ``(1 - margin/100)`` of the strongest; ties at the line stay together."""
    if margin >= 100 or not voices:
        return dict(voices)
    # A hair below the line, so that a score that should lie on it is not lost to rounding.
    line = max(voice.strength for voice in voices.values()) * (1 - margin / 100) - 1e-9
    return {item: voice for item, voice in voices.items() if voice.strength >= line}


def margins_needed(*engines: Voices) -> list[float]:
    """For each item any of *engines* found, the least margin by which `cut_by_margin` keeps it; ascending."""
    needed: dict[ItemKey, float] = {}
    for voices in engines:
        most = max((voice.strength for voice in voices.values()), default=0.0)
        for item, voice in voices.items():
            margin = 100 * (1 - voice.strength / most) if most > 0 else 0.0
            needed[item] = min(margin, needed.get(item, 100.0))
    return sorted(needed.values())


def fuse(
    words: Voices, meaning: Voices, how: Fusion = Fusion.STRENGTH, weight: float = MEANING_WEIGHT
) -> tuple[Match, ...]:
    """Rank the union of what the engines found, best first; equal scores share a rank (1, 2, 2, 3)."""
    if not meaning or not words:
        scores = {item: voice.strength for item, voice in (words or meaning).items()}
    elif how is Fusion.RANKS:
        scores = _by_ranks(words, meaning)
    else:
        scores = _sums(words, meaning, weight)
    return _ranked(scores, words, meaning)


def strongest(words: Voices, meaning: Voices, count: int) -> list[tuple[ItemKey, float]]:
    """The *count* items of the strongest sums, best first, each with its sum."""
    sums = _sums(words, meaning, MEANING_WEIGHT)
    return heapq.nsmallest(count, sums.items(), key=lambda entry: (-entry[1], entry[0]))


def _sums(words: Voices, meaning: Voices, weight: float) -> dict[ItemKey, float]:
    return {
        item: _strength(words, item) + weight * _strength(meaning, item)
        for item in words.keys() | meaning.keys()
    }


def _strength(voices: Voices, item: ItemKey) -> float:
    voice = voices.get(item)
    return voice.strength if voice is not None else 0.0


def _by_ranks(*engines: Voices) -> dict[ItemKey, float]:
    """Each engine adds ``strength / (60 + rank)``; ties share a rank (facts of the reference)."""
    scores: dict[ItemKey, float] = {}
    for voices in engines:
        ordered = sorted({voice.strength for voice in voices.values()}, reverse=True)
        places = {strength: place for place, strength in enumerate(ordered, 1)}
        for item, voice in voices.items():
            share = voice.strength / (RRF_CONSTANT + places[voice.strength])
            scores[item] = scores.get(item, 0.0) + share
    return scores


def _ranked(scores: Mapping[ItemKey, float], words: Voices, meaning: Voices) -> tuple[Match, ...]:
    order: Sequence[ItemKey] = sorted(scores, key=lambda item: (-scores[item], item))
    matches: list[Match] = []
    place, last = 0, None
    for item in order:
        if scores[item] != last:
            place, last = place + 1, scores[item]
        score = Score(_shown(words, item), _shown(meaning, item))
        matches.append(Match(item, place, score, _bar(words.get(item), meaning.get(item))))
    return tuple(matches)


def _shown(voices: Voices, item: ItemKey) -> float | None:
    voice = voices.get(item)
    return None if voice is None else min(1.0, voice.strength)


def _bar(*voices: Voice | None) -> float:
    """The strongest single piece of evidence, whichever engine found it."""
    return min(1.0, max(voice.evidence for voice in voices if voice is not None))
