"""Where a page's visible box stands in PDF user space, and how the page is turned.

QtPdf draws a page turned and cropped but tells neither the turn nor the crop, and both are needed
to put a rectangle of user space on the drawn page. So just that is read from the file: the path
down the page tree and three keys (ISO 32000-1: 7.7.3), one page at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from .pdf_objects import MAX_DEPTH, PdfSyntax, Ref
from .pdf_structure import BROKEN, PdfStructure

# A tree of 10,000 pages in tens has 1,100 inner nodes.
KEPT_INNER_NODES = 2048
_INHERITED = ("MediaBox", "CropBox", "Rotate")
_LETTER = (0.0, 0.0, 612.0, 792.0)  # what a page without a usable MediaBox is taken for


class PageBox(NamedTuple):
    """The visible box of a page, in points of user space, and its clockwise turn."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int  # 0, 90, 180, 270


class PageBoxes:
    """The page boxes of one PDF file, read on demand. Never raises for what the file contains."""

    def __init__(self, path: Path) -> None:
        self._structure = PdfStructure(path)
        self._found: dict[int, PageBox | None] = {}
        self._inner_nodes: dict[int, dict[str, Any]] = {}  # by object number

    def box(self, page: int) -> PageBox | None:
        """The box of *page* (from 0), 0.1 to 0.3 ms; None if the file does not let it be read."""
        if page not in self._found:
            try:
                with self._structure.opened():
                    self._found[page] = self._look_up(page)
            except OSError:
                self._found[page] = None
        return self._found[page]

    def reads_from_right(self) -> bool:
        """Whether the file says that it is bound on the right (ISO 32000-1: 12.2): of a pair the first page lies there."""
        try:
            with self._structure.opened():
                catalog = self._structure.dictionary(self._structure.trailer.get("Root"))
                wishes = self._structure.value(catalog.get("ViewerPreferences"))
                return isinstance(wishes, dict) and self._structure.value(wishes.get("Direction")) == "R2L"
        except BROKEN:
            return False

    def _look_up(self, page: int) -> PageBox | None:
        found = self._attempt(page)
        if found is None and self._structure.scan():
            self._inner_nodes.clear()
            found = self._attempt(page)
        return found

    def _attempt(self, page: int) -> PageBox | None:
        try:
            return self._descend(page)
        except BROKEN:
            return None

    def _descend(self, page: int) -> PageBox | None:
        catalog = self._structure.dictionary(self._structure.trailer.get("Root"))
        node = self._node(catalog.get("Pages"))
        inherited: dict[str, Any] = {}
        remaining = page
        for _depth in range(MAX_DEPTH):
            inherited.update({key: node[key] for key in _INHERITED if node.get(key) is not None})
            kids = self._structure.value(node.get("Kids"))
            if not isinstance(kids, list):
                return self._box_of(inherited) if remaining == 0 else None
            step = self._kid(kids, self._structure.value(node.get("Count")), remaining)
            if step is None:
                return None
            node, remaining = step
        return None

    def _node(self, value: Any) -> dict[str, Any]:
        """A node of the page tree; inner nodes are kept, for a flat tree names every page in one."""
        if not isinstance(value, Ref):
            return self._structure.dictionary(value)
        node = self._inner_nodes.get(value.number) or self._structure.dictionary(value)
        if "Kids" in node and len(self._inner_nodes) < KEPT_INNER_NODES:
            self._inner_nodes[value.number] = node
        return node

    def _kid(self, kids: list[Any], count: Any, remaining: int) -> tuple[dict[str, Any], int] | None:
        if count == len(kids):  # every kid is a page (an empty /Pages node beside them is not seen)
            return (self._node(kids[remaining]), 0) if remaining < len(kids) else None
        for kid in kids:
            node = self._node(kid)
            below = self._structure.value(node.get("Count")) if "Kids" in node else 1
            if not isinstance(below, int) or below < 0:
                raise PdfSyntax("a page tree that does not count")
            if remaining < below:
                return node, remaining
            remaining -= below
        return None

    def _box_of(self, keys: dict[str, Any]) -> PageBox:
        media = self._rectangle(keys.get("MediaBox")) or _LETTER
        crop = self._rectangle(keys.get("CropBox")) or media
        visible = (
            max(media[0], crop[0]),
            max(media[1], crop[1]),
            min(media[2], crop[2]),
            min(media[3], crop[3]),
        )
        if visible[0] >= visible[2] or visible[1] >= visible[3]:
            visible = media
        turn = self._structure.value(keys.get("Rotate"))
        rotation = int(turn) % 360 if isinstance(turn, int | float) else 0
        return PageBox(*visible, rotation if rotation % 90 == 0 else 0)

    def _rectangle(self, value: Any) -> tuple[float, float, float, float] | None:
        value = self._structure.value(value)
        if not isinstance(value, list) or len(value) != 4:
            return None
        numbers = [self._structure.value(number) for number in value]
        if not all(isinstance(number, int | float) for number in numbers):
            return None
        left, right = sorted((float(numbers[0]), float(numbers[2])))
        bottom, top = sorted((float(numbers[1]), float(numbers[3])))
        return (left, bottom, right, top) if left < right and bottom < top else None
