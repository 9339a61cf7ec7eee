"""What the word index costs: queries at 270,000 passages and at a tenth of it, a changed document, the disk.

The library is generated (`tests/support/generated_library.py`). Recoll, where Debian's is installed, indexes and
searches the smaller library as text files in the same run.
"""

from __future__ import annotations

import dataclasses
import re
import resource
import shutil
import subprocess
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.figures import Figure, at_most, percentile, plain, unmeasured
from tests.support.generated_library import GeneratedLibrary
from zbm_core.lexical import LexicalIndex, parse_query

SMALL = GeneratedLibrary(items=2_000, documents=500)
LARGE = GeneratedLibrary(items=20_000, documents=5_000)
QUERIES = 200
CHANGES = 25
# Sources a commit holds, about what an indexing run pools.
ITEM_BATCH, DOCUMENT_BATCH = 500, 30


def run(options: Namespace) -> Iterator[Figure]:
    sizes = {"27k": SMALL, "270k": LARGE}
    if options.quick:
        sizes = {"3k": GeneratedLibrary(200, 50), "27k": SMALL}
    costs: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, library in sizes.items():
            folder = Path(scratch) / name
            yield from _build(name, library, folder)
            index = LexicalIndex.open(folder, "generated")
            try:
                cpu, wall = _query(index, library)
                costs[name] = percentile(cpu, 0.5)
                yield plain(f"lexical.{name}.query_cpu_p50", costs[name], "ms")
                yield at_most(f"lexical.{name}.query_cpu_p95", percentile(cpu, 0.95), 40, "ms")
                yield plain(f"lexical.{name}.query_wall_p95", percentile(wall, 0.95), "ms")
                yield plain(
                    f"lexical.{name}.passages_cpu_p95", percentile(_passages(index, library), 0.95), "ms"
                )
                cpu, wall = _change(index, library)
                yield at_most(f"lexical.{name}.change_cpu_p50", percentile(cpu, 0.5), 150, "ms")
                yield plain(f"lexical.{name}.change_cpu_p95", percentile(cpu, 0.95), "ms")
                yield plain(f"lexical.{name}.change_wall_p50", percentile(wall, 0.5), "ms")
            finally:
                index.close()
        few, many = costs.values()
        yield at_most("lexical.cost_at_ten_times", many / few, 4, "times")
        yield from _recoll(next(iter(sizes.values())) if options.quick else SMALL, Path(scratch) / "recoll")


def _build(name: str, library: GeneratedLibrary, folder: Path) -> Iterator[Figure]:
    index = LexicalIndex.open(folder, "generated")
    cpu, characters = 0.0, 0
    waiting = 0
    for number, source in enumerate(library.sources()):
        characters += len(source.title) + sum(map(len, source.passages))
        index.put(source)
        waiting += 1
        if waiting == (ITEM_BATCH if number < library.items else DOCUMENT_BATCH):
            cpu += _cpu(index.commit)
            waiting = 0
    cpu += _cpu(index.commit)
    index.close()
    yield plain(f"lexical.{name}.build", characters / 1e6 / cpu, "MB/CPU-s")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    yield plain(f"lexical.{name}.size", size / 1e6, f"MB of {characters / 1e6:.0f}")


def _cpu(work) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _query(index: LexicalIndex, library: GeneratedLibrary) -> tuple[list[float], list[float]]:
    cpu, wall = [], []
    for number, text in enumerate(library.queries(QUERIES + 10)):
        began, started = time.process_time(), time.perf_counter()
        hits = index.search(parse_query(text))
        if number >= 10:  # the first ones read the files
            cpu.append((time.process_time() - began) * 1000)
            wall.append((time.perf_counter() - started) * 1000)
        if not hits:
            raise AssertionError(f"nothing found for {text!r}")
    return cpu, wall


def _passages(index: LexicalIndex, library: GeneratedLibrary) -> list[float]:
    costs = []
    for text in library.queries(40):
        query = parse_query(text)
        for hit in index.search(query, limit=3):
            began = time.process_time()
            index.passages(query, hit.item)
            costs.append((time.process_time() - began) * 1000)
    return costs


def _change(index: LexicalIndex, library: GeneratedLibrary) -> tuple[list[float], list[float]]:
    """One document changed, committed and found."""
    cpu, wall = [], []
    for number in range(CHANGES):
        # A document's words are known from having been indexed; a program just started knows none.
        source = library.attachment(number, stamp="2")
        word = f"changed{number}"
        for round_, passages in enumerate((source.passages, (*source.passages, f"{word} today"))):
            _wait_for_merges()
            began, started = time.process_time(), time.perf_counter()
            index.put(dataclasses.replace(source, stamp=f"2.{round_}", passages=passages))
            index.commit()
            if round_ and not index.search(parse_query(word)):
                raise AssertionError("a changed document is not found")
            if round_:
                cpu.append((time.process_time() - began) * 1000)
                wall.append((time.perf_counter() - started) * 1000)
    return cpu, wall


def _wait_for_merges() -> None:
    """Until the threads that tidy up behind an earlier commit are done, two seconds at most."""
    for _ in range(40):
        began = time.process_time()
        time.sleep(0.05)
        if time.process_time() - began < 0.005:
            return


def _recoll(library: GeneratedLibrary, folder: Path) -> Iterator[Figure]:
    if shutil.which("recollindex") is None or shutil.which("recollq") is None:
        yield unmeasured("lexical.recoll.query_cpu_p95", "not installed")
        return
    texts, configuration = folder / "texts", folder / "configuration"
    texts.mkdir(parents=True)
    configuration.mkdir()
    characters = 0
    for source in library.sources():
        text = "\n\n".join((source.title, *source.fields.values(), *source.passages))
        characters += len(text)
        (texts / f"{source.key.key}.txt").write_text(text, "utf-8")
    (configuration / "recoll.conf").write_text(f"topdirs = {texts}\nidxflushmb = 100\n", "utf-8")
    began = _children()
    subprocess.run(["recollindex", "-c", str(configuration)], check=True, capture_output=True)
    yield plain("lexical.recoll.build", characters / 1e6 / (_children() - began), "MB/CPU-s")
    size = sum(file.stat().st_size for file in (configuration / "xapiandb").rglob("*") if file.is_file())
    yield plain("lexical.recoll.size", size / 1e6, f"MB of {characters / 1e6:.0f}")
    costs = []
    for text in library.queries(40):
        began = _children()
        words = " ".join(re.findall(r"\w+", text))
        command = ["recollq", "-c", str(configuration), "-o", "-n", "10", "-b", words]
        subprocess.run(command, check=True, capture_output=True)
        costs.append((_children() - began) * 1000)
    yield plain("lexical.recoll.query_cpu_p50", percentile(costs, 0.5), "ms, a process each")
    yield plain("lexical.recoll.query_cpu_p95", percentile(costs, 0.95), "ms, a process each")


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
