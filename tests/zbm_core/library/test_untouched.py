"""Nothing in a data directory is created, changed or touched, whatever is done with it."""

import shutil

import pytest

from resources.demo.zotero_database import ZoteroDatabase
from tests.support.sample_library import write_sample_library
from tests.support.tree_hash import tree_hash
from tests.support.zotero_process import running_zotero
from zbm_core.library import (
    Environment,
    LibraryError,
    base_attachment_path_of,
    check_folder,
    find_data_directories,
    freshness_of,
    read_library,
)


def use_everything(folder, scratch):
    environment = Environment("linux", folder.parent, {})
    assert check_folder(folder / "storage") == folder
    assert [found.folder for found in find_data_directories(environment)] == [folder]
    base_attachment_path_of(folder, environment)
    with read_library(folder, scratch) as library:
        assert library.items
        library.note_texts(library.notes)
        for attachment in library.attachments.values():
            library.resolve(attachment)
        for key in library.top_level:
            library.children(key)
        freshness_of(folder)


@pytest.mark.parametrize("mode", ["quiet", "rollback", "wal", "crashed rollback", "crashed wal", "hot"])
def test_by_reading(folder, scratch, mode):
    write_sample_library(folder)
    shutil.copy(folder / "zotero.sqlite", folder / "zotero.sqlite.bak")
    if mode == "quiet":
        before = tree_hash(folder)
        use_everything(folder, scratch)
    elif mode in ("rollback", "wal"):
        with running_zotero(folder, mode):
            before = tree_hash(folder)
            use_everything(folder, scratch)
            assert tree_hash(folder) == before
        before = tree_hash(folder)
    else:
        with running_zotero(folder, mode.removeprefix("crashed ")):
            pass
        before = tree_hash(folder)
        use_everything(folder, scratch)
    assert tree_hash(folder) == before
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + bytes(5000)])
def test_by_failing(folder, scratch, content):
    folder.mkdir()
    for name in ("zotero.sqlite", "zotero.sqlite-wal", "zotero.sqlite-journal", "zotero.sqlite.bak"):
        (folder / name).write_bytes(content)
    before = tree_hash(folder)
    with pytest.raises(LibraryError):
        read_library(folder, scratch)
    assert tree_hash(folder) == before


def test_the_fingerprint_sees_everything(folder):
    with ZoteroDatabase(folder) as database:
        database.add_collection("x")
    seen = {tree_hash(folder)}
    file = folder / "storage" / "new"
    for change in (
        file.touch,
        lambda: file.write_bytes(b"x"),
        lambda: file.chmod(0o600),
        lambda: file.rename(folder / "storage" / "newer"),
        (folder / "storage" / "newer").unlink,
        (folder / "zotero.sqlite").touch,
    ):
        change()
        seen.add(tree_hash(folder))
    assert len(seen) == 7
