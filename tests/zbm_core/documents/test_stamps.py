"""A stamp says by what a document was read, and so whether it must be read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from zbm_core.documents import stamps
from zbm_core.documents.stamps import ABSENT, cache_stamp, file_stamp, is_current, stamp_of
from zbm_core.documents.structure import DocumentReport, Outcome

FILE = "100|1700000000000000000"


def report(
    extractor: str, outcome: Outcome = Outcome.INDEXED, *, cache: str = "", fallback: bool = False
) -> DocumentReport:
    return DocumentReport(outcome, stamp=stamp_of(FILE, extractor, cache), fallback=fallback)


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch):
    def raise_(name: str) -> None:
        monkeypatch.setitem(stamps.EXTRACTOR_VERSIONS, name, stamps.EXTRACTOR_VERSIONS[name] + 1)

    return raise_


def test_a_newer_extractor_counts_for_its_own_format(newer) -> None:
    known = {name: report(name) for name in stamps.EXTRACTOR_VERSIONS}
    assert all(is_current(known[name], FILE) for name in known)
    newer("html")
    assert [name for name in known if not is_current(known[name], FILE)] == ["html"]


def test_what_no_extractor_read_is_looked_at_again_by_any_newer_one(newer) -> None:
    unread = [report("", outcome) for outcome in (Outcome.UNSUPPORTED, Outcome.FAILED)]
    assert all(is_current(one, FILE) for one in unread)
    newer("epub")
    assert not any(is_current(one, FILE) for one in unread)


def test_another_size_or_time_is_another_file() -> None:
    assert not is_current(report("pdf"), "101|1700000000000000000")
    assert not is_current(report("pdf"), "100|1700000000000000001")
    assert not is_current(report("pdf"), ABSENT)


def test_the_cut_counts_for_documents_that_have_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    indexed, scan = report("pdf"), report("pdf", Outcome.NO_TEXT)
    monkeypatch.setattr(stamps, "CHUNKER_VERSION", stamps.CHUNKER_VERSION + 1)
    assert is_current(indexed, FILE) and is_current(scan, FILE)
    monkeypatch.setattr(stamps, "MIN_CHUNKER_VERSION", stamps.CHUNKER_VERSION)
    assert not is_current(indexed, FILE) and is_current(scan, FILE)


def test_zoteros_text_counts_where_the_file_gave_none(tmp_path: Path) -> None:
    whole, scan = report("pdf"), report("pdf", Outcome.NO_TEXT)
    assert cache_stamp(tmp_path) == cache_stamp(None) == cache_stamp(tmp_path / "absent") == ""
    assert is_current(whole, FILE, tmp_path) and is_current(scan, FILE, tmp_path)
    (tmp_path / ".zotero-ft-cache").write_text("A text.")
    assert is_current(whole, FILE, tmp_path) and not is_current(scan, FILE, tmp_path)
    read = report("", cache=cache_stamp(tmp_path), fallback=True)
    assert is_current(read, FILE, tmp_path)
    (tmp_path / ".zotero-ft-unprocessed").write_text("{}")
    assert not is_current(read, FILE, tmp_path)


@pytest.mark.parametrize("stamp", ["", "100|1|2|2.256", "a|b", "|||||||", f"{FILE}|pdf3|x|"])
def test_stamps_of_other_forms_are_of_no_file(stamp: str) -> None:
    assert not is_current(DocumentReport(Outcome.INDEXED, stamp=stamp), FILE)


def test_a_file_has_size_and_time(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"12345")
    assert file_stamp(file) == f"5|{file.stat().st_mtime_ns}"
    with pytest.raises(OSError):
        file_stamp(tmp_path / "absent")
