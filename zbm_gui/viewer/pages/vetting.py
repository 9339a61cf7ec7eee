"""What of a file is looked at before QtPdf is given it, which works in this process and never comes back from some files.

It follows the tree of pages to any depth and in circles (for ever), takes an object stream whole (GBs), and follows
outline and page labels by recursion (a circle ends the program). Real files have none of that. What cannot be read
here, as the object streams of an encrypted file, is not judged.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .pdf_objects import MAX_DEPTH, Ref
from .pdf_structure import BROKEN, FIRST_READ, MOST_READ, PdfStructure, PdfTooLarge

MOST_NODES = 200_000
"""Nodes of the page tree or the outline that are followed, some µs each; the thickest books have 5,000."""

# What a node holds that has nodes below it, or one that may write its names in disguise.
_MAY_NEST = re.compile(rb"/Kids|#")


def is_sound(path: Path) -> bool:
    """Whether QtPdf comes to an end with the pages of *path*: 25 ms for a book of 2,800 pages."""
    return _judged(PdfStructure(path), _pages_end)


def has_sound_outline(path: Path) -> bool:
    """Whether it comes to an end with the outline of *path*."""
    return _judged(PdfStructure(path), _outline_ends)


def has_sound_labels(path: Path) -> bool:
    """Whether it comes to an end with the page labels of *path*."""
    return _judged(PdfStructure(path), _labels_end)


def _judged(structure: PdfStructure, judge: Any) -> bool:
    try:
        with structure.opened():
            try:
                return judge(structure)
            except PdfTooLarge:
                return False
            except BROKEN:
                return not structure.scan() or judge(structure)
    except PdfTooLarge:
        return False
    except BROKEN:
        return True


def _pages_end(structure: PdfStructure) -> bool:
    catalog = structure.dictionary(structure.trailer.get("Root"))
    return _tree_ends(structure, catalog.get("Pages"))


def _labels_end(structure: PdfStructure) -> bool:
    catalog = structure.dictionary(structure.trailer.get("Root"))
    return _tree_ends(structure, catalog.get("PageLabels"))


def _tree_ends(structure: PdfStructure, root: Any) -> bool:
    """Whether the tree below *root*, of pages, names or numbers, is one."""
    waiting: list[tuple[Any, int]] = [(root, 0)]
    inner: set[int] = set()
    nodes = 0
    while waiting:
        value, depth = waiting.pop()
        nodes += 1
        if depth > MAX_DEPTH or nodes > MOST_NODES:
            return False
        if isinstance(value, Ref) and value.number not in inner and _is_leaf(structure, value.number):
            continue
        node = structure.value(value)
        kids = structure.value(node.get("Kids")) if isinstance(node, dict) else None
        if not isinstance(kids, list):
            continue
        if isinstance(value, Ref):
            if value.number in inner:
                return False
            inner.add(value.number)
        waiting += [(kid, depth + 1) for kid in kids]
    return True


def _is_leaf(structure: PdfStructure, number: int) -> bool:
    """Whether a node has none below it, by its bytes alone: to take it apart takes ten times as long."""
    for size in (FIRST_READ, MOST_READ):
        raw, end, _ = structure.beginning(number, size).partition(b"endobj")
        if end or size == MOST_READ:  # what is longer is not read here at all
            break
    return not _MAY_NEST.search(raw)


def _outline_ends(structure: PdfStructure) -> bool:
    catalog = structure.dictionary(structure.trailer.get("Root"))
    top = structure.value(catalog.get("Outlines"))
    waiting: list[tuple[Any, int]] = [(top.get("First"), 1)] if isinstance(top, dict) else []
    seen: set[int] = set()
    while waiting:
        value, depth = waiting.pop()
        if not isinstance(value, Ref):
            continue  # entries are named by reference, or not at all
        if value.number in seen or depth > MAX_DEPTH or len(seen) > MOST_NODES:
            return False
        seen.add(value.number)
        entry = structure.value(value)
        if isinstance(entry, dict):
            waiting += [(entry.get("Next"), depth), (entry.get("First"), depth + 1)]
    return True
