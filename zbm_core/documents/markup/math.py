"""Formulas as text: what is written in them, in one line, quickly; a page of a textbook has thousands of parts of them.

A formula is one piece: a place in its text is all of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lxml import etree

from zbm_core.documents.markup.text_places import utf16
from zbm_core.documents.structure import ContentFile, ElementPlace, TextNode

_RELATIONS = frozenset("=<>≤≥≠≈≡∼→←↔⇒⇔∈∉⊂⊆+−±×·∪∩∧∨")
"""Operators that stand apart from what they relate."""

_PLAIN, _OPERATOR, _STANDS_APART, _LEFT_OUT, _NO_ELEMENT = range(5)
_NAMED = {
    "mo": _OPERATOR,
    **dict.fromkeys(("mtr", "mtd", "mtext", "mspace"), _STANDS_APART),
    **dict.fromkeys(("annotation", "annotation-xml", "mphantom", "semantics"), _LEFT_OUT),
}

_string = etree.XPath("string()", smart_strings=False)
_preceding = etree.XPath("count(preceding-sibling::*)")


class _Sorts(dict[Any, int]):
    """How an element counts, by its tag."""

    MOST = 1_000  # tags remembered; MathML has 200

    def __missing__(self, tag: Any) -> int:
        sort = _NAMED.get(tag.rpartition("}")[2], _PLAIN) if isinstance(tag, str) else _NO_ELEMENT
        if len(self) < self.MOST:
            self[tag] = sort
        return sort


_sorts = _Sorts()


class Formula(NamedTuple):
    text: str
    node: TextNode  # of its first part; its `until` is that of the last
    units: int  # UTF-16 units of all it holds


def formula_of(element: Any, file: ContentFile, place: ElementPlace, at: int, page: int) -> Formula | None:
    """The text of a ``<math>`` element that begins at *at* of the file's textContent.

    None for one that holds nothing, or more than a formula (annotations): that is left to the walk.
    """
    parts: list[str] = []
    first = last = None
    sorts = _sorts
    for inner in element.iter():
        sort = sorts[inner.tag]
        if sort:
            if sort == _LEFT_OUT:
                return None
            if sort == _STANDS_APART and parts:
                parts.append(" ")
            elif sort == _NO_ELEMENT:
                continue
        raw = inner.text
        # Most is the white space elements are set out with.
        if not raw or raw.isspace():
            continue
        text = raw.strip()
        parts.append(f" {text} " if sort == _OPERATOR and text in _RELATIONS else text)
        if first is None:
            first = inner
        last = inner
    if first is None:
        return None
    content = _string(element)
    units = utf16(content)
    # White space is one unit a character.
    raw, node = first.text, _node(first, element, file, place, page)
    node.at = at + len(content) - len(content.lstrip()) - len(raw) + len(raw.lstrip())
    raw, until = last.text, _node(last, element, file, place, page)
    until.at = at + units - len(content) + len(content.rstrip()) - utf16(raw.rstrip())
    node.until = until
    return Formula(" ".join("".join(parts).split()), node, units)


def _node(inner: Any, element: Any, file: ContentFile, place: ElementPlace, page: int) -> TextNode:
    """The first text node of an element within the formula."""
    chain = []
    step = inner
    while step is not element:
        chain.append(step)
        step = step.getparent()
    for step in reversed(chain):
        number = 1 if step.getprevious() is None else 1 + int(_preceding(step))
        place = ElementPlace(place, 2 * number, step.tag.rpartition("}")[2], "", 0)
    return TextNode(file, place, 1, 0, 0, inner.text, page)
