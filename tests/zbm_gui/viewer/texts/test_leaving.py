"""What leads out of a text, and the user's annotations in it. The book is made for the tests."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from tests.zbm_gui.viewer.texts.made_book import MadeBook
from tests.zbm_gui.viewer.texts.reading import PAGES, SECTIONS, at_rest, highlighted, passage
from tests.zbm_gui.waiting import Catcher
from zbm_core.documents.reading.records import Spot
from zbm_core.documents.structure import Selector
from zbm_core.library.records import Annotation, ItemKey
from zbm_gui.viewer import TextReader

# --- links, the clipboard, Zotero


def click_link(reader: TextReader, words: str) -> None:
    cursor = reader.view.document().find(words)
    cursor.setPosition(cursor.selectionStart() + 1)
    spot = reader.view.cursorRect(cursor).center()
    QTest.mouseMove(reader.view.viewport(), spot)
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def linking() -> MadeBook:
    links = (
        "<a href='zbm-place:1.3.0'>inside</a>",
        "<a href='https://example.org/a?b=c'>outside</a>",
        "<a href='file:///etc/hosts'>filelink</a>",
        "<a href='javascript:alert(1)'>scripted</a>",
        "<a href='other.html'>relative</a>",
    )
    return MadeBook([links, *SECTIONS])


def test_links_inside_are_followed_and_links_out_ask(opened):
    reader = at_rest(opened(linking()))
    asked = Catcher(reader.link_requested)
    click_link(reader, "outside")
    assert not reader.link_strip.isHidden() and not asked.values
    reader.link_strip._open.click()
    assert asked.wait() == ("https://example.org/a?b=c",)
    for words in ("filelink", "scripted", "relative"):
        click_link(reader, words)
        assert reader.link_strip.isHidden() and not asked.values
    assert "inside" in reader.view.toPlainText()
    click_link(reader, "inside")
    at_rest(reader)
    assert reader.here() == Spot(1, 3, 0)
    reader.go_back()
    at_rest(reader)
    assert reader.current_page() == 0


def test_copying_gives_words_alone(opened):
    book = MadeBook([["First <b>", "<b>bold</b> words <img src='zbm-image:x'/> here"]])
    reader = at_rest(opened(book))
    QTest.keyClick(reader.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(reader.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "First <b>\nbold words  here"
    assert not data.hasHtml()


def test_a_selection_is_cited_with_its_printed_page(opened):
    book = MadeBook(SECTIONS, pages=PAGES)
    reader = at_rest(opened(book))
    cited = Catcher(reader.citation_requested)
    assert not reader.actions_by_name["copy_citation"].isEnabled()
    reader.view.setTextCursor(reader.view.document().find("Paragraph 1.5 begins."))
    reader.actions_by_name["copy_citation"].trigger()
    assert cited.wait() == ("Paragraph 1.5 begins.", "iv")


def test_zotero_is_asked_for_the_place(opened, book):
    reader = at_rest(opened(book, [passage(book, SECTIONS[3][7])]))
    wanted = Catcher(reader.open_in_zotero_requested)
    reader.actions_by_name["open_in_zotero"].trigger()
    assert wanted.wait() == (Selector("FragmentSelector", "epubcfi(/6/8!/4/7)"),)
    reader.go_to_page(1)
    at_rest(reader)
    reader.actions_by_name["open_in_zotero"].trigger()
    assert wanted.wait() == (Selector("FragmentSelector", "epubcfi(/6/4!/4/0)"),)


def annotation(position: str, colour="#5fb236", kind="highlight", comment="") -> Annotation:
    key = ItemKey(1, "MARK2345")
    return Annotation(
        key, ItemKey(1, "BOOK2345"), kind, "", "", comment, colour, "", "", position, (), "", ""
    )


def test_the_users_annotations_are_shown_in_their_colour(opened, book):
    start = book.text.index("Paragraph 1.2 begins.")
    position = f'{{"type":"TextPositionSelector","start":{start},"end":{start + 21}}}'
    reader = opened(book)
    reader.set_annotations([annotation(position, comment="<b>mine</b>"), annotation("no JSON at all")])
    at_rest(reader)
    ((colour, text),) = highlighted(reader)
    assert text == "Paragraph 1.2 begins."
    assert colour not in (reader.view.colors.paper.name(), reader.view.colors.highlight.name())
    at = reader.view.document().find("Paragraph 1.2").selectionStart() + 3
    assert "&lt;b&gt;mine" in reader.marking.tip_at(at)


def test_an_annotation_shines_through_a_match(opened, book):
    start = book.text.index("Paragraph 1.2 begins.")
    position = f'{{"type":"TextPositionSelector","start":{start + 10},"end":{start + 21}}}'
    reader = opened(book, [passage(book, SECTIONS[0][3])])
    reader.set_annotations([annotation(position)])
    at_rest(reader)
    (own, first), (wash, whole), (mixed, last) = highlighted(reader)
    assert first == last == "1.2 begins."
    assert whole == SECTIONS[0][3]
    assert len({own, wash, mixed}) == 3


def test_every_button_has_a_name(opened, book):
    reader = at_rest(opened(book))
    for button in reader.findChildren(QToolButton):
        assert button.accessibleName() or button.text(), button
    assert reader.view.accessibleName() == "Text of Made"
    assert reader.view.accessibleDescription() == "Section 1 of 5"
