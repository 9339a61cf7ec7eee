from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, is_ink, rects_of, share_of
from tests.zbm_gui.waiting import settle, until
from zbm_gui.viewer import ReaderMatch
from zbm_gui.viewer.pages import thumbnails


@pytest.fixture
def book(reader, make_pdf):
    reader.open(make_pdf(*[f"page {n + 1}\n" * 20 for n in range(60)]), "Book")
    drawn(reader)
    return reader


@pytest.fixture
def panel(book):
    book.actions_by_name["thumbnails"].trigger()
    settled(book)
    return book.panels.thumbnails


def settled(reader) -> None:
    panel = reader.panels.thumbnails
    until(lambda: not panel._rest.isActive(), "the list to rest")
    drawn(reader)


def test_nothing_is_drawn_before_the_list_is_seen(book):
    assert not book.panels.thumbnails._images
    assert book.panels.shown == ""


def test_only_what_is_in_sight_is_drawn(book, panel):
    assert set(panel.seen()) <= set(panel._images)
    assert len(panel._images) <= len(panel.seen()) + 3
    panel.verticalScrollBar().setValue(panel.verticalScrollBar().maximum())
    settled(book)
    assert 59 in panel._images
    assert 30 not in panel._images


def test_far_down_it_rests_no_longer_than_at_the_top(book, panel):
    panel.verticalScrollBar().setValue(panel.verticalScrollBar().maximum())
    assert panel._rest.interval() == thumbnails.SCROLL_REST_MS


def test_a_picture_is_the_page(book, panel):
    image = panel.image(0)
    size = panel.picture_size(0)
    assert image.width() == round(size.width() * panel.devicePixelRatioF())
    assert share_of(image, image.rect(), lambda c: c.lightness() < 200) > 0.02


def test_a_click_goes_there_and_can_be_gone_back_from(book, panel):
    rect = panel.visualRect(panel.model().index(2, 0))
    QTest.mouseClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert book.current_page() == 2
    book.go_back()
    assert book.current_page() == 0


def test_by_keys(book, panel):
    focused(book)
    panel.setFocus()
    for _step in range(3):
        QTest.keyClick(panel, Qt.Key.Key_Down)
    assert book.current_page() == 0
    QTest.keyClick(panel, Qt.Key.Key_Return)
    assert book.current_page() == 3
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert book.view.hasFocus()


def test_the_list_follows_what_is_read(book, panel):
    book.go_to_page(40)
    settled(book)
    assert panel.currentIndex().row() == 40
    assert 40 in panel.seen()
    assert panel.image(40) is not None


def test_pages_with_a_match_are_marked(book, panel):
    path = book._path
    book.show_matches([ReaderMatch(rects_of(path, 7, "page")[:1])], -1)
    assert panel.marked == {7}


def test_it_turns_and_darkens_with_the_pages(book, panel):
    upright = panel.image(0)
    book.rotate(90)
    settled(book)
    turned = panel.image(0)
    assert (turned.width() > turned.height()) is not (upright.width() > upright.height())
    book.set_dark_pages(True)
    settled(book)
    dark = panel.image(0)
    assert share_of(dark, dark.rect(), is_ink) > 0.8


def test_no_more_is_kept_than_allowed(book, panel, monkeypatch):
    monkeypatch.setattr(thumbnails, "KEPT_BYTES", 600_000)
    for page in range(0, 60, 6):
        book.go_to_page(page)
        settled(book)
    assert panel.kept_bytes <= 600_000
    assert panel.kept_bytes == sum(image.sizeInBytes() for image in panel._images.values())


def test_labels_stand_below(reader, make_pdf):
    labels = [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 4, "style": "D"}]
    reader.open(make_pdf(*["x"] * 8, labels=labels), "Book")
    model = reader.panels.thumbnails.model()
    assert [model.index(row, 0).data() for row in (0, 3, 4)] == ["i", "iv", "1"]
    assert model.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Page iv (4)"


def test_panels_take_each_others_place(book):
    on = book.actions_by_name
    on["outline"].trigger()
    assert book.panels.shown == "outline"
    on["thumbnails"].trigger()
    assert book.panels.shown == "thumbnails"
    assert not on["outline"].isChecked()
    on["thumbnails"].trigger()
    assert book.panels.shown == ""
    settle()
    assert not book.panels.isVisible()


def test_closing_the_list_leaves_nothing_to_be_drawn(book, panel):
    panel.verticalScrollBar().setValue(panel.verticalScrollBar().maximum())
    book.actions_by_name["thumbnails"].trigger()
    drawn(book)
    assert book._file.desk.idle
