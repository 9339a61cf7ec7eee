"""``query``: a whole hybrid search with the previews of its first ten items, at 270,000 chunks and at a tenth of it.

The library is generated and indexed by the product's own run (`tests/support/generated_library.py`, each document a
text file); the question is embedded by the model that is installed here. Only the stored vectors are made: embedding
270,000 chunks takes days. They lie as those of real texts do, so that about one in six reaches the floor of
a question and has to be weighed. CPU time is of this process and of the model's child together.

``--home DIR`` keeps the libraries and their indexes for the next time.
"""

from __future__ import annotations

import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil

from tests.benchmarks.figures import Figure, at_most, percentile, plain
from tests.support.generated_library import GeneratedLibrary
from zbm_core.engine import Engine
from zbm_core.paths import AppPaths
from zbm_core.search.records import SearchRequest
from zbm_core.semantic.records import EmbeddingSource
from zbm_core.semantic.vectors import quantize
from zbm_core.settings import Settings

SIZES = {
    "27k": GeneratedLibrary(items=2_000, documents=500),
    "270k": GeneratedLibrary(items=20_000, documents=5_000),
}
QUICK_SIZES = {"3k": GeneratedLibrary(items=200, documents=50), "27k": SIZES["27k"]}
GOAL_MS, GOAL_TIMES = 200, 4
QUESTIONS, WARMING = 60, 5
#: Directions most of the difference between real texts' vectors lies in, and the length of what lies in others.
SUBJECTS, ELSEWHERE = 24, 0.6


def run(options: Namespace) -> Iterator[Figure]:
    costs = {}
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(getattr(options, "home", "") or scratch)
        for name, library in (QUICK_SIZES if options.quick else SIZES).items():
            engine = _engine(library, home / name)
            try:
                figures = _measure(engine, library)
            finally:
                engine.close()
            costs[name] = percentile(figures["cpu"], 0.5)
            yield plain(f"query.{name}.chunks", figures["chunks"], "chunks with vectors")
            yield plain(f"query.{name}.weighed", figures["weighed"], "items above the floor")
            yield plain(f"query.{name}.cpu_p50", costs[name], "ms")
            yield at_most(f"query.{name}.cpu_p95", percentile(figures["cpu"], 0.95), GOAL_MS, "ms")
            yield plain(f"query.{name}.embedding_cpu_p50", percentile(figures["child"], 0.5), "ms, of which")
            yield plain(f"query.{name}.ranking_cpu_p50", percentile(figures["ranking"], 0.5), "ms, of which")
            yield plain(f"query.{name}.wall_p95", percentile(figures["wall"], 0.95), "ms")
    few, many = costs.values()
    yield at_most("query.cost_at_ten_times", many / few, GOAL_TIMES, "times")


def _engine(library: GeneratedLibrary, place: Path) -> Engine:
    folder = place / "Zotero"
    if not folder.is_dir():
        library.write(folder)
    paths = AppPaths.under(place / "home")
    engine = Engine(paths, Settings(paths.config / "settings.json"))
    engine.open_library(folder)
    engine.index()
    engine.prepare_meaning()
    return engine


def _measure(engine: Engine, library: GeneratedLibrary) -> dict:
    meaning = engine._desk.meaning
    questions = library.queries(WARMING + QUESTIONS)
    if not len(meaning.index):
        _store_vectors(engine, np.stack([meaning.query(text) for text in questions]).astype(np.float32))
    child = psutil.Process(meaning.encoder.pid)

    def own() -> float:
        return time.process_time() * 1000

    def helper() -> float:
        times = child.cpu_times()
        return (times.user + times.system) * 1000

    figures: dict = {"cpu": [], "child": [], "ranking": [], "wall": []}
    weighed = 0
    for number, text in enumerate(questions):
        # Asked as new: the vector of a question asked before is kept.
        text = text.rstrip("?") + f" {number}?"
        own_before, child_before, began = own(), helper(), time.perf_counter()
        session = engine.search(SearchRequest(text))
        wall = (time.perf_counter() - began) * 1000
        spent, embedding = own() - own_before, helper() - child_before
        previews = [session.ready(match.item) for match in session.result.matches[:10]]
        if not previews or not all(previews) or session.result.engines != "words and meaning":
            raise AssertionError(f"no whole answer to {text!r}: {session.result.notice}")
        own_before = own()
        engine.rank(SearchRequest(text))
        ranking = own() - own_before
        if number >= WARMING:
            figures["cpu"].append(spent + embedding)
            figures["child"].append(embedding)
            figures["ranking"].append(ranking)
            figures["wall"].append(wall)
            weighed += session.result.hidden + len(session.result.matches)
    return figures | {"chunks": len(meaning.index), "weighed": weighed / QUESTIONS}


def _store_vectors(engine: Engine, questions: np.ndarray) -> None:
    """A made vector for every chunk: within the questions' own main directions, and something elsewhere."""
    index, texts = engine._desk.meaning.index, engine.library
    rng = np.random.default_rng(7)
    _, strengths, directions = np.linalg.svd(questions, full_matrices=False)
    directions = directions[:SUBJECTS] * (strengths[:SUBJECTS, None] / strengths[0])
    from zbm_core.sources import SourceTexts

    sources = SourceTexts(texts, engine._documents)
    keys = [*texts.items, *texts.attachments]
    for start in range(0, len(keys), 200):
        made: list[EmbeddingSource] = [
            sources.embedding_source(key, "1") for key in keys[start : start + 200]
        ]
        index.put(made)
        batch = []
        for source in made:
            count = len(source.chunks)
            rows = rng.standard_normal((count, len(directions)), np.float32) @ directions
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            noise = rng.standard_normal((count, questions.shape[1]), np.float32)
            rows += ELSEWHERE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
            batch.append((source.key, source.chunks, quantize(rows)))
        index.store(batch)
