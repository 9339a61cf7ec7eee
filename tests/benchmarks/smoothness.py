"""``smoothness``: how long the window stands still while it indexes and searches a real library.

A timer of 5 ms ticks in the window's thread; the time between two ticks beyond that is time in which
nothing could be drawn or typed. Taken idle first (the machine's own unrest), then while a run reads the
documents and a question is searched every half second, its results listed, its passages shown.

On a machine that others use the clock also counts the time this thread waited for a core. Linux says how
long that was, so the figures come twice: by the clock, and without that wait.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_most, plain, unmeasured
from tests.support.window_process import core_wait

ROOT = Path(__file__).resolve().parents[2]
TICK_MS = 5
GOAL_MS = 40
IDLE_SECONDS, QUICK_IDLE_SECONDS = 6.0, 3.0
WORK_SECONDS, QUICK_WORK_SECONDS = 30.0, 10.0
SEARCH_EVERY_MS = 500
#: A search during a run, against the same questions without one.
SEARCH_GOAL = 1.5
COMPARED = 10

SCRIPT = """
import json, sys
from tests.benchmarks.smoothness import measure
print(json.dumps(measure(*json.loads(sys.argv[1]))), flush=True)
"""


def measure(library: str, queries: list[str], idle_seconds: float, work_seconds: float) -> dict:
    """In a process of its own: gaps in ms, idle and at work, and how much was done meanwhile."""
    from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from zbm_core.paths import AppPaths
    from zbm_gui.app import be_smooth, make_window, parse
    from zbm_gui.logs import Logs

    be_smooth()
    app = QApplication(["zbm"])
    done = {"searches": 0, "documents": 0}
    with tempfile.TemporaryDirectory(prefix="zbm-smoothness-") as home:
        paths = AppPaths.under(Path(home))
        logs = Logs(paths.logs)
        logs.start()
        window = make_window(app, paths, parse(["--library", library]), logs)
        window.resize(1360, 860)
        clock, timer = QElapsedTimer(), QTimer()
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.setInterval(TICK_MS)
        gaps: list[float] = []
        free: list[float] = []  # of each gap, what was no waiting for a core
        own: list[float] = []  # of each gap, the CPU that the window's thread itself took
        spent, waited = 0.0, 0.0

        def tick() -> None:
            nonlocal spent, waited
            cpu, queued = time.thread_time() * 1000, core_wait()
            gaps.append(clock.nsecsElapsed() / 1e6 - TICK_MS)
            free.append(gaps[-1] - (queued - waited))
            own.append(cpu - spent)
            clock.restart()
            spent, waited = cpu, queued

        def watch(seconds: float) -> dict[str, float]:
            nonlocal spent, waited
            for figures in (gaps, free, own):
                figures.clear()
            spent, waited = time.thread_time() * 1000, core_wait()
            clock.start()
            timer.start()
            loop = QEventLoop()
            QTimer.singleShot(round(seconds * 1000), loop.quit)
            loop.exec()
            timer.stop()
            gaps.sort()
            p99 = gaps[round((len(gaps) - 1) * 0.99)]
            return {"largest": gaps[-1], "p99": p99, "free": max(free), "own": max(own)}

        timer.timeout.connect(tick)
        # The library is shown but not indexed until the idle figure is taken.
        window._settings.set("indexing.paused", True)
        loop = QEventLoop()
        window.flow.library_ready.connect(loop.quit)
        window.show()
        loop.exec()
        watch(1.5)
        idle = watch(idle_seconds)

        costs: list[tuple[float, float]] = []  # CPU ms of each answer, and ms until it came
        asked = 0.0

        def ask() -> None:
            nonlocal asked
            asked = time.perf_counter()
            window.library_tab.start_search(queries[done["searches"] % len(queries)])

        def answered(_number: int, session: object) -> None:
            done["searches"] += 1
            costs.append((session.result.cpu_ms, (time.perf_counter() - asked) * 1000))

        asking = QTimer()
        asking.setInterval(SEARCH_EVERY_MS)
        asking.timeout.connect(ask)
        window.engine.search_finished.connect(answered)
        window.engine.run_progressed.connect(
            lambda progress: done.update(documents=progress.attachments.words)
        )
        window.indexing.set_paused(False)
        asking.start()
        work = watch(work_seconds)
        busy = costs[-COMPARED:]  # the index grows: the last of them searched nearly what is there now
        # The same questions over what is indexed by now, without a run.
        window.indexing.set_paused(True)
        watch(0.5)
        costs.clear()
        done["searches"] -= len(busy)
        watch(work_seconds / 2)
        asking.stop()
        pairs = list(zip(busy, costs, strict=False))
        window.close()
        logs.close()
    ratios = [
        sum(during[kind] for during, _ in pairs) / max(1e-9, sum(without[kind] for _, without in pairs))
        for kind in (range(2) if pairs else ())
    ]
    return {"idle": idle, "work": work, "search_costs": ratios, **done}


def questions() -> list[str]:
    corpus = DATA / "corpora" / "covidqa_full" / "queries.jsonl"
    return [json.loads(line)["text"] for line in corpus.read_text("utf-8").splitlines()[:200]]


def run(options: argparse.Namespace) -> Iterator[Figure]:
    library = DATA / "libraries" / "covidqa"
    if not library.is_dir():
        yield unmeasured("smoothness.gap", "no test data folder")
        return
    idle, work = (QUICK_IDLE_SECONDS, QUICK_WORK_SECONDS) if options.quick else (IDLE_SECONDS, WORK_SECONDS)
    order = json.dumps([str(library), questions(), idle, work])
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    answer = subprocess.run(
        [sys.executable, "-c", SCRIPT, order], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if answer.returncode != 0:
        raise RuntimeError(f"exit code {answer.returncode}: {answer.stderr}")
    measured = json.loads(answer.stdout.splitlines()[-1])
    for name, figure in (("gap_above_idle", "largest"), ("gap_above_idle.less_core_wait", "free")):
        above = max(0.0, measured["work"][figure] - measured["idle"][figure])
        yield at_most(f"smoothness.{name}", above, GOAL_MS, "ms")
    for state in ("idle", "work"):
        yield plain(f"smoothness.{state}.largest_gap", measured[state]["largest"], "ms")
        yield plain(f"smoothness.{state}.p99_gap", measured[state]["p99"], "ms")
        yield plain(f"smoothness.{state}.largest_own", measured[state]["own"], "ms of CPU")
    if not measured["search_costs"]:
        yield unmeasured("smoothness.search_during_run", "no search was answered in time")
    for name, unit, ratio in zip(
        ("", ".wall"), ("times the CPU", "times"), measured["search_costs"], strict=False
    ):
        yield at_most(f"smoothness.search_during_run{name}", ratio, SEARCH_GOAL, unit)
    yield plain("smoothness.searches", measured["searches"], "searches")
    yield plain("smoothness.documents", measured["documents"], "documents read")
