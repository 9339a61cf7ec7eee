"""Open documents: sections, places, pictures, through a real child process."""

from __future__ import annotations

import base64
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import psutil
import pytest

from tests.support.epubs import book
from zbm_core.documents import ReadingError, TextBook
from zbm_core.documents.chunker import cut
from zbm_core.documents.epub.document import read_epub
from zbm_core.documents.reading.book import Book
from zbm_core.documents.reading.records import Place, Spot
from zbm_core.documents.reading.sources import open_source
from zbm_core.documents.structure import Selector, SelectorAnchor

EPUB = "application/epub+zip"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
SHARED = Path(__file__).resolve().parents[5] / "shared" / "documents"


def opened(path: Path, content_type: str = "") -> Book:
    """The book without a child of its own."""
    return Book(open_source(path, content_type))


def page(tmp_path: Path, html: str, name: str = "page.html") -> Path:
    path = tmp_path / name
    path.write_text(
        f"<!DOCTYPE html><html lang='en'><head><title>Page</title></head><body>{html}</body></html>"
    )
    return path


class Rendered(HTMLParser):
    """The text of a section's HTML, block by block, as its anchors part it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[str] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        found = dict(attrs)
        assert not any(name.startswith("on") for name in found)
        if tag == "a" and "name" in found:
            assert found["name"] == f"b{len(self.blocks)}"
            self.blocks.append("")
        elif tag == "br":
            self.blocks[-1] += "\u2028"
        elif tag == "img":
            self.blocks[-1] += "\ufffc"
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if data:
            self.blocks[-1] += data


# -- through the child ----------------------------------------------------------------------------


def test_a_book_is_opened_read_and_closed(tmp_path: Path) -> None:
    path = book(
        tmp_path / "b.epub",
        [
            "<h1>One</h1><p>First <b>bold</b> text.</p><p><img src='p.png'/></p>",
            "<h1>Two</h1><p>Straße, Ｚürich</p>",
        ],
        nav='<nav epub:type="toc"><ol><li><a href="c0.xhtml">One</a></li><li><a href="c1.xhtml">Two</a></li></ol></nav>',
        more={"OEBPS/p.png": PNG},
    )
    (chunk, *_) = cut(read_epub(path))
    with TextBook(path, EPUB) as text:
        assert text.pid is None
        contents = text.contents()
        assert (contents.title, contents.language, len(contents.sections)) == ("A book", "en", 2)
        assert [(entry.title, entry.spot) for entry in contents.outline] == [
            ("One", Spot(0, 0)), ("Two", Spot(1, 0)),
        ]  # fmt: skip
        assert [section.title for section in contents.sections] == ["One", "Two"]
        section = text.section(0)
        assert section.blocks == ("One", "First bold text.", "\ufffc")
        assert Rendered(section.html).blocks == list(section.blocks)
        name = re.search(r'src="zbm-image:([^"]+)"', section.html)
        assert name is not None and text.image(name[1]) == PNG
        assert isinstance(chunk.anchor, SelectorAnchor)
        places = text.places(chunk.anchor)
        assert [place.section for place in places] == [0, 1]
        assert text.find("strasse, zurich") == (Place(1, 1, 0, 1, 14),)
        assert text.selector(places[0]) == chunk.anchor.selectors[0]
        with pytest.raises(ReadingError):
            text.section(2)
        with pytest.raises(ReadingError):
            text.image("OEBPS/book.opf")
        pid = text.pid
        assert pid is not None
    with pytest.raises(ReadingError):
        text.section(0)
    if sys.platform != "win32":
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_child_that_is_killed_is_said_and_started_again(tmp_path: Path) -> None:
    with TextBook(book(tmp_path / "b.epub", ["<p>text</p>"]), EPUB) as text:
        assert text.section(0).blocks == ("text",)
        assert text.pid is not None
        os.kill(text.pid, signal.SIGKILL)
        with pytest.raises(ReadingError) as caught:
            while True:
                text.section(0)
        assert "could not be shown" in caught.value.message
        assert text.section(0).blocks == ("text",)


def test_a_call_that_waits_ends_when_the_document_is_closed(tmp_path: Path) -> None:
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    text = TextBook(tmp_path / "b.epub", EPUB, command=lambda: silent)
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            text.contents()
        except ReadingError as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while text.pid is None:
        pass
    text.close()
    thread.join(10)
    assert [str(error) for error in caught] == ["The document was closed."]


@pytest.mark.parametrize("code", ["print('{}')", "import sys; sys.exit(3)", "print('no json')"])
def test_a_child_that_answers_nonsense_is_an_error(tmp_path: Path, code: str) -> None:
    with TextBook(tmp_path / "b.epub", EPUB, command=lambda: [sys.executable, "-c", code]) as text:
        with pytest.raises(ReadingError) as caught:
            text.contents()
        assert caught.value.message.startswith("The document could not be shown: ")


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with TextBook(tmp_path / "gone.epub", EPUB) as text, pytest.raises(ReadingError) as caught:
        text.contents()
    assert caught.value.message == "The file is not there any more."
    (tmp_path / "b.epub").write_bytes(b"PK\x03\x04mimetypeapplication/epub+zip cut off")
    with TextBook(tmp_path / "b.epub", EPUB) as text, pytest.raises(ReadingError) as caught:
        text.contents()
    assert "damaged" in caught.value.message


def test_long_answers_arrive_whole(tmp_path: Path) -> None:
    picture = PNG + os.urandom(6 << 20)
    path = book(tmp_path / "b.epub", ["<img src='p.png'/>"], more={"OEBPS/p.png": picture})
    with TextBook(path, EPUB) as text:
        assert text.image("OEBPS/p.png") == picture


def test_the_child_loads_no_pdf_reader() -> None:
    code = "import sys, zbm_core.documents.reading.worker; print([m for m in sys.modules if 'mupdf' in m or 'numpy' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_no_child_outlives_a_program_that_is_killed(tmp_path: Path) -> None:
    path = book(tmp_path / "b.epub", ["<p>text</p>"])
    code = (
        "import sys, time; from pathlib import Path; from zbm_core.documents import TextBook\n"
        "book = TextBook(Path(sys.argv[1]), ''); book.contents(); print(book.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        child = psutil.Process(int(program.stdout.readline()))
        program.kill()
    assert not psutil.wait_procs([child], timeout=30)[1]


def test_no_connection_is_made_by_extraction_or_reading(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        host = f"http://127.0.0.1:{server.getsockname()[1]}"
        page = (
            f'<!DOCTYPE html PUBLIC "x" "{host}/x.dtd" [<!ENTITY e SYSTEM "{host}/e"><!ENTITY % p SYSTEM "{host}/p">'
            f'%p;]><?xml-stylesheet href="{host}/s"?><html xmlns="http://www.w3.org/1999/xhtml" '
            f'xmlns:xi="http://www.w3.org/2001/XInclude"><head><link rel="stylesheet" href="{host}/c"/>'
            f'<base href="{host}/"/><script src="{host}/j"/><meta http-equiv="refresh" content="0;url={host}/m"/></head>'
            f'<body style="background:url({host}/b)"><p>a &e; b</p><img src="{host}/i.png"/><xi:include href="{host}/n"/>'
            f'<iframe src="{host}/f"/><object data="{host}/o"/><svg xmlns="http://www.w3.org/2000/svg">'
            f'<image href="{host}/v.png"/><use href="{host}/u#x"/></svg></body></html>'
        ).encode()
        nav = f'<nav epub:type="toc"><ol><li><a href="{host}/t">out</a></li></ol></nav>'
        spine = f'<item id="r" href="{host}/r.xhtml" media-type="application/xhtml+xml"/>'
        path = book(tmp_path / "b.epub", [page, "<p>text</p>"], nav=nav, manifest=spine)
        assert len(cut(read_epub(path))) == 1
        with TextBook(path, EPUB) as text:
            sections = [text.section(number) for number in range(len(text.contents().sections))]
        assert sections[-1].blocks == ("text",)
        with pytest.raises(TimeoutError):
            server.accept()


# -- sections -------------------------------------------------------------------------------------


def test_long_files_are_parted_between_blocks(tmp_path: Path) -> None:
    paragraphs = "".join(f"<p id='p{n}'>{n} {'word ' * 100}</p>" for n in range(600))
    nav = '<nav epub:type="toc"><ol><li><a href="c0.xhtml">A</a></li><li><a href="c0.xhtml#p500">B</a></li></ol></nav>'
    text = opened(book(tmp_path / "b.epub", [paragraphs, "<p>end</p>"], nav=nav))
    contents = text.contents()
    sizes = [section.characters for section in contents.sections]
    assert len(sizes) > 5 and max(sizes[:-1]) < 60_000 and min(sizes[:-1]) > 30_000
    pages = [text.section(number) for number in range(len(sizes))]
    assert sum(len(page.blocks) for page in pages) == 601
    spot = contents.outline[1].spot
    assert pages[spot.section].blocks[spot.block].startswith("500 ")
    assert {section.file for section in contents.sections} == {0, 1}


def test_a_paragraph_without_end_is_parted(tmp_path: Path) -> None:
    path = book(tmp_path / "b.epub", ["<p>" + "word " * 40_000 + "<b id='z'>last words</b></p>"])
    text = opened(path)
    contents = text.contents()
    pages = [text.section(number) for number in range(len(contents.sections))]
    assert all(len(block) <= 20_000 for page in pages for block in page.blocks)
    (place,) = text.find("last words", False, 10)
    assert pages[place.section].blocks[place.start_block][place.start : place.end] == "last words"
    selector = text.selector(place)
    assert selector is not None and text.places(SelectorAnchor((selector,))) == (place,)


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("<h2>H</h2><p>a <i>b <b>c</b></i> d<sub>2</sub></p>", ["H", "a b c d2"]),
        ("<ul><li>a<ol start='3'><li>b</li></ol>c</li><li><p>d</p><p>e</p></li></ul>", ["a", "b", "c", "d", "e"]),
        ("<table><caption>t</caption><tr><th colspan='2'>a</th></tr><tr><td/><td>b<p>c</p></td></tr></table>",
         ["t", "a", "", "b", "c"]),
        ("<blockquote><p>a</p>b</blockquote><pre>x\n  y\n</pre><dl><dt>t</dt><dd>d</dd></dl>",
         ["a", "b", "x\u2028  y", "t", "d"]),
        ("<p>a<br/>b &lt;script&gt; &amp;amp;</p><hr/><p dir='rtl' style='text-align:center'>ا</p>",
         ["a\u2028b <script> &amp;", "ا"]),
    ],
)  # fmt: skip
def test_the_html_of_a_section_renders_its_blocks(tmp_path: Path, body: str, blocks: list[str]) -> None:
    section = opened(book(tmp_path / "b.epub", [body])).section(0)
    assert list(section.blocks) == blocks
    assert Rendered(section.html).blocks == blocks


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<table><tr><td>a</td></tr></table>", ["1"]),
        ("<table border='0'><tr><th>h</th></tr><tr><td>a</td></tr></table>", ["1"]),
        ("<table border='0'><tr><td>a</td></tr></table>", ["0"]),
        ("<table role='presentation'><tr><th>a</th></tr></table>", ["0"]),
        ("<table><tr><td>a</td><td><table><tr><td>b</td></tr></table></td></tr></table>", ["0", "1"]),
    ],
)
def test_tables_that_only_arrange_a_page_have_no_lines(tmp_path: Path, body: str, lines: list[str]) -> None:
    section = opened(page(tmp_path, f"<p>first</p>{body}<p>last</p>"), "text/html").section(0)
    assert re.findall(r'<table border="(\d)"', section.html) == lines


RENDERING = """
import re, sys
from pathlib import Path
from PySide6.QtGui import QGuiApplication, QTextDocument
from zbm_core.documents.reading.book import Book
from zbm_core.documents.reading.sources import open_source

