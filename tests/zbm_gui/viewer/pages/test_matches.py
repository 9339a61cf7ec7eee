"""Passages on the page, as a reader of the document sees them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import (
    drawn,
    focused,
    is_amber,
    is_ink,
    is_white,
    picture,
    rects_of,
    share_of,
)
from tests.zbm_gui.waiting import Catcher, until
from zbm_core.documents.structure import Rect
from zbm_gui.viewer import ReaderMatch, motion

TEXT = "alpha beta gamma delta\nsecond line of words\nthird line of words"


def boxes(reader, match: ReaderMatch) -> list[QRectF]:
    """Where the match's rects lie in the viewport."""
    return [reader.view.look(r.page).box(reader._frame(r.page).rect(*r[1:])) for r in match.rects]


def text_in(reader, page: int, box: QRectF) -> str:
    """What QtPdf finds between the ends of a box of page space: the drawing engine's own word for it."""
    text = reader._text
    drawn(reader)
    first = text.index_at(page, box.topLeft())
    last = text.index_at(page, box.bottomRight())
    low, high = sorted((first, last))
    return text.page(page).text[low : high + 1]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (30, 50, 380, 560)])
def test_the_highlight_lies_on_the_words(reader, make_pdf, rotation, crop):
    path = make_pdf(TEXT, rotation=rotation, crop=crop)
    assert reader.open(path, "Made")
    match = ReaderMatch(rects_of(path, 0, "gamma"), (), "p. 1")
    reader.show_matches([match], 0)
    image = picture(reader)
    (box,) = boxes(reader, match)
    assert share_of(image, box, is_amber) > 0.5
    assert share_of(image, box, is_ink) > 0.02  # the word is under it and stays dark
    beyond = box.adjusted(-2 * box.width(), -2 * box.height(), 2 * box.width(), 2 * box.height())
    assert share_of(image, beyond, is_amber) < 0.2
    page_box = reader._frame(0).rect(*match.rects[0][1:])
    assert text_in(reader, 0, page_box).strip() == "gamma"


@pytest.mark.parametrize("name", ["derived_rotated_pages.pdf", "tracemonkey_two_column.pdf"])
def test_the_highlight_lies_on_the_words_of_real_documents(reader, document, name):
    path = document(name)
    assert reader.open(path, name)
    for page, words in ((0, "languages"), (1, "the"), (2, "with")):
        try:
            rect = rects_of(path, page, words)[0]
        except AssertionError:
            continue
        assert words[:3].casefold() in text_in(reader, page, reader._frame(page).rect(*rect[1:])).casefold()


def test_the_passage_stands_a_third_down(reader, make_pdf):
    path = make_pdf(*[TEXT] * 9)
    reader.open(path, "Made")
    match = ReaderMatch(rects_of(path, 5, "second line"), (), "p. 6")
    reader.show_matches([match], 0)
    drawn(reader)
    (box,) = boxes(reader, match)
    assert box.top() == pytest.approx(reader.view.viewport().height() / 3, abs=2)
    assert reader.current_page() == 5
    reader.resize(600, 900)  # and stays there when the window changes
    drawn(reader)
    (box,) = boxes(reader, match)
    assert box.top() == pytest.approx(reader.view.viewport().height() / 3, abs=2)


def test_a_passage_shown_before_the_reader_is_seen(app, make_pdf):
    from zbm_gui.viewer import PdfReader

    path = make_pdf(*[TEXT] * 9)
    reader = PdfReader()
    reader.open(path, "Made")
    match = ReaderMatch(rects_of(path, 5, "second line"), (), "p. 6")
    reader.show_matches([match], 0)
    reader.resize(700, 800)
    reader.show()
    drawn(reader)
    (box,) = boxes(reader, match)
    assert box.top() == pytest.approx(reader.view.viewport().height() / 3, abs=2)
    reader.close_document()
    reader.deleteLater()


