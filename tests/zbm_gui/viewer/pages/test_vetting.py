"""Files that QtPdf would not come back from are told beforehand, and no other."""

from __future__ import annotations

import pymupdf
import pytest

from tests.support import hostile_pdfs
from tests.zbm_gui.viewer.pages.conftest import DOCUMENTS
from zbm_gui.viewer.pages import vetting


@pytest.mark.parametrize(
    ("name", "pages", "outline", "labels"),
    [
        ("deep page tree", False, True, True),
        ("page tree in itself", False, True, True),
        ("object stream", False, False, False),
        ("outline in itself", True, False, False),
        ("form in itself", True, True, True),
        ("many annotations", True, True, True),
        ("false count", True, True, True),
    ],
)
def test_circles_are_told(tmp_path, name, pages, outline, labels):
    path = tmp_path / "a.pdf"
    path.write_bytes(hostile_pdfs.BOMBS[name]())
    assert vetting.is_sound(path) is pages
    assert vetting.has_sound_outline(path) is outline
    assert vetting.has_sound_labels(path) is labels


def test_a_tree_without_its_cross_reference_is_told(tmp_path):
    data = hostile_pdfs.page_tree_in_itself()
    path = tmp_path / "a.pdf"
    path.write_bytes(data[: data.rindex(b"xref\n0")] + b"trailer << /Root 1 0 R >>\n")
    assert not vetting.is_sound(path)


@pytest.mark.parametrize("kids", [b"/Ki#64s", b"/Kids % a remark\n"])
def test_a_name_in_disguise_is_looked_at(tmp_path, kids):
    path = tmp_path / "a.pdf"
    path.write_bytes(hostile_pdfs.page_tree_in_itself().replace(b"/Kids ", kids))
    assert not vetting.is_sound(path)


@pytest.mark.parametrize("packed", [0, 1])
def test_a_thick_book_is_sound(tmp_path, packed):
    document = pymupdf.open()
    for number in range(600):
        document.new_page().insert_text((72, 72), f"page {number}")
    document.set_toc([[1 + number % 3, f"part {number}", number + 1] for number in range(300)])
    document.set_page_labels([{"startpage": 0, "prefix": "A-", "style": "D"}])
    path = tmp_path / "a.pdf"
    document.save(path, use_objstms=packed, garbage=3)
    assert vetting.is_sound(path) and vetting.has_sound_outline(path) and vetting.has_sound_labels(path)


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the test data folder is not beside the project")
def test_real_files_are_sound():
    for path in DOCUMENTS.glob("*.pdf"):
        assert vetting.is_sound(path), path
        assert vetting.has_sound_outline(path) and vetting.has_sound_labels(path), path


def test_what_is_no_file_is_left_to_the_reader(tmp_path):
    (tmp_path / "empty.pdf").write_bytes(b"")
    for path in (tmp_path / "empty.pdf", tmp_path / "missing.pdf", tmp_path):
        assert vetting.is_sound(path) and vetting.has_sound_outline(path)
