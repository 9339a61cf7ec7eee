"""Selecting with the mouse, copying, links."""

from __future__ import annotations

import pymupdf
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, is_white, picture, rects_of, share_of
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_gui.viewer.addresses import allowed_url

TEXT = "alpha beta gamma delta\nsecond line of words\nthird line of words"


def spot(reader, path, page: int, words: str, across: float = 0.5) -> QPoint:
    """A point of the viewport on *words*."""
    rect = rects_of(path, page, words)[0]
    box = reader.view.look(page).box(reader._frame(page).rect(*rect[1:]))
    turned = reader._frame(page).rotation in (90, 270)
    down = across if turned else 0.5
    across = 0.5 if turned else across
    if reader._frame(page).rotation in (180, 270):
        across, down = 1 - across, 1 - down
    return QPointF(box.left() + across * box.width(), box.top() + down * box.height()).toPoint()


def drag(reader, start: QPoint, end: QPoint) -> None:
    viewport = reader.view.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    settle()
    for step in range(1, 5):
        at = start + (end - start) * step / 4
        QTest.mouseMove(viewport, at)
        settle()
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)
    drawn(reader)


def copied(reader) -> str:
    QGuiApplication.clipboard().setText("")
    reader.copy()
    drawn(reader)
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_dragging_selects_and_copies(reader, make_pdf, rotation):
    path = make_pdf(TEXT, rotation=rotation)
    reader.open(path, "Made")
    reader.view.set_zoom(1.0)
    reader.view.show_place(reader.view.place()._replace(page=0))
    drawn(reader)
    drag(reader, spot(reader, path, 0, "beta", 0.1), spot(reader, path, 0, "gamma", 0.9))
    assert copied(reader) == "beta gamma"


