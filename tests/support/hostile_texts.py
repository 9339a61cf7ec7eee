"""Books, pages and texts made to harm: bombs, and markup that calls out or leads out. Each bomb writes one file."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.support import epubs

PROSE = "<p>" + "The text of this page is read, whatever else the file holds. " * 6 + "</p>"

Bomb = Callable[[Path], Path]


def _write(path: Path, parts: Iterable[str | bytes]) -> Path:
    with path.open("wb") as file:
        for part in parts:
            file.write(part.encode() if isinstance(part, str) else part)
    return path


# -- pages and texts ------------------------------------------------------------------------------


def page(body: str) -> str:
    return f"<!doctype html><html><head><title>t</title></head><body>{PROSE}{body}</body></html>"


def page_of(path: Path, size: int) -> Path:
    """A page of *size* bytes of paragraphs."""
    block = PROSE * 100
    return _write(path, ["<!doctype html><title>t</title>", *([block] * (size // len(block)))])


def text_of(path: Path, size: int) -> Path:
    """A text of *size* bytes in one line."""
    block = "a word and another without an end " * 1_000
    return _write(path, [block] * (size // len(block)))


HTML_BOMBS: dict[str, Bomb] = {
    "500 MB": lambda folder: page_of(folder / "a.html", 500 << 20),
    "250 MB": lambda folder: page_of(folder / "a.html", 250 << 20),
    "100,000 deep divisions": lambda folder: _write(
        folder / "a.html", [page("<div>" * 100_000 + "deep" + "</div>" * 100_000)]
    ),
    "100,000 deep spans": lambda folder: _write(folder / "a.html", [page("<span>" * 100_000 + "deep")]),
    "100,000 deep lists": lambda folder: _write(folder / "a.html", [page("<ul><li>x" * 100_000)]),
    "100,000 deep formulas": lambda folder: _write(folder / "a.html", [page("<math>" + "<mrow>" * 100_000)]),
    "100,000 marks": lambda folder: _write(
        folder / "a.html", [page("<p>" + "".join(f"<b id={n}>" for n in range(100_000)) + "deep")]
    ),
    "a million attributes": lambda folder: _write(
        folder / "a.html", [page("<p " + " ".join(f"a{n}=1" for n in range(1_000_000)) + ">x</p>")]
    ),
    "a million columns": lambda folder: _write(
        folder / "a.html", [page("<table><tr>" + "<td>x" * 1_000_000 + "</table>")]
    ),
    "spans of cells": lambda folder: _write(
        folder / "a.html",
        [page("<table>" + "<tr><td colspan=99999999 rowspan=99999999>x</td></tr>" * 2_000 + "</table>")],
    ),
    "a million lines": lambda folder: _write(folder / "a.html", [page("<br>" * 3_000_000)]),
    "formatting that is opened again": lambda folder: _write(
        folder / "a.html",
        [page("".join(f"<b id={n}>" for n in range(20_000)) + "<p>x" * 20_000)],
    ),
    "formatting that is made again": lambda folder: _write(
        folder / "a.html", [page("<p>" + "".join(f"<b id={n}>" for n in range(5_000)) + "<p>x" * 5_000)]
    ),
    "an attribute of 30 MB": lambda folder: _write(
        folder / "a.html", [page(f"<p title='{'x' * (30 << 20)}'>x</p>")]
    ),
    "a picture of 200 MB": lambda folder: _write(
        folder / "a.html", [page(f"<img src='data:image/png;base64,{'A' * (200 << 20)}'>")]
    ),
    "a selector a line": lambda folder: _write(
        folder / "a.html",
        [page("<style>" + "a b c d e f g{display:none}\n" * 200_000 + "</style>" + "<i><i><i>" * 1_000)],
    ),
    "a million classes": lambda folder: _write(
        folder / "a.html", [page(f"<p class='{'a b ' * 1_000_000}'>x</p>")]
    ),
    "entities without end": lambda folder: _write(
        folder / "a.html", [page("&amp;&nGt;&#x10FFFF;" * 2_000_000)]
    ),
    "left angles": lambda folder: _write(folder / "a.html", [page("<" * 5_000_000 + "<!--" * 1_000_000)]),
    "an archive of parts": lambda folder: _write(
        folder / "a.mht",
        ["MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"]
        + [f"--b\r\nContent-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(20_000)],
    ),
}

TEXT_BOMBS: dict[str, Bomb] = {
    "500 MB": lambda folder: text_of(folder / "a.txt", 500 << 20),
    "a line of 30 MB": lambda folder: text_of(folder / "a.txt", 30 << 20),
    "lines of nothing": lambda folder: _write(folder / "a.txt", ["x\n" + "\n" * (30 << 20)]),
    "lines of one sign": lambda folder: _write(folder / "a.txt", ["x\n" * (15 << 20)]),
    "markdown that nests": lambda folder: _write(
        folder / "a.md", ["> " * 100_000 + "x\n", "- " * 100_000 + "\n", "*_" * 500_000, "[" * 500_000, "`" * 500_000]
    ),
    "a table of a million columns": lambda folder: _write(folder / "a.csv", ["a," * 1_000_000 + "\n"] * 3),
    "json that nests": lambda folder: _write(folder / "a.json", ['{"a":[' * 1_000_000]),
}  # fmt: skip


# -- books ----------------------------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    """A picture that says a size and holds a few bytes that inflate to nothing but zeros."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * min(1 << 26, (width // 8 + 2) * height), 9)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


