"""Books: their order, outline and pages, and what broken or hostile ones end in."""

from __future__ import annotations

import tracemalloc
import zipfile
from pathlib import Path

import pytest

from tests.support.epubs import book, xhtml
from zbm_core.documents.chunker import cut
from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import Archive, ArchiveLimits, EntryError, clean_name, resolved
from zbm_core.documents.epub.document import read_epub
from zbm_core.documents.epub.package import read_package
from zbm_core.documents.structure import BlockKind, Outcome, StructuredText

BOOKS = Path(__file__).resolve().parents[5] / "shared" / "documents" / "epub"


def texts(structured: StructuredText) -> list[str]:
    return [block.text for block in structured.blocks]


def outcome_of(path: Path, limits: ArchiveLimits = ArchiveLimits()) -> Outcome:  # noqa: B008
    with pytest.raises(Declined) as caught:
        read_epub(path, limits=limits)
    assert str(caught.value).endswith(".")
    return caught.value.outcome


# -- order, outline, pages ------------------------------------------------------------------------


def test_content_is_read_in_the_order_of_the_spine(tmp_path: Path) -> None:
    path = book(
        tmp_path / "b.epub",
        ["<p>zero</p>", "<p>one</p>", "<p>two</p>"],
        spine='<itemref idref="c2"/><itemref idref="c0" linear="no"/><itemref idref="c1"/><itemref idref="c2"/>',
    )
    assert texts(read_epub(path)) == ["two", "zero", "one"]


def test_the_navigation_document_is_the_outline(tmp_path: Path) -> None:
    nav = (
        '<nav epub:type="toc"><ol><li><a href="c0.xhtml">First</a><ol><li><a href="c0.xhtml#s">Inner</a></li></ol>'
        '</li><li><a href="c1.xhtml#gone">Second</a></li><li><a href="no.xhtml">Lost</a></li></ol></nav>'
    )
    path = book(
        tmp_path / "b.epub", ["<h1>First</h1><p>a</p><section id='s'><h2>Inner</h2><p>b</p></section>", "<p>c</p>"],
        nav=nav,
    )  # fmt: skip
    structured = read_epub(path)
    found = [(entry.title, entry.level, entry.block) for entry in structured.outline]
    assert found == [("First", 1, 0), ("Inner", 2, 2), ("Second", 1, 4), ("Lost", 1, None)]
    assert [chunk.outline_path for chunk in cut(structured)] == [("First",)]


def test_an_ncx_is_the_outline_of_an_older_book(tmp_path: Path) -> None:
    ncx = (
        "<navMap><navPoint><navLabel><text>Part</text></navLabel><content src='c0.xhtml'/>"
        "<navPoint><navLabel><text> Chapter\n one</text></navLabel><content src='c1.xhtml#x'/></navPoint></navPoint>"
        "</navMap><pageList><pageTarget value='7'><navLabel><text>7</text></navLabel><content src='c1.xhtml#p'/>"
        "</pageTarget></pageList>"
    )
    path = book(tmp_path / "b.epub", ["<p>a</p>", "<p>b</p><p id='x'>c <i id='p'/>d</p>"], ncx=ncx)
    structured = read_epub(path)
    assert [(e.title, e.level, e.block) for e in structured.outline] == [
        ("Part", 1, 0),
        ("Chapter one", 2, 2),
    ]
    assert [page.label for page in structured.pages] == ["7"]


def test_headings_are_the_outline_of_a_book_without_one(tmp_path: Path) -> None:
    structured = read_epub(book(tmp_path / "b.epub", ["<h1>A</h1><p>x</p><h2>B</h2><p>y</p>"]))
    assert [(e.title, e.level, e.block) for e in structured.outline] == [("A", 1, 0), ("B", 2, 2)]


