"""Words by script."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zbm_core.text import MAX_WORD, bigrams, has_words, is_run, normalize_for_search, words, words_with_spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The children's mother-to-child route", "the children mother to child route"),
        ("covid疫情 2020年", "covid 疫情 2020 年"),
        ("10.1371/journal_pone", "10 1371 journal pone"),
        ("हिन्दी में", "हिन्दी में"),
        ("השָׁלוֹם", "השָׁלוֹם"),
        ("l'homme don't", "l homme don t"),
        ("TNF-α TNFα IFN-γ", "tnf alpha tnf alpha ifn gamma"),
        ("καλημέρα κόσμε", "καλημερα κοσμε"),
        ("カタカナ・テスト", "カタカナ テスト"),
        ("สวัสดี ครับ", "สวัสดี ครับ"),
        ("… — 😀 \ud83d !?", ""),
    ],
)
def test_words(text, expected):
    assert words(normalize_for_search(text)) == normalize_for_search(expected).split()


def test_runs_and_their_pairs():
    assert (
        is_run("疫情") and is_run("한국어") and is_run("ไทย") and not is_run("covid") and not is_run("привет")
    )
    assert bigrams("人工智能") == ["人工", "工智", "智能"]
    assert bigrams("人") == ["人"]


def test_endless_words_are_cut():
    assert words("a" * 5000) == ["a" * MAX_WORD]
    assert words("人" * 5000) == ["人" * 5000]


def test_nothing_to_search():
    assert not has_words("?! …\x00\ud800") and has_words("é") and has_words("人")


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_spans_cover_the_words(text):
    text = normalize_for_search(text)
    spans = words_with_spans(text)
    assert [word for word, _, _ in spans] == words(text)
    end = 0
    for _, start, stop in spans:
        assert end <= start < stop <= len(text)
        end = stop


def test_a_million_characters():
    assert len(words("wort " * 200_000)) == 200_000
