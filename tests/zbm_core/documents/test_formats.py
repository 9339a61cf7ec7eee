"""Every kind of file ends in its outcome, read by the reader of its kind, whatever its name and type say."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import pdfs
from tests.support.pages import all_pages
from zbm_core.documents import DocumentStore, Job, Outcome, formats, worker
from zbm_core.documents.ft_cache import REASON
from zbm_core.documents.sniff import FileKind, kind_of, sniff
from zbm_core.documents.structure import DocumentReport
from zbm_core.library.records import ItemKey

PROSE = "The heron stands in the shallow water and waits until a fish comes near enough to be caught. " * 3
PAGE = f"<!DOCTYPE html><html><body><p>{PROSE}</body></html>"


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[DocumentStore]:
    documents = DocumentStore(tmp_path / "cache")
    yield documents
    documents.close()


def read(
    documents: DocumentStore, path: Path | None, content_type: str = "", folder: Path | None = None
) -> DocumentReport:
    [(_, report)] = documents.extract([Job(ItemKey(1, "KEY00001"), path, content_type, folder)])
    return report


KINDS: list[tuple[str, bytes, FileKind]] = [
    ("a.docx", b"PK\x03\x04" + bytes(26) + b"word/document.xml", FileKind.WORD),
    ("a.xlsx", b"PK\x03\x04" + bytes(26) + b"xl/workbook.xml", FileKind.SPREADSHEET),
    ("a.pptx", b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", FileKind.SLIDES),
    ("a.odt", b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.text", FileKind.OPEN_DOCUMENT),
    ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), FileKind.OFFICE),
    ("a.rtf", b"{\\rtf1\\ansi text}", FileKind.RTF),
    ("a.djvu", b"AT&TFORM\0\0\0\x10DJVU", FileKind.DJVU),
    ("a.mobi", b"A book".ljust(60, b"\0") + b"BOOKMOBI", FileKind.KINDLE),
    ("a.ps", b"%!PS-Adobe-3.0", FileKind.POSTSCRIPT),
    ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(20), FileKind.IMAGE),
    ("a.jpg", b"\xff\xd8\xff\xe0" + bytes(20), FileKind.IMAGE),
    ("a.bmp", b"BM" + bytes(20), FileKind.IMAGE),
    ("a.mp3", b"ID3\x04" + bytes(20), FileKind.AUDIO),
    ("a.mp4", b"\0\0\0\x20ftypisom" + bytes(20), FileKind.VIDEO),
    ("a.zip", b"PK\x03\x04" + bytes(26) + b"notes.txt", FileKind.ZIP),
]  # fmt: skip


def test_kinds_that_are_not_read_are_named(documents: DocumentStore, tmp_path: Path) -> None:
    jobs = []
    for number, (name, data, kind) in enumerate(KINDS):
        assert kind_of(data, name) is kind, name
        (tmp_path / name).write_bytes(data)
        jobs.append(Job(ItemKey(1, f"KEY{number:05}"), tmp_path / name, ""))
    for job, report in documents.extract(jobs):
        kind = next(kind for name, _, kind in KINDS if name == job.path.name)
        assert report.outcome is Outcome.UNSUPPORTED
        assert report.reason.casefold().startswith(kind.value.casefold()), report.reason


@pytest.mark.parametrize(
    ("name", "content_type", "head", "kind"),
    [
        ("a.html", "", b"<div>no head", FileKind.HTML),
        ("a", "text/html", "<div>".encode("utf-16-le"), FileKind.HTML),
        ("a", "application/xhtml+xml", b"<?xml version='1.0'?><svg/>", FileKind.HTML),
        ("a.txt", "text/plain", b"<!DOCTYPE html><p>", FileKind.TEXT),
        ("a.txt", "", b"<!DOCTYPE html><p>", FileKind.HTML),
        ("a.epub", "application/epub", b"PK\x03\x04" + bytes(26) + b"OEBPS/a.html", FileKind.EPUB),
        ("a.txt", "text/plain", "words".encode("utf-16-le"), FileKind.TEXT),
        ("a.txt", "text/plain", b"BM is how this text begins", FileKind.TEXT),
        ("a.txt", "text/plain", b"%PDF-1.4", FileKind.PDF),
        (
            "a.mht",
            "",
            b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n",
            FileKind.WEB_ARCHIVE,
        ),
        ("a.eml", "", b"From: a\nContent-Type: multipart/mixed; boundary=x\n\n", FileKind.TEXT),
    ],
)
def test_names_and_types_settle_what_bytes_do_not(
    name: str, content_type: str, head: bytes, kind: FileKind
) -> None:
    assert kind_of(head, name, content_type) is kind


def test_any_head_has_a_kind() -> None:
    import random

    chance = random.Random(3)
    for _ in range(2000):
        head = chance.choice([b"", b"PK\x03\x04", b"<", b"{", b"II*\0"]) + chance.randbytes(
            chance.randrange(100)
        )
        assert isinstance(sniff(head), FileKind)
        assert isinstance(kind_of(head, "a.html", "text/plain"), FileKind)


def test_pages_and_texts_are_read(documents: DocumentStore, tmp_path: Path) -> None:
    page = next(page for page in all_pages() if page.name == "wikipedia_legacy")
    files = {
        "page.html": ("text/html", page.html.encode()),
        "snapshot.htm": ("", PAGE.encode("utf-16")),
        "notes.md": ("text/markdown", f"# Notes\n\n{PROSE}".encode()),
        "old.txt": ("text/plain", ("Библиотека собирает книги. " * 9).encode("koi8_r")),
        "data.json": ("application/json", b'{"a": "a value of some length"}'),
    }
    jobs = []
    for number, (name, (content_type, data)) in enumerate(files.items()):
        (tmp_path / name).write_bytes(data)
        jobs.append(Job(ItemKey(1, f"KEY{number:05}"), tmp_path / name, content_type))
    for job, report in documents.extract(jobs):
        assert (report.outcome, report.reason, report.pages) == (Outcome.INDEXED, "", None), job.path
        chunks = documents.chunks(job.key)
        assert all(chunk.anchor is not None for chunk in chunks)
    assert documents.outline(jobs[0].key)[0].title in page.article
    assert documents.chunks(jobs[2].key)[0].outline_path == ("Notes",)


def test_what_cannot_be_read_says_why(documents: DocumentStore, tmp_path: Path) -> None:
    cases = {
        "empty.html": (b"", Outcome.DAMAGED),
        "script.html": (b"<html><script>var a</script></html>", Outcome.NO_TEXT),
        "blank.txt": (b" \n\n", Outcome.NO_TEXT),
        "binary.txt": (bytes(range(256)) * 20, Outcome.DAMAGED),
        "broken.mht": (
            b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n",
            Outcome.DAMAGED,
        ),
    }
    jobs = []
    for number, (name, (data, _)) in enumerate(cases.items()):
        (tmp_path / name).write_bytes(data)
        jobs.append(Job(ItemKey(1, f"KEY{number:05}"), tmp_path / name, ""))
    for job, report in documents.extract(jobs):
        assert report.outcome is cases[job.path.name][1], job.path
        assert report.reason.endswith(".")


def test_scan_is_searched_by_zoteros_text_until_that_is_gone(
    documents: DocumentStore, tmp_path: Path
) -> None:
    folder = tmp_path / "KEY00001"
    folder.mkdir()
    path = pdfs.image_only(folder / "scan.pdf")
    (folder / ".zotero-ft-cache").write_text(PROSE + "\n\n\f" + PROSE, "utf-8")
    report = read(documents, path, "application/pdf", folder)
    assert (report.outcome, report.fallback, report.reason, report.pages) == (
        Outcome.INDEXED,
        True,
        REASON,
        2,
    )
    [*chunks] = documents.chunks(ItemKey(1, "KEY00001"))
    assert chunks and all(chunk.anchor is None and chunk.page_labels == () for chunk in chunks)
    (folder / ".zotero-ft-cache").unlink()
    assert read(documents, path, "application/pdf", folder).outcome is Outcome.NO_TEXT


def test_absent_file_is_searched_by_zoteros_text(documents: DocumentStore, tmp_path: Path) -> None:
    folder = tmp_path / "KEY00001"
    folder.mkdir()
    assert read(documents, None, "application/pdf", folder).outcome is Outcome.MISSING
    (folder / ".zotero-ft-unprocessed").write_text(json.dumps({"text": PROSE, "version": 1}), "utf-8")
    report = read(documents, None, "application/pdf", folder)
    assert (report.outcome, report.fallback, report.pages) == (Outcome.INDEXED, True, None)


def test_a_child_that_reads_pages_loads_no_reader_of_pdfs(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    code = (
        "import sys, json; from pathlib import Path; from zbm_core.documents import worker\n"
        f"path = Path({str(tmp_path / 'a.html')!r})\n"
        "message = dict(job=0, path=str(path), type='text/html', target=str(path) + '.pack', file=worker.file_stamp(path),"
        " cache='', fallback='', attempts=0, stall=60, memory=2**30, max_bytes=10**9, max_pages=100)\n"
        "before = set(sys.modules); worker.handle(message, lambda sent: None)\n"
        "print(json.dumps([sorted(before & {'pymupdf', 'selectolax', 'lxml'}), 'pymupdf' in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[], False]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(MemoryError(), Outcome.FAILED), (RecursionError(), Outcome.DAMAGED), (PermissionError(13, "no"), Outcome.FAILED),
     (FileNotFoundError(), Outcome.MISSING), (OSError(5, "Input/output error"), Outcome.FAILED)],
)  # fmt: skip
def test_errors_of_a_reader_are_outcomes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, outcome: Outcome
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(formats, "_text", fails)
    # Here the child's main runs in the tests' own process, whose memory it must not bound for all that follow.
    monkeypatch.setattr(worker.restraints, "bound_memory", lambda most: None)
    path = tmp_path / "a.txt"
    path.write_text(PROSE)
    message = {
        "job": 0, "path": str(path), "type": "", "target": str(tmp_path / "a.pack"), "cache": "", "fallback": "",
        "file": worker.file_stamp(path), "attempts": 0, "stall": 60, "memory": 2**30, "max_bytes": 10**9, "max_pages": 10,
    }  # fmt: skip
    from zbm_core import processes
    from zbm_core.documents.pack import read_header

    try:
        worker.handle(message, lambda sent: None)
    finally:
        processes.relax()
    report = read_header(tmp_path / "a.pack").report
    assert report.outcome is outcome
    assert report.reason.endswith(".")


def test_book_in_any_order_of_entries_is_a_book(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/container.xml", "<container/>")
        archive.writestr("mimetype", "application/epub+zip")
    assert formats.format_of(path, "", 10**9) == "epub"
