"""XML of books, parsed without entities, without a network and within bounds."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from lxml import etree

_DOCTYPE = re.compile(rb"<!DOCTYPE\b[^>\[]*(?:\[.*?\]\s*)?>", re.IGNORECASE | re.DOTALL)
_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_OWN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_DECLARATION = re.compile(rb"<\?xml\b[^>]{0,200}?\?>")
_ENCODING = re.compile(rb"""encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_PROLOGUE = 8_192
"""Bytes in which a document type begins; further on it would be text of a script or example."""


def parse_xml(data: bytes, *, recover: bool = False) -> Any:
    """The root element of *data*. Raises ValueError where it is no well-formed XML.

    The document type is taken out before, and with it every entity it declares (an entity can stand for gigabytes, or
    for a file of this computer); the names HTML knows are replaced by their characters. Comments and processing
    instructions are left out: the text around them is one, as the places in a CFI ask.

    Args:
        recover: take what can be had of broken XML; None if that is nothing.
    """
    data = without_doctype(_as_utf8(data))
    if b"&" in data:
        data = _NAMED.sub(_numbered, data)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        recover=recover,
    )
    try:
        root = etree.fromstring(data, parser)
        if recover and root is not None and b"&" in data:
            # What is left are names nobody declared: nodes of their own kind, whose tag is no string.
            etree.strip_elements(root, etree.Entity, with_tail=False)
        return root
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise ValueError(str(error)) from error


def without_doctype(data: bytes) -> bytes:
    """*data* without its document type and the entities that declares."""
    doctype = _DOCTYPE.search(data, 0, _PROLOGUE)
    if doctype is None and (begin := data[:_PROLOGUE].upper().find(b"<!DOCTYPE")) >= 0:
        doctype = _DOCTYPE.match(data, begin)
    return data[: doctype.start()] + data[doctype.end() :] if doctype else data


def _as_utf8(data: bytes) -> bytes:
    """*data* in an encoding that has ASCII in it, so that it can be looked at as bytes."""
    encoding = next(
        (
            name
            for mark, name in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
            if data.startswith(mark)
        ),
        "",
    )
    if not encoding and data[:2] in (b"<\0", b"\0<"):
        encoding = "utf-16-le" if data[:2] == b"<\0" else "utf-16-be"
    if encoding:
        text = data.decode(encoding, "replace").removeprefix("\ufeff")
        return _DECLARATION.sub(b"", text.encode("utf-8", "replace"), count=1)
    if data.startswith(b"\xef\xbb\xbf"):
        return _DECLARATION.sub(b"", data[3:], count=1)
    data = data.lstrip()
    declaration = _DECLARATION.match(data)
    declared = _ENCODING.search(declaration[0]) if declaration else None
    if declared:
        try:
            name = declared[1].decode("ascii")
            if name.lower() in ("utf-8", "utf8", "us-ascii"):
                return data
            return data[declaration.end() :].decode(name).encode("utf-8", "replace")  # type: ignore[union-attr]
        except (LookupError, UnicodeDecodeError):
            return data[declaration.end() :]  # type: ignore[union-attr]
    return data


def _numbered(match: re.Match[bytes]) -> bytes:
    if match[1] in _OWN:
        return match[0]
    characters = html5.get(match[1].decode("ascii") + ";")
    if characters is None:
        return match[0]
    return "".join(f"&#{ord(character)};" for character in characters).encode("ascii")
