"""How every real document ends, whether its anchors lead back to its text, and what a page costs on disk.

    python -m tests.benchmarks documents [--json]

The table of outcomes goes to standard error. Anchors are followed without the code that made them: PDF glyphs inside
the rects, the standard's way through a CFI, the browser's way through a CSS selector. The disk holds the real
word index and the real packs; vectors are noise of the packaged model's width, since their size is all that counts.
What the word index's state holds free for its next batch is as large in any library, and stands by itself.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, plain, unmeasured
from zbm_core.documents.structure import Chunk, DocumentReport, Outcome, PdfAnchor
from zbm_core.library.records import ItemKey

PAGE_GOAL = 6_000
"""Bytes that a page of a PDF may take in words, vectors and packs together."""

WIDTH = 384
"""Components of a vector of the packaged model, a byte each."""

FILES = 60
"""Of the library's PDFs, beside all documents."""

TYPES = {"pdf": "application/pdf", "epub": "application/epub+zip", "html": "text/html"}

ENDS = {
    "password_needed.pdf": Outcome.PASSWORD,
    "scan_no_text_fr.pdf": Outcome.NO_TEXT,
    "scan_4p_rotations_no_text.pdf": Outcome.NO_TEXT,
    "derived_truncated.pdf": Outcome.DAMAGED,
    "derived_zero_bytes.pdf": Outcome.DAMAGED,
    "derived_html_named_pdf.pdf": Outcome.DAMAGED,
}
"""Outcomes other than INDEXED. A wrong table of contents (broken_xref) is mended; without its last third the truncated
file has no page tree; the comic of pictures (haruko_ja) has a page of text that says what it is."""

OVERLAPPING = {"angles.pdf", "korean_mixed_languages.pdf", "scientific_reports_5p.pdf"}
"""Files in which glyphs lie within each other's boxes, so that boxes cannot tell them apart."""


