"""One document in a tab: which reader shows it, at which passage, or which page says why none does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from tests.zbm_gui.waiting import settle, until
from tests.zbm_gui.windows import search, tree_rows
from zbm_core.documents.structure import DocumentReport, Outcome, Selector, SelectorAnchor
from zbm_core.library import FileLocation, FileState
from zbm_core.library.records import ItemKey
from zbm_gui.reader_tab import Opened
from zbm_gui.states import Act
from zbm_gui.targets import Target, page_of, selector_of
from zbm_gui.viewer import PdfReader, TextReader


@pytest.fixture
def tab(window, small):
    """A tab of a snapshot, open."""
    window.acts.open_here(Target(ItemKey(1, small.snapshot)))
    tab = window.tabs.current_reader()
    until(lambda: tab.reader is not None and tab.reader._section >= 0)
    return tab


def report(tab, path: str, outcome: Outcome | None, reason: str = "", content_type: str = "") -> Opened:
    """What the engine might say of another file."""
    if content_type:
        tab.attachment = tab.attachment._replace(content_type=content_type)
    told = DocumentReport(outcome, reason) if outcome is not None else None
    return Opened(FileLocation(Path(path), FileState.PRESENT, ""), told, (), ())


@pytest.mark.parametrize(
    ("outcome", "title"),
    [
        (Outcome.PASSWORD, "The document asks for a password"),
        (Outcome.DRM, "The book is copy protected"),
        (Outcome.DAMAGED, "The document is damaged"),
        (Outcome.TOO_LARGE, "The document is too large to be shown here"),
    ],
)
def test_an_outcome_without_a_text_has_a_page_with_what_to_do(tab, outcome, title):
    state = tab._obstacle(report(tab, "a.epub", outcome, "A reason.", "application/epub+zip"))
    assert (state.title, state.text) == (title, "A reason.")
    assert Act.OPEN_EXTERNALLY in state.acts
    assert tab._obstacle(report(tab, "a.epub", outcome)).text  # without a reason it has words of its own


@pytest.mark.parametrize("outcome", [None, Outcome.INDEXED, Outcome.NO_TEXT, Outcome.FAILED])
def test_what_can_be_read_by_eye_is_shown(tab, outcome):
    assert tab._obstacle(report(tab, "a.epub", outcome, "", "application/epub+zip")) is None


def test_a_pdf_with_a_password_is_its_readers_business(tab):
    for outcome in (Outcome.PASSWORD, Outcome.TOO_LARGE, Outcome.FAILED, Outcome.NO_TEXT):
        assert tab._obstacle(report(tab, "a.pdf", outcome, "", "application/pdf")) is None
    assert tab._obstacle(report(tab, "a.pdf", Outcome.DAMAGED)).title == "The document is damaged"


def test_a_document_shown_that_is_not_searched_says_so(tab):
    scan = tab._caution(report(tab, "a.pdf", Outcome.NO_TEXT, "", "application/pdf"))
    assert "scan" in scan.title
    pictures = tab._caution(report(tab, "a.epub", Outcome.NO_TEXT, "", "application/epub+zip"))
    assert "pictures" in pictures.title
    assert "crashed" in tab._caution(report(tab, "a.epub", Outcome.FAILED, "Reading crashed.")).text
    assert tab._caution(report(tab, "a.epub", Outcome.INDEXED)) is None
    assert tab._caution(report(tab, "a.epub", None)) is None


def test_each_kind_has_its_reader(window, small, tab):
    assert isinstance(tab.reader, TextReader)
    assert "Sand." in tab.reader.view.toPlainText()
    window.acts.open_here(Target(ItemKey(1, small.soil_pdf)))
    pdf = window.tabs.current_reader()
    until(lambda: pdf.reader is not None)
    assert isinstance(pdf.reader, PdfReader)


def test_from_a_query_to_the_marked_passage_of_a_snapshot(window, opened):
    search(window, "sand")
    rows = []
    until(lambda: rows.extend(row for row in tree_rows(window) if row.passage) or rows)
    passage = next(row.passage for row in rows if isinstance(row.passage.anchor, SelectorAnchor))
    window.library_tab.tree.passage_activated.emit(passage)
    tab = window.tabs.current_reader()
    until(lambda: tab.reader is not None and tab.reader.current_match() == 0 and tab.reader._section >= 0)
    settle()
    marks = tab.reader.view.extraSelections()
    assert [mark.cursor.selectedText() for mark in marks] == ["Sand.", "Sand"]
    assert tab.target.passage.chunk == passage.chunk
    tab.reader.actions_by_name["open_in_zotero"].trigger()
    until(lambda: opened)
    kind, link = opened[0]
    assert kind == "link" and link.startswith("zotero://open/library/items/") and "?sel=" in link
    tab.reader.view.selectAll()
    tab.reader.actions_by_name["copy_citation"].trigger()
    assert QGuiApplication.clipboard().text() == "“Sand.” (A page about deserts)"


def test_a_choice_of_the_reader_holds_for_the_next_one(window, small, tab):
    tab.reader.actions_by_name["zoom_in"].trigger()
    tab.reader.actions_by_name["dark_pages"].trigger()
    assert window._settings.get("reader.text_size") == 110
    assert window._settings.get("reader.text_paper") == "dark"
    window.tabs.close_current()
    window.acts.open_here(Target(ItemKey(1, small.snapshot)))
    again = window.tabs.current_reader()
    until(lambda: again.reader is not None)
    assert (again.reader.look.size, again.reader.look.paper) == (110, "dark")


def test_where_a_target_stands():
    key, cfi = ItemKey(1, "ABCD2345"), Selector("FragmentSelector", "epubcfi(/6/2)")
    assert (page_of(Target(key)), selector_of(Target(key))) == (None, None)
    assert (page_of(Target(key, place=3)), selector_of(Target(key, place=3))) == (3, None)
    assert (page_of(Target(key, place=cfi)), selector_of(Target(key, place=cfi))) == (None, cfi)


def test_a_passage_leads_into_zotero_at_its_place(window, small, opened):
    search(window, "sand")
    rows = []
    until(lambda: rows.extend(row for row in tree_rows(window) if row.passage) or rows)
    passage = next(row.passage for row in rows if isinstance(row.passage.anchor, SelectorAnchor))
    window.acts.open_in_zotero(Target(passage.item, passage))
    assert "?sel=" in opened[0][1]
    book = replace(passage, anchor=SelectorAnchor((Selector("FragmentSelector", "epubcfi(/6/4!/4/2)"),)))
    window.acts.open_in_zotero(Target(passage.item, book))
    assert (
        opened[1][1] == f"zotero://open/library/items/{small.snapshot}?cfi=epubcfi%28%2F6%2F4%21%2F4%2F2%29"
    )
