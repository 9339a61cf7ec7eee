import pytest
from PySide6.QtGui import QColor, QFont, QFontMetricsF

from tests.zbm_gui.item_tree.samples import SOIL, passage
from zbm_gui.item_tree.quote_line import fit, marked_line

MARK = QColor(255, 213, 74, 120)


@pytest.fixture
def font(app) -> QFont:
    font = QFont("Noto Sans")
    font.setPixelSize(13)
    return font


def marked(layout) -> list[str]:
    """The marked words of a fitted line."""
    text = layout.text().encode("utf-16-le")  # Qt counts in these units
    return [
        text[2 * f.start : 2 * (f.start + f.length)].decode("utf-16-le")
        for f in layout.formats()
        if f.format.fontWeight() == QFont.Weight.Bold
    ]


def width_of(layout) -> float:
    return layout.lineAt(0).naturalTextWidth()


def test_white_space_is_folded_and_the_marks_move_along():
    text = "  The\n\n carbon   of\tthe soil "
    found = passage("I", "A", text, ("carbon", "soil"))
    line, ranges = marked_line(found)
    assert line == "The carbon of the soil "
    assert [line[a:b] for a, b in ranges] == ["carbon", "soil"]


def test_only_the_quote_is_shown_and_marks_outside_it_are_left_out():
    text = "Before soil. The carbon pool. After soil."
    found = passage("I", "A", text, ("soil", "carbon"), quote=(13, 29))
    line, ranges = marked_line(found)
    assert line == "The carbon pool."
    assert [line[a:b] for a, b in ranges] == ["carbon"]


def test_a_mark_that_crosses_the_quotes_edge_is_cut_to_it():
    found = passage("I", "A", "carbon pool", ("carbon pool",), quote=(0, 6))
    line, ranges = marked_line(found)
    assert [line[a:b] for a, b in ranges] == ["carbon"]


def test_a_line_fits_its_width(font):
    found = passage("I", "A", SOIL, ("soil", "carbon"))
    for width in (60, 120, 300, 500, 900, 4000):
        layout = fit(found, width, font, MARK)
        assert layout.lineCount() == 1
        assert width_of(layout) <= width + 1
        assert layout.text().endswith("…") == (width < 900)


def test_the_querys_words_are_bold_on_the_mark(font):
    layout = fit(passage("I", "A", SOIL, ("soil", "carbon")), 4000, font, MARK)
    assert marked(layout) == ["carbon", "soil", "soil"]
    assert layout.formats()[0].format.background().color() == MARK


def test_a_line_opens_nearer_to_a_word_that_stands_late(font):
    text = "word " * 60 + "then the carbon comes at last and " + "word " * 60
    layout = fit(passage("I", "A", text, ("carbon",)), 400, font, MARK)
    assert layout.text().startswith("…")
    assert marked(layout) == ["carbon"]


def test_a_quote_found_by_meaning_says_so_and_has_no_marks(font):
    layout = fit(passage("I", "A", SOIL, by_meaning=True), 400, font, MARK)
    assert layout.text().startswith("≈ In the plots")
    assert marked(layout) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("结果表明，长期施用有机肥显著提高了黑土的土壤有机碳储量，而单施化肥的处理变化不大。" * 3, "有机肥"),
        ("أظهرت النتائج أن الكربون العضوي في التربة انخفض بنسبة الخمس خلال عشر سنوات. " * 3, "الكربون"),
        ("土壤の炭素は耕起によって減少した。" * 8, "炭素"),
        ("👩🏽‍🔬 measured the é of ﬁelds " * 10, "measured"),
        ("𝛼𝛽𝛾 and 𝑥² of the soil; 𝛼𝛽𝛾 again and again, " * 6, "soil"),
    ],
)
def test_other_scripts_fit_too(font, text, word):
    layout = fit(passage("I", "A", text, (word,)), 300, font, MARK)
    assert width_of(layout) <= 301
    assert word in marked(layout)


def test_no_text_and_no_room_are_no_error(font):
    assert fit(passage("I", "A", ""), 300, font, MARK).text() == ""
    fit(passage("I", "A", SOIL), 9, font, MARK)
    fit(passage("I", "A", "word" * 2000), 100, font, MARK)
    assert QFontMetricsF(font).height() > 0
