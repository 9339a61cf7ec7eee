"""What is marked in a text, and which line of it is quoted."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.zbm_core.lexical.conftest import item
from zbm_core.lexical import highlight, parse_query, pick_quote
from zbm_core.lexical.expression import stems_asked, stems_of_word

COMMON = "The study of the field"


@pytest.fixture
def index(opened):
    return opened(
        item("A", "Carbon", "Transmissions of the virus from mother to child were studied."),
        item("B", "Moths", "The moths of Turin."),
        item("C", "疫情", "新冠疫情期间的图书馆服务。", language="zh"),
        *(item(f"F{n}", COMMON, f"The study of field number{n} was done.") for n in range(12)),
    )


def marked(index, query, text):
    return [text[start:end] for start, end in highlight(index, parse_query(query), text)]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("transmission", "Transmissions, transmitted; retransmission.", ["Transmissions"]),
        ("carbon", "Hydrocarbon carbon-rich CARBON’s", ["carbon", "CARBON"]),
        ("children", "The child’s children", ["children"]),
        ("soren", "Sørén and Soren", ["Sørén", "Soren"]),
        ("virus*", "virus, viruses, antivirus", ["virus", "viruses"]),
        ('"mother to child"', "Mother-to-child, mother\nto  child; mother of a child", ["Mother-to-child", "mother\nto  child"]),
        ("疫情", "新冠疫情期间", ["疫情"]),
        ("图书馆", "在图书馆里", ["图书馆"]),
        ("馆", "在图书馆里", ["馆"]),
        ("covid疫情", "COVID 与疫情", ["COVID", "疫情"]),
        ("TNF-alpha", "TNFα and TNF alpha", ["TNFα", "TNF alpha"]),
        ("fine", "a ﬁne <i>fi</i>ne", ["ﬁne", "fi</i>ne"]),
        ("transmisions", "Transmissions and transmission", ["Transmissions"]),
        ("carbon", "", []),
    ],
)  # fmt: skip
def test_marks(index, query, text, expected):
    found = marked(index, query, text)
    if query == "TNF-alpha":
        assert "".join(found).replace(" ", "").lower() == "tnfαtnfalpha"
    else:
        assert found == expected


def test_what_separates_nothing_is_not_marked(index):
    assert marked(index, "the virus of the study", "The study of the virus") == ["virus"]


def test_unless_there_is_nothing_else(index):
    assert marked(index, "the study", "The study of the virus")


def test_excluded_words_are_not_marked(index):
    assert marked(index, "virus -moths", "virus and moths") == ["virus"]


def test_ranges_are_ordered_and_apart(index):
    text = "carbon carbon virus mother to child virus"
    ranges = highlight(index, parse_query('carbon virus mother "mother to child"'), text)
    assert all(first[1] < second[0] for first, second in itertools.pairwise(ranges))


def quote(index, query, text):
    start, end, _ = pick_quote(index, parse_query(query), text)
    return text[start:end]


def test_the_quote_opens_with_the_sentence_that_carries_most(index):
    text = (
        "Nothing of it here. The virus is known. Transmission of the virus from mother to child is rare. "
        "It was seen twice. Later work agreed."
    )
    found = quote(index, "virus transmission child", text)
    assert found.startswith("Transmission of the virus") and found.endswith(("twice.", "agreed."))


def test_whole_sentences_until_the_width_is_reached(index):
    text = "The virus spreads. " + " ".join(f"Sentence number {n} says a little more." for n in range(20))
    found = quote(index, "virus", text)
    assert 150 <= len(found) <= 200 and found.endswith(".")


def test_a_line_inside_a_long_sentence(index):
    text = "so it goes " * 60 + "the virus and the moths of Turin met " + "and so it went on " * 40
    found = quote(index, "virus moths", text)
    assert 160 <= len(found) <= 250 and "virus and the moths" in found
    assert not found[0].isspace() and not found[-1].isspace()
    assert f" {found} " in f" {text} "


def test_a_line_of_a_script_without_spaces(index):
    text = "这里没有什么可说的" * 40 + "新冠疫情期间的图书馆服务" + "这里没有什么可说的" * 40
    found = quote(index, "疫情 图书馆", text)
    assert "疫情期间的图书馆" in found and len(found) <= 120


def test_without_a_match_the_opening_is_quoted(index):
    assert quote(index, "moths", "First sentence. Second one.").startswith("First sentence.")
    assert (
        pick_quote(index, parse_query("moths"), "")
        == (0, 0, 0.0)
        == pick_quote(index, parse_query("x"), " \n")
    )


def test_a_sentence_of_usual_length_is_quoted_whole(index):
    text = (
        "Before it. The virus " + "was seen again and again in places " * 7 + "until it was gone. After it."
    )
    found = quote(index, "virus", text)
    assert found.startswith("The virus") and found.endswith("until it was gone.")


def test_a_quote_says_how_much_of_the_query_its_sentence_carries(index):
    query = parse_query("virus moths")
    both = pick_quote(index, query, "The moths carry a virus. Nothing else.")
    one = pick_quote(index, query, "The virus is known. Moths are not.")
    assert both.share == 1 and 0 < one.share < 1
    assert pick_quote(index, query, "Nothing of either.").share == 0


def test_abbreviations_do_not_cut_a_quote(index):
    text = "Intro. As shown by Smith et al. the virus (cf. Fig. 3) spreads. End."
    assert quote(index, "virus", text).startswith("As shown by Smith et al. the virus (cf. Fig. 3) spreads.")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(alphabet=st.one_of(st.characters(), st.sampled_from("virus carbon. 疫情ﬁ\n\ud800")), max_size=300)
)
def test_any_text(index, text):
    query = parse_query('virus carbon* 疫情 "mother to child"')
    end = 0
    for start, stop in highlight(index, query, text):
        assert end <= start < stop <= len(text)
        end = stop
    start, stop, share = pick_quote(index, query, text)
    assert 0 <= share <= 1
    assert 0 <= start <= stop <= len(text) and (start < stop or not text.strip())


def test_a_stem_of_another_language_that_says_nothing_is_not_searched():
    assert "for" in stems_of_word("forests", ("de", "en"))
    assert stems_asked("forests", ("de", "en")) == ("forest",)
    # Where it is all there is, it is used; short words and other scripts are left as they are.
    assert stems_asked("forests", ("de",)) == ("for",)
    assert stems_asked("oaks", ("en",)) == ("oak",)