application = QGuiApplication(["test", "-platform", "offscreen"])
for path in map(Path, sys.argv[1:]):
    text = Book(open_source(path, ""))
    for number in range(len(text.contents().sections)):
        section = text.section(number)
        document = QTextDocument()
        document.setHtml(re.sub("<img [^>]*/>", "\\ufffc", section.html))
        shown, block = [], document.begin()
        while block.isValid():
            shown.append(block.text())
            block = block.next()
        assert [t for t in shown if t] == [t for t in section.blocks if t], (path, number)
print("as the blocks say")
"""


def test_a_text_view_shows_what_the_blocks_say() -> None:
    """Held against the text engine itself, on real documents; in a process of its own, as the core has no window."""
    pytest.importorskip("PySide6.QtGui")
    if not SHARED.is_dir():
        pytest.skip("the test data folder beside the project is not here")
    names = ("html/derived_shift_jis.html", "epub/georgia_cfi.epub", "epub/wasteland.epub", "SOURCES.md")
    command = [sys.executable, "-c", RENDERING, *(str(SHARED / name) for name in names)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "as the blocks say\n", done.stderr


# -- links and pictures ---------------------------------------------------------------------------


def test_links_lead_within_the_book_or_plainly_out_of_it(tmp_path: Path) -> None:
    body = (
        "<p id='top'>x</p><p><a href='c1.xhtml#n'>in</a><a href='#top'>up</a><a href='https://e.org/?a=1&amp;b'>out</a>"
        "<a href='javascript:alert(1)'>j</a><a href='file:///etc/passwd'>f</a><a href='../../../etc/passwd'>p</a>"
        "<a href='data:text/html,x'>d</a><a href='zbm-place:0.0.0'>z</a><a href='http://a\" onclick=\"x'>q</a></p>"
    )
    text = opened(book(tmp_path / "b.epub", [body, "<p>a</p><p>b <i id='n'>note</i></p>"]))
    found = Rendered(text.section(0).html)
    assert found.addresses == ["zbm-place:1.1.2", "zbm-place:0.0.0", "https://e.org/?a=1&b"]


def test_nothing_that_loads_or_runs_is_left(tmp_path: Path) -> None:
    hostile = (
        "<script>alert(1)</script><style>@import 'http://127.0.0.1:9/x'</style><p onclick='x()' "
        "style='background:url(http://127.0.0.1:9/b)'>a</p><img src='http://127.0.0.1:9/i.png'/>"
        "<iframe src='http://127.0.0.1:9/'></iframe><object data='http://127.0.0.1:9/'>o</object><svg onload='x()'>"
        "<image href='http://127.0.0.1:9/s.svg'/></svg><form action='http://127.0.0.1:9/'><input value='i'/>"
        "<button>b</button></form><link rel='stylesheet' href='http://127.0.0.1:9/c'/><video src='v'>v</video>"
        "<img src='&#106;avascript:x'/><img src='../../../../etc/passwd.png'/><meta http-equiv='refresh' content='0'/>"
    )
    for path in (book(tmp_path / "b.epub", [hostile]), page(tmp_path, hostile)):
        section = opened(path).section(0)
        found = Rendered(section.html)
        assert found.addresses == []
        assert found.tags <= {"div", "p", "a"}
        assert "http" not in section.html and "url(" not in section.html


def test_pictures_come_from_the_book_alone(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>'
    path = book(
        tmp_path / "b.epub",
        ["<p><img src='p.png'/><img src='s.svg'/><img src='no.png'/><img src='fake.png'/></p>"],
        more={"OEBPS/p.png": PNG, "OEBPS/s.svg": svg, "OEBPS/fake.png": "<html>"},
    )
    text = opened(path)
    assert text.section(0).blocks == (
        "\ufffc\ufffc",
    )  # one of them is none, which shows when it is asked for
    from zbm_core.documents.epub.archive import EntryError

    for name in ("OEBPS/fake.png", "OEBPS/s.svg", "../x.png", "/etc/x.png"):
        with pytest.raises(EntryError):
            text.image(name)


# -- snapshots and plain texts --------------------------------------------------------------------


def test_a_snapshot_shows_its_own_pictures_and_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "storage"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "a b.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    if sys.platform != "win32":
        (folder / "link.png").symlink_to(tmp_path / "secret.png")
    uri = "data:image/png;base64," + base64.b64encode(PNG).decode()
    path = page(
        folder,
        f"<article><p>Text of the page, as long as text is.</p><p>a<img src='parts/a%20b.png'><img src='{uri}'>"
        "<img src='../secret.png'><img src='link.png'><img src='data:image/svg+xml,<svg/>'></p></article>",
    )
    text = opened(path, "text/html")
    section = text.section(0)
    assert section.blocks[-1] == "a\ufffc\ufffc"
    names = re.findall(r'src="zbm-image:([^"]+)"', section.html)
    assert [text.image(unquote(name)) for name in names] == [PNG, PNG]


def test_a_snapshot_is_found_by_css_selectors(tmp_path: Path) -> None:
    path = page(tmp_path, "<h1>Head</h1><div id='m'><p>one</p><p>two three 𝒳 four</p></div>")
    text = opened(path, "text/html")
    assert [(entry.title, entry.spot) for entry in text.contents().outline] == [("Head", Spot(0, 0))]
    anchor = SelectorAnchor((Selector("CssSelector", "#m > p:nth-child(2)", 4, 12),))
    (place,) = text.places(anchor)
    assert text.section(0).blocks[2][place.start : place.end] == "three 𝒳"
    assert text.selector(place) == anchor.selectors[0]
    whole = SelectorAnchor((Selector("CssSelector", "div p:first-child"),))
    assert text.places(whole) == (Place(0, 1, 0, 1, 3),)
    for lost in ("#no", "p:hover", "", "p >", "p" * 30_000):
        assert text.places(SelectorAnchor((Selector("CssSelector", lost, 0, 1),))) == ()


def test_the_frames_of_a_page_are_its_sections(tmp_path: Path) -> None:
    folder = tmp_path / "KEY"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.html").write_text("<p>Secret.")
    (folder / "sub" / "a.png").write_bytes(PNG)
    (folder / "menu.html").write_text(
        "<p><a href='sub/main.html#there'>To the text</a> <a href='#here'>x</a>"
    )
    (folder / "sub" / "main.html").write_text(
        "<h1>Main</h1><p>The text of the frame.<img src='a.png'></p><p id=there>There <a href='../menu.html'>back</a></p>"
    )
    path = folder / "page.html"
    frames = "".join(f"<frame src='{name}'>" for name in ("menu.html", "sub/main.html", "../secret.html"))
    path.write_text(f"<title>Frames</title><frameset>{frames}</frameset>")
    with TextBook(path, "text/html") as book:
        contents = book.contents()
        shown = [book.section(number) for number in range(len(contents.sections))]
        assert contents.title == "Frames" and "frames" in contents.notice
        [(menu, _), (main, texts)] = [(page.html, page.blocks) for page in shown if any(page.blocks)]
        assert "The text of the frame." in " ".join(texts) and "Secret" not in menu + main
        assert menu.count("zbm-place:") == 2 and "zbm-place:" in main
        [image] = re.findall(r"zbm-image:([^\"]+)", main)
        assert book.image(unquote(image)) == PNG
        [place] = book.find("text of the frame")
        with pytest.raises(ReadingError):  # no selector names an element of another page
            book.selector(place)


def test_a_plain_text_is_read_with_its_lines_and_places(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Heading\n\nA paragraph that goes\non. 𝒳 here.\n\n    code  with   space\n")
    text = opened(path, "text/plain")
    contents = text.contents()
    assert contents.title == "notes" and [entry.title for entry in contents.outline] == ["Heading"]
    section = text.section(0)
    assert Rendered(section.html).blocks == list(section.blocks)
    (place,) = text.find("here", True, 5)
    selector = text.selector(place)
    assert selector is not None and selector.type == "TextPositionSelector"
    units = path.read_text().encode("utf-16-le")
    assert units[2 * (selector.start or 0) : 2 * (selector.end or 0)].decode("utf-16-le") == "here"
    assert text.places(SelectorAnchor((selector,))) == (place,)


# -- find -----------------------------------------------------------------------------------------


def test_find_folds_as_search_does_and_stops_at_its_limit(tmp_path: Path) -> None:
    body = "<p>Søren’s naïve x² and<br/>ＦＩＮＤ me</p><p>soren soren sorens</p>"
    text = opened(book(tmp_path / "b.epub", [body]))
    blocks = text.section(0).blocks

    def found(wanted: str, whole_words: bool = False, limit: int = 100) -> list[str]:
        return [blocks[p.start_block][p.start : p.end] for p in text.find(wanted, whole_words, limit)]

    assert found("SOREN") == ["Søren", "soren", "soren", "soren"]
    assert found("soren", whole_words=True) == ["Søren", "soren", "soren"]
    assert found("soren", limit=2) == ["Søren", "soren"]
    assert found("naive  x2 and find") == ["naïve x² and\u2028ＦＩＮＤ"]
    assert found("soren's") == ["Søren’s"]
    assert found("   ") == [] and found("(") == [] and found("absent") == []
