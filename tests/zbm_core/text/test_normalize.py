"""The normal form, and the way back from it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zbm_core.text import fold_with_map, normalize_for_search

TRICKY = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(
            "aeßŒﬁ <i></i>が\u3099\u309aカﾞ\u0301\u0308\u1100\u1161\u11a8각Σσ’½İ\u0345\u0653\ud800😀"
        ),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Søren", "soren"),
        ("½", "1/2"),
        ("x²", "x2"),
        ("children’s", "children's"),
        ("Œuvre æther Łódź đ ð Þing straße ı", "oeuvre aether lodz d d thing strasse i"),
        ("“a” „b“ «c»", '"a" "b" «c»'),
        ("1990–2000 −5", "1990-2000 -5"),
        ("<i>E. coli</i> H<sub>2</sub>O", "e. coli h2o"),
        ('<span class="nocase">van</span> a <b', "van a <b"),
        ("ﬁnal", "final"),
        ("séance", "seance"),
        ("", ""),
    ],
)
def test_normal_form(text, expected):
    assert normalize_for_search(text) == expected


def test_a_voiced_kana_is_not_its_plain_one():
    assert normalize_for_search("か\u3099") == "が" != normalize_for_search("か")


def test_a_hangul_syllable_stays_whole():
    assert normalize_for_search("한") == "한" != normalize_for_search("하")


@settings(max_examples=600, deadline=None)
@given(TRICKY)
@example("e</i>\u0301x")
@example("ΟΔΟΣ Σ")
def test_folding_with_a_map_is_the_normal_form(text):
    folded = fold_with_map(text)
    assert folded.text == normalize_for_search(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    for start, end in zip(folded.starts, folded.ends, strict=True):
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        ("Die Größe", "grosse", "Größe"),
        ("der ﬁnale Satz", "fi", "ﬁ"),
        ("une se\u0301ance", "seance", "se\u0301ance"),
        ("the <i>in</i>dex", "index", "in</i>dex"),
        ("«Œuvre»", "oeuvre", "Œuvre"),
    ],
)
def test_the_map_leads_back_to_the_characters(text, part, original):
    folded = fold_with_map(text)
    start = folded.text.index(part)
    begin, end = folded.span(start, start + len(part))
    assert text[begin:end] == original


def test_a_million_characters_with_broken_ones():
    text = "Grün \ud800 \x00 😀 " * 80_000
    folded = fold_with_map(text)
    assert folded.text == normalize_for_search(text)
