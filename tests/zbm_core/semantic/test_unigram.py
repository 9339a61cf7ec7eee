import hashlib
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tests.support.corpora import read_corpus
from tests.support.models import tiny_tokenizer
from tests.zbm_core.semantic.test_encoder import ODD, SENTENCE
from zbm_core.semantic.tokenizing import load_tokenizer, write_unigram
from zbm_core.semantic.unigram import SUFFIX, UnigramTokenizer, make_table

LETTERS = "abcdeé語言"
MARKS = ([("<s>", 0)], [("</s>", 1)])


def pieces(extra=()):
    """A vocabulary with pieces of many lengths that overlap in every way."""
    rng = np.random.default_rng(3)
    made = {"<s>": 0.0, "</s>": 0.0, "<unk>": 0.0, "▁": -3.0}
    for length in (1, 2, 2, 3, 3, 3, 4, 5, 9):
        for _ in range(40):
            piece = "".join(rng.choice(list(LETTERS[:7]), length))
            made[piece if rng.random() < 0.6 else "▁" + piece] = -float(rng.integers(1, 400)) / 16
    made.update(dict.fromkeys(extra, -2.5))
    return list(made.items())


@pytest.fixture
def file(tmp_path):
    write_unigram(tmp_path / "tokenizer.json", pieces(), 2, *MARKS)
    return tmp_path / "tokenizer.json"


@pytest.fixture
def both(file):
    return UnigramTokenizer(make_table(file)), Tokenizer.from_file(str(file))


@pytest.fixture(scope="module")
def packaged(e5):
    folder, model = e5
    file = folder / model.tokenizer
    return UnigramTokenizer(file.with_name(file.name + SUFFIX)), Tokenizer.from_file(str(file))


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    file = tmp_path_factory.mktemp("unigram") / "tokenizer.json"
    write_unigram(file, pieces(), 2, *MARKS)
    return UnigramTokenizer(make_table(file)), Tokenizer.from_file(str(file))


@settings(max_examples=300, deadline=None)
@given(text=st.text(LETTERS + " xß\u0301", max_size=60))
def test_the_same_ids_as_the_library(kept, text):
    ours, library = kept
    assert ours.encode(text, 1000) == library.encode(text).ids


@pytest.mark.parametrize("what", ODD)
def test_odd_texts_are_parted_as_the_library_does(packaged, what):
    ours, library = packaged
    text = ODD[what].encode("utf-8", "replace").decode()
    assert ours.encode(text, 10_000) == library.encode(text).ids


def test_the_packaged_model_reads_many_languages_as_the_library_does(packaged, corpora):
    ours, library = packaged
    for name in ("xquad_zh", "xquad_ar", "xquad_ru", "jaquad_ja", "scifact"):
        for document in read_corpus(corpora / name).documents[:60]:
            assert ours.encode(document["text"], 10_000) == library.encode(document["text"]).ids


def test_known_ids_of_the_packaged_model(packaged):
    # As XLM-RoBERTa's documentation gives them, whose vocabulary this model shares.
    assert packaged[0].encode("Hello world!", 100) == [0, 35378, 8999, 38, 2]


def test_a_limit_keeps_the_marks(both):
    ours, library = both
    library.enable_truncation(8)
    text = "abc de " * 20
    assert ours.encode(text, 8) == library.encode(text).ids
    assert len(ours.encode(text, 8)) == 8
    assert ours.encode(text, 2) == [0, 1]


def test_without_marks(both):
    ours, library = both
    assert ours.encode("abc de", 100, marks=False) == library.encode("abc de", add_special_tokens=False).ids
    assert ours.encode("", 100, marks=False) == []


def test_a_long_text_is_parted_as_in_pieces(both):
    ours, library = both
    text = "abcde edcba " * 4000 + "a" * 20_000
    assert ours.encode(text, 10**6) == library.encode(text).ids


def test_words_met_before_are_parted_the_same_again(both, monkeypatch):
    ours, _ = both
    first = ours.encode("abc abc de", 100)
    monkeypatch.setattr(ours, "_segment", lambda words: [pytest.fail("parted again") for _ in words])
    assert ours.encode("abc abc de", 100) == first


def test_the_words_kept_are_bounded(both, monkeypatch):
    ours, library = both
    monkeypatch.setattr("zbm_core.semantic.unigram._KEPT_WORDS", 10)
    for n in range(60):
        text = " ".join("abcde"[(n + k) % 5] * (1 + k) for k in range(4))
        assert ours.encode(text, 100) == library.encode(text).ids
        assert len(ours._met) <= 14


def test_only_unigram_models_get_a_table(tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_bytes(tiny_tokenizer())
    assert make_table(file) is None
    assert load_tokenizer(file, 10)("soil in water") == [1, 6, 11, 8, 2]


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b"\xff\xfe"])
def test_a_damaged_file_has_no_table(tmp_path, content):
    file = tmp_path / "tokenizer.json"
    file.write_bytes(content)
    with pytest.raises((ValueError, AttributeError)):
        make_table(file)


@pytest.mark.parametrize(
    "harm",
    [lambda data: data[:-5], lambda data: b"X" + data[1:], lambda data: data[:200], lambda data: b""],
    ids=["cut", "of another form", "cut in its header", "empty"],
)
def test_a_damaged_table_is_not_used(file, harm):
    table = make_table(file)
    expected = Tokenizer.from_file(str(file)).encode("abc de").ids
    table.write_bytes(harm(table.read_bytes()))
    with pytest.raises((ValueError, OSError, KeyError)):
        UnigramTokenizer(table)
    assert load_tokenizer(file, 100)("abc de") == expected


def test_a_table_of_another_tokenizer_is_not_used(file, tmp_path):
    table = make_table(file)
    with pytest.raises(ValueError, match="another"):
        UnigramTokenizer(table, "0" * 64)
    write_unigram(file, pieces(extra=["abc", "▁abc"]), 2, *MARKS)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert load_tokenizer(file, 100, source=digest)("abc") == Tokenizer.from_file(str(file)).encode("abc").ids


def test_the_table_takes_little_memory(packaged, e5):
    folder, model = e5
    file = folder / model.tokenizer
    table = file.with_name(file.name + SUFFIX)
    assert table.stat().st_size < 10 << 20
    assert len(json.loads(file.read_text())["model"]["vocab"]) > 200_000
    assert packaged[0].encode(SENTENCE, 100)


def test_many_texts_at_once_are_the_same_as_one_by_one(both):
    ours, _ = both
    texts = ["abc deab", "", "  ", "abc", "語言 é", "deab deab abc", "x" * 40]
    for limit in (1, 3, 512):
        expected = [ours.encode(text, limit, marks=False) for text in texts]
        assert ours.encode_all(texts, limit) == expected
        assert ours.encode_all(texts[::-1], limit) == expected[::-1]
