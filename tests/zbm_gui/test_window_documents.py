"""What the window does with documents of every kind, and with a row of the list."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from tests.zbm_gui.waiting import settle, until
from tests.zbm_gui.windows import make_window, search, tree_rows, wait_for_index
from zbm_core.library.records import ItemKey

# --- documents --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("missing", "The file is not where Zotero says it is"),
        ("damaged", "The document is damaged"),
        ("table", "This document opens in another program"),
    ],
)
def test_a_document_that_cannot_be_shown_has_a_page_with_its_reason(window, small, name, title):
    key = ItemKey(1, getattr(small, name))
    window.library_tab.tree.attachment_activated.emit(key)
    until(lambda: window.tabs.current_reader() is not None)
    tab = window.tabs.current_reader()
    until(lambda: tab.page.state is not None and not tab.page.state.busy)
    assert tab.page.state.title == title
    assert tab.page.state.text and tab.page.state.acts


def test_a_document_of_another_kind_opens_in_its_program(window, small, opened):
    window.library_tab.tree.attachment_activated.emit(ItemKey(1, small.table))
    tab = window.tabs.current_reader()
    until(lambda: tab.page.state is not None and not tab.page.state.busy)
    next(b for b in tab.findChildren(QPushButton) if b.text() == "Open externally").click()
    until(lambda: opened)
    assert opened == [("file", "rivers.ods")]


def test_a_link_is_followed_not_read(window, small, opened):
    window.library_tab.tree.attachment_activated.emit(ItemKey(1, small.link))
    settle()
    assert opened == [("link", "https://example.org/sand")]
    assert window.tabs.count() == 1


# --- acts of a row ----------------------------------------------------------------------------------


def test_the_context_menu_offers_what_can_be_done(window, small):
    from zbm_gui.menus import make_row_menu
    from zbm_gui.targets import Target

    def offered(key, passage=None):
        menu = make_row_menu(window, window.commands, window.acts, Target(ItemKey(1, key), passage))
        return [action.text() for action in menu.actions() if action.text()]

    assert offered(small.soil) == [
        "Open at Passage",
        "Open Externally",
        "Show File",
        "Show in Zotero",
        "Open in Zotero at the Page",
        "Copy Quote with Citation",
        "Copy Link",
    ]
    assert offered(small.note) == ["Show in Zotero", "Copy Quote with Citation", "Copy Link"]
    assert "Show File" not in offered(small.link)


def test_links_and_quotes_of_a_match(window, small, opened):
    search(window, "carbon")
    until(lambda: len(tree_rows(window)) > 1 and tree_rows(window)[1].passage)
    table = window.library_tab.tree.table
    table.setCurrentIndex(table.model().index(1, 0))
    passage = window.library_tab.tree.current().passage
    window.commands["show_in_zotero"].trigger()
    window.commands["open_in_zotero"].trigger()
    page = f"?page={passage.page + 1}"
    assert opened[1] == ("link", f"zotero://open-pdf/library/items/{small.soil_pdf}{page}")
    assert opened[0][1].startswith("zotero://")
    window.commands["copy_quote"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("“") and "(Okonjo et al. 2021, p. " in text
    window.commands["copy_link"].trigger()
    assert QGuiApplication.clipboard().text().endswith(page)
    window.commands["show_file"].trigger()
    window.commands["open_externally"].trigger()
    until(lambda: ("file", "okonjo.pdf") in opened)
    assert ("show", "okonjo.pdf") in opened


def test_a_program_among_the_attachments_is_shown_not_started(windows, tmp_path, opened):
    from resources.demo.zotero_database import ZoteroDatabase
    from zbm_gui.targets import Target

    with ZoteroDatabase(tmp_path / "Zotero") as database:
        item = database.add_item("book", {"title": "A book"})
        key = database.add_attachment(
            item, file=b"MZ", filename="paper.pdf.exe", content_type="application/pdf"
        )
    window = make_window(tmp_path / "home", ["--library", str(tmp_path / "Zotero")])
    windows.append(window)
    wait_for_index(window)
    window.acts.open_externally(Target(ItemKey(1, key)))
    until(lambda: opened)
    assert opened == [("show", "paper.pdf.exe")]
