import pymupdf
import pytest

from zbm_core.documents.pdf.labels import numeral, page_labels


def labelled(dictionaries: str, pages: int = 6) -> list[str]:
    """The labels of a file whose label tree is written as *dictionaries*."""
    document = pymupdf.open()
    for _ in range(pages):
        document.new_page()
    document.xref_set_key(document.pdf_catalog(), "PageLabels", f"<</Nums[{dictionaries}]>>")
    with pymupdf.open("pdf", document.tobytes()) as again:
        return page_labels(again)


def test_roman_front_matter_then_numbers():
    assert labelled("0<</S/r>>3<</S/D>>") == ["i", "ii", "iii", "1", "2", "3"]


def test_a_type_is_no_prefix():
    assert labelled("0<</Type/PageLabel/S/D/St 211>>") == ["211", "212", "213", "214", "215", "216"]
    assert labelled("0<</S/D/St 9/Type /PageLabel>>", 2) == ["9", "10"]


@pytest.mark.parametrize(
    ("prefix", "text"),
    [("(A-)", "A-"), (r"(S\(1\)-)", "S(1)-"), (r"(\101.)", "A."), ("<422D>", "B-"), ("<FEFF7B2C>", "第")],
)
def test_prefixes_in_every_way_a_string_is_written(prefix, text):
    assert labelled(f"0<</S/D/P{prefix}>>", 2) == [f"{text}1", f"{text}2"]


def test_a_prefix_without_a_number():
    assert labelled("0<</P(Cover)>>1<</S/A>>", 3) == ["Cover", "A", "B"]


def test_no_labels_and_broken_ones():
    assert labelled("") == [""] * 6
    assert len(labelled("0<</S/Q/St -5>>")) == 6


def test_numerals():
    assert [numeral(n, "r") for n in (4, 9, 14, 40, 1999)] == ["iv", "ix", "xiv", "xl", "mcmxcix"]
    assert [numeral(n, "A") for n in (1, 26, 27, 53)] == ["A", "Z", "AA", "AAA"]
    assert numeral(10_000, "R") == "10000"
