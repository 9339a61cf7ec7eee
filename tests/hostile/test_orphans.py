"""No child is alive after the program that started it, however that ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.benchmarks.crash import alive_after
from tests.support import hostile_pdfs
from tests.support.models import tiny_repository

ROOT = Path(__file__).resolve().parents[2]

PATIENCE = 30.0


@pytest.mark.parametrize("how", ["close", "leave", "read"])
def test_reading_for_the_index(tmp_path: Path, how: str) -> None:
    """Closed, left by `sys.exit`, and killed while documents are read."""
    assert alive_after(tmp_path, how) == 0


PROGRAMS = {
    "a document that hangs": """
store = DocumentStore(work / "cache")
job = Job(ItemKey(1, "AAAAAAAA"), work / "a.pdf", "application/pdf")
def read():
    list(store.extract([job]))
threading.Thread(target=read, daemon=True).start()
while not psutil.Process().children() or psutil.Process().children()[0].cpu_times().user < 1.0:
    time.sleep(0.1)
""",
    "a book in its reader": """
book = TextBook(work / "a.epub", "application/epub+zip")
book.section(0)
""",
    "passages being embedded": """
encoder = Encoder(work, Model(**RECORD))
def embed():
    for _ in encoder.batches(["soil carbon " * 12] * 2_000_000): pass
threading.Thread(target=embed, daemon=True).start()
while not psutil.Process().children() or psutil.Process().children()[0].cpu_times().user < 2.0:
    time.sleep(0.1)
""",
}

HEAD = """
import psutil, sys, threading, time
from pathlib import Path
from zbm_core.documents import DocumentStore, Job, TextBook
from zbm_core.library.records import ItemKey
from zbm_core.semantic import Encoder, Model
work = Path(sys.argv[1])
RECORD = {
    "name": "tiny", "revision": "1", "repository": "o/tiny", "hub_revision": "", "files": (), "graph": "model.onnx",
    "tokenizer": "tokenizer.json", "pooling": "mean", "native_width": 8, "width": 8, "max_tokens": 32,
}
"""

TAIL = """
print(*(child.pid for child in psutil.Process().children()), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("what", list(PROGRAMS))
def test_a_program_that_is_killed(tmp_path: Path, what: str) -> None:
    from tests.support import epubs

    (tmp_path / "a.pdf").write_bytes(hostile_pdfs.doubling_forms())  # one call of the library, for hours
    epubs.book(tmp_path / "a.epub", ["<p>text</p>"])
    files = tiny_repository()
    (tmp_path / "model.onnx").write_bytes(files["onnx/model.onnx"])
    (tmp_path / "tokenizer.json").write_bytes(files["tokenizer.json"])
    command = [sys.executable, "-c", HEAD + PROGRAMS[what] + TAIL, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        children = [psutil.Process(int(word)) for word in program.stdout.readline().split()]
        program.kill()
    assert children
    assert not psutil.wait_procs(children, timeout=PATIENCE)[1]