def test_the_selection_is_seen(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    drawn(reader)
    drag(reader, spot(reader, path, 0, "beta", 0.1), spot(reader, path, 0, "gamma", 0.9))
    image = picture(reader)
    box = reader.view.look(0).box(reader._frame(0).rect(*rects_of(path, 0, "gamma")[0][1:]))
    assert share_of(image, box, lambda c: c.blue() > c.red() + 20) > 0.4
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    assert share_of(picture(reader), box, is_white) > 0.4
    assert copied(reader) == ""


def test_dragging_backwards_selects_the_same(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    drawn(reader)
    drag(reader, spot(reader, path, 0, "gamma", 0.9), spot(reader, path, 0, "beta", 0.1))
    assert copied(reader) == "beta gamma"


def test_a_selection_over_lines_and_pages(reader, make_pdf):
    path = make_pdf(TEXT, TEXT, height=200)
    reader.open(path, "Made")
    reader.view.set_zoom(1.0)
    drawn(reader)
    drag(reader, spot(reader, path, 0, "third", 0.1), spot(reader, path, 1, "beta", 0.9))
    assert copied(reader) == "third line of words\nalpha beta"
    image = picture(reader)
    for page, words in ((0, "words"), (1, "alpha")):
        rect = rects_of(path, page, words)[-1]
        box = reader.view.look(page).box(reader._frame(page).rect(*rect[1:]))
        assert share_of(image, box, lambda c: c.blue() > c.red() + 20) > 0.3


def test_a_double_click_takes_the_word_a_triple_the_line(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    drawn(reader)
    at = spot(reader, path, 0, "second")
    viewport = reader.view.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    drawn(reader)
    assert copied(reader) == "second"
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    drawn(reader)
    assert copied(reader) == "second line of words"


def test_the_last_character_of_a_line_is_reached(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    drawn(reader)
    end = spot(reader, path, 0, "delta", 0.98)
    drag(reader, spot(reader, path, 0, "alpha", 0.02), end)
    assert copied(reader) == "alpha beta gamma delta"
    drag(reader, spot(reader, path, 0, "alpha", 0.02), end + QPoint(120, 0))  # beside the line
    assert copied(reader) == "alpha beta gamma delta"


def test_control_a_takes_the_page(reader, make_pdf):
    path = make_pdf(TEXT, "another")
    reader.open(path, "Made")
    focused(reader)
    QTest.keyClick(reader.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    drawn(reader)
    QGuiApplication.clipboard().setText("")
    QTest.keyClick(reader.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    drawn(reader)
    assert QGuiApplication.clipboard().text() == TEXT


def test_words_broken_over_lines_are_copied_whole(reader, document):
    path = document("tracemonkey_two_column.pdf")
    reader.open(path, "Paper")
    reader.mouse.select_page(reader.current_page())
    text = copied(reader)
    assert "more difficult to compile than statically typed ones" in " ".join(text.split())


def test_what_is_copied_is_what_was_marked_where_indices_run_ahead(reader, document):
    """This paper holds signs that PDFium counts but gives no text for."""
    path = document("scientific_reports_5p.pdf")
    reader.open(path, "Paper")
    reader.go_to_page(1)
    drawn(reader)
    at = spot(reader, path, 1, "coefficients")
    reader.view.verticalScrollBar().setValue(reader.view.verticalScrollBar().value() + at.y() - 200)
    drawn(reader)
    at = spot(reader, path, 1, "coefficients")
    QTest.mouseDClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    drawn(reader)
    assert copied(reader) == "coefficients"


def test_a_page_without_text_selects_nothing(reader, document):
    reader.open(document("scan_no_text_fr.pdf"), "Scan")
    drawn(reader)
    drag(reader, QPoint(100, 100), QPoint(300, 300))
    reader.mouse.select_page(reader.current_page())
    assert copied(reader) == ""


@pytest.fixture
def linked(tmp_path):
    document = pymupdf.open()
    for number in range(6):
        page = document.new_page(width=400, height=600)
        page.insert_text((72, 100), f"Page {number + 1}")
    links = [
        ((60, 200, 200, 220), {"kind": pymupdf.LINK_GOTO, "page": 4, "to": pymupdf.Point(0, 300)}),
        ((60, 240, 200, 260), {"kind": pymupdf.LINK_URI, "uri": "https://example.org/paper?id=1"}),
        ((60, 280, 200, 300), {"kind": pymupdf.LINK_URI, "uri": "file:///etc/passwd"}),
        ((60, 320, 200, 340), {"kind": pymupdf.LINK_URI, "uri": "javascript:alert(1)"}),
        ((60, 360, 200, 380), {"kind": pymupdf.LINK_LAUNCH, "file": "run.exe"}),
    ]
    for box, link in links:
        document[0].insert_link({**link, "from": pymupdf.Rect(box)})
    path = tmp_path / "linked.pdf"
    document.save(path)
    return path


def click(reader, x: float, y: float) -> None:
    """Click on a point of page 0, once its links are known."""
    at = reader.view.look(0).point(QPointF(x, y)).toPoint()
    QTest.mouseMove(reader.view.viewport(), at)
    drawn(reader)
    QTest.mouseClick(reader.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    drawn(reader)


def test_a_link_within_the_document_jumps_and_back_returns(reader, linked):
    reader.open(linked, "Linked")
    drawn(reader)
    before = reader.view.place()
    click(reader, 100, 210)
    assert reader.current_page() == 4
    top = reader.view.look(4).point(QPointF(0, 300)).y()
    assert 0 <= top < 60
    focused(reader)
    QTest.keyClick(reader.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert reader.current_page() == 0
    assert reader.view.place().page == before.page
    QTest.keyClick(reader.view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert reader.current_page() == 4


def test_a_link_out_is_asked_about_first(reader, linked):
    reader.open(linked, "Linked")
    drawn(reader)
    asked = Catcher(reader.link_requested)
    click(reader, 100, 250)
    assert reader.link_strip.isVisible()
    assert asked.values == []
    reader.link_strip._open.click()
    assert asked.wait() == ("https://example.org/paper?id=1",)
    assert not reader.link_strip.isVisible()


@pytest.mark.parametrize("y", [290, 330, 370])
def test_files_scripts_and_programs_are_no_links(reader, linked, y):
    reader.open(linked, "Linked")
    drawn(reader)
    asked = Catcher(reader.link_requested)
    click(reader, 100, y)
    assert not reader.link_strip.isVisible()
    assert asked.values == []
    assert reader.current_page() == 0


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://example.org", True),
        ("HTTP://example.org", True),
        ("mailto:a@example.org", True),
        ("file:///etc/passwd", False),
        ("smb://server/share", False),
        ("javascript:alert(1)", False),
        ("zotero://select/1", False),
        ("x" * 5000, False),
        ("https://" + "a" * 5000, False),
        ("", False),
        (None, False),
    ],
)
def test_where_links_may_lead(url, allowed):
    assert bool(allowed_url(url)) is allowed


def hover(viewport, place: QPoint) -> None:
    """The pointer moves over *viewport*, told to it alone: where the screen's pointer is does not matter."""
    at = QPointF(place)
    nothing = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, QPointF(viewport.mapToGlobal(place)), nothing, nothing,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QGuiApplication.sendEvent(viewport, event)


def test_the_cursor_says_what_is_under_it(reader, linked):
    reader.open(linked, "Linked")
    drawn(reader)
    viewport = reader.view.viewport()
    hover(viewport, reader.view.look(0).point(QPointF(300, 150)).toPoint())
    until(lambda: viewport.cursor().shape() is Qt.CursorShape.IBeamCursor, "the text cursor")
    hover(viewport, reader.view.look(0).point(QPointF(100, 210)).toPoint())
    until(lambda: viewport.cursor().shape() is Qt.CursorShape.PointingHandCursor, "the hand")
    assert "Page 5" in viewport.toolTip()
