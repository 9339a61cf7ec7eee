"""Moving about in a document: pages, zoom, history, keys, the bars."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QToolButton

from tests.zbm_gui.viewer.pages.conftest import drawn, focused, picture
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.documents.structure import OutlineEntry
from zbm_gui import style
from zbm_gui.style import plain_tooltip
from zbm_gui.viewer import PdfReader
from zbm_gui.viewer.pages.layout import GAP, Fit

PAGES = [f"Page {number} of the book" for number in range(1, 13)]


@pytest.fixture
def book(reader, make_pdf):
    reader.open(make_pdf(*PAGES), "Book")
    drawn(reader)
    return reader


# --- pages


def test_going_to_a_page_shows_its_top(book):
    changed = Catcher(book.page_changed)
    book.go_to_page(7)
    assert book.current_page() == 7
    assert (7,) in changed.values
    assert 0 <= book.view.look(7).rect.top() <= GAP


@pytest.mark.parametrize(("asked", "got"), [(-5, 0), (99, 11)])
def test_a_page_that_does_not_exist_is_the_nearest(book, asked, got):
    book.go_to_page(asked)
    assert book.current_page() == got


def test_scrolling_changes_the_page(book):
    bar = book.view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert book.current_page() == 11
    bar.setValue(0)
    assert book.current_page() == 0


def test_the_page_box_shows_label_and_count(reader, make_pdf):
    labels = [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 4, "style": "D"}]
    reader.open(make_pdf(*PAGES, labels=labels), "Book")
    reader.go_to_page(3)
    assert (reader.toolbar._box.text(), reader.toolbar._of.text()) == ("iv", "(4 of 12)")
    reader.go_to_page(4)
    assert (reader.toolbar._box.text(), reader.toolbar._of.text()) == ("1", "(5 of 12)")


def test_the_page_box_without_labels(book):
    book.go_to_page(6)
    assert (book.toolbar._box.text(), book.toolbar._of.text()) == ("7", "of 12")


@pytest.mark.parametrize(
    ("typed", "page"), [("7", 10), ("iv", 3), ("IV ", 3), ("99", 11), ("x", 0), ("0", 0)]
)
def test_typing_a_page(reader, make_pdf, typed, page):
    labels = [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 4, "style": "D"}]
    reader.open(make_pdf(*PAGES, labels=labels), "Book")
    focused(reader)
    QTest.keyClick(reader.view, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    box = reader.toolbar._box
    until(box.hasFocus, "the page box")
    QTest.keyClicks(box, typed)
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert reader.current_page() == page
    assert reader.view.hasFocus()


def test_a_number_beyond_the_last_page_is_a_printed_one(reader, make_pdf):
    reader.open(make_pdf(*PAGES), "Article", labels=[str(1040 + n) for n in range(12)])
    reader.toolbar.page_entered.emit("1043")
    assert reader.current_page() == 3


def test_pages_of_many_sizes_keep_their_place(reader, tmp_path):
    import pymupdf

    document = pymupdf.open()
    for number in range(90):
        wide = number % 7 == 3
        page = document.new_page(width=900 if wide else 400, height=500 if wide else 600)
        page.insert_text((72, 100), f"Page {number + 1}")
    path = tmp_path / "mixed.pdf"
    document.save(path)
    reader.open(path, "Mixed")
    reader.go_to_page(80)
    drawn(reader)  # sizes before it come in meanwhile
    assert reader.current_page() == 80
    assert 0 <= reader.view.look(80).rect.top() <= GAP
    assert reader._file.sizes[80 + 0].width() == (900 if 80 % 7 == 3 else 400)
    assert reader._file.sizes[87].width() == 900


# --- keys


def test_keys_scroll(book):
    focused(book)
    bar, view = book.view.verticalScrollBar(), book.view
    keys = Qt.Key

    def after(key, modifier=Qt.KeyboardModifier.NoModifier) -> int:
        QTest.keyClick(view, key, modifier)
        return bar.value()

    start = bar.value()
    one = after(keys.Key_Space)
    assert start < one - start < view.viewport().height()
    assert after(keys.Key_PageDown) > one
    assert after(keys.Key_PageUp) == one
    assert after(keys.Key_Space, Qt.KeyboardModifier.ShiftModifier) == start
    assert after(keys.Key_Down) > start
    assert after(keys.Key_Up) == start
    assert after(keys.Key_End) == bar.maximum()
    assert after(keys.Key_Home) == 0


def test_keys_zoom(book):
    focused(book)
    zoom = book.view.zoom
    QTest.keyClick(book.view, Qt.Key.Key_Plus)
    assert book.view.zoom > zoom
    QTest.keyClick(book.view, Qt.Key.Key_Minus)
    QTest.keyClick(book.view, Qt.Key.Key_Minus)
    assert book.view.zoom < zoom
    QTest.keyClick(book.view, Qt.Key.Key_0)
    assert book.view.fit is Fit.WIDTH


# --- history and outline


def test_back_and_forward(book):
    assert not book.actions_by_name["back"].isEnabled()
    book.jump_to_page(5)
    book.jump_to_page(9)
    book.go_back()
    assert book.current_page() == 5
    book.go_back()
    assert book.current_page() == 0
    assert not book.actions_by_name["back"].isEnabled()
    book.go_forward()
    book.go_forward()
    assert book.current_page() == 9
    book.go_back()
    book.jump_to_page(2)
    assert not book.actions_by_name["forward"].isEnabled()


def test_the_files_own_outline(reader, make_pdf):
    outline = [[1, "One", 1], [2, "One a", 3], [2, "One b", 5], [1, "Two", 8]]
    reader.open(make_pdf(*PAGES, outline=outline), "Book")
    reader.actions_by_name["outline"].trigger()
    drawn(reader)
    assert reader.panels.outline.isVisible()
    model = reader.panels.outline.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["One", "Two"]
    reader.panels.outline.clicked.emit(model.index(1, 0, model.index(0, 0)))
    assert reader.current_page() == 4
    assert reader.panels.outline.currentIndex().data() == "One b"
    reader.go_to_page(9)
    assert reader.panels.outline.currentIndex().data() == "Two"
    reader.go_back()
    assert reader.current_page() == 0


def test_an_outline_given_is_used_instead(reader, make_pdf):
    reader.open(make_pdf(*PAGES, outline=[[1, "Own", 1]]), "Book")
    reader.set_outline([OutlineEntry("Given", 1, 2, None), OutlineEntry("Deep", 3, 4, None)])
    reader.actions_by_name["outline"].trigger()
    drawn(reader)
    model = reader.panels.outline.model()
    assert model.index(0, 0).data() == "Given"
    assert model.index(0, 0, model.index(0, 0)).data() == "Deep"


def test_a_document_without_an_outline_says_so(book):
    book.actions_by_name["outline"].trigger()
    drawn(book)
    image = book.panels.outline.viewport().grab().toImage()
    paper = image.pixelColor(1, 1)
    written = sum(image.pixelColor(x, y) != paper for x in range(image.width()) for y in range(60))
    assert written > 50


def test_titles_and_notes_are_no_markup():
    tip = plain_tooltip("<b>bold</b> <img src='file:///x'>\nnext")
    assert "<b>" not in tip
    assert "<img" not in tip
    assert "<br>" in tip
    assert plain_tooltip("") == ""


def test_escape_leaves_the_find_bar_then_the_selection(book):
    book.finding.begin("book")
    drawn(book)
    book.mouse.select_page(book.current_page())
    drawn(book)
    focused(book)
    QTest.keyClick(book.view, Qt.Key.Key_Escape)
    assert not book.find_bar.isVisible()
    assert book.actions_by_name["copy"].isEnabled()
    QTest.keyClick(book.view, Qt.Key.Key_Escape)
    assert not book.actions_by_name["copy"].isEnabled()


def test_the_context_menu_offers_what_can_be_done(book):
    book.view.customContextMenuRequested.emit(QPoint(50, 50))
    menu = book.findChild(QMenu)
    assert menu is not None
    names = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert names[0] == "Copy"
    assert "Open in Zotero at this page" in names
    menu.close()


# --- the bars


def test_every_control_says_what_it_is(book):
    for control in [*book.toolbar.findChildren(QToolButton), *book.find_bar.findChildren(QToolButton)]:
        assert control.accessibleName(), control
        assert control.toolTip(), control
        assert not control.icon().isNull()
    for edit in book.findChildren(QLineEdit):
        assert edit.accessibleName() or not edit.isVisible()
    for name, keys in {"find": "Ctrl+F", "next_match": "F3", "back": "Alt+Left"}.items():
        assert f"({keys})" in book.actions_by_name[name].toolTip()


def test_open_elsewhere(book):
    zotero, other = Catcher(book.open_in_zotero_requested), Catcher(book.open_externally_requested)
    book.go_to_page(4)
    book.actions_by_name["open_in_zotero"].trigger()
    book.actions_by_name["open_externally"].trigger()
    assert zotero.wait() == (4,)
    assert other.wait() == ()


@pytest.mark.parametrize("width", [260, 420, 700, 1400])
def test_the_toolbar_fits_every_width(book, width):
    book.resize(width, 600)
    settle()
    assert book.width() == width
    shown = [button for button in book.toolbar.findChildren(QToolButton) if button.isVisible()]
    assert all(button.geometry().right() <= book.toolbar.width() for button in shown)
    assert len(shown) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes(app, book, theme):
    style.apply_theme(app, theme)
    try:
        image = picture(book)
        desk = image.pixelColor(3, image.height() // 2)
        assert (desk.lightness() < 60) is (theme == "dark")
    finally:
        style.apply_theme(app, "light")


def test_right_to_left_windows(app, make_pdf):
    app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    reader = PdfReader()
    try:
        reader.resize(700, 600)
        reader.show()
        reader.open(make_pdf(*PAGES), "Book")
        picture(reader)
        rect = reader.view.look(0).rect
        viewport = reader.view.viewport().rect()
        assert viewport.contains(rect.topLeft()) or rect.left() >= 0
        assert rect.width() == viewport.width() - 2 * GAP
    finally:
        app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        reader.close_document()
        reader.deleteLater()
