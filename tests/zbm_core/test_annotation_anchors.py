"""Where an annotation lies, from the position Zotero stores."""

from __future__ import annotations

import json

import pytest

from zbm_core.documents.structure import PdfAnchor, Rect, Selector, SelectorAnchor
from zbm_core.library.records import Annotation, ItemKey
from zbm_core.sources import annotation_anchor

CFI = "epubcfi(/6/4!/4/2,/1:0,/1:5)"


def placed(position: object):
    stored = position if isinstance(position, str) else json.dumps(position)
    key = ItemKey(1, "MARK2345")
    annotation = Annotation(
        key, ItemKey(1, "BOOK2345"), "highlight", "", "", "", "", "", "", stored, (), "", ""
    )
    return annotation_anchor(annotation)


def test_lines_of_a_pdf_over_two_pages():
    stored = {"pageIndex": 2, "rects": [[1, 2, 3, 4]], "nextPageRects": [[5, 6, 7, 8]]}
    assert placed(stored) == PdfAnchor((Rect(2, 1, 2, 3, 4), Rect(3, 5, 6, 7, 8)))


def test_selectors_of_other_formats():
    book = {"type": "FragmentSelector", "conformsTo": "http://www.idpf.org/epub", "value": CFI}
    assert placed(book) == SelectorAnchor((Selector("FragmentSelector", CFI),))
    part = {"type": "TextPositionSelector", "start": 3, "end": 9}
    page = {"type": "CssSelector", "value": "#a"}
    assert placed(page) == SelectorAnchor((Selector("CssSelector", "#a"),))
    assert placed(page | {"refinedBy": part}) == SelectorAnchor((Selector("CssSelector", "#a", 3, 9),))
    assert placed(part) == SelectorAnchor((Selector("TextPositionSelector", "", 3, 9),))


@pytest.mark.parametrize(
    "position",
    [
        "",
        "[]",
        "null",
        "7",
        "{}",
        "[" * 100_000,
        {"type": "CssSelector"},
        {"type": "FragmentSelector", "value": 7},
        {"type": "CssSelector", "value": ["#a"]},
        {"type": "TextPositionSelector", "start": 5, "end": 2},
        {"type": "TextPositionSelector", "start": True, "end": True},
        {"type": ["CssSelector"], "value": "#a"},
        {"type": "CssSelector", "value": "#a", "refinedBy": [1]},
        {"pageIndex": 0, "rects": [[1, 2]]},
        {"pageIndex": -1, "rects": [[1, 2, 3, 4]]},
    ],
    ids=range(15),
)
def test_positions_that_are_none(position):
    assert placed(position) is None