def run(options: argparse.Namespace) -> Iterator[Figure]:
    del options
    files = [path for kind in TYPES for path in sorted((DATA / "documents" / kind).glob("*"))]
    if not files:
        yield unmeasured("documents.outcomes", "no test data beside the project")
        return
    folder = Path(tempfile.mkdtemp(prefix="zbm-documents-"))
    try:
        library = sorted((DATA / "libraries" / "covidqa" / "storage").glob("*/*.pdf"))[:FILES]
        read = _read([*files, *library], folder / "packs")
        yield from _outcomes([entry for entry in read if entry[0] in files])
        yield from _anchors([entry for entry in read if entry[0] in files])
        yield from _disk([entry for entry in read if entry[1].pages], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


Read = tuple[Path, DocumentReport, list[Chunk], int]  # path, report, chunks, bytes of the pack


def _read(files: Sequence[Path], cache: Path) -> list[Read]:
    from zbm_core.documents import DocumentStore, Job

    documents = DocumentStore(cache)
    jobs = [
        Job(ItemKey(1, f"K{number:07}"), path, TYPES.get(path.parent.name, TYPES["pdf"]))
        for number, path in enumerate(files)
    ]
    found = []
    for job, report in documents.extract(jobs):
        chunks = documents.chunks(job.key) if report.chunks else []
        size = sum(pack.stat().st_size for pack in cache.glob(f"*/*{job.key.key}.pack"))
        found.append((job.path, report, chunks, size))
    documents.close()
    return sorted(found, key=lambda entry: files.index(entry[0]))


def _outcomes(read: Sequence[Read]) -> Iterator[Figure]:
    right = 0
    print(f"{'file':<38} {'expected':<11} {'outcome':<11} chunks  kept  languages, reason", file=sys.stderr)
    for path, report, chunks, _ in read:
        expected = ENDS.get(path.name, Outcome.INDEXED)
        as_it_should = report.outcome is expected and bool(report.chunks) == (expected is Outcome.INDEXED)
        as_it_should &= bool(report.reason) or expected is Outcome.INDEXED
        right += as_it_should
        said = " ".join(code for code, _ in report.languages)
        print(
            f"{path.name:<38} {expected:<11} {report.outcome:<11} {len(chunks):>6}  {report.kept:.2f}  "
            f"{said} {report.reason}{'' if as_it_should else '   WRONG'}",
            file=sys.stderr,
        )
    yield plain("documents.files", len(read), "files")
    yield at_least("documents.outcomes_right", 100 * right / len(read), 100, "% of files")


def _anchors(read: Sequence[Read]) -> Iterator[Figure]:
    for kind, followed in (("pdf", _held_by_rects), ("epub", _held_by_cfi), ("html", _held_by_css)):
        of_kind = [(path, chunks) for path, _, chunks, _ in read if path.parent.name == kind and chunks]
        total = sum(len(chunks) for path, chunks in of_kind if path.name not in OVERLAPPING)
        held = overlapping = overlapping_held = 0
        for path, chunks in of_kind:
            holds = followed(path, chunks)
            if path.name in OVERLAPPING:
                overlapping, overlapping_held = overlapping + len(chunks), overlapping_held + sum(holds)
                continue
            held += sum(holds)
            for chunk, hold in zip(chunks, holds, strict=True):
                if not hold:
                    print(
                        f"  not under its anchor: {path.name} {chunk.index} {chunk.text[:80]!r}",
                        file=sys.stderr,
                    )
        yield plain(f"documents.{kind}.chunks", total, "chunks")
        yield at_least(f"documents.{kind}.anchors_true", 100 * held / max(1, total), 100, "% of chunks")
        if overlapping:
            yield plain(f"documents.{kind}.overlapping", 100 * overlapping_held / overlapping, "% of chunks")


def _held_by_rects(path: Path, chunks: Sequence[Chunk]) -> list[bool]:
    from tests.support.recovery import Recovery, visible

    recovery = Recovery(path)
    holds = []
    for chunk in chunks:
        under = Counter(recovery.text(chunk.anchor)) if isinstance(chunk.anchor, PdfAnchor) else Counter()
        holds.append(not Counter(visible(chunk.text)) - under)
    recovery.close()
    return holds


def _held_by_cfi(path: Path, chunks: Sequence[Chunk]) -> list[bool]:
    from tests.support.text_recovery import Trees, in_order

    trees = Trees(path)
    holds = []
    for chunk in chunks:
        selectors = chunk.anchor.selectors if chunk.anchor is not None else ()
        holds.append(in_order(chunk.text, "".join(trees.text(selector.value) for selector in selectors)))
    trees.close()
    return holds


def _held_by_css(path: Path, chunks: Sequence[Chunk]) -> list[bool]:
    from selectolax.lexbor import LexborHTMLParser

    from tests.support.text_recovery import plain as visible
    from zbm_core.documents.markup.charset import decode

    page = LexborHTMLParser(decode(path.read_bytes(), markup=True).text)
    # What stands for a picture is no part of an element's textContent.
    pictures = {visible(picture.attributes.get("alt") or "") for picture in page.css("img[alt]")}
    holds = []
    for chunk in chunks:
        recovered = ""
        for selector in chunk.anchor.selectors if chunk.anchor is not None else ():
            element = page.css_first(selector.value)
            content = element.text(deep=True).encode("utf-16-le") if element is not None else b""
            recovered += content[2 * selector.start : 2 * selector.end].decode("utf-16-le", "replace")
        lines = [line for line in chunk.text.split("\n") if visible(line) not in pictures]
        # Hidden elements and boilerplate stand in the textContent too, in the middle of words if it must be.
        rest = iter(visible(recovered))
        wanted = visible("".join(lines))
        holds.append(all(char in rest for char in wanted))
    return holds


def _disk(read: Sequence[Read], folder: Path) -> Iterator[Figure]:
    """Bytes a page of the PDFs: all of them, with and without text."""
    import numpy as np

    from zbm_core.lexical import LexicalIndex
    from zbm_core.lexical.records import Source
    from zbm_core.search.records import Kind
    from zbm_core.semantic import EmbeddingSource, SemanticIndex
    from zbm_core.sources import hash_of

    read = [entry for entry in read if entry[0].suffix == ".pdf"]
    pages = sum(report.pages or 0 for _, report, _, _ in read)
    words = LexicalIndex.open(folder / "words", "benchmark")
    meaning = SemanticIndex(folder / "meaning" / "semantic.sqlite", "benchmark", "noise/1", WIDTH)
    rng = np.random.default_rng(1)
    for number, (_, report, chunks, _) in enumerate(read):
        key = ItemKey(1, f"P{number:07}")
        references = frozenset(chunk.index for chunk in chunks if chunk.is_reference)
        words.put(
            Source(
                key=key, kind=Kind.ATTACHMENT, top=key, stamp=report.digest,
                passages=[chunk.text for chunk in chunks], references=references,
            )
        )  # fmt: skip
        own = [chunk for chunk in chunks if not chunk.is_reference]
        indices, hashes = [chunk.index for chunk in own], [hash_of(chunk.embed_text) for chunk in own]
        meaning.put([EmbeddingSource(key, Kind.ATTACHMENT, key, report.digest, indices, hashes)])
        meaning.store([(key, indices, rng.integers(-127, 128, (len(own), WIDTH), dtype=np.int8))])
        if number % 20 == 19:
            words.commit()
    words.commit()
    words.close()
    meaning.close()
    free = _free(folder / "words" / "state.sqlite")
    parts = {
        "words": _size(folder / "words") - free,
        "vectors": _size(folder / "meaning"),
        "packs": sum(size for *_, size in read),
    }
    yield plain("documents.disk.pages", pages, "pages")
    yield plain(
        "documents.disk.chunks_per_page", sum(report.chunks for _, report, _, _ in read) / pages, "chunks"
    )
    for name, size in parts.items():
        yield plain(f"documents.disk.{name}", size / pages, "bytes a page")
    yield plain("documents.disk.free", free, "bytes in all")
    yield at_most("documents.disk.all", sum(parts.values()) / pages, PAGE_GOAL, "bytes a page")


def _free(file: Path) -> int:
    """Bytes of a database that hold nothing."""
    with closing(sqlite3.connect(file)) as db:
        [(pages,)], [(size,)] = db.execute("PRAGMA freelist_count"), db.execute("PRAGMA page_size")
    return pages * size


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
