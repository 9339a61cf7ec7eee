"""What the check of text quality takes for debris: none of the real texts, most of the made debris.

    python -m tests.benchmarks debris [--json]

Real texts are the paragraphs of all corpora (six languages, four scripts) and the blocks of real PDFs. Debris is
made of paragraphs of each language by every model of `tests.support.noise`, from one seed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, plain, unmeasured
from tests.support.noise import MODELS

FALSE_GOAL = 0.1
"""Percent of the blocks of real texts that may fall."""

CPU_GOAL = 5.0
"""Percent of the processor time of reading a PDF that the check may take."""

RECALL_GOAL = 0.8
"""Of the debris of every model that can be told without knowing the language, over all languages."""

STATED = {"broken_words_20", "misread_cp1252", "misread_latin1"}
"""Models with a figure and no goal: half of such words can still be read; German and English stay readable."""

LANGUAGES = {
    "en": "xquad_en",
    "de": "xquad_de",
    "ru": "xquad_ru",
    "ar": "xquad_ar",
    "zh": "xquad_zh",
    "ja": "jaquad_ja",
}
PARAGRAPHS = 150
FILES = 60
SEED = 11


def run(options: argparse.Namespace) -> Iterator[Figure]:
    del options
    corpora = sorted((DATA / "corpora").glob("*/corpus.jsonl"))
    if not corpora:
        yield unmeasured("debris.false", "no test data beside the project")
        return
    texts = {path.parent.name: _paragraphs(path) for path in corpora}
    yield from _on_corpora(texts)
    yield from _on_pdfs()
    yield from _on_noise(texts)


def _paragraphs(path) -> list[str]:  # type: ignore[no-untyped-def]
    with path.open(encoding="utf-8") as file:
        return [part for line in file for part in json.loads(line)["text"].split("\n") if part.strip()]


def _on_corpora(texts: dict[str, list[str]]) -> Iterator[Figure]:
    from zbm_core.documents.quality import is_debris

    fell = [(name, text) for name, found in texts.items() for text in found if is_debris(text)]
    _show(fell)
    total = sum(map(len, texts.values()))
    yield plain("debris.corpora_blocks", total, "blocks")
    yield at_most("debris.corpora_false", 100 * len(fell) / total, FALSE_GOAL, "% of blocks")


def _on_pdfs() -> Iterator[Figure]:
    import pymupdf

    from zbm_core.documents.pdf.document import read_pdf
    from zbm_core.documents.quality import is_debris
    from zbm_core.documents.structure import BlockKind

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    library = sorted((DATA / "libraries" / "covidqa" / "storage").glob("*/*.pdf"))[:FILES]
    blocks: list[tuple[str, str]] = []
    reading = 0.0
    for path in [*sorted((DATA / "documents" / "pdf").glob("*.pdf")), *library]:
        if path.read_bytes()[:5] != b"%PDF-":
            continue
        began = time.process_time()
        with pymupdf.open(path, filetype="pdf") as document:
            if document.needs_pass or not document.page_count:
                continue
            found = read_pdf(document, lambda *_: None)
        reading += time.process_time() - began
        blocks += [(path.name, block.text) for block in found.blocks if block.kind is not BlockKind.EXCLUDED]
    began = time.process_time()
    fell = [(name, text) for name, text in blocks if is_debris(text)]
    checking = time.process_time() - began
    _show(fell)
    yield plain("debris.pdf_blocks", len(blocks), "blocks")
    yield at_most("debris.pdf_fell", 100 * len(fell) / len(blocks), FALSE_GOAL, "% of blocks")
    yield at_most("debris.pdf_cpu", 100 * checking / reading, CPU_GOAL, "% of reading")


def _on_noise(texts: dict[str, list[str]]) -> Iterator[Figure]:
    from zbm_core.documents.quality import is_debris

    rng = random.Random(SEED)
    samples = {
        code: rng.sample(texts[name], min(PARAGRAPHS, len(texts[name]))) for code, name in LANGUAGES.items()
    }
    for name, noise in MODELS.items():
        shares = {
            code: sum(is_debris(noise(rng, text)) for text in found) / len(found)
            for code, found in samples.items()
        }
        spaced = [share for code, share in shares.items() if code not in ("zh", "ja")]
        figure = f"debris.{name}"
        mean = sum(spaced) / len(spaced)
        yield (
            plain(figure, mean, "recall") if name in STATED else at_least(figure, mean, RECALL_GOAL, "recall")
        )
        yield plain(f"{figure}.cjk", (shares["zh"] + shares["ja"]) / 2, "recall")


def _show(fell: list[tuple[str, str]]) -> None:
    for name, text in fell:
        print(f"  fell: {name}: {text[:100]!r}", file=sys.stderr)
