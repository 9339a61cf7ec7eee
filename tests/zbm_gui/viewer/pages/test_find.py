"""Finding text in the whole document."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, picture, share_of
from tests.zbm_gui.waiting import until
from zbm_gui.viewer.pages.page_text import folded, occurrences, pattern_of


def found(reader) -> str:
    until(lambda: reader.finding.finder.finished, "the search")
    drawn(reader)
    return reader.find_bar._count.text()


def test_all_hits_are_counted_and_the_first_is_shown(reader, make_pdf):
    reader.open(make_pdf("nothing here", "an apple", "apple and apple", "nothing"), "Made")
    reader.find("apple")
    assert found(reader) == "1 of 3"
    assert reader.current_page() == 1
    (rects, *_rest) = reader.finding.finder.boxes(1)
    image = picture(reader)
    box = reader.view.look(1).box(rects[0])
    assert share_of(image, box, lambda c: c.blue() > c.red() + 30) > 0.4


def test_next_and_previous_wrap(reader, make_pdf):
    reader.open(make_pdf("apple", "pear", "apple and apple"), "Made")
    reader.find("apple")
    found(reader)
    numbers = []
    for step in (1, 1, 1, -1):
        reader.finding.step(step)
        numbers.append(reader.finding.finder.number())
    assert numbers == [2, 3, 1, 3]
    drawn(reader)
    assert reader.current_page() == 2


def test_a_hit_far_down_a_page_partly_in_sight_is_shown(reader, make_pdf):
    filler = "\n".join(["filler"] * 20)
    reader.open(make_pdf(filler + "\npear", filler + "\napple"), "Made")
    reader.find("apple")
    found(reader)
    picture(reader)
    (rects,) = reader.finding.finder.boxes(1)
    seen = reader.view.look(1).box(rects[0]).toAlignedRect()
    assert reader.view.viewport().rect().contains(seen)


def test_the_search_begins_at_the_page_being_read(reader, make_pdf):
    reader.open(make_pdf("apple", "x", "x", "apple"), "Made")
    reader.go_to_page(2)
    reader.find("apple")
    assert found(reader) == "2 of 2"
    assert reader.current_page() == 3


def test_enter_and_shift_enter_step_and_escape_closes(reader, make_pdf):
    reader.open(make_pdf("apple apple apple"), "Made")
    focused(reader)
    QTest.keyClick(reader.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    edit = reader.find_bar._edit
    until(edit.hasFocus, "the find bar")
    QTest.keyClicks(edit, "apple")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert found(reader) == "1 of 3"
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert found(reader) == "2 of 3"
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert reader.finding.finder.number() == 1
    QTest.keyClick(edit, Qt.Key.Key_F3)
    assert reader.finding.finder.number() == 2
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert not reader.find_bar.isVisible()
    assert reader.finding.finder.hits == []
    assert reader.view.hasFocus()


def test_typing_finds_without_enter(reader, make_pdf):
    reader.open(make_pdf("apple pear"), "Made")
    reader.find("")
    QTest.keyClicks(reader.find_bar._edit, "pea")
    until(lambda: reader.finding.finder.query == "pea" and reader.finding.finder.hits, "the hits")
    assert found(reader) == "1 of 1"


def test_what_is_not_there(reader, make_pdf):
    reader.open(make_pdf("apple"), "Made")
    reader.find("zebra")
    assert found(reader) == "Nothing found"
    reader.finding.step(1)
    reader.find("")
    assert found(reader) == ""


def test_a_new_query_forgets_the_old(reader, make_pdf):
    reader.open(make_pdf("apple", "pear"), "Made")
    reader.find("apple")
    reader.find("pear")
    assert found(reader) == "1 of 1"
    assert reader.current_page() == 1


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("Müller", "Herr MULLER kam", ["MULLER"]),
        ("difficult", "more di\ufb03cult to com\ufffepile", ["di\ufb03cult"]),
        ("compile", "more di\ufb03cult to com\ufffepile", ["com\ufffepile"]),
        ("compile", "to com-\r\npile", ["com-\r\npile"]),
        ("soil carbon", "the soil\r\ncarbon pool", ["soil\r\ncarbon"]),
        ("well-known", "well-known wellknown", ["well-known", "wellknown"]),
        ("a < b", "if a < b > c", ["a < b"]),
        ("(x)", "f(x) [x]", ["(x)"]),
        ("土壤碳", "关于土壤碳的研究", ["土壤碳"]),
        ("حبيبي", "حَبيبي هنا", ["حَبيبي"]),
    ],
)
def test_what_counts_as_the_same(query, text, expected):
    pattern = pattern_of(query)
    assert [text[start:end] for start, end in occurrences(text, [pattern])] == expected
    assert pattern.search(folded(text))


@pytest.mark.parametrize(
    ("word", "text", "expected"),
    [
        ("in", "in pain within In", ["in", "In"]),
        ("土壤", "关于土壤碳", ["土壤"]),
        ("C++", "in C++ and C", ["C++"]),
    ],
)
def test_whole_words(word, text, expected):
    pattern = pattern_of(word, whole_words=True)
    assert [text[start:end] for start, end in occurrences(text, [pattern])] == expected


@pytest.mark.parametrize("query", ["", "   ", "-", "\u00ad"])
def test_nothing_asked(query):
    assert pattern_of(query) is None


def test_a_book_is_found_through_while_it_is_being_read(reader, document):
    reader.open(document("freeculture_352p.pdf"), "Free Culture")
    reader.find("creativity")
    until(lambda: reader.finding.finder.hits, "the first hit")
    assert "of" in reader.find_bar._count.text()
    assert found(reader).endswith(f" of {len(reader.finding.finder.hits)}")
    assert len(reader.finding.finder.hits) > 60
    assert reader.finding.finder.hits == sorted(reader.finding.finder.hits)


def test_boxes_are_right_where_indices_run_ahead_of_the_text(reader, document):
    """This paper holds signs that PDFium counts but gives no text for."""
    reader.open(document("scientific_reports_5p.pdf"), "Paper")
    reader.find("coefficients")
    found(reader)
    picture(reader)
    checked = 0
    for hit in reader.finding.finder.hits[:20]:
        reader.finding._go_to(hit)
        picture(reader)
        text = reader._text
        for start, end in occurrences(text.page(hit.page).text, [pattern_of("coefficients")]):
            got = text.between(hit.page, start, end).text()
            assert folded(got).replace("\r\n", "").replace("\ufffe", "") == "coefficients"
            checked += 1
    assert checked
