"""The pane as the window uses it."""

import json
import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLabel

from tests.zbm_gui.item_tree.samples import ABSTRACT, passage, shelf_passages
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_gui.item_pane.cards import AnnotationCard, GroupHeading, LinkButton, NoteCard, PassageCard
from zbm_gui.item_pane.pane import ABSTRACT as ABSTRACT_SECTION
from zbm_gui.item_pane.pane import ANNOTATIONS, INFO, NOTES, RESULTS
from zbm_gui.item_pane.texts import CopyText, PassageText
from zbm_gui.style import apply_theme, colors


def key(text: str) -> ItemKey:
    return ItemKey(1, text)


def settle(seconds: float = 5.0) -> None:
    """Let the pane make what it wants to make."""
    idle = 0
    deadline = time.monotonic() + seconds
    while idle < 3 and time.monotonic() < deadline:
        before = len(QApplication.allWidgets())
        QApplication.processEvents()
        QTest.qWait(2)
        idle = idle + 1 if len(QApplication.allWidgets()) == before else 0


def shown(pane) -> list[str]:
    """Names of the sections there are."""
    return [name for name, section in pane.sections.items() if not section.isHidden()]


def texts(widget) -> list[str]:
    """What the labels in it say, without places to break."""
    return [
        label.text().replace("\u200b", "") for label in widget.findChildren(QLabel) if not label.isHidden()
    ]


def cards(pane, kind) -> list:
    return pane.findChildren(kind)


def many_passages(count: int) -> list:
    return [
        passage("ITEMAAAA", "ATTAAAAA", f"Passage {n} on the soil. " * 30, ("soil",), chunk=n, page=n)
        for n in range(count)
    ]


