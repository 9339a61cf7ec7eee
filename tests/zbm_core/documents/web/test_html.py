"""Web pages as text: outline, language, frames, and anchors that a browser would follow to the same text."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.anchor_truth import holds, in_order
from tests.support.pages import all_pages
from zbm_core.documents.chunker import cut
from zbm_core.documents.markup.charset import decode
from zbm_core.documents.structure import BlockKind, SelectorAnchor
from zbm_core.documents.web.archive import is_web_archive, main_page
from zbm_core.documents.web.document import language_of_page, open_page, read_html

DATA = Path(__file__).resolve().parents[5] / "shared" / "documents" / "html"
PROSE = (
    "<p>"
    + "The heron stands in the shallow water and waits until a fish comes near enough to be caught. " * 3
)


def test_every_chunk_is_where_its_anchor_says() -> None:
    chunks = 0
    for page in all_pages():
        found = cut(read_html(page.html.encode()).text)
        assert in_order(found)
        for chunk in found:
            assert holds(page.html, chunk), (page.name, chunk.index)
        chunks += len(found)
    assert chunks > 250


@pytest.mark.skipif(not DATA.is_dir(), reason="no test data beside the project")
def test_every_chunk_of_real_pages_too() -> None:
    for path in sorted(DATA.glob("*.html")):
        data = path.read_bytes()
        source = decode(data, markup=True).text
        found = cut(read_html(data).text)
        assert found
        for chunk in found:
            assert holds(source, chunk), (path.name, chunk.index)


def test_anchors_hold_among_odd_characters_and_elements() -> None:
    html = (
        "<body>\U0001f600\U0001f600<p id='a.b:c 1'>Caf\u00e9 e\u0301 \U0001d4b3 <b>bold</b><script>var x</script> after</p>"
        "<!-- c --><div>text <style>p{}</style>between<br>lines<p>x</div><o:p>office \x01 text</o:p>"
        "<table>lost<tr><td>cell 1<td>cell 2</table><ruby>漢<rt>kan</rt></ruby><pre>\n  a\n  b\n</pre>"
        "<svg><text>drawn</text></svg><math><mi>x</mi><mo>=</mo><mn>2</mn></math>" + PROSE
    )
    found = cut(read_html(html.encode()).text)
    assert found
    for chunk in found:
        assert isinstance(chunk.anchor, SelectorAnchor)
        assert holds(html, chunk), chunk


def test_headings_make_the_outline_and_the_title_heads_a_page_without() -> None:
    html = f"<title>Title | Site</title><h1>Main</h1>{PROSE}<h2>Part <i>one</i></h2>{PROSE}<h4>Deep</h4>{PROSE}<nav><h2>No</h2></nav>"
    text = read_html(html.encode()).text
    assert [(entry.title, entry.level) for entry in text.outline] == [
        ("Main", 1),
        ("Part one", 2),
        ("Deep", 4),
    ]
    for entry in text.outline:
        assert entry.block is not None and text.blocks[entry.block].kind is BlockKind.HEADING
    text = read_html(f"<title>Title</title><h2>Part</h2>{PROSE}".encode()).text
    assert [(entry.title, entry.level) for entry in text.outline] == [("Title", 1), ("Part", 2)]
    assert cut(text)[0].outline_path == ("Title", "Part")


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=de-AT>", "de-AT"),
        ("<html xml:lang='fr'>", "fr"),
        ("<body lang=it>", "it"),
        ("<meta http-equiv=Content-Language content='en-US, en'>", "en-US"),
        ("<meta property=og:locale content=pt_BR>", "pt-BR"),
        ("<html lang=''>", ""),
        ("<html lang='{{ lang }}'>", ""),
        ("<p>", ""),
    ],
)
def test_language_is_what_the_page_says(html: str, language: str) -> None:
    assert open_page(html.encode()).language == language
    assert language_of_page(open_page(html.encode()).root) == language


def test_frames_are_read_from_the_folder_and_from_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "KEY"
    (folder / "sub").mkdir(parents=True)
    (folder / "left menu.html").write_text(f"<p>Frame one.{PROSE}", "utf-8")
    (folder / "sub" / "main.html").write_text(f"<p>Frame two.{PROSE}", "utf-8")
    (tmp_path / "secret.html").write_text(f"<p>Secret.{PROSE}", "utf-8")
    sources = ["left%20menu.html", "sub/main.html?a=1#b", "../secret.html", "sub/../../secret.html", "..%2fsecret.html",
               str(tmp_path / "secret.html"), "file:///" + str(tmp_path / "secret.html"), "http://127.0.0.1:9/x.html",
               "//host/x.html", "sub", "missing.html", "", "\\secret.html", "a\0b"]  # fmt: skip
    if hasattr(os, "symlink") and os.name != "nt":
        (folder / "link.html").symlink_to(tmp_path / "secret.html")
        (folder / "round.html").symlink_to(folder / "round.html")
        os.mkfifo(folder / "pipe.html")
        sources += ["link.html", "round.html", "pipe.html"]
    for count in (len(sources), 3):
        chosen = random.Random(count).sample(sources[2:], min(9, len(sources) - 2))
        frames = "".join(f'<frame src="{source}">' for source in [*sources[:2], *chosen])
        html = f"<title>Frames</title><frameset cols='20%,*'>{frames}</frameset>"
        text = read_html(html.encode(), folder=folder).text
        said = " ".join(block.text for block in text.blocks)
        assert "Frame one." in said and "Frame two." in said and "Secret" not in said
        assert all(block.spans == () for block in text.blocks)
    assert read_html(html.encode()).text.blocks == ()


def test_a_page_that_is_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zbm_core.documents.web.tree.MAX_ELEMENTS", 50)
    text = read_html((PROSE * 60).encode()).text
    assert text.notice and text.blocks


ARCHIVE = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://x.example/\r\nSubject: A page\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="--b--"\r\n\r\n----b--\r\n'
    b"Content-Type: text/html; charset=windows-1251\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"<html><p>=CF=F0=E8=E2=E5=F2</p></html>\r\n----b--\r\nContent-Type: image/png\r\n\r\nx\r\n----b----\r\n"
)


def test_web_archives_give_their_page() -> None:
    assert is_web_archive(ARCHIVE)
    found = main_page(ARCHIVE)
    assert found is not None
    data, label = found
    assert read_html(data, label=label).text.blocks[0].text == "Привет"
    assert main_page(ARCHIVE[:200]) is None
    assert (
        main_page(b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n" + b"--a\n" * 5000)
        is None
    )


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    cut(read_html(data).text)
    cut(read_html(b"<table><p><svg><a href=x>" + data).text)
    main_page(ARCHIVE[:300] + data)


def test_broken_real_pages_are_read_and_anchors_stay_true() -> None:
    chance = random.Random(5)
    pages = all_pages()
    for _ in range(200):
        data = bytearray(chance.choice(pages).html.encode())
        for _ in range(chance.randrange(1, 8)):
            start = chance.randrange(len(data))
            piece = data[start : start + chance.randrange(200)]
            if chance.random() < 0.5:
                del data[start : start + len(piece)]
            else:
                at = chance.randrange(len(data) + 1)
                data[at:at] = piece
        html = decode(bytes(data), markup=True).text
        for chunk in cut(read_html(html.encode()).text):
            assert holds(html, chunk), (html[:80], chunk)


HOSTILE = {
    "scripts": b"<script" * 20_000 + b"\xe9", "signs": b"<" * 200_000 + b"\xe9", "comments": b"<!--" * 50_000 + b"\xe9",
    "metas": b"<meta " * 20_000, "divisions": b"<div" * 50_000, "sheets": b"<style>" + b"/*" * 60_000 + b"</style><p>x",
    "rules": b"<style>" + b"{" * 60_000 + b"display:none" * 5_000 + b"</style><p>x",
    "selectors": b"<style>" + b"a," * 60_000 + b"{display:none}</style><p>x", "footers": b"<footer>x" * 5_000,
    "classes": b'<p class="' + b"a " * 60_000 + b'">x', "lists": b"<ul><li><a href=#>x</a>" * 5_000,
    "pictures": b"data:a/" * 30_000, "styles": b'<p style="' + b"display :" * 30_000 + b'">x',
    "shares": b"<span class=share>x" * 5_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_takes_more_than_its_length(name: str) -> None:
    # As above for texts: nothing here may try again from each character.
    read_html(HOSTILE[name])


def test_frames_that_are_not_there_are_said(tmp_path: Path) -> None:
    (tmp_path / "main.html").write_text(PROSE, "utf-8")
    both = "<frameset><frame src='main.html'><frame src='http://127.0.0.1:9/menu.html'></frameset>"
    assert "frames" in read_html(both.encode(), folder=tmp_path).text.notice
    one = "<frameset><frame src='main.html'></frameset>"
    assert read_html(one.encode(), folder=tmp_path).text.notice == ""


def test_a_frame_that_is_a_tangle_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "tangle.html").write_text("<a b='" * 200_000 + "<p a=<b c='>" * 400_000, "utf-8")
    (tmp_path / "main.html").write_text(PROSE, "utf-8")
    html = "<frameset><frame src='tangle.html'><frame src='main.html'></frameset>"
    assert read_html(html.encode(), folder=tmp_path).text.blocks
