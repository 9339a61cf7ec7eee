"""Thousands of broken files, read as a library's are: by the store, with its children.

    python -m tests.benchmarks crash [--quick] [--only COUNT] [--home FOLDER] --json

Files are changed by a seed each (`tests/support/mutations.py`), from small documents made by script and, where the test
data folder stands beside the project, from its real files. Whole documents stand among them; what they come to is
compared with a store that reads nothing else. With ``--home`` a run that was stopped goes on where it was; the seeds of
files that ended badly are in its journal.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, plain
from tests.support import seed_documents
from tests.support.mutations import mutated
from tests.support.watching import ChildWatch
from zbm_core.documents import DocumentStore, Job, Outcome
from zbm_core.library.records import ItemKey

FILES, QUICK_FILES = 10_000, 300

SMALL = 130_000
"""Bytes up to which a file of the test data is a source like any other; larger ones are one in `RARELY`."""

RARELY = 50

WHOLE_EVERY = 40
"""One whole document among so many broken ones."""

WORKERS = 2
APP_GROWTH = 100
"""MB this process may have more after the run; it keeps the entries of the journal."""

LONGEST_WHY = 600
"""Characters of a lost child's last words in the journal."""

GONE_WITHIN = 10.0
"""Seconds in which children of a program that ended must be gone. (They wait for nothing: it takes milliseconds.)"""

ROOT = Path(__file__).resolve().parents[2]


class Sources(NamedTuple):
    """Whole documents to break."""

    small: list[tuple[str, bytes]]  # suffix, bytes
    large: list[tuple[str, bytes]]
    whole: list[Path]  # left as they are, among the broken ones


def run(options: argparse.Namespace) -> Iterator[Figure]:
    count = int(options.only) if options.only else QUICK_FILES if options.quick else FILES
    with tempfile.TemporaryDirectory(prefix="zbm-crash-") as scratch:
        work = Path(options.home or scratch)
        work.mkdir(parents=True, exist_ok=True)
        yield from _reading(Path(scratch), work, count)
        yield from _ending(Path(scratch))


def sources(folder: Path) -> Sources:
    """Small and large documents; those of the test data folder only where that is there."""
    made = seed_documents.made(folder)
    found = Sources([(path.suffix, path.read_bytes()) for path in made], [], made)
    if (DATA / "documents").is_dir():
        for path in sorted((DATA / "documents").rglob("*")):
            if path.suffix in seed_documents.TYPES and (size := path.stat().st_size):
                (found.small if size <= SMALL else found.large).append((path.suffix, path.read_bytes()))
    return found


def broken(number: int, given: Sources) -> tuple[str, bytes, str]:
    """The broken file of a number: suffix, bytes, what was done."""
    rng = random.Random(number)
    large = given.large if given.large and number % RARELY == 0 else given.small
    suffix, data = rng.choice(large)
    data, change = mutated(data, suffix, rng)
    return suffix, data, change


