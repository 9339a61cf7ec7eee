"""Texts whose type says nothing: what OCR writes below a scan, and pages written on a typewriter.

OCR guesses a size for each word, so that lines of one paragraph differ; and most programs write in one
made-up font of even width, which is no sign of program code.
"""

from __future__ import annotations

from collections.abc import Sequence

from zbm_core.documents.pdf.line import Line
from zbm_core.documents.pdf.page import PageText

MOSTLY = 0.5
"""Share of a document's characters from which even width is how it is written and not a sign of code."""

NOISY = 0.4
"""Different sizes for each line of a page from which they are guesses: printed pages have a handful."""

MIN_LINES = 10
"""Lines below which a page has too few sizes to tell."""

ALIKE = 0.2
"""How far, as a share, guesses of one size lie apart."""


def settle_type(pages: Sequence[PageText]) -> None:
    """Take back even width where all is written so, and give lines of a noisy page sizes that compare."""
    lines = [line for page in pages for line in page.lines]
    if not lines:
        return
    even = sum(len(line.text) for line in lines if line.mono)
    if even > MOSTLY * sum(len(line.text) for line in lines):
        for line in lines:
            line.mono = False
    for page in pages:
        sizes = {round(line.size, 1) for line in page.lines}
        if len(page.lines) >= MIN_LINES and len(sizes) > NOISY * len(page.lines):
            _level(page.lines)


def _level(lines: list[Line]) -> None:
    """Sizes within `ALIKE` of the commonest become that size, then of the next."""
    waiting = sorted(lines, key=lambda line: line.size)
    while waiting:
        weights: dict[float, int] = {}
        for line in waiting:
            size = round(line.size * 2) / 2
            weights[size] = weights.get(size, 0) + len(line.text)
        common = max(weights, key=weights.__getitem__)
        rest = []
        for line in waiting:
            if abs(line.size - common) <= ALIKE * common or round(line.size * 2) / 2 == common:
                line.size = line.other = common
            else:
                rest.append(line)
        waiting = rest
