"""Cutting along sections and into balanced parts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.pdfs import CHINESE, paragraph
from zbm_core.documents.chunker import (
    CHUNK_TOKENS,
    CHUNKER_VERSION,
    MIN_CHUNKER_VERSION,
    MIN_TOKENS,
    OVERLAP_TOKENS,
    cut,
    cut_plain,
)
from zbm_core.documents.structure import Block, BlockKind, Chunk, OutlineEntry, StructuredText
from zbm_core.documents.tokens import estimate


def document(*blocks: Block | str, outline: tuple[OutlineEntry, ...] = ()) -> StructuredText:
    made = tuple(Block(BlockKind.PARAGRAPH, b, ()) if isinstance(b, str) else b for b in blocks)
    return StructuredText(made, outline, ())


def heading(text: str) -> Block:
    return Block(BlockKind.HEADING, text, (), 1)


def entry(title: str, block: int, level: int = 1) -> OutlineEntry:
    return OutlineEntry(title, level, 0, block)


def words(chunks: list[Chunk]) -> set[str]:
    return {word for chunk in chunks for word in chunk.text.split()}


LONG = " ".join(paragraph(number) for number in range(40))


def test_short_text_is_one_chunk() -> None:
    [chunk] = cut_plain("A short note.\n\nWith two paragraphs.")
    assert chunk.text == "A short note.\n\nWith two paragraphs."
    assert chunk.embed_text == chunk.text
    assert (chunk.index, chunk.outline_path, chunk.page_labels, chunk.anchor) == (0, (), (), None)
    assert chunk.page_at(0) == (None, "")


@pytest.mark.parametrize("text", ["", "   \n\n \t", "\f"])
def test_nothing_makes_no_chunk(text: str) -> None:
    assert cut_plain(text) == []


def test_line_endings_and_wrapping_make_no_difference() -> None:
    text = "First line\nof a paragraph.\n\nSecond\nparagraph.\n"
    assert cut_plain(text) == cut_plain(text.replace("\n", "\r\n")) == cut_plain(text.replace("\n", "\r"))
    assert cut_plain(text)[0].text == "First line of a paragraph.\n\nSecond paragraph."
    assert cut_plain("one\n\f\ntwo")[0].text == "one two"


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=3000))
@settings(max_examples=60, deadline=None)
def test_any_text_is_cut_within_the_size_and_loses_nothing(text: str) -> None:
    chunks = cut_plain(text)
    joined = "".join("".join(chunk.text.split()) for chunk in chunks)
    wanted = "".join(" ".join(text.replace("\f", " ").split()).split())
    assert all(estimate(chunk.embed_text) <= CHUNK_TOKENS + 1 for chunk in chunks)
    # Overlaps repeat; nothing is missing.
    position = 0
    for char in joined:
        if position < len(wanted) and char == wanted[position]:
            position += 1
    assert position == len(wanted)


@pytest.mark.parametrize("text", [LONG, CHINESE * 30, "word" * 5000, "字" * 5000, "1 " * 4000, "(" * 900])
def test_every_chunk_fits(text: str) -> None:
    chunks = cut_plain(text)
    assert len(chunks) > 1
    assert all(estimate(chunk.embed_text) <= CHUNK_TOKENS + 1 for chunk in chunks)


def test_parts_are_even_and_none_is_undersized() -> None:
    sizes = [estimate(chunk.text) for chunk in cut_plain(LONG)]
    assert min(sizes) > CHUNK_TOKENS / 2
    assert max(sizes) - min(sizes) < CHUNK_TOKENS / 2


def test_cuts_fall_between_paragraphs_where_these_fit() -> None:
    paragraphs = [paragraph(number, 7) for number in range(6)]
    chunks = cut_plain("\n\n".join(paragraphs))
    for chunk in chunks:
        assert all(part in paragraphs for part in chunk.text.split("\n\n"))
    assert "\n\n".join(chunk.text for chunk in chunks) == "\n\n".join(paragraphs)


def test_a_cut_within_a_paragraph_falls_at_a_sentence_and_overlaps() -> None:
    chunks = cut_plain(LONG)
    for before, after in pairwise(chunks):
        assert before.text.endswith(".")
        shared = next(
            length for length in range(len(after.text), -1, -1) if before.text.endswith(after.text[:length])
        )
        assert 0 < estimate(after.text[:shared]) <= OVERLAP_TOKENS + 1


def test_chinese_is_cut_at_its_full_stops() -> None:
    chunks = cut_plain(CHINESE * 10)
    assert len(chunks) > 3
    assert all(chunk.text[-1] in "。；" for chunk in chunks)


def test_a_stop_within_a_word_is_no_end_of_a_sentence() -> None:
    text = "See https://example.org/results.aspx?mode=Publication&type=1 and e.g. Fig. 3. " * 40
    for chunk in cut_plain(text):
        assert chunk.text.endswith(("3.", "1", "and", "e.g.", "Fig.", "See"))


def test_outline_path_stands_before_the_text_a_model_reads() -> None:
    text = document(
        heading("Methods"),
        paragraph(1, 9),
        heading("Sampling"),
        paragraph(2, 9),
        heading("Results"),
        paragraph(3, 9),
        outline=(entry("Methods", 0), entry("Sampling", 2, 2), entry("Results", 4)),
    )
    chunks = cut(text)
    assert [chunk.outline_path for chunk in chunks] == [("Methods",), ("Methods", "Sampling"), ("Results",)]
    assert chunks[1].embed_text == f"Methods > Sampling\n\n{chunks[1].text}"
    assert "Sampling" not in chunks[1].text


def test_small_sections_are_put_together_each_with_its_path() -> None:
    text = document(
        heading("A"),
        "One short line.",
        heading("B"),
        "Another short line.",
        outline=(entry("A", 0), entry("B", 2)),
    )
    [chunk] = cut(text)
    assert chunk.text == "One short line.\n\nAnother short line."
    assert chunk.embed_text == "A\n\nOne short line.\n\nB\n\nAnother short line."
    assert chunk.outline_path == ("A",)


def test_a_small_last_section_joins_the_one_before() -> None:
    text = document(
        heading("A"), paragraph(1, 7), heading("B"), "The end.", outline=(entry("A", 0), entry("B", 2))
    )
    [chunk] = cut(text)
    assert chunk.text.endswith("\n\nThe end.")


def test_a_section_that_is_nothing_but_its_heading_keeps_it() -> None:
    text = document(
        heading("Part one"),
        heading("Chapter"),
        paragraph(1),
        outline=(entry("Part one", 0), entry("Chapter", 1, 2)),
    )
    [chunk] = cut(text)
    assert chunk.text.startswith("Part one\n\n")


def test_a_heading_that_the_outline_does_not_name_stays_in_the_text() -> None:
    text = document(heading("Methods and more"), paragraph(1), outline=(entry("Methods", 0),))
    [chunk] = cut(text)
    assert chunk.text.startswith("Methods and more\n\n")
    assert chunk.embed_text.startswith("Methods\n\nMethods and more")


def test_a_long_path_takes_at_most_a_quarter() -> None:
    long_title = " ".join(f"part{number}" for number in range(200))
    text = document(heading("x"), LONG, outline=(entry(long_title, 0), entry("Inner", 0, 2)))
    for chunk in cut(text):
        assert estimate(chunk.embed_text) <= CHUNK_TOKENS + 1
        assert estimate(chunk.embed_text) - estimate(chunk.text) <= CHUNK_TOKENS / 4
        assert chunk.outline_path == (long_title, "Inner")


def test_references_never_share_a_chunk_with_text() -> None:
    entries = [Block(BlockKind.REFERENCE, f"Author, A. (19{n}). A title.", ()) for n in range(60, 99)]
    text = document(
        paragraph(1, 2), heading("References"), *entries, "A last line.", outline=(entry("References", 1),)
    )
    chunks = cut(text)
    assert [chunk.is_reference for chunk in chunks] == [False, *[True] * (len(chunks) - 2), False]
    assert all(("Author, A." in chunk.text) == chunk.is_reference for chunk in chunks)


def test_excluded_blocks_are_not_in_any_chunk() -> None:
    text = document("Kept.", Block(BlockKind.EXCLUDED, "Running header", ()))
    assert [chunk.text for chunk in cut(text)] == ["Kept."]


def test_sizes_follow_one_constant() -> None:
    assert CHUNK_TOKENS * 120 // 768 == MIN_TOKENS
    assert CHUNK_TOKENS * 48 // 768 == OVERLAP_TOKENS
    assert CHUNKER_VERSION >= MIN_CHUNKER_VERSION
