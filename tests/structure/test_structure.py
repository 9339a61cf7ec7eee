"""The truth set is well made, the scorer tells right from wrong, and reading agrees with the truth."""

from __future__ import annotations

import pytest

from tests.benchmarks.figures import DATA
from tests.benchmarks.structure import PAIRS
from tests.structure.measure import measured
from tests.structure.score import Part, Score, score_page
from tests.structure.truth import FLOATS, FLOW, Expected, ExpectedPage, expected_documents
from zbm_core.documents.structure import BlockKind

PAGE = ExpectedPage(
    1,
    "made up",
    (
        Expected("heading", "The mill", "", level=1),
        Expected("paragraph", "It stood by", "the river"),
        Expected("paragraph", "Boats went", "over the weir"),
        Expected("caption", "Figure 1", "in flood"),
    ),
    gone=("Annals of mills",),
    joined=("drawn",),
    kept=("well-known",),
)

READ = [
    Part(BlockKind.HEADING, 1, "The mill", ()),
    Part(BlockKind.PARAGRAPH, 0, "It stood by the well-known bridge of the river", ()),
    Part(BlockKind.CAPTION, 0, "Figure 1. The weir in flood", ()),
    Part(BlockKind.PARAGRAPH, 0, "Boats went or were drawn over the weir", ()),
    Part(BlockKind.EXCLUDED, 0, "Annals of mills", ()),
]


def wrong(read: list[Part]) -> set[str]:
    score = score_page(PAGE, read)
    return {name for name in score.asked if score.right[name] < score.asked[name]}


def test_a_page_read_as_expected_is_right() -> None:
    score = score_page(PAGE, READ)
    assert wrong(READ) == set() and score.wrong == []
    assert score.asked["pairs"] == 2


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("pairs", [READ[0], READ[3], READ[1], READ[2]]),
        (
            "pairs",
            [
                READ[0],
                READ[1],
                Part(BlockKind.PARAGRAPH, 0, "a stray text between the two", ()),
                READ[3],
                READ[2],
            ],
        ),
        ("pairs", [READ[0], READ[1]._replace(text=f"{READ[1].text} {READ[3].text}"), READ[2]]),
        (
            "whole",
            [
                *READ[:3],
                READ[3]._replace(text="Boats went or"),
                READ[3]._replace(text="were drawn over the weir"),
            ],
        ),
        ("heading.recall", [READ[0]._replace(kind=BlockKind.PARAGRAPH), *READ[1:]]),
        ("heading.precision", [*READ, READ[0]._replace(text="No heading")]),
        ("caption.recall", [READ[0], READ[1], READ[2]._replace(kind=BlockKind.PARAGRAPH), READ[3]]),
        ("gone", [*READ[:4], READ[4]._replace(kind=BlockKind.PARAGRAPH)]),
        ("hyphens.joined", [*READ[:3], READ[3]._replace(text="Boats went or were dra-wn over the weir")]),
        (
            "hyphens.kept",
            [READ[0], READ[1]._replace(text="It stood by the wellknown bridge of the river"), *READ[2:]],
        ),
    ],
)
def test_a_page_read_otherwise_is_not(name: str, read: list[Part]) -> None:
    assert name in wrong(read)


def test_what_stands_in_a_box_may_come_anywhere() -> None:
    page = ExpectedPage(1, "made up", PAGE.blocks[:3], boxes=((50, 0, 100, 20),))
    label = Part(BlockKind.PARAGRAPH, 0, "a label of the drawing", ((0, (60, 5, 90, 8)),))
    read = [*READ[:2], label, READ[3]]
    assert score_page(page, read).share("pairs") == 1
    assert (
        score_page(page, [*READ[:2], label._replace(boxes=((0, (10, 50, 40, 53)),)), READ[3]]).share("pairs")
        == 0.5
    )


def test_the_truth_is_well_made() -> None:
    documents = expected_documents()
    pages = [page for document in documents for page in document.pages]
    assert len(pages) >= 60
    assert 3 * sum(page.written > 1 for page in pages) >= len(pages)
    for document in documents:
        numbers = [page.number for page in document.pages]
        assert len(set(numbers)) == len(numbers), document.file
        for page in document.pages:
            assert page.layout and page.blocks
            for block in page.blocks:
                assert block.kind in FLOW | FLOATS
                assert block.start or block.end
                # Words to find a place by, and no copy of the page.
                assert len(block.start) + len(block.end) < 130, block


def test_real_pages_are_read_as_a_person_sees_them() -> None:
    whole = Score()
    for _, _, score in measured(DATA):
        whole.add(score)
    if not whole.asked:
        pytest.skip("no test data beside the project")
    assert whole.share("pairs") >= PAIRS, "\n".join(whole.wrong)
    assert whole.share("whole") >= PAIRS, "\n".join(whole.wrong)
    assert whole.share("caption.recall") == 1
    assert min(whole.share("hyphens.joined"), whole.share("hyphens.kept")) >= PAIRS
