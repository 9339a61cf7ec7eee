"""What the elements of (X)HTML, MathML and SVG mean to a reader of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from zbm_core.documents.structure import BlockKind


class Role(IntEnum):
    """How the walk treats an element."""

    INLINE = 0  # part of the text around it; also everything unknown
    PLAIN = 1  # parts the text before, within and behind it
    BLOCK = 2  # the same, and says something of what is within
    SKIP = 3  # nothing of it is text
    BREAK = 4  # a line break
    RULE = 5
    IMAGE = 6
    MATH = 7
    GLUE = 8  # white space between its parts means nothing (ruby)
    STYLE = 9  # inline, and shown (emphasis, raised, code)
    LINK = 10


class Tag(NamedTuple):
    role: Role
    kind: BlockKind | None = None  # of the blocks within; None: as around it
    level: int = 0
    container: str = ""  # what a reading view wraps its blocks in
    exact: bool = False  # white space is kept
    beside: bool = False  # what is within stands beside the text


def _names(*lines: str) -> list[str]:
    return [name for line in lines for name in line.split()]


_P, _L, _T = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE

_HTML: dict[str, Tag] = {
    **dict.fromkeys(
        # Elements whose content is not text to read, is shown by a program alone, or stands for what could not be
        # shown; readings of ruby (a searcher types the base text, which must stay in one piece).
        _names(
            "head title meta link style script template noscript iframe frame frameset noframes embed applet area",
            "base param source track audio video canvas input select option optgroup datalist textarea button",
            "progress meter dialog rt rp rtc",
            # Of MathML and SVG, in trees that know no namespaces.
            "annotation annotation-xml mphantom desc metadata",
        ),
        Tag(Role.SKIP),
    ),
    **dict.fromkeys(
        _names(
            "html body p div section article header footer main address figure hgroup center form fieldset",
            "legend details summary nav search thead tbody tfoot colgroup menuitem",
        ),
        Tag(Role.PLAIN),
    ),
    **{f"h{level}": Tag(Role.BLOCK, BlockKind.HEADING, level) for level in range(1, 7)},
    **{name: Tag(Role.BLOCK, None, 0, name) for name in ("ul", "ol", "dl", "blockquote")},
    "aside": Tag(Role.BLOCK, None, 0, "", False, True),
    "menu": Tag(Role.BLOCK, None, 0, "ul"),
    "dir": Tag(Role.BLOCK, None, 0, "ul"),
    "li": Tag(Role.BLOCK, _L, 0, "li"),
    "dt": Tag(Role.BLOCK, _L, 0, "dt"),
    "dd": Tag(Role.BLOCK, _L, 0, "dd"),
    "figcaption": Tag(Role.BLOCK, BlockKind.CAPTION),
    "caption": Tag(Role.BLOCK, BlockKind.CAPTION),
    "table": Tag(Role.BLOCK, _T, 0, "table"),
    "tr": Tag(Role.BLOCK, None, 0, "tr"),
    "td": Tag(Role.BLOCK, _T, 0, "td"),
    "th": Tag(Role.BLOCK, _T, 0, "th"),
    "pre": Tag(Role.BLOCK, _P, 0, "pre", True),
    "listing": Tag(Role.BLOCK, _P, 0, "pre", True),
    "xmp": Tag(Role.BLOCK, _P, 0, "pre", True),
    "br": Tag(Role.BREAK),
    "hr": Tag(Role.RULE),
    "img": Tag(Role.IMAGE),
    "ruby": Tag(Role.GLUE),
    "a": Tag(Role.LINK),
    **{name: Tag(Role.STYLE, None, 0, name) for name in ("sub", "sup", "code", "u", "s")},
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), Tag(Role.STYLE, None, 0, "i")),
    **dict.fromkeys(("strong", "b"), Tag(Role.STYLE, None, 0, "b")),
    **dict.fromkeys(("kbd", "samp", "tt"), Tag(Role.STYLE, None, 0, "code")),
    **dict.fromkeys(("del", "strike"), Tag(Role.STYLE, None, 0, "s")),
    "ins": Tag(Role.STYLE, None, 0, "u"),
    "math": Tag(Role.MATH),
    "svg": Tag(Role.PLAIN),
    "text": Tag(Role.PLAIN),
    "image": Tag(Role.IMAGE),
}

# Formulas are read as what is written in them. What authors say about them for those who cannot see is left out:
# in whole textbooks it is "Alternative text not available" behind every formula.
_MATH: dict[str, Tag] = {
    "math": Tag(Role.MATH),
    **dict.fromkeys(("annotation", "annotation-xml", "mphantom", "none", "mprescripts"), Tag(Role.SKIP)),
}

_SVG: dict[str, Tag] = {
    # A picture's title and description are for those who cannot see it, like the text of an `alt`.
    **dict.fromkeys(
        _names(
            "title desc metadata defs style script symbol filter clipPath mask pattern animate set marker"
        ),
        Tag(Role.SKIP),
    ),
    "svg": Tag(Role.PLAIN),
    "text": Tag(Role.PLAIN),
    "image": Tag(Role.IMAGE),
    "foreignObject": Tag(Role.PLAIN),
}

_NAMESPACES: dict[str, dict[str, Tag]] = {
    "": _HTML,
    "http://www.w3.org/1999/xhtml": _HTML,
    "http://www.w3.org/1998/Math/MathML": _MATH,
    "http://www.w3.org/2000/svg": _SVG,
}

_INLINE = Tag(Role.INLINE)

EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"

KINDS: dict[str, BlockKind] = {
    # Words of `epub:type` (EPUB Structural Semantics Vocabulary 1.1) and of `role` (DPUB-ARIA 1.1, "doc-...").
    **dict.fromkeys(
        ("footnote", "endnote", "rearnote", "note", "doc-footnote", "doc-endnote"), BlockKind.FOOTNOTE
    ),
    **dict.fromkeys(("biblioentry", "doc-biblioentry"), BlockKind.REFERENCE),
    # Lists of what stands elsewhere in the book: found there.
    **dict.fromkeys(
        ("toc", "landmarks", "page-list", "loi", "lot", "doc-toc", "doc-pagelist"), BlockKind.EXCLUDED
    ),
}

PAGE_BREAKS = frozenset({"pagebreak", "doc-pagebreak"})
NOTE_REFERENCES = frozenset({"noteref", "doc-noteref", "biblioref", "doc-biblioref"})

WATCHED = frozenset(
    {"id", "name", "hidden", "style", EPUB_TYPE, "epub:type", "role", "href", "dir", "align",
     "src", "start", "border", "colspan", "rowspan", "aria-level", "{http://www.w3.org/1999/xlink}href", "xlink:href"}
)  # fmt: skip
"""Attributes the walk looks at."""


TYPES = (EPUB_TYPE, "epub:type", "role")
"""Those that say what an element is."""


def words_of(attributes: Mapping[str, str]) -> Sequence[str]:
    """What `epub:type` and `role` say an element is."""
    said = [attributes[key] for key in TYPES if key in attributes]
    return " ".join(said).lower().split() if said else ()


def tag_of(name: str) -> tuple[str, Tag]:
    """Local name (lower case in HTML) and meaning of an element called *name* ("{namespace}local" or "local")."""
    namespace, _, local = name.rpartition("}")
    tags = _NAMESPACES.get(namespace.removeprefix("{"), {})
    if tags is _HTML:
        local = local.lower()
    return local, tags.get(local, _INLINE)
