"""Books made for tests."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def xhtml(body: str, head: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head><title>t</title>{head}</head><body>{body}</body></html>"
    )


def book(
    path: Path,
    chapters: Sequence[str | bytes],
    *,
    nav: str = "",
    ncx: str = "",
    more: Mapping[str, str | bytes] | None = None,
    spine: str | None = None,
    spine_attributes: str = "",
    title: str = "A book",
    manifest: str = "",
) -> Path:
    """Write a book whose content files are OEBPS/c0.xhtml, c1.xhtml, ...

    Args:
        chapters: bodies (wrapped by `xhtml`), or whole files as bytes.
        nav: the inside of a navigation document's body; ncx: of an NCX.
        more: further entries of the archive.
    """
    items = [
        f'<item id="c{number}" href="c{number}.xhtml" media-type="application/xhtml+xml"/>'
        for number in range(len(chapters))
    ]
    if nav:
        items.append('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>')
    if ncx:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        spine_attributes += ' toc="ncx"'
    refs = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    opf = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:language>en</dc:language></metadata>"
        f"<manifest>{''.join(items)}{manifest}</manifest>"
        f"<spine{spine_attributes}>{refs if spine is None else spine}</spine></package>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OEBPS/book.opf", opf)
        for number, chapter in enumerate(chapters):
            archive.writestr(
                f"OEBPS/c{number}.xhtml", xhtml(chapter) if isinstance(chapter, str) else chapter
            )
        if nav:
            archive.writestr("OEBPS/nav.xhtml", xhtml(nav))
        if ncx:
            archive.writestr(
                "OEBPS/toc.ncx",
                f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">{ncx}</ncx>',
            )
        for name, data in (more or {}).items():
            archive.writestr(name, data)
    return path
