"""Feedback: the meaning asked a second time, by the question and the best of what both engines found.

A question of ten words says little of what its answer is about; the two documents that both engines together
hold best say more. The query's vector is moved toward their best chunks and what meaning found is weighed anew
(relevance feedback after Rocchio, without a user; for vectors: Li, Mourad, Zhuang, Koopman and Zuccon, "Pseudo
relevance feedback with deep language models and dense retrievers", 2021). Words alone gain nothing by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

from zbm_core.library.records import ItemKey
from zbm_core.search.fusion import Voice, strongest

if TYPE_CHECKING:
    import numpy as np

    from zbm_core.semantic import Likeness, Meaning

#: Documents asked with. With three or five, those that are wrong cost more than the others bring.
DOCUMENTS = 2
#: Length of what they add to a query of length 1.
SHARE = 0.5
#: Strength of the best word match from which they count in full. Where words find next to nothing, as across
#: languages, only meaning chose them, and asking meaning again by its own answer makes it more sure, not more right.
FULL_WORDS = 0.15


def ask_again(
    meaning: Meaning,
    query: np.ndarray,
    words: Mapping[ItemKey, Voice],
    likenesses: Mapping[ItemKey, Likeness],
    voices: Mapping[ItemKey, Voice],
    allowed: Set[ItemKey] | None,
) -> dict[ItemKey, Voice]:
    """What meaning found (*voices*), weighed by the moved query: the same items, other strengths.

    Args:
        query: ``(width,) int8``.
        likenesses: meaning's own answer, with the best chunk of each item.
    """
    best = [(item, score) for item, score in strongest(words, voices, DOCUMENTS) if item in likenesses]
    share = SHARE * min(1.0, max(voice.strength for voice in words.values()) / FULL_WORDS)
    if not best or share <= 0:
        return dict(voices)
    weights = [score / best[0][1] for _, score in best]
    moved = meaning.nearer(query, [likenesses[item].hit.best for item, _ in best], weights, share)
    again = {likeness.hit.item: likeness.fraction for likeness in meaning.hits(moved, allowed)}
    # The moved query is closer to all of its subject: the documents it was moved to keep their strength.
    closest = max(again.get(item, 0.0) for item, _ in best)
    if closest <= 0:
        return dict(voices)
    scale = max(voices[item].strength for item, _ in best) / closest
    return {item: Voice(scale * again.get(item, 0.0), voice.evidence) for item, voice in voices.items()}
