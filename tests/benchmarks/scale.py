"""``scale``: a library of 20,000 items, 4,000 notes and 5,000 documents (285,000 chunks) in the product's own window.

The library is generated (`tests/support/generated_library.py`): one document in ten is a PDF, the others are plain
text, all read by the real extractors in their children. The window runs offscreen in a process of its own, and Zotero's
side is played by a connection that holds the database in WAL mode as Zotero 10 does. By words alone: embedding 285,000
chunks takes hours; benchmark `query` has the search with that many vectors, `embedding` what each costs.

Memory is looked at four times a second. What is resident counts files that are mapped (the word index), which the
system takes back whenever it needs to; what is a process's own is told beside it where the system tells.

``--home DIR`` keeps library and index for the next time, which then measures what comes after indexing.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.benchmarks.figures import Figure, at_most, plain, unmeasured
from tests.support.generated_library import GeneratedLibrary
from tests.support.window_process import WindowProcess
from tests.support.zotero_edits import ZoteroEdits

FULL = GeneratedLibrary(items=20_000, documents=5_000, notes=4_000, pdf_every=10)
QUICK = GeneratedLibrary(items=1_000, documents=60, notes=200, pdf_every=10)
LONGEST_RUN = 7_200.0  # seconds
LOOK_EVERY = 0.25
READY_GOAL, SEARCHABLE_GOAL, UNCHANGED_GOAL = 2.0, 5.0, 1.0  # seconds; the last of CPU
RESTARTS, EDITS = 5, 5
#: Seconds between edits: a person's, so that the window does not count them as a sync.
BETWEEN_EDITS = 22.0
#: Seconds between two questions whether it is found: each costs the window a search.
ASK_EVERY = 0.4
#: Edits in quick succession, and seconds between them.
BURST, BURST_EVERY = 4, 2.0


def run(options: argparse.Namespace) -> Iterator[Figure]:
    library = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="zbm-scale-") as scratch:
        place = Path(options.home or scratch)
        folder, home = place / "Zotero", place / "home"
        _write(library, folder, home)
        yield from _index(folder, home)
        yield from _sizes(folder, home)
        yield from _restart(folder, home, library, 2 if options.quick else RESTARTS)
        yield from _live(folder, home, library, 1 if options.quick else EDITS)


def _write(library: GeneratedLibrary, folder: Path, home: Path) -> None:
    whole = folder.with_suffix(".whole")
    if whole.exists() and whole.read_text() == repr(library):
        return
    for old in (folder, home):
        shutil.rmtree(old, ignore_errors=True)
    library.write(folder)
    whole.write_text(repr(library))


# --- the first run ------------------------------------------------------------------------------------


def _index(folder: Path, home: Path) -> Iterator[Figure]:
    done = home / "indexed"
    if done.exists():
        yield unmeasured("scale.index.wall", "indexed before: begin with an empty --home to measure it")
        return
    shutil.rmtree(home, ignore_errors=True)
    with WindowProcess(home, folder) as window, _Watch(window.pid) as watch:
        window.wait_for("opened", 120)
        began = time.time()
        finished = window.wait_for("finished", LONGEST_RUN)
        wall = finished["at"] - began
    cpu = finished["cpu"] + watch.cpu("documents")
    yield plain("scale.index.chunks", finished["chunks"], "chunks")
    yield plain("scale.index.wall", wall, "s")
    yield plain("scale.index.cpu", cpu, "s of CPU")
    yield plain("scale.index.cpu.window", finished["cpu"], "s of CPU, of which")
    yield plain("scale.index.cpu.readers", watch.cpu("documents"), "s of CPU, of which")
    yield plain("scale.index.rate", finished["chunks"] / wall, "chunks/s")
    yield plain("scale.index.rate_cpu", finished["chunks"] / cpu, "chunks/CPU-s")
    yield from watch.figures("scale.index.memory")
    done.touch()


def _sizes(folder: Path, home: Path) -> Iterator[Figure]:
    index = next((home / "data").glob("*/lexical"), None) or next((home / "data").rglob("lexical"))
    text = _size(folder / "storage")
    words, packs = _size(index), _size(index.with_name("documents"))
    yield plain("scale.disk.library_files", text / 1e6, "MB")
    yield plain("scale.disk.database", (folder / "zotero.sqlite").stat().st_size / 1e6, "MB")
    yield plain("scale.disk.word_index", words / 1e6, "MB")
    yield plain("scale.disk.read_documents", packs / 1e6, "MB")


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# --- the next start -----------------------------------------------------------------------------------


def _restart(folder: Path, home: Path, library: GeneratedLibrary, times: int) -> Iterator[Figure]:
    """From the start of the process until the library is listed and a question about it is answered."""
    painted, opened, cpu, answered = [], [], [], []
    question = library.queries(1)[0]
    for _ in range(times):
        with WindowProcess(home, folder) as window:
            painted.append(window.wait_for("painted")["at"] - window.began)
            ready = window.wait_for("opened")
            window.order("search", question)
            opened.append(ready["at"] - window.began)
            cpu.append(ready["cpu"])
            answered.append(window.wait_for("answered")["at"] - window.began)
            window.wait_for("finished")
    yield plain("scale.restart.painted", statistics.median(painted), "s")
    yield at_most("scale.restart.ready", statistics.median(opened), READY_GOAL, "s")
    yield plain("scale.restart.ready.cpu", statistics.median(cpu), "s of CPU")
    yield plain("scale.restart.first_answer", statistics.median(answered), "s")


# --- while Zotero is used -----------------------------------------------------------------------------


def _live(folder: Path, home: Path, library: GeneratedLibrary, times: int) -> Iterator[Figure]:
    stamp = f"{time.time_ns():x}"
    zotero = ZoteroEdits(folder)
    try:
        with WindowProcess(home, folder) as window, _Watch(window.pid) as watch:
            ready = window.wait_for("opened")
            settled = window.wait_for("finished", 600)
            if settled["lane_cpu"] is None:
                yield unmeasured("scale.unchanged.run_cpu", "the system does not tell of threads")
            else:
                yield at_most("scale.unchanged.run_cpu", settled["lane_cpu"], UNCHANGED_GOAL, "s of CPU")
            yield plain("scale.unchanged.cpu", settled["cpu"] - ready["cpu"], "s of CPU with the window's")
            edits = _Edits(window, stamp)
            gaps, costs = [], []
            for what in ("item", "note", "document"):
                taken = []
                for number in range(times):
                    word = edits.word(what, number)
                    window.forget()
                    window.order("watch")
                    before = watch.cpu("window")
                    if what == "item":
                        key = library.key(number * 97 + 5).key
                        at = zotero.retitle(key, f"A title with {word} in it")
                    elif what == "note":
                        key = library.key(number * 31 + 7).key
                        at = zotero.rewrite_note(
                            library.note_key(number * 31 + 7).key, f"A note with {word}."
                        )
                    else:
                        key = library.key(library.documents + number * 13).key
                        text = "\n\n".join([f"Text with {word}.", *library.attachment(number).passages])
                        at = zotero.attach_text(key, _key_of(stamp, number), text.encode())
                    window.wait_for("caught_up")
                    taken.append(edits.found(word, key) - at)
                    window.wait_for("finished")
                    window.order("gaps")
                    gaps.append(window.wait_for("gaps"))
                    time.sleep(BETWEEN_EDITS if times > 1 else 1.0)
                    if what == "item":
                        costs.append(watch.cpu("window") - before)
                yield at_most(f"scale.{what}_searchable.wall", statistics.median(taken), SEARCHABLE_GOAL, "s")
                yield plain(f"scale.{what}_searchable.longest", max(taken), "s")
            yield plain("scale.item_edit.cpu", statistics.median(costs), "s of CPU in all")
            window.forget()
            for number in range(BURST):
                word = edits.word("burst", number)
                key = library.key(number * 11 + 3).key
                at = zotero.retitle(key, f"A title with {word} in it")
                if number < BURST - 1:
                    time.sleep(BURST_EVERY)
            yield at_most(
                "scale.last_of_burst_searchable.wall", edits.found(word, key) - at, SEARCHABLE_GOAL, "s"
            )
            yield plain("scale.live.largest_gap", max(gap["gap"] for gap in gaps), "ms")
            yield plain("scale.live.largest_gap.less_core_wait", max(gap["free"] for gap in gaps), "ms")
        yield from watch.figures("scale.live.memory")
    finally:
        zotero.close()


class _Edits:
    """What was edited, found by the window's own search."""

    def __init__(self, window: WindowProcess, stamp: str) -> None:
        self._window, self._stamp = window, stamp

    def word(self, what: str, number: int) -> str:
        """A word that is nowhere else."""
        return f"q{what}{self._stamp}x{number}"

    def found(self, word: str, item: str) -> float:
        """When *item* is found by *word*: asked now, and again until it is."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            self._window.order("search", word)
            answer = self._window.wait_for("answered")
            if answer["items"] == [item]:
                return answer["at"]
            time.sleep(ASK_EVERY)
        raise RuntimeError(f"{word} was not found in two minutes")


def _key_of(stamp: str, number: int) -> str:
    return f"Z{stamp[-6:].upper()}{number}"[:8].ljust(8, "Z")


# --- what the processes take --------------------------------------------------------------------------

ROLES = (
    ("documents", "documents.worker"), ("reader", "reading.worker"), ("encoder", "encoder_worker")
)  # fmt: skip


class _Watch:
    """Looks at the window's process and its children from a thread of this one."""

    def __init__(self, pid: int) -> None:
        self._window = psutil.Process(pid)
        self._most: dict[str, tuple[float, float]] = {}  # of one process of each role: resident, its own
        self._cpu: dict[str, dict[int, float]] = {}
        self._all = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def cpu(self, role: str) -> float:
        return sum(self._cpu.get(role, {}).values())

    def figures(self, name: str) -> Iterator[Figure]:
        for role, (resident, own) in sorted(self._most.items()):
            yield plain(f"{name}.{role}.resident", resident / 1e6, "MB")
            if own:
                yield plain(f"{name}.{role}.own", own / 1e6, "MB")
        yield plain(f"{name}.own_of_all_at_once", self._all / 1e6, "MB")

    def _look(self) -> None:
        while not self._stop.wait(LOOK_EVERY):
            try:
                processes = [("window", self._window)]
                for child in self._window.children(recursive=True):
                    command = " ".join(child.cmdline())
                    role = next((role for role, main in ROLES if main in command), None)
                    if role is not None:
                        processes.append((role, child))
            except psutil.Error:
                continue
            together = 0.0
            for role, process in processes:
                try:
                    resident, times = process.memory_info().rss, process.cpu_times()
                except psutil.Error:
                    continue
                own = _own_memory(process.pid)
                before = self._most.get(role, (0.0, 0.0))
                self._most[role] = (max(before[0], resident), max(before[1], own))
                self._cpu.setdefault(role, {})[process.pid] = times.user + times.system
                together += own or resident
            self._all = max(self._all, together)


def _own_memory(pid: int) -> int:
    """Bytes of a process that no file backs; 0 where the system does not tell."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
