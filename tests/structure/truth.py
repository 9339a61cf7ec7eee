"""What pages hold, written down by looking at their pictures: the expected order and kinds of their blocks.

One JSON file a document under `expected/`. A block is named by its first and last words as they stand on the
page, enough of them to be found. Comparison folds away case, marks, spaces and hyphens.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

EXPECTED = Path(__file__).parent / "expected"

FLOW = frozenset(("paragraph", "heading", "list", "front", "code", "reference", "stretch"))
"""Kinds that stand in the running text and so have an order. "front" is an author line, a label or a note at
the end of a book, whose kind no one would argue about; a "stretch" is running text (an index) whose
division is not judged."""

FLOATS = frozenset(("caption", "footnote", "table", "aside"))
"""Kinds that may stand anywhere between the paragraphs. An "aside" (a side bar, what stands in place of a film)
may also be left out."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One block of a page.

    Attributes:
        start, end: its first and last words on this page; `end` is "" where `start` is all of it.
        soft: its beginning may also go on in the block before (text after a displayed equation).
        continues: begins on an earlier page.
        goes_on: ends on a later page.
    """

    kind: str
    start: str
    end: str
    level: int = 0
    soft: bool = False
    continues: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedPage:
    """
    Attributes:
        number: page, content file or place in the reading order, from 1.
        layout: the kind of layout figures are stated for.
        boxes: left, top, right, bottom of figures, equations and tables in hundredths of the page as shown;
            what stands in them may come anywhere.
        gone: text that must not be in any block of the text (running heads, page numbers, contents).
        joined: words broken at a line's end that must be whole.
        kept: words that must keep their hyphen.
        written: 1 while reading was made better by these pages; 2 before they were ever read, measured, then used as well;
            3 after the last change of reading, which has never been changed for them.
    """

    number: int
    layout: str
    blocks: tuple[Expected, ...]
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    gone: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    written: int = 1


@dataclass(frozen=True, slots=True)
class ExpectedDocument:
    file: str  # below the test data folder
    sha256: str
    pages: tuple[ExpectedPage, ...]

    def present(self, data: Path) -> bool:
        """Whether the file is in *data* and is the one the pages were written for."""
        path = data / self.file
        return path.is_file() and _sha256(path) == self.sha256


@cache
def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def expected_documents() -> list[ExpectedDocument]:
    return [_document(json.loads(path.read_text("utf-8"))) for path in sorted(EXPECTED.glob("*.json"))]


def _document(stored: dict[str, Any]) -> ExpectedDocument:
    return ExpectedDocument(stored["file"], stored["sha256"], tuple(map(_page, stored["pages"])))


def _page(stored: dict[str, Any]) -> ExpectedPage:
    for name in ("boxes", "gone", "joined", "kept"):
        stored[name] = tuple(map(tuple, stored[name]) if name == "boxes" else stored[name])
    stored["blocks"] = tuple(Expected(**block) for block in stored["blocks"])
    return ExpectedPage(**stored)
