"""The content files of a book, parsed one at a time."""

from __future__ import annotations

from typing import Any

from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import Archive, EntryError
from zbm_core.documents.epub.package import SpineItem, Target
from zbm_core.documents.markup.xml_parsing import parse_xml, without_doctype
from zbm_core.documents.structure import ContentFile

MOST_TAGS = 1_200_000
"""Tags of one content file. Its tree takes some 150 bytes each; a chapter of formulas has 100,000."""

LINKED = 0.6
"""Share of the characters of a list of contents that stand in links; the others are numbers of pages, parts, authors."""


def content_root(archive: Archive, item: SpineItem) -> Any:
    """The root element of a content file. Raises EntryError where it cannot be had.

    Books are XML, and their places count in what an XML parser makes of them. What is no well-formed XML is read as
    HTML, as reading programs do.
    """
    data = archive.read(item.name)
    if not data.strip():
        raise EntryError("empty")
    if data.count(b"<") > MOST_TAGS:
        raise EntryError("too large")
    try:
        return parse_xml(data)
    except ValueError:
        pass
    from zbm_core.documents.web.tree import parse_html

    try:
        root = parse_html(without_doctype(data)).root
    except Declined as declined:
        raise EntryError("damaged") from declined
    if root is None:
        raise EntryError("damaged")
    return root


def content_file(number: int, item: SpineItem) -> ContentFile:
    return ContentFile(number, item.package_path)


def page_ids(pages: list[Target]) -> dict[str, dict[str, str]] | None:
    """Page labels by content file and id, for the walk; None for a book without a page list."""
    if not pages:
        return None
    by_file: dict[str, dict[str, str]] = {}
    for page in pages:
        by_file.setdefault(page.name, {}).setdefault(page.fragment, page.title)
    return by_file


def is_list_of_links(root: Any) -> bool:
    """Whether what a content file says is for the most part links: a printed list of contents, and no text beside it."""
    body = next(root.iter("{*}body"), root)
    size = _size(body)
    return size > 0 and sum(_size(link) for link in body.iter("{*}a") if link.get("href")) >= LINKED * size


def _size(element: Any) -> int:
    """Characters that are no white space."""
    return len("".join("".join(element.itertext()).split()))
