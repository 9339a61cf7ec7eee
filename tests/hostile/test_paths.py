"""No name in a document leads out of its archive or its folder, however it is written."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.conftest import Read
from tests.support import epubs
from tests.support.hostile_texts import PROSE, png
from zbm_core.documents import Outcome, ReadingError, TextBook

SECRET = "a secret of this computer that no document may show"

OUT = (
    "../secret.{}", "..%2fsecret.{}", "%2e%2e/secret.{}", "%2e%2e%2fsecret.{}", "..\\secret.{}", "..%5csecret.{}",
    "sub/../../secret.{}", "./../secret.{}", "/{}/secret.{{}}", "%2f{}/secret.{{}}", "//{}/secret.{{}}", "file://{}/secret.{{}}",
    "file:{}/secret.{{}}", "FILE:///{}/secret.{{}}", "\\\\127.0.0.1\\share\\secret.{}", "//127.0.0.1/share/secret.{}",
    "\\\\?\\C:\\secret.{}", "C:\\secret.{}", "c:secret.{}", "..%252fsecret.{}", "..%00/secret.{}", "../secret.{}%00.png",
    "link.{}", "sub/link/secret.{}", "\u2025/secret.{}", "..;/secret.{}", " ../secret.{}", "\t../secret.{}",
)  # fmt: skip
"""Ways out of a folder; the folder's own name goes where it is asked for, then the ending."""


def ways(folder: Path, ending: str) -> list[str]:
    inside = str(folder).strip("/")
    return [way.replace("{}/", inside + "/").replace("{{}}", ending).replace("{}", ending) for way in OUT]


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A folder beside secrets, with links that lead to them."""
    folder = tmp_path / "storage" / "snapshot"
    folder.mkdir(parents=True)
    out = folder.parent
    (out / "secret.html").write_text(f"<p>{SECRET}</p>")
    (out / "secret.txt").write_text(SECRET)
    (out / "secret.png").write_bytes(png(3, 3))
    if sys.platform != "win32":
        (folder / "link.html").symlink_to(out / "secret.html")
        (folder / "link.png").symlink_to(out / "secret.png")
        (folder / "sub").mkdir()
        (folder / "sub" / "link").symlink_to(out, target_is_directory=True)
    return folder


def test_frames_stay_in_their_folder(inner: Path, read: Callable[..., Read]) -> None:
    for number, batch in enumerate(ways(inner.parent, "html")[at : at + 10] for at in range(0, len(OUT), 10)):
        frames = "".join(f'<frame src="{way}">' for way in batch)
        (inner / "own.html").write_text(PROSE)
        path = inner / f"index{number}.html"
        path.write_text(f"<!doctype html><html><frameset>{frames}<frame src='own.html'></frameset></html>")
        found = read(path, "text/html")
        assert found.report.outcome is Outcome.INDEXED and "whatever else" in found.text
        assert SECRET not in found.text


def test_a_snapshot_shows_no_picture_from_outside(inner: Path) -> None:
    (inner / "own.png").write_bytes(png(3, 3))
    pictures = "".join(f'<p><img src="{way}" alt="x"></p>' for way in ways(inner.parent, "png"))
    path = inner / "index.html"
    path.write_text(f"<!doctype html><body>{PROSE}<img src='own.png' alt='x'>{pictures}</body>")
    with TextBook(path, "text/html") as book:
        html = book.section(0).html
        assert html.count("<img") == 1 and "own.png" in html
        assert book.image("own.png").startswith(b"\x89PNG")
        for way in (*ways(inner.parent, "png"), "index.html", "", ".", "..", "own.png/../../secret.png"):
            with pytest.raises(ReadingError):
                book.image(way)


def zipped(path: Path, names: list[str], body: str) -> Path:
    """A book whose archive holds entries of *names*, all of them in its spine, beside one honest chapter."""
    spine = '<itemref idref="c0"/>' + "".join(f'<itemref idref="e{n}"/>' for n in range(len(names)))
    items = "".join(
        f'<item id="e{n}" href="{name}" media-type="application/xhtml+xml"/>'.replace("\0", "")
        for n, name in enumerate(names)
    )
    return epubs.book(path, [body], manifest=items, spine=spine)


def test_a_book_reads_its_own_entries_alone(inner: Path, read: Callable[..., Read]) -> None:
    path = zipped(inner / "a.epub", ways(inner.parent, "html"), PROSE)
    found = read(path, "application/epub+zip")
    assert found.report.outcome is Outcome.INDEXED and SECRET not in found.text
    assert "could not be read (missing)" in found.report.reason


def test_names_that_lead_out_of_an_archive_write_nothing(inner: Path, read: Callable[..., Read]) -> None:
    """Entries named as in a "zip slip": nothing of an archive is ever unpacked, whatever it is called."""
    path = epubs.book(inner / "a.epub", [PROSE])
    names = [
        "../slip.html",
        "/tmp/slip.html",
        "..\\slip.html",
        "C:\\slip.html",
        "OEBPS/../../slip.html",
        "\\\\h\\s\\slip.html",
    ]
    with zipfile.ZipFile(path, "a") as archive:
        for name in names:
            archive.writestr(name, PROSE)
        link = zipfile.ZipInfo("OEBPS/c1.xhtml")
        link.external_attr = 0o120777 << 16  # a symbolic link
        archive.writestr(link, str(inner.parent / "secret.html"))
    before = sorted(inner.parent.rglob("*"))
    found = read(path, "application/epub+zip")
    assert found.report.outcome is Outcome.INDEXED
    assert SECRET not in found.text
    assert sorted(inner.parent.rglob("*")) == before
    assert not list(Path("/tmp").glob("slip.html"))


def test_a_book_shows_no_picture_from_outside(inner: Path) -> None:
    pictures = "".join(
        f'<p><img src="{way}" alt="x"/></p>' for way in ways(inner.parent, "png") if "\0" not in way
    )
    path = epubs.book(
        inner / "a.epub",
        [PROSE + pictures + '<img src="own.png" alt="x"/>'],
        more={"OEBPS/own.png": png(3, 3)},
    )
    with TextBook(path, "application/epub+zip") as book:
        assert book.section(0).html.count("<img") == 1
        for way in (*ways(inner.parent, "png"), "OEBPS/c0.xhtml", "mimetype", "", ".."):
            with pytest.raises(ReadingError):
                book.image(way)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are no files there")
@pytest.mark.parametrize("special", ["pipe", "/dev/zero", "/dev/stdin"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, read: Callable[..., Read], special: str) -> None:
    path = tmp_path / "linked.pdf"
    if special == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(special)
    found = read(path, "application/pdf")
    assert found.report.outcome is Outcome.UNSUPPORTED
    with TextBook(path, "text/html") as book, pytest.raises(ReadingError):
        book.contents()
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "own.html").symlink_to(path)
    (folder / "index.html").write_text(
        f"<!doctype html><frameset><frame src='own.html'></frameset><body>{PROSE}"
    )
    assert read(folder / "index.html", "text/html").report.outcome in (Outcome.INDEXED, Outcome.NO_TEXT)
