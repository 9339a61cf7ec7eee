"""What the preferences ask of the engine: exclusions, the live count of the cutoff, diagnostics; CPU milliseconds."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

from tests.benchmarks.figures import Figure, at_most, plain
from zbm_core.diagnostics import FileSizes
from zbm_core.gauges import ProcessSampler, Recorder
from zbm_core.library import Exclusions, without
from zbm_core.library.records import Annotation, Attachment, Item, ItemKey
from zbm_core.search.fusion import Voice, margins_needed

ITEMS, ANNOTATIONS, PACKS = 20_000, 180_000, 5_000


def run(_options: argparse.Namespace) -> Iterator[Figure]:
    rng = random.Random(4)
    yield from _exclusions(rng)
    found = _found(rng)
    yield at_most(
        "preferences.cutoff.first_count_20000", _milliseconds(lambda: margins_needed(*found)), 40, "ms CPU"
    )
    recorder, batch = Recorder(), SimpleNamespace(rows=[0] * 16, tokens=1500, padded=1520, seconds=1.0)
    thousand = _milliseconds(lambda: [recorder.add(batch) for _ in range(1000)])
    yield at_most("diagnostics.recorder.batch", thousand, 50, "us CPU")
    yield at_most("diagnostics.recorder.window", _milliseconds(recorder.window), 5, "ms CPU")
    sampler = ProcessSampler()
    sampler.sample()
    yield at_most("diagnostics.processes", _milliseconds(sampler.sample), 40, "ms CPU")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for number in range(PACKS):
            pack = home / "documents" / f"{number % 256:02x}" / f"1-{number:08}.pack"
            pack.parent.mkdir(parents=True, exist_ok=True)
            pack.write_bytes(b"x")
        yield at_most(
            "diagnostics.sizes_5000_packs", _milliseconds(lambda: FileSizes().of(home)), 200, "ms CPU"
        )


def _exclusions(rng: random.Random) -> Iterator[Figure]:
    key = [ItemKey(1, f"K{number:07d}") for number in range(2 * ITEMS + ANNOTATIONS)]
    tags = [f"tag {number}" for number in range(500)]
    items, attachments, annotations = {}, {}, {}
    for number in range(ITEMS):
        item, pdf = key[number], key[ITEMS + number]
        own = tuple(rng.sample(tags, 3))
        items[item] = Item(item, "book", "", (), "", "", "", None, "", "", (), own, (), "", "")
        attachments[pdf] = Attachment(pdf, item, "", 0, "", "", "", 0, "", (), (), "", "", None)
    for number in range(ANNOTATIONS):
        mark = key[2 * ITEMS + number]
        parent = key[ITEMS + number % ITEMS]
        annotations[mark] = Annotation(mark, parent, "", "", "", "", "", "", "", "", (), "", "")
    library = SimpleNamespace(
        items=items, attachments=attachments, notes={}, annotations=annotations, collections={},
        attachment_notes=frozenset(), top_level=tuple(items),
    )  # fmt: skip
    part = None

    def work() -> None:
        nonlocal part
        part = without(library, Exclusions(tags=frozenset(tags[:5])))

    yield at_most("preferences.exclusions.20000_items_200000_children", _milliseconds(work), 500, "ms CPU")
    yield plain("preferences.exclusions.kept", len(part.items), "items")


def _found(rng: random.Random) -> list[dict[ItemKey, Voice]]:
    """What two engines found: every item of a large library."""
    keys = [ItemKey(1, f"K{number:07d}") for number in range(ITEMS)]
    return [{key: Voice(rng.random(), 1.0) for key in keys} for _ in range(2)]


def _milliseconds(work: Callable[[], object]) -> float:
    """CPU of the best of three."""
    spent = []
    for _ in range(3):
        began = time.process_time()
        work()
        spent.append(1000 * (time.process_time() - began))
    return min(spent)