def test_an_item_shows_every_section_it_has(pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    assert shown(pane) == [INFO, ABSTRACT_SECTION, NOTES, ANNOTATIONS]
    assert texts(pane.sections[ABSTRACT_SECTION]) == [ABSTRACT]
    assert pane.sections[NOTES].count == 1
    assert pane.sections[ANNOTATIONS].count == 2
    assert any("Soil carbon under long-term Trifolium" in text for text in texts(pane.frame))
    assert "Ng and Smith · 2019 · Journal of Soil Science" in texts(pane.frame)


def test_what_an_item_has_not_is_not_there(pane, shelf):
    pane.show_item(shelf, key("ITEMEEEE"))
    assert shown(pane) == [INFO]
    pane.show_item(shelf, key("GONE2222"))
    assert shown(pane) == []


def test_passages_come_into_their_section_grouped_by_what_they_were_read_from(pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages_loading()
    assert texts(pane.sections[RESULTS]) == ["Looking for the passages…"]
    passages = shelf_passages()["ITEMAAAA"]
    pane.set_passages(passages)
    settle()
    assert pane.sections[RESULTS].count == 4
    assert [card.passage for card in cards(pane, PassageCard)] == [passages[n] for n in (0, 1, 3, 2)]
    assert [heading.accessibleName() for heading in cards(pane, GroupHeading)] == [
        "Full Text PDF",
        "Thoughts on plots",
    ]


def test_an_annotation_stands_with_its_attachment_and_the_items_own_text_apart(pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages(
        [
            passage(
                "ITEMAAAA", "ITEMAAAA", "The abstract.", kind=Kind.ITEM, section=("Abstract",), page=None
            ),
            passage("ITEMAAAA", "ANNOAAAA", "fell by a fifth", kind=Kind.ANNOTATION, section=()),
            passage("ITEMAAAA", "GONE2222", "something"),
        ]
    )
    settle()
    assert [heading.accessibleName() for heading in cards(pane, GroupHeading)] == [
        "Title, abstract and fields",
        "Full Text PDF",
        "No longer in the library",
    ]


def test_no_passages_take_the_section_away(pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages_loading()
    pane.set_passages([])
    assert RESULTS not in shown(pane)


def test_passages_without_a_record_to_belong_to_are_ignored(pane, shelf):
    pane.show_items(shelf, [key("ITEMAAAA"), key("ITEMBBBB")])
    pane.set_passages(shelf_passages()["ITEMAAAA"])
    assert shown(pane) == []


def test_results_come_into_view_unless_the_user_has_scrolled(pane, shelf):
    pane.resize(380, 420)
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages(shelf_passages()["ITEMAAAA"])
    settle()
    section = pane.sections[RESULTS]
    assert section.mapTo(pane.frame, QPoint(0, 0)).y() < 300
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    pane.frame.user_scrolled = True
    pane.set_passages(shelf_passages()["ITEMAAAA"])
    settle()
    assert pane.frame.near()[0] < 0  # still at the top


def test_match_rows_show_just_their_passages(pane, shelf):
    pane.restore_state('["results"]')
    some = shelf_passages()["ITEMAAAA"][:1]
    pane.show_passages(shelf, some)
    settle()
    assert shown(pane) == [RESULTS]
    assert not pane.sections[RESULTS].folded  # asked for: folded or not otherwise
    assert [card.passage for card in cards(pane, PassageCard)] == some
    pane.show_passages(shelf, some + shelf_passages()["ITEMCCCC"])
    assert "2 matches of 2 items" in texts(pane.frame)
    assert json.loads(pane.save_state()) == ["results"]


def test_of_hundreds_of_passages_those_near_the_screen_exist(app, pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages(many_passages(500))
    assert pane.cards == 0  # nothing at once
    settle()
    assert 2 <= pane.cards <= 40
    bar = pane.frame.scroll_bar
    assert bar.maximum() > 500 * 100  # the bar knows how long the way is
    seen: set[int] = set()
    for place in range(0, bar.maximum(), bar.maximum() // 12):
        bar.setValue(place)
        settle()
        seen |= {card.passage.chunk for card in cards(pane, PassageCard)}
        assert pane.cards <= 60
    assert min(seen) == 0 and max(seen) > 400
    links = {link.text(): link for link in pane.frame._links.findChildren(LinkButton) if not link.isHidden()}
    links["Annotations 2"].click()
    settle()
    assert len(cards(pane, AnnotationCard)) == 2


def test_folded_sections_make_nothing(pane, shelf):
    pane.restore_state('["results"]')
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages(many_passages(50))
    settle()
    assert cards(pane, PassageCard) == []
    pane.sections[RESULTS].header.click()
    settle()
    assert len(cards(pane, PassageCard)) >= 3


def test_folding_is_remembered(pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.sections[INFO].header.click()
    pane.show_item(shelf, key("ITEMBBBB"))
    assert pane.sections[INFO].folded
    assert json.loads(pane.save_state()) == ["info"]
    pane.sections[INFO].header.click()
    assert json.loads(pane.save_state()) == []


@pytest.mark.parametrize("state", ["", "{}", "3", b"\xff", '{"a": 1}'])
def test_a_state_that_cannot_be_read_changes_nothing(pane, state):
    assert pane.restore_state('["info", "a section of a later version"]')
    assert not pane.restore_state(state)
    assert json.loads(pane.save_state()) == ["info"]


def test_a_click_copies_a_field(pane, shelf):
    copied = QSignalSpy(pane.field_copied)
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    doi = next(w for w in cards(pane, CopyText) if w.accessibleName().startswith("DOI"))
    QTest.mouseClick(doi, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "10.1000/soil.12"
    address = next(w for w in cards(pane, CopyText) if w.accessibleName().startswith("URL"))
    QTest.keyClick(address, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text().endswith("one/line?really=1")  # as stored, no places to break
    assert "\u200b" not in QGuiApplication.clipboard().text()
    assert [copied.at(n)[0] for n in range(copied.count())] == ["DOI", "URL"]


def test_a_passage_can_be_opened_and_copied(pane, shelf):
    opened, copied = QSignalSpy(pane.passage_open_requested), QSignalSpy(pane.passage_copy_requested)
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages(shelf_passages()["ITEMAAAA"])
    settle()
    card = cards(pane, PassageCard)[1]
    open_button, copy_button = card.findChildren(LinkButton)
    QTest.mouseClick(open_button, Qt.MouseButton.LeftButton)
    QTest.keyClick(copy_button, Qt.Key.Key_Return)
    QTest.mouseDClick(card, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert [opened.at(n)[0] for n in range(opened.count())] == [card.passage, card.passage]
    assert copied.at(0)[0] == card.passage
    assert open_button.accessibleName() == "Open at p. 9 · Discussion"


def test_an_annotation_opens_at_a_click_or_a_key(pane, shelf):
    opened = QSignalSpy(pane.annotation_open_requested)
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    first, second = cards(pane, AnnotationCard)
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    QTest.keyClick(second, Qt.Key.Key_Space)
    assert [opened.at(n)[0] for n in range(2)] == [key("ANNOAAAA"), key("ANNOBBBB")]
    assert texts(first) == [
        "p. 104 · Highlight · Ada",
        "the carbon pool of the soil fell by a fifth",
        "Compare with table 2.",
    ]
    assert texts(second) == ["p. iv · Drawing"]


def test_notes_are_asked_for_once_and_shown(pane, shelf):
    wanted = QSignalSpy(pane.notes_wanted)
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    assert [wanted.at(n)[0] for n in range(wanted.count())] == [[key("NOTEAAAA")]]
    card = cards(pane, NoteCard)[0]
    assert "Reading…" in texts(card)
    pane.set_notes(shelf.note_texts([key("NOTEAAAA")]))
    assert texts(card) == ["Thoughts on plots", "Ask whether plot 13 was limed."]
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    assert wanted.count() == 1


def test_a_note_is_as_high_as_its_text_before_it_is_painted(pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    card = cards(pane, NoteCard)[0]
    before = card.height()
    pane.set_notes({key("NOTEAAAA"): "Thoughts on plots\n" + "Ask whether plot 13 was limed. " * 20})
    assert card.height() == card.heightForWidth(card.width()) > before  # without a turn of the event loop


def test_a_long_note_is_shown_in_parts(pane, shelf):
    pane.show_item(shelf, key("NOTEBBBB"))
    settle()
    pane.set_notes({key("NOTEBBBB"): "A loose note\n" + "word " * 20_000})
    card = cards(pane, NoteCard)[0]
    more = next(button for button in card.findChildren(LinkButton) if not button.isHidden())
    length = sum(map(len, texts(card)))
    assert length < 2_000
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert 2_000 < sum(map(len, texts(card))) < 20_000
    for _ in range(8):
        if not more.isHidden():
            QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert sum(map(len, texts(card))) > 99_000


def test_attachments_notes_and_annotations_have_a_pane_too(pane, shelf):
    for text, sections in (
        ("ATTAAAAA", [INFO, ANNOTATIONS]),
        ("NOTEAAAA", [INFO, NOTES]),
        ("ANNOAAAA", [INFO, ANNOTATIONS]),
    ):
        pane.show_item(shelf, key(text))
        settle()
        assert shown(pane) == sections
    assert len(cards(pane, AnnotationCard)) == 1


def test_several_items_are_counted(pane, shelf):
    pane.show_items(shelf, [key("ITEMAAAA"), key("ITEMCCCC"), key("ITEMBBBB")])
    said = texts(pane.frame)
    assert "3 items selected" in said
    assert "Journal article: 2\nBook: 1\nWith 4 attachments and 1 note" in said
    assert shown(pane) == []
    pane.show_items(shelf, [key("ITEMAAAA")])
    assert shown(pane)[0] == INFO


def test_nothing_selected_says_what_is_listed(pane):
    pane.show_scope("My Library", ["2,310 items", "1,870 attachments"])
    assert texts(pane.frame)[:2] == ["My Library", "2,310 items\n1,870 attachments"]


def test_a_later_state_shows_the_record_as_it_is_now(pane, shelf, later_shelf):
    pane.show_item(shelf, key("ITEMBBBB"))
    pane.set_passages([passage("ITEMBBBB", "ATTCCCCC", "A passage.")])
    pane.set_library(later_shelf)
    settle()
    assert any("second edition" in text for text in texts(pane.frame))
    assert RESULTS in shown(pane)
    pane.show_item(shelf, key("ITEMFFFF"))
    pane.set_library(later_shelf)
    assert shown(pane) == []


def test_what_comes_from_outside_is_never_markup(app, pane, shelf):
    evil = '<img src="file:///etc/passwd"><b>bold</b> & <a href="https://example.org">soil</a> carbon'
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages([passage("ITEMAAAA", "ATTAAAAA", evil, ("soil",), section=("<b>x</b>",))])
    pane.set_notes({key("NOTEAAAA"): "<script>alert(1)</script>"})
    settle()
    text = next(label for label in cards(pane, PassageText))
    assert "&lt;img" in text.text()
    assert "<img" not in text.text() and "<a " not in text.text()
    plain = [label for label in pane.findChildren(QLabel) if not isinstance(label, PassageText)]
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in plain)


def test_links_lead_to_their_sections(pane, shelf):
    pane.resize(380, 400)
    pane.restore_state('["annotations"]')
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    links = {link.text(): link for link in pane.frame._links.findChildren(LinkButton) if not link.isHidden()}
    assert list(links) == ["Info", "Abstract", "Notes 1", "Annotations 2"]
    links["Annotations 2"].click()
    settle()
    section = pane.sections[ANNOTATIONS]
    assert not section.folded
    assert section.mapTo(pane, QPoint(0, 0)).y() < pane.height()


def test_the_contents_are_as_high_as_what_is_in_them(pane, shelf):
    pane.show_item(shelf, key("ITEMEEEE"))
    settle()
    contents, section = pane.frame._contents, pane.sections[INFO]
    assert contents.height() <= max(pane.frame._area.viewport().height(), section.height() + 40)
    assert pane.minimumSizeHint().height() < 400  # it can be made small


@pytest.mark.parametrize("width", [144, 240, 380, 700])
def test_nothing_is_wider_than_the_pane(pane, shelf, width):
    pane.resize(width, 700)
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages([passage("ITEMAAAA", "ATTAAAAA", "x" * 300 + " soil", ("soil",))])
    settle()
    assert pane.width() == width
    assert pane.frame._contents.width() <= pane.frame._area.viewport().width()


def test_the_theme_reaches_cards_that_are_there(app, pane, shelf):
    pane.show_item(shelf, key("ITEMAAAA"))
    pane.set_passages(shelf_passages()["ITEMAAAA"])
    settle()
    before = cards(pane, PassageText)[0].text()
    apply_theme(app, "dark")
    try:
        app.processEvents()
        assert colors(pane).dark
        assert cards(pane, PassageText)[0].text() != before
    finally:
        apply_theme(app, "light")
        app.processEvents()
    assert cards(pane, PassageText)[0].text() == before


def test_a_larger_font_makes_it_all_larger(app, pane, shelf):
    font = QFont(app.font())
    larger = QFont(font)
    larger.setPixelSize(24)
    app.setFont(larger)
    try:
        pane.show_item(shelf, key("ITEMAAAA"))
        settle()
        label = pane.sections[ABSTRACT_SECTION].findChild(QLabel)
        assert label.height() > 6 * 24
        assert pane.sections[INFO].header.height() > 40
    finally:
        app.setFont(font)


def test_labels_kept_for_the_next_record_say_only_what_it_has(pane, shelf):
    pane.show_item(shelf, key("ITEMEEEE"))
    settle()
    few = texts(pane.sections[INFO])
    pane.show_item(shelf, key("ITEMAAAA"))
    settle()
    many = texts(pane.sections[INFO])
    assert len(many) > len(few)
    pane.show_item(shelf, key("ITEMEEEE"))
    settle()
    assert texts(pane.sections[INFO]) == few
    value = next(v for v in pane.findChildren(CopyText) if v.isVisible() and v.text() == few[1])
    QTest.mouseClick(value, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == few[1]
    assert value.accessibleName() == f"{few[0]}: {few[1]}"


def test_another_state_of_the_library_takes_the_place_of_what_was_still_to_come(pane, shelf, later_shelf):
    pane.show_item(later_shelf, key("ITEMBBBB"))
    settle()
    wanted = [texts(section) for section in pane.sections.values()]
    pane.show_item(shelf, key("ITEMBBBB"))
    pane.set_library(later_shelf)  # before the abstract was put in
    settle()
    assert [texts(section) for section in pane.sections.values()] == wanted
