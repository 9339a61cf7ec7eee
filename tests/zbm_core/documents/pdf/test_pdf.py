"""Structured text of PDFs that were made by script."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from tests.support import pdfs
from zbm_core.documents.pdf.document import read_pdf
from zbm_core.documents.pdf.exact import RIGHT_TO_LEFT, _in_reading_order
from zbm_core.documents.structure import BlockKind, StructuredText

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo" / "library"


def read(path: Path) -> StructuredText:
    with pymupdf.open(path) as document:
        return read_pdf(document)


def texts(structured: StructuredText, *kinds: BlockKind) -> list[str]:
    return [block.text for block in structured.blocks if block.kind in kinds]


@pytest.fixture(scope="module")
def article(tmp_path_factory: pytest.TempPathFactory) -> StructuredText:
    return read(pdfs.article(tmp_path_factory.mktemp("article") / "article.pdf"))


def test_two_columns_are_read_one_after_the_other(article: StructuredText) -> None:
    wanted = [pdfs.paragraph(number) for number in range(1, 36)]
    body = " ".join(texts(article, BlockKind.PARAGRAPH))
    places = [body.find(paragraph[:60]) for paragraph in wanted]
    assert -1 not in places
    assert places == sorted(places)


def test_paragraphs_are_joined_over_lines_columns_and_pages(article: StructuredText) -> None:
    paragraphs = texts(article, BlockKind.PARAGRAPH)
    for number in range(1, 36):
        assert pdfs.paragraph(number) in paragraphs
    crossing = [
        block
        for block in article.blocks
        if block.kind is BlockKind.PARAGRAPH and len({span.rect.page for span in block.spans}) > 1
    ]
    assert crossing


def test_hyphenation_is_undone(article: StructuredText) -> None:
    body = " ".join(texts(article, BlockKind.PARAGRAPH))
    assert body.count("interaction and sedimentation") == 6
    assert "inter-" not in body and "sedi-" not in body


def test_running_headers_and_page_numbers_are_left_out(article: StructuredText) -> None:
    kept = [block.text for block in article.blocks if block.kind is not BlockKind.EXCLUDED]
    assert not any("Journal of Plots 12" in text for text in kept)
    assert not any(text.strip().isdigit() for text in kept)
    excluded = texts(article, BlockKind.EXCLUDED)
    assert excluded.count("Journal of Plots 12 (2021)") == len(article.pages)


def test_headings_by_font(article: StructuredText) -> None:
    assert [(entry.title, entry.level) for entry in article.outline] == [
        ("1 Introduction", 1),
        ("2 Methods", 1),
        ("2.1 Sampling", 2),
        ("References", 1),
    ]
    for entry in article.outline:
        assert article.blocks[entry.block].text == entry.title


def test_reference_list_is_recognised(article: StructuredText) -> None:
    references = texts(article, BlockKind.REFERENCE)
    assert len(references) == 15
    assert all(text.startswith(f"Author{number}, ") for number, text in enumerate(references, 1))


def test_page_labels_and_sizes(article: StructuredText) -> None:
    assert [page.label for page in article.pages][:4] == ["i", "ii", "7", "8"]
    assert {(page.width, page.height, page.rotation) for page in article.pages} == {(595.0, 842.0, 0)}


def test_spans_cover_every_visible_character(article: StructuredText) -> None:
    for block in article.blocks:
        covered = set()
        for span in block.spans:
            covered.update(range(span.start, span.end))
        assert all(index in covered for index, char in enumerate(block.text) if not char.isspace())


def test_outline_of_the_file_goes_before_the_fonts(tmp_path: Path) -> None:
    structured = read(pdfs.book(tmp_path / "book.pdf", 70))
    assert [entry.title for entry in structured.outline] == [
        f"Chapter {number}: plots of the year" for number in range(1, 5)
    ]
    assert [entry.page for entry in structured.outline] == [0, 20, 40, 60]
    assert all(structured.blocks[entry.block].kind is BlockKind.HEADING for entry in structured.outline)


def test_footnotes_and_captions_are_told_from_the_text(tmp_path: Path) -> None:
    setter = pdfs.Typesetter()
    setter.bottom = 600
    for number in range(3):
        setter.text(pdfs.paragraph(number))
    setter.at(56, 640, "Figure 1. Carbon in three plots, drawn from the cores of one summer.")
    setter.at(56, 720, "1 The cores were taken by hand and dried in the same week.", size=7)
    path = setter.save(tmp_path / "notes.pdf")
    structured = read(path)
    assert texts(structured, BlockKind.CAPTION) == [
        "Figure 1. Carbon in three plots, drawn from the cores of one summer."
    ]
    assert texts(structured, BlockKind.FOOTNOTE) == [
        "1 The cores were taken by hand and dried in the same week."
    ]


def test_a_page_drawn_out_of_order_is_read_in_order(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for column in (1, 0):  # the right column is drawn first
        left = pdfs.COLUMNS[column][0]
        for line in range(20):
            page.insert_text(
                (left, 80 + 13 * line), f"Line {column * 20 + line:02} of the page says this.", fontsize=10
            )
    document.save(tmp_path / "order.pdf")
    body = " ".join(block.text for block in read(tmp_path / "order.pdf").blocks)
    numbers = [int(word) for word in body.split() if word.isdigit()]
    assert numbers == sorted(numbers) and len(numbers) == 40


def test_three_columns_under_a_wide_title(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=612, height=792)
    for column in (2, 0, 1):
        for line in range(25):
            number = column * 25 + line
            page.insert_text(
                (45 + 180 * column, 120 + 13 * line), f"Row {number:02} is a full line", fontsize=10
            )
    page.insert_text((45, 80), "A title that runs over all the columns of the page", fontsize=20)
    document.save(tmp_path / "three.pdf")
    structured = read(tmp_path / "three.pdf")
    assert structured.blocks[0].text.startswith("A title that runs")
    numbers = [int(word) for block in structured.blocks for word in block.text.split() if word.isdigit()]
    assert numbers == list(range(75))


def test_text_turned_on_its_page_is_read_line_by_line(tmp_path: Path) -> None:
    structured = read(pdfs.turned_text(tmp_path / "turned.pdf"))
    body = " ".join(block.text for block in structured.blocks)
    assert body == " ".join(pdfs.sentence(line, 9) for line in range(15))


def test_chinese_lines_are_joined_without_spaces(tmp_path: Path) -> None:
    structured = read(pdfs.chinese(tmp_path / "chinese.pdf", 3))
    body = "".join(block.text for block in structured.blocks)
    assert body.count(pdfs.CHINESE) == 3


def test_lines_from_right_to_left_are_put_in_reading_order() -> None:
    # As a PDF draws them, from the left: ").1998 مع km 3,5 )Oke 2" with the marks MuPDF puts first.
    logical = "نحو (Oke 2 km) 3,5 عام 1998."
    places = [500 - 10 * index for index in range(len(logical))]
    for start, end in ((5, 13), (15, 18), (23, 27)):  # what reads from the left within the line
        places[start:end] = reversed(places[start:end])
    glyphs = [(char, (x, 0.0, x + 10.0, 10.0)) for char, x in zip(logical, places, strict=True)]
    shuffled = [glyphs[-1], *glyphs[4:9], *reversed(glyphs[:4]), *glyphs[9:-1]]
    assert "".join(char for char, _ in _in_reading_order(shuffled)) == logical


@pytest.mark.skipif(not any(DEMO.rglob("*.pdf")), reason="the demo library is not built")
def test_arabic_marks_and_numbers_stand_where_they_are_read() -> None:
    found = [
        " ".join(block.text for block in read(path).blocks)
        for path in DEMO.rglob("*.pdf")
        if RIGHT_TO_LEFT.search(path.name)
    ]
    assert any("(1833). " in body and "لوك (1833)" in body for body in found)


def test_invisible_text_of_a_scan_is_read(tmp_path: Path) -> None:
    structured = read(pdfs.with_invisible_text(tmp_path / "scan.pdf"))
    assert pdfs.sentence(5, 10) in " ".join(block.text for block in structured.blocks)


def test_note_marks_do_not_stick_to_words(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox(
        pymupdf.Rect(50, 50, 500, 300),
        "<p>These results<sup>3,4</sup> hold for 5 km<sup>2</sup> of soil.</p>",
    )
    document.save(tmp_path / "marks.pdf")
    body = " ".join(block.text for block in read(tmp_path / "marks.pdf").blocks)
    assert "results 3,4 hold" in body
    assert "km2" in body


def test_a_compound_keeps_its_hyphen_at_the_end_of_a_line(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    lines = [
        "The well-known method was used for all the samples of long-",
        "term plots, and the long-term plots we had were then com-",
        "pared with those of the same people taken in the COVID-",
        "19 year, before and after all of the ploughing in the pre-",
        "and post-war fields of the same people and their children.",
    ]
    page.insert_text((60, 100), lines, fontsize=10)
    document.save(tmp_path / "hyphens.pdf")
    body = " ".join(block.text for block in read(tmp_path / "hyphens.pdf").blocks)
    assert "samples of long-term plots" in body
    assert "then compared with those of the same people taken in the COVID-19 year" in body
    assert "pre- and post-war fields" in body


def test_printed_contents_are_left_out(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), "Contents", fontname="hebo", fontsize=14)
    for number in range(8):
        page.insert_text(
            (60, 110 + 15 * number), f"{number + 1} Chapter of plots {'. ' * 30}{number * 9 + 3}", fontsize=10
        )
    for line in range(20):
        page.insert_text((60, 300 + 15 * line), pdfs.sentence(line), fontsize=10)
    document.save(tmp_path / "contents.pdf")
    structured = read(tmp_path / "contents.pdf")
    kept = " ".join(block.text for block in structured.blocks if block.kind is not BlockKind.EXCLUDED)
    assert "Chapter of plots" not in kept
    assert pdfs.sentence(3) in kept


def test_progress_is_told_page_by_page(tmp_path: Path) -> None:
    seen: list[int] = []
    with pymupdf.open(pdfs.book(tmp_path / "book.pdf", 12)) as document:
        read_pdf(document, seen.append)
    assert seen[:12] == list(range(1, 13))


def test_a_damaged_page_costs_itself_only(tmp_path: Path) -> None:
    path = pdfs.book(tmp_path / "book.pdf", 3)
    path.write_bytes(path.read_bytes().replace(b"[7 0 R 9 0 R 11 0 R]", b"[7 0 R null 11 0 R]"))
    structured = read(path)
    assert structured.unread == 1
    assert {block.page for block in structured.blocks} == {0, 2}


def test_chapter_headings_that_look_alike_are_no_running_headers(tmp_path: Path) -> None:
    document = pymupdf.open()
    for number in range(9):
        page = document.new_page()
        page.insert_text((60, 60), f"Chapter {number + 1}", fontname="hebo", fontsize=16)
        page.insert_text((60, 90), [pdfs.sentence(number * 30 + line) for line in range(25)], fontsize=10)
    document.save(tmp_path / "chapters.pdf")
    titles = [entry.title for entry in read(tmp_path / "chapters.pdf").outline]
    assert titles == [f"Chapter {number}" for number in range(1, 10)]
