"""Places annotations in EPUBs and snapshots by the words they mark, in Zotero's own form.

An EPUB's place is a canonical fragment identifier (EPUB CFI 1.1), a snapshot's a CSS selector
refined by character positions. Zotero's sort index of an EPUB is section and character, that of a
snapshot the character alone.
"""

from __future__ import annotations

import io
import json
import posixpath
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from bs4 import BeautifulSoup

from resources.demo.annotating import Place, PlaceNotFound
from resources.demo.catalogue import Annotation

_OPF = "{http://www.idpf.org/2007/opf}"
_XHTML = "{http://www.w3.org/1999/xhtml}"
_CFI = "http://www.idpf.org/epub/linking/cfi/epub-cfi.html"


def place_in_epub(book: bytes, annotation: Annotation) -> Place:
    """The place of a quote that stands within one run of text, without markup in it.

    Raises:
        PlaceNotFound: no chapter has the words, or several places have them.
    """
    hits = []
    for section, (step, body) in enumerate(_sections(book)):
        before = 0
        for path, text in _runs(body, "/4"):
            start = text.find(annotation.quote)
            if start >= 0:
                parent, _, node = path.rpartition("/")
                end = start + len(annotation.quote)
                cfi = f"epubcfi({step}!{parent},/{node}:{start},/{node}:{end})"
                hits.append((cfi, f"{section:05}|{before + start:08}"))
            before += len(text)
    cfi, sort_index = _only(hits, annotation)
    return _place({"type": "FragmentSelector", "conformsTo": _CFI, "value": cfi}, sort_index)


def place_in_snapshot(page: bytes, annotation: Annotation) -> Place:
    """The place of a quote within one paragraph of the page's article.

    Raises:
        PlaceNotFound: no paragraph has the words, or several have them.
    """
    article = BeautifulSoup(page, "html.parser").article
    hits, before = [], 0
    for number, element in enumerate(article.find_all(True, recursive=False), start=1):
        text = element.get_text()
        start = text.find(annotation.quote)
        if start >= 0:
            hits.append((f"article > {element.name}:nth-child({number})", before, start))
        before += len(text)
    selector, before, start = _only(hits, annotation)
    refined = {"type": "TextPositionSelector", "start": start, "end": start + len(annotation.quote)}
    return _place({"type": "CssSelector", "value": selector, "refinedBy": refined}, f"{before + start:07}")


def _sections(book: bytes) -> Iterator[tuple[str, ElementTree.Element]]:
    """For every section of the spine its step from the package and its body."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        package = ElementTree.fromstring(archive.read("EPUB/package.opf"))
        names = {one.get("id"): one.get("href") for one in package.iter(f"{_OPF}item")}
        spine = package.find(f"{_OPF}spine")
        of_spine = 2 * (list(package).index(spine) + 1)
        for number, one in enumerate(spine, start=1):
            name = posixpath.join("EPUB", names[one.get("idref")])
            page = ElementTree.fromstring(archive.read(name))
            yield f"/{of_spine}/{2 * number}", page.find(f"{_XHTML}body")


def _runs(element: ElementTree.Element, path: str) -> Iterator[tuple[str, str]]:
    """Every run of text below an element with its path: elements are even, the text between odd."""
    if element.text:
        yield f"{path}/1", element.text
    for number, child in enumerate(element, start=1):
        yield from _runs(child, f"{path}/{2 * number}")
        if child.tail:
            yield f"{path}/{2 * number + 1}", child.tail


def _only(hits: list[tuple], annotation: Annotation) -> tuple:
    if len(hits) != 1:
        where = f"in {len(hits)} places" if hits else "nowhere"
        raise PlaceNotFound(f"{annotation.id}: {annotation.quote!r} stands {where}")
    return hits[0]


def _place(position: dict[str, object], sort_index: str) -> Place:
    return Place(json.dumps(position, separators=(",", ":")), sort_index)
