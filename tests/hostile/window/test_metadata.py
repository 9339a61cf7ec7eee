"""Titles, names, tags and notes that are markup: shown as they stand, nothing is fetched, nothing is run."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget

from resources.demo.zotero_database import ZoteroDatabase
from tests.zbm_gui.waiting import settle, until
from tests.zbm_gui.windows import make_window, search, wait_for_index


@pytest.fixture
def hostile(tmp_path, ear):
    """A window over a library in which every text is markup that would load a picture."""
    picture = f'<img src="{ear.address}/seen.png"><b>quokka</b>'
    with ZoteroDatabase(tmp_path / "Zotero") as database:
        collection = database.add_collection(f"Collection {picture}")
        database.add_group(4711, f"Group {picture}")
        item = database.add_item(
            "journalArticle",
            {"title": f"Title {picture}", "abstractNote": f"Abstract {picture}", "publicationTitle": picture},
            creators=[("author", f"Ada {picture}", f"Smith {picture}")],
            tags=[f"tag {picture}"],
            collections=[collection],
        )
        database.add_attachment(item, title=f"File {picture}", path="storage:lost.pdf", filename="lost.pdf")
        database.add_note(f"<h1>Note</h1><p>{picture}<script>alert(1)</script></p>", item)
    return tmp_path / "Zotero"


def labels(window: QWidget) -> list[QLabel]:
    # Long words are given places to break at.
    return [label for label in window.findChildren(QLabel) if "quokka" in label.text().replace("\u200b", "")]


def tips(window: QWidget) -> list[str]:
    """Every tooltip that a person could call up."""
    found = [widget.toolTip() for widget in window.findChildren(QWidget)]
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        waiting = [view.rootIndex()]
        while model is not None and waiting:
            parent = waiting.pop()
            for row in range(min(model.rowCount(parent), 200)):
                for column in range(model.columnCount(parent)):
                    index = model.index(row, column, parent)
                    found.append(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
                waiting.append(model.index(row, 0, parent))
    return [tip for tip in found if "seen.png" in tip]


def test_texts_of_the_library_are_never_markup(hostile, ear, tmp_path, windows):
    window = make_window(tmp_path / "home", ["--library", str(hostile)])
    windows.append(window)
    wait_for_index(window)
    search(window, "quokka")
    settle()
    table = window.library_tab.tree.table
    table.setCurrentIndex(table.model().index(0, 0))
    settle()
    window.library_tab.bar.tags_chip.set_ticked(list(window.library_tab.bar.tags_chip._choices)[:1])
    settle()
    shown = tips(window)
    assert len(shown) >= 3
    for tip in shown:
        assert "<img" not in tip, tip
    until(lambda: labels(window))
    for label in labels(window):
        plain = label.textFormat() is Qt.TextFormat.PlainText
        assert plain or "<img" not in label.text(), label.text()
    window.grab()
    assert ear.heard == []
