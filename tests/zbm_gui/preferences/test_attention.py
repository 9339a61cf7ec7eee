"""The page of documents that need attention: thousands of rows, what can be done, exporting."""

import csv
import io

import pytest
from PySide6.QtCore import Qt

from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.attention import AttentionRow, as_csv, as_lines
from zbm_core.library.records import ItemKey
from zbm_gui.preferences.attention_model import AttentionModel


def row(number, reason="The file is damaged.", name=None):
    name = name or f"Document {number}"
    return AttentionRow(ItemKey(1, f"K{number:07d}"), name, "Damaged", reason, f"d{number}.pdf")


@pytest.fixture
def page(dialog):
    dialog.open_page("Needs attention")
    until(lambda: dialog.attention.model.total == 2)
    return dialog.attention


def choose(page, name):
    (place,) = [n for n, row in enumerate(page.model.rows) if row.name == name]
    page.rows.setCurrentIndex(page.model.index(place, 0))
    return page.model.rows[place]


def test_documents_are_listed_with_their_reasons(page):
    shown = {row.name: row for row in page.model.rows}
    assert shown["Forest floors"].happened == "File missing"
    assert shown["A report on rivers"].happened == "Damaged"
    assert all(row.reason for row in page.model.rows)
    assert page.summary.text() == "2 documents."


def test_one_of_them_can_be_shown_and_read_again(page, small):
    wanted, again = Catcher(page.item_requested), Catcher(page.index_requested)
    assert not page.show_item.isEnabled() and page.again.isEnabled()
    chosen = choose(page, "Forest floors")
    page.show_item.click()
    assert wanted.wait() == (chosen.key,) == (ItemKey(1, small.missing),)
    page.again.click()
    again.wait()
    assert page.summary.text() == "Reading 1 document again."


def test_while_indexing_is_paused_nothing_is_said_to_be_read(page, settings):
    settings.set("indexing.paused", True)
    choose(page, "Forest floors")
    page.again.click()
    until(lambda: "paused" in page.summary.text())
    assert page.summary.text() == "Indexing is paused. 1 document will be read again when it goes on."


def test_what_could_be_read_after_all_leaves_the_list_as_the_run_ends(window):
    page = window.preferences.open("Needs attention").attention
    until(lambda: page.model.total == 2)
    (broken,) = [row for row in page.model.rows if row.file == "broken.pdf"]
    file = window.engine.engine.locate(broken.key).path
    whole, content = (
        next(other for other in file.parents[1].rglob("*.pdf") if other != file),
        file.read_bytes(),
    )
    try:
        file.write_bytes(whole.read_bytes())
        choose(page, broken.name)
        page.again.click()
        until(lambda: page.model.total == 1, "the list without it")
        assert page.summary.text() == "1 document."
    finally:
        file.write_bytes(content)  # the library is every test's


def test_the_file_is_shown_or_where_it_should_be_is_said(page, opened):
    choose(page, "A report on rivers")
    page.show_file.click()
    until(lambda: opened)
    assert opened == [("show", "broken.pdf")]
    choose(page, "Forest floors")
    page.show_file.click()
    until(lambda: page.summary.text() != "2 documents.")
    assert "storage folder" in page.summary.text() and len(opened) == 1


def test_the_list_can_be_narrowed_and_sorted_and_keeps_its_selection(page):
    chosen = choose(page, "Forest floors")
    page.filter.setText("damaged RIVERS")
    assert [row.name for row in page.model.rows] == ["A report on rivers"]
    assert page.summary.text() == "1 of 2 documents."
    page.filter.clear()
    page.rows.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert [row.name for row in page.model.rows] == ["Forest floors", "A report on rivers"]
    choose(page, "Forest floors")
    page.show_rows([row(7), *page.model.rows])
    assert page.selected() == [chosen]


def test_what_the_columns_cut_off_is_whole_under_the_list(page):
    reason = "The file is not in Zotero's storage folder. " * 3
    rows = [
        AttentionRow(ItemKey(1, "LONGLONG"), "土壤有机碳 " * 60, "File missing", reason, "碳.pdf"),
        AttentionRow(ItemKey(1, "SHORTONE"), "Kurz", "Damaged", "", "Kurz"),
    ]
    page.show_rows(rows)
    height = page.rows.height()
    page._select({rows[0].key})
    said = page.detail.text()
    assert reason.strip() in said and "(碳.pdf)" in said and "…" in said and len(said) < 400
    page.rows.clearSelection()
    assert page.detail.text() == ""
    page._select({rows[1].key})
    assert page.detail.text() == "Kurz\nDamaged"
    settle()
    assert page.rows.height() == height  # the list keeps its place
    page._select({rows[0].key})
    assert page.detail.text() == ""  # of two there is nothing to say


def test_looking_again_disturbs_nothing_that_is_the_same(page):
    reset = Catcher(page.model.modelReset)
    page.refresh()
    page.show_rows(list(page.model.rows))
    assert not reset.values


@pytest.mark.parametrize("suffix", ["csv", "txt"])
def test_what_is_shown_is_exported(page, tmp_path, suffix):
    page.filter.setText("rivers")
    file = tmp_path / f"list.{suffix}"
    page.export_to(file)
    until(lambda: "written" in page.summary.text())
    text = file.read_text("utf-8-sig")
    assert "A report on rivers" in text and "broken.pdf" in text and "Forest" not in text


def test_a_place_that_cannot_be_written_is_said(page, tmp_path):
    page.export_to(tmp_path / "nowhere" / "list.csv")
    until(lambda: "could not be written" in page.summary.text())


def test_a_spreadsheet_calculates_nothing_of_it():
    rows = [row(1, name='=HYPERLINK("x")'), row(2, name='He said "no",\ntwice'), row(3, reason="@me")]
    read = list(csv.reader(io.StringIO(as_csv(rows))))
    assert read[0][:3] == ["Document", "What happened", "Reason"] and len(read) == 4
    assert read[1][0].startswith("'=") and read[2][0] == 'He said "no",\ntwice' and read[3][2] == "'@me"
    assert as_lines(rows[1:2]).startswith('He said "no"')


def test_thousands_of_rows_are_one_model(app):
    model = AttentionModel()
    model.set_rows([row(number) for number in range(20_000)])
    assert model.rowCount() == 20_000
    model.narrow("document 1999")
    assert model.rowCount() == 12  # 1999, 11999 and ten of 19990 to 19999
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert model.data(model.index(0, 0)) == "Document 19999"
    assert "Damaged" in model.data(model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)


def test_without_a_library_there_is_nothing_to_do(page):
    page.set_library(None)
    assert page.summary.text() == "No library is open." and not page.model.rows
    assert not page.export.isEnabled() and not page.again.isEnabled()
