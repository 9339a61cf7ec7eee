"""The demo library: what it holds, and that the committed one is what its sources give."""

import hashlib
import json
import re
import sqlite3
import unicodedata
import zipfile
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pymupdf
import pytest

from resources.demo import build as demo
from resources.demo.catalogue import TEXTS, CatalogueError, key_of, load
from resources.demo.epub import make_epub
from resources.demo.typesetting import FONTS, TypesettingError, check_tools, set_pdf
from zbm_core.documents.pdf.labels import page_labels

LIBRARY = demo.LIBRARY
MOST_BYTES = 2_500_000


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory) -> Path:
    """The database built anew around the committed documents: no fonts are needed for that."""
    target = tmp_path_factory.mktemp("demo") / "library"
    demo.build(target, documents=LIBRARY)
    return target


def pdfs() -> list[Path]:
    return sorted(LIBRARY.glob("storage/*/*.pdf"))


def files(folder: Path) -> dict[str, str]:
    return {
        unicodedata.normalize("NFC", path.relative_to(folder).as_posix()): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".sqlite", ".png")
    }


def rows(folder: Path) -> list[str]:
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        dump = list(connection.iterdump())
    connection.close()
    return dump


POINT = re.compile(r"-?\b\d+\.\d+\b(?=[,\]])")


def without_points(row: str) -> str:
    """A row of the dump with the coordinates of positions left out."""
    return POINT.sub("#", row) if '"pageIndex"' in row else row


def points(rows: list[str]) -> list[float]:
    return [float(point) for row in rows if '"pageIndex"' in row for point in POINT.findall(row)]


class TestCommitted:
    def test_sources_have_not_changed_since(self):
        assert json.loads(demo.MANIFEST.read_text("utf-8")) == demo.source_digests(), (
            "texts or catalogue changed: run python -m resources.demo.build"
        )

    def test_database_is_what_the_catalogue_gives(self, rebuilt, tmp_path):
        # Opened as a copy, so that nothing is ever created beside the committed database.
        copy = tmp_path / "zotero.sqlite"
        copy.write_bytes((LIBRARY / "zotero.sqlite").read_bytes())
        committed, made = rows(tmp_path), rows(rebuilt)
        assert [without_points(row) for row in committed] == [without_points(row) for row in made]
        # Boxes of letters may differ by fractions of a point between versions of pymupdf.
        assert points(committed) == pytest.approx(points(made), abs=1.0)

    def test_holds_the_same_files(self, rebuilt):
        assert files(rebuilt) == files(LIBRARY)
        pictures = sorted(path.name for path in LIBRARY.glob("cache/*/*.png"))
        assert pictures == sorted(path.name for path in rebuilt.glob("cache/*/*.png"))
        assert pictures

    def test_building_twice_gives_the_same_bytes(self, rebuilt, tmp_path):
        demo.build(tmp_path / "again", documents=LIBRARY)
        first = {path.relative_to(rebuilt): path for path in rebuilt.rglob("*") if path.is_file()}
        assert len(first) > 15
        for name, path in first.items():
            assert (tmp_path / "again" / name).read_bytes() == path.read_bytes(), name

    def test_is_small(self):
        assert sum(path.stat().st_size for path in LIBRARY.rglob("*") if path.is_file()) < MOST_BYTES

    def test_documents_are_what_the_texts_give(self):
        try:
            check_tools()
        except TypesettingError as error:
            pytest.skip(str(error))
        for library in load():
            for attachment in library.all_attachments():
                if not attachment.text.endswith(".typ"):
                    continue
                committed = LIBRARY / "storage" / key_of(attachment.id) / attachment.file
                made = set_pdf(TEXTS / attachment.text)
                with pymupdf.open(committed) as one, pymupdf.open(stream=made, filetype="pdf") as other:
                    assert [page.get_text() for page in one] == [page.get_text() for page in other]

    def test_texts_other_than_pdfs_are_what_the_texts_give(self):
        for library in load():
            for attachment in library.all_attachments():
                committed = LIBRARY / "storage" / key_of(attachment.id) / attachment.file
                if attachment.text.endswith((".html", ".txt")):
                    source = (TEXTS / attachment.text).read_text("utf-8")
                    assert committed.read_text("utf-8") == source
                elif attachment.text.endswith(".book"):
                    made = zipfile.ZipFile(BytesIO(make_epub((TEXTS / attachment.text).read_text("utf-8"))))
                    with zipfile.ZipFile(committed) as book:
                        assert book.namelist() == made.namelist()
                        assert all(book.read(name) == made.read(name) for name in book.namelist())


