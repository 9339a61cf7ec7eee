"""Entries of reference lists are told in every format: found by words, left out of meaning."""

from __future__ import annotations

from pathlib import Path

from zbm_core.documents import DocumentStore, Job
from zbm_core.documents.reference_lists import with_reference_lists
from zbm_core.documents.structure import Block, BlockKind, Outcome, OutlineEntry, StructuredText
from zbm_core.library.records import ItemKey

ENTRIES = [
    "Gómez, A. (2019). Carbon under the plough. Annals of Fields 3, 1-9.",
    "Ng, B. (2001). Moths. Night 4, 2.",
]


def paragraph(text: str) -> Block:
    return Block(BlockKind.PARAGRAPH, text, ())


def kinds(text: StructuredText) -> list[BlockKind]:
    return [block.kind for block in with_reference_lists(text).blocks]


def test_a_list_that_only_the_outline_names() -> None:
    blocks = (
        paragraph("Body."),
        paragraph("Works we drew on"),
        *map(paragraph, ENTRIES),
        paragraph("Index terms."),
    )
    outline = (OutlineEntry("Bibliography", 1, -1, 1), OutlineEntry("Index", 1, -1, 4))
    found = kinds(StructuredText(blocks, outline, ()))
    assert found == [BlockKind.PARAGRAPH, *[BlockKind.REFERENCE] * 3, BlockKind.PARAGRAPH]


def test_parts_of_a_list_belong_to_it_and_what_follows_does_not() -> None:
    def heading(text: str, level: int) -> Block:
        return Block(BlockKind.HEADING, text, (), level)

    blocks = (
        heading("参考文献", 2), paragraph(ENTRIES[0]), heading("Primary sources", 3), paragraph(ENTRIES[1]),
        heading("Appendix", 2), paragraph("Tables."),
    )  # fmt: skip
    found = kinds(StructuredText(blocks, (), ()))
    assert [kind is BlockKind.REFERENCE for kind in found] == [False, True, False, True, False, False]


def references(tmp_path: Path, name: str, content: str, content_type: str) -> tuple[list[str], list[str]]:
    """Texts of a file's chunks: its own and those of its reference list."""
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    documents = DocumentStore(tmp_path / "cache")
    key = ItemKey(1, "TEXT0000")
    [(_, report)] = documents.extract([Job(key, path, content_type)])
    documents.close()
    assert report.outcome is Outcome.INDEXED
    chunks = documents.chunks(key)
    return [c.text for c in chunks if not c.is_reference], [c.text for c in chunks if c.is_reference]


BODY = "Peat and forest soils hold more carbon than the air above them. " * 12


def test_web_pages(tmp_path: Path) -> None:
    listed = "".join(f"<li>{entry}</li>" for entry in ENTRIES)
    page = f"<html><body><article><h1>Soils</h1><p>{BODY}</p><h2>References</h2><ol>{listed}</ol></article></body></html>"
    own, listed_texts = references(tmp_path, "page.html", page, "text/html")
    assert not any("Gómez" in text for text in own)
    assert any("Gómez" in text for text in listed_texts)


def test_markdown(tmp_path: Path) -> None:
    text = f"# Soils\n\n{BODY}\n\n## References\n\n" + "\n\n".join(ENTRIES) + "\n"
    own, listed_texts = references(tmp_path, "page.md", text, "text/markdown")
    assert not any("Gómez" in text for text in own)
    assert any("Gómez" in text for text in listed_texts)
