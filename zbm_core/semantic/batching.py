"""Batches of texts for one call of a model: by a token budget, over texts sorted by length.

A batch costs its longest text times its count, so texts of like length go together: padding 1.01 to
1.1 and 1.7 times the throughput of batches of 32 in natural order (benchmark `embedding`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

#: Padded tokens a call. Larger batches gain nothing on a CPU: the matrices fill the cache already.
TOKEN_BUDGET = 1024
#: What memory pressure may halve the budget down to.
LEAST_BUDGET = 128
#: Texts a call: bounds the answer of very short ones.
MAX_TEXTS = 64
#: Available memory below which the budget is halved, and halved again at each half of it. The reference starts
#: no run below 1.5 GiB; a batch of the full budget needs a tenth of one.
TIGHT_MEMORY = 1 << 30


def batches(lengths: Sequence[int], budget: int | Callable[[], int] = TOKEN_BUDGET) -> Iterator[list[int]]:
    """Indices into *lengths* (tokens of each text), batch by batch, shortest texts first.

    A text longer than the budget is a batch of its own.

    Args:
        budget: padded tokens; a function is asked anew before each batch.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    at = 0
    while at < len(order):
        most = budget() if callable(budget) else budget
        end = at + 1
        while end < len(order) and end - at < MAX_TEXTS and lengths[order[end]] * (end + 1 - at) <= most:
            end += 1
        yield order[at:end]
        at = end


def padding(lengths: Sequence[int], groups: Sequence[Sequence[int]]) -> float:
    """Padded tokens over tokens: 1.0 is no padding at all."""
    padded = sum(max(lengths[index] for index in group) * len(group) for group in groups)
    return padded / max(1, sum(lengths))


def affordable(budget: int, available: int) -> int:
    """*budget* halved, more than once if need be, where only *available* bytes of memory are left."""
    need = TIGHT_MEMORY
    while available < need and budget > LEAST_BUDGET:
        budget, need = budget // 2, need // 2
    return max(LEAST_BUDGET, budget)
