"""Every document ends in exactly one outcome, and costs no other document anything."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.support import pdfs
from zbm_core.documents import DocumentStore, Job, Limits, NotCached, Outcome, pack, store
from zbm_core.documents.structure import DocumentReport
from zbm_core.errors import Cancelled, CancelToken, ZbmError
from zbm_core.library.records import ItemKey

ROOT = Path(__file__).resolve().parents[3]
BROKEN = [sys.executable, "-P", str(ROOT / "tests" / "support" / "broken_worker.py")]
PDF = "application/pdf"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def documents(cache: Path) -> Iterator[DocumentStore]:
    documents = DocumentStore(cache)
    yield documents
    documents.close()


def job(path: Path, number: int = 1, content_type: str = PDF) -> Job:
    return Job(ItemKey(1, f"KEY{number:05}"), path, content_type)


def read_one(documents: DocumentStore, path: Path, content_type: str = PDF) -> DocumentReport:
    [(_, report)] = documents.extract([job(path, content_type=content_type)])
    return report


def leftovers(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file() and path.suffix != ".pack"]


def test_document_is_read_stored_and_answered_at_once_the_next_time(
    documents: DocumentStore, tmp_path: Path, cache: Path
) -> None:
    path = pdfs.article(tmp_path / "article.pdf")
    report = read_one(documents, path)
    assert report.outcome is Outcome.INDEXED
    assert report.reason == ""
    assert documents.current(job(path)) == report
    key = job(path).key
    chunks = documents.chunks(key)
    assert len(chunks) == report.chunks > 5
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert documents.chunks(key, [3, 1]) == [chunks[3], chunks[1]]
    assert documents.report(key) == report
    assert documents.keys() == {key}
    assert [entry.title for entry in documents.outline(key)][-1] == "References"
    assert any(chunk.is_reference for chunk in chunks) and not chunks[0].is_reference
    assert leftovers(cache) == []
    other = DocumentStore(cache, command=lambda: ["/no/such/program"])
    assert read_one(other, path) == report
    documents.forget([key, ItemKey(9, "ABSENT00")])
    assert documents.report(key) is None
    with pytest.raises(NotCached):
        documents.chunks(key)


def test_changed_file_is_read_again(documents: DocumentStore, tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 2)
    assert read_one(documents, path).pages == 2
    pdfs.book(path, 3)
    assert read_one(documents, path).pages == 3


OUTCOMES = {
    "empty": Outcome.DAMAGED,
    "truncated": Outcome.DAMAGED,
    "page": Outcome.DAMAGED,
    "snapshot": Outcome.NO_TEXT,
    "book": Outcome.DAMAGED,
    "password": Outcome.PASSWORD,
    "owner": Outcome.INDEXED,
    "scan": Outcome.NO_TEXT,
    "missing": Outcome.MISSING,
    "folder": Outcome.UNSUPPORTED,
    "picture": Outcome.UNSUPPORTED,
    "whole": Outcome.INDEXED,
}


def bad_files(folder: Path) -> dict[str, Job]:
    whole = pdfs.article(folder / "whole.pdf")
    truncated = folder / "truncated.pdf"
    truncated.write_bytes(whole.read_bytes()[:900])
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "page.pdf").write_text("<!DOCTYPE html><html><body>Sign in</body></html>")
    (folder / "snapshot.html").write_text("<html><head></head></html>")
    (folder / "book.epub").write_bytes(b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/epub+zip")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (folder / "folder.pdf").mkdir()
    paths = {
        "empty": folder / "empty.pdf",
        "truncated": truncated,
        "page": folder / "page.pdf",
        "password": pdfs.encrypted(folder / "password.pdf", user_password="secret"),
        "owner": pdfs.encrypted(folder / "owner.pdf", user_password=""),
        "scan": pdfs.image_only(folder / "scan.pdf"),
        "missing": folder / "missing.pdf",
        "folder": folder / "folder.pdf",
        "whole": whole,
    }
    jobs = {name: job(path, number) for number, (name, path) in enumerate(paths.items())}
    jobs["snapshot"] = job(folder / "snapshot.html", 50, "text/html")
    jobs["book"] = job(folder / "book.epub", 51, "application/epub+zip")
    jobs["picture"] = job(folder / "picture.png", 52, "image/png")
    return jobs


def test_every_bad_file_ends_in_its_outcome_with_a_reason(cache: Path, tmp_path: Path) -> None:
    jobs = bad_files(tmp_path)
    documents = DocumentStore(cache, workers=2)
    reports = {job.key: report for job, report in documents.extract(list(jobs.values()))}
    found = {name: reports[job.key].outcome for name, job in jobs.items()}
    assert found == OUTCOMES
    for report in reports.values():
        assert (report.reason == "") == (report.outcome is Outcome.INDEXED)
    assert "web page" in reports[jobs["page"].key].reason
    assert reports[jobs["scan"].key].pages == 2
    # The second run reads nothing again, and says the same.
    again = DocumentStore(cache, command=lambda: ["/no/such/program"])
    assert {job.key: report for job, report in again.extract(list(jobs.values()))} == reports
    documents.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_file_that_may_not_be_read(documents: DocumentStore, tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "secret.pdf", 1)
    path.chmod(0)
    report = read_one(documents, path)
    assert report.outcome is Outcome.FAILED
    assert "permission" in report.reason


def test_limits_of_size_and_pages(cache: Path, tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 6)
    documents = DocumentStore(cache, limits=Limits(max_pages=5))
    report = read_one(documents, path)
    assert (report.outcome, report.pages) == (Outcome.TOO_LARGE, 6)
    assert "6 pages" in report.reason
    documents.close()
    documents = DocumentStore(cache / "other", limits=Limits(max_bytes=1000))
    assert read_one(documents, path).outcome is Outcome.TOO_LARGE
    documents.close()


def broken(cache: Path, **limits: float) -> DocumentStore:
    return DocumentStore(cache, workers=2, limits=Limits(**limits), command=lambda: BROKEN)


@pytest.mark.parametrize(
    ("fault", "limits", "words"),
    [
        ("crash", {}, "ended unexpectedly"),
        ("exit", {}, "exit code 7"),
        ("sleep", {"stall": 1.0}, "too long"),
        ("hang", {"cpu_base": 1.0}, "too long"),
        ("memory", {"memory": 200 << 20}, "too much memory"),
        ("garbage", {}, "makes no sense"),
    ],
)
def test_a_reader_that_fails_costs_its_document_only(
    cache: Path, tmp_path: Path, fault: str, limits: dict[str, float], words: str
) -> None:
    whole = pdfs.book(tmp_path / "whole.pdf", 2)
    paths = [whole, tmp_path / f"{fault}.pdf", *(tmp_path / f"more{n}.pdf" for n in range(3))]
    for path in paths[1:]:
        path.write_bytes(whole.read_bytes())
    documents = broken(cache, **limits)
    jobs = [job(path, number) for number, path in enumerate(paths)]
    reports = {job.path.stem: report for job, report in documents.extract(jobs)}
    documents.close()
    assert {stem: report.outcome for stem, report in reports.items()} == {
        path.stem: Outcome.FAILED if path.stem == fault else Outcome.INDEXED for path in paths
    }
    assert words in reports[fault].reason
    assert leftovers(cache) == []


def test_a_failed_document_is_tried_a_few_times_and_no_more(cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "exit.pdf"
    path.write_bytes(pdfs.book(tmp_path / "whole.pdf", 1).read_bytes())
    documents = broken(cache)
    for _ in range(store.MAX_ATTEMPTS):
        assert read_one(documents, path).outcome is Outcome.FAILED
    documents.close()
    idle = DocumentStore(cache, command=lambda: ["/no/such/program"])
    assert read_one(idle, path).outcome is Outcome.FAILED


def test_a_full_disk_is_said_and_loses_nothing(cache: Path, tmp_path: Path) -> None:
    whole = pdfs.book(tmp_path / "whole.pdf", 1)
    full = tmp_path / "full.pdf"
    full.write_bytes(whole.read_bytes())
    documents = broken(cache)
    assert read_one(documents, whole).outcome is Outcome.INDEXED
    with pytest.raises(ZbmError, match="disk is full"):
        list(documents.extract([job(full, 2)]))
    assert documents.keys() == {job(whole).key}
    assert leftovers(cache) == []
    documents.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_writing_a_pack_to_a_full_disk_leaves_no_part(tmp_path: Path) -> None:
    target = tmp_path / "1-KEY00000.pack"
    pack.part_of(target).symlink_to("/dev/full")
    header = pack.Header(DocumentReport(Outcome.NO_TEXT, "x" * 100_000), 0)
    with pytest.raises(OSError) as caught:
        pack.write(target, header)
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


def test_cache_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    documents = DocumentStore(tmp_path / "file" / "cache")
    path = pdfs.book(tmp_path / "book.pdf", 1)
    with pytest.raises(ZbmError, match="cannot be written"):
        read_one(documents, path)
    documents.close()


def test_program_that_does_not_start_is_no_fault_of_the_documents(cache: Path, tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 1)
    for command in (["/no/such/program"], [*BROKEN, "--never-start"]):
        documents = DocumentStore(cache, command=lambda command=command: command)
        with pytest.raises(ZbmError, match="does not start") as caught:
            read_one(documents, path)
        assert caught.value.detail
        assert documents.report(job(path).key) is None
        documents.close()


def sleeping_and_whole(tmp_path: Path) -> tuple[Path, Path]:
    whole = pdfs.book(tmp_path / "whole.pdf", 1)
    sleeper = tmp_path / "sleep.pdf"
    sleeper.write_bytes(whole.read_bytes())
    return whole, sleeper


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_cancelling_ends_the_children_and_keeps_what_is_done(cache: Path, tmp_path: Path) -> None:
    whole, sleeper = sleeping_and_whole(tmp_path)
    documents = DocumentStore(cache, command=lambda: BROKEN)
    token = CancelToken()
    done, children, others = [], [], psutil.Process().children()
    with pytest.raises(Cancelled):
        for finished, _ in documents.extract([job(whole, 1), job(sleeper, 2)], token):
            done.append(finished.path)
            children += [child for child in psutil.Process().children() if child not in others]
            threading.Timer(0.1, token.cancel).start()
    assert done == [whole]
    assert children and not any(map(is_alive, children))
    assert documents.report(job(whole, 1).key).outcome is Outcome.INDEXED
    assert documents.report(job(sleeper, 2).key) is None
    assert leftovers(cache) == []
    # The store goes on working.
    assert read_one(documents, pdfs.book(tmp_path / "next.pdf", 1)).outcome is Outcome.INDEXED
    documents.close()


def test_leaving_the_loop_early_ends_the_children(cache: Path, tmp_path: Path) -> None:
    whole, sleeper = sleeping_and_whole(tmp_path)
    documents = DocumentStore(cache, command=lambda: BROKEN)
    others = psutil.Process().children()
    results = documents.extract([job(whole, 1), job(sleeper, 2)])
    next(results)
    children = [child for child in psutil.Process().children() if child not in others]
    results.close()
    assert children and not any(map(is_alive, children))
    documents.close()


def test_current_documents_start_no_child_and_pass_in_their_turn(cache: Path, tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 1)
    documents = DocumentStore(cache)
    read_one(documents, path)
    documents.close()
    idle = DocumentStore(cache, command=lambda: ["/no/such/program"])
    drawn = []

    def jobs() -> Iterator[Job]:
        for number in range(3):
            drawn.append(number)
            yield job(path)

    for count, _ in enumerate(idle.extract(jobs()), 1):
        assert len(drawn) == count


@pytest.mark.parametrize("harm", ["cut", "flip", "swap", "other version", "no pack"])
def test_damaged_pack_counts_as_absent_and_is_made_again(
    documents: DocumentStore, tmp_path: Path, cache: Path, harm: str
) -> None:
    path = pdfs.article(tmp_path / "article.pdf")
    key = job(path).key
    report = read_one(documents, path)
    [file] = cache.rglob("*.pack")
    data = bytearray(file.read_bytes())
    match harm:
        case "cut":
            data = data[:-40]
        case "flip":
            data[len(data) - 100] ^= 0xFF
        case "swap":
            data[30:34] = b"\xff\xff\xff\x7f"
        case "other version":
            data[8] = 99
        case "no pack":
            data = bytearray(b"something else")
    file.write_bytes(bytes(data))
    with pytest.raises(NotCached):
        documents.chunks(key)
    assert documents.report(key) is None
    assert read_one(documents, path) == report
    assert documents.chunks(key)


def test_file_that_changes_while_it_is_read_is_read_again(cache: Path, tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 400)
    documents = DocumentStore(cache)
    results = documents.extract([job(path)])
    toucher = threading.Thread(target=_touch_when_open, args=(path,))
    toucher.start()
    [(_, report)] = list(results)
    toucher.join()
    if report.outcome is not Outcome.INDEXED:
        assert report.outcome is Outcome.FAILED
        assert "changed" in report.reason
    assert read_one(documents, path).outcome is Outcome.INDEXED
    documents.close()


def _touch_when_open(path: Path) -> None:
    time.sleep(0.5)
    os.utime(path, (1, 1))


def test_keys_are_no_paths(documents: DocumentStore, tmp_path: Path, cache: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 1)
    evil = Job(ItemKey(1, "../../x"), path, PDF)
    [(_, report)] = documents.extract([evil])
    assert report.outcome is Outcome.INDEXED
    assert documents.keys() == {evil.key}
    assert all(cache in file.parents for file in tmp_path.rglob("*.pack"))


def test_book_of_2800_pages(cache: Path, tmp_path: Path) -> None:
    """Read to the end within the bound of memory, each chunk found again without the rest."""
    path = pdfs.book(tmp_path / "book.pdf", 2_800)
    documents = DocumentStore(cache, limits=Limits(memory=700 << 20))
    report = read_one(documents, path)
    assert (report.outcome, report.pages) == (Outcome.INDEXED, 2_800)
    last = documents.chunks(job(path).key, [report.chunks - 1])[0]
    assert last.anchor.rects[-1].page == 2_799
    assert last.outline_path == ("Chapter 140: plots of the year",)
    documents.close()


def test_how_many_read_side_by_side_may_change_meanwhile(cache: Path, tmp_path: Path) -> None:
    wanted, counts, reports = 3, [], {}
    documents = DocumentStore(cache, workers=lambda: wanted)
    jobs = [job(pdfs.book(tmp_path / f"{n}.pdf", 3), n) for n in range(24)]
    for place, (done, report) in enumerate(documents.extract(jobs)):
        reports[done.key] = report
        counts.append(len(documents._pool._readers))
        if place == 7:
            wanted = 1  # someone is at the computer again
    assert max(counts[:8]) == 3
    # Each surplus child ends with the document it was at, and what it held behind it is read by another.
    assert counts[12:] == [1] * (len(jobs) - 12)
    assert len(reports) == len(jobs)
    assert {report.outcome for report in reports.values()} == {Outcome.INDEXED}
    wanted = 3
    more = [job(pdfs.book(tmp_path / f"{n}.pdf", 3), n) for n in range(30, 36)]
    assert len(list(documents.extract(more))) == 6
    assert len(documents._pool._readers) > 1
    documents.close()
