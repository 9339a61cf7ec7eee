"""Small whole documents of every kind that is read, made by script."""

from __future__ import annotations

from pathlib import Path

from tests.support import epubs, pages, pdfs

TYPES = {
    ".pdf": "application/pdf",
    ".epub": "application/epub+zip",
    ".html": "text/html",
    ".mht": "multipart/related",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".csv": "text/csv",
}
"""Content types by the suffix of a name, as a library says them."""

_PROSE = "".join(f"<p>{pdfs.paragraph(number)}</p>" for number in range(3))

_CHAPTER = f"""
<h1 id="top">A chapter</h1>{_PROSE}<span epub:type="pagebreak" id="p1" title="1"/>
<table><caption>A table</caption><tr><th>plot</th><td colspan="2">carbon</td></tr><tr><td>1</td><td>2</td></tr></table>
<p><ruby>土<rt>つち</rt></ruby> and <a epub:type="noteref" href="#n1">1</a></p>
<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>
<svg xmlns="http://www.w3.org/2000/svg"><text>figure</text></svg><img src="images/a.png" alt="a field"/>
<ol start="3"><li>one<ul><li>two</li></ul></li></ol><pre>code
  code</pre><aside epub:type="footnote" id="n1"><p>A note.</p></aside>
"""

_NAV = """<nav epub:type="toc"><ol><li><a href="c0.xhtml#top">One</a><ol><li><a href="c1.xhtml">Two</a></li></ol></li>
</ol></nav><nav epub:type="page-list"><ol><li><a href="c0.xhtml#p1">1</a></li></ol></nav>"""

_NCX = """<navMap><navPoint id="a" playOrder="1"><navLabel><text>One</text></navLabel><content src="c0.xhtml"/>
<navPoint id="b" playOrder="2"><navLabel><text>Two</text></navLabel><content src="c1.xhtml"/></navPoint></navPoint></navMap>
<pageList><pageTarget value="1" type="normal"><navLabel><text>1</text></navLabel><content src="c0.xhtml#p1"/></pageTarget>
</pageList>"""


def made(folder: Path) -> list[Path]:
    """Write some thirty documents of 1 to 60 kB; all of them have text."""
    folder.mkdir(parents=True, exist_ok=True)
    found = pdfs.all_readable(folder)
    found.append(epubs.book(folder / "nav.epub", [_CHAPTER, _PROSE], nav=_NAV))
    found.append(epubs.book(folder / "ncx.epub", [_CHAPTER, _PROSE, _CHAPTER], ncx=_NCX))
    for page in pages.all_pages()[::4]:
        path = folder / f"{page.name}.html"
        path.write_text(page.html, "utf-8")
        found.append(path)
    prose = "\n\n".join(pdfs.paragraph(number) for number in range(6))
    texts = {
        "plain.txt": prose.encode(),
        "utf16.txt": prose.encode("utf-16"),
        "cyrillic.txt": ("Почва хранит углерод, и поле хранит воду. " * 30).encode("cp1251"),
        "notes.md": f"# Title\n\n{prose}\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n".encode(),
        "rows.csv": "".join(f"{n},{pdfs.sentence(n)},{n * 7}\n" for n in range(60)).encode(),
        "archive.mht": (
            'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n'
            f"--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body>{_PROSE}</body></html>\r\n--b--\r\n"
        ).encode(),
    }
    for name, data in texts.items():
        path = folder / name
        path.write_bytes(data)
        found.append(path)
    return found