def test_printed_pages_are_found_at_every_character(tmp_path: Path) -> None:
    body = (
        "<p>before</p><p>a<span epub:type='pagebreak' id='p12' title='12'/>b</p>"
        "<div role='doc-pagebreak' aria-label='13'>13</div><p>c</p>"
    )
    structured = read_epub(book(tmp_path / "b.epub", [body]))
    assert texts(structured) == ["before", "ab", "c"]
    (chunk,) = cut(structured)
    assert chunk.page_labels == ("12", "13")
    labels = [chunk.page_at(offset)[1] for offset in range(len(chunk.text))]
    assert labels[chunk.text.index("a")] == "" and labels[chunk.text.index("b", 7)] == "12"
    assert labels[chunk.text.index("c")] == "13"
    assert chunk.page_at(0)[0] is None


def test_a_page_list_gives_the_labels_where_there_is_one(tmp_path: Path) -> None:
    nav = (
        '<nav epub:type="page-list"><ol><li><a href="c0.xhtml">ix</a></li><li><a href="c0.xhtml#q">10</a></li>'
        "</ol></nav>"
    )
    body = "<p>a</p><p>b <span id='q' epub:type='pagebreak' title='wrong'>10</span>c</p>"
    structured = read_epub(book(tmp_path / "b.epub", [body], nav=nav))
    assert [page.label for page in structured.pages] == ["ix", "10"]
    assert texts(structured) == ["a", "b c"]


def test_headings_that_the_book_hides_are_not_read(tmp_path: Path) -> None:
    body = (
        "<h1 class='hidden' id='one'>Hidden one</h1><p>First text.</p><h2 class='shown'>Shown</h2>"
        "<h2 class='hidden' id='two'><a id='within'/>Hidden two</h2><p class='hidden'>Second text.</p>"
    )
    links = "<link rel='stylesheet' href='css/book.css'/><link rel='alternate stylesheet' href='other.css'/>"
    links += "<link rel='stylesheet' media='print' href='other.css'/><link rel='stylesheet' href='no.css'/>"
    nav = "<nav epub:type='toc'><ol><li><a href='c0.xhtml#one'>One</a></li><li><a href='c0.xhtml#within'>Two</a></li></ol></nav>"
    read = read_epub(
        book(
            tmp_path / "b.epub",
            [xhtml(body, links).encode()],
            nav=nav,
            more={
                "OEBPS/css/book.css": ".hidden { display: none } .shown { display: none } .shown.open { display: block }",
                "OEBPS/other.css": ".shown { display: none }",
            },
        )
    )
    assert texts(read) == ["First text.", "Shown", "Second text."]
    # Where the contents lead has its place all the same, and the text behind counts what is not shown.
    assert [(entry.title, entry.block) for entry in read.outline] == [("One", 0), ("Two", 2)]
    assert read.blocks[0].spans[0].node.at == len("tHidden one")  # type: ignore[union-attr]


def test_a_style_in_the_file_itself_hides_its_headings(tmp_path: Path) -> None:
    style = "<style>h1#title, .x { visibility: hidden }</style>"
    data = xhtml("<h1 id='title'>Hidden</h1><h2>Second</h2><p class='x'>Text.</p>", style).encode()
    assert texts(read_epub(book(tmp_path / "b.epub", [data]))) == ["Second", "Text."]


def test_real_books_have_their_outlines_and_pages() -> None:
    if not BOOKS.is_dir():
        pytest.skip("the test data folder beside the project is not here")
    indexing = read_epub(BOOKS / "indexing_eds.epub")
    assert len(indexing.pages) == 149
    assert all(entry.block is not None for entry in indexing.outline)
    labelled = [chunk for chunk in cut(indexing) if chunk.page_labels]
    assert len(labelled) > 100
    wasteland = read_epub(BOOKS / "wasteland.epub")
    assert sum(block.kind is BlockKind.FOOTNOTE for block in wasteland.blocks) > 50


def test_the_package_is_read_as_a_library_for_books_reads_it() -> None:
    """Held against ebooklib, which loads all of a book into memory and so is not what books are read with."""
    ebooklib = pytest.importorskip("ebooklib.epub")
    if not BOOKS.is_dir():
        pytest.skip("the test data folder beside the project is not here")
    compared = 0
    for path in sorted(BOOKS.glob("*.epub")):
        try:
            theirs = ebooklib.read_epub(path)
        except KeyError:
            continue  # one that misses a film it names
        with Archive(path) as archive:
            package = read_package(archive)
        names = [theirs.get_item_with_id(identity) for identity, _ in theirs.spine]
        assert [item.name.rpartition("/")[2] for item in package.spine] == [
            name.get_name().rpartition("/")[2] if name else "" for name in names
        ]
        assert package.title == " ".join(theirs.title.split())
        compared += 1
    assert compared > 5


