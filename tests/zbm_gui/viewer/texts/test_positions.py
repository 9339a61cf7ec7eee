"""Blocks and the positions they have in the laid out document, both ways."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from tests.zbm_gui.viewer.texts.made_book import page_of
from zbm_core.documents.reading.records import Place, SectionPage
from zbm_gui.style.palettes import LIGHT
from zbm_gui.viewer.texts.look import style_sheet
from zbm_gui.viewer.texts.positions import Positions


def laid_out(page: SectionPage) -> tuple[QTextDocument, Positions]:
    document = QTextDocument()
    document.setDefaultStyleSheet(style_sheet(LIGHT, 14))
    document.setHtml(page.html)
    return document, Positions(document, page)


def shown(document: QTextDocument, start: int, end: int) -> str:
    units = document.toRawText().encode("utf-16-le", "surrogatepass")
    return units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


@pytest.mark.parametrize(
    "blocks",
    [
        ("Heading", "A paragraph.", "Another one."),
        ("wide 𝔘𝔫𝔦 letters", "after 🌱 them", "and more"),
        ("<b>bold</b> and <i>slanted</i>", "a line<br/>and another", "x <img src='zbm-image:a.png'/> y"),
        ("", "behind an empty one", "", "the end"),
        ("hair\u200aspace", "\u3000ideographic", "non\u00a0breaking", "two\u2003wide"),
        ("العربية أولا", "ثم هذا"),
        ("same", "same", "same"),
    ],
)
@pytest.mark.parametrize("tag", ["p", "h2", "li", "blockquote", "pre", "td"])
def test_every_block_stands_where_it_is_said_to(app, blocks, tag):
    page = page_of(blocks, [tag] * len(blocks))
    if tag == "td":
        page = table_of(page)
    document, positions = laid_out(page)
    assert positions.strays == 0
    for number, text in enumerate(page.blocks):
        start, end = positions.span(Place(0, number, 0, number, len(text)))
        assert shown(document, start, end) == text
        for offset in range(len(text)):
            position = positions.position(number, offset)
            assert positions.spot(position) == (number, offset)


def table_of(page: SectionPage) -> SectionPage:
    return SectionPage(f"<table><tr>{page.html}</tr></table>", page.blocks)


def test_positions_beyond_the_page_are_the_nearest(app):
    document, positions = laid_out(page_of(("One", "Two")))
    assert positions.position(9, 9) == positions.position(1, 3) == len(document.toRawText())
    assert positions.position(-1, -1) == 0
    assert positions.spot(10**6) == (1, 3)


def test_an_empty_page(app):
    _document, positions = laid_out(SectionPage("", ()))
    assert positions.position(0, 0) == 0
    assert positions.spot(5) == (0, 0)


def test_a_page_that_breaks_its_promise_is_counted(app):
    page = page_of(("One", "Two"))
    _document, positions = laid_out(SectionPage(page.html, ("One", "Elsewhere")))
    assert positions.strays == 1
