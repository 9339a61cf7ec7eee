"""``embedding``: how fast texts become vectors, how much of it is padding, and what memory it takes.

Batches as the product makes them are run beside batches of 32 in natural order: the same model, texts and session,
in turns, by CPU time. Memory is that of the window and of the child a search uses, as the system counts it resident.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, percentile, plain, unmeasured
from tests.support.models import made_once
from zbm_core.semantic import Encoder, ModelError
from zbm_core.semantic.batching import batches, padding
from zbm_core.semantic.runner import Runner

ROOT = Path(__file__).resolve().parents[2]
MODEL, PICKER = "multilingual-e5-small", "use-multilingual-v3"
GOAL_SPEED, GOAL_PADDING, GOAL_MEMORY, GOAL_QUERY = 1.7, 1.10, 500.0, 60.0
#: Texts of one look at the index (`indexing.embedding.POOL`), and how many looks are measured.
POOL, QUICK_POOL = 512, 96
TURNS = 3
FIXED = 32
ROWS, QUICK_ROWS = 270_000, 20_000
PER_SOURCE = 30


def run(options: argparse.Namespace) -> Iterator[Figure]:
    try:
        shelf, model = made_once(MODEL)
    except ModelError as error:
        yield unmeasured("embedding", error.message)
        return
    texts = _texts(QUICK_POOL if options.quick else POOL)
    if texts:
        yield from _speed(Runner(shelf.folder_of(MODEL), model, 1), model.passage_prefix, texts)
    else:
        yield unmeasured("embedding.speed", "no test data beside the project")
    picker_shelf, picker = made_once(PICKER)
    with Encoder(shelf.folder_of(MODEL), model, picker=(picker_shelf.folder_of(PICKER), picker)) as encoder:
        yield from _queries(encoder)
    yield from _memory(QUICK_ROWS if options.quick else ROWS)


def _texts(count: int) -> list[str]:
    """Passages of articles, in the order a library has them."""
    file = DATA / "corpora" / "covidqa_par" / "corpus.jsonl"
    if not file.is_file():
        return []
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line, _ in zip(lines, range(count), strict=False)]


def _speed(runner: Runner, prefix: str, texts: Sequence[str]) -> Iterator[Figure]:
    rows = runner.tokenize(texts, prefix)
    lengths = [len(row) for row in rows]
    ways = {
        "product": list(batches(lengths)),
        "fixed": [list(range(at, min(at + FIXED, len(rows)))) for at in range(0, len(rows), FIXED)],
    }
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    # A turn is a part of the texts' batches, so that the two ways alternate closely.
    for turn in range(TURNS):
        for name, groups in ways.items():
            part = groups[turn::TURNS]
            began = time.process_time()
            for group in part:
                runner.run([rows[index] for index in group])
            taken = time.process_time() - began
            speeds[name].append(sum(lengths[index] for group in part for index in group) / taken)
    for name in ways:
        yield plain(f"embedding.{name}.speed", statistics.median(speeds[name]), "tokens/CPU s")
    ratio = statistics.median(ours / fixed for ours, fixed in zip(*speeds.values(), strict=True))
    yield at_least("embedding.speed", ratio, GOAL_SPEED, "times fixed")
    yield at_most("embedding.padding", padding(lengths, ways["product"]), GOAL_PADDING, "padded/tokens")
    yield plain("embedding.fixed.padding", padding(lengths, ways["fixed"]), "padded/tokens")
    began = time.process_time()
    runner.tokenize(texts, prefix)
    share = (time.process_time() - began) * statistics.median(speeds["product"]) / sum(lengths)
    yield plain("embedding.tokenizing", share, "of the time")


def _queries(encoder: Encoder) -> Iterator[Figure]:
    encoder.query("the first one loads the model")
    taken = []
    for number in range(20):
        began = time.perf_counter()
        encoder.query(f"how much carbon is stored in the soil of a forest, {number}")
        taken.append((time.perf_counter() - began) * 1000)
    yield at_most("embedding.query.median", percentile(taken, 0.5), GOAL_QUERY, "ms")
    encoder.pick("the first one loads the model", [["One."]])
    began = time.perf_counter()
    for number in range(10):
        encoder.pick(
            f"carbon in soil {number}", [["A sentence of the passage, one of some, about a thing."] * 8]
        )
    yield plain("embedding.pick", (time.perf_counter() - began) * 100, "ms of 8 lines")


#: The window with *rows* vectors and a search done: prints the resident bytes of itself and its children.
_WINDOW = """
import json, sys
from pathlib import Path
import psutil
from PySide6.QtWidgets import QApplication
from tests.support.models import made_once
from zbm_core.paths import AppPaths
from zbm_core.semantic import Encoder, SemanticIndex
from zbm_gui.app import make_window, parse
from zbm_gui.logs import Logs

