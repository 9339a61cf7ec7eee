"""Tabs: opened, named, stepped through, closed."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.waiting import settle, until
from zbm_core.documents.structure import PdfAnchor, Rect
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind, Passage
from zbm_gui.reader_tab import MARKED_SHARE, strongest, words_of
from zbm_gui.targets import Target

KEY = ItemKey(1, "ITEM")


def passage(chunk, strength, quoted=False, text="Soil holds carbon; soil.", ranges=((0, 4), (19, 23))):
    anchor = PdfAnchor((Rect(0, 1, 2, 3, 4),))
    return Passage(
        KEY, KEY, Kind.ATTACHMENT, chunk, (), 0, "1", text, (0, 4), ranges, anchor, strength, quoted=quoted
    )


@pytest.fixture
def tabs(window, small):
    for name in ("soil_pdf", "snapshot"):
        window.acts.open_here(Target(ItemKey(1, getattr(small, name))))
        until(lambda: window.tabs.current_reader().reader or not window.tabs.current_reader().page.state.busy)
    return window.tabs


def test_the_bar_is_hidden_until_a_document_is_open(window):
    assert window.tabs.tabBar().isHidden()


def test_tabs_are_stepped_through_and_around(window, tabs):
    assert not tabs.tabBar().isHidden()
    assert (tabs.count(), tabs.currentIndex()) == (3, 2)
    QTest.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert tabs.currentIndex() == 0
    QTest.keyClick(window, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert tabs.currentIndex() == 2


def test_a_middle_click_closes_a_tab_but_never_the_library(tabs):
    bar = tabs.tabBar()
    QTest.mouseClick(bar, Qt.MouseButton.MiddleButton, pos=bar.tabRect(1).center())
    assert tabs.count() == 2
    QTest.mouseClick(bar, Qt.MouseButton.MiddleButton, pos=bar.tabRect(0).center())
    assert tabs.count() == 2
    assert bar.tabAt(QPoint(2, 2)) == 0


def test_the_close_button_has_a_name_and_closes(tabs):
    button = tabs.tabBar().tabButton(1, tabs.tabBar().ButtonPosition.RightSide)
    assert button.accessibleName() == "Close tab"
    assert tabs.tabBar().tabButton(0, tabs.tabBar().ButtonPosition.RightSide) is None
    button.click()
    settle()
    assert tabs.count() == 2


def test_opening_another_library_closes_its_documents(window, tabs):
    window.flow.open_demo()
    until(lambda: tabs.count() == 1)


def test_weak_passages_are_not_marked_but_quoted_ones_are():
    strong, weak, quoted = (
        passage(0, 0.8),
        passage(1, 0.8 * MARKED_SHARE - 0.01),
        passage(2, 0.1, quoted=True),
    )
    assert strongest([strong, weak, quoted]) == [strong, quoted]
    assert strongest([]) == []


def test_words_stand_as_in_the_text_each_once():
    assert words_of(passage(0, 1.0)) == ("Soil", "soil")
