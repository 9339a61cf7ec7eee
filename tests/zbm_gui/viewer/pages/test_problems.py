"""Files that do not open: a page that says why, and what can be done."""

from __future__ import annotations

import pymupdf
import pytest
from PySide6.QtWidgets import QPushButton

from tests.zbm_gui.viewer.pages.conftest import drawn
from tests.zbm_gui.waiting import Catcher


def refused(reader, path) -> str:
    failed = Catcher(reader.load_failed)
    assert reader.open(path, "Bad") is False
    (said,) = failed.wait()
    assert reader.opening.problem.isVisible()
    assert not reader.view.isVisible()
    assert reader.opening.problem.state.title in said
    assert reader.page_count == 0
    return said


def buttons(reader) -> dict[str, QPushButton]:
    return {button.text(): button for button in reader.opening.problem.findChildren(QPushButton)}


def test_a_missing_file(reader, tmp_path):
    assert "not where" in refused(reader, tmp_path / "gone.pdf")
    assert "Try again" in buttons(reader)


def test_an_empty_file(reader, tmp_path):
    path = tmp_path / "empty.pdf"
    path.touch()
    assert "empty" in refused(reader, path)


def test_a_page_of_html(reader, tmp_path):
    path = tmp_path / "login.pdf"
    path.write_text("<html><body>Please sign in</body></html>")
    assert "not a PDF" in refused(reader, path)


def test_a_file_cut_off(reader, make_pdf):
    path = make_pdf("text " * 50, save={"deflate": True})
    path.write_bytes(path.read_bytes()[:300])
    assert "damaged" in refused(reader, path)


def test_a_folder(reader, tmp_path):
    refused(reader, tmp_path)


def test_an_encrypted_file_without_a_password_opens(reader, make_pdf):
    encryption = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "", "owner_pw": "owner"}
    assert reader.open(make_pdf("alpha", save=encryption), "Open")
    drawn(reader)


def test_try_again_opens_what_has_come(reader, make_pdf, tmp_path):
    path = tmp_path / "late.pdf"
    refused(reader, path)
    make_pdf("here now", name="late.pdf")
    buttons(reader)["Try again"].click()
    assert reader.page_count == 1
    assert reader.view.isVisible()


def test_a_good_file_after_a_bad_one_and_back(reader, make_pdf, tmp_path):
    refused(reader, tmp_path / "gone.pdf")
    assert reader.open(make_pdf("good"), "Good")
    drawn(reader)
    assert reader.view.isVisible()
    refused(reader, tmp_path / "gone.pdf")


@pytest.mark.parametrize(
    "name",
    ["derived_zero_bytes.pdf", "derived_html_named_pdf.pdf", "derived_truncated.pdf"],
)
def test_the_bad_ones_of_the_test_data_folder(reader, document, name):
    refused(reader, document(name))


@pytest.mark.parametrize(
    "name", ["derived_broken_xref.pdf", "encrypted_empty_password_form.pdf", "angles.pdf"]
)
def test_the_odd_ones_that_open(reader, document, name):
    assert reader.open(document(name), name)
    drawn(reader)


def test_every_call_is_harmless_without_a_document(reader):
    reader.go_to_page(3)
    reader.jump_to_page(3)
    reader.next_match()
    reader.focus_match(0)
    reader.find("x")
    reader.copy()
    reader.go_back()
    reader.show_matches([], 0)
    reader.set_annotations([])
    reader.set_outline([])
    reader.close_document()
    assert reader.current_page() == 0
