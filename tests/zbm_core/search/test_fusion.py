import pytest

from zbm_core.library import ItemKey
from zbm_core.search.fusion import MEANING_WEIGHT, Voice, cut_by_margin, fuse, margins_needed
from zbm_core.search.quotes import close_line, sentences_to_weigh
from zbm_core.search.records import Fusion


def key(number):
    return ItemKey(1, f"K{number:07d}")


def voices(**strengths):
    return {key(int(name[1:])): Voice(value, min(1.0, value)) for name, value in strengths.items()}


def order(matches):
    return [int(match.item.key[1:]) for match in matches]


def test_margin_50_keeps_what_has_half_of_the_strongest():
    assert set(cut_by_margin(voices(i1=0.8, i2=0.4, i3=0.39), 50)) == {key(1), key(2)}


def test_ties_at_the_margin_stay_together_and_a_lone_result_stays():
    assert len(cut_by_margin(voices(i1=0.6, i2=0.3, i3=0.3), 50)) == 3
    assert len(cut_by_margin(voices(i1=0.1), 0)) == 1
    assert cut_by_margin({}, 50) == {}


def test_margin_0_keeps_the_strongest_and_100_everything():
    found = voices(i1=0.8, i2=0.8, i3=0.1)
    assert len(cut_by_margin(found, 0)) == 2
    assert len(cut_by_margin(found, 100)) == 3


@pytest.mark.parametrize("how", list(Fusion))
def test_one_engine_alone_keeps_its_own_order_and_the_other_stays_absent(how):
    matches = fuse(voices(i1=0.3, i2=0.7), {}, how)
    assert order(matches) == [2, 1]
    assert matches[0].score.semantic is None
    matches = fuse({}, voices(i1=0.3, i2=1.4), how)
    assert order(matches) == [2, 1]
    assert matches[0].score.lexical is None
    assert (matches[0].score.semantic, matches[0].strength) == (1.0, 1.0)


@pytest.mark.parametrize("how", list(Fusion))
def test_the_union_is_ranked_and_both_together_are_above_either(how):
    matches = fuse(voices(i1=0.5, i2=0.5), voices(i2=0.6, i3=0.6), how)
    assert order(matches)[0] == 2
    assert sorted(order(matches)) == [1, 2, 3]


def test_equal_scores_share_a_rank():
    matches = fuse(voices(i1=0.9, i2=0.5, i3=0.5, i4=0.2), {})
    assert [match.rank for match in matches] == [1, 2, 2, 3]


def test_an_exact_hit_is_not_outranked_by_a_vague_likeness():
    matches = fuse(voices(i1=0.8, i2=0.1), voices(i2=0.5, i3=0.9))
    assert order(matches)[0] == 1


def test_likenesses_above_the_ceiling_keep_their_order():
    assert order(fuse(voices(i9=0.01), voices(i1=1.2, i2=1.5))) == [2, 1, 9]


def test_the_bar_is_the_strongest_single_evidence():
    (match,) = fuse({key(1): Voice(0.3, 0.45)}, voices(i1=0.4))
    assert match.strength == 0.45
    assert (match.score.lexical, match.score.semantic) == (0.3, 0.4)


def test_ranks_are_weighed_by_strength_as_the_reference_does():
    matches = fuse(voices(i1=1.0, i2=0.9), voices(i2=0.1), Fusion.RANKS)
    assert order(matches) == [1, 2]  # 1/61 against 0.9/62 + 0.1/61
    assert 0.9 / 62 + 0.1 / 61 < 1 / 61


def test_meaning_counts_for_less_than_words():
    assert 0 < MEANING_WEIGHT < 1


def test_short_sentences_are_weighed_with_the_next():
    text = "No. It was the drained peat that lost its carbon within a few decades. So it goes."
    groups = [text[start:end] for start, end in sentences_to_weigh(text)]
    assert groups == [text]
    assert sentences_to_weigh("") == []
    assert sentences_to_weigh("Short.") == [(0, 6)]


def test_a_close_line_opens_with_the_pick_and_fills_up():
    sentences = [f"This is sentence number {n} and it is of a usual length." for n in range(8)]
    text = " ".join(sentences)
    spans = sentences_to_weigh(text)
    assert [text[a:b] for a, b in spans] == sentences
    start, end = close_line(text, spans, 2)
    assert text[start:end].startswith(sentences[2])
    assert 150 <= end - start < 150 + len(sentences[0]) + 1
    start, end = close_line(text, spans, 7)
    assert text[start:end] == sentences[7]


@pytest.mark.parametrize("margin", [0, 1, 33, 50, 99, 100])
def test_the_margin_each_item_needs_is_that_of_the_cut(margin):
    words = voices(i1=0.8, i2=0.4, i3=0.39, i4=0.0)
    meaning = voices(i3=1.4, i4=0.7, i5=0.69, i6=0.014)
    kept = cut_by_margin(words, margin).keys() | cut_by_margin(meaning, margin).keys()
    needed = margins_needed(words, meaning)
    assert needed == sorted(needed) and len(needed) == 6
    assert sum(least <= margin + 1e-6 for least in needed) == len(kept)


def test_nothing_found_needs_no_margin():
    assert margins_needed({}, {}) == [] and margins_needed(voices(i1=0.0)) == [0.0]
