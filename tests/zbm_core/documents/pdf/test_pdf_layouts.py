"""Kinds of layout that real pages have, each made small by script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from zbm_core.documents.pdf.document import read_pdf
from zbm_core.documents.structure import Block, BlockKind

Draw = Callable[[pymupdf.Page], None]


def blocks_of(*draws: Draw, path: Path | None = None) -> list[Block]:
    """The blocks of pages drawn by *draws*, one page each."""
    document = pymupdf.open()
    for draw in draws:
        draw(document.new_page(width=595, height=842))
    data = document.tobytes()
    document.close()
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        return [block for block in read_pdf(opened).blocks if block.kind is not BlockKind.EXCLUDED]


def texts(blocks: list[Block]) -> list[str]:
    return [block.text for block in blocks]


def lines(
    page: pymupdf.Page,
    rows: list[str],
    *,
    x: float = 72,
    y: float = 100,
    step: float = 14,
    size: float = 11,
    font: str = "helv",
    align: str = "left",
    right: float = 520,
) -> float:
    """Write rows one below the other; the height after the last."""
    for row in rows:
        width = pymupdf.get_text_length(row, font, size)
        at = {"left": x, "right": right - width, "center": (x + right - width) / 2}[align]
        page.insert_text((at, y), row, fontname=font, fontsize=size)
        y += step
    return y


NAMES = ("Aberdeen", "Brighton")  # pages of one text would have it for a running head

LONG = [
    "The survey was repeated every spring between the first flood and the harvest, and the",
    "numbers of both were written into one book that lay in the office of the mill until it was",
    "lost in the fire of that year, together with the maps.",
]


def test_an_initial_over_three_lines_belongs_to_its_paragraph() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 126), "S", fontsize=40)
        rows = ["urveys were made each spring while the river was in flood and the", "mills stood still."]
        lines(
            page,
            [rows[0], "numbers of all the boats were written into one book that lay there", "until"],
            x=104,
        )
        lines(page, ["the office was closed in that year, together with those of the rivers near it."], y=142)

    assert len(blocks_of(draw)) == 1
    assert blocks_of(draw)[0].text.startswith("Surveys were made")


@pytest.mark.parametrize("align", ["right", "center"])
def test_ragged_beginnings_are_no_indents(align: str) -> None:
    def draw(page: pymupdf.Page) -> None:
        rows = ["A line that is long enough to reach far over to the other side,", "then a short one,"]
        rows += ["one of another length again that goes on for a while,", "and the end of it."]
        y = lines(page, rows, align=align)
        lines(
            page,
            ["A second text stands", "below the first and is shorter,", "as it has but three lines."],
            y=y + 14,
            align=align,
        )

    found = blocks_of(draw)
    assert [block.text[:8] for block in found] == ["A line t", "A second"]


def test_lines_set_wide_are_one_paragraph() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, [f"{NAMES[page.number]} {row}" for row in [*LONG, *LONG]], step=29)

    found = blocks_of(draw, draw)
    assert len(found) == 4
    assert all(len({span.rect.page for span in block.spans}) == 1 for block in found)


def test_slanted_text_reads_in_its_own_direction() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, LONG)
        turn = (pymupdf.Point(150, 400), pymupdf.Matrix(12))
        page.insert_text(
            (150, 400),
            ["This card leans to the side and", "goes on in a second line", "and in a third."],
            morph=turn,
        )
        turn = (pymupdf.Point(150, 650), pymupdf.Matrix(-8))
        page.insert_text(
            (150, 650), ["Another card leans to the other", "side of the same page."], morph=turn
        )

    assert texts(blocks_of(draw))[1:] == [
        "This card leans to the side and goes on in a second line and in a third.",
        "Another card leans to the other side of the same page.",
    ]


def test_a_page_askew_on_the_scanner_is_read_like_a_straight_one() -> None:
    def draw(page: pymupdf.Page) -> None:
        turn = (pymupdf.Point(72, 300), pymupdf.Matrix(4))
        page.insert_text((72, 300), LONG, fontsize=10, morph=turn)

    assert texts(blocks_of(draw)) == [" ".join(LONG)]


def test_even_width_is_no_code_where_everything_is_written_so() -> None:
    def draw(page: pymupdf.Page) -> None:
        rows = [
            "The letter was written on a machine, as all letters",
            "were in that office, and it was",
            "signed by hand.",
        ]
        y = lines(page, rows, font="cour")
        lines(page, ["The answer came within a week."], y=y + 20, font="cour")

    assert texts(blocks_of(draw)) == [
        "The letter was written on a machine, as all letters were in that office, and it was signed by hand.",
        "The answer came within a week.",
    ]


def test_sizes_guessed_for_each_line_part_no_paragraph() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = 100.0
        for number in range(12):
            size = 9.0 + (number * 7 % 12) / 7
            page.insert_text(
                (72, y), f"line {number} of a text whose sizes were guessed by a machine and", fontsize=size
            )
            y += 13

    assert len(blocks_of(draw)) == 1


def test_contents_without_dots_are_left_out() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((72, 90), "Contents", fontsize=18)
        lines(
            page,
            ["Preface xi", "The river 3", "The mills 27", "The floods 64", "The fire 101"],
            y=130,
            step=20,
        )

    assert texts(blocks_of(draw)) == ["Contents"]


def test_a_note_in_small_type_without_a_mark_does_not_part_the_text() -> None:
    left = [
        f"The {word} boats were counted at the"
        for word in ("first", "second", "third", "other", "last", "new")
    ]

    def draw(page: pymupdf.Page) -> None:
        lines(page, [*left, *left], y=500, size=11, right=280)
        lines(
            page,
            ["Copies may be made for use in a class", "if the source is named in each of them."],
            y=690,
            size=8,
            step=10,
        )
        lines(
            page,
            ["bridge and again below the weir, where", "all of them had to be drawn over."],
            x=310,
            y=500,
        )

    found = blocks_of(draw)
    assert [block.kind for block in found].count(BlockKind.FOOTNOTE) == 1
    body = [block.text for block in found if block.kind is BlockKind.PARAGRAPH]
    assert len(body) == 1 and body[0].endswith(
        "at the bridge and again below the weir, where all of them had to be drawn over."
    )


def test_where_paragraphs_are_indented_one_that_is_not_goes_on() -> None:
    def paragraph(page: pymupdf.Page, y: float, *, first: float) -> float:
        rows = [
            f"In {NAMES[page.number]} the survey was repeated every spring before the harvest, and",
            LONG[1],
            f"{LONG[1]}.",
        ]
        y = lines(page, rows[:1], x=72 + first, y=y)
        return lines(page, rows[1:], y=y)

    def draw(page: pymupdf.Page) -> None:
        y = 100.0
        for number in range(4):
            y = paragraph(page, y, first=0 if page.number and not number else 14)

    found = blocks_of(draw, draw)
    crossing = [block for block in found if len({span.rect.page for span in block.spans}) > 1]
    assert len(found) == 7 and len(crossing) == 1


def test_stretched_prose_is_no_table() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, ["[1] M. Someone, A. Nother and K. Third. On traces and", ""])
        for x, y, text in (
            (72, 114, "Extensible"),
            (140, 114, "trace interpreters"),
            (72, 128, "Conference on large"),
        ):
            page.insert_text((x, y), text, fontsize=11)
        page.insert_text((205, 128), "virtual machines", fontsize=11)

    assert all(block.kind is not BlockKind.TABLE for block in blocks_of(draw))


def test_cells_below_each_other_are_a_table() -> None:
    def draw(page: pymupdf.Page) -> None:
        for row, y in enumerate(range(100, 180, 16)):
            for column, x in enumerate((72, 200, 330)):
                page.insert_text((x, y), f"cell {row}{column}", fontsize=10)

    [table] = blocks_of(draw)
    assert table.kind is BlockKind.TABLE
    assert table.text.split("\n")[1] == "cell 10 cell 11 cell 12"


def test_an_index_does_not_run_from_column_to_column() -> None:
    def draw(page: pymupdf.Page) -> None:
        lines(page, ["barley, 12, 14, 200", "boats, 3", "bridges, 7, 19", "by-laws, 44"], x=72)
        lines(page, ["byres, 90", "", "cable ferries, 5, 6, 8", "canals, 77"], x=330)

    found = " | ".join(texts(blocks_of(draw)))
    assert found.index("by-laws, 44") < found.index("byres, 90") < found.index("cable ferries")


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("as it says in Docket 2020–", "0686, which was", "2020–0686"),
        ("see https://www.example.org/", "reports for more", "https://www.example.org/reports"),
        ("and bread-", "and-butter pudding", "bread-and-butter"),
        ("a stop-the-", "world collector", "stop-the-world"),
        ("the first x-", "rays were seen", "x-rays"),
        ("the boat over-", "turned at once", "overturned"),
        ("the inter-", "preting of it", "interpreting"),
    ],
)
def test_breaks_at_the_end_of_a_line(first: str, second: str, joined: str) -> None:
    def draw(page: pymupdf.Page) -> None:
        writer = pymupdf.TextWriter(page.rect)
        font = pymupdf.Font("helv")
        width = max(font.text_length(row, 11) for row in (first, second))
        for number, row in enumerate((first, second)):
            writer.append(
                (72 + width - font.text_length(row, 11) * (number == 0), 100 + 14 * number), row, font=font
            )
        writer.write_text(page)

    assert joined in " ".join(texts(blocks_of(draw)))


def test_a_small_section_has_headings_in_its_own_size() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = lines(page, [*LONG, *LONG, *LONG])
        y = lines(page, ["(a) Date of Comments"], y=y + 16, size=9, font="hebo")
        lines(
            page,
            [
                "Comments must be received by the office at the place that is named below before the end of",
                "the month.",
            ],
            y=y,
            size=9,
            step=12,
        )

    headings = [block.text for block in blocks_of(draw) if block.kind is BlockKind.HEADING]
    assert headings == ["(a) Date of Comments"]


def test_a_page_without_text_beside_pages_with_text() -> None:
    def empty(page: pymupdf.Page) -> None:
        page.draw_rect((100, 100, 200, 200))

    assert blocks_of(empty) == []
    assert len(blocks_of(empty, lambda page: lines(page, LONG) and None)) == 1


def test_code_and_text_part_at_a_small_step() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = lines(page, ["The number of words is the number of items in it:"], step=19)
        y = lines(page, ["def different_words(hist):", "    return len(hist)"], y=y, font="cour", step=14) + 5
        lines(page, ["And here is how it is used, in a line of text that", "calls it by its name."], y=y)

    assert texts(blocks_of(draw)) == [
        "The number of words is the number of items in it:",
        "def different_words(hist):\nreturn len(hist)",
        "And here is how it is used, in a line of text that calls it by its name.",
    ]
