"""What a typed query means."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zbm_core.lexical.query import MAX_TERMS, parse_query


def test_words_and_their_neighbours():
    query = parse_query("Fall of communism, fall")
    assert [(word.text, word.count) for word in query.words] == [("fall", 2), ("of", 1), ("communism", 1)]
    assert query.pairs == (("fall", "of"), ("of", "communism"), ("communism", "fall"))
    assert query.searchable


def test_quotes_straight_and_curly():
    query = parse_query('"mother-to-child route" “Fläche” «Œuvre»')
    assert [phrase.tokens for phrase in query.phrases] == [
        ("mother", "to", "child", "route"), ("flache",), ("oeuvre",)
    ]  # fmt: skip
    assert not query.words and not query.pairs


def test_an_open_quote_is_only_a_character():
    assert [word.text for word in parse_query('soil "carbon').words] == ["soil", "carbon"]


def test_beginnings():
    query = parse_query("special educat* *x")
    assert [(word.text, word.prefix) for word in query.words] == [
        ("special", False),
        ("educat", True),
        ("x", False),
    ]
    assert query.pairs == ()
    assert [word.text for word in parse_query("soil soil*").words] == ["soil"]


def test_exclusions():
    query = parse_query('virus -corona -"mother to child" -5 covid-19 a - b')
    assert [phrase.tokens for phrase in query.excluded] == [("corona",), ("mother", "to", "child")]
    assert [word.text for word in query.words] == ["virus", "5", "covid", "19", "a", "b"]


def test_mixed_scripts():
    query = parse_query('covid疫情 2020 "新冠 virus" 人')
    assert [word.text for word in query.words] == ["covid", "2020"]
    assert query.runs == ("疫情", "人")
    assert query.phrases[0].tokens == ("新冠", "virus")
    assert query.pairs == ()


@pytest.mark.parametrize("text", ["", "  \n", "?!… -", '""', "😀", "\ud800\x00", "*", "-virus", '-"a b"'])
def test_not_searchable(text):
    assert not parse_query(text).searchable


def test_names_in_capitals():
    words = {word.text: word.capitals for word in parse_query("What does the WHO say in IL-6?").words}
    assert words["who"] and words["il"] and not words["what"]
    assert not any(word.capitals for word in parse_query("WHAT IS THE CAUSE").words)


def test_a_hundred_thousand_characters_are_bounded():
    query = parse_query(" ".join(f"wort{number}" for number in range(12_000)))
    assert len(query.words) <= MAX_TERMS + 1
    assert len(parse_query("人工" * 50_000).runs) == 1
    assert parse_query('"' * 100_000).searchable is False


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from('"-* ab人')), max_size=60))
def test_any_text_is_a_query(text):
    query = parse_query(text)
    assert query == parse_query(text)
    hash(query)
