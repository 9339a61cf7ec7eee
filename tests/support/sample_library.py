"""A small data directory with one of everything, at any schema."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from resources.demo.zotero_database import ZoteroDatabase


def write_sample_library(folder: Path, *, schema: int = 129, journal_mode: str = "delete") -> SimpleNamespace:
    """Write it; the result holds the key of everything by name."""
    keys = SimpleNamespace()
    with ZoteroDatabase(folder, schema=schema, journal_mode=journal_mode) as database:
        keys.physics = database.add_collection("Physics")
        keys.optics = database.add_collection("Optics", parent=keys.physics)
        keys.group = database.add_group(4711, "Reading Group")
        keys.feed = database.add_feed("News")
        keys.article = database.add_item(
            "journalArticle",
            {
                "title": "On light",
                "abstractNote": "Waves & particles.",
                "publicationTitle": "Annalen der Physik",
                "date": "2019-08-00 08/2019",
                "volume": 17,
                "DOI": "10.1000/light",
            },
            creators=[("author", "Ada", "Smith"), ("author", "Wei", "Ng"), ("editor", "Royal Society")],
            tags=["optics", "Light"],
            collections=[keys.physics, keys.optics],
            date_added="2020-01-02 03:04:05",
            date_modified="2021-01-02 03:04:05",
        )
        keys.case = database.add_item("case", {"title": "Doe v. Roe", "date": "2011", "court": "High Court"})
        keys.film = database.add_item(
            "film", {"title": "Metropolis"}, creators=[("director", "Fritz", "Lang")]
        )
        keys.pdf = database.add_attachment(
            keys.article,
            title="Full Text",
            file=b"%PDF-1.7 light",
            filename="Smith - On light.pdf",
            note="<p>Scan</p>",
        )
        keys.link = database.add_attachment(
            keys.article, title="Page", link_mode=3, url="https://example.org/"
        )
        keys.note = database.add_note(
            "<h1>Reading</h1><p>Second <b>line</b></p>", keys.article, tags=["todo"]
        )
        keys.alone = database.add_attachment(
            title="Scan", file=b"%PDF-1.7 scan", filename="scan.pdf", collections=[keys.optics]
        )
        keys.alone_note = database.add_note("<p>Idea</p>", collections=[keys.physics])
        keys.group_item = database.add_item(
            "book", {"title": "Shared"}, library=keys.group, key=keys.article, creators=[("author", "Anon")]
        )
        keys.feed_item = database.add_item("blogPost", {"title": "Today"}, library=keys.feed)
        keys.trashed = database.add_item("book", {"title": "Gone"}, collections=[keys.physics])
        keys.trashed_pdf = database.add_attachment(keys.trashed, file=b"%PDF", filename="gone.pdf")
        keys.trashed_note = database.add_note("<p>gone</p>", keys.trashed)
        database.trash(keys.trashed)
        keys.binned_pdf = database.add_attachment(keys.case, file=b"%PDF", filename="bin.pdf")
        database.trash(keys.binned_pdf)
        if schema >= 111:
            keys.binned = database.add_collection("Binned")
            keys.below_binned = database.add_collection("Below", parent=keys.binned)
            keys.in_binned = database.add_item("document", {"title": "Kept"}, collections=[keys.below_binned])
            database.trash_collection(keys.binned)
        if schema >= 112:
            second = {"sort_index": "00004|000100|00100", "page_label": "5"}
            keys.underline = database.add_annotation(keys.pdf, "underline", text="second", **second)
            keys.highlight = database.add_annotation(
                keys.pdf,
                "highlight",
                text="first",
                comment="see <b>here</b> &amp; there",
                color="#ff6666",
                sort_index="00000|000100|00100",
                page_label="iv",
                position='{"pageIndex":0,"rects":[[1,2,3,4]]}',
                tags=["quote"],
            )
            keys.alone_highlight = database.add_annotation(keys.alone, "highlight", text="lone")
            keys.external = database.add_annotation(keys.pdf, "ink", text=None, is_external=True, **second)
            keys.binned_highlight = database.add_annotation(keys.binned_pdf, "highlight", text="gone")
            keys.gone_highlight = database.add_annotation(keys.trashed_pdf, "highlight", text="gone")
            keys.image = database.add_attachment(keys.note, link_mode=4, file=b"PNG", filename="image.png")
    return keys
