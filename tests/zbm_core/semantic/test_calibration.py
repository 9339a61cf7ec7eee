import json
from dataclasses import replace

import numpy as np
import pytest

from tests.support.corpora import ndcg, read_corpus
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic import ModelError, Triple, calibrate, corpus_file, load_triples, prepare
from zbm_core.semantic.calibration import LEAST_TRIPLES, measure, percentile
from zbm_core.semantic.vectors import centre, finish

LANGUAGES, FIELDS = ("en", "zh", "ar"), ("law", "physics", "ecology")


@pytest.fixture
def world():
    """Triples whose vectors are a shared part, a part of the language, one of the field and one of the subject."""
    rng = np.random.default_rng(11)
    width = 48
    triples, sides = [], ([], [], [])
    shared = rng.normal(size=width) * 3
    languages = {name: rng.normal(size=width) * 1.5 for name in LANGUAGES}
    fields = {name: rng.normal(size=width) * 0.5 for name in FIELDS}
    for number in range(24 * len(LANGUAGES)):
        language, field = LANGUAGES[number % 3], FIELDS[number // 3 % 3]
        subject, other = rng.normal(size=width), rng.normal(size=width)
        common = shared + languages[language] + fields[field]
        triples.append(Triple(f"q{number}", f"p{number}", f"n{number}", language, field))
        for side, part in zip(sides, (subject, subject, other), strict=True):
            side.append(common + part + rng.normal(size=width) * 0.5)
    return triples, [np.array(side, np.float32) for side in sides], languages, shared


def test_the_lines_part_answers_from_the_rest(world):
    triples, sides, *_ = world
    calibration = measure(triples, *sides, 48)
    assert calibration.floor < calibration.near_miss < calibration.ceiling
    assert calibration.languages == tuple(sorted(LANGUAGES))
    query = centre(finish(sides[0], 48), calibration.table(query=True), calibration.share)
    passage, near = (
        centre(finish(side, 48), calibration.table(query=False), calibration.share) for side in sides[1:]
    )
    answers, misses = (np.einsum("ij,ij->i", query, side) for side in (passage, near))
    assert np.mean(answers >= calibration.ceiling) == pytest.approx(0.5, abs=0.02)
    assert np.mean(misses >= calibration.near_miss) == pytest.approx(0.05, abs=0.02)
    assert np.mean(answers >= calibration.floor) > 0.9


def test_centring_takes_the_language_out_of_the_ranking(world):
    triples, sides, languages, shared = world
    calibration = measure(triples, *sides, 48)
    rng = np.random.default_rng(2)
    subject, other = rng.normal(size=(2, 48))
    query = (shared + languages["en"] + subject)[None]
    passages = np.stack([shared + languages["zh"] + subject, shared + languages["en"] + other * 0.3])
    plain = finish(passages, 48) @ finish(query, 48)[0]
    centred = (
        centre(finish(passages, 48), calibration.table(query=False), calibration.share)
        @ centre(finish(query, 48), calibration.table(query=True), calibration.share)[0]
    )
    assert plain[1] > plain[0]  # the query's own language wins
    assert centred[0] > centred[1]  # what it says wins


def test_a_model_that_tells_nothing_is_refused(world):
    triples, (queries, passages, near), *_ = world
    with pytest.raises(ModelError, match="cannot tell"):
        measure(triples, queries, near, passages, 48)
    noise = np.random.default_rng(0).normal(size=(3, len(triples), 48))
    with pytest.raises(ModelError, match="cannot tell"):
        measure(triples, *noise, 48)
    with pytest.raises(ModelError, match="cannot tell"):
        measure(triples, *np.full((3, len(triples), 48), np.nan), 48)


def test_a_language_with_few_triples_shares_a_mean(world):
    triples, sides, *_ = world
    triples = [
        replace(triple, language="nl" if place < 5 else triple.language)
        for place, triple in enumerate(triples)
    ]
    assert measure(triples, *sides, 48).languages == ("", *sorted(LANGUAGES))


def test_triples_without_fields_and_languages_serve(world):
    triples, sides, *_ = world
    bare = [Triple(triple.query, triple.passage, triple.near_miss) for triple in triples]
    calibration = measure(bare, *sides, 48)
    assert calibration.languages == ("",) and calibration.floor < calibration.ceiling


def test_a_percentile_is_taken_as_the_reference_takes_it():
    values = [3.0, 1.0, 2.0, 5.0, 4.0]
    assert [percentile(values, share) for share in (0, 0.5, 0.95, 1)] == [1, 3, 5, 5]


def test_a_fraction_is_none_at_the_floor_and_whole_at_the_ceiling(world):
    triples, sides, *_ = world
    calibration = replace(measure(triples, *sides, 48), floor=0.2, ceiling=0.6)
    assert [round(calibration.fraction(score), 3) for score in (-1, 0.2, 0.4, 0.6, 0.8)] == [
        0,
        0,
        0.5,
        1,
        1.5,
    ]


def test_the_corpus_of_the_product():
    triples = load_triples(corpus_file())
    assert len(triples) >= 240
    assert len({triple.language for triple in triples}) >= 8
    assert len({triple.field for triple in triples}) >= 12


@pytest.mark.parametrize("line", ["{", "[]", '{"query": "q"}', "3"])
def test_a_line_that_is_no_triple_is_named(tmp_path, line):
    whole = json.dumps({"query": "q", "passage": "p", "near_miss": "n"})
    (tmp_path / "t.jsonl").write_text(f"{whole}\n{line}\n")
    with pytest.raises(ModelError, match="Line 2"):
        load_triples(tmp_path / "t.jsonl")


def test_too_few_triples_are_refused(encoder):
    with pytest.raises(ModelError, match="too few"):
        calibrate(encoder, load_triples(corpus_file())[: LEAST_TRIPLES - 1])


def test_calibrating_stops_when_told(encoder):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        calibrate(encoder, load_triples(corpus_file()), cancel=cancel)


def test_the_packaged_models_calibration_is_that_of_the_corpus(encoder):
    # Some triples of each language by the real model: half of the answers lie above the ceiling, nearly
    # all above the floor, and few near misses above their line.
    calibration = encoder.model.calibration
    triples = load_triples(corpus_file())[::13]
    query = np.stack([encoder.query(triple.query) for triple in triples]).astype(float)
    sides = [[triple.passage for triple in triples], [triple.near_miss for triple in triples]]
    rows = [prepare(encoder.raw_passages(side), encoder.model, query=False).astype(float) for side in sides]
    query, passage, near = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (query, *rows))
    answers, misses = (np.einsum("ij,ij->i", query, side) for side in (passage, near))
    assert np.mean(answers >= calibration.floor) > 0.9
    assert 0.3 < np.mean(answers >= calibration.ceiling) < 0.7
    assert np.mean(misses >= calibration.near_miss) < 0.2


def test_a_question_finds_its_paragraph_in_another_language(encoder, corpora):
    # A sample of the benchmark `quality`: Arabic questions, English paragraphs.
    questions, paragraphs = read_corpus(corpora / "xquad_ar"), read_corpus(corpora / "xquad_en")
    documents = paragraphs.documents[:30]
    known = {document["id"] for document in documents}
    asked = [name for name, gains in questions.gains.items() if known & gains.keys()][::6]
    rows = prepare(
        encoder.raw_passages([document["text"] for document in documents]), encoder.model, query=False
    )
    rows = rows / np.linalg.norm(rows.astype(float), axis=1, keepdims=True)
    total = 0.0
    for name in asked:
        order = np.argsort(-(rows @ encoder.query(questions.queries[name]).astype(float)))
        total += ndcg([documents[place]["id"] for place in order[:10]], questions.gains[name])
    assert len(asked) > 20
    assert total / len(asked) > 0.8
