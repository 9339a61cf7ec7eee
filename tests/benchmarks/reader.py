"""``reader``: what opening, turning and searching a long document costs the window.

A document of 352 real pages where the test data folder has it, and one of 2,800 pages made here. CPU
milliseconds of opening are those of the process, QtPdf's drawing thread included. Between two ticks of
a 5 ms timer in the window's thread two things are taken: its own CPU time (a burst, which the machine's
other work does not change; the goals are set on it) and the clock (a gap, which shows waiting too).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_most, percentile, plain, unmeasured

ROOT = Path(__file__).resolve().parents[2]
BOOK = DATA / "documents" / "pdf" / "freeculture_352p.pdf"
PAGES, QUICK_PAGES = 2800, 400
TICK_MS = 5
GOAL_BURST_MS = 40
GOAL_TURN_MS = 16  # one frame at 60 Hz
PATIENCE = 120
MARKS, PRINTED_PAGES = 2000, 6
PARTS = (
    *("settling", "find", "rotate_right", "two_pages", "dark_pages"),
    *("thumbnails", "annotations", "filtering", "printing"),
)

SCRIPT = """
import json, sys
from tests.benchmarks.reader import measure
print(json.dumps(measure(sys.argv[1])), flush=True)
"""


def measure(document: str) -> dict[str, float]:
    """In a process of its own: the figures of one document, by name."""
    from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from zbm_core.documents.structure import Rect
    from zbm_gui.viewer import PdfReader, ReaderMatch
    from zbm_gui.viewer.pages.pieces import CACHE_BYTES

    app = QApplication(["zbm"])
    reader = PdfReader()
    reader.resize(1000, 1000)
    reader.show()
    figures: dict[str, float] = {}

    def run(condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the reader did not come to rest")
            loop = QEventLoop()
            QTimer.singleShot(2, loop.quit)
            loop.exec()

    clock, timer = QElapsedTimer(), QTimer()
    gaps: list[float] = []
    bursts: list[float] = []
    spent = [0.0]
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(TICK_MS)

    def tick() -> None:
        gaps.append(clock.nsecsElapsed() / 1e6 - TICK_MS)
        clock.restart()
        now = time.thread_time()
        bursts.append(1000 * (now - spent[0]))
        spent[0] = now

    timer.timeout.connect(tick)

    def watch(name: str, condition: Callable[[], object]) -> None:
        gaps.clear()
        bursts.clear()
        spent[0] = time.thread_time()
        clock.start()
        timer.start()
        run(condition)
        ticks = len(bursts)
        run(lambda: len(bursts) > ticks + 1)  # what was done last is seen, too
        timer.stop()
        figures[f"{name}_gap_ms"] = max(gaps, default=0.0)
        figures[f"{name}_burst_ms"] = max(bursts, default=0.0)

    app.processEvents()
    rest = time.monotonic() + 2
    watch("idle", lambda: time.monotonic() > rest)

    cpu = time.process_time()
    reader.open(Path(document), "Benchmark")
    figures["open_cpu_ms"] = 1000 * (time.process_time() - cpu)
    match = ReaderMatch((Rect(reader.page_count // 2, 72, 600, 400, 620),), ("the",))
    reader.show_matches([match], 0)
    run(lambda: any(piece.page == reader.current_page() for piece in reader.view.pictures.cache._images))
    figures["passage_seen_cpu_ms"] = 1000 * (time.process_time() - cpu)
    watch("settling", lambda: reader._file.desk.idle)

    reader.find("the")
    watch("find", lambda: reader.finding.finder.finished)
    figures["hits"] = len(reader.finding.finder.hits)
    reader.finding.close()

    turns, held = [], 0
    for page in range(0, reader.page_count, max(1, reader.page_count // 50)):
        before = time.thread_time()
        reader.go_to_page(page)
        app.processEvents()
        turns.append(1000 * (time.thread_time() - before))
        run(lambda: reader._file.desk.idle)
        held = max(held, reader.view.pictures.cache.bytes)
    figures["turn_p95_cpu_ms"] = percentile(turns, 0.95)
    figures["pictures_mb"] = held / 1e6
    figures["bound_mb"] = CACHE_BYTES / 1e6
    beside_the_pages(reader, watch)
    before = time.thread_time()
    reader.close_document()
    figures["close_cpu_ms"] = 1000 * (time.thread_time() - before)
    return figures


def beside_the_pages(reader, watch: Callable[[str, Callable[[], object]], None]) -> None:
    """What the window's thread is asked for by turning, pairing, darkening, small pages, annotations, printing."""
    from PySide6.QtCore import QTimer
    from PySide6.QtPrintSupport import QPrinter

    on, panels, desk = reader.actions_by_name, reader.panels, reader._file.desk

    def settled() -> bool:
        return desk.idle and not reader.view._wish_timer.isActive()

    def in_its_turn(act: Callable[[], object]) -> None:
        """Within the loop, so that what it takes is seen as a burst."""
        QTimer.singleShot(2 * TICK_MS, act)

    reader.go_to_page(reader.page_count // 3)
    for name in ("rotate_right", "two_pages", "dark_pages"):
        done: list[bool] = []
        in_its_turn(lambda name=name, done=done: (on[name].trigger(), done.append(True)))
        watch(name, lambda done=done: done and settled())

    bar, steps = panels.thumbnails.verticalScrollBar(), iter(range(0, 101, 2))
    on["thumbnails"].trigger()

    def scroll() -> bool:
        share = next(steps, None)
        if share is not None:
            bar.setValue(bar.maximum() * share // 100)
        return share is None and settled() and not panels.thumbnails._rest.isActive()

    watch("thumbnails", scroll)

    marks, done = _annotations(reader.page_count), []
    on["annotations"].trigger()
    in_its_turn(lambda: (reader.set_annotations(marks), done.append(True)))
    watch("annotations", lambda: done and desk.idle and panels.annotations.list.model().rowCount() == MARKS)
    queries = iter(["t", "te", "tex", "text", "text 1", "text 19", ""])

    def type_on() -> bool:
        query = next(queries, None)
        if query is not None:
            panels.annotations.edit.setText(query)
        return query is None

    watch("filtering", type_on)

    with tempfile.TemporaryDirectory(prefix="zbm-print-") as folder:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(Path(folder) / "printed.pdf"))
        printer.setPrintRange(QPrinter.PrintRange.PageRange)
        printer.setFromTo(1, PRINTED_PAGES)
        in_its_turn(lambda: reader.printing.start(printer))
        began: list[bool] = []

        def printed() -> bool:
            began.extend([True] * (reader.printing.job is not None))
            return bool(began) and reader.printing.job is None

        watch("printing", printed)


def _annotations(pages: int) -> list[object]:
    from zbm_core.library.records import Annotation, ItemKey

    def one(number: int) -> Annotation:
        page = number * pages // MARKS
        place = json.dumps({"pageIndex": page, "rects": [[72, 600, 400, 612], [72, 585, 300, 597]]})
        text = f"text {number} " + "of a passage that was marked while reading " * 5
        key, order = ItemKey(1, f"MARK{number:04d}"), f"{page:05d}|{number:06d}|00100"
        return Annotation(
            key,
            ItemKey(1, "ATTACHED"),
            "highlight",
            "",
            text,
            "a note",
            "#ffd400",
            "",
            order,
            place,
            (),
            "",
            "",
        )

    return [one(number) for number in range(MARKS)]


def run(options: argparse.Namespace) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="zbm-reader-") as folder:
        made = _made(Path(folder) / "made.pdf", QUICK_PAGES if options.quick else PAGES)
        for name, path in (("book", BOOK), ("long", made)):
            if not path.exists():
                yield unmeasured(f"reader.{name}", "the test data folder has no such document")
                continue
            got = _in_child(path)
            yield plain(f"reader.{name}.open_cpu", got["open_cpu_ms"], "ms")
            yield plain(f"reader.{name}.passage_seen_cpu", got["passage_seen_cpu_ms"], "ms")
            yield plain(f"reader.{name}.idle_gap", got["idle_gap_ms"], "ms")
            for part in PARTS:
                yield at_most(f"reader.{name}.{part}_burst", got[f"{part}_burst_ms"], GOAL_BURST_MS, "ms CPU")
                yield plain(f"reader.{name}.{part}_gap", got[f"{part}_gap_ms"], "ms")
            yield plain(f"reader.{name}.find_hits", got["hits"], "hits")
            yield at_most(f"reader.{name}.turn_p95_cpu", got["turn_p95_cpu_ms"], GOAL_TURN_MS, "ms")
            yield at_most(f"reader.{name}.pictures", got["pictures_mb"], got["bound_mb"], "MB")
            yield plain(f"reader.{name}.close_cpu", got["close_cpu_ms"], "ms")


def _made(path: Path, pages: int) -> Path:
    import pymupdf

    document = pymupdf.open()
    for number in range(pages):
        page = document.new_page()
        lines = [f"Page {number + 1}, line {line}: the text of a long document" for line in range(40)]
        page.insert_text((72, 72), lines)
    document.set_toc([[1, f"Chapter {n + 1}", 1 + n * (pages // 100)] for n in range(100)])
    document.save(path, deflate=True)
    return path


def _in_child(path: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=600,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])
