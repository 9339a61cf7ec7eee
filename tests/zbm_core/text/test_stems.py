"""Stems."""

import re
import threading
from pathlib import Path

import pytest

from zbm_core.text import can_stem, normalize_for_search, stem, stems


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "transmission", "transmissions"),
        ("en", "infected", "infections"),
        ("de", "Häuser", "Hauses"),
        ("fr", "cellules", "cellule"),
        ("es", "información", "informaciones"),
        ("pt", "informação", "informações"),
        ("it", "città", "citta"),
        ("ru", "европейский", "европейская"),
        ("ru", "определенной", "определенная"),
        ("nb", "bøkene", "bøker"),
    ],
)
def test_forms_meet(language, first, second):
    assert stem(normalize_for_search(first), language) == stem(normalize_for_search(second), language)


def test_names_with_digits_stay():
    assert stem("b12s", "en") == "b12s"


def test_a_language_without_a_stemmer_keeps_its_words():
    assert not can_stem("zh") and stem("words", "zh") == "words" and stem("words", "") == "words"


def test_stems_do_not_depend_on_other_threads():
    vocabulary = [
        f"{root}{ending}" for root in ("hous", "not", "relat", "oper") for ending in ("es", "ing", "ional")
    ]
    expected = {word: stem(word, "en") for word in vocabulary}
    wrong = []

    def work(tag):
        for number in range(300):
            for word in vocabulary:
                # A word of this round's own keeps the stemmer busy in every thread.
                stem(f"{tag}x{'y' * (number % 50)}ings", "en")
                if stem(word, "en") != expected[word]:
                    wrong.append(word)

    threads = [threading.Thread(target=work, args=(tag,)) for tag in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_stems_keep_the_first_letter_where_it_is_said_so():
    words = {
        word
        for file in (Path(stems.__file__).parents[2] / "resources" / "calibration").glob("*.json*")
        for word in re.findall(r"\w+", normalize_for_search(file.read_text("utf-8")))
    }
    assert len(words) > 3_000
    for language in filter(stems.keeps_first_letter, stems._STEMMERS):
        changed = [word for word in words if stems.stem(word, language)[:1] != word[:1]]
        assert not changed, language
    assert not stems.keeps_first_letter("ar") and not stems.keeps_first_letter("nl")
