"""Formulas as text: what is written in them, in one line, quickly; a page of a textbook has thousands of parts of them.

A formula is one piece: a place in its text is all of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lxml import etree

from zbm_core.documents.structure import ContentFile, ElementPlace, TextNode
from zbm_core.documents.text_places import utf16

_RELATIONS = frozenset("=<>≤≥≠≈≡∼→←↔⇒⇔∈∉⊂⊆+−±×·∪∩∧∨")
"""Operators that stand apart from what they relate."""

_APART = frozenset({"mtr", "mtd", "mtext", "mspace"})
_OUT = frozenset({"annotation", "annotation-xml", "mphantom", "semantics"})

_string = etree.XPath("string()", smart_strings=False)


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
    names: dict[Any, str] = {}
    for inner in element.iter():
        tag = inner.tag
        name = names.get(tag)
        if name is None:
            name = names[tag] = tag.rpartition("}")[2] if isinstance(tag, str) else ""
        if name in _OUT:
            return None
        if name in _APART and parts:
            parts.append(" ")
        raw = inner.text
        if not raw or not name:
            continue
        text = raw.strip()
        if not text:
            continue
        parts.append(f" {text} " if name == "mo" and text in _RELATIONS else text)
        if first is None:
            first = inner
        last = inner
    if first is None:
        return None
    content = _string(element)
    node = _node(first, element, file, place, page)
    node.at = at + utf16(content[: len(content) - len(content.lstrip())])
    node.at -= utf16(node.raw[: len(node.raw) - len(node.raw.lstrip())])
    until = _node(last, element, file, place, page)
    until.at = at + utf16(content.rstrip()) - utf16(until.raw.rstrip())
    node.until = until
    return Formula(" ".join("".join(parts).split()), node, utf16(content))


def _node(inner: Any, element: Any, file: ContentFile, place: ElementPlace, page: int) -> TextNode:
    """The first text node of an element within the formula."""
    chain = []
    step = inner
    while step is not element:
        chain.append(step)
        step = step.getparent()
    for step in reversed(chain):
        number = 1 + sum(1 for _ in step.itersiblings("*", preceding=True))
        place = ElementPlace(place, 2 * number, step.tag.rpartition("}")[2], "", 0)
    return TextNode(file, place, 1, 0, 0, inner.text, page)
