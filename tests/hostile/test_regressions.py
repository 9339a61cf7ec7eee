"""What once cost a child, made small by script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.conftest import Read
from tests.support import epubs, hostile_pdfs
from tests.support.hostile_texts import PROSE
from zbm_core.documents import Outcome, pack
from zbm_core.documents.structure import Chunk, DocumentReport, PdfAnchor, Rect


def test_an_entry_without_a_name(tmp_path: Path, read: Callable[..., Read]) -> None:
    path = epubs.book(tmp_path / "a.epub", [PROSE], more={"OEBPS/q.css": b""})
    data = path.read_bytes()
    at = data.rindex(b"OEBPS/q.css")
    path.write_bytes(data[:at] + b"\0" + data[at + 1 :])  # a name ends at its first null
    assert read(path, "application/epub+zip").report.outcome is Outcome.INDEXED


def test_an_undeclared_name_in_an_outline(tmp_path: Path, read: Callable[..., Read]) -> None:
    path = epubs.book(tmp_path / "a.epub", [PROSE], nav='<nav epub:type="toc"><ol><li>&what;</li></ol></nav>')
    assert read(path, "application/epub+zip").report.outcome is Outcome.INDEXED


@pytest.mark.parametrize("far", [1e9, -1e30, float("inf"), float("nan")])
def test_text_set_far_off_its_page(tmp_path: Path, far: float) -> None:
    rect = Rect(0, far, far, far, far)
    chunk = Chunk(0, "text", "text", (), (), False, PdfAnchor((rect, Rect(0, 1.0, 2.0, 3.0, 4.0))), (0, 1))
    path = tmp_path / "a.pack"
    pack.write(path, pack.Header(DocumentReport(Outcome.INDEXED), 0), [chunk], ())
    [found] = pack.read_chunks(path, None)
    assert isinstance(found.anchor, PdfAnchor) and found.anchor.rects[1] == Rect(0, 1.0, 2.0, 3.0, 4.0)


def test_a_page_that_is_read_with_a_huge_number(tmp_path: Path, read: Callable[..., Read]) -> None:
    path = tmp_path / "a.pdf"
    text = b"BT /F1 10 Tf 1 0 0 1 50 18446744073709551616 Tm (far off the page and still a text of it) Tj ET "
    path.write_bytes(hostile_pdfs.one_page(hostile_pdfs.stream(hostile_pdfs.SENTENCES + text)))
    assert read(path, "application/pdf").report.outcome is Outcome.INDEXED
