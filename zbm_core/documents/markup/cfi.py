"""EPUB Canonical Fragment Identifiers: made, read and followed (EPUB CFI 1.1).

Steps to elements are even, steps to the text between them odd; text parted by comments or CDATA sections is one run.
Offsets count UTF-16 units. Paths within a content file begin below its root element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from zbm_core.documents.markup.text_places import utf16
from zbm_core.documents.structure import TextNode

LONGEST = 20_000
"""Characters of a CFI that is read. Real ones have a few hundred."""

MOST_STEPS = 512
"""Steps of a path that is written. Deeper places are made by nobody but for harm."""


class Step(NamedTuple):
    number: int
    id: str = ""  # what the element's id should be


class Path(NamedTuple):
    """A way within one file; `offset` is in UTF-16 units, None without one."""

    steps: tuple[Step, ...]
    offset: int | None = None


class Cfi(NamedTuple):
    """A CFI read: the way through the package to an itemref, and the ways to start and end in its content file."""

    package: tuple[Step, ...]
    start: Path
    end: Path  # the same as `start` for a point


class Point(NamedTuple):
    """A place in a tree: in the run of text behind `step // 2` element children of an element, or an element itself."""

    element: Any
    step: int  # odd; 0: the element itself
    offset: int  # UTF-16 units of the run


class BadCfi(ValueError):
    """The text is no CFI that leads into a content file."""


# -- making ---------------------------------------------------------------------------------------


def range_of(first: tuple[TextNode, int], last: tuple[TextNode, int]) -> str | None:
    """The CFI of a stretch of one content file, from a character of a text node to behind one of another.

    None where a path would be longer than `MOST_STEPS`.
    """
    start, end = _steps(first[0]), _steps(last[0])
    if start is None or end is None:
        return None
    # The step to the text itself stays out of the common part: every reader understands the range then.
    shared = 0
    for a, b in zip(start[:-1], end[:-1], strict=False):
        if a != b:
            break
        shared += 1
    common = first[0].file.package_path + "!" + _written(start[:shared])
    return (
        f"epubcfi({common},{_written(start[shared:])}:{_offset(*first)}"
        f",{_written(end[shared:])}:{_offset(*last)})"
    )


def _steps(node: TextNode) -> list[int] | None:
    steps = [node.step]
    place = node.element
    assert place is not None
    while place.parent is not None:
        steps.append(place.step)
        place = place.parent
        if len(steps) > MOST_STEPS:
            return None
    steps.reverse()
    return steps


def _offset(node: TextNode, offset: int) -> int:
    return node.before + utf16(node.raw[:offset])


def _written(steps: Sequence[int]) -> str:
    return "".join(f"/{step}" for step in steps)


def escaped(text: str) -> str:
    """*text* as it stands within a CFI."""
    return re.sub(r"([\^\[\](),;=])", r"^\1", text)


# -- reading --------------------------------------------------------------------------------------

_TOKEN = re.compile(r"/(\d{1,9})|:(\d{1,9})|(!)|(,)|\[((?:\^.|[^\]^])*)\]|[~@][\d.:]+", re.DOTALL)


def parse(text: str) -> Cfi:
    """Read "epubcfi(...)", a point or a range. Raises BadCfi.

    Assertions about ids are kept; those about the text around, sides, times and places in pictures are read over.
    """
    text = text.strip()
    if len(text) > LONGEST or not text.startswith("epubcfi(") or not text.endswith(")"):
        raise BadCfi("not a CFI")
    parts = _Parts()
    at, stop = len("epubcfi("), len(text) - 1
    while at < stop:
        token = _TOKEN.match(text, at, stop)
        if token is None:
            raise BadCfi(f"unexpected character at {at}")
        at = token.end()
        parts.take(token)
    return parts.cfi()


class _Parts:
    """The three parts of a range (or the one of a point), each a list of files' paths."""

    def __init__(self) -> None:
        self.parts: list[list[list[Step]]] = [[[]]]
        self.offsets: list[int | None] = [None]

    def take(self, token: re.Match[str]) -> None:
        step, offset, indirection, comma, assertion = token.groups()
        files = self.parts[-1]
        if step is not None:
            files[-1].append(Step(int(step)))
        elif offset is not None:
            self.offsets[-1] = int(offset)
        elif indirection:
            files.append([])
        elif comma:
            self.parts.append([[]])
            self.offsets.append(None)
        elif assertion and self.offsets[-1] is None and files[-1] and files[-1][-1].number % 2 == 0:
            value = re.split(r"(?<!\^)[;,]", assertion, maxsplit=1)[0]
            files[-1][-1] = files[-1][-1]._replace(id=re.sub(r"\^(.)", r"\1", value))

    def cfi(self) -> Cfi:
        if len(self.parts) not in (1, 3):
            raise BadCfi("neither a point nor a range")
        ends = []
        for tail in self.parts[1:] or [[[]]]:
            files = [list(steps) for steps in self.parts[0]]
            files[-1].extend(tail[0])
            files.extend(list(steps) for steps in tail[1:])
            ends.append(files)
        offsets = self.offsets[1:] or self.offsets
        ways = []
        for files, offset in zip(ends, offsets, strict=True):
            if len(files) != 2 or not files[0]:
                raise BadCfi("does not lead into a content file")
            ways.append((tuple(files[0]), Path(tuple(files[1]), offset)))
        if ways[0][0] != ways[-1][0]:
            raise BadCfi("begins and ends in different files")
        return Cfi(ways[0][0], ways[0][1], ways[-1][1])


