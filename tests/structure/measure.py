"""Read the documents of the truth set and score their pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.structure.score import PagePlace, Part, Score, parts_of_page, score_page
from tests.structure.truth import ExpectedDocument, ExpectedPage, expected_documents


def measured(data: Path) -> Iterator[tuple[ExpectedDocument, ExpectedPage, Score]]:
    """Every expected page of the documents that are in *data*, with its score."""
    for document in expected_documents():
        if document.present(data):
            read = _pdf if document.file.endswith(".pdf") else _text
            yield from ((document, page, score) for page, score in read(document, data / document.file))


def _text(document: ExpectedDocument, path: Path) -> Iterator[tuple[ExpectedPage, Score]]:
    """Pages of books and snapshots are their content files."""
    from zbm_core.documents.epub.document import read_epub
    from zbm_core.documents.web.document import read_html

    blocks = read_epub(path).blocks if path.suffix == ".epub" else read_html(path.read_bytes()).text.blocks
    for page in document.pages:
        here = (
            block for block in blocks if block.spans and block.spans[0].node.file.number == page.number - 1
        )
        yield page, score_page(page, [Part(block.kind, block.level, block.text, ()) for block in here])


def _pdf(document: ExpectedDocument, path: Path) -> Iterator[tuple[ExpectedPage, Score]]:
    import pymupdf

    from zbm_core.documents.pdf.document import read_pdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with pymupdf.open(path, filetype="pdf") as opened:
        if opened.needs_pass:
            opened.authenticate("")
        read = read_pdf(opened)
        for page in document.pages:
            number = page.number - 1
            place = PagePlace(opened[number])
            yield page, score_page(page, list(parts_of_page(read.blocks, number, place)))