# -- broken and hostile ---------------------------------------------------------------------------


def test_the_rest_of_a_book_that_misses_a_file_is_read_and_it_is_said(tmp_path: Path) -> None:
    path = book(
        tmp_path / "b.epub",
        ["<p>here</p>", b"\xff\xfe\x00bro<ken"],
        manifest='<item id="x" href="no.xhtml" media-type="application/xhtml+xml"/>',
        spine='<itemref idref="c0"/><itemref idref="x"/><itemref idref="nobody"/>',
    )
    structured = read_epub(path)
    assert texts(structured) == ["here"]
    assert structured.notice == "2 of the book's 3 content files could not be read (missing)."


def test_protected_books_are_told_by_what_is_encrypted(tmp_path: Path) -> None:
    def encryption(name: str, algorithm: str) -> dict[str, str]:
        return {
            "META-INF/encryption.xml": '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
            'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
            f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
            f'<enc:CipherReference URI="{name}"/></enc:CipherData></enc:EncryptedData></encryption>'
        }

    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    fonts = "http://www.idpf.org/2008/embedding"
    body = ["<p>text</p>"]
    protected = book(tmp_path / "p.epub", body, more=encryption("OEBPS/c0.xhtml", aes))
    assert outcome_of(protected) is Outcome.DRM
    assert texts(read_epub(book(tmp_path / "f.epub", body, more=encryption("OEBPS/f.otf", fonts)))) == [
        "text"
    ]
    assert texts(read_epub(book(tmp_path / "i.epub", body, more=encryption("OEBPS/i.png", aes)))) == ["text"]
    licensed = book(tmp_path / "l.epub", [b"\x8a\x01\x93garbage" * 50], more={"META-INF/rights.xml": "<r/>"})
    assert outcome_of(licensed) is Outcome.DRM
    free = book(tmp_path / "r.epub", body, more={"META-INF/rights.xml": "<r/>"})
    assert texts(read_epub(free)) == ["text"]


def test_a_book_of_pictures_has_no_text(tmp_path: Path) -> None:
    page = '<p><img src="a.png" alt="page"/></p>'
    assert outcome_of(book(tmp_path / "b.epub", [page] * 3)) is Outcome.NO_TEXT
    told = "<p>" + "What this book of pictures is about, as its only page with text says. " * 9 + "</p>"
    structured = read_epub(book(tmp_path / "c.epub", [told, *[page] * 3]))
    assert structured.notice == "3 of the book's 4 content files are pictures without text."


def test_what_is_no_book_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "b.epub"
    path.write_bytes(b"PK\x03\x04 and nothing more")
    assert outcome_of(path) is Outcome.DAMAGED
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    assert outcome_of(path) is Outcome.DAMAGED
    whole = book(tmp_path / "whole.epub", ["<p>" + "text " * 5_000 + "</p>"]).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert outcome_of(path) is Outcome.DAMAGED


def test_a_book_without_container_or_mimetype_is_read_by_its_package(tmp_path: Path) -> None:
    path = book(tmp_path / "b.epub", ["<p>text</p>"])
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(tmp_path / "c.epub", "w") as other:
        for name in archive.namelist():
            if name not in ("META-INF/container.xml", "mimetype"):
                other.writestr(name, archive.read(name))
    assert texts(read_epub(tmp_path / "c.epub")) == ["text"]


