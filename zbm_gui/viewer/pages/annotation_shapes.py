"""Zotero's annotation positions, read and checked. They come from a database anyone can sync into."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zbm_core.library.records import Annotation

# Zotero itself writes at most 65,000 characters.
MAX_POSITION = 200_000
MAX_RECTS = 2000
MAX_POINTS = 40_000
KINDS = frozenset({"highlight", "underline", "note", "image", "ink", "text"})
MAX_COORDINATE = 1e6
_NUMBERS = frozenset({int, float})
DEFAULT_FONT_SIZE = 14.0
DEFAULT_INK_WIDTH = 2.0

Box = tuple[float, float, float, float]  # left, bottom, right, top: user space


@dataclass(frozen=True, slots=True)
class Shape:
    """What of one annotation lies on one page, in user space."""

    annotation: Annotation
    page: int
    boxes: tuple[Box, ...] = ()
    paths: tuple[tuple[tuple[float, float], ...], ...] = ()
    width: float = 0.0  # of ink
    font_size: float = DEFAULT_FONT_SIZE  # of text
    rotation: float = 0.0  # of text, degrees counterclockwise


def shapes_of(annotation: Annotation) -> list[Shape]:
    """The shapes on each page; [] for a position that is not one of a PDF."""
    if annotation.kind not in KINDS or len(annotation.position) > MAX_POSITION:
        return []
    try:
        position = json.loads(annotation.position)
    except (ValueError, RecursionError):
        return []
    page = position.get("pageIndex") if isinstance(position, dict) else None
    if not isinstance(page, int) or isinstance(page, bool) or page < 0:
        return []
    shapes = []
    boxes, paths = _boxes(position.get("rects")), _paths(position.get("paths"))
    if boxes or paths:
        shapes.append(
            Shape(
                annotation,
                page,
                boxes,
                paths,
                _number(position.get("width"), DEFAULT_INK_WIDTH, 0.1, 200.0),
                _number(position.get("fontSize"), DEFAULT_FONT_SIZE, 1.0, 400.0),
                _number(position.get("rotation"), 0.0, -360.0, 360.0),
            )
        )
    following = _boxes(position.get("nextPageRects"))
    if following:
        shapes.append(Shape(annotation, page + 1, following))
    return shapes


def _number(value: Any, default: float, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return default
    return min(high, max(low, float(value)))


def _finite(values: Any) -> Sequence[float] | None:
    if not isinstance(values, list) or len(values) > MAX_POINTS:
        return None
    if any(type(value) not in _NUMBERS for value in values):  # a bool is no number here
        return None
    # Coordinates beyond this are no place on a page (14,400 is the largest page) and overflow painters;
    # nor is what is no number at all (NaN compares with nothing).
    if not all(-MAX_COORDINATE < value < MAX_COORDINATE for value in values):
        return None
    return values


def _boxes(value: Any) -> tuple[Box, ...]:
    if not isinstance(value, list):
        return ()
    boxes = []
    for entry in value[:MAX_RECTS]:
        numbers = _finite(entry)
        if numbers is not None and len(numbers) == 4:
            left, right = sorted((numbers[0], numbers[2]))
            bottom, top = sorted((numbers[1], numbers[3]))
            boxes.append((left, bottom, right, top))
    return tuple(boxes)


def _paths(value: Any) -> tuple[tuple[tuple[float, float], ...], ...]:
    if not isinstance(value, list):
        return ()
    paths, points = [], 0
    for entry in value[:MAX_RECTS]:
        numbers = _finite(entry)
        if numbers is None or len(numbers) < 2:
            continue
        points += len(numbers) // 2
        if points > MAX_POINTS:
            break
        paths.append(tuple(zip(numbers[::2], numbers[1::2], strict=False)))
    return tuple(paths)
