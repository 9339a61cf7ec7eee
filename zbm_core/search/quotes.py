"""The line of a passage that only means what the query says: sentences to weigh, and the quote they open."""

from __future__ import annotations

from collections.abc import Sequence

#: Characters of a quoted line; the sentence that crosses it is taken whole (facts of the reference).
WIDTH = 150
#: A sentence shorter than this says little by itself and is weighed with the next one.
SHORT_SENTENCE = 40

Span = tuple[int, int]


def sentences_to_weigh(text: str) -> list[Span]:
    """Ranges of *text* to choose from: its sentences, a short one joined with the next."""
    from zbm_core.text import sentences

    joined: list[Span] = []
    open_from: int | None = None
    for start, end in sentences(text):
        start = start if open_from is None else open_from
        if end - start < SHORT_SENTENCE:
            open_from = start
            continue
        joined.append((start, end))
        open_from = None
    if open_from is not None:
        # The last one is short: it belongs to what stands before it.
        begin = joined.pop()[0] if joined else open_from
        joined.append((begin, len(text.rstrip())))
    return joined


def close_line(text: str, spans: Sequence[Span], pick: int) -> Span:
    """The quote that opens with span *pick*: whole spans until `WIDTH` is passed."""
    if not spans:
        return 0, len(text)
    start, end = spans[pick]
    for _, following in spans[pick + 1 :]:
        if end - start >= WIDTH:
            break
        end = following
    return start, end
