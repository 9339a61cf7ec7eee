"""The text under an anchor, read out of the PDF again: what the reader's highlight covers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pymupdf

from zbm_core.documents.pdf.page import TEXT_FLAGS
from zbm_core.documents.structure import PdfAnchor

TOLERANCE = 0.01
_UNSEEN = re.compile(r"[\s\-‐\u00ad\u200b\ufeff\x00-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """*text* without spaces, hyphens and what is no text."""
    return _UNSEEN.sub("", text)


class Recovery:
    """Glyphs wholly inside the boxes of an anchor, in PDF user space."""

    def __init__(self, path: Path) -> None:
        self._document = pymupdf.open(path)
        self._pages: dict[int, tuple[str, np.ndarray]] = {}

    def text(self, anchor: PdfAnchor) -> str:
        """The glyphs box by box, those of one box in the order of the file; each once."""
        found: list[str] = []
        seen: set[tuple[int, int]] = set()
        for page, left, bottom, right, top in anchor.rects:
            chars, boxes = self._glyphs(page)
            inside = (
                (boxes[:, 0] >= left - TOLERANCE)
                & (boxes[:, 1] >= bottom - TOLERANCE)
                & (boxes[:, 2] <= right + TOLERANCE)
                & (boxes[:, 3] <= top + TOLERANCE)
            )
            for index in np.flatnonzero(inside).tolist():
                if (page, index) not in seen:
                    seen.add((page, index))
                    found.append(chars[index])
        return visible("".join(found))

    def _glyphs(self, number: int) -> tuple[str, np.ndarray]:
        if number not in self._pages:
            page = self._document[number]
            page.set_rotation(0)
            matrix = ~page.transformation_matrix
            chars, boxes = [], []
            for block in page.get_textpage(flags=TEXT_FLAGS).extractRAWDICT()["blocks"]:
                for line in block.get("lines", ()):
                    for span in line["spans"]:
                        for char in span["chars"]:
                            chars.append(char["c"])
                            boxes.append(char["bbox"])
            corners = np.array(boxes, dtype=float).reshape(-1, 4)
            x = corners[:, 0::2] * matrix.a + matrix.e
            y = corners[:, 1::2] * matrix.d + matrix.f
            user = np.column_stack((x.min(1), y.min(1), x.max(1), y.max(1)))
            self._pages[number] = "".join(chars), user
        return self._pages[number]

    def close(self) -> None:
        self._document.close()
