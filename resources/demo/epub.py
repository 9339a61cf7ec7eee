"""Makes an EPUB 3 from one plain text.

The text begins with lines ``name: value`` (title, author, language, date, publisher, identifier). A
line ``# Title`` begins a chapter, ``## Title`` a section, ``> `` a quotation; paragraphs are parted by
empty lines, and ``*words*`` are set in italics.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from dataclasses import dataclass

# The earliest time a zip entry can carry: the same bytes whenever the book is made.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_STYLE = """body { font-family: serif; line-height: 1.5; margin: 5%; }
h1 { margin: 3em 0 1.5em; font-weight: normal; }
h2 { margin: 2em 0 0.5em; font-size: 1.1em; }
p { margin: 0; text-indent: 1.3em; text-align: justify; hyphens: auto; }
h1 + p, h2 + p, blockquote + p { text-indent: 0; }
blockquote { margin: 1em 2em; font-style: italic; }
"""
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"""


@dataclass(frozen=True)
class _Chapter:
    title: str
    sections: tuple[tuple[str, str], ...]  # id and title
    body: str

    def page(self, language: str) -> str:
        return _page(language, self.title, f"<h1>{html.escape(self.title)}</h1>\n{self.body}")


def make_epub(text: str) -> bytes:
    """The bytes of the book.

    Raises:
        ValueError: the heading lines lack something, or there is no chapter.
    """
    head, _, rest = text.partition("\n\n")
    about = dict(line.split(": ", 1) for line in head.splitlines())
    missing = {"title", "author", "language", "date", "publisher", "identifier"} - set(about)
    chapters = [_chapter(part) for part in re.split(r"^# ", rest, flags=re.M)[1:]]
    if missing or not chapters:
        raise ValueError(f"a book needs chapters and {', '.join(sorted(missing)) or 'a text'}")
    names = [f"chapter{number}.xhtml" for number in range(1, len(chapters) + 1)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        # The first entry says what the file is and must not be compressed.
        _add(book, "mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        _add(book, "META-INF/container.xml", _CONTAINER)
        _add(book, "EPUB/package.opf", _package(about, names))
        _add(book, "EPUB/nav.xhtml", _navigation(about, chapters, names))
        _add(book, "EPUB/style.css", _STYLE)
        _add(book, "EPUB/title.xhtml", _title_page(about))
        for name, chapter in zip(names, chapters, strict=True):
            _add(book, f"EPUB/{name}", chapter.page(about["language"]))
    return out.getvalue()


def _add(book: zipfile.ZipFile, name: str, text: str, method: int = zipfile.ZIP_DEFLATED) -> None:
    entry = zipfile.ZipInfo(name, _ZIP_TIME)
    entry.compress_type = method
    entry.create_system = 3  # Unix, wherever the book is made
    entry.external_attr = 0o644 << 16
    book.writestr(entry, text)


def _chapter(part: str) -> _Chapter:
    title, _, text = part.partition("\n")
    blocks, sections = [], []
    for block in re.split(r"\n\s*\n", text.strip()):
        words = " ".join(line.removeprefix("> ") for line in block.splitlines())
        if block.startswith("## "):
            words = words.removeprefix("## ")
            sections.append((f"section{len(sections) + 1}", words))
            blocks.append(f'<h2 id="{sections[-1][0]}">{_inline(words)}</h2>')
        elif block.startswith("> "):
            blocks.append(f"<blockquote><p>{_inline(words)}</p></blockquote>")
        else:
            blocks.append(f"<p>{_inline(words)}</p>")
    return _Chapter(title.strip(), tuple(sections), "\n".join(blocks))


def _inline(words: str) -> str:
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", html.escape(words, quote=False))


def _page(language: str, title: str, body: str) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="{language}" lang="{language}">
<head><title>{html.escape(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
{body}
</body>
</html>
"""


def _title_page(about: dict[str, str]) -> str:
    lines = [f"<h1>{html.escape(about['title'])}</h1>"]
    lines += [f"<p>{html.escape(about[name])}</p>" for name in ("author", "publisher")]
    return _page(about["language"], about["title"], "\n".join(lines))


def _navigation(about: dict[str, str], chapters: list[_Chapter], names: list[str]) -> str:
    entries = []
    for name, chapter in zip(names, chapters, strict=True):
        inner = "".join(
            f'<li><a href="{name}#{anchor}">{_inline(title)}</a></li>' for anchor, title in chapter.sections
        )
        below = f"<ol>{inner}</ol>" if inner else ""
        entries.append(f'<li><a href="{name}">{html.escape(chapter.title)}</a>{below}</li>')
    listing = "\n".join(entries)
    return _page(
        about["language"], about["title"], f'<nav epub:type="toc" id="toc"><ol>\n{listing}\n</ol></nav>'
    )


def _package(about: dict[str, str], names: list[str]) -> str:
    values = {name: html.escape(value) for name, value in about.items()}
    pages = ["title.xhtml", *names]
    manifest = "\n".join(
        f'    <item id="p{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(pages)
    )
    spine = "\n".join(f'    <itemref idref="p{number}"/>' for number in range(len(pages)))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="book">{values["identifier"]}</dc:identifier>
    <dc:title>{values["title"]}</dc:title>
    <dc:creator>{values["author"]}</dc:creator>
    <dc:language>{values["language"]}</dc:language>
    <dc:publisher>{values["publisher"]}</dc:publisher>
    <dc:date>{values["date"]}</dc:date>
    <meta property="dcterms:modified">{values["date"]}-01-01T00:00:00Z</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="style" href="style.css" media-type="text/css"/>
{manifest}
  </manifest>
  <spine>
{spine}
  </spine>
</package>
"""
