"""The library as the rest of the product uses it."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from resources.demo.zotero_database import ZoteroDatabase
from zbm_core.library import FileState, ItemKey, LibraryError, read_library

ROOT = Path(__file__).parents[3]


@pytest.fixture
def library(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        yield library


def user(key):
    return ItemKey(1, key)


def test_top_level(library, keys):
    assert set(library.top_level) == {*library.items, user(keys.alone), user(keys.alone_note)}
    assert len(library.top_level) == len(set(library.top_level))


def test_top_of(library, keys):
    article = user(keys.article)
    for key in (keys.article, keys.pdf, keys.link, keys.note, keys.highlight, keys.external):
        assert library.top_of(user(key)) == article
    for key in (keys.alone, keys.alone_highlight):
        assert library.top_of(user(key)) == user(keys.alone)
    assert library.top_of(user(keys.alone_note)) == user(keys.alone_note)
    with pytest.raises(KeyError):
        library.top_of(user("NOTHING2"))


def test_record(library, keys):
    for name, records in (
        ("article", library.items),
        ("pdf", library.attachments),
        ("note", library.notes),
        ("highlight", library.annotations),
    ):
        key = user(getattr(keys, name))
        assert library.record(key) is records[key]
        assert library.record(key).key == key
    assert library.record(user("NOTHING2")) is None
    assert library.record(user(keys.image)) is None


def test_in_collection(library, keys):
    physics, optics = user(keys.physics), user(keys.optics)
    assert library.in_collection(physics, False) == {user(keys.article), user(keys.alone_note)}
    assert library.in_collection(optics, False) == {user(keys.article), user(keys.alone)}
    assert library.in_collection(physics, True) == {
        user(keys.article),
        user(keys.alone_note),
        user(keys.alone),
    }
    assert library.in_collection(user("NOTHING2"), True) == set()


def test_notes_on_demand(library, keys):
    note, pdf = user(keys.note), user(keys.pdf)
    assert library.attachment_notes == {pdf}
    assert library.note_texts([note, user(keys.alone_note), pdf, user(keys.article)]) == {
        note: "Reading\nSecond line",
        user(keys.alone_note): "Idea",
        pdf: "Scan",
    }
    assert (
        library.note_html(note)
        == '<div data-schema-version="9"><h1>Reading</h1><p>Second <b>line</b></p></div>'
    )
    assert library.note_html(user(keys.article)) == ""


def test_many_notes_from_many_threads(folder, scratch):
    with ZoteroDatabase(folder) as database:
        made = {user(database.add_note(f"<p>note {number}</p>")): f"note {number}" for number in range(1200)}
    with read_library(folder, scratch) as library:
        results = []
        threads = [
            threading.Thread(target=lambda: results.append(library.note_texts(library.notes)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [made] * 4


def test_a_note_that_is_not_utf_8(folder, scratch):
    with ZoteroDatabase(folder) as database:
        key = user(database.add_note("<p>x</p>"))
        database.connection.execute("UPDATE itemNotes SET note = CAST(x'3c703e4772fc6e3c2f703e' AS TEXT)")
    with read_library(folder, scratch) as library:
        assert library.note_texts([key]) == {key: "Gr\ufffdn"}


def test_closing_keeps_records_and_removes_the_copy(folder, scratch, keys):
    library = read_library(folder, scratch)
    library.close()
    library.close()
    assert list(scratch.iterdir()) == []
    assert library.items[user(keys.article)].title == "On light"
    assert library.resolve(library.attachments[user(keys.pdf)]).state is FileState.PRESENT
    with pytest.raises(LibraryError, match="closed"):
        library.note_texts(library.notes)


def test_resolve(folder, scratch, tmp_path):
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "linked.pdf").write_bytes(b"%PDF")
    with ZoteroDatabase(folder) as database:
        key = user(database.add_attachment(link_mode=2, path="attachments:linked.pdf"))
    with read_library(folder, scratch, base_attachment_path=str(tmp_path / "papers")) as library:
        assert library.resolve(library.attachments[key]).path == tmp_path / "papers" / "linked.pdf"
    with read_library(folder, scratch) as library:
        assert library.resolve(library.attachments[key]).state is FileState.UNRESOLVABLE


def test_progress_and_what_people_choose(folder, scratch, keys):
    told = []
    with read_library(
        folder / "storage", scratch, on_progress=lambda what, share: told.append((what, share))
    ) as library:
        assert library.folder == folder
    assert {what for what, _ in told} >= {"Checking the copy", "Reading the library"}
    assert all(0 <= share <= 1 for _, share in told)


def test_naming_the_room_imports_nothing_heavy():
    code = """
import sys
import zbm_core.library
from zbm_core.library import ItemKey, LibraryError, select_link, find_data_directories, visible_text
from zbm_core.library.records import Item
heavy = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"zbm_core", "__main__"}
print(sorted(name for name in heavy if not name.startswith("_")))
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_real_library(scratch):
    folder = ROOT.parent / "shared" / "libraries" / "covidqa"
    if not folder.exists():
        pytest.skip("the test data folder beside the project is not there")
    with read_library(folder, scratch) as library:
        assert len(library.items) == len(library.attachments) == 98
        assert library.warnings == ()
        assert all(item.title and item.abstract and item.year for item in library.items.values())
        assert all(library.resolve(each).state is FileState.PRESENT for each in library.attachments.values())
        assert all(library.top_of(key) in library.items for key in library.attachments)


def test_a_program_that_ends_without_closing_leaves_no_copy(folder, scratch, keys):
    code = """
import sys
from pathlib import Path
from zbm_core.library import read_library
library = read_library(sys.argv[1], Path(sys.argv[2]))
print(len(list(Path(sys.argv[2]).iterdir())))
"""
    command = [sys.executable, "-c", code, str(folder), str(scratch)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("2", "")
    assert list(scratch.iterdir()) == []
