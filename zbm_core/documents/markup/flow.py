"""What flows out of a walk over markup: blocks of text with their places, what stands around and within them."""

from __future__ import annotations

from collections.abc import Mapping

from zbm_core.documents.structure import BlockKind, TextSpan

LINE = "\u2028"
"""A line break inside a block (``<br>``, a line of ``<pre>``)."""

PICTURE = "\ufffc"
"""Where an image stands in a block."""


class Container:
    """An element that a reading view puts around blocks: a list, a table, a quotation."""

    __slots__ = ("attributes", "name", "parent")

    def __init__(self, parent: Container | None, name: str, attributes: Mapping[str, str]) -> None:
        self.parent = parent
        self.name = name
        self.attributes = attributes  # as the element has them, unchecked


class Mark:
    """A piece of inline markup: it opens at character `start` of a block's text and closes at `end`."""

    __slots__ = ("end", "name", "start", "value")

    def __init__(self, name: str, value: str, start: int, end: int = -1) -> None:
        self.name = name  # b, i, code, sub, sup, u, s, a, img
        self.value = value  # address of a link or picture, as the element has it
        self.start = start
        self.end = end  # -1: still open


class Flow:
    """A block."""

    __slots__ = (
        "align",
        "anchors",
        "container",
        "direction",
        "kind",
        "level",
        "marks",
        "rule",
        "spans",
        "text",
    )

    def __init__(self) -> None:
        self.kind = BlockKind.PARAGRAPH
        self.text = ""
        self.spans: list[TextSpan] = []
        self.level = 0  # of a heading, from 1; a paragraph with one heads what stands beside the text
        self.container: Container | None = None  # the innermost around it
        self.anchors: list[
            tuple[str, int]
        ] = []  # id of an element that opens before or in it, offset in the text
        self.marks: list[Mark] = []  # in the order they open
        self.align = ""
        self.direction = ""  # "ltr", "rtl", "" as around it
        self.rule = False  # a horizontal rule stands before it


def around(flow: Flow, *names: str) -> Container | None:
    """The innermost container of one of these *names* around a block."""
    container = flow.container
    while container is not None and container.name not in names:
        container = container.parent
    return container


def is_within(inner: Container | None, outer: Container | None) -> bool:
    while inner is not None and inner is not outer:
        inner = inner.parent
    return inner is not None