class TestHoldings:
    def test_kinds_of_items(self, database):
        kinds = database.execute(
            "SELECT typeName, count(*) FROM items JOIN itemTypes USING (itemTypeID) GROUP BY 1"
        ).fetchall()
        regular = {name: n for name, n in kinds if name not in ("attachment", "note", "annotation")}
        assert sum(regular.values()) >= 16
        assert len(regular) >= 8

    def test_collections_nest_in_both_libraries(self, database):
        nested = database.execute(
            "SELECT DISTINCT libraryID FROM collections WHERE parentCollectionID IS NOT NULL"
        ).fetchall()
        assert nested == [(1,), (2,)]
        assert database.execute("SELECT groupID, libraryID FROM groups").fetchall() == [(4711302, 2)]

    def test_standalone_pdf_and_note(self, database):
        (standing,) = database.execute(
            "SELECT path FROM itemAttachments WHERE parentItemID IS NULL"
        ).fetchall()
        assert standing[0].startswith("storage:Field protocol")
        assert database.execute("SELECT count(*) FROM itemNotes WHERE parentItemID IS NULL").fetchone() == (
            1,
        )

    def test_trash_holds_one_item_with_children(self, database):
        (trashed,) = database.execute("SELECT itemID FROM deletedItems").fetchall()
        for table in ("itemAttachments", "itemNotes"):
            assert database.execute(
                f"SELECT count(*) FROM {table} WHERE parentItemID = ?", trashed
            ).fetchone() == (1,)

    def test_one_document_is_not_downloaded(self, database):
        absent = [
            (key, state)
            for key, path, state in database.execute(
                "SELECT key, path, syncState FROM itemAttachments JOIN items USING (itemID) WHERE linkMode < 2"
            )
            if not (LIBRARY / "storage" / key / path.removeprefix("storage:")).exists()
        ]
        assert absent == [(key_of("heat-newspaper-pdf"), 1)]

    def test_annotations_are_of_every_kind_and_many_colours(self, database):
        found = database.execute("SELECT DISTINCT type FROM itemAnnotations ORDER BY 1").fetchall()
        assert found == [(1,), (2,), (3,), (4,), (5,), (6,)]
        assert database.execute("SELECT count(DISTINCT color) FROM itemAnnotations").fetchone()[0] >= 6

    def test_notes_cite_items_that_are_there(self, database):
        keys = {key for (key,) in database.execute("SELECT key FROM items")}
        notes = [note for (note,) in database.execute("SELECT note FROM itemNotes")]
        assert not [note for note in notes if re.search(r"\{[a-z]", note)]
        cited = {part[:8] for note in notes for part in note.split("items%2F")[1:]}
        assert cited
        assert cited <= keys


class TestPdfs:
    def test_are_at_least_eight_of_three_to_fourteen_pages(self):
        pages = []
        for path in pdfs():
            with pymupdf.open(path) as document:
                pages.append(len(document))
        assert sum(3 <= count <= 14 for count in pages) >= 8
        assert max(pages) <= 14

    def test_some_have_an_outline_and_some_have_none(self):
        outlines = []
        for path in pdfs():
            with pymupdf.open(path) as document:
                outlines.append(len(document.get_toc()))
        assert sum(map(bool, outlines)) >= 4
        assert outlines.count(0) >= 4

    def test_front_matter_has_roman_labels(self):
        (thesis,) = LIBRARY.glob("storage/*/Etxeberria*.pdf")
        with pymupdf.open(thesis) as document:
            assert page_labels(document) == ["", "i", "ii", "iii", *map(str, range(1, 11))]

    def test_article_pages_go_on_from_the_journal(self):
        (article,) = LIBRARY.glob("storage/*/Okonjo*.pdf")
        with pymupdf.open(article) as document:
            assert page_labels(document) == ["211", "212", "213", "214"]

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("Okonjo*", "The soils of the world store about 1,500 Pg of organic carbon"),
            ("Brandstetter*", "Der Boden speichert Kohlenstoff nicht auf Vorrat und nicht auf Befehl"),
            ("沈若兰*", "只有测得足够深、按质量计算"),
            ("الحداد*", "تبقى المدن دافئة في الليل لأنها تخزن حرارة النهار"),
            ("Observatoire*", "La chaleur de la journée se voit"),
        ],
    )
    def test_text_comes_out_in_the_order_of_reading(self, name, words):
        (path,) = LIBRARY.glob(f"storage/*/{name}.pdf")
        with pymupdf.open(path) as document:
            text = "".join("".join(page.get_text() for page in document).replace("\u00ad", "").split())
        assert "".join(words.split()) in text

    def test_articles_have_two_real_columns(self):
        (article,) = LIBRARY.glob("storage/*/Okonjo*.pdf")
        with pymupdf.open(article) as document:
            page = document[1]
            middle = page.rect.width / 2
            lines = [
                pymupdf.Rect(line["bbox"])
                for block in page.get_text("dict")["blocks"]
                for line in block.get("lines", ())
                if line["bbox"][1] > 90
            ]
        left = [line for line in lines if line.x1 < middle]
        right = [line for line in lines if line.x0 > middle]
        assert len(left) > 30
        assert len(right) > 30
        assert len(left) + len(right) >= len(lines) - 1