# -- following ------------------------------------------------------------------------------------


def resolve(root: Any, path: Path) -> Point | None:
    """Follow *path* from a file's root element; None if it leads nowhere.

    An element whose id is not the one asserted is looked for by that id, as the standard asks: the file was
    changed since.
    """
    element = root
    for index, step in enumerate(path.steps):
        if step.number % 2:
            if index != len(path.steps) - 1 or step.number // 2 > len(_children(element)):
                return None
            return Point(element, step.number, path.offset or 0)
        children = _children(element)
        child = children[step.number // 2 - 1] if 0 < step.number // 2 <= len(children) else None
        if step.id and (child is None or child.get("id") != step.id):
            child = _by_id(root, step.id) if _by_id(root, step.id) is not None else child
        if child is None:
            return None
        element = child
    return Point(element, 0, path.offset or 0)


def position(root: Any, point: Point) -> int:
    """Where *point* stands in the text of *root* (its textContent), in UTF-16 units."""
    at = 0
    for element, step, text in _runs(root):
        if element is point.element and (point.step == 0 or step == point.step):
            return at + (min(point.offset, utf16(text)) if point.step else 0)
        at += utf16(text)
    return at


def _children(element: Any) -> list[Any]:
    return [child for child in element if isinstance(child.tag, str)]


def _by_id(root: Any, identity: str) -> Any:
    return next((element for element in root.iter() if element.get("id") == identity), None)


def _runs(root: Any) -> Any:
    """Every run of text below *root*, empty ones too: (element, odd step, text), in document order."""
    stack: list[tuple[Any, list[tuple[int, str, Any]]]] = [(root, _pieces(root))]
    while stack:
        element, pieces = stack[-1]
        if not pieces:
            stack.pop()
            continue
        step, text, child = pieces.pop()
        yield element, step, text
        if child is not None:
            stack.append((child, _pieces(child)))


def _pieces(element: Any) -> list[tuple[int, str, Any]]:
    """The runs of text of one element, each with the child element behind it, the last first."""
    pieces: list[tuple[int, str, Any]] = []
    text = element.text or ""
    step = 1
    for child in element:
        if isinstance(child.tag, str):
            pieces.append((step, text, child))
            step, text = step + 2, child.tail or ""
        else:
            text += child.tail or ""
    pieces.append((step, text, None))
    pieces.reverse()
    return pieces


def length(element: Any) -> int:
    """UTF-16 units of an element's textContent."""
    return sum(utf16(text) for _, _, text in _runs(element))
