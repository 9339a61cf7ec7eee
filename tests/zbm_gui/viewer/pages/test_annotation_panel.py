from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, picture, share_of
from tests.zbm_gui.waiting import settle
from zbm_core.library.records import Annotation, ItemKey

PARENT = ItemKey(1, "ATTACHED")


def annotation(
    number: int, page: int, text="", comment="", kind="highlight", label="", tags=(), position=None
):
    place = {"pageIndex": page, "rects": [[72, 300, 200, 320]]} if position is None else position
    order = f"{page:05d}|{number:06d}|00100"
    key = ItemKey(1, f"MARK{number:04d}")
    return Annotation(
        key, PARENT, kind, "Ada", text, comment, "#5fb236", label, order, json.dumps(place), tags, "", ""
    )


MARKS = [
    annotation(3, 8, "Carbon below the ground", "compare with Müller", tags=("method",)),
    annotation(1, 0, "Soil holds carbon"),
    annotation(2, 4, "", "eine Frage", kind="note", label="iv"),
    annotation(4, 9, "土壌の炭素", "とても重要"),
]


@pytest.fixture
def book(reader, make_pdf):
    reader.open(make_pdf(*[f"page {n + 1}" for n in range(12)]), "Book")
    reader.set_annotations(MARKS)
    reader.actions_by_name["annotations"].trigger()
    drawn(reader)
    return reader


@pytest.fixture
def panel(book):
    return book.panels.annotations


def shown(panel) -> list[str]:
    model = panel.list.model()
    entries = (model.annotation(model.index(row, 0)) for row in range(model.rowCount()))
    return [entry.text or entry.comment for entry in entries]


def test_they_stand_in_the_order_of_the_document(panel):
    assert shown(panel) == ["Soil holds carbon", "eine Frage", "Carbon below the ground", "土壌の炭素"]


def test_an_entry_says_kind_page_text_and_comment(panel):
    model = panel.list.model()
    assert model.index(1, 0).data() == "Note, page iv, eine Frage"
    assert model.index(2, 0).data() == "Highlight, page 9, Carbon below the ground, compare with Müller"
    assert model.label(model.index(0, 0)) == "1"


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("carbon", ["Soil holds carbon", "Carbon below the ground"]),
        ("CARBON below", ["Carbon below the ground"]),
        ("muller", ["Carbon below the ground"]),
        ("method", ["Carbon below the ground"]),
        ("note", ["eine Frage"]),
        ("炭素", ["土壌の炭素"]),
        ("nowhere", []),
    ],
)
def test_the_filter_finds_words_anywhere_in_an_entry(panel, typed, left):
    panel.edit.setText(typed)
    assert shown(panel) == left
    panel.edit.clear()
    assert len(shown(panel)) == 4


def test_a_click_goes_to_it_and_frames_it(book, panel):
    rect = panel.list.visualRect(panel.list.model().index(2, 0))
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert book.current_page() == 8
    image = picture(book)
    box = book.view.look(8).box(book._frame(8).rect(72, 300, 200, 320))
    assert book.view.viewport().rect().contains(box.toAlignedRect())
    edge = box.adjusted(0, -4, 0, -box.height() - 1)
    assert share_of(image, edge, lambda c: c.blue() > c.red() + 60) > 0.2
    book.go_back()
    assert book.current_page() == 0


def test_by_keys_alone(book, panel):
    focused(book)
    panel.edit.setFocus()
    QTest.keyClicks(panel.edit, "carbon")
    QTest.keyClick(panel.edit, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert book.current_page() == 8
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    assert book.view.hasFocus()
    panel.edit.setFocus()
    QTest.keyClick(panel.edit, Qt.Key.Key_Escape)
    assert panel.edit.text() == ""
    QTest.keyClick(panel.edit, Qt.Key.Key_Escape)
    assert book.view.hasFocus()


def test_one_clicked_on_its_page_is_marked_in_the_list(book, panel):
    book.go_to_page(8)
    drawn(book)
    book.show_annotation(MARKS[0])
    drawn(book)
    box = book.view.look(8).box(book._frame(8).rect(72, 300, 200, 320))
    QTest.mouseClick(book.view.viewport(), Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    drawn(book)
    assert panel.list.model().annotation(panel.list.currentIndex()) == MARKS[0]


def test_one_without_a_place_in_the_document_is_listed_and_leads_nowhere(book, panel):
    lost = annotation(7, 0, "of a page that is gone", position={"pageIndex": 99, "rects": [[0, 0, 9, 9]]})
    odd = annotation(8, 0, "of an EPUB", position={"type": "FragmentSelector"})
    book.set_annotations([lost, odd])
    assert len(shown(panel)) == 2
    for mark in (lost, odd):
        book.show_annotation(mark)
        assert book.current_page() == 0


def test_it_says_when_there_are_none(book, panel):
    assert panel.list.model().why_empty() == "No annotation holds these words."
    book.set_annotations([])
    assert panel.list.model().why_empty() == "This document has no annotations."
    settle()
    image = panel.list.viewport().grab().toImage()
    assert share_of(image, image.rect(), lambda c: c.lightness() < 200) > 0


def test_thousands_are_laid_out_and_filtered(book, panel):
    book.set_annotations([annotation(n, n % 12, f"text {n} " + "long words " * 40) for n in range(3000)])
    drawn(book)
    assert book._annotations.page_of(annotation(2999, 0)) == 2999 % 12
    assert panel.list.model().rowCount() == 3000
    panel.edit.setText("text 2999")
    assert len(shown(panel)) == 1


def test_the_last_set_counts_while_thousands_are_read(book, panel):
    book.set_annotations([annotation(n, n % 12, "old") for n in range(3000)])
    book.set_annotations([annotation(1, 0, "new")])
    drawn(book)
    assert shown(panel) == ["new"]


def test_entries_are_as_high_as_their_words(book, panel):
    book.set_annotations([annotation(1, 0, "short"), annotation(2, 0, "many words " * 60), annotation(3, 0)])
    settle()
    short, long, bare = (panel.list.visualRect(panel.list.model().index(row, 0)).height() for row in range(3))
    assert bare < short < long
    assert long < 6 * short
