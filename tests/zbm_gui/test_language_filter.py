"""The filter by language, in the window."""

import pytest

from resources.demo.zotero_database import ZoteroDatabase
from tests.zbm_gui.waiting import settle, until
from tests.zbm_gui.windows import make_window, search, wait_for_index
from zbm_gui.language_filter import language_name

GERMAN = "Der Boden der Wälder speichert mehr Kohlenstoff als die Luft darüber. " * 12
ENGLISH = (
    "The soil of the forests holds more carbon than the air above it does, which is called soil carbon. " * 12
)


@pytest.fixture
def window(tmp_path, windows):
    with ZoteroDatabase(tmp_path / "Zotero") as database:
        for title, text in (("Moor", GERMAN), ("Moss", ENGLISH)):
            item = database.add_item("book", {"title": f"{title} carbon"})
            database.add_attachment(
                item, file=text.encode(), filename=f"{title}.txt", content_type="text/plain"
            )
    windows.append(make_window(tmp_path / "home", ["--library", str(tmp_path / "Zotero")]))
    wait_for_index(windows[-1])
    return windows[-1]


def titles(window):
    model = window.library_tab.tree.table.model()
    return sorted(model.index(row, 0).data() for row in range(model.rowCount()))


def test_what_documents_are_written_in_can_be_chosen(window):
    bar = window.library_tab.bar
    until(lambda: len(bar.languages_chip._choices) == 2)
    assert bar.languages_chip._choices == {"de": "German", "en": "English"}
    assert len(titles(window)) == 2
    bar.languages_chip.set_ticked(["de"])
    bar.languages_chip.changed.emit()
    settle()
    assert [title for title in titles(window) if "carbon" in title] == ["Moor carbon"]
    search(window, "carbon")
    found = [match.item for match in window.library_tab.search.result.matches]
    assert [window.engine.engine.library.items[item].title for item in found] == ["Moor carbon"]


def test_a_language_without_a_name_is_its_code():
    assert language_name("de") == "German"
    assert language_name("zz") == "zz"
