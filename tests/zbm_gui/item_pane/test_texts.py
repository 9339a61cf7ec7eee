from PySide6.QtGui import QColor

from tests.zbm_gui.item_tree.samples import passage
from zbm_gui.item_pane.texts import MOST_CHARACTERS, breakable, cut, marked_html

MARK = QColor(255, 213, 74, 115)


def test_long_words_can_break_and_short_ones_stay_whole():
    address = "https://example.org/a/very/long/address?with=parameters&and=more"
    opened = breakable(f"see {address} here")
    assert opened.replace("\u200b", "") == f"see {address} here"
    assert opened.count("\u200b") > 5
    assert breakable("short words stay") == "short words stay"
    assert max(len(part) for part in breakable("x" * 500).split("\u200b")) <= 24


def test_what_is_too_long_is_cut_with_a_sign():
    assert cut("abc", 10) == "abc"
    assert cut("word " * 10, 9) == "word word…"


def test_words_are_marked_and_everything_else_is_escaped():
    html = marked_html(passage("I", "A", "a < b & soil", ("soil",)), MARK)
    assert html.startswith("a &lt; b &amp; <span style=")
    assert "rgba(255, 213, 74, 115)" in html and "font-weight" in html
    assert html.endswith(">soil</span>")


def test_only_the_quote_is_marked_where_no_word_matched():
    found = passage("I", "A", "Before. The quote. After.", by_meaning=True, quote=(8, 18))
    html = marked_html(found, MARK)
    assert ">The quote.</span>" in html
    assert "font-weight" not in html


def test_marks_that_overlap_or_run_over_the_end_are_put_right():
    found = passage("I", "A", "soil carbon", ("soil", "soil carbon", "carbon"))
    html = marked_html(found, MARK)
    assert html.count("<span") == html.count("</span>")
    assert "soil" in html and html.count("carbon") == 1


def test_a_passage_is_bounded():
    html = marked_html(passage("I", "A", "soil " * 5000, ("soil",)), MARK)
    assert html.count("soil") <= MOST_CHARACTERS // 5 + 1
    assert html.endswith("…")


def test_paragraphs_stay_apart():
    assert "<br><br>" in marked_html(passage("I", "A", "One.\n\nTwo."), MARK)
