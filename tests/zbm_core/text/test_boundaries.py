"""Sentences."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zbm_core.text import sentences


def parts(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "See Fig. 2 and refs. 3 to 5 of the supplement.",
        "As Smith et al. 2019 found, it holds.",
        "Dr. Who met Prof. Ng (cf. p. 3) at noon.",
        "It was E. coli that grew.",
        "J. R. R. Tolkien wrote it.",
        "This holds, e.g. Above the line, and i.e. Below it.",
        "Vgl. Abb. 3, z.B. Haus.",
        "The value of 3.14 is known.",
    ],
)
def test_an_abbreviation_ends_no_sentence(sentence):
    text = f"Before it. {sentence} After it."
    assert parts(text) == ["Before it.", sentence, "After it."]


def test_full_stops_of_other_scripts():
    assert parts("第一句。第二句！第三句？") == ["第一句。", "第二句！", "第三句？"]
    assert parts("यह एक है। वह दो है।") == ["यह एक है।", "वह दो है।"]
    assert parts("هل هذا؟ نعم هذا.") == ["هل هذا؟", "نعم هذا."]


def test_a_paragraph_ends_what_has_no_full_stop():
    assert parts("Methods\n\nWe did it\nover two lines. Then left.") == [
        "Methods", "We did it\nover two lines.", "Then left."
    ]  # fmt: skip


def test_text_without_stops_is_cut():
    found = sentences("word " * 5000)
    assert len(found) > 5 and all(end - start <= 2000 for start, end in found)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("ab. A!\n \ud800😀。")), max_size=80))
def test_sentences_are_ordered_and_lose_only_space(text):
    end = 0
    for start, stop in sentences(text):
        assert end <= start < stop
        assert not text[end:start].strip()
        end = stop
    assert not text[end:].strip()
