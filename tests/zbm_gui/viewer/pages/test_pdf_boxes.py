"""Page boxes against what another PDF engine says of the same files."""

from __future__ import annotations

import random
from pathlib import Path

import pymupdf
import pytest

from tests.zbm_gui.viewer.pages.conftest import DOCUMENTS
from zbm_gui.viewer.pages.pdf_boxes import PageBox, PageBoxes
from zbm_gui.viewer.pages.pdf_objects import PdfSyntax, Ref, parse


def expected(path: Path) -> list[tuple[float, ...]]:
    with pymupdf.open(path) as document:
        boxes = []
        for page in document:
            top, crop = page.mediabox.y1, page.cropbox
            boxes.append((crop.x0, top - crop.y1, crop.x1, top - crop.y0, page.rotation))
        return boxes


def read(path: Path) -> list[PageBox | None]:
    boxes = PageBoxes(path)
    with pymupdf.open(path) as document:
        count = document.page_count
    return [boxes.box(page) for page in range(count)]


@pytest.mark.parametrize("save", [{}, {"use_objstms": 1}, {"garbage": 4, "deflate": True}, {"linear": 0}])
@pytest.mark.parametrize("crop", [None, (30, 50, 380, 560)])
def test_boxes_of_turned_and_cropped_pages(make_pdf, save, crop):
    path = make_pdf("a", "b", "c", "d", rotation=(0, 90, 180, 270), crop=crop, save=save)
    for found, wanted in zip(read(path), expected(path), strict=True):
        assert found == pytest.approx(wanted, abs=0.01)


def test_the_documents_of_the_test_data_folder():
    files = sorted(DOCUMENTS.glob("*.pdf"))
    if not files:
        pytest.skip("the test data folder beside the project is absent")
    pymupdf.TOOLS.mupdf_display_errors(False)
    compared = 0
    for path in files:
        try:
            with pymupdf.open(path) as document:
                if document.needs_pass or not document.is_pdf or document.is_encrypted:
                    continue
                encrypted = document.metadata.get("encryption")
        except pymupdf.FileDataError:
            continue
        for found, wanted in zip(read(path), expected(path), strict=True):
            if found is None:
                # An encrypted file's pages may stand in object streams, which are encrypted with it.
                assert encrypted, path.name
                continue
            assert found == pytest.approx(wanted, abs=0.1), path.name
            compared += 1
    assert compared > 500


def test_a_deep_page_tree_is_walked_by_its_counts(make_pdf):
    path = make_pdf(*(["x"] * 40), rotation=tuple(90 * (n % 4) for n in range(40)))
    with pymupdf.open(path) as document:  # mupdf writes a flat tree: rebuild it in nodes of ten
        root = int(document.xref_get_key(document.pdf_catalog(), "Pages")[1].split()[0])
        pages = [document.page_xref(number) for number in range(40)]
        nodes = []
        for start in range(0, 40, 10):
            node = document.get_new_xref()
            kids = " ".join(f"{xref} 0 R" for xref in pages[start : start + 10])
            document.update_object(
                node, f"<</Type/Pages/Parent {root} 0 R/Count 10/Kids[{kids}]/MediaBox[0 0 400 600]>>"
            )
            nodes.append(node)
            for xref in pages[start : start + 10]:
                document.xref_set_key(xref, "Parent", f"{node} 0 R")
                document.xref_set_key(xref, "MediaBox", "null")
        document.xref_set_key(root, "Kids", "[" + " ".join(f"{node} 0 R" for node in nodes) + "]")
        nested = path.with_name("nested.pdf")
        document.save(nested)
    boxes = PageBoxes(nested)
    assert boxes.box(37) == PageBox(0, 0, 400, 600, 90)
    assert boxes.box(20) == PageBox(0, 0, 400, 600, 0)
    assert boxes.box(40) is None


def test_an_incremental_save_counts(make_pdf):
    path = make_pdf("a", "b")
    with pymupdf.open(path) as document:
        document[1].set_rotation(270)
        document.saveIncr()
    assert [box.rotation for box in read(path)] == [0, 270]


def test_a_broken_cross_reference_is_scanned(make_pdf):
    path = make_pdf("a", "b", rotation=(0, 90), crop=(10, 20, 390, 580))
    data = path.read_bytes()
    at = data.rindex(b"startxref")
    path.write_bytes(data[:at] + b"startxref\n12345678\n%%EOF\n")
    boxes = PageBoxes(path)
    assert boxes.box(1) == PageBox(10, 20, 390, 580, 90)


def test_junk_before_the_header_shifts_every_offset(make_pdf):
    path = make_pdf("a", rotation=180)
    path.write_bytes(b"junk of a mail program\n" + path.read_bytes())
    boxes = PageBoxes(path)
    assert boxes.box(0) == PageBox(0, 0, 400, 600, 180)


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4", b"<html></html>", b"%PDF-1.4\nstartxref\n9\n%%EOF"])
def test_what_is_no_pdf_has_no_boxes(tmp_path, content):
    path = tmp_path / "no.pdf"
    path.write_bytes(content)
    boxes = PageBoxes(path)
    assert boxes.box(0) is None


def test_damage_anywhere_never_raises(make_pdf):
    path = make_pdf("a", "b", "c", save={"use_objstms": 1})
    whole = path.read_bytes()
    chance = random.Random(7)
    for _round in range(150):
        data = bytearray(whole)
        for _byte in range(chance.randrange(1, 12)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(
            bytes(data[: chance.randrange(1, len(data))]) if chance.random() < 0.3 else bytes(data)
        )
        boxes = PageBoxes(path)
        for page in range(4):
            box = boxes.box(page)
            assert box is None or (box.left < box.right and box.rotation in (0, 90, 180, 270))


def test_references_in_a_circle_end(tmp_path):
    path = tmp_path / "circle.pdf"
    path.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Count 5/Kids[2 0 R]>>endobj\n"
        b"trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF"
    )
    boxes = PageBoxes(path)
    assert boxes.box(0) is None


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (
            b"<</A[1 -2.5 .5]/B 3 0 R/C(a\\)(b))/D<4a>>>",
            {"A": [1, -2.5, 0.5], "B": Ref(3, 0), "C": b"", "D": b""},
        ),
        (b"% comment\n [true false null /N]", [True, False, None, "N"]),
        (b"12 0", 12),
    ],
)
def test_objects(source, value):
    assert parse(source, 0)[0] == value


@pytest.mark.parametrize("source", [b"", b"<</A", b"[1", b"(abc", b"[" * 500, b"<<1 2>>", b"endobj"])
def test_broken_objects_are_said_to_be_so(source):
    with pytest.raises(PdfSyntax):
        parse(source, 0)
