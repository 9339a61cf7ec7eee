"""Copying with citations, and parts of pages as pictures."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, is_ink, rects_of, share_of
from tests.zbm_gui.waiting import Catcher, settle
from zbm_gui import quoting
from zbm_gui.viewer.pages.clipping import MAX_REGION_PIXELS, REGION_DPI, in_one_line, region_piece

TEXT = "alpha beta gamma delta\nsecond line of words\nthird line of words"
ROMAN = [{"startpage": 0, "style": "r", "firstpagenum": 4}]


def box_of(reader, path, words: str, page: int = 0) -> QRectF:
    rect = rects_of(path, page, words)[0]
    return reader.view.look(page).box(reader._frame(page).rect(*rect[1:]))


def drag(reader, start: QPoint, end: QPoint, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    viewport = reader.view.viewport()
    drawn(reader)
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, modifier, start)
    settle()
    for step in range(1, 5):
        QTest.mouseMove(viewport, start + (end - start) * step / 4)
        settle()
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, modifier, end)
    drawn(reader)


# --- text


def test_the_selection_is_handed_over_with_its_printed_page(reader, make_pdf):
    reader.open(make_pdf(TEXT, labels=ROMAN), "Made")
    drawn(reader)
    assert reader.copy_with_citation() is False
    assert not reader.actions_by_name["copy_citation"].isEnabled()
    reader.mouse.select_page(0)
    drawn(reader)
    asked = Catcher(reader.citation_requested)
    assert reader.copy_with_citation() is True
    assert asked.wait() == ("alpha beta gamma delta second line of words third line of words", "iv")


def test_a_selection_over_pages_names_both(reader, make_pdf):
    path = make_pdf(TEXT, TEXT, height=200)
    reader.open(path, "Made")
    reader.view.set_zoom(1.0)
    drawn(reader)
    start = box_of(reader, path, "third").center().toPoint()
    drag(reader, start, box_of(reader, path, "beta", 1).center().toPoint())
    asked = Catcher(reader.citation_requested)
    reader.actions_by_name["copy_citation"].trigger()
    assert asked.wait()[1] == "1–2"


def test_lines_run_on_and_ideographs_are_not_parted():
    assert in_one_line("two\nlines  of\nwords") == "two lines of words"
    assert in_one_line("土壌の\n炭素") == "土壌の炭素"
    assert in_one_line("토양\n탄소 and\nwords") == "토양탄소 and words"


def test_the_words_of_a_citation():
    assert quoting.cited("text", "Smith et al. 2019", "4") == "“text” (Smith et al. 2019, p. 4)"
    assert quoting.cited("text", "Smith 2019", "4–5") == "“text” (Smith 2019, pp. 4–5)"
    assert quoting.cited("text", "", "") == "“text”"
    assert quoting.reference("Smith 2019", "iv") == "(Smith 2019, p. iv)"


# --- pictures


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_region_is_the_part_of_the_page_as_it_is_shown(reader, make_pdf, turn):
    path = make_pdf(TEXT, labels=ROMAN)
    reader.open(path, "Made")
    reader.rotate(turn)
    reader.actions_by_name["fit_page"].trigger()
    drawn(reader)
    reader.actions_by_name["copy_region"].trigger()
    taken = Catcher(reader.picture_copied)
    box = box_of(reader, path, "second").adjusted(-2, -2, 2, 2).toRect()
    drag(reader, box.topLeft(), box.bottomRight())
    image, page = taken.wait()
    assert page == "iv"
    expected = (box.width() - 1) / reader.view.look(0).scale * REGION_DPI / 72
    assert image.width() == pytest.approx(expected, abs=12)
    assert image.dotsPerMeterX() == pytest.approx(REGION_DPI / 0.0254, rel=0.02)
    assert 0.02 < share_of(image, image.rect(), is_ink) < 0.5
    assert not reader.actions_by_name["copy_region"].isChecked()  # one region at a time


def test_ctrl_and_a_drag_take_a_region_without_the_tool(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    drawn(reader)
    taken = Catcher(reader.picture_copied)
    box = box_of(reader, path, "second").toRect()
    drag(reader, box.topLeft(), box.bottomRight() + QPoint(30, 10), Qt.KeyboardModifier.ControlModifier)
    assert not taken.wait()[0].isNull()
    assert reader.mouse.selection is None


def test_esc_puts_the_tool_down(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    focused(reader)
    action = reader.actions_by_name["copy_region"]
    action.trigger()
    assert action.isChecked()
    assert reader.view.viewport().cursor().shape() is Qt.CursorShape.CrossCursor
    QTest.keyClick(reader.view, Qt.Key.Key_Escape)
    assert not action.isChecked()
    start = box_of(reader, path, "beta").center().toPoint()
    drag(reader, start, box_of(reader, path, "gamma").center().toPoint())
    assert reader.mouse.selection is not None


def test_a_click_is_no_region(reader, make_pdf):
    reader.open(make_pdf(TEXT), "Made")
    drawn(reader)
    taken = Catcher(reader.picture_copied)
    reader.actions_by_name["copy_region"].trigger()
    drag(reader, QPoint(100, 100), QPoint(101, 101))
    assert taken.values == []


def test_a_large_region_stays_of_a_size_to_be_handed_on():
    piece = region_piece(0, (14_400, 14_400), QRectF(0, 0, 14_400, 14_400))
    assert piece.w * piece.h <= MAX_REGION_PIXELS * 1.01
    inside = region_piece(0, (600, 800), QRectF(590, 790, 10, 10))
    assert inside.x + inside.w <= inside.width
    assert inside.y + inside.h <= inside.height
