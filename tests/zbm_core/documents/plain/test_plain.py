"""Plain texts: paragraphs out of lines, headings, places in the file."""

from __future__ import annotations

import random
import textwrap
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.anchor_truth import holds, units
from tests.support.page_texts import Maker
from zbm_core.documents.chunker import cut
from zbm_core.documents.plain.document import form_of, read_plain, structured
from zbm_core.documents.structure import BlockKind, StructuredText

FORMS = ["", "markdown", "restructured", "tex", "subtitles", "rows"]


def blocks(text: str, form: str = "") -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in structured(text, form).blocks]


def check_places(source: str, text: StructuredText) -> None:
    """Every span is where it says, and the spans cover all that is visible."""
    for block in text.blocks:
        covered = 0
        for span in block.spans:
            node = span.node
            size = len(node.raw.encode("utf-16-le", "surrogatepass")) // 2
            assert units(source, node.at, node.at + size) == node.raw == block.text[span.start : span.end]
            covered += len(node.raw)
        assert covered >= len("".join(block.text.split()))
        for before, after in pairwise(block.spans):
            assert before.end <= after.start


def test_wrapped_lines_are_one_paragraph_at_any_width() -> None:
    make = Maker("wrapped")
    paragraphs = [make.text(5) for _ in range(8)]
    for width in (50, 66, 72, 80, 100):
        for end in ("\n", "\r\n", "\r"):
            source = (end * 2).join(textwrap.fill(text, width).replace("\n", end) for text in paragraphs)
            found = structured(source)
            assert [block.text for block in found.blocks] == paragraphs
            check_places(source, found)


def test_paragraphs_that_are_one_line_each_are_parted() -> None:
    make = Maker("lines")
    paragraphs = [make.text(5) for _ in range(8)]
    assert [block.text for block in structured("\n".join(paragraphs)).blocks] == paragraphs


def test_paragraphs_parted_by_indentation_alone() -> None:
    make = Maker("indented")
    paragraphs = [make.text(5) for _ in range(6)]
    source = "\n".join(textwrap.fill(text, 70, initial_indent="    ") for text in paragraphs)
    assert [block.text for block in structured(source).blocks] == paragraphs


def test_wrapped_chinese_is_joined_without_spaces() -> None:
    make = Maker("chinese", "zh")
    text = make.text(5)
    source = "\n".join("　　" * (at == 0) + text[at : at + 36] for at in range(0, len(text), 36))
    found = structured(source)
    assert [block.text for block in found.blocks] == [text]
    check_places(source, found)


def test_verse_keeps_its_lines_and_lists_their_items() -> None:
    verse = "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you."
    assert blocks(verse) == [("paragraph", verse)]
    items = blocks("Bring:\n- one pan\n  with a lid\n- two spoons\n\n1. First this\n2. Then that\n")
    assert items == [("paragraph", "Bring:"), ("list_item", "- one pan with a lid"), ("list_item", "- two spoons"),
                     ("list_item", "1. First this"), ("list_item", "2. Then that")]  # fmt: skip


MARKDOWN = """---
title: Not text
---
# Head *one* #

First line of
a paragraph with \U0001f600 in it.

Under
-----
> quoted
> words

```python
# no heading
def f():
    return 1
```

| a | b |
|---|---|
| 1 | 2 |

* item
  more
* second

    indented code

### Deep
"""


def test_markdown() -> None:
    found = structured(MARKDOWN, "markdown")
    assert [(entry.title, entry.level) for entry in found.outline] == [
        ("Head *one*", 1),
        ("Under", 2),
        ("Deep", 3),
    ]
    texts = [block.text for block in found.blocks]
    assert "First line of a paragraph with \U0001f600 in it." in texts
    assert "quoted words" in texts
    assert "# no heading\ndef f():\n    return 1" in texts
    assert "* item more" in texts and "* second" in texts
    assert any("indented code" in text for text in texts)
    assert not any("Not text" in text for text in texts)
    check_places(MARKDOWN, found)


