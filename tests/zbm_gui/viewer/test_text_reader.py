"""The reader of texts, as a reader of the document sees it; the book is made for the test."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QCoreApplication, QEvent, QIODevice, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from tests.zbm_gui.viewer.made_book import MadeBook
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.documents.reading_records import ReadingEntry, Spot
from zbm_core.documents.structure import Selector
from zbm_core.library.records import Annotation, ItemKey
from zbm_gui import style
from zbm_gui.states import Act
from zbm_gui.viewer import MatchSet, ReaderMatch, TextReader, motion
from zbm_gui.viewer.text_look import TextLook
from zbm_gui.viewer.text_view import LANDING

FILLER = "The carbon pool of the soil rose by a third within ten years of planting. " * 5 + "Enough."
SECTIONS = [
    [f"Chapter {chapter}", *(f"Paragraph {chapter}.{n} begins. {FILLER}" for n in range(12))]
    for chapter in range(1, 6)
]
OUTLINE = [ReadingEntry(f"Chapter {n + 1}", 1, Spot(n, 0)) for n in range(5)]
PAGES = [ReadingEntry(label, 1, Spot(n, 4)) for n, label in enumerate(("iv", "1", "2", "3", "4"))]


@pytest.fixture(autouse=True)
def still(monkeypatch):
    monkeypatch.setattr(motion, "ANIMATE", False)


@pytest.fixture
def opened(app):
    """Opens a made book in a reader that is shown."""
    readers = []

    def open_(book: MadeBook, matches=None, current=0, **kwargs) -> TextReader:
        reader = TextReader(make_book=lambda _path, _type: book)
        readers.append((reader, book))
        reader.resize(800, 700)
        reader.show()
        assert reader.open(Path("made.epub"), "Made", **kwargs)
        if matches is not None:
            reader.show_matches(matches, current)
        return reader

    yield open_
    for reader, book in readers:
        reader.close_document()
        until(book.closed.is_set, "the book to be closed")
        reader.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()


@pytest.fixture
def book() -> MadeBook:
    return MadeBook(SECTIONS, tags=["h2"], outline=OUTLINE)


def at_rest(reader: TextReader) -> TextReader:
    until(lambda: reader._section >= 0 and reader.desk.idle, "the reader to come to rest")
    settle()
    return reader


def passage(book: MadeBook, words: str, quote: str = "", *marked: str) -> ReaderMatch:
    """A match of the paragraph(s) *words*, as a search would give it."""
    text = words.replace("\n", "\n\n")
    start = text.index(quote) if quote else 0
    ranges = tuple((text.index(word), text.index(word) + len(word)) for word in marked)
    return ReaderMatch(
        anchor=book.anchor(words),
        text=text,
        quote=(start, start + len(quote or text)),
        ranges=ranges,
        label=f"at {words[:14]}",
    )


def highlighted(reader: TextReader) -> list[tuple[str, str]]:
    """Colour and text of everything marked."""
    return [
        (mark.format.background().color().name(), mark.cursor.selectedText())
        for mark in reader.view.extraSelections()
    ]


def top_of(reader: TextReader, words: str) -> int:
    """Where *words* stand in the view, px from its top."""
    cursor = reader.view.document().find(words)
    assert not cursor.isNull(), f"{words!r} is not in this section"
    cursor.setPosition(cursor.selectionStart())
    return reader.view.cursorRect(cursor).top()


# --- opening


def test_it_opens_at_the_start_without_matches(opened, book):
    reader = at_rest(opened(book))
    assert reader.current_page() == 0
    assert reader.view.verticalScrollBar().value() == 0
    assert "Paragraph 1.3" in reader.view.toPlainText()
    assert reader.page_count == 5


def test_everything_is_asked_off_the_windows_thread(opened, book):
    at_rest(opened(book, [passage(book, SECTIONS[2][5])]))
    assert book.threads and threading.get_ident() not in book.threads


def test_the_passage_stands_a_third_down_and_no_other_section_is_laid_out_before(opened, book):
    shown = []
    reader = opened(book, [passage(book, SECTIONS[3][7], "The carbon pool", "carbon")])
    reader.page_changed.connect(shown.append)
    at_rest(reader)
    assert shown == [3]
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)
    reader.resize(1100, 560)  # and stays there when the window changes
    settle()
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)


def test_what_is_marked_is_the_passage_and_its_words(opened, book):
    two = SECTIONS[1][4] + "\n" + SECTIONS[1][5]
    reader = at_rest(opened(book, [passage(book, two, "Paragraph 2.4", "carbon", "soil")]))
    (wash, first), (_wash, second), *words = highlighted(reader)
    assert [first, second] == two.split("\n")
    assert [said for _colour, said in words] == ["carbon", "soil"]
    assert all(colour != wash for colour, _said in words)
    assert len(reader.view.marks.marks) == 1


def test_letters_beyond_the_first_plane_do_not_shift_the_marks(opened):
    wide = MadeBook([["𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🌱 first", "then 🌱 the passage", "after"]])
    reader = at_rest(opened(wide, [passage(wide, "then 🌱 the passage", "", "passage")]))
    assert [text for _colour, text in highlighted(reader)] == ["then 🌱 the passage", "passage"]


def test_a_section_can_be_wished_for_before_the_book_is_open(opened, book):
    for page, shown in ((3, 3), (99, 4)):
        reader = opened(book)
        reader.go_to_page(page)
        at_rest(reader)
        assert reader.current_page() == shown
        reader.close_document()
        book.closed.wait(10)
        book.closed.clear()
    book.closed.set()


def test_a_failure_is_said_with_what_to_do(opened):
    broken = MadeBook([["x"]], fails="The book is damaged and could not be opened.")
    reader = opened(broken)
    failed = Catcher(reader.load_failed)
    assert "The book is damaged" in failed.wait()[0]
    assert Act.OPEN_EXTERNALLY in reader.problem.state.acts
    assert reader._stack.currentWidget() is reader.problem


def test_closing_while_the_book_is_busy_waits_for_nothing(opened, book):
    book.gate.clear()
    reader = opened(book, [passage(book, SECTIONS[2][5])])
    until(lambda: book.asked == ["contents"])
    reader.close_document()
    settle()
    assert reader.page_count == 0
    until(book.closed.is_set)


def test_another_document_can_be_opened_in_the_same_reader(opened, book):
    other = MadeBook([["Quite another text"]])
    books = [book, other]
    reader = opened(book)
    at_rest(reader)
    reader._make_book = lambda _path, _type: books[1]
    reader.open(Path("other.epub"), "Other")
    at_rest(reader)
    assert "Quite another text" in reader.view.toPlainText()
    assert book.closed.wait(10)
    reader.close_document()
    assert other.closed.wait(10)


def test_parts_that_could_not_be_read_are_told(opened):
    reader = at_rest(opened(MadeBook([["x"]], notice="One part of the book could not be read.")))
    assert reader.banner.state.title == "One part of the book could not be read."


# --- matches


def test_matches_are_stepped_through_over_sections(opened, book):
    matches = [passage(book, SECTIONS[n][3]) for n in (0, 2, 4)]
    reader = at_rest(opened(book, matches, 1))
    focused = Catcher(reader.match_focused)
    assert (reader.current_match(), reader.current_page()) == (1, 2)
    QTest.keyClick(reader.view, Qt.Key.Key_F3)
    at_rest(reader)
    assert (reader.current_match(), reader.current_page()) == (2, 4)
    reader.next_match()  # wraps
    at_rest(reader)
    assert (reader.current_match(), reader.current_page()) == (0, 0)
    reader.previous_match()
    at_rest(reader)
    assert reader.current_match() == 2
    assert [values[0] for values in focused.values] == [2, 0, 2]
    assert "3 of 3" in [label.text() for label in reader.toolbar.findChildren(type(reader.toolbar._matches))]


def test_all_matches_of_a_section_are_marked_the_current_one_stronger(opened, book):
    matches = [passage(book, SECTIONS[2][n]) for n in (3, 5, 7)]
    reader = at_rest(opened(book, matches, 1))
    marked = highlighted(reader)
    assert [text for _c, text in marked] == [SECTIONS[2][3], SECTIONS[2][7], SECTIONS[2][5]]
    assert marked[0][0] == marked[1][0] != marked[2][0]
    assert len(reader.view.marks.marks) == 1
    ((_colour, others),) = reader.view.marks._others
    assert len(others) == 2


def test_several_searches_are_marked_in_colours_of_their_own(opened, book):
    sets = [
        MatchSet("carbon", (passage(book, SECTIONS[1][2]), passage(book, SECTIONS[2][2]))),
        MatchSet("soil", (passage(book, SECTIONS[1][4]), passage(book, SECTIONS[4][2]))),
    ]
    reader = opened(book)
    reader.show_match_sets(sets, 0, 0)
    at_rest(reader)
    (other, said), (current, _said) = highlighted(reader)
    assert said == SECTIONS[1][4] and other != current
    assert not reader.legend.isHidden()
    chosen = Catcher(reader.match_set_chosen)
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ControlModifier)
    assert chosen.wait() == (1,)
    reader.next_match()
    reader.next_match()
    at_rest(reader)
    assert (reader.current_match(), reader.current_page()) == (1, 4)
    dropped = Catcher(reader.match_set_dropped)
    reader.legend.dropped.emit(0)
    assert dropped.wait() == (0,)
    reader.show_match_sets(sets[:1])
    at_rest(reader)
    assert reader.legend.isHidden() and reader.current_page() == 4


def test_matches_are_stepped_through_as_they_stand(opened, book):
    matches = [passage(book, SECTIONS[n][3]) for n in (3, 0, 2)]  # an annotation's place is not known before
    reader = at_rest(opened(book, matches, 0))
    assert reader.toolbar._matches.text() == "3 of 3"
    seen = []
    for _ in range(3):
        reader.next_match()
        at_rest(reader)
        seen.append((reader.current_page(), reader.toolbar._matches.text()))
    assert seen == [(0, "1 of 3"), (2, "2 of 3"), (3, "3 of 3")]


def test_a_click_on_a_passage_makes_it_the_current_one(opened, book):
    matches = [passage(book, SECTIONS[0][n]) for n in (1, 2)]
    reader = at_rest(opened(book, matches, 0))
    focused = Catcher(reader.match_focused)
    scrolled = reader.view.verticalScrollBar().value()
    spot = QPoint(reader.view.viewport().width() // 2, top_of(reader, "Paragraph 1.1 begins") + 8)
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert focused.wait() == (1,)
    assert reader.view.verticalScrollBar().value() == scrolled


def test_a_passage_that_left_the_file_is_looked_for_by_its_words_or_said_to_be_gone(opened, book):
    nowhere = book.anchor(SECTIONS[0][0]).__class__((Selector("TextPositionSelector", "", 10**7, 10**7 + 5),))
    moved = ReaderMatch(anchor=nowhere, text="Paragraph 4.4 begins.", quote=(0, 21))
    gone = ReaderMatch(anchor=nowhere, text="words that are nowhere", quote=(0, 10))
    reader = at_rest(opened(book, [moved, gone], 0))
    assert reader.current_page() == 3
    reader.next_match()
    at_rest(reader)
    assert "not in the document any more" in reader.banner.state.title


# --- moving about


def test_sections_are_turned_by_keys_and_buttons(opened, book):
    reader = at_rest(opened(book))
    QTest.keyClick(reader.view, Qt.Key.Key_Right)
    at_rest(reader)
    assert reader.current_page() == 1
    QTest.keyClick(reader.view, Qt.Key.Key_End)
    QTest.keyClick(reader.view, Qt.Key.Key_PageDown)
    at_rest(reader)
    assert (reader.current_page(), reader.view.verticalScrollBar().value()) == (2, 0)
    QTest.keyClick(reader.view, Qt.Key.Key_PageUp)
    at_rest(reader)
    bar = reader.view.verticalScrollBar()
    assert (reader.current_page(), bar.value()) == (1, bar.maximum())
    reader.actions_by_name["next_section"].trigger()
    at_rest(reader)
    assert reader.current_page() == 2
    QTest.keyClick(reader.view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    at_rest(reader)
    assert reader.current_page() == 4
    assert not reader.actions_by_name["next_section"].isEnabled()


def wheel(reader: TextReader, notches: float, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    view = reader.view.viewport()
    middle = QPointF(view.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(view.mapToGlobal(middle.toPoint())),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_the_wheel_turns_only_when_it_rested_at_the_end(opened, book):
    reader = at_rest(opened(book))
    bar = reader.view.verticalScrollBar()
    bar.setValue(bar.maximum() - 5)
    wheel(reader, -1)  # comes to the end
    wheel(reader, -1)  # the same movement
    at_rest(reader)
    assert (reader.current_page(), bar.value()) == (0, bar.maximum())
    reader.view._last_wheel -= 1
    wheel(reader, -1)
    at_rest(reader)
    assert (reader.current_page(), bar.value()) == (1, 0)


def test_back_and_forward(opened, book):
    reader = at_rest(opened(book))
    bar = reader.view.verticalScrollBar()
    bar.setValue(300)
    reader.jump_to_spot(Spot(3, 5))
    at_rest(reader)
    assert reader.current_page() == 3
    QTest.keyClick(reader.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    at_rest(reader)
    assert reader.current_page() == 0
    assert bar.value() == pytest.approx(300, abs=40)  # to the line
    reader.go_forward()
    at_rest(reader)
    assert reader.here() == Spot(3, 5, 0)


def test_the_outline_leads_and_follows(opened, book):
    reader = at_rest(opened(book))
    reader.actions_by_name["outline"].trigger()
    panel = reader.panel._lists[0].panel
    panel.clicked.emit(panel.model().index(3, 0))
    at_rest(reader)
    assert reader.current_page() == 3
    assert panel.currentIndex().data() == "Chapter 4"
    assert reader.panel._tabs.isHidden()


def test_printed_pages_are_gone_to_and_shown(opened):
    book = MadeBook(SECTIONS, pages=PAGES)
    reader = at_rest(opened(book))
    reader.toolbar.page_entered.emit("IV")
    at_rest(reader)
    assert reader.here() == Spot(0, 4, 0)
    assert reader.page_label(reader.here()) == "iv"
    reader.toolbar.page_entered.emit("3")
    at_rest(reader)
    assert reader.here() == Spot(3, 4, 0)
    assert (reader.toolbar._box.text(), reader.toolbar._of.text()) == ("3", "of 4")
    reader.toolbar.page_entered.emit("no such page")
    at_rest(reader)
    assert reader.here() == Spot(3, 4, 0)
    assert not reader.panel._tabs.isHidden()


def test_without_printed_pages_the_box_counts_sections(opened, book):
    reader = at_rest(opened(book))
    reader.toolbar.page_entered.emit("4")
    at_rest(reader)
    assert reader.current_page() == 3
    assert (reader.toolbar._box.text(), reader.toolbar._of.text()) == ("4", "of 5")
    reader.toolbar.page_entered.emit("999")
    at_rest(reader)
    assert reader.current_page() == 4


# --- finding


def test_the_whole_document_is_searched_from_here(opened, book):
    reader = at_rest(opened(book))
    reader.go_to_page(2)
    at_rest(reader)
    reader.find("begins")
    until(lambda: reader.finding.finished)
    at_rest(reader)
    assert len(reader.finding.hits) == 60
    assert reader.finding.current == 24
    assert reader.find_bar._count.text() == "25 of 60"
    assert sum(text == "begins" for _colour, text in highlighted(reader)) == 12
    QTest.keyClick(reader.view, Qt.Key.Key_F3)
    assert reader.finding.current == 25
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    reader.finding.step(-1)
    at_rest(reader)
    assert reader.current_page() == 1
    QTest.keyClick(reader.find_bar._edit, Qt.Key.Key_Escape)
    assert reader.find_bar.isHidden() and highlighted(reader) == []


def test_nothing_found_is_said(opened, book):
    reader = at_rest(opened(book))
    reader.find("quokka")
    until(lambda: reader.finding.finished)
    assert reader.find_bar._count.text() == "Nothing found"


def test_a_newer_question_drops_the_older(opened, book):
    reader = at_rest(opened(book))
    book.gate.clear()
    reader.find("begins")
    reader.find("Paragraph 3.")
    book.gate.set()
    until(lambda: reader.finding.finished)
    assert len(reader.finding.hits) == 12


# --- how it looks


def test_letters_grow_and_the_place_stays(opened, book):
    reader = at_rest(opened(book, [passage(book, SECTIONS[3][7])]))
    chosen = Catcher(reader.choice_made)
    size = reader.view.document().defaultFont().pointSizeF()
    reader.actions_by_name["zoom_in"].trigger()
    assert chosen.wait() == ("reader.text_size", 110)
    assert reader.view.document().defaultFont().pointSizeF() == pytest.approx(1.1 * size)
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)
    wheel(reader, 1, Qt.KeyboardModifier.ControlModifier)
    until(lambda: reader.view.document().defaultFont().pointSizeF() > 1.15 * size)
    reader.actions_by_name["actual_size"].trigger()
    assert reader.look.size == 100


@pytest.mark.parametrize("paper", ["light", "sepia", "dark"])
def test_paper_and_marks_go_together(opened, book, paper):
    reader = at_rest(opened(book, [passage(book, SECTIONS[0][2], "", "carbon")]))
    reader.toolbar.look_chosen.emit(TextLook(paper))
    colors = reader.view.colors
    image = reader.view.viewport().grab().toImage()
    corner = image.pixelColor(5, image.height() - 5)
    assert corner == colors.paper
    assert (colors.paper.lightness() < 100) == (paper == "dark") == colors.dark
    passage_colour, words_colour = (colour for colour, _text in highlighted(reader))
    assert passage_colour != words_colour != colors.paper.name()


def test_paper_as_the_window_follows_it(app, opened, book):
    reader = at_rest(opened(book, [passage(book, SECTIONS[3][7], "", "carbon")]))
    light = reader.view.colors.paper
    try:
        style.apply_theme(app, "dark")
        settle()
        assert reader.view.colors.dark and reader.view.colors.paper != light
        image = reader.view.viewport().grab().toImage()
        assert image.pixelColor(5, image.height() - 5) == reader.view.colors.paper
        expected = reader.view.viewport().height() * LANDING
        assert top_of(reader, "Paragraph 4.6 begins. The") == pytest.approx(expected, abs=3)
        reader.toolbar.look_chosen.emit(TextLook("light"))
        assert reader.view.colors.paper == light
    finally:
        style.apply_theme(app, "light")
        settle()
    reader.toolbar.look_chosen.emit(TextLook("window"))
    assert reader.view.colors.paper == light


def test_the_measure_is_bounded_and_centred(opened, book):
    reader = opened(book)
    reader.resize(1900, 700)
    at_rest(reader)
    column = reader.view._column
    letters = column.width() / reader.view.fontMetrics().averageCharWidth()
    assert letters < 100
    right = reader.view.viewport().width() - column.right()
    assert abs(column.left() - right) <= 2


def test_a_script_from_the_right_is_set_from_the_right(opened):
    book = MadeBook([["ابتسم القمر فوق الحقل", "وهذا سطر آخر"]], right_to_left=True)
    reader = at_rest(opened(book))
    block = reader.view.document().firstBlock()
    assert block.layout().lineAt(0).naturalTextRect().left() > reader.view._column.width() / 2


# --- pictures


def png(width: int, height: int) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def test_a_picture_comes_later_and_moves_nothing_that_is_read(opened):
    blocks = ["<img src='zbm-image:plates/a%20b.png'/>", *SECTIONS[0]]
    book = MadeBook([blocks], images={"plates/a b.png": png(3000, 900)})
    reader = opened(book, [passage(book, SECTIONS[0][6])])
    at_rest(reader)
    until(lambda: reader.pictures._images)
    until(lambda: not reader.view._pictures_timer.isActive())
    settle()
    expected = reader.view.viewport().height() * LANDING
    assert top_of(reader, "Paragraph 1.5 begins. The") == pytest.approx(expected, abs=3)
    reader.view.verticalScrollBar().setValue(0)
    image = reader.view.viewport().grab().toImage()
    column = reader.view._column
    middle = image.pixelColor(column.center().x(), 120)
    assert (middle.red(), middle.green(), middle.blue()) == (255, 0, 0)
    beyond = image.pixelColor(column.right() + 6, 120)
    assert beyond == reader.view.colors.paper  # no wider than the column


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
    assert not reader.actions_by_name["copy_cited"].isEnabled()
    reader.view.setTextCursor(reader.view.document().find("Paragraph 1.5 begins."))
    reader.actions_by_name["copy_cited"].trigger()
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
