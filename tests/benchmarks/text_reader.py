"""``text_reader``: what opening a book at its passage and turning its sections cost the window.

Real books where the test data folder has them, and one of 1.7 MB of text made here. The time to the passage is the
clock from `open` until the section is laid out, scrolled and painted, starting the reading child included; beside it
the CPU time of the window's thread and of the child, one of which works while the other waits. Between two ticks of a
5 ms timer in the window's thread two things are taken: its own CPU time (a burst) and the clock (a gap, which shows
waiting too). The goals are set on CPU times, which the machine's other work does not change.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_most, percentile, plain, unmeasured

ROOT = Path(__file__).resolve().parents[2]
BOOKS = DATA / "documents" / "epub"
NAMES = ("zotero_2", "indexing_eds", "georgia_cfi", "linear_algebra_mathml")
MADE_CHARACTERS = 1_700_000
TICK_MS = 5
GOAL_OPEN_MS = 500
GOAL_GAP_MS = 100
PATIENCE = 120
EPUB = "application/epub+zip"

SCRIPT = """
import json, sys
from tests.benchmarks.text_reader import measure
print(json.dumps(measure(sys.argv[1])), flush=True)
"""


def measure(document: str) -> dict[str, float]:
    """In a process of its own: the figures of one book, by name."""
    import psutil
    from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from zbm_core.documents import TextBook
    from zbm_core.documents.reading.records import Place
    from zbm_core.documents.structure import SelectorAnchor
    from zbm_gui import style
    from zbm_gui.viewer import ReaderMatch, TextReader

    path = Path(document)
    with TextBook(path, EPUB) as book:
        sections = book.contents().sections
        middle = max(range(len(sections) // 2, len(sections)), key=lambda n: sections[n].characters)
        blocks = book.section(middle).blocks
        block = max(range(len(blocks)), key=lambda n: (len(blocks[n]) > 40, n < len(blocks) * 0.7, n))
        text = blocks[block]
        anchor = SelectorAnchor((book.selector(Place(middle, block, 0, block, len(text))),))
    match = ReaderMatch(anchor=anchor, text=text, quote=(0, len(text)), ranges=((0, min(8, len(text))),))

    app = QApplication(["zbm"])
    style.apply_theme(app, "light")
    reader = TextReader()
    reader.resize(1000, 1000)
    reader.show()
    figures: dict[str, float] = {"sections": len(sections), "characters": sum(s.characters for s in sections)}

    def run(condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the reader did not come to rest")
            loop = QEventLoop()
            QTimer.singleShot(1, loop.quit)
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
        tick()
        timer.stop()
        figures[f"{name}_gap_ms"] = max(gaps)
        figures[f"{name}_burst_ms"] = max(bursts)

    app.processEvents()
    began, cpu = time.perf_counter(), time.thread_time()
    reader.open(path, "Benchmark", content_type=EPUB)
    reader.show_matches([match], 0)

    def seen() -> bool:
        if reader.current_match() == 0 and reader.current_page() == middle and "seen_ms" not in figures:
            reader.view.viewport().repaint()
            figures["seen_ms"] = 1000 * (time.perf_counter() - began)
            figures["window_cpu_ms"] = 1000 * (time.thread_time() - cpu)
            child = psutil.Process(reader.desk._book.book.pid).cpu_times()
            figures["child_cpu_ms"] = 1000 * (child.user + child.system)
        return "seen_ms" in figures

    watch("open", seen)
    watch("settling", lambda: reader.desk.idle)

    turns: list[float] = []
    turns_cpu: list[float] = []
    reader.go_to_page(0)
    run(lambda: reader.current_page() == 0 and reader.desk.idle)
    for page in range(1, min(len(sections), 40)):
        before, spent_before = time.perf_counter(), time.thread_time()
        reader.step_section(1)
        run(lambda page=page: reader.current_page() == page)
        reader.view.viewport().repaint()
        turns.append(1000 * (time.perf_counter() - before))
        turns_cpu.append(1000 * (time.thread_time() - spent_before))
        watch("turn_rest", lambda: reader.desk.idle)
    figures["turn_p95_ms"] = percentile(turns, 0.95) if turns else 0.0
    figures["turn_cpu_p95_ms"] = percentile(turns_cpu, 0.95) if turns else 0.0

    reader.find("the")
    watch("find", lambda: reader.finding.finished)
    figures["hits"] = len(reader.finding.hits)
    reader.finding.close()
    before = time.thread_time()
    reader.actions_by_name["zoom_in"].trigger()
    figures["zoom_cpu_ms"] = 1000 * (time.thread_time() - before)
    before = time.perf_counter()
    reader.close_document()
    figures["close_ms"] = 1000 * (time.perf_counter() - before)
    return figures


def run(options: argparse.Namespace) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="zbm-text-reader-") as folder:
        made = _made(Path(folder) / "made.epub", MADE_CHARACTERS // (8 if options.quick else 1))
        books = [(name, BOOKS / f"{name}.epub") for name in NAMES[: 1 if options.quick else None]]
        for name, path in [("made", made), *books]:
            if not path.exists():
                yield unmeasured(f"text_reader.{name}", "the test data folder has no such book")
                continue
            got = _in_child(path)
            yield plain(f"text_reader.{name}.characters", got["characters"], "characters")
            both = got["window_cpu_ms"] + got["child_cpu_ms"]
            yield at_most(f"text_reader.{name}.to_passage_cpu", both, GOAL_OPEN_MS, "ms CPU")
            yield plain(f"text_reader.{name}.to_passage_window_cpu", got["window_cpu_ms"], "ms CPU")
            yield plain(f"text_reader.{name}.to_passage", got["seen_ms"], "ms")
            for part in ("open", "settling", "find"):
                yield at_most(
                    f"text_reader.{name}.{part}_burst", got[f"{part}_burst_ms"], GOAL_GAP_MS, "ms CPU"
                )
                yield plain(f"text_reader.{name}.{part}_gap", got[f"{part}_gap_ms"], "ms")
            yield at_most(
                f"text_reader.{name}.next_section_cpu_p95", got["turn_cpu_p95_ms"], GOAL_GAP_MS, "ms CPU"
            )
            yield plain(f"text_reader.{name}.next_section_p95", got["turn_p95_ms"], "ms")
            yield at_most(f"text_reader.{name}.zoom_cpu", got["zoom_cpu_ms"], GOAL_GAP_MS, "ms CPU")
            yield plain(f"text_reader.{name}.close", got["close_ms"], "ms")


def _made(path: Path, characters: int) -> Path:
    """A book of forty chapters, *characters* in all."""
    chapters = 40
    line = "Chapter {} and paragraph {}: soils of the forest hold what the litter brought, <i>year after year</i>. "
    paragraphs = max(1, characters // chapters // (6 * len(line)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", EPUB, compress_type=zipfile.ZIP_STORED)
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
            '<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        items = "".join(
            f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(chapters)
        )
        spine = "".join(f'<itemref idref="c{n}"/>' for n in range(chapters))
        book.writestr(
            "a.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for chapter in range(chapters):
            body = "".join(f"<p>{line.format(chapter, number) * 6}</p>" for number in range(paragraphs))
            book.writestr(
                f"c{chapter}.xhtml",
                f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Chapter {chapter}</h1>{body}</body></html>',
            )
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
