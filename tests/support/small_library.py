"""A small real Zotero library for tests of what stands on the rooms: the run, sessions, the engine, the CLI."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pymupdf

from resources.demo.zotero_database import ZoteroDatabase

SOIL = (
    "Peat and forest soils hold more carbon than the air above them. Drained peat loses it within decades, "
    "since oxygen reaches what water had kept from decay."
)
TILLAGE = (
    "Ploughing breaks the aggregates that protect humus. After twenty years without a plough the upper ten "
    "centimetres of the field held a third more organic matter, while the layer below held a little less."
)
LAMPS = (
    "Street lamps of the old kind scatter a fifth of their light upward. Moths circle them until dawn, and "
    "bats have learned where the supper is served."
)


def write_pdf(path: Path, pages: list[str], title: str = "") -> Path:
    """A one-column PDF with one paragraph a page."""
    document = pymupdf.open()
    for number, text in enumerate(pages):
        page = document.new_page(width=420, height=595)
        if title and number == 0:
            page.insert_text((50, 60), title, fontsize=18, fontname="hebo")
        page.insert_textbox(pymupdf.Rect(50, 90, 370, 540), text, fontsize=11, fontname="tiro")
    document.save(path)
    document.close()
    return path


@dataclass(frozen=True)
class SmallLibrary:
    folder: Path
    soil: str  # keys
    soil_pdf: str
    lamps: str
    lamps_note: str
    highlight: str
    standalone: str
    group_item: str
    group: int
    collection: str
    subcollection: str


def build(folder: Path, work: Path) -> SmallLibrary:
    """Write the library into *folder*; *work* takes the PDFs on their way."""
    work.mkdir(parents=True, exist_ok=True)
    soil_file = write_pdf(work / "soil.pdf", [SOIL, TILLAGE], "Carbon under the plough")
    lamps_file = write_pdf(work / "lamps.pdf", [LAMPS])
    with ZoteroDatabase(folder) as db:
        group = db.add_group(4711, "Night Studies")
        collection = db.add_collection("Soil")
        sub = db.add_collection("Tillage", parent=collection)
        soil = db.add_item(
            "journalArticle",
            {"title": "Carbon under the plough", "abstractNote": "Long trials on tillage and humus.",
             "publicationTitle": "Annals of Fields", "date": "2019-05-00 May 2019", "DOI": "10.5555/plough"},
            creators=[("author", "Ada", "Gómez"), ("author", "Bo", "Ng"), ("author", "Cy", "Orr")],
            tags=["humus"],
            collections=[sub],
        )  # fmt: skip
        soil_pdf = db.add_attachment(
            soil, title="Full Text", file=soil_file, filename="soil.pdf", note="<p>lent by the seminar</p>"
        )
        highlight = db.add_annotation(
            soil_pdf, "highlight", text="oxygen reaches what water had kept", comment="mire drainage",
            position='{"pageIndex":0,"rects":[[50,480,200,492]]}', page_label="1",
        )  # fmt: skip
        lamps = db.add_item(
            "book",
            {"title": "Lamps and moths", "date": "2001"},
            creators=[("author", "", "Institute of Night")],
        )
        note = db.add_note("<p>Remember the <b>moths</b> of Turin</p><p>and the supper of bats.</p>", lamps)
        standalone = db.add_attachment(None, title="Lamp survey", file=lamps_file, filename="lamps.pdf")
        group_item = db.add_item("report", {"title": "Moth counts", "date": "2010"}, library=group)
        trashed = db.add_item("book", {"title": "Moths in the trash"})
        db.trash(trashed)
    return SmallLibrary(
        folder, soil, soil_pdf, lamps, note, highlight, standalone, group_item, group, collection, sub
    )  # fmt: skip