def test_bombs_are_not_inflated(tmp_path: Path) -> None:
    bomb = xhtml("<p>a</p>").encode() + b" " * (40 << 20)
    path = book(tmp_path / "b.epub", ["<p>text</p>", bomb])
    structured = read_epub(path)
    assert texts(structured) == ["text"] and "too large" in structured.notice
    packed = xhtml("<p>a</p>").encode() + b" " * (12 << 20)
    assert "packed beyond reason" in read_epub(book(tmp_path / "r.epub", ["<p>text</p>", packed])).notice
    assert outcome_of(book(tmp_path / "o.epub", [bomb])) is Outcome.TOO_LARGE
    many = book(tmp_path / "m.epub", [f"<p>{number}</p>" + " " * 9_000 for number in range(20)])
    structured = read_epub(many, limits=ArchiveLimits(total=50_000))
    assert "too large" in structured.notice and 0 < len(structured.blocks) < 20


def test_a_file_of_nothing_but_tags_is_not_parsed(tmp_path: Path) -> None:
    tags = xhtml("<p>a</p>" * 600_001).encode()
    structured = read_epub(
        book(tmp_path / "b.epub", ["<p>text</p>", tags]), limits=ArchiveLimits(ratio=10**6)
    )
    assert texts(structured) == ["text"] and "too large" in structured.notice


def test_a_book_without_end_is_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zbm_core.documents.epub.document.MOST_BLOCKS", 5)
    structured = read_epub(book(tmp_path / "b.epub", ["<p>a</p><p>b</p><p>c</p>"] * 4))
    assert len(structured.blocks) == 6
    assert structured.notice == "2 of the book's 4 content files could not be read (too large)."


def test_an_entry_that_lies_about_its_size_is_bounded(tmp_path: Path) -> None:
    path = book(tmp_path / "b.epub", ["<p>" + "a" * 100_000 + "</p>"])
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("OEBPS/c0.xhtml").file_size
    path.write_bytes(data.replace(size.to_bytes(4, "little"), (50).to_bytes(4, "little")))
    with Archive(path) as archive, pytest.raises(EntryError):
        archive.read("OEBPS/c0.xhtml", 1_000)


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE html [" + "".join(
            f'<!ENTITY a{n} "{"".join([f"&a{n - 1};"] * 10) if n else "lol" * 100}">' for n in range(9)
        ) + "]>",
        '<!DOCTYPE html [<!ENTITY a8 SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE html SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>',
    ],
)  # fmt: skip
def test_entities_stand_for_nothing(tmp_path: Path, declaration: str) -> None:
    page = f'<?xml version="1.0"?>{declaration}<html xmlns="http://www.w3.org/1999/xhtml"><body>'
    page += "<p>before &a8; after</p></body></html>"
    (text,) = texts(read_epub(book(tmp_path / "b.epub", [page.encode()])))
    assert text == "before &a8; after"


def test_names_of_html_are_characters(tmp_path: Path) -> None:
    page = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>caf&eacute;&nbsp;&amp; &#x6f22;</p></body></html>'
    )
    assert texts(read_epub(book(tmp_path / "b.epub", [page.encode()]))) == ["café\xa0& 漢"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<?xml version="1.0" encoding="utf-16"?><html><body><p>zwölf</p></body></html>'.encode("utf-16"), "zwölf"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>zwölf</p></body></html>'.encode("latin-1"), "zwölf"),
        ('<?xml version="1.0" encoding="x-nonsense"?><html><body><p>zwölf</p></body></html>'.encode(), "zwölf"),
        ("\ufeff<html><body><p>zwölf</p></body></html>".encode(), "zwölf"),
        (b"<html><body><p>one<br>two<p>three</body>", "one\ntwo"),
    ],
)  # fmt: skip
def test_encodings_and_html_that_is_no_xml(tmp_path: Path, data: bytes, text: str) -> None:
    assert texts(read_epub(book(tmp_path / "b.epub", [data])))[0] == text


def test_names_lead_out_of_no_archive() -> None:
    assert [clean_name(name) for name in ("../a", "/a", "C:\\a", "a/../../b", "..", "a\0b")] == [None] * 6
    assert clean_name("a\\b/../c") == "a/c"
    assert resolved("OEBPS/text/c.xhtml", "../i%20m.png#x") == ("OEBPS/i m.png", "x")
    assert resolved("c.xhtml", "../../etc/passwd") is None
    assert resolved("c.xhtml", "file:///etc/passwd") is None
    assert resolved("c.xhtml", "//host/x") is None
    assert resolved("a/c.xhtml", "#f") == ("a/c.xhtml", "f")