def laughs(name: str = "html") -> str:
    """A document type whose last entity stands for two thousand million characters."""
    lines = ['<!ENTITY l0 "ha ha ha ha ">']
    lines += [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
    return f"<!DOCTYPE {name} [{''.join(lines)}]>"


def quadratic(name: str = "html") -> str:
    """A document type with one entity of 100 kB, to be named thousands of times."""
    return f'<!DOCTYPE {name} [<!ENTITY q "{"q" * 100_000}">]>'


def _xml(doctype: str, body: str) -> bytes:
    return (
        f'<?xml version="1.0"?>{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>'
        f"<body>{body}</body></html>"
    ).encode()


def _book(folder: Path, *chapters: str | bytes, **more: object) -> Path:
    return epubs.book(folder / "a.epub", chapters, **more)  # type: ignore[arg-type]


def _overlapping(folder: Path) -> Path:
    """Sixty thousand entries of the directory that all name the same packed bytes."""
    path = _book(folder, PROSE, more={"OEBPS/kernel.xhtml": b"<p>" + b"a" * (4 << 20)})
    data = path.read_bytes()
    end = data.rindex(b"PK\x05\x06")
    size, start = struct.unpack_from("<II", data, end + 12)
    directory = data[start : start + size]
    last = directory[directory.rindex(b"PK\x01\x02") :]
    name = b"OEBPS/kernel.xhtml"
    copies = bytearray()
    for number in range(60_000):
        copies += last.replace(name, b"%-18d" % number)
    both = directory + bytes(copies)
    entries = struct.unpack_from("<H", data, end + 10)[0] + 60_000
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, entries, entries, len(both), start, 0)
    path.write_bytes(data[:start] + both + tail)
    return path


def _nested(folder: Path) -> Path:
    """Archives in archives, six deep, sixteen at each level (the form of 42.zip)."""
    inner = zlib.compress(b"\0" * (64 << 20), 9)
    for _ in range(6):
        target = folder / "inner.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(16):
                archive.writestr(f"{number}.zip", inner)
        inner = target.read_bytes()
        target.unlink()
    return _book(
        folder, PROSE, more={"OEBPS/c1.xhtml": inner, "OEBPS/inner.zip": inner}, spine='<itemref idref="c0"/>'
    )


def _many_large(folder: Path) -> Path:
    """Chapters of 15 MB each, within every bound of one, thirty of them."""
    return _book(folder, *["".join((PROSE, " x y z 1 2 3" * 1_300_000))] * 30)


def _lying_sizes(folder: Path) -> Path:
    """Entries that say they have 100 bytes and inflate to a GB."""
    path = folder / "a.epub"
    _book(folder, b"<p>" + b"a" * (200 << 20))
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            if b"c0.xhtml" in data[at : at + 80]:
                struct.pack_into("<I", data, at + offset, 100)
    path.write_bytes(data)
    return path


