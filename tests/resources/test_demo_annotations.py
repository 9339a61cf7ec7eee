"""The annotations of the demo library lie on the words they mark."""

import json
import re
import sqlite3
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pymupdf
import pytest
from bs4 import BeautifulSoup

from resources.demo.annotating import Annotator, PlaceNotFound
from resources.demo.build import LIBRARY
from resources.demo.catalogue import Annotation
from resources.demo.selecting import place_in_epub, place_in_snapshot
from zbm_core.documents.pdf.labels import page_labels


class TestAnnotations:
    def test_marks_lie_on_their_words(self, database):
        marked = database.execute(
            "SELECT i.key, a.path, n.text, n.position FROM itemAnnotations n"
            " JOIN itemAttachments a ON a.itemID = n.parentItemID JOIN items i ON i.itemID = a.itemID"
            " WHERE n.type IN (1, 5) AND a.contentType = 'application/pdf'"
        ).fetchall()
        assert len(marked) >= 12
        for key, path, text, position in marked:
            position = json.loads(position)
            with pymupdf.open(LIBRARY / "storage" / key / path.removeprefix("storage:")) as document:
                under = letters_under(document[position["pageIndex"]], position["rects"])
                if following := position.get("nextPageRects"):
                    under += letters_under(document[position["pageIndex"] + 1], following)
            assert letters(text) == under

    def test_every_place_is_on_its_page(self, database):
        places = database.execute(
            "SELECT i.key, a.path, n.position, n.sortIndex, n.pageLabel FROM itemAnnotations n"
            " JOIN itemAttachments a ON a.itemID = n.parentItemID JOIN items i ON i.itemID = a.itemID"
            " WHERE a.contentType = 'application/pdf'"
        ).fetchall()
        for key, path, position, sort_index, label in places:
            position = json.loads(position)
            number = position["pageIndex"]
            with pymupdf.open(LIBRARY / "storage" / key / path.removeprefix("storage:")) as document:
                page = document[number].rect
                assert page_labels(document)[number] == label
            numbers = [value for rect in position.get("rects", position.get("paths")) for value in rect]
            assert all(0 <= x <= page.width for x in numbers[::2])
            assert all(0 <= y <= page.height for y in numbers[1::2])
            assert [len(part) for part in sort_index.split("|")] == [5, 6, 5]
            assert int(sort_index[:5]) == number

    def test_fragment_identifiers_lead_to_their_words(self, database):
        marked = selected(database, "application/epub+zip")
        assert len(marked) == 2
        for path, text, position, sort_index in marked:
            assert position["type"] == "FragmentSelector"
            spine, inside, start, end = re.fullmatch(
                r"epubcfi\(/6/(\d+)!((?:/\d+)+),/(\d+:\d+),/(\d+:\d+)\)", position["value"]
            ).groups()
            with zipfile.ZipFile(path) as book:
                package = ElementTree.fromstring(book.read("EPUB/package.opf"))
                one = package[2][int(spine) // 2 - 1].get("idref")
                (name,) = [entry.get("href") for entry in package[1] if entry.get("id") == one]
                element = ElementTree.fromstring(book.read(f"EPUB/{name}"))
            for step in inside.strip("/").split("/"):
                element = element[int(step) // 2 - 1]
            node, first = map(int, start.split(":"))
            assert node == int(end.split(":")[0]) == 1
            assert element.text[first : int(end.split(":")[1])] == text
            assert re.fullmatch(r"\d{5}\|\d{8}", sort_index)

    def test_css_selectors_lead_to_their_words(self, database):
        marked = selected(database, "text/html")
        assert len(marked) == 2
        for path, text, position, sort_index in marked:
            page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
            (element,) = page.select(position["value"])
            within = position["refinedBy"]
            assert element.get_text()[within["start"] : within["end"]] == text
            assert re.fullmatch(r"\d{7}", sort_index)

    @pytest.mark.parametrize(
        ("pattern", "find"), [("*.epub", place_in_epub), ("cool-roofs*.html", place_in_snapshot)]
    )
    def test_selectors_need_one_place(self, pattern, find):
        (path,) = LIBRARY.glob(f"storage/*/{pattern}")
        for quote, where in (("no such words", "nowhere"), ("night", r"in \d+ places")):
            with pytest.raises(PlaceNotFound, match=where):
                find(path.read_bytes(), Annotation(id="x", kind="highlight", quote=quote))

    def test_words_that_are_not_there_are_named(self):
        (path,) = LIBRARY.glob("storage/*/Okonjo*.pdf")
        with pymupdf.open(path) as document, pytest.raises(PlaceNotFound, match="stands nowhere"):
            Annotator(document).place(Annotation(id="x", kind="highlight", quote="no such words"))

    def test_words_on_several_pages_need_one_named(self):
        (path,) = LIBRARY.glob("storage/*/Okonjo*.pdf")
        with pymupdf.open(path) as document:
            with pytest.raises(PlaceNotFound, match="on 4 pages"):
                Annotator(document).place(Annotation(id="x", kind="highlight", quote="carbon"))
            found = Annotator(document).place(Annotation(id="x", kind="highlight", quote="carbon", page=2))
        assert found.page == 1


def selected(database: sqlite3.Connection, content_type: str) -> list[tuple[Path, str, dict, str]]:
    """File, text, position and sort index of the annotations of one kind of document."""
    found = database.execute(
        "SELECT i.key, a.path, n.text, n.position, n.sortIndex FROM itemAnnotations n"
        " JOIN itemAttachments a ON a.itemID = n.parentItemID JOIN items i ON i.itemID = a.itemID"
        " WHERE a.contentType = ?",
        (content_type,),
    )
    return [
        (LIBRARY / "storage" / key / path.removeprefix("storage:"), text, json.loads(position), sort_index)
        for key, path, text, position, sort_index in found
    ]


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def letters_under(page: pymupdf.Page, rects: list[list[float]]) -> str:
    """Letters whose middle lies in one of the rects, in the order of the page."""
    height = page.rect.height
    boxes = [pymupdf.Rect(left, height - top, right, height - bottom) for left, bottom, right, top in rects]
    flags = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_LIGATURES
    found = [
        char["c"]
        for block in page.get_text("rawdict", flags=flags)["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
        if any(
            box.contains((pymupdf.Rect(char["bbox"]).tl + pymupdf.Rect(char["bbox"]).br) / 2) for box in boxes
        )
    ]
    return letters("".join(found))
