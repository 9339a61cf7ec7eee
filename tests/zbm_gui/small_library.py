"""A small data directory for the window: every kind of row, and documents in every state."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

from resources.demo.zotero_database import ZoteroDatabase

STORAGE = Path(__file__).resolve().parents[2] / "resources" / "demo" / "library" / "storage"
PDF = "application/pdf"


def demo_pdf(part: str) -> Path:
    """The demo library's PDF whose name holds *part*."""
    return next(path for path in STORAGE.glob("*/*.pdf") if part in path.name)


def write_small_library(folder: Path) -> SimpleNamespace:
    """Write it; the result holds the key of everything by name."""
    keys = SimpleNamespace(folder=folder)
    soil_pdf = demo_pdf("How much carbon")
    with ZoteroDatabase(folder) as database:
        keys.soils = database.add_collection("Soils")
        keys.forests = database.add_collection("Forests", parent=keys.soils)
        keys.empty = database.add_collection("Empty")
        keys.group = database.add_group(4711, "Reading Group")
        keys.soil = database.add_item(
            "journalArticle",
            {"title": "How much carbon is stored in soil", "date": "2021", "abstractNote": "Stocks of soil."},
            creators=[("author", "Ngozi", "Okonjo"), ("author", "Ada", "Smith"), ("author", "Wei", "Li")],
            tags=["soil", "carbon"],
            collections=[keys.soils],
        )
        keys.soil_pdf = database.add_attachment(
            keys.soil, file=soil_pdf, filename="okonjo.pdf", last_read=int(time.time()) - 3600
        )
        keys.note = database.add_note("<p>Compare with the quokka survey</p>", keys.soil)
        keys.highlight = database.add_annotation(
            keys.soil_pdf,
            "highlight",
            text="a remarkable okapi",
            page_label="1",
            position='{"pageIndex":0,"rects":[[100,500,300,512]]}',
        )
        keys.forest = database.add_item(
            "book", {"title": "Forest floors", "date": "1998"}, tags=["soil"], collections=[keys.forests]
        )
        keys.missing = database.add_attachment(
            keys.forest, title="Lost", path="storage:lost.pdf", filename="lost.pdf"
        )
        keys.report = database.add_item("report", {"title": "A report on rivers", "date": "2005"})
        keys.damaged = database.add_attachment(keys.report, file=b"%PDF-1.7 no more", filename="broken.pdf")
        keys.table = database.add_attachment(
            keys.report,
            file=b"PK\x03\x04 a table",
            filename="rivers.ods",
            content_type="application/vnd.oasis.opendocument.spreadsheet",
        )
        keys.page = database.add_item("webpage", {"title": "A page about deserts"})
        keys.snapshot = database.add_attachment(
            keys.page, file=b"<html><p>Sand.</p></html>", filename="page.html", content_type="text/html"
        )
        keys.link = database.add_attachment(keys.page, link_mode=3, url="https://example.org/sand")
        keys.idea = database.add_note("<p>An idea about lichen</p>")
        keys.shared = database.add_item("book", {"title": "Shared lichen"}, library=keys.group)
    return keys


def add_item(folder: Path, title: str) -> None:
    """Do what Zotero does when the user adds an item: write to the database."""
    import sqlite3

    connection = sqlite3.connect(folder / "zotero.sqlite")
    with connection:
        (kind,) = connection.execute("SELECT itemTypeID FROM itemTypes WHERE typeName = 'book'").fetchone()
        (field,) = connection.execute("SELECT fieldID FROM fields WHERE fieldName = 'title'").fetchone()
        item = connection.execute(
            "INSERT INTO items (itemTypeID, libraryID, key, dateAdded, dateModified, clientDateModified) "
            "VALUES (?, 1, 'ADDEDNOW', '2030-01-01 00:00:00', '2030-01-01 00:00:00', '2030-01-01 00:00:00')",
            (kind,),
        ).lastrowid
        value = connection.execute("INSERT INTO itemDataValues (value) VALUES (?)", (title,)).lastrowid
        connection.execute("INSERT INTO itemData VALUES (?, ?, ?)", (item, field, value))
    connection.close()