root, model_name, picker_name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
app = QApplication(["zbm"])
paths = AppPaths.under(root / "app")
logs = Logs(paths.logs)
window = make_window(app, paths, parse([]), logs)
window.flow.begin = lambda *_arguments: None
window.show()
app.processEvents()
shelf, model = made_once(model_name)
picker_shelf, picker = made_once(picker_name)
bare = psutil.Process().memory_info().rss
index = SemanticIndex(root / "semantic.sqlite", "user", model.identity, model.width)
encoder = Encoder(shelf.folder_of(model_name), model, picker=(picker_shelf.folder_of(picker_name), picker))
for number in range(3):
    hits = index.search(encoder.query(f"how much carbon is stored in soil {number}"), 0.0)
    encoder.pick("carbon in soil", [["One sentence of a passage.", "Another sentence of it."] * 4] * 10)
app.processEvents()
child = psutil.Process(encoder.pid)
print(json.dumps({"bare": bare, "window": psutil.Process().memory_info().rss, "child": child.memory_info().rss,
                  "rows": len(index), "hits": len(hits)}), flush=True)
encoder.close()
"""


def _memory(count: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder), count)
        answer = subprocess.run(
            [sys.executable, "-c", _WINDOW, folder, MODEL, PICKER],
            cwd=ROOT,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=True,
        )
    figures = json.loads(answer.stdout.splitlines()[-1])
    assert figures["rows"] == count
    for name in ("bare", "window", "child"):
        yield plain(f"embedding.memory.{name}", figures[name] / 1e6, "MB resident")
    both = (figures["window"] + figures["child"]) / 1e6
    yield at_most(f"embedding.memory.app_{count // 1000}k", both, GOAL_MEMORY, "MB resident")


def _fill(folder: Path, count: int) -> None:
    """A store of *count* rows, made in a child so that this process stays small."""
    subprocess.run([sys.executable, "-c", _FILL, str(folder), str(count), MODEL], cwd=ROOT, check=True)


_FILL = f"""
import sys
from pathlib import Path
import numpy as np
from tests.support.models import made_once
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_core.semantic import EmbeddingSource, SemanticIndex

folder, count = Path(sys.argv[1]), int(sys.argv[2])
model = made_once(sys.argv[3])[1]
rng = np.random.default_rng(5)
index = SemanticIndex(folder / "semantic.sqlite", "user", model.identity, model.width)
for start in range(0, count, {PER_SOURCE * 200}):
    keys = [ItemKey(1, f"K{{number:07d}}") for number in range(start // {PER_SOURCE}, min(start + {PER_SOURCE * 200}, count) // {PER_SOURCE})]
    index.put(EmbeddingSource(key, Kind.ATTACHMENT, key, "stamp", range({PER_SOURCE})) for key in keys)
    rows = rng.integers(-90, 90, (len(keys), {PER_SOURCE}, model.width), dtype=np.int8)
    index.store((key, range({PER_SOURCE}), part) for key, part in zip(keys, rows))
rest = count - len(index)
if rest:
    key = ItemKey(1, "LASTONES")
    index.put([EmbeddingSource(key, Kind.NOTE, key, "stamp", range(rest))])
    index.store([(key, range(rest), rng.integers(-90, 90, (rest, model.width), dtype=np.int8))])
index.close()
"""
