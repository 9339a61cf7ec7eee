"""Sniffing, token estimates, sentence ends, page labels, headings of reference lists."""

from __future__ import annotations

import pytest

from zbm_core.documents.pdf.labels import numeral
from zbm_core.documents.references import is_reference_heading
from zbm_core.documents.sentences import sentence_ends
from zbm_core.documents.sniff import FileKind, sniff
from zbm_core.documents.tokens import estimate


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"", FileKind.EMPTY),
        (b"%PDF-1.7\n", FileKind.PDF),
        (b"\r\n junk before %PDF-1.4", FileKind.PDF),
        (b"x" * 2000 + b"%PDF-1.4", FileKind.TEXT),
        (b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/epub+zip", FileKind.EPUB),
        (b"PK\x03\x04word/document.xml", FileKind.WORD),
        (b"  <!DOCTYPE html><html>", FileKind.HTML),
        (b"\xef\xbb\xbf<HTML lang='de'>", FileKind.HTML),
        (b"<?xml version='1.0'?>\n<!-- saved --><html xmlns='x'>", FileKind.HTML),
        ("<html>ü</html>".encode("utf-16"), FileKind.HTML),
        (b"<!-- a --><?x y?>\n<!-- b -->  <frameset>", FileKind.HTML),
        (b"<!---->" * 580 + b"x", FileKind.TEXT),  # a comment that may end anywhere is tried once
        (b"a:\r\n" * 1000, FileKind.TEXT),
        (b"Plain words", FileKind.TEXT),
        (b"\x89PNG\r\n\x1a\n\0\0", FileKind.IMAGE),
    ],
)
def test_files_are_known_by_their_first_bytes(head: bytes, kind: FileKind) -> None:
    assert sniff(head) is kind


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("word", 1),
        ("2024", 4),
        ("a, b.", 2.5),
        ("слово", 5 / 3),
        ("שלום!", 4 / 2.5 + 1),
        ("中文字", 3 / 1.4),
        ("かな", 2 / 1.4),
        ("한글", 2 / 1.4),
        ("ไทย", 3 / 1.5),
        ("λόγος", 5 / 2),
        ("naïve", 5 / 4),
        ("٣", 1),
        ("😀", 1),
    ],
)
def test_tokens_are_estimated_by_script(text: str, tokens: float) -> None:
    assert estimate(text) == pytest.approx(tokens)


def cut(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def test_sentences_end_at_spaces_and_cjk_stops() -> None:
    assert cut("One here. Two there? Three.") == ["One here. ", "Two there? ", "Three."]
    assert cut("第一句。第二句！」第三句") == ["第一句。", "第二句！」", "第三句"]
    assert cut("He left. “Why?” she asked.")[0] == "He left. "
    assert cut("See results.aspx?mode=2 now.") == ["See results.aspx?mode=2 now."]
    assert cut("As shown before.12,13 The next one.") == ["As shown before.12,13 ", "The next one."]
    assert cut("It was 12.5 Celsius there.") == ["It was 12.5 Celsius there."]
    assert cut("") == []


@pytest.mark.parametrize(
    ("number", "style", "label"),
    [
        (4, "D", "4"),
        (4, "r", "iv"),
        (1994, "R", "MCMXCIV"),
        (27, "a", "aa"),
        (26, "A", "Z"),
        (3, "", ""),
        (10**9, "r", "1000000000"),
        (-1, "R", "-1"),
    ],
)
def test_page_labels(number: int, style: str, label: str) -> None:
    assert numeral(number, style) == label


@pytest.mark.parametrize(
    "text",
    [
        "References", "REFERENCES", "7. References", "VII. Bibliography", "R E F E R E N C E S",
        "Literaturverzeichnis", "Références bibliographiques", "Bibliografía", "参考文献", "参 考 文 献",
        "참고문헌", "Список литературы", "المراجع", "Kaynakça", "References:", "五、参考文献",
    ],
)  # fmt: skip
def test_headings_of_reference_lists(text: str) -> None:
    assert is_reference_heading(text)


@pytest.mark.parametrize(
    "text",
    ["Reference values of iron", "We checked the references.", "Literature review", "", "参考文献の書き方"],
)
def test_other_headings_are_none(text: str) -> None:
    assert not is_reference_heading(text)
