"""The language of a text."""

import pytest

from zbm_core.text import language_named, language_of, small_words

TEXTS = {
    "en": "What is the main cause of the infection in children?",
    "de": "Die Zellen werden durch das Virus nicht zerstört, sondern verändert.",
    "fr": "Les cellules sont infectées par le virus dans la plupart des cas.",
    "es": "Las células son infectadas por el virus en la mayoría de los casos.",
    "pt": "As células são infectadas pelo vírus na maioria dos casos, mas não em todos.",
    "it": "Le cellule sono infettate dal virus nella maggior parte dei casi.",
    "nl": "De cellen worden door het virus niet vernietigd, maar wel veranderd.",
    "sv": "Cellerna förstörs inte av viruset utan förändras och blir större.",
    "pl": "Komórki nie są niszczone przez wirus, ale zmieniają się w ciągu dnia.",
    "ru": "Клетки не разрушаются вирусом.",
    "ar": "لا يدمر الفيروس الخلايا.",
    "zh": "病毒不会破坏细胞，而是改变细胞。",
    "ja": "ウイルスは細胞を破壊しない。",
    "ko": "바이러스는 세포를 파괴하지 않는다.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_told_from_the_text(language):
    assert language_of(TEXTS[language]) == language


def test_names_alone_tell_nothing():
    assert language_of("Escherichia coli O157:H7") == ""
    assert language_of("") == language_of("12345 \ud800 !") == ""


@pytest.mark.parametrize(
    ("field", "code"),
    [("en-GB", "en"), ("English", "en"), ("deutsch", "de"), ("Français", "fr"), ("ger", "de"), ("zh_CN", "zh"), ("", ""),
     ("see text", "")],
)  # fmt: skip
def test_what_an_item_says(field, code):
    assert language_named(field) == code


def test_the_item_decides_unless_the_script_contradicts():
    assert language_of("Escherichia coli", "de") == "de"
    assert language_of(TEXTS["zh"], "en") == "zh"
    assert language_of("Ћелије и вируси", "sr") == "sr"


def test_small_words_are_in_the_normal_form():
    from zbm_core.text import normalize_for_search
    from zbm_core.text.function_words import languages_with_small_words

    for language in languages_with_small_words():
        assert small_words(language)
        for word in small_words(language):
            assert normalize_for_search(word) == word
