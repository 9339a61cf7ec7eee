"""The text under a chunk's rects, read out of the file again, is the chunk's text."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from tests.support import pdfs
from tests.support.recovery import Recovery, visible
from zbm_core.documents.anchors import snapped
from zbm_core.documents.chunker import cut
from zbm_core.documents.pdf.document import read_pdf
from zbm_core.documents.structure import Rect

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = ROOT.parent / "shared" / "documents" / "pdf"
DEMO = ROOT / "resources" / "demo" / "library"

OVERLAPPING = {
    # Lines at angles over each other, and three copies of a text turned about one point.
    "angles.pdf": 4,
    "korean_mixed_languages.pdf": 4,
    # Formulas whose brackets have boxes over the lines above and below.
    "scientific_reports_5p.pdf": 6,
}
"""Chunks of real files that may differ: where glyphs lie within each other's boxes, boxes cannot tell them apart."""


def differing(path: Path) -> tuple[int, list[str]]:
    """How many chunks a file has, and what is wrong with those whose text is not under their rects.

    Characters are compared without their order: where boxes overlap (broken font metrics), the
    order in which glyphs are found is the file's and not the reader's.
    """
    with pymupdf.open(path) as document:
        if document.needs_pass or not document.page_count:
            return 0, []
        chunks = cut(read_pdf(document))
    recovery = Recovery(path)
    wrong = []
    for chunk in chunks:
        if chunk.anchor is None:
            wrong.append(f"{path.name} {chunk.index}: no anchor")
            continue
        under = recovery.text(chunk.anchor)
        if sorted(under) != sorted(visible(chunk.text)):
            wrong.append(f"{path.name} {chunk.index}: under the rects {under[:60]!r}")
    recovery.close()
    return len(chunks), wrong


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return pdfs.all_readable(tmp_path_factory.mktemp("pdfs"))


def test_text_under_the_rects_of_made_files(made: list[Path]) -> None:
    for path in made:
        count, wrong = differing(path)
        assert count, path.name
        assert wrong == []


def test_text_under_the_rects_is_in_reading_order(made: list[Path]) -> None:
    for path in made:
        with pymupdf.open(path) as document:
            chunks = cut(read_pdf(document))
        recovery = Recovery(path)
        for chunk in chunks:
            assert recovery.text(chunk.anchor) == visible(chunk.text)
        recovery.close()


def real_files() -> list[Path]:
    return sorted(DOCUMENTS.glob("*.pdf")) if DOCUMENTS.is_dir() else []


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.stem)
def test_text_under_the_rects_of_real_files(path: Path) -> None:
    if path.read_bytes()[:5] != b"%PDF-":
        pytest.skip("no PDF inside")
    _, wrong = differing(path)
    assert len(wrong) <= OVERLAPPING.get(path.name, 0), wrong


@pytest.mark.skipif(not any(DEMO.rglob("*.pdf")), reason="the demo library is not built")
def test_text_under_the_rects_of_the_demo_library() -> None:
    total = 0
    for path in sorted(DEMO.rglob("*.pdf")):
        count, wrong = differing(path)
        total += count
        assert wrong == []
    assert total


def test_rects_lie_in_the_crop_box_whatever_the_rotation(made: list[Path]) -> None:
    path = next(path for path in made if path.stem == "rotated")
    with pymupdf.open(path) as document:
        chunks = cut(read_pdf(document))
    # 600 x 800 media box; the crop box is (70, 90, 560, 700) from the top left.
    rects = [rect for chunk in chunks for rect in chunk.anchor.rects]
    assert {rect.page for rect in rects} == {0, 1, 2, 3}
    for rect in rects:
        assert 119 <= rect.left < rect.right <= 560
        assert 100 <= rect.bottom < rect.top <= 800 - 145


def test_snapping_rounds_outward_to_tenths() -> None:
    assert snapped(Rect(3, 10.04, 20.0, 30.01, 40.0)) == Rect(3, 10.0, 20.0, 30.1, 40.0)
