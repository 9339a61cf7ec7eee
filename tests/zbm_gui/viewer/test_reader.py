"""Moving about in a document: pages, zoom, history, keys, the bars."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton

from tests.zbm_gui.viewer.conftest import drawn, focused, is_ink, picture, share_of
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.documents.structure import OutlineEntry
from zbm_gui import style
from zbm_gui.viewer import PdfReader
from zbm_gui.viewer.layout import GAP, Fit
from zbm_gui.viewer.pieces import HIDDEN_BYTES
from zbm_gui.viewer.tips import plain_tip
from zbm_gui.viewer.view import Place

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


# --- zoom


def test_zoom_in_and_out(book):
    before = book.view.zoom
    book.actions_by_name["zoom_in"].trigger()
    assert book.view.zoom > before
    assert book.view.fit is Fit.NONE
    book.actions_by_name["zoom_out"].trigger()
    assert book.view.zoom == pytest.approx(before)
    assert book.toolbar._zoom.text() == f"{round(before * 100)} %"


def test_fitting_follows_the_window(book):
    book.actions_by_name["fit_page"].trigger()
    drawn(book)
    look = book.view.look(0).rect
    assert look.height() <= book.view.viewport().height()
    book.actions_by_name["fit_width"].trigger()
    book.resize(500, 700)
    settle()
    assert book.view.look(0).rect.width() == book.view.viewport().width() - 2 * GAP
    assert not book.view.horizontalScrollBar().isVisible()


def test_the_wheel_zooms_about_the_cursor(book):
    book.go_to_page(3)
    at = QPointF(300, 250)
    page, before = book.view.page_point(at)
    zoom = book.view.zoom
    for _notch in range(3):
        event = QWheelEvent(
            at,
            book.view.viewport().mapToGlobal(at),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(book.view.viewport(), event)
    assert book.view.zoom > zoom * 1.3
    same_page, after = book.view.page_point(at)
    assert same_page == page
    assert (after - before).manhattanLength() < 4


def test_a_picture_stands_in_while_the_sharp_one_comes(book):
    picture(book)
    book.view.set_zoom(book.view.zoom * 2)
    image = book.view.viewport().grab().toImage()  # nothing has been drawn at this size yet
    assert share_of(image, book.view.viewport().rect(), is_ink) > 0


def test_a_large_zoom_draws_tiles_and_keeps_the_bound(book):
    book.view.pictures.cache._limit = 40_000_000
    for zoom in (3.0, 5.0, 8.0):
        book.view.set_zoom(zoom)
        for page in range(3):
            book.view.show_place(Place(page, 60.0, 80.0))
            image = picture(book)
            assert book.view.pictures.cache.bytes <= 40_000_000
    assert any(not piece.is_whole for piece in book.view.pictures.cache._images)
    text = book._file.frame(2).rect(72, 495, 120, 515)
    assert share_of(image, book.view.look(2).box(text).intersected(image.rect().toRectF()), is_ink) > 0.02


def test_tiles_join_without_a_seam(reader, make_pdf):
    """The same page drawn whole and in tiles is the same picture."""
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QImage, QPainter

    from zbm_gui.viewer.pieces import Piece

    reader.open(make_pdf("alpha beta gamma\n" * 20, size=20), "Made")
    drawn(reader)
    size = QSize(1800, 2700)
    whole = Piece(0, size.width(), size.height(), 0, 0, size.width(), size.height())
    parts = [
        Piece(0, size.width(), size.height(), x, y, min(1000, size.width() - x), min(1000, size.height() - y))
        for x in range(0, size.width(), 1000)
        for y in range(0, size.height(), 1000)
    ]
    images: dict[Piece, QImage] = {}
    reader._file.desk.piece_drawn.connect(lambda piece, image: images.__setitem__(piece, image))
    reader._file.desk.wish([whole, *parts])
    until(lambda: len(images) == 1 + len(parts), "all pieces")
    joined = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(joined)
    for part in parts:
        painter.drawImage(part.x, part.y, images[part])
    painter.end()
    differing = sum(
        abs(joined.pixelColor(x, y).lightness() - images[whole].pixelColor(x, y).lightness()) > 100
        for x in range(0, size.width(), 3)
        for y in range(0, size.height(), 3)
    )
    assert differing < 0.002 * (size.width() / 3) * (size.height() / 3)


def test_memory_stays_bounded_over_a_long_document(reader, make_pdf):
    reader.open(make_pdf(*["text"] * 60), "Long")
    reader.view.pictures.cache._limit = 12_000_000
    for page in range(0, 60, 4):
        reader.go_to_page(page)
        drawn(reader)
        assert reader.view.pictures.cache.bytes <= 12_000_000


def test_a_reader_out_of_sight_keeps_little(reader, make_pdf):
    reader.open(make_pdf(*["text"] * 30), "Long")
    for page in range(0, 30, 2):
        reader.go_to_page(page)
        drawn(reader)
    assert reader.view.pictures.cache.bytes > HIDDEN_BYTES
    reader.hide()
    assert reader.view.pictures.cache.bytes <= HIDDEN_BYTES
    reader.show()
    assert share_of(picture(reader), reader.view.viewport().rect(), is_ink) > 0


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
    tip = plain_tip("<b>bold</b> <img src='file:///x'>\nnext")
    assert "<b>" not in tip
    assert "<img" not in tip
    assert "<br>" in tip
    assert plain_tip("") == ""


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


# --- opening and closing


def test_opening_another_document_forgets_the_first(reader, make_pdf):
    reader.open(make_pdf(*PAGES, name="a.pdf"), "A")
    reader.jump_to_page(5)
    reader.find("Page")
    reader.open(make_pdf("only", name="b.pdf"), "B")
    drawn(reader)
    assert reader.page_count == 1
    assert reader.current_page() == 0
    assert not reader.actions_by_name["back"].isEnabled()
    assert not reader.find_bar.isVisible()


def test_closing_while_a_page_is_being_drawn_does_not_wait(reader, document):
    reader.open(document("tracemonkey_two_column.pdf"), "Paper")
    reader.view.set_zoom(4.0)
    until(lambda: reader._file.desk.drawing, "a drawing under way")
    reader.close_document()
    assert reader.page_count == 0
    assert share_of(reader.view.viewport().grab().toImage(), reader.view.viewport().rect(), is_ink) == 0


def test_a_reader_destroyed_while_drawing_without_having_been_closed(app, document):
    reader = PdfReader()
    reader.resize(600, 600)
    reader.show()
    reader.open(document("tracemonkey_two_column.pdf"), "Paper")
    reader.view.set_zoom(4.0)
    desk = reader._file.desk
    until(lambda: desk.drawing, "a drawing under way")
    reader.deleteLater()
    del reader
    until(lambda: not shiboken6.isValid(desk), "the end of the drawing")


def test_the_file_is_let_go(reader, make_pdf):
    path = make_pdf(*PAGES)
    reader.open(path, "Book")
    drawn(reader)
    reader.close_document()
    settle()

    def held() -> bool:
        if not Path("/proc/self/fd").exists():
            pytest.skip("open files are listed under /proc on Linux")
        links = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
        maps = Path("/proc/self/maps").read_text()
        return str(path) in links or str(path) in maps

    until(lambda: not held(), "the file to be let go")


def test_two_readers_share_one_floor(reader, make_pdf, document):
    """A question in one document never waits inside PDFium for a drawing of another."""
    other = PdfReader()
    other.resize(600, 600)
    other.show()
    other.open(document("tracemonkey_two_column.pdf"), "Paper")
    reader.open(make_pdf("alpha beta"), "Made")
    drawn(reader)
    drawn(other)
    other.view.set_zoom(5.0)
    until(lambda: other._file.desk.drawing, "a drawing under way")
    answered: list[str] = []
    reader._file.desk.ask(lambda: answered.append(reader._text.page(0).text))
    assert answered == []  # put off, not waited for
    until(lambda: answered, "the answer")
    assert answered == ["alpha beta"]
    other.close_document()
    other.deleteLater()


SHARP = """
import json, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.zbm_gui.viewer.conftest import picture
from zbm_gui.viewer import PdfReader
reader = PdfReader()
reader.resize(500, 500)
reader.show()
reader.open(Path(sys.argv[1]), "x")
image = picture(reader)
piece = next(p for p in reader.view.pictures.cache._images if p.page == 0)
print(json.dumps([image.devicePixelRatio(), image.width(), reader.view.viewport().width(), piece.width,
                  reader.view.look(0).rect.width()]))
reader.close_document()
"""


@pytest.mark.parametrize("factor", ["2", "1.25"])
def test_pages_are_drawn_in_device_pixels(make_pdf, factor):
    path = make_pdf("sharp")
    environment = {**os.environ, "QT_SCALE_FACTOR": factor, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", SHARP, str(path)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=Path(__file__).parents[3],
        timeout=120,
        check=True,
    )
    ratio, image_width, viewport, piece, page = json.loads(done.stdout.splitlines()[-1])
    assert ratio == float(factor)
    assert image_width == round(viewport * ratio)
    assert piece == round(page * ratio)