def _reading(scratch: Path, work: Path, count: int) -> Iterator[Figure]:
    given = sources(scratch / "whole")
    journal = work / "journal.jsonl"
    done = _journal(journal)
    undisturbed = _undisturbed(scratch / "alone", given.whole)
    lost = _Lost()
    watch = ChildWatch()
    names: dict[str, tuple[int, str]] = {}
    (scratch / "files").mkdir()

    def jobs() -> Iterator[Job]:
        for number in range(count):
            if number not in done:
                suffix, data, change = broken(number, given)
                path = scratch / "files" / f"{number}{suffix}"
                path.write_bytes(data)
                key = ItemKey(1, f"B{number:07}")
                names[key.key] = number, f"{suffix} {change}"
                yield Job(key, path, seed_documents.TYPES[suffix])
            if number % WHOLE_EVERY == 0:
                whole = number // WHOLE_EVERY
                path = given.whole[whole % len(given.whole)]
                yield Job(ItemKey(2, f"W{whole:07}"), path, seed_documents.TYPES[path.suffix])

    store = DocumentStore(scratch / "cache", WORKERS)
    before = _Traces.now()
    wall, own = time.monotonic(), time.process_time()
    whole_read = whole_same = 0
    with journal.open("a", encoding="utf-8") as out, lost, watch:
        for job, report in store.extract(jobs()):
            if job.key.library == 2:
                whole_read += 1
                found = (report.outcome, report.digest, store.chunks(job.key))
                whole_same += found == undisturbed[job.path]
            else:
                number, change = names.pop(job.key.key)
                ended, why = lost.taken(job.key.key)
                entry = {
                    "number": number,
                    "change": change,
                    "outcome": report.outcome.value,
                    "ended": ended,
                    "why": why or (report.reason if report.outcome is Outcome.FAILED else ""),
                    "memory": watch.most,
                }
                done[number] = entry
                out.write(json.dumps(entry) + "\n")
                out.flush()
                assert job.path is not None
                job.path.unlink()
            store.forget([job.key])
        store.close()
    children = watch.cpu
    entries = [entry for number, entry in done.items() if number < count]
    outcomes = Counter(entry["outcome"] for entry in entries)
    ends = Counter(entry["ended"] for entry in entries if entry["ended"])
    yield at_least("crash.files", len(entries), count, "files")
    for outcome, files in sorted(outcomes.items()):
        yield plain(f"crash.outcome.{outcome}", files, "files")
    for how in ("crashed", "hung", "memory", "garbled", "finished"):
        yield plain(f"crash.children.{how}", ends[how], "children")
    yield at_least("crash.whole_documents", whole_same, whole_read, "the same")
    yield at_most(
        "crash.memory", max(entry["memory"] for entry in entries) / (1 << 20), 1024, "MB, one child"
    )
    if children:
        yield plain("crash.cpu", children + time.process_time() - own, "CPU s, all")
        yield plain("crash.children_cpu", children, "CPU s, children")
    yield plain("crash.wall", time.monotonic() - wall, "s")
    # This process is the app: that it is here to say so is half of it.
    after = _Traces.now()
    yield at_most("crash.app.memory_grown", (after.memory - before.memory) / (1 << 20), APP_GROWTH, "MB")
    yield at_most("crash.app.threads_left", after.threads - before.threads, 0, "threads")
    yield at_most("crash.app.files_left", after.files - before.files, 0, "open files")
    yield at_most("crash.app.parts_left", len(list((scratch / "cache").rglob("*.part*"))), 0, "files")


def _journal(path: Path) -> dict[int, dict[str, Any]]:
    """What an earlier run has done."""
    done: dict[int, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # the line that was being written when the run was stopped
            done[entry["number"]] = entry
    return done


def _undisturbed(cache: Path, whole: list[Path]) -> dict[Path | None, tuple[Any, ...]]:
    """What each whole document comes to where nothing else is read."""
    store = DocumentStore(cache)
    jobs = (
        Job(ItemKey(2, f"U{number:07}"), path, seed_documents.TYPES[path.suffix])
        for number, path in enumerate(whole)
    )
    found: dict[Path | None, tuple[Any, ...]] = {}
    for job, report in store.extract(jobs):
        found[job.path] = report.outcome, report.digest, store.chunks(job.key)
    store.close()
    return found


class _Traces(NamedTuple):
    """What this process holds."""

    memory: int  # bytes resident
    threads: int
    files: int  # open files, pipes among them

    @classmethod
    def now(cls) -> _Traces:
        this = psutil.Process()
        files = this.num_fds() if hasattr(this, "num_fds") else this.num_handles()
        return cls(this.memory_info().rss, threading.active_count(), files)


class _Lost(logging.Handler):
    """How children ended that were lost, by the key of their document, from what the store logs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._ends: dict[str, tuple[str, str]] = {}

    def __enter__(self) -> None:
        logging.getLogger("zbm_core.documents.store").addHandler(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("zbm_core.documents.store").removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        name, how, detail, *_ = map(str, record.args or ("", "", ""))
        self._ends[name.rpartition("-")[2]] = how, detail[-LONGEST_WHY:]

    def taken(self, key: str) -> tuple[str, str]:
        """How the child of a document ended, and the end of what it said; empty where it did not."""
        return self._ends.pop(key, ("", ""))


def _ending(scratch: Path) -> Iterator[Figure]:
    """Children that are alive after their program ended, however it ended."""
    for how in ("close", "leave", "read"):
        work = scratch / f"ending-{how}"
        work.mkdir()
        name = {"close": "after_the_end", "leave": "after_leaving", "read": "after_kill"}[how]
        yield at_most(f"crash.children_alive.{name}", alive_after(work, how), 0, "children")


def alive_after(work: Path, how: str) -> int:
    """Children alive `GONE_WITHIN` after `tests.support.crash_program` ended; killed if *how* is "read"."""
    command = [sys.executable, "-m", "tests.support.crash_program", str(work), how]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        words = program.stdout.readline().split()
        if words[:1] != ["reading"] or len(words) < 2:
            raise RuntimeError(f"the program did not start its children: {words}")
        children = [psutil.Process(int(word)) for word in words[1:] if psutil.pid_exists(int(word))]
        if how == "read":
            program.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        program.stdout.read()
    _, alive = psutil.wait_procs(children, timeout=GONE_WITHIN)
    return len(alive)
