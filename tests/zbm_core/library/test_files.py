"""Where attachments' files are, for every form of path that Zotero and others write."""

import os
import sys
import unicodedata
from pathlib import Path

import pytest

from zbm_core.library.files import FileResolver, FileState
from zbm_core.library.records import Attachment, ItemKey

KEY = "ABCD2345"


def attachment(path="", mode=0, content_type="application/pdf", sync=0, key=KEY):
    return Attachment(
        ItemKey(1, key), None, "t", mode, content_type, path, "", sync, "", (), (), "", "", None
    )


@pytest.fixture
def storage(folder):
    place = folder / "storage" / KEY
    place.mkdir(parents=True)
    return place


def put(place: Path, name: str) -> Path:
    file = place / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"%PDF")
    return file


def test_stored_files(folder, storage):
    file = put(storage, "Ng - 光.pdf")
    resolver = FileResolver(folder)
    for mode in (0, 1, 4):
        assert resolver.resolve(attachment("storage:Ng - 光.pdf", mode)) == (file, FileState.PRESENT, "")


@pytest.mark.parametrize(
    "path",
    [
        "storage:/home/me/Zotero/storage/OTHERKEY/a.pdf",
        "storage:sub/dir/a.pdf",
        r"storage:C:\Users\me\a.pdf",
        "/home/me/Zotero/storage/OTHERKEY/a.pdf",
        "storage:../../a.pdf",
    ],
)
def test_only_the_last_part_of_a_stored_path_counts(folder, storage, path):
    put(storage, "b.pdf")
    file = put(storage, "a.pdf")
    assert FileResolver(folder).resolve(attachment(path)).path == file


@pytest.mark.parametrize(
    "name", ["storage:..", "storage:.", "storage:", "", "storage:x/", "storage:.zotero-ft-cache"]
)
def test_names_that_are_no_files(folder, storage, name):
    put(folder / "storage", "secret.pdf")
    put(storage, ".zotero-ft-cache")
    location = FileResolver(folder).resolve(attachment(name))
    assert (location.path, location.state) == (None, FileState.MISSING)


def test_a_key_that_is_none_leads_nowhere(folder, storage):
    put(folder, "a.pdf")
    location = FileResolver(folder).resolve(attachment("storage:a.pdf", key="../.."))
    assert (location.path, location.state) == (None, FileState.UNRESOLVABLE)
    assert FileResolver(folder).resolve(attachment("storage:a\0.pdf")).state is FileState.UNRESOLVABLE


def test_other_unicode_forms_and_case(folder, storage):
    composed, decomposed = (unicodedata.normalize(form, "Müller Ångström.pdf") for form in ("NFC", "NFD"))
    put(storage, "other.pdf")
    file = put(storage, decomposed)
    resolver = FileResolver(folder)
    assert resolver.resolve(attachment(f"storage:{composed}")).path == file
    assert resolver.resolve(attachment(f"storage:{composed.upper()}")).path == file
    exact = put(storage, composed)
    assert resolver.resolve(attachment(f"storage:{composed}")).path.samefile(exact)


def test_the_only_file_of_the_right_kind(folder, storage):
    file = put(storage, "renamed.PDF")
    put(storage, "page.html")
    put(storage, ".zotero-ft-cache")
    resolver = FileResolver(folder)
    assert resolver.resolve(attachment("storage:old name.pdf")).path == file
    assert resolver.resolve(attachment("storage:old name.pdf", content_type="")).path == file
    assert resolver.resolve(attachment("storage:old.epub", content_type="application/epub+zip")).path is None
    put(storage, "second.pdf")
    location = resolver.resolve(attachment("storage:old name.pdf"))
    assert (location.path, location.state) == (None, FileState.MISSING)


def test_of_a_snapshot_only_its_own_page(folder, storage):
    page = put(storage, "article.html")
    put(storage, "frame.html")
    put(storage, "style.css")
    resolver = FileResolver(folder)
    assert resolver.resolve(attachment("storage:article.html", 1, "text/html")).path == page
    assert resolver.resolve(attachment("storage:gone.html", 1, "text/html")).path is None


@pytest.mark.parametrize(
    ("sync", "state"),
    [(0, "missing"), (1, "not_downloaded"), (2, "not_downloaded"), (3, "missing"), (4, "not_downloaded")],
)
def test_files_kept_elsewhere_are_not_missing(folder, sync, state):
    location = FileResolver(folder).resolve(attachment("storage:a.pdf", sync=sync))
    assert (location.path, location.state) == (None, state)
    assert location.reason.endswith(".")


def test_web_links_have_no_file(folder):
    assert FileResolver(folder).resolve(attachment("", 3)).state is FileState.NO_FILE