def test_next_and_previous_move_and_wrap(reader, make_pdf):
    path = make_pdf(*[TEXT] * 5)
    reader.open(path, "Made")
    matches = [ReaderMatch(rects_of(path, page, "beta"), (), f"p. {page + 1}") for page in (0, 2, 4)]
    seen = Catcher(reader.match_focused)
    reader.show_matches(matches, 0)
    for expected_page in (2, 4, 0):
        reader.next_match()
        assert reader.current_page() == expected_page
    reader.previous_match()
    assert reader.current_page() == 4
    assert [value for (value,) in seen.values] == [0, 1, 2, 0, 2]
    assert "3 of 3" in reader.toolbar._matches.text()


def test_f3_steps_through_the_matches(reader, make_pdf):
    path = make_pdf(*[TEXT] * 3)
    reader.open(path, "Made")
    reader.show_matches([ReaderMatch(rects_of(path, page, "beta")) for page in range(3)], 0)
    focused(reader)
    QTest.keyClick(reader.view, Qt.Key.Key_F3)
    assert reader.current_match() == 1
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(reader.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert reader.current_match() == 2


def test_minus_one_marks_and_stays(reader, make_pdf):
    path = make_pdf(*[TEXT] * 5)
    reader.open(path, "Made")
    match = ReaderMatch(rects_of(path, 0, "beta"))
    reader.show_matches([match, ReaderMatch(rects_of(path, 3, "beta"))], -1)
    assert reader.current_page() == 0
    assert reader.current_match() == -1
    assert share_of(picture(reader), boxes(reader, match)[0], is_amber) > 0.3
    reader.next_match()
    assert reader.current_match() == 0


def test_a_passage_over_two_pages(reader, make_pdf):
    path = make_pdf(TEXT, TEXT, height=200)
    reader.open(path, "Made")
    reader.view.set_zoom(1.0)
    match = ReaderMatch(rects_of(path, 0, "third line") + rects_of(path, 1, "alpha"), (), "p. 1-2")
    reader.show_matches([match], 0)
    image = picture(reader)
    for box in boxes(reader, match):
        assert share_of(image, box, is_amber) > 0.5


def test_a_passage_over_two_pages_is_shown_where_its_quote_begins(reader, make_pdf):
    path = make_pdf(*[TEXT] * 8)
    assert reader.open(path, "Made")
    rects = rects_of(path, 4, "third line") + rects_of(path, 5, "alpha")
    for focus, page in ((0, 4), (1, 5), (99, 4)):
        match = ReaderMatch(rects, (), "p. 5", focus)
        reader.show_matches([match], 0)
        drawn(reader)
        box = boxes(reader, match)[page - 4]
        assert abs(box.top() - reader.view.viewport().height() / 3) < 4


def test_the_querys_words_are_deeper(reader, make_pdf):
    path = make_pdf("alphabet alpha beta\ngamma ALPHA delta\nalpha outside")
    reader.open(path, "Made")
    rects = rects_of(path, 0, "alphabet alpha beta") + rects_of(path, 0, "gamma ALPHA delta")
    reader.show_matches([ReaderMatch(rects, ("alpha",))], 0)
    picture(reader)
    found = reader.matching.layer.words(0, 0)
    text = reader._text.page(0).text
    starts = sorted(reader._text.index_at(0, rect.center()) for rect in found)
    assert [text[start - 2 : start + 3] for start in starts] == [
        "alpha",
        "ALPHA",
    ]  # neither within "alphabet" nor outside
    image = picture(reader)
    word = reader.view.look(0).box(found[0])
    plain = boxes(reader, ReaderMatch(rects_of(path, 0, "beta")))[0]

    def blue(box):
        colours = [
            image.pixelColor(x, y)
            for x in range(int(box.left()) + 1, int(box.right()) - 1)
            for y in range(int(box.top()) + 1, int(box.bottom()) - 1)
        ]
        return sorted(c.blue() for c in colours if c.red() > 230)

    deep, light = blue(word), blue(plain)
    assert deep[len(deep) // 2] < light[len(light) // 2] - 30


def test_a_word_broken_over_two_lines_is_marked_on_both(reader, document):
    path = document("tracemonkey_two_column.pdf")
    reader.open(path, "Paper")
    first = rects_of(path, 0, "Dynamic languages such as JavaScript are more dif")[0]
    second = rects_of(path, 0, "pile than statically typed ones")[0]
    reader.show_matches([ReaderMatch((first._replace(right=first.right + 60), second), ("compile",))], 0)
    picture(reader)
    assert len(reader.matching.layer.words(0, 0)) == 2  # "com-" and "pile"


def test_marks_in_the_scroll_bar_stand_where_the_matches_are(reader, make_pdf):
    path = make_pdf(*[TEXT] * 10)
    reader.open(path, "Made")
    reader.show_matches([ReaderMatch(rects_of(path, page, "beta")) for page in (1, 8)], 0)
    drawn(reader)
    marks = reader.view.marks
    extent = reader.view.pages.size.height()
    assert [round(10 * height / extent) for height in marks.marks] == [1, 8]
    image = marks.grab().toImage()
    background = image.pixelColor(marks.width() // 2, marks.height() // 2)
    row = round(marks.marks[1] / extent * (marks.height() - 2 * 16)) + 16
    changed = [image.pixelColor(marks.width() // 2, y) != background for y in range(row - 4, row + 5)]
    assert any(changed)


def test_a_click_on_a_passage_makes_it_the_current_one(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    matches = [ReaderMatch(rects_of(path, 0, words)) for words in ("alpha", "third line")]
    reader.show_matches(matches, 0)
    drawn(reader)
    seen = Catcher(reader.match_focused)
    (box,) = boxes(reader, matches[1])
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert seen.wait() == (1,)


def test_on_dark_pages_paper_is_dark_and_the_passage_glows(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    reader.view.set_dark_pages(True)
    match = ReaderMatch(rects_of(path, 0, "gamma"))
    reader.show_matches([match], 0)
    image = picture(reader)
    page = reader.view.look(0).rect
    corner = image.pixelColor(page.topLeft() + QPoint(5, 5) if page.top() > 0 else QPoint(page.left() + 5, 5))
    assert max(corner.red(), corner.green(), corner.blue()) < 50
    (box,) = boxes(reader, match)
    assert share_of(image, box, lambda c: c.red() > c.blue() + 30 and c.red() > 60) > 0.5
    assert share_of(image, box, lambda c: c.lightness() > 150) > 0.02  # the word itself stays light
    reader.view.set_dark_pages(False)
    image = picture(reader)
    assert is_white(image.pixelColor(page.left() + 5, max(5, page.top() + 5)))


def test_the_landing_pulses_once_and_then_is_still(reader, make_pdf, monkeypatch):
    monkeypatch.setattr(motion, "ANIMATE", True)
    monkeypatch.setattr(motion, "reduced_motion", lambda: False)
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    values: list[float] = []
    reader.matching.pulse.valueChanged.connect(lambda value: values.append(value))
    reader.show_matches([ReaderMatch(rects_of(path, 0, "gamma"))], 0)
    until(lambda: values and values[-1] == 0.0)
    assert max(values) > 0.5
    assert reader.matching.pulse.duration() <= 200
    assert reader.matching.layer.pulse == 0.0


def test_no_pulse_when_less_motion_is_asked_for(reader, make_pdf, monkeypatch):
    monkeypatch.setattr(motion, "ANIMATE", True)
    monkeypatch.setattr(motion, "reduced_motion", lambda: True)
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    reader.show_matches([ReaderMatch(rects_of(path, 0, "gamma"))], 0)
    assert reader.matching.pulse.state() == reader.matching.pulse.State.Stopped


def test_rects_of_pages_that_do_not_exist_do_no_harm(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    nowhere = ReaderMatch((Rect(99, 0, 0, 10, 10),), ("x",))
    reader.show_matches([nowhere, ReaderMatch(()), ReaderMatch(rects_of(path, 0, "beta"))], 0)
    picture(reader)
    reader.focus_match(1)
    reader.focus_match(2)
    assert reader.current_match() == 2
