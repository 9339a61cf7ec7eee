"""A web page as the tree a browser builds of it, in lxml elements.

The parser follows the HTML standard (lexbor); its tree is copied element for element and text for text, comments
left out, so that `:nth-child` counts and offsets in `textContent` are those of a browser that runs no scripts:
the text of scripts and style sheets stays in its place (whoever reads for people passes over those elements),
and the content of a `<template>`, which is not in the page, is not here either.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from zbm_core.documents.declined import Declined
from zbm_core.documents.markup.charset import decode
from zbm_core.documents.markup.text_anchors import NAMELESS
from zbm_core.documents.structure import Outcome
from zbm_core.documents.web.bounds import bounded

MAX_ELEMENTS = 1_000_000
"""Elements and texts of one page; a book of a thousand pages in one file has 100,000."""

MAX_MARKUP = 40 << 20
"""Bytes of a page, pictures aside, that are read: the tree takes fifteen times as much, and a child may hold a GB."""

LONG_VALUE = 2_048
"""Characters of an attribute that are kept: longer ones are pictures as text, which say nothing to a reader."""


class HtmlTree(NamedTuple):
    """A page."""

    root: Any  # lxml element, "html"
    charset: str
    cut: bool  # it has more than `MAX_MARKUP` or `MAX_ELEMENTS`: the rest is not there


def parse_html(data: bytes, *, label: str = "", data_uris: bool = False) -> HtmlTree:
    """The tree of any bytes.

    Args:
        label: the charset a Content-Type header named, used where the page names none.
        data_uris: keep the pictures that the page carries in its attributes (a reader shows them).

    Raises Declined for what cannot be taken apart (`html_bounds`).
    """
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    pictures: list[bytes] = []

    def without_picture(match: re.Match[bytes]) -> bytes:
        # The value of an attribute; a style sheet keeps its text, which counts in a `textContent`.
        before = match.string[max(0, match.start() - 2) : match.start()]
        if not before.endswith((b"=", b'="', b"='")):
            return match[0]
        pictures.append(match[0] if data_uris else b"")
        return b"%s%d" % (_PLACE, len(pictures) - 1)

    data = _DATA_URI.sub(without_picture, data)
    size = len(data)
    data = data[: MAX_MARKUP & ~1]
    decoded = decode(data, markup=True, label=label)
    try:
        parser = LexborHTMLParser(bounded(decoded.text))
    except SelectolaxError as error:
        # Any text is a page; what the parser fails for is memory, as for marks that are made again in each paragraph.
        raise Declined(
            Outcome.TOO_LARGE,
            "The page is too large: to take it apart needs more memory than a document is given.",
        ) from error
    root, cut = _copied(parser.root, None if data_uris else LONG_VALUE)
    for element in root.iter("*") if pictures else ():
        for name, value in element.items():
            if place := _PICTURE.fullmatch(value):
                number = int(place[1])
                value = pictures[number].decode("ascii", "replace") if number < len(pictures) else ""
                element.set(name, value)
    return HtmlTree(root, decoded.charset, cut or size > len(data))


_DATA_URI = re.compile(rb"""data:[\w.+-]+/[^"'\s<>]{1000,}""")
_PLACE = b"data:zbm-picture-"
_PICTURE = re.compile("data:zbm-picture-([0-9]{1,7})")
"""What stands for a picture while the page is decoded and parsed: characters of many bytes would fourfold it."""

# XML, which lxml holds its trees to, knows fewer characters than HTML: each becomes one other, so that offsets hold.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def _name(name: str) -> str:
    """A tag as lxml takes it: "o:p", as office programs write it, gets a name that says it is none (`NAMELESS`)."""
    return name if _NAME.fullmatch(name) else NAMELESS


_MATHML, _SVG = "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"
_FOREIGN = {"math": _MATHML, "svg": _SVG}

# Elements of a formula or picture within which HTML begins again (HTML standard, 13.2.6.5: integration points).
_HTML_AGAIN = {
    _MATHML: frozenset({"mi", "mo", "mn", "ms", "mtext", "annotation-xml"}),
    _SVG: frozenset({"foreignObject", "desc", "title"}),
}


def _copied(root: Any, longest: int | None) -> tuple[Any, bool]:
    """The lxml copy of a lexbor tree, without recursion; whether it ends early."""
    from lxml import etree

    builder = etree.TreeBuilder()
    start, end, data = builder.start, builder.end, builder.data
    opened: list[tuple[int, str, str]] = []  # the node's id, its name, the namespace its content is in
    names: dict[tuple[str, str], tuple[str, str]] = {}
    count = 0
    for node in root.traverse(include_text=True):
        tag = node.tag
        if tag is None or (tag[0] == "-" and tag != "-text"):
            continue  # a comment, a processing instruction
        count += 1
        if count > MAX_ELEMENTS:
            break
        namespace = ""
        if opened:
            parent = node.parent.mem_id
            while opened[-1][0] != parent:
                end(opened.pop()[1])
            namespace = opened[-1][2]
        if tag == "-text":
            text = node.text_content
            if text:
                # Line breaks are no printable characters and are what most texts have of such.
                printable = text.isprintable() or text.replace("\n", "").isprintable()
                data(text if printable else _NOT_XML.sub(" ", text))
            continue
        known = names.get((namespace, tag))
        if known is None:
            known = names[namespace, tag] = _named(namespace, tag)
        attributes = node.attributes
        start(known[0], _kept(attributes, longest) if attributes else {})
        opened.append((node.mem_id, *known))
    while opened:
        end(opened.pop()[1])
    return builder.close(), count > MAX_ELEMENTS


def _named(namespace: str, tag: str) -> tuple[str, str]:
    """lxml's name of an element that stands within *namespace*, and the namespace its content is in."""
    own = namespace or _FOREIGN.get(tag, "")
    within = "" if own and tag in _HTML_AGAIN[own] else own
    return (f"{{{own}}}{_name(tag)}" if own else _name(tag)), within


def _kept(attributes: dict[str, str | None], longest: int | None) -> dict[str, str]:
    kept = {}
    for name, value in attributes.items():
        if name not in READ:
            if longest is not None or not _NAME.fullmatch(name):
                continue
        elif ":" in name:
            name = name.replace(":", "-")
        if value is None:
            value = ""
        elif longest is not None and len(value) > longest:
            continue
        elif not value.isprintable():
            value = _NOT_XML.sub(" ", value)
        kept[name] = value
    return kept


READ = frozenset(
    (
        "id", "class", "name", "hidden", "style", "role", "aria-hidden", "aria-label", "aria-level", "title", "href", "src",
        "alt", "lang", "xml:lang", "dir", "align", "start", "colspan", "rowspan", "alttext", "encoding", "content",
        "property", "http-equiv", "xlink:href", "epub:type",
    )
)  # fmt: skip
"""Attributes that are looked at when a page is indexed; a reader gets all of them."""
