"""Damaged files of the indexes: found when they are opened, set aside, said, and built again.

The demo library is indexed by words and by a tiny model. Then, for each file of the indexes in turn, a part of it is
changed as disks and file systems do it: bytes overwritten with others, a block of zeros, the end cut off, or the whole
file emptied. The indexes are opened (as after a crash, so they are checked) and run once. It holds when what they hold
then is what an undisturbed run holds, and that something was done is said; damage to bytes that hold nothing (free
pages, padding) leaves nothing to say.

``--trials 0-19`` does a part of the 100 for each file; ``--home DIR`` keeps the model between parts.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.figures import Figure, at_least, plain
from tests.support.indexing_process import content_of, engine_in, install_model
from zbm_core.engine import demo_folder
from zbm_core.paths import AppPaths

TRIALS = 100
#: What is damaged: a name, and the files below the folder of one library's indexes.
TARGETS: dict[str, Callable[[Path], list[Path]]] = {
    "state": lambda home: [home / "lexical" / "state.sqlite"],
    "semantic": lambda home: [home / "semantic.sqlite"],
    "tantivy": lambda home: [
        file for name in ("passages", "documents", "items") for file in _full(home / "lexical" / name)
    ],
    "packs": lambda home: _full(home / "documents"),
}


def run(options: argparse.Namespace) -> Iterator[Figure]:
    first, _, last = (options.trials or f"0-{(5 if options.quick else TRIALS) - 1}").partition("-")
    wanted = set(filter(None, options.only.split(",")))
    with tempfile.TemporaryDirectory() as scratch:
        bench = _Bench(Path(scratch), Path(options.home or scratch) / "model")
        for name, files in TARGETS.items():
            if wanted and name not in wanted:
                continue
            results, said = [], 0
            for trial in range(int(first), int(last or first) + 1):
                wrong, told = bench.trial(f"{name}/{trial}", files)
                results.append(not wrong)
                said += told
                if wrong:
                    print(f"{name} {trial}: {wrong}", file=sys.stderr, flush=True)
            yield plain(f"corruption.{name}.said", said, "the others held nothing")
            yield at_least(f"corruption.{name}", sum(results), len(results), f"of {len(results)} whole")


class _Bench:
    def __init__(self, scratch: Path, models: Path) -> None:
        self._library = scratch / "library"
        shutil.copytree(demo_folder(), self._library)
        self._scratch = scratch
        install_model(models)
        self._whole = scratch / "whole"
        data = AppPaths.under(self._whole).data
        data.mkdir(parents=True)
        (data / "models").symlink_to(AppPaths.under(models).data / "models", target_is_directory=True)
        engine = engine_in(self._whole)
        engine.open_library(self._library)
        assert engine.run(patient=False).finished
        self._expected = content_of(engine)
        engine.close()

    def trial(self, name: str, files: Callable[[Path], list[Path]]) -> tuple[str, bool]:
        """What was wrong afterwards ("" when nothing), and whether anything was said."""
        rng = random.Random(f"corruption/{name}")
        home = self._scratch / "trial"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self._whole, home, symlinks=True)
        engine = engine_in(home)
        indexes = engine.home_of(self._library)
        (indexes / "open").touch()
        file = rng.choice(files(indexes))
        what = f"{file.relative_to(indexes)}, {_damage(rng, file)}"
        try:
            engine.open_library(self._library)
            said = engine.index_notice()
            outcome = engine.run(patient=False)
            said = said or (outcome.reread and "documents read again")
            found = content_of(engine)
        except Exception as error:  # any way to fail is a failed trial
            return f"{what}: {type(error).__name__}: {error}", False
        finally:
            engine.close()
        parts = [part for part, wanted in self._expected.items() if found[part] != wanted]
        if parts:
            return f"{what}: {', '.join(parts)} differ; said: {said!r}", bool(said)
        written = outcome.indexed + outcome.deleted
        if written and not said:
            return f"{what}: {written} sources were written again and nothing was said", False
        return "", bool(said)


def _full(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and file.stat().st_size)


def _damage(rng: random.Random, file: Path) -> str:
    """Change a part of *file*; what was done."""
    content = bytearray(file.read_bytes())
    size = len(content)
    kind = rng.choice(("bytes", "block", "zeros", "cut", "empty"))
    start = rng.randrange(size)
    if kind == "bytes":
        for _ in range(rng.randint(1, 8)):
            place = rng.randrange(size)
            content[place] ^= rng.randint(1, 255)
    elif kind in ("block", "zeros"):
        length = min(rng.choice((64, 512, 4096)), size - start)
        content[start : start + length] = bytes(length) if kind == "zeros" else rng.randbytes(length)
    else:
        del content[start if kind == "cut" else 0 :]
    file.write_bytes(content)
    return f"{kind} at {start} of {size}"
