"""What reading costs: PDFs against MuPDF's own dictionary of the same pages, books and web pages by their text.

    python -m tests.benchmarks extraction [--json]

Both sides run in children of one kind, interleaved document by document, so that a busy machine
slows both. Processor time is what counts; wall time stands beside it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, percentile, plain, unmeasured
from tests.support import pdfs

GOAL = 1.5
"""Times the processor time of ``page.get_text("dict")`` that reading a document to its stored chunks may take."""

TEXT_GOAL = 3.0
"""MB of text (UTF-8, in chunks) that reading a book or page to its stored chunks shall give for a second of processor time."""

FORMULAS = {"linear_algebra_mathml.epub"}
"""Books with more elements of formulas than words: part of the figure of all books, left out of that of prose."""

LOOK_UP = 2.0
"""Milliseconds for three chunks out of a book of 300 pages."""

FILES = 60
"""Of the library's PDFs, beside all documents: enough for a steady figure in a minute."""

TEXT_ONLY = 2 | 64 | 128
"""The flags reading itself uses: no pictures, which are most of the cost of the plain call."""

YARDSTICK = """
import json, sys, time, pymupdf
pymupdf.TOOLS.mupdf_display_errors(False); pymupdf.TOOLS.mupdf_display_warnings(False)
for line in sys.stdin:
    request = json.loads(line)
    start = time.process_time(), time.perf_counter()
    document = pymupdf.open(request["path"], filetype="pdf")
    pages = 0
    if not document.needs_pass:
        for page in document:
            page.get_text("dict", **request["options"])
            pages += 1
    document.close()
    print(json.dumps([time.process_time() - start[0], time.perf_counter() - start[1], pages]), flush=True)
"""

READING = """
import gc, json, sys, time
from pathlib import Path
import pymupdf
from zbm_core.documents import worker
from zbm_core.documents.pack import read_header
pymupdf.TOOLS.mupdf_display_errors(False); pymupdf.TOOLS.mupdf_display_warnings(False)
worker.settle_memory()
for line in sys.stdin:
    request = json.loads(line)
    message = dict({"type": "application/pdf"}, **request, job=0, attempts=0, stall=600,
                   file=worker.file_stamp(request["path"]), cache="", fallback="", memory=2**34, max_bytes=2**40, max_pages=10**6)
    start = time.process_time(), time.perf_counter()
    worker.handle(message, lambda sent: None)
    spent = time.process_time() - start[0], time.perf_counter() - start[1]
    print(json.dumps([*spent, read_header(Path(request["target"])).report.chunks]), flush=True)
"""


class Side:
    """A child that is asked for one document after the other."""

    def __init__(self, script: str) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.cpu = self.wall = 0.0
        self.count = 0

    def ask(self, **request: object) -> None:
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.write(json.dumps(request) + "\n")
        self._child.stdin.flush()
        cpu, wall, count = json.loads(self._child.stdout.readline())
        self.cpu, self.wall, self.count = self.cpu + cpu, self.wall + wall, self.count + count

    def close(self) -> None:
        self._child.communicate()


def run(options: argparse.Namespace) -> Iterator[Figure]:
    del options
    files = _files()
    folder = Path(tempfile.mkdtemp(prefix="zbm-extraction-"))
    try:
        if files:
            yield from _against_dict(files, folder)
        else:
            yield unmeasured("extraction.cpu_ratio", "no test data beside the project")
        yield from _flowing(folder)
        yield from _look_up(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _files() -> list[Path]:
    documents = sorted((DATA / "documents" / "pdf").glob("*.pdf"))
    library = sorted((DATA / "libraries" / "covidqa" / "storage").glob("*/*.pdf"))[:FILES]
    return [path for path in [*documents, *library] if path.read_bytes()[:5] == b"%PDF-"]


def _against_dict(files: list[Path], folder: Path) -> Iterator[Figure]:
    reading, plain_dict, text_dict = Side(READING), Side(YARDSTICK), Side(YARDSTICK)
    for number, path in enumerate(files):
        target = folder / f"{number}.pack"
        reading.ask(path=str(path), target=str(target))
        plain_dict.ask(path=str(path), options={})
        text_dict.ask(path=str(path), options={"flags": TEXT_ONLY})
    for side in (reading, plain_dict, text_dict):
        side.close()
    yield plain("extraction.documents", len(files), "files")
    yield plain("extraction.pages", plain_dict.count, "pages")
    yield plain("extraction.chunks", reading.count, "chunks")
    yield plain("extraction.cpu", reading.cpu, "s")
    yield plain("extraction.wall", reading.wall, "s")
    yield plain("extraction.cpu_per_page", 1000 * reading.cpu / plain_dict.count, "ms")
    yield at_most("extraction.cpu_ratio", reading.cpu / plain_dict.cpu, GOAL, "x get_text(dict)")
    yield plain("extraction.cpu_ratio_text_only", reading.cpu / text_dict.cpu, "x, no pictures")
    packed = sum(path.stat().st_size for path in folder.glob("*.pack"))
    yield plain("extraction.pack_bytes_per_chunk", packed / max(1, reading.count), "bytes")


def _flowing(folder: Path) -> Iterator[Figure]:
    """Books and web pages, each kind in a child of its own that has read one document before."""
    books = sorted((DATA / "documents" / "epub").glob("*.epub"))
    pages = sorted((DATA / "documents" / "html").glob("*.html"))
    if not books or not pages:
        yield unmeasured("extraction.epub", "no test data beside the project")
        return
    prose = [path for path in books if path.name not in FORMULAS]
    yield from _text_a_second("extraction.epub", books, "application/epub+zip", folder)
    yield from _text_a_second("extraction.epub_prose", prose, "application/epub+zip", folder)
    yield from _text_a_second("extraction.html", pages, "text/html", folder)


def _text_a_second(name: str, files: list[Path], content_type: str, folder: Path) -> Iterator[Figure]:
    from zbm_core.documents.pack import read_chunks

    reading = Side(READING)
    targets = [folder / f"{name}.{number}.pack" for number in range(len(files))]
    reading.ask(path=str(files[-1]), target=str(folder / "first.pack"), type=content_type)
    reading.cpu = reading.wall = 0.0
    for path, target in zip(files, targets, strict=True):
        reading.ask(path=str(path), target=str(target), type=content_type)
    reading.close()
    text = sum(
        len(chunk.text.encode("utf-8", "replace")) for target in targets for chunk in read_chunks(target)
    )
    source = sum(path.stat().st_size for path in files)
    yield plain(f"{name}.text", text / 1e6, "MB")
    yield at_least(f"{name}.speed", text / 1e6 / reading.cpu, TEXT_GOAL, "MB text/CPU s")
    yield plain(f"{name}.source_speed", source / 1e6 / reading.cpu, "MB file/CPU s")


def _look_up(folder: Path) -> Iterator[Figure]:
    from zbm_core.documents import DocumentStore, Job
    from zbm_core.library.records import ItemKey

    path = pdfs.book(folder / "book.pdf", 300)
    store = DocumentStore(folder / "cache")
    key = ItemKey(1, "LOOKUP00")
    [(_, report)] = store.extract([Job(key, path, "application/pdf")])
    store.close()
    spent = []
    for number in range(200):
        wanted = [(number * step) % report.chunks for step in (7, 31, 101)]
        start = time.process_time()
        store.chunks(key, wanted)
        spent.append(1000 * (time.process_time() - start))
    yield plain("extraction.book_chunks", report.chunks, "chunks")
    yield at_most("extraction.three_chunks_p95", percentile(spent, 0.95), LOOK_UP, "ms CPU")
