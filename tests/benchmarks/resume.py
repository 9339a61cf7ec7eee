"""Indexing that is cut short at any moment, in every way a computer does: the next run makes it whole.

A process indexes the demo library (and covidqa's, where the test data is) by words and by a tiny model, and is
disturbed: killed itself, or one of its children; its files bounded as on a full disk; or its folder taken as a power
cut leaves it, with parts of what was never forced to the disk gone. Then another process opens what is left and runs
once, and what it holds is compared with what an undisturbed run holds: every source, every passage found, every
vector and every text.

``--trials 0-49`` does a part of the 200; ``--only demo`` one library; ``--home DIR`` keeps the models between parts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from tests.benchmarks.figures import DATA, Figure, at_least, plain
from tests.support.indexing_process import install_model
from zbm_core.engine import demo_folder
from zbm_core.paths import AppPaths

TRIALS = 200
WAYS = ("app killed", "child killed", "disk full", "power cut")
#: Seconds a run may take on a busy machine before the trial counts as failed.
PATIENCE = 300.0
#: Share of trials with the larger library: each takes several times as long.
LARGE_SHARE = 0.1
#: Bytes no file may grow beyond when the disk is full: some of the indexes' files fit, some do not.
FULL = (8_000, 400_000)


def run(options: argparse.Namespace) -> Iterator[Figure]:
    first, last = _range(options.trials, 8 if options.quick else TRIALS)
    libraries = {"demo": demo_folder(), "covidqa": DATA / "libraries" / "covidqa"}
    wanted = set(filter(None, options.only.split(",")))
    libraries = {
        name: folder
        for name, folder in libraries.items()
        if folder.is_dir() and (not wanted or name in wanted)
    }
    with tempfile.TemporaryDirectory() as scratch:
        bench = _Bench(Path(scratch), libraries, Path(options.home or scratch) / "model")
        whole: dict[str, list[bool]] = {way: [] for way in WAYS}
        for trial in range(first, last):
            way = WAYS[trial % len(WAYS)]
            wrong = bench.trial(trial, way)
            whole[way].append(not wrong)
            if wrong:
                print(f"trial {trial} ({way}): {wrong}", file=sys.stderr, flush=True)
    for way, results in whole.items():
        if results:
            yield plain(f"resume.{way.replace(' ', '_')}", sum(results), f"of {len(results)}")
    done = [result for results in whole.values() for result in results]
    yield at_least("resume.whole", sum(done), len(done), f"of {len(done)} (trials {first}-{last - 1})")


def _range(text: str, count: int) -> tuple[int, int]:
    if not text:
        return 0, count
    first, _, last = text.partition("-")
    return int(first), int(last or first) + 1


class _Bench:
    def __init__(self, scratch: Path, libraries: dict[str, Path], models: Path) -> None:
        self._scratch = scratch
        self._libraries = {}
        for name, folder in libraries.items():
            self._libraries[name] = scratch / name
            shutil.copytree(folder, scratch / name)
        self._models = models
        install_model(models)
        self._expected: dict[str, dict[str, Any]] = {}
        self._seconds: dict[str, float] = {}

    def trial(self, number: int, way: str) -> str:
        """What was wrong afterwards; "" when nothing."""
        rng = random.Random(f"resume/{number}")
        names = list(self._libraries)
        name = names[-1] if len(names) == 1 or rng.random() < LARGE_SHARE else names[0]
        if name not in self._expected:
            self._undisturbed(name)
        home = self._home(f"trial{number}")
        try:
            left = self._disturb(rng, way, home, self._libraries[name], self._seconds[name])
            answer = self._finish(left, self._libraries[name])
            return self._compare(self._expected[name], answer)
        finally:
            shutil.rmtree(home, ignore_errors=True)
            shutil.rmtree(home.with_suffix(".cut"), ignore_errors=True)

    def _home(self, name: str) -> Path:
        home = self._scratch / name
        models = AppPaths.under(home).data / "models"
        models.parent.mkdir(parents=True)
        models.symlink_to(AppPaths.under(self._models).data / "models", target_is_directory=True)
        return home

    def _undisturbed(self, name: str) -> None:
        self._finish(
            self._home(f"{name}-first"), self._libraries[name]
        )  # so that later ones find files in memory
        began = time.monotonic()
        answer = self._finish(self._home(f"{name}-whole"), self._libraries[name])
        self._seconds[name] = time.monotonic() - began
        assert answer.get("content"), answer
        assert answer["content"]["vectors"] and answer["content"]["packs"]
        assert len(set(answer["content"]["found"].values())) > 1  # not all of them the sum of nothing
        self._expected[name] = answer["content"]

    # --- disturbing -----------------------------------------------------------------------------------

    def _disturb(self, rng: random.Random, way: str, home: Path, library: Path, seconds: float) -> Path:
        """Run and disturb; the home that the next run finds."""
        limit = [str(round(rng.uniform(*FULL)))] if way == "disk full" else []
        process = _start(home, library, *limit)
        try:
            if way == "disk full":
                process.communicate(timeout=PATIENCE)
                return home
            assert process.stdout is not None
            process.stdout.readline()  # the library is open
            time.sleep(rng.uniform(0, seconds))
            if way == "child killed":
                for _ in range(3):
                    _kill_child(rng, process)
                    time.sleep(rng.uniform(0, seconds / 4))
                process.communicate(timeout=PATIENCE)
                return home
            if way == "power cut":
                return self._power_cut(rng, process, home)
            return home
        finally:
            process.kill()
            process.communicate()

    @staticmethod
    def _power_cut(rng: random.Random, process: subprocess.Popen, home: Path) -> Path:
        """A copy of *home* as it is on the disk at one moment, with parts of what was not forced there gone."""
        family: list[psutil.Process] = []
        with suppress(psutil.Error):
            family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
        for member in family:
            with suppress(psutil.Error):
                member.suspend()
        image = home.with_suffix(".cut")
        shutil.copytree(home, image, symlinks=True)
        for member in family:  # a suspended child would not notice that its parent is gone
            with suppress(psutil.Error):
                member.kill()
        for file in sorted(image.rglob("*")):
            if file.is_symlink() or not file.is_file() or "models" in file.parts:
                continue
            if _may_be_lost(file) and rng.random() < 0.5:
                _lose(rng, file)
        return image

    # --- afterwards -----------------------------------------------------------------------------------

    @staticmethod
    def _finish(home: Path, library: Path) -> dict[str, Any]:
        process = _start(home, library)
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return {"error": "it did not end"}
        finally:
            process.kill()
            process.communicate()
        lines = output.splitlines()
        if process.returncode or len(lines) < 2:
            return {"error": f"it ended with {process.returncode}: {errors[-2000:]}"}
        return json.loads(lines[-1])

    @staticmethod
    def _compare(expected: dict[str, Any], answer: dict[str, Any]) -> str:
        if "content" not in answer:
            return answer.get("error") or "the next run did not finish"
        found = answer["content"]
        differing = []
        for part, wanted in expected.items():
            got = found[part]
            keys = [key for key in {*wanted, *got} if wanted.get(key) != got.get(key)]
            if keys:
                differing.append(f"{part}: {len(keys)} of {len(wanted)} differ, {sorted(keys)[:3]}")
        return "; ".join(differing)


def _start(home: Path, library: Path, *more: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "tests.support.indexing_process", str(home), str(library), *more]
    root = Path(__file__).resolve().parents[2]
    return subprocess.Popen(
        command, cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}
    )


def _kill_child(rng: random.Random, process: subprocess.Popen) -> None:
    with suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
        if children:
            rng.choice(children).kill()


def _may_be_lost(file: Path) -> bool:
    """Whether *file* has contents that the product has not forced to the disk: packs being written, the log of the
    vectors (SQLite does so at checkpoints), and what tantivy has not committed yet."""
    if file.suffix == ".part" or file.name == "semantic.sqlite-wal":
        return True
    meta = file.parent / "meta.json"
    if file.parent.name in ("passages", "documents", "items") and meta.exists():
        if file.name in ("meta.json", ".managed.json"):
            return False
        named = {
            segment["segment_id"].replace("-", "") for segment in json.loads(meta.read_bytes())["segments"]
        }
        return file.name.partition(".")[0] not in named
    return False


def _lose(rng: random.Random, file: Path) -> None:
    """Cut off what came last, or leave its place empty: file systems do either."""
    size = file.stat().st_size
    kept = rng.randint(0, size)
    with file.open("r+b") as opened:
        opened.truncate(kept)
        if rng.random() < 0.5:
            opened.truncate(size)
