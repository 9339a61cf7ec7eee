"""Asking meaning again by what both engines found."""

from types import SimpleNamespace

import numpy as np
import pytest

from zbm_core.library.records import ItemKey
from zbm_core.search.feedback import ask_again
from zbm_core.search.fusion import Voice
from zbm_core.search.records import Kind
from zbm_core.semantic import Calibration, Meaning
from zbm_core.semantic.records import EmbeddingSource
from zbm_core.semantic.vectors import quantize

QUERY, SUBJECT, OTHER = np.eye(8, dtype=np.float32)[:3]
#: What each item is about: the first is an answer, the second speaks of the same, the third only sounds like it.
ITEMS = {
    ItemKey(1, "AAAAAAAA"): QUERY + SUBJECT,
    ItemKey(1, "BBBBBBBB"): 0.5 * QUERY + SUBJECT,
    ItemKey(1, "CCCCCCCC"): 0.55 * QUERY + OTHER,
}
ANSWER, SAME, SOUNDS = ITEMS


@pytest.fixture
def meaning(tmp_path):
    means = np.zeros((1, 8), "<f4").tobytes()
    calibration = Calibration(0.1, 0.3, 0.9, 0.0, ("en",), means, means)
    model = SimpleNamespace(identity="tiny/1", width=8, calibration=calibration)
    made = Meaning(tmp_path / "semantic.sqlite", "user", SimpleNamespace(model=model, close=lambda: None))
    made.index.put(EmbeddingSource(key, Kind.ITEM, key, "1", [0]) for key in ITEMS)
    made.index.store((key, [0], quantize(vector[None])) for key, vector in ITEMS.items())
    yield made
    made.close()


def asked(meaning, words):
    query = quantize(QUERY[None])[0]
    likenesses = {likeness.hit.item: likeness for likeness in meaning.hits(query)}
    voices = {item: Voice(each.fraction, min(1.0, each.fraction)) for item, each in likenesses.items()}
    return voices, ask_again(meaning, query, words, likenesses, voices, None)


def test_what_speaks_of_the_same_as_the_best_gains(meaning):
    first, again = asked(meaning, {ANSWER: Voice(0.6, 0.6)})
    assert first[SOUNDS].strength > first[SAME].strength
    assert again[SAME].strength > again[SOUNDS].strength
    assert again[ANSWER].strength == pytest.approx(first[ANSWER].strength)


def test_the_same_items_are_found_and_their_evidence_stays(meaning):
    first, again = asked(meaning, {ANSWER: Voice(0.6, 0.6)})
    assert again.keys() == first.keys() == ITEMS.keys()
    assert all(again[item].evidence == first[item].evidence for item in ITEMS)


def test_words_that_find_next_to_nothing_change_next_to_nothing(meaning):
    first, again = asked(meaning, {ANSWER: Voice(1e-6, 1e-6)})
    for item in ITEMS:
        assert again[item].strength == pytest.approx(first[item].strength, abs=0.03)


def test_a_best_item_that_meaning_does_not_know_is_passed_over(meaning):
    first, again = asked(
        meaning, {ItemKey(1, "DDDDDDDD"): Voice(0.9, 0.9), ItemKey(1, "EEEEEEEE"): Voice(0.8, 0.8)}
    )
    assert again == first


def test_a_vector_that_is_gone_moves_nothing(meaning):
    query = quantize(QUERY[None])[0]
    hits = [likeness.hit.best for likeness in meaning.hits(query)]
    meaning.index.delete(ITEMS)
    assert (meaning.nearer(query, hits[:2], [1, 1], 0.5) == query).all()
