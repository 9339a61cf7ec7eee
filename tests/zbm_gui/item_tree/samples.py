"""Small libraries and search results for the tests of the tree and the pane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from resources.demo.zotero_database import ZoteroDatabase
from zbm_core.library import Library, read_library
from zbm_core.library.records import (
    Annotation,
    Attachment,
    Collection,
    Creator,
    Item,
    ItemKey,
    LibraryInfo,
    Note,
    Record,
)
from zbm_core.search.records import (
    Kind,
    Match,
    Outlook,
    Passage,
    Score,
    SearchRequest,
    SearchResult,
)


class MemoryLibrary:
    """Holds records as `zbm_core.library.Library` does, without a database: for very many of them."""

    def __init__(self, records: Iterable[Record], collections: Iterable[Collection] = ()) -> None:
        records = list(records)
        self.libraries = {1: LibraryInfo(1, "user", "My Library", None)}
        self.collections = {c.key: c for c in collections}
        self.items = {r.key: r for r in records if isinstance(r, Item)}
        self.attachments = {r.key: r for r in records if isinstance(r, Attachment)}
        self.notes = {r.key: r for r in records if isinstance(r, Note)}
        self.annotations = {r.key: r for r in records if isinstance(r, Annotation)}
        self._children: dict[ItemKey, tuple[ItemKey, ...]] = {}
        for record in [*self.attachments.values(), *self.notes.values(), *self.annotations.values()]:
            if record.parent is not None:
                self._children[record.parent] = (*self._children.get(record.parent, ()), record.key)
        self.top_level = tuple(
            r.key for r in records if isinstance(r, Item) or getattr(r, "parent", r.key) is None
        )

    def children(self, key: ItemKey) -> tuple[ItemKey, ...]:
        return self._children.get(key, ())

    def record(self, key: ItemKey) -> Record | None:
        for records in (self.items, self.attachments, self.notes, self.annotations):
            if key in records:
                return records[key]
        return None

    def top_of(self, key: ItemKey) -> ItemKey:
        if key in self.annotations:
            key = self.annotations[key].parent
        child = self.attachments.get(key) or self.notes.get(key)
        return (child.parent or key) if child is not None else key


def item(key: str, title: str, **more) -> Item:
    creators = more.pop("creators", (Creator("author", "Ada", "Smith"),))
    names = [c.last for c in creators]
    summary = (
        ""
        if not names
        else names[0]
        if len(names) == 1
        else f"{names[0]} and {names[1]}"
        if len(names) == 2
        else f"{names[0]} et al."
    )
    year = more.pop("year", 2019)
    publication = more.pop("publication", "Journal of Soil Science")
    fields = [("title", title)]
    if publication:
        fields.append(("publicationTitle", publication))
    if year is not None:
        fields.append(("date", str(year)))
    fields += more.pop("fields", ())
    abstract = more.pop("abstract", "")
    if abstract:
        fields.append(("abstractNote", abstract))
    return Item(
        key=ItemKey(more.pop("library", 1), key),
        item_type=more.pop("item_type", "journalArticle"),
        title=title,
        creators=creators,
        creator_summary=summary,
        date=str(year or ""),
        date_sort=f"{year}-00-00" if year is not None else "",
        year=year,
        publication=publication,
        abstract=abstract,
        fields=tuple(fields),
        tags=more.pop("tags", ()),
        collections=more.pop("collections", ()),
        date_added=more.pop("added", "2024-01-01 10:00:00"),
        date_modified=more.pop("modified", "2024-02-01 10:00:00"),
    )


def attachment(key: str, parent: str | None, title: str = "Full Text PDF", **more) -> Attachment:
    return Attachment(
        key=ItemKey(1, key),
        parent=ItemKey(1, parent) if parent else None,
        title=title,
        link_mode=more.pop("link_mode", 0),
        content_type=more.pop("content_type", "application/pdf"),
        path="storage:a.pdf",
        url="",
        sync_state=2,
        storage_hash="",
        tags=(),
        collections=(),
        date_added="2024-01-01 10:00:00",
        date_modified="2024-01-01 10:00:00",
        last_read=None,
    )


def note(key: str, parent: str | None, title: str = "Thoughts on plots") -> Note:
    stamp = "2024-01-01 10:00:00"
    return Note(ItemKey(1, key), ItemKey(1, parent) if parent else None, title, (), (), stamp, stamp)


def annotation(key: str, parent: str, text: str, **more) -> Annotation:
    stamp = "2024-01-01 10:00:00"
    return Annotation(
        key=ItemKey(1, key),
        parent=ItemKey(1, parent),
        kind=more.pop("kind", "highlight"),
        author=more.pop("author", ""),
        text=text,
        comment=more.pop("comment", ""),
        color=more.pop("color", "#ffd400"),
        page_label=more.pop("page_label", "4"),
        sort_index="",
        position="",
        tags=(),
        date_added=stamp,
        date_modified=stamp,
    )


def passage(item_key: str, source: str, text: str, words: Sequence[str] = (), **more) -> Passage:
    """A passage whose quote is all of *text* (or `quote`) with every one of *words* marked."""
    ranges = []
    for word in words:
        at = text.lower().find(word.lower())
        while at >= 0:
            ranges.append((at, at + len(word)))
            at = text.lower().find(word.lower(), at + 1)
    return Passage(
        item=ItemKey(1, item_key),
        source=ItemKey(1, source),
        kind=more.pop("kind", Kind.ATTACHMENT),
        chunk=more.pop("chunk", 0),
        section=more.pop("section", ("Results", "Plots")),
        page=more.pop("page", 3),
        page_label=more.pop("page_label", ""),
        text=text,
        quote=more.pop("quote", (0, len(text))),
        ranges=tuple(sorted(ranges)),
        anchor=None,
        strength=more.pop("strength", 0.6),
        by_meaning=more.pop("by_meaning", False),
        quoted=more.pop("quoted", True),
    )


def found(*matches: tuple[str, float], text: str = "soil carbon") -> SearchResult:
    """A result whose items have these strengths, best first."""
    return SearchResult(
        request=SearchRequest(text),
        outlook=Outlook.FOUND,
        matches=tuple(
            Match(ItemKey(1, key), rank, Score(lexical=round(strength, 2)), strength)
            for rank, (key, strength) in enumerate(matches, start=1)
        ),
    )


SOIL = (
    "In the plots that were ploughed each year the carbon pool of the soil fell by a fifth over ten years, "
    "while the soil under grass rose by four per cent."
)


LONG_TITLE = (
    "Soil carbon under long-term <i>Trifolium</i> pasture: what a hundred and fifty years of plots at "
    "Rothamsted say about the stability of organic matter in CO<sub>2</sub>-rich climates"
)
ABSTRACT = "A hundred and fifty years of plots show how the soil keeps carbon. " + SOIL


def write_shelf(folder: Path, *, later: bool = False) -> Path:
    """A Zotero data directory with a dozen records of many kinds and scripts.

    *later*: the same some time on: one item gone, one new, one with another title.
    """
    with ZoteroDatabase(folder) as zotero:
        soils = zotero.add_collection("Soils", key="COLLAAAA")
        plots = zotero.add_collection("Long-term plots", soils, key="COLLBBBB")
        zotero.add_item(
            "journalArticle",
            {
                "title": LONG_TITLE,
                "publicationTitle": "Journal of Soil Science",
                "date": "2019",
                "volume": "12",
                "issue": "3",
                "pages": "101-119",
                "DOI": "10.1000/soil.12",
                "abstractNote": ABSTRACT,
                "url": "https://example.org/a/very/long/address/that/no/pane/could/show/on/one/line?really=1",
            },
            [("author", "Lin", "Ng"), ("author", "Ada", "Smith"), ("editor", "Jo", "Roy")],
            tags=("soil", "carbon", "long-term experiments"),
            collections=(plots,),
            key="ITEMAAAA",
            date_added="2024-03-01 10:00:00",
        )
        title = "A handbook of field methods" + (", second edition" if later else "")
        smith = [("author", "Ada", "Smith")]
        added = "2024-01-01 10:00:00"
        zotero.add_item("book", {"title": title, "date": "2003"}, smith, key="ITEMBBBB", date_added=added)
        zotero.add_item(
            "journalArticle",
            {
                "title": "长期施肥对黑土有机碳储量及其组分影响的研究：以东北典型农田为例",
                "publicationTitle": "土壤学报",
                "date": "2021",
            },
            [("author", "王小明"), ("author", "李华")],
            key="ITEMCCCC",
            date_added="2024-02-11 10:00:00",
        )
        zotero.add_item(
            "thesis",
            {
                "title": "أثر الحراثة على الكربون العضوي في التربة (دراسة طويلة الأمد).",
                "university": "جامعة",
                "date": "2018",
            },
            [("author", "أحمد", "الخطيب")],
            key="ITEMDDDD",
            date_added=added,
        )
        zotero.add_item("bookSection", {"title": "Ökologie der Böden"}, key="ITEMEEEE", date_added=added)
        if not later:
            zotero.add_item(
                "dataset",
                {"title": "Weather records, 1850–2020", "date": "2020"},
                smith,
                key="ITEMFFFF",
                date_added=added,
            )
        zotero.add_item(
            "case",
            {"caseName": "Smith v. Water Board", "court": "High Court", "dateDecided": "1987"},
            key="ITEMGGGG",
            date_added=added,
        )
        zotero.add_item(
            "film", {"title": "The plough and the page", "date": "1999"}, key="ITEMHHHH", date_added=added
        )
        if later:
            zotero.add_item("book", {"title": "A new book"}, key="ITEMJJJJ", date_added="2024-04-01 10:00:00")
        pdf = {"filename": "a.pdf", "title": "Full Text PDF"}
        zotero.add_attachment("ITEMAAAA", key="ATTAAAAA", **pdf)
        zotero.add_attachment(
            "ITEMAAAA",
            key="ATTBBBBB",
            title="Snapshot",
            content_type="text/html",
            filename="a.html",
            link_mode=1,
            url="https://example.org/a",
        )
        zotero.add_attachment(
            "ITEMBBBB",
            key="ATTCCCCC",
            title="Handbook.epub",
            content_type="application/epub+zip",
            filename="h.epub",
        )
        zotero.add_attachment("ITEMCCCC", key="ATTDDDDD", title="全文", filename="全文.pdf")
        zotero.add_attachment(None, key="ATTEEEEE", title="A loose PDF.pdf", filename="loose.pdf")
        zotero.add_note(
            "<p>Thoughts on plots</p><p>Ask whether plot 13 was limed.</p>", "ITEMAAAA", key="NOTEAAAA"
        )
        zotero.add_note("<p>A loose note</p>", key="NOTEBBBB")
        zotero.add_annotation(
            "ATTAAAAA",
            "highlight",
            text="the carbon pool of the soil fell by a fifth",
            comment="Compare with table 2.",
            author="Ada",
            page_label="104",
            key="ANNOAAAA",
        )
        zotero.add_annotation("ATTAAAAA", "ink", color="#2ea8e5", page_label="iv", key="ANNOBBBB")
    return folder


def read_shelf(folder: Path, scratch: Path, *, later: bool = False) -> Library:
    return read_library(write_shelf(folder, later=later), scratch)


def shelf_passages() -> dict[str, list[Passage]]:
    return {
        "ITEMAAAA": [
            passage("ITEMAAAA", "ATTAAAAA", SOIL, ("soil", "carbon"), page=3, page_label="104"),
            passage(
                "ITEMAAAA",
                "ATTAAAAA",
                "What is kept in the ground depends on how often it is turned, and on what is left on it "
                "after the harvest.",
                by_meaning=True,
                chunk=7,
                page=8,
                section=("Discussion",),
            ),
            passage(
                "ITEMAAAA",
                "NOTEAAAA",
                "Ask whether the soil of plot 13 was limed; its carbon is out of line.",
                ("soil", "carbon"),
                kind=Kind.NOTE,
                chunk=0,
                section=(),
                page=None,
            ),
            passage(
                "ITEMAAAA", "ATTAAAAA", "Bulk density of the soil.", ("soil",), chunk=9, page=9, quoted=False
            ),
        ],
        "ITEMCCCC": [
            passage(
                "ITEMCCCC",
                "ATTDDDDD",
                "结果表明，长期施用有机肥显著提高了黑土的土壤有机碳储量，而单施化肥的处理变化不大。",
                ("土壤有机碳", "有机肥"),
                section=("结果", "有机碳"),
                page=5,
            )
        ],
        "ITEMDDDD": [
            passage(
                "ITEMDDDD",
                "ATTEEEEE",
                "أظهرت النتائج أن الكربون العضوي في التربة انخفض بنسبة الخمس خلال عشر سنوات من الحراثة السنوية.",
                ("الكربون", "التربة"),
                section=("النتائج",),
                page=11,
            )
        ],
    }