def test_entries_outside_and_twice_change_nothing(tmp_path: Path) -> None:
    path = book(tmp_path / "b.epub", ["<p>text</p>"], more={"../evil.xhtml": "x", "/abs": "y"})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning):
        archive.writestr("OEBPS/c0.xhtml", xhtml("<p>changed</p>"))
    assert texts(read_epub(path)) == ["changed"]
    assert not (tmp_path.parent / "evil.xhtml").exists()


def test_a_hundred_thousand_elements_deep(tmp_path: Path) -> None:
    page = xhtml("<p>top</p>" + "<div>" * 100_000 + "deep" + "</div>" * 100_000).encode()
    structured = read_epub(book(tmp_path / "b.epub", ["<p>text</p>", page]))
    assert texts(structured)[0] == "text" and "top" in texts(structured)
    cut(structured)


def test_outlines_that_nest_without_end(tmp_path: Path) -> None:
    nav = (
        '<nav epub:type="toc">' + "<ol><li><a href='c0.xhtml'>x</a>" * 1_000 + "</li></ol>" * 1_000 + "</nav>"
    )
    structured = read_epub(book(tmp_path / "b.epub", ["<p>text</p>"], nav=nav))
    assert max(entry.level for entry in structured.outline) <= 12


def test_pictures_are_never_loaded(tmp_path: Path) -> None:
    pictures = {f"OEBPS/p{number}.jpg": bytes(1 << 20) for number in range(8)}
    manifest = "".join(
        f'<item id="p{number}" href="p{number}.jpg" media-type="image/jpeg"/>' for number in range(8)
    )
    path = book(tmp_path / "b.epub", ["<p>text</p><img src='p0.jpg'/>"], more=pictures, manifest=manifest)
    read_epub(path)
    tracemalloc.start()
    try:
        read_epub(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


# -- printed lists of contents --------------------------------------------------------------------

LIST = "<h1>Contents</h1>" + "".join(
    f"<p><a href='c{n}.xhtml'>Chapter {n}, of soils</a> {n * 17}</p>" for n in (1, 2)
)
CHAPTERS = [
    LIST,
    "<h1>One</h1><p>The text of the first chapter.</p>",
    "<h1>Two</h1><p>That of the second.</p>",
]
GUIDE = '<guide><reference type="toc" title="Contents" href="{}"/></guide>'
LANDMARKS = '<nav epub:type="landmarks"><ol><li><a epub:type="toc" href="{}">Contents</a></li></ol></nav>'


@pytest.mark.parametrize(
    ("said", "left_out"),
    [
        ({"manifest": GUIDE.format("c0.xhtml#top")}, True),
        ({"nav": LANDMARKS.format("C0.xhtml")}, True),
        ({}, False),
        ({"manifest": GUIDE.format("c1.xhtml")}, False),  # what it names is a chapter
        ({"manifest": GUIDE.format("../../c0.xhtml")}, False),
        ({"manifest": GUIDE.format("http://127.0.0.1:9/c0.xhtml")}, False),
    ],
)
def test_a_printed_list_of_contents_is_no_text(tmp_path: Path, said: dict[str, str], left_out: bool) -> None:
    structured = read_epub(book(tmp_path / "b.epub", CHAPTERS, **said))
    kinds = [block.kind for block in structured.blocks]
    assert (kinds[:3] == [BlockKind.EXCLUDED] * 3) is left_out
    assert BlockKind.EXCLUDED not in kinds[3:]
    words = " ".join(chunk.text for chunk in cut(structured))
    assert ("of soils" not in words) is left_out
    assert "first chapter" in words and "That of the second" in words
    assert ("Contents" not in [entry.title for entry in structured.outline]) is left_out


def test_a_book_in_one_file_with_its_contents_keeps_its_text(tmp_path: Path) -> None:
    body = LIST + "<p>The text of the book. </p>" * 20
    structured = read_epub(book(tmp_path / "b.epub", [body], manifest=GUIDE.format("c0.xhtml#toc")))
    assert all(block.kind is not BlockKind.EXCLUDED for block in structured.blocks)
