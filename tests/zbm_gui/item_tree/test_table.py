"""Keys, mouse, heights and pictures of the list."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtTest import QTest

from tests.zbm_gui.item_tree.reading import go_to, heard, keys, outline, position, rows, search, spy
from tests.zbm_gui.item_tree.samples import found, shelf_passages
from zbm_gui.item_tree import RowKind
from zbm_gui.item_tree.columns import RELEVANCE, TITLE
from zbm_gui.style import apply_theme, colors, line_height


def current(tree) -> str:
    row = tree.current()
    return f"{row.kind} {row.key.key}"


def press(tree, *keys_) -> None:
    for each in keys_:
        QTest.keyClick(tree.table, each)


def test_heights_grow_with_the_font(app, tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    for pixels in (13, 20):
        font = QFont(tree.font())
        font.setPixelSize(pixels)
        tree.setFont(font)
        app.processEvents()
        line = line_height(tree.table)
        assert tree.table.rowHeight(0) == round(1.6 * line)
        assert tree.table.rowHeight(1) == round(2.6 * line)
        assert tree.table.rowHeight(4) == round(1.6 * line)


def test_rows_have_the_height_of_what_stands_there_now(tree):
    def wrong() -> list[int]:
        heights = {True: tree.table.painter.match_height, False: tree.table.painter.item_height}
        return [
            n
            for n, row in enumerate(rows(tree))
            if tree.table.rowHeight(n) != heights[row.kind is RowKind.MATCH]
        ]

    search(tree, found(("ITEMAAAA", 0.8), ("ITEMBBBB", 0.7)))
    assert any(row.kind is RowKind.MATCH for row in rows(tree)) and wrong() == []
    search(tree, found(("ITEMCCCC", 0.9), ("ITEMEEEE", 0.8), ("ITEMAAAA", 0.1), text="another"))
    assert wrong() == []
    tree.clear_results()
    assert wrong() == []


def test_columns_grow_with_the_font(app, tree):
    before = tree.table.header.sectionSize(1)
    font = QFont(tree.font())
    font.setPixelSize(26)
    tree.setFont(font)
    app.processEvents()
    assert tree.table.header.sectionSize(1) >= 1.8 * before


def test_right_opens_and_left_closes(tree):
    go_to(tree, position(tree, "ITEMAAAA"))
    press(tree, Qt.Key.Key_Right)
    assert outline(tree)[1] == "  attachment ATTAAAAA"
    assert current(tree) == "item ITEMAAAA"
    press(tree, Qt.Key.Key_Right)
    assert current(tree) == "attachment ATTAAAAA"
    press(tree, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert current(tree) == "annotation ANNOAAAA"
    press(tree, Qt.Key.Key_Left)
    assert current(tree) == "attachment ATTAAAAA"
    press(tree, Qt.Key.Key_Left)
    assert "    annotation ANNOAAAA" not in outline(tree)
    press(tree, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert current(tree) == "item ITEMAAAA"
    assert all(row.level == 0 for row in rows(tree))


def test_plus_opens_and_minus_closes(tree):
    go_to(tree, position(tree, "ITEMAAAA"))
    press(tree, Qt.Key.Key_Plus)
    assert rows(tree)[1].level == 1
    press(tree, Qt.Key.Key_Minus)
    assert rows(tree)[1].level == 0


def test_home_and_end_go_to_the_first_and_last_row(tree):
    press(tree, Qt.Key.Key_End)
    assert tree.table.currentIndex().row() == 9
    press(tree, Qt.Key.Key_Home)
    assert tree.table.currentIndex().row() == 0
    QTest.keyClick(tree.table, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    assert len(tree.selected().keys) == 10


def test_control_a_selects_all(tree):
    QTest.keyClick(tree.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(tree.selected().keys) == 10


def test_typing_goes_to_a_title(tree):
    QTest.keyClicks(tree.table, "smi")
    assert current(tree) == "item ITEMGGGG"
    QTest.qWait(tree.table.style().styleHint(tree.table.style().StyleHint.SH_ToolTip_WakeUpDelay) // 10)


def test_typing_knows_accents_and_goes_round(app, tree):
    go_to(tree, 9)
    tree.table.keyboardSearch("o")  # Ökologie der Böden
    assert current(tree) == "item ITEMEEEE"


def test_typing_one_letter_again_goes_on(tree):
    tree.table.keyboardSearch("a")
    first = current(tree)
    tree.table.keyboardSearch("a")
    assert current(tree) != first
    assert current(tree) in ("item ITEMBBBB", "note NOTEBBBB", "item NOTEBBBB", "item ATTEEEEE")


def test_a_current_row_that_is_closed_away_hands_on_to_its_item(tree):
    at = position(tree, "ITEMAAAA")
    tree.table.toggle(at)
    go_to(tree, position(tree, "NOTEAAAA", RowKind.NOTE))
    tree.table.toggle(at)
    assert current(tree) == "item ITEMAAAA"


def test_the_mouse_opens_at_the_twisty_and_selects_beside_it(tree):
    table = tree.table
    at = position(tree, "ITEMAAAA")
    middle = table.rowViewportPosition(at) + table.rowHeight(at) // 2
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(12, middle))
    assert rows(tree)[at + 1].level == 1
    assert not tree.selected()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, middle))
    assert tree.selected().keys == (rows(tree)[at].key,)


def test_a_double_click_on_a_match_opens_it(tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    opened = spy(tree.passage_activated)
    table = tree.table
    middle = table.rowViewportPosition(1) + table.rowHeight(1) // 2
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, middle))
    assert heard(opened) == [shelf_passages()["ITEMAAAA"][0]]


def test_a_row_is_read_out_as_a_sentence(tree):
    search(tree, found(("ITEMAAAA", 0.8)))
    model = tree.table.model()
    said = [model.data(model.index(n, TITLE), Qt.ItemDataRole.AccessibleTextRole) for n in range(7)]
    assert said[0] == (
        "Journal article: Soil carbon under long-term Trifolium pasture: what a hundred and fifty years of "
        "plots at Rothamsted say about the stability of organic matter in CO2-rich climates, by Ng and Smith, "
        "2019, in Journal of Soil Science, rank 1, 3 matches, opened."
    )
    assert said[1].startswith("Match, page 4 (104), Results, Plots: In the plots that were ploughed")
    assert said[2].startswith("Match by meaning, page 9, Discussion: ")
    assert said[4] == "PDF: Full Text PDF."
    assert said[6] == "Note: Thoughts on plots."


def test_relevance_says_rank_and_the_engines_that_spoke(tree):
    search(tree, found(("ITEMAAAA", 0.62)))
    model = tree.table.model()
    index = model.index(0, RELEVANCE)
    assert model.data(index, Qt.ItemDataRole.ToolTipRole) == "Rank 1 · words 0.62"
    assert model.data(index) == "Rank 1 · words 0.62"
    assert model.data(model.index(1, RELEVANCE), Qt.ItemDataRole.ToolTipRole) is None


def test_data_never_raises_and_never_reads_the_database(tree, shelf):
    model = tree.table.model()
    search(tree, found(("ITEMAAAA", 0.62)))
    roles = list(Qt.ItemDataRole)
    for at in range(-1, model.rowCount() + 2):
        for column in range(-1, model.columnCount() + 1):
            for role in roles:
                model.data(model.index(at, column), role)
    stale = model.index(model.rowCount() - 1, 0)
    tree.show_results(found(("ITEMBBBB", 0.1), text="other"))
    assert model.data(stale) is None


@pytest.mark.expects_log("could not say what it is")
def test_a_record_that_breaks_is_logged_and_shown_empty(tree, monkeypatch):
    model = tree.table.model()
    monkeypatch.setattr(model, "text", lambda *_: 1 / 0)
    assert model.data(model.index(0, 0)) is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_has_the_bar_the_marks_and_the_selection(app, tree, theme):
    apply_theme(app, theme)
    try:
        search(tree, found(("ITEMAAAA", 0.8), ("ITEMDDDD", 0.3)))
        go_to(tree, position(tree, "ITEMDDDD"))
        app.processEvents()
        image = tree.table.viewport().grab().toImage()
        c = colors(tree)

        def has(colour: QColor, row: int) -> int:
            top, height = tree.table.rowViewportPosition(row), tree.table.rowHeight(row)
            return sum(
                QColor(image.pixel(x, y)) == colour
                for y in range(top, top + height)
                for x in range(image.width())
            )

        accent = has(c.accent, 0)
        assert accent > 3 * has(c.accent, position(tree, "ITEMDDDD")) * 0.5 > 0
        share = c.highlight.alphaF()
        mark = QColor(
            *(
                round(m * share + p * (1 - share))
                for m, p in zip(c.highlight.getRgb()[:3], c.paper.getRgb()[:3], strict=True)
            )
        )
        near = sum(
            abs(QColor(image.pixel(x, y)).blue() - mark.blue()) < 4
            and abs(QColor(image.pixel(x, y)).red() - mark.red()) < 4
            for y in range(tree.table.rowViewportPosition(1), tree.table.rowViewportPosition(2))
            for x in range(image.width())
        )
        assert near > 200  # the words' ground
        assert (
            has(c.selection, position(tree, "ITEMDDDD"))
            + has(c.selection_inactive, position(tree, "ITEMDDDD"))
            > 1000
        )
        assert has(c.paper, 4) > 1000
    finally:
        apply_theme(app, "light")


def test_scrolling_is_exact_to_the_last_row(app, tree):
    tree.resize(900, 160)
    app.processEvents()
    bar = tree.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    last = tree.table.model().rowCount() - 1
    bottom = tree.table.rowViewportPosition(last) + tree.table.rowHeight(last)
    assert bottom == tree.table.viewport().height()
    assert keys(tree)[-1]