class TestEpub:
    def test_is_valid_where_readers_are_strict(self):
        (path,) = LIBRARY.glob("storage/*/*.epub")
        with zipfile.ZipFile(path) as book:
            first = book.infolist()[0]
            assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
            assert book.read("mimetype") == b"application/epub+zip"
            package = ElementTree.fromstring(book.read("EPUB/package.opf"))
            listed = {one.get("href") for one in package.iter("{http://www.idpf.org/2007/opf}item")}
            assert listed == {
                name.removeprefix("EPUB/") for name in book.namelist() if name.startswith("EPUB/")
            } - {"package.opf"}
            pages = [name for name in book.namelist() if name.endswith(".xhtml")]
            for name in pages:
                ElementTree.fromstring(book.read(name))
        with pymupdf.open(path) as document:
            assert [title for level, title, _ in document.get_toc() if level == 1] == [
                "The Price of an Evening",
                "Spectacles and the Second Half of Life",
                "Gas, Paraffin, Current",
                "Night Writing",
            ]

    def test_marks_up_what_the_text_says(self):
        head = "title: A & B\nauthor: X\nlanguage: en\ndate: 2020\npublisher: P\nidentifier: urn:x\n\n"
        made = zipfile.ZipFile(BytesIO(make_epub(head + "# One\n\nFirst *line*\nand < second.\n\n> Said.\n")))
        page = made.read("EPUB/chapter1.xhtml").decode()
        assert "<p>First <em>line</em> and &lt; second.</p>" in page
        assert "<blockquote><p>Said.</p></blockquote>" in page
        assert "<dc:title>A &amp; B</dc:title>" in made.read("EPUB/package.opf").decode()

    @pytest.mark.parametrize("text", ["title: A\n\n# One\n\nText", "language: en\n\nno chapter"])
    def test_refuses_half_a_book(self, text):
        with pytest.raises(ValueError, match="a book needs"):
            make_epub(text)


class TestBuilding:
    def test_leaves_a_folder_that_holds_something_alone(self, tmp_path):
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(FileExistsError):
            demo.build(tmp_path, documents=LIBRARY)
        assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

    def test_missing_fonts_are_named_with_their_package(self, monkeypatch):
        try:
            check_tools()
        except TypesettingError as error:
            if "pip install typst" in str(error):
                pytest.skip(str(error))
        monkeypatch.setitem(FONTS, "No Such Serif", "fonts-no-such")
        with pytest.raises(TypesettingError, match=r"No Such Serif.*fonts-no-such"):
            check_tools()

    def test_a_mistake_in_the_catalogue_is_named(self, monkeypatch, tmp_path):
        (tmp_path / "bad.toml").write_text('[[item]]\nid = "a"\ntype = "book"\nfields = {}\ncolour = "red"\n')
        monkeypatch.setattr("resources.demo.catalogue.CATALOGUE", tmp_path)
        with pytest.raises(CatalogueError, match=r"bad\.toml.*colour"):
            load()

    def test_an_id_given_twice_is_named(self, monkeypatch, tmp_path):
        one = '[[collection]]\nid = "a"\nname = "A"\n'
        (tmp_path / "twice.toml").write_text(one + one)
        monkeypatch.setattr("resources.demo.catalogue.CATALOGUE", tmp_path)
        with pytest.raises(CatalogueError, match="a is given twice"):
            load()

    def test_keys_follow_from_ids_alone(self):
        keys = [key_of(f"id{number}") for number in range(500)]
        assert key_of("soil-stocks") == key_of("soil-stocks")
        assert len(set(keys)) == 500
        assert all(len(key) == 8 and set(key) <= set("23456789ABCDEFGHIJKLMNPQRSTUVWXYZ") for key in keys)