EPUB_BOMBS: dict[str, Bomb] = {
    "a chapter of a GB": lambda folder: _book(folder, b"<p>" + b"a" * (1 << 30)),
    "sizes that lie": _lying_sizes,
    "entries over each other": _overlapping,
    "archives in archives": _nested,
    "large chapters": _many_large,
    "laughs in a chapter": lambda folder: _book(folder, _xml(laughs(), PROSE + "&l9;")),
    "laughs in an attribute": lambda folder: _book(folder, _xml(laughs(), PROSE + '<p title="&l9;">x</p>')),
    "entities of a size": lambda folder: _book(folder, _xml(quadratic(), PROSE + "&q;" * 30_000)),
    "laughs in the package": lambda folder: _book(
        folder, PROSE, more={"META-INF/container.xml": laughs("container") + epubs.CONTAINER.partition("?>")[2]}
    ),
    "laughs in the outline": lambda folder: _book(
        folder, PROSE, more={"OEBPS/nav.xhtml": _xml(laughs(), "<nav><ol><li>&l9;</li></ol></nav>")},
        manifest='<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    ),
    "100,000 deep": lambda folder: _book(folder, PROSE + "<div>" * 100_000 + "deep" + "</div>" * 100_000),
    "100,000 deep outline": lambda folder: _book(
        folder, PROSE, nav='<nav epub:type="toc">' + '<ol><li><a href="c0.xhtml">x</a>' * 100_000 + "</nav>"
    ),
    "100,000 deep package": lambda folder: _book(folder, PROSE, manifest="<item>" * 100_000),
    "a million attributes": lambda folder: _book(
        folder, PROSE + "<p " + " ".join(f"a{n}='1'" for n in range(1_000_000)) + ">x</p>"
    ),
    "a million columns": lambda folder: _book(
        folder, PROSE + "<table><tr>" + "<td>x</td>" * 1_000_000 + "</tr></table>"
    ),
    "a spine without end": lambda folder: _book(folder, PROSE, spine='<itemref idref="c0"/>' * 500_000),
    "a manifest without end": lambda folder: _book(
        folder, PROSE, manifest="".join(f"<item id='i{n}' href='c{n}.xhtml'/>" for n in range(300_000))
    ),
    "ids without end": lambda folder: _book(folder, "".join(f"<p id='i{n}'>x</p>" for n in range(400_000))),
    "pictures without measure": lambda folder: _book(
        folder,
        PROSE + "".join(f'<img src="p{n}.png" alt="a picture"/>' for n in range(3)),
        more={
            "OEBPS/p0.png": png(4_000_000_000, 4_000_000_000),
            "OEBPS/p1.png": png(65_000, 65_000),
            "OEBPS/p2.png": png(9_000, 9_000),
        },
    ),
}  # fmt: skip


# -- calling and leading out ----------------------------------------------------------------------


def calling_markup(address: str) -> str:
    """Every element and attribute that makes a browser load, run or go somewhere."""
    host = address.partition("//")[2]
    u = iter(f"{address}/{n}" for n in range(1_000))
    return f"""
    <base href="{address}/base/"><link rel="stylesheet" href="{next(u)}"><link rel="preload" as="image" href="{next(u)}">
    <link rel="icon" href="{next(u)}"><link rel="prefetch" href="{next(u)}"><link rel="dns-prefetch" href="//{host}">
    <link rel="import" href="{next(u)}"><link rel="manifest" href="{next(u)}"><link rel="modulepreload" href="{next(u)}">
    <style>@import "{next(u)}"; @import url({next(u)}); @font-face {{ font-family: f; src: url({next(u)}) }}
    body {{ font-family: f; background: url({next(u)}); cursor: url({next(u)}), auto; list-style: url({next(u)}) }}
    p::before {{ content: url({next(u)}) }} p {{ border-image: url({next(u)}); mask: url({next(u)}); filter: url({next(u)}) }}
    </style><script src="{next(u)}"></script><script>fetch("{next(u)}"); new Image().src = "{next(u)}"</script>
    <script type="module">import "{next(u)}"</script><meta http-equiv="refresh" content="0; url={next(u)}">
    <meta http-equiv="Link" content="&lt;{next(u)}&gt;; rel=stylesheet"><meta http-equiv="Content-Security-Policy-Report-Only"
    content="default-src 'none'; report-uri {next(u)}">
    <p style="background-image: url({next(u)})" background="{next(u)}" onload="fetch('{next(u)}')">styled</p>
    <img src="{next(u)}"><img src="x.png" srcset="{next(u)} 1x, {next(u)} 2x" onerror="fetch('{next(u)}')">
    <img lowsrc="{next(u)}" dynsrc="{next(u)}" longdesc="{next(u)}" data-src="{next(u)}" src="//{host}/img">
    <img src="\\\\{host.partition(":")[0]}\\share\\a.png"><img src="file://{host}/a.png"><img src="base.png">
    <picture><source srcset="{next(u)}"><img src="{next(u)}"></picture><input type="image" src="{next(u)}">
    <iframe src="{next(u)}"></iframe><iframe srcdoc="&lt;img src={next(u)}&gt;"></iframe><frame src="{next(u)}">
    <object data="{next(u)}" codebase="{next(u)}" classid="{next(u)}"><param name="movie" value="{next(u)}"></object>
    <embed src="{next(u)}"><applet code="a" codebase="{next(u)}" archive="{next(u)}"></applet>
    <video src="{next(u)}" poster="{next(u)}" autoplay><source src="{next(u)}"><track src="{next(u)}" default></video>
    <audio src="{next(u)}" autoplay></audio><bgsound src="{next(u)}"><a href="{next(u)}" ping="{next(u)}">a link</a>
    <form action="{next(u)}"><button formaction="{next(u)}">go</button></form><blockquote cite="{next(u)}">cited</blockquote>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image href="{next(u)}"/>
    <image xlink:href="{next(u)}"/><use href="{next(u)}#a"/><feImage href="{next(u)}"/><script href="{next(u)}"/>
    <style>@import "{next(u)}"</style><a xlink:href="{next(u)}"><text>in a drawing</text></a>
    <foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="{next(u)}"></iframe></foreignObject></svg>
    <math xmlns="http://www.w3.org/1998/Math/MathML" href="{next(u)}"><mglyph src="{next(u)}"/><mi>x</mi></math>
    <table background="{next(u)}"><tr background="{next(u)}"><td background="{next(u)}">cell</td></tr></table>
    <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{next(u)}" parse="xml"></xi:include>
    <marquee onstart="fetch('{next(u)}')">moving</marquee><details open ontoggle="fetch('{next(u)}')">more</details>
    <template><img src="{next(u)}"></template><noscript><img src="{next(u)}"></noscript>
    <img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Cimage href='{next(u)}'/%3E%3C/svg%3E">
    {PROSE}<p>the end of the page</p>"""


def calling_xml(address: str) -> bytes:
    """A content file whose document type, stylesheets, entities and inclusions lie elsewhere; well-formed XML."""
    doctype = (
        f'<?xml-stylesheet href="{address}/pi.css"?><!DOCTYPE html PUBLIC "-//a//b" "{address}/html.dtd" '
        f'[<!ENTITY % p SYSTEM "{address}/p.dtd"> %p; <!ENTITY x SYSTEM "{address}/entity"> '
        f'<!NOTATION n SYSTEM "{address}/notation"><!ENTITY u SYSTEM "{address}/unparsed" NDATA n>]>'
    )
    return (
        f'<?xml version="1.0" standalone="no"?>{doctype}<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x {address}/schema.xsd">'
        f'<head><title>t</title></head><body xml:base="{address}/">{PROSE}&x;'
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{address}/include"/>'
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/hostname" parse="text"/>'
        f'<img src="{address}/i.png"/><p>the end of the page</p></body></html>'
    ).encode()


def calling_book(path: Path, address: str) -> Path:
    """A book that calls out in every part: content, package, container, outlines, encryption, overlays, fonts."""
    package = (
        f'<!DOCTYPE package SYSTEM "{address}/package.dtd" [<!ENTITY % p SYSTEM "{address}/p"> %p;]>'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" prefix="x: {address}/prefix">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>t</dc:title>'
        f'<link rel="record" href="{address}/record" media-type="application/xml"/></metadata><manifest>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml" properties="remote-resources scripted"/>'
        '<item id="x" href="x.xhtml" media-type="application/xhtml+xml"/>'
        f'<item id="r" href="{address}/remote.xhtml" media-type="application/xhtml+xml"/>'
        f'<item id="f" href="{address}/font.ttf" media-type="font/ttf"/>'
        f'<item id="v" href="{address}/video.mp4" media-type="video/mp4" media-overlay="o"/>'
        '<item id="o" href="o.smil" media-type="application/smil+xml"/>'
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="r"/><itemref idref="x"/></spine>'
        f'<collection><link href="{address}/collection"/></collection></package>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", epubs.CONTAINER)
        archive.writestr("OEBPS/book.opf", package)
        archive.writestr("OEBPS/a.xhtml", epubs.xhtml(calling_markup(address)))
        archive.writestr("OEBPS/x.xhtml", calling_xml(address))
        archive.writestr(
            "OEBPS/nav.xhtml",
            f'<!DOCTYPE html SYSTEM "{address}/nav.dtd"><html xmlns="http://www.w3.org/1999/xhtml" '
            f'xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li><a href="{address}/toc">t</a></li>'
            f'<li><a href="a.xhtml">here</a></li></ol></nav><img src="{address}/nav.png"/></body></html>',
        )
        archive.writestr("OEBPS/o.smil", f'<smil><body><audio src="{address}/a.mp3"/></body></smil>')
    return path
