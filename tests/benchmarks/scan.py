"""``scan``: the exact search over every stored vector, beside a plain read of the same bytes.

Everything is measured in one process on one thread, the ways in turn, so that a busy machine slows all of them; a
figure is the median of the turns' ratios to the read of the same turn. CPU time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from tests.benchmarks.figures import Figure, at_least, at_most, plain, unmeasured
from zbm_core.semantic import kernel
from zbm_core.semantic.matrix import VectorMatrix
from zbm_core.semantic.vectors import quantize

SIZES = ((270_000, 256), (1_000_000, 256), (270_000, 384), (1_000_000, 384))
QUICK_SIZES = ((30_000, 256), (30_000, 384))
GOAL_READS, GOAL_RECALL = 2.0, 0.99
DEPTH, QUERIES, TURNS = 100, 20, 9
#: Rows of one source, as a document has chunks.
PER_SOURCE = 30
#: Rows made at a time; float32 of all of them would be 1.5 GB.
PART = 20_000
#: Cosine at which a chunk counts: as many rows reach it here as with a real query (one in five).
FLOOR = 0.1


def run(options: argparse.Namespace) -> Iterator[Figure]:
    for count, width in QUICK_SIZES if options.quick else SIZES:
        label = f"scan.{count // 1000}k_{width}"
        rows, queries, best = _vectors(count, width)
        yield at_least(f"{label}.recall100", _recall(rows, queries, best), GOAL_RECALL, "of float32")
        yield from _times(label, rows, quantize(queries))


def _vectors(count: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows ``(count, width) int8``, queries float32, and each query's best rows by float32.

    Made like centred vectors of real texts: the k-th direction weakens as k^-0.4, and every row is about the subject
    of one query, many a little and few much.
    """
    rng = np.random.default_rng(7)
    scale = np.arange(1, width + 1, dtype=np.float32) ** -0.4
    queries = _unit(rng.standard_normal((QUERIES, width), np.float32) * scale)
    rows = np.empty((count, width), np.int8)
    scores = np.empty((QUERIES, count), np.float32)
    for start in range(0, count, PART):
        part = slice(start, min(start + PART, count))
        made = rng.standard_normal((part.stop - start, width), np.float32) * scale
        about = rng.exponential(0.5, (len(made), 1)).astype(np.float32)
        made += about * queries[rng.integers(QUERIES, size=len(made))]
        made = _unit(made)
        scores[:, part] = queries @ made.T
        rows[part] = quantize(made)
    return rows, queries, np.argpartition(-scores, DEPTH, axis=1)[:, :DEPTH]


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _recall(rows: np.ndarray, queries: np.ndarray, best: np.ndarray) -> float:
    matrix = _matrix(rows)
    shares = []
    for query, wanted in zip(quantize(queries), best, strict=True):
        hits = matrix.search(query, -1.0)
        top = np.argpartition(-hits.scores, DEPTH)[:DEPTH]
        places = hits.sources[top] * PER_SOURCE + hits.chunks[top]
        shares.append(len(np.intersect1d(places, wanted)) / DEPTH)
    return statistics.mean(shares)


def _matrix(rows: np.ndarray) -> VectorMatrix:
    matrix = VectorMatrix(rows.shape[1])
    places = np.arange(len(rows))
    matrix.extend(places // PER_SOURCE, places % PER_SOURCE, rows)
    return matrix


def _times(label: str, rows: np.ndarray, queries: np.ndarray) -> Iterator[Figure]:
    matrix = _matrix(rows)
    words = rows.view(np.int64)
    query = queries[0]
    ways: dict[str, Callable[[], object]] = {
        "read": lambda: words.sum(),
        "product": lambda: matrix.search(query, FLOOR),
        "kernel": lambda: kernel.dot(query, rows),
        "numpy": lambda: kernel.dot_numpy(query, rows),
    }
    others: dict[str, str] = {}
    for name, make in (("faiss", _faiss), ("sqlite_vec", _sqlite_vec)):
        try:
            ways[name] = make(rows, query)
        except ImportError:
            others[name] = "not installed"
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, work in ways.items():
            began = time.thread_time()
            work()
            times[name].append(time.thread_time() - began)
    yield plain(f"{label}.read", statistics.median(times["read"]) * 1000, "ms of CPU")
    yield plain(f"{label}.product_ms", statistics.median(times["product"]) * 1000, "ms of CPU")
    for name, taken in times.items():
        if name == "read":
            continue
        ratio = statistics.median(mine / read for mine, read in zip(taken, times["read"], strict=True))
        if name == "product":
            yield at_most(f"{label}.product", ratio, GOAL_READS, "plain reads")
        else:
            yield plain(f"{label}.{name}", ratio, "plain reads")
    for name, why in others.items():
        yield unmeasured(f"{label}.{name}", why)


def _faiss(rows: np.ndarray, query: np.ndarray) -> Callable[[], object]:
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexScalarQuantizer(
        rows.shape[1], faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
    )
    for start in range(0, len(rows), PART):
        index.add(rows[start : start + PART].astype(np.float32))
    wide = query.astype(np.float32)[None]
    return lambda: index.search(wide, DEPTH)


def _sqlite_vec(rows: np.ndarray, query: np.ndarray) -> Callable[[], object]:
    import apsw
    import sqlite_vec

    db = apsw.Connection(":memory:")
    db.enable_load_extension(True)
    db.load_extension(sqlite_vec.loadable_path())
    db.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, embedding BLOB)")
    with db:
        db.executemany("INSERT INTO rows (embedding) VALUES (?)", ((row.tobytes(),) for row in rows))
    question = (
        f"SELECT id FROM rows ORDER BY vec_distance_cosine(vec_int8(embedding), vec_int8(?)) LIMIT {DEPTH}"
    )
    return lambda: db.execute(question, (query.tobytes(),)).fetchall()
