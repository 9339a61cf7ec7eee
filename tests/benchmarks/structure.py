"""Reading order and structure: what is read from pages against what a person sees on them.

    python -m tests.benchmarks structure [--json]

The pages and what they hold are in `tests/structure/expected`. A pair of paragraphs is right when the first
ends where its block ends, the second begins where its block begins, and nothing but figures, tables, captions
and notes stands between them. "Unseen" pages were written down after the reading was last changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tests.benchmarks.figures import DATA, Figure, at_least, plain, unmeasured
from tests.structure.measure import measured
from tests.structure.score import Score

PAIRS = 0.97
"""Share of adjacent paragraphs that must be read in order and apart."""

LAST = 3
"""Pages written down after the last change of reading."""

FEW = 5
"""Pairs from which a kind of layout has a share worth a goal."""


def run(options: argparse.Namespace) -> Iterator[Figure]:
    del options
    whole, unseen = Score(), Score()
    layouts: dict[str, Score] = {}
    pages = unseen_pages = 0
    for _, page, score in measured(DATA):
        pages += 1
        whole.add(score)
        layouts.setdefault(page.layout, Score()).add(score)
        if page.written == LAST:
            unseen_pages += 1
            unseen.add(score)
    if not pages:
        yield unmeasured("structure.pairs", "no test data beside the project")
        return
    yield plain("structure.pages", pages, "pages")
    yield from _figures("structure", whole)
    if unseen_pages:
        yield plain("structure.unseen.pages", unseen_pages, "pages")
        yield from _figures("structure.unseen", unseen)
    for layout, score in sorted(layouts.items()):
        asked = score.asked.get("pairs", 0)
        name, unit = f"structure.pairs.{layout.replace(', ', '_').replace(' ', '_')}", f"of {asked} pairs"
        if asked >= FEW:
            yield at_least(name, score.share("pairs") or 0.0, PAIRS, unit)
        elif asked:
            yield plain(name, score.share("pairs") or 0.0, unit)


def _figures(prefix: str, score: Score) -> Iterator[Figure]:
    for name in sorted(score.asked):
        share, unit = score.share(name) or 0.0, f"of {score.asked[name]}"
        yield (
            at_least(f"{prefix}.{name}", share, PAIRS, unit)
            if name == "pairs"
            else plain(f"{prefix}.{name}", share, unit)
        )
