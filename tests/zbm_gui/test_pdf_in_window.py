"""The reader of pages in the window: searches beside each other, what is copied, passwords, Zotero."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tests.zbm_gui.waiting import settle, until
from tests.zbm_gui.windows import search, tree_rows
from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.library import FileLocation, FileState
from zbm_core.library.records import ItemKey
from zbm_gui.reader_tab import Opened
from zbm_gui.targets import Target
from zbm_gui.viewer.pages import passwords


def open_at(window, query: str):
    """Search, and open the first passage of the soil paper; its tab."""
    window.tabs.setCurrentIndex(0)
    search(window, query)
    rows = []
    until(
        lambda: (
            rows.extend(row for row in tree_rows(window) if row.passage and row.passage.page is not None)
            or rows
        )
    )
    before = window.tabs.current_reader()
    window.library_tab.tree.passage_activated.emit(rows[0].passage)
    until(lambda: window.tabs.current_reader() is not before)
    tab = window.tabs.current_reader()
    until(lambda: tab.reader is not None and tab.target.passage is not None)
    until(lambda: tab._marked.searches and tab._marked.searches[0].query == query)
    return tab


def idle(tab) -> None:
    settle()
    until(lambda: tab.reader.view.file.desk.idle)


@pytest.fixture
def document(window, small):
    window.acts.open_here(Target(ItemKey(1, small.soil_pdf)))
    tab = window.tabs.current_reader()
    until(lambda: tab.reader is not None)
    idle(tab)
    return tab


def test_an_earlier_search_stays_marked_beside_the_latest(window):
    tab = open_at(window, "soil")
    assert not tab.reader.legend.isVisible()
    assert open_at(window, "carbon") is tab
    assert [matches.name for matches in tab.reader.matching.sets] == ["carbon", "soil"]
    assert tab.reader.legend.isVisible()
    latest = tab.target
    tab.reader.actions_by_name["next_set"].trigger()
    tab.reader.next_match()
    assert tab.target.passage in tab._marked.searches[1].passages
    tab.reader.legend.dropped.emit(1)
    settle()
    assert [matches.name for matches in tab.reader.matching.sets] == ["carbon"]
    assert not tab.reader.legend.isVisible()
    assert latest.passage is not None


def test_the_keys_for_quotes_copy_what_is_selected(window, document):
    document.reader.mouse.select_page(0)
    idle(document)
    QGuiApplication.clipboard().setText("")
    QTest.keyClick(
        document.reader.view,
        Qt.Key.Key_C,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    until(lambda: QGuiApplication.clipboard().text())
    text = QGuiApplication.clipboard().text()
    assert text.startswith("“")
    assert text.endswith("” (Okonjo et al. 2021, p. 211)")


def test_without_a_selection_they_copy_the_current_match(window):
    tab = open_at(window, "soil")
    QGuiApplication.clipboard().setText("")
    window.commands["copy_quote"].trigger()
    text = QGuiApplication.clipboard().text()
    assert "Okonjo et al. 2021" in text
    assert len(text) < 400
    assert tab.reader.mouse.selection is None


def test_a_region_goes_to_the_clipboard_with_its_citation(window, document):
    QGuiApplication.clipboard().setText("")
    document.reader.clipping.picture(0, QRectF(72, 72, 144, 72))
    until(lambda: QGuiApplication.clipboard().mimeData().hasImage())
    assert QGuiApplication.clipboard().text() == "(Okonjo et al. 2021, p. 211)"
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (600, 300)


def test_zotero_opens_at_the_page_that_is_read(window, document, opened):
    assert document.reader.page_count > 1
    document.reader.go_to_page(1)
    document.reader.actions_by_name["open_in_zotero"].trigger()
    assert opened[-1][1].endswith("?page=2")


def test_zotero_opens_at_the_passage_until_one_reads_elsewhere(window, opened):
    tab = open_at(window, "soil")
    page = tab.target.passage.page
    tab.reader.actions_by_name["open_in_zotero"].trigger()
    assert f"page={page + 1}" in opened[-1][1]


def test_a_password_is_asked_for_in_the_tab_and_the_document_filled(window, document, tmp_path, monkeypatch):
    monkeypatch.setattr(passwords, "_given", {})
    path = Path(tmp_path / "locked.pdf")
    with pymupdf.open() as made:
        made.new_page().insert_text((72, 100), "a secret")
        made.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="key", owner_pw="owner")
    document.reader.deleteLater()
    document.reader = None
    report = DocumentReport(Outcome.PASSWORD, "A password is needed.")
    document._on_opened(Opened(FileLocation(path, FileState.PRESENT, ""), report, (), ()))
    page = document.reader.opening.password
    assert page.isVisible()
    edit = page.findChild(QLineEdit)
    QTest.keyClicks(edit, "key")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    until(lambda: document.reader.page_count == 1)
    assert document.reader.view.isVisible()
    annotations = document.reader.panels.annotations.list.model()
    assert annotations.rowCount() == 1  # the attachment's own highlight