def test_restructured_text_tex_and_subtitles() -> None:
    found = structured(
        "=====\nTitle\n=====\n\nwords\n\nPart\n----\n\nmore\n\nSub\n~~~\n\nPart 2\n------\n", "restructured"
    )
    assert [(entry.title, entry.level) for entry in found.outline] == [
        ("Title", 1),
        ("Part", 2),
        ("Sub", 3),
        ("Part 2", 2),
    ]
    source = "% a comment\n\\section*{On tides} Water comes\nand goes.\n\\subsection{Low}\nIt is gone.\n"
    found = structured(source, "tex")
    assert [(entry.title, entry.level) for entry in found.outline] == [("On tides", 2), ("Low", 3)]
    assert not any("comment" in block.text for block in found.blocks)
    check_places(source, found)
    source = "1\r\n00:00:01,000 --> 00:00:02,000\r\nThe tide\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\ncomes in.\r\n"
    assert blocks(source, "subtitles") == [("paragraph", "The tide comes in.")]


def test_rows_keep_their_lines() -> None:
    source = "\n".join(f"{n},heron,{n * 7}" for n in range(100))
    found = structured(source, "rows")
    assert "\n".join(block.text for block in found.blocks) == source
    assert len(found.blocks) > 1


@pytest.mark.parametrize(
    ("name", "content_type", "form"),
    [("a.md", "", "markdown"), ("a.TEX", "text/plain", "tex"), ("a", "text/markdown; charset=utf-8", "markdown"),
     ("a.csv", "", "rows"), ("a.srt", "", "subtitles"), ("a.txt", "text/plain", ""), ("", "", "")],
)  # fmt: skip
def test_forms_by_name_and_type(name: str, content_type: str, form: str) -> None:
    assert form_of(name, content_type) == form


def test_charsets_binaries_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Maker("russian", "ru").text(5)
    for charset in ("cp1251", "koi8_r", "utf-8", "utf-16", "utf-8-sig"):
        found = read_plain(text.encode(charset))
        assert found.text.blocks[0].text == text
        for chunk in cut(found.text):
            assert holds(text, chunk)
    chance = random.Random(1)
    for data in (bytes(1000), chance.randbytes(5000), b"\x7fELF\2\1\1" + bytes(range(256)) * 8):
        assert read_plain(data).binary
    assert not read_plain(text.encode()[:-1]).binary
    monkeypatch.setattr("zbm_core.documents.plain.document.MAX_BYTES", 1000)
    found = read_plain(b"Water comes and goes. " * 100)
    assert found.cut and found.text.notice
    assert len(found.text.blocks[0].text) <= 1000


def test_more_lines_than_are_read_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zbm_core.documents.plain.document.MAX_LINES", 100)
    for end in ("\n", "\r\n", "\r"):
        source = f"Water comes.{end}{end}" * 200
        found = read_plain(source.encode())
        assert found.cut and found.text.notice
        assert 25 <= len(found.text.blocks) <= 100
        check_places(source, found.text)
        assert not read_plain(f"Water.{end}".encode() * 50).cut


HOSTILE = {
    "hashes": "# a" + " " * 300_000 + "b", "rules": "- " * 200_000 + "x", "digits": "1" * 300_000, "quotes": "> " * 200_000,
    "equals": "=" * 300_000, "sections": "\\section{" * 30_000, "colons": "1:" * 200_000, "spaces": " " * 300_000 + "a",
    "one line": "word " * 200_000, "han": "字" * 300_000, "dots": ". " * 200_000, "fences": "```\n" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_line_takes_more_than_its_length(name: str) -> None:
    # A rule that tries again from each character would take hours here, and the suite's patience ends before.
    for form in FORMS:
        structured(HOSTILE[name], form)


def test_headings_are_headings_and_paths() -> None:
    found = cut(structured(MARKDOWN, "markdown"))
    assert found[0].outline_path[0] == "Head *one*"
    assert any(block.kind is BlockKind.HEADING for block in structured(MARKDOWN, "markdown").blocks)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=300), st.sampled_from(FORMS))
def test_any_text_has_blocks_whose_places_hold(source: str, form: str) -> None:
    found = structured(source, form)
    check_places(source, found)
    for chunk in cut(found):
        assert holds(source, chunk)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["# a", "---", "```", "> q", "- i", "  b", "", "| c", "===", "text", "中文字", "    x", "\f", "\\section{s} t", "1"]), max_size=25),
    st.sampled_from(FORMS),
    st.sampled_from(["\n", "\r\n", "\r"]),
)  # fmt: skip
def test_any_lines_have_blocks_whose_places_hold(lines: list[str], form: str, end: str) -> None:
    source = end.join(lines)
    check_places(source, structured(source, form))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    cut(read_plain(data, "a.md").text)
