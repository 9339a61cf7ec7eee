"""Books: what reading one to stored chunks costs, what opening one in a reader costs its child, and its memory.

    python -m tests.benchmarks books [--json]

Whether the anchors lead back is in `documents`, what the window feels of a book in `text_reader`.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, plain, unmeasured
from tests.support.epubs import book

SPEED = 3.0
"""MB of text per CPU second, from the book's bytes to its stored chunks."""

FORMULAS = "linear_algebra_mathml"
"""A textbook of 25 MB of markup for 1 MB of text: its figure is the markup's."""

OPENED = 1_700_000
"""Characters of the book that is opened."""

OPENING = 0.5
"""Seconds in which it stands open at a passage."""

ROUNDS = 3


def run(options: argparse.Namespace) -> Iterator[Figure]:
    books = sorted((DATA / "documents" / "epub").glob("*.epub"))
    if not books:
        yield unmeasured("books.speed", "no test data beside the project")
        return
    with tempfile.TemporaryDirectory(prefix="zbm-books-") as folder:
        yield from _speed(books, Path(folder))
        if sys.platform != "win32":  # children's time is asked for the POSIX way
            yield from _opening(books, Path(folder), OPENED // (8 if options.quick else 1))
        yield from _memory(Path(folder))


def _speed(books: list[Path], folder: Path) -> Iterator[Figure]:
    from zbm_core.documents import pack
    from zbm_core.documents.chunker import cut
    from zbm_core.documents.cutting import cut_document
    from zbm_core.documents.epub.document import read_epub
    from zbm_core.documents.structure import DocumentReport, Outcome

    gc.freeze()
    gc.disable()  # as in the children that do this
    size = read = cutting = whole = 0.0
    for path in books:
        best = [9e9, 9e9, 9e9]
        for _ in range(ROUNDS):
            marks = [time.process_time()]
            text = read_epub(path)
            marks.append(time.process_time())
            cut(text)
            marks.append(time.process_time())
            made = cut_document(text)
            report = DocumentReport(Outcome.INDEXED, chunks=len(made.chunks))
            pack.write(folder / "pack", pack.Header(report, 0), made.chunks, text.outline)
            marks.append(time.process_time())
            best = [min(old, b - a) for old, a, b in zip(best, marks, marks[1:], strict=False)]
        characters = sum(len(block.text.encode()) for block in text.blocks) / 1e6
        if path.stem == FORMULAS:
            yield plain("books.formulas", characters / best[0], "MB text/CPU s, read")
            continue
        size, read, cutting, whole = size + characters, read + best[0], cutting + best[1], whole + best[2]
    gc.enable()
    yield plain("books.read", size / read, "MB text/CPU s")
    yield plain("books.read_and_cut", size / (read + cutting), "MB text/CPU s")
    yield at_least("books.speed", size / (read + whole), SPEED, "MB text/CPU s")


def _opening(books: list[Path], folder: Path, characters: int) -> Iterator[Figure]:
    """A book made of real prose, opened to a passage in its middle, the child's start included."""
    import resource

    from zbm_core.documents import TextBook
    from zbm_core.documents.epub.document import read_epub
    from zbm_core.documents.reading.records import Place
    from zbm_core.documents.structure import SelectorAnchor

    prose = [
        block.text for block in read_epub(next(p for p in books if p.stem == "zotero_2")).blocks if block.text
    ]
    chapter = "".join(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>\n" for text in prose)
    count = characters // len("".join(prose)) + 1
    for name, bodies in (("many_files", [chapter] * count), ("one_file", [chapter * count])):
        path = book(folder / f"{name}.epub", bodies)
        with TextBook(path, "") as text:
            sections = len(text.contents().sections)
            anchor = SelectorAnchor((text.selector(Place(sections // 2, 3, 0, 3, 5)),))
        wall, cpu = [], []
        for _ in range(ROUNDS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            begun = time.perf_counter()
            with TextBook(path, "") as text:
                (place,) = text.places(anchor)
                text.section(place.section)
                wall.append(time.perf_counter() - begun)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        yield plain(f"books.open.{name}.wall", min(wall), "s")
        yield at_most(f"books.open.{name}.cpu", min(cpu), OPENING, "s, the child's")


_PEAK = """
import sys, tracemalloc
from pathlib import Path
{imports}
tracemalloc.start()
{call}
print(tracemalloc.get_traced_memory()[1] / 1e6)
"""


def _memory(folder: Path) -> Iterator[Figure]:
    """A book of one page of text and 64 MB of pictures."""
    picture = b"\x89PNG" + bytes(range(256)) * (8 << 12)
    path = book(
        folder / "pictures.epub",
        ["<p>text</p>"],
        more={f"OEBPS/p{number}.png": picture for number in range(8)},
        manifest="".join(f'<item id="p{n}" href="p{n}.png" media-type="image/png"/>' for n in range(8)),
    )
    ways = {
        "own": ("from zbm_core.documents.epub.document import read_epub", "read_epub(Path(sys.argv[1]))"),
        "ebooklib": ("from ebooklib.epub import read_epub", "read_epub(sys.argv[1])"),
    }
    for name, (imports, call) in ways.items():
        code = _PEAK.format(imports=imports, call=call)
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
        yield plain(f"books.memory.{name}", float(done.stdout), "MB for 64 MB of pictures")