def test_folders_and_pipes_are_no_files(folder, storage):
    (storage / "a.pdf").mkdir()
    assert FileResolver(folder).resolve(attachment("storage:a.pdf")).state is FileState.MISSING
    if hasattr(os, "mkfifo"):
        os.mkfifo(storage / "b.pdf")
        assert FileResolver(folder).resolve(attachment("storage:b.pdf")).state is FileState.MISSING


def test_a_name_too_long_for_any_file(folder, storage):
    put(storage, "a.pdf")
    put(storage, "b.pdf")
    assert (
        FileResolver(folder).resolve(attachment("storage:" + "x" * 5000 + ".pdf")).state is FileState.MISSING
    )


# Linked files


def test_relative_to_the_base_folder(folder, tmp_path):
    base = tmp_path / "papers" / "x.j"
    file = put(base, "2019/Müller/a.b.pdf")
    for written in (str(base), f"{base}/"):
        resolver = FileResolver(folder, written)
        assert resolver.resolve(attachment("attachments:2019/Müller/a.b.pdf", 2)) == (file, "present", "")
        assert resolver.resolve(attachment(r"attachments:2019\Müller\a.b.pdf", 2)).path == file
        nfd = unicodedata.normalize("NFD", "Müller")
        assert resolver.resolve(attachment(f"attachments:2019/{nfd}/A.B.PDF", 2)).path.samefile(file)
        gone = resolver.resolve(attachment("attachments:2019/gone.pdf", 2))
        assert (gone.path, gone.state) == (None, "missing")
        assert "2019/gone.pdf" in gone.reason


def test_no_base_folder_names_the_setting(folder):
    location = FileResolver(folder).resolve(attachment("attachments:a.pdf", 2))
    assert (location.path, location.state) == (None, "unresolvable")
    assert "Linked Attachment Base Directory" in location.reason


@pytest.mark.parametrize(
    "path",
    [
        "../secret.pdf",
        "a/../../secret.pdf",
        r"..\secret.pdf",
        "/secret.pdf",
        "//host/secret.pdf",
        "C:/secret.pdf",
        "",
    ],
)
def test_nothing_outside_the_base_folder(folder, tmp_path, path):
    put(tmp_path, "secret.pdf")
    (tmp_path / "papers").mkdir()
    location = FileResolver(folder, str(tmp_path / "papers")).resolve(attachment(f"attachments:{path}", 2))
    assert (location.path, location.state) == (None, "unresolvable")


def test_dots_that_stay_inside(folder, tmp_path):
    file = put(tmp_path / "papers", "a.pdf")
    resolver = FileResolver(folder, str(tmp_path / "papers"))
    assert resolver.resolve(attachment("attachments:./b/../a.pdf", 2)).path == file


def test_a_base_folder_of_another_computer(folder):
    location = FileResolver(folder, r"D:\Papers", platform="linux").resolve(
        attachment("attachments:a.pdf", 2)
    )
    assert location.state is FileState.UNRESOLVABLE
    assert r"D:\Papers" in location.reason


def test_absolute_links(folder, tmp_path):
    file = put(tmp_path, "Ärzte/a.pdf")
    resolver = FileResolver(folder)
    assert resolver.resolve(attachment(str(file), 2)).path == file
    assert resolver.resolve(attachment(unicodedata.normalize("NFD", str(file)), 2)).path.samefile(file)
    assert resolver.resolve(attachment(file.as_uri(), 2)).path == file
    assert resolver.resolve(attachment(str(tmp_path / "b.pdf"), 2)).state is FileState.MISSING


@pytest.mark.parametrize(
    ("path", "platform"),
    [
        (r"E:\论文\a.pdf", "linux"),
        (r"\\server\share\a.pdf", "darwin"),
        ("C:/Users/me/a.pdf", "linux"),
        ("/home/me/a.pdf", "win32"),
        ("AAAAAAFSAAIAAQxNYWNpbnRvc2ggSEQ=", "darwin"),
        ("file://host/a.pdf", "linux"),
        ("file://[bad", "linux"),
        ("a.pdf", "linux"),
        ("", "linux"),
    ],
)
def test_paths_of_another_computer(folder, path, platform):
    location = FileResolver(folder, platform=platform).resolve(attachment(path, 2))
    assert (location.path, location.state) == (None, "unresolvable")
    assert location.reason.endswith((".", "pdf."))


@pytest.mark.skipif(sys.platform == "win32", reason="devices of POSIX")
def test_devices_are_no_files(folder):
    assert FileResolver(folder).resolve(attachment("/dev/zero", 2)).state is FileState.MISSING
