"""The calibration texts: complete, balanced, in the language they claim, and each its own."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

import resources

FOLDER = Path(resources.__file__).parent / "calibration"
LANGUAGES = ("en", "de", "fr", "es", "ru", "zh", "ja", "ar")
FIELDS = {
    "med": "medicine",
    "ecl": "ecology",
    "soi": "soil and climate",
    "phy": "physics",
    "com": "computer science",
    "lin": "linguistics",
    "his": "history",
    "eco": "economics",
    "psy": "psychology",
    "edu": "education",
    "law": "law",
    "mat": "materials and chemistry",
}
PER_LANGUAGE_AND_FIELD = 3
CROSS_PER_LANGUAGE = 8
TEXTS = ("query", "passage", "near_miss")
UNSPACED = {"zh", "ja"}
# Words, or characters where words are not set apart.
PASSAGE_LENGTH = (45, 140)
PASSAGE_LENGTH_UNSPACED = (80, 260)
# Were one side longer than the other, length alone would part the answers from the near misses.
MEAN_LENGTH_RATIO = (0.8, 1.25)
SHARED_WORDS = 8
SHARED_CHARACTERS = 12

# Letters a text of the language is made of. Names and units in Latin letters may stand between them.
SCRIPTS = {
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "ja": re.compile(r"[\u3040-\u30ff\u3400-\u9fff々]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
}
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
KANA = re.compile(r"[\u3040-\u30ff]")
LETTERS_OF_OWN_SCRIPT = 0.9
LETTERS_OF_OWN_SCRIPT_IN_QUERY = 0.7
KANA_IN_JAPANESE = 0.2
# Frequent words of one language that the other three do not have (or not as frequent ones).
FUNCTION_WORDS = {
    "en": {"the", "of", "and", "to", "that", "is", "with", "by", "for"},
    "de": {"der", "die", "und", "das", "mit", "nicht", "ist", "von", "den"},
    "fr": {"le", "les", "et", "des", "une", "dans", "qui", "est", "du"},
    "es": {"el", "los", "y", "del", "una", "con", "por", "las", "se"},
}


def _rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def triples() -> list[dict[str, str]]:
    return _rows("triples.jsonl")


@pytest.fixture(scope="module")
def cross() -> list[dict[str, str]]:
    return _rows("cross.jsonl")


@pytest.fixture(scope="module")
def texts(triples, cross) -> list[tuple[str, str, str, str]]:
    """Every text as (id, which of the three, language, text)."""
    return [
        (row["id"], which, row["language"] if which == "query" else _passage_language(row), row[which])
        for row in triples + cross
        for which in TEXTS
    ]


def _passage_language(row: dict[str, str]) -> str:
    return row.get("passage_language", row["language"])


def _length(text: str, language: str) -> int:
    return len(re.sub(r"\s", "", text)) if language in UNSPACED else len(text.split())


def _grams(text: str, language: str) -> set[tuple[str, ...]]:
    if language in UNSPACED:
        units, size = [character for character in text if character.isalnum()], SHARED_CHARACTERS
    else:
        units, size = re.findall(r"\w+", text.casefold()), SHARED_WORDS
    return {tuple(units[at : at + size]) for at in range(len(units) - size + 1)}


def test_rows_are_complete(triples, cross):
    for row in triples:
        assert set(row) == {"id", "language", "field", *TEXTS}, row["id"]
    for row in cross:
        assert set(row) == {"id", "language", "passage_language", "field", *TEXTS}, row["id"]
    for row in triples + cross:
        for name, value in row.items():
            assert isinstance(value, str), row["id"]
            assert value, row["id"]
            assert value == value.strip(), (row["id"], name)
            assert not re.search(r"[\x00-\x1f\x7f\ufffd]|  ", value), (row["id"], name)


def test_ids_say_what_the_rows_are(triples, cross):
    for row in triples + cross:
        *languages, field, number = row["id"].split("-")
        expected = [row["language"]]
        if "passage_language" in row:
            expected.append(row["passage_language"])
        assert languages == expected
        assert FIELDS[field] == row["field"]
        assert re.fullmatch(r"\d\d", number)
    ids = Counter(row["id"] for row in triples + cross)
    assert max(ids.values()) == 1


def test_languages_and_fields_are_balanced(triples):
    counts = Counter((row["language"], row["field"]) for row in triples)
    assert set(counts) == {(language, field) for language in LANGUAGES for field in FIELDS.values()}
    assert set(counts.values()) == {PER_LANGUAGE_AND_FIELD}


def test_cross_rows_join_two_languages(cross):
    assert Counter(row["language"] for row in cross) == dict.fromkeys(LANGUAGES, CROSS_PER_LANGUAGE)
    assert {row["passage_language"] for row in cross} == set(LANGUAGES)
    assert {row["field"] for row in cross} == set(FIELDS.values())
    assert all(row["language"] != row["passage_language"] for row in cross)


def test_lengths(triples, cross):
    for row in triples + cross:
        language = _passage_language(row)
        least, most = PASSAGE_LENGTH_UNSPACED if language in UNSPACED else PASSAGE_LENGTH
        for which in ("passage", "near_miss"):
            length = _length(row[which], language)
            assert least <= length <= most, (row["id"], which, length)
        assert len(row["query"]) < min(len(row["passage"]), len(row["near_miss"])), row["id"]


def test_passages_and_near_misses_are_as_long(triples):
    for language in LANGUAGES:
        passages, near_misses = (
            sum(_length(row[which], language) for row in triples if row["language"] == language)
            for which in ("passage", "near_miss")
        )
        assert MEAN_LENGTH_RATIO[0] <= passages / near_misses <= MEAN_LENGTH_RATIO[1], language


def test_queries_vary_in_kind(triples):
    for language in LANGUAGES:
        queries = [row["query"] for row in triples if row["language"] == language]
        lengths = {_length(query, language) for query in queries}
        assert len(lengths) >= 5, language
        assert min(lengths) < max(lengths) / 2, language


def test_texts_are_in_composed_form(texts):
    for id_, which, _, text in texts:
        assert unicodedata.is_normalized("NFC", text), (id_, which)


def test_scripts_match_the_languages(texts):
    for id_, which, language, text in texts:
        letters = [c for c in text if unicodedata.category(c)[0] == "L"]
        own = SCRIPTS.get(language, LATIN)
        least = LETTERS_OF_OWN_SCRIPT_IN_QUERY if which == "query" else LETTERS_OF_OWN_SCRIPT
        assert sum(bool(own.match(c)) for c in letters) >= least * len(letters), (id_, which)
        kana = sum(bool(KANA.match(c)) for c in letters)
        if language == "zh":
            assert not kana, (id_, which)
        elif language == "ja" and which != "query":
            assert kana >= KANA_IN_JAPANESE * len(letters), (id_, which)


def test_latin_passages_are_in_their_language(texts):
    for id_, which, language, text in texts:
        if which == "query" or language not in FUNCTION_WORDS:
            continue
        words = Counter(re.findall(r"\w+", text.casefold()))
        counts = {of: sum(words[word] for word in some) for of, some in FUNCTION_WORDS.items()}
        assert max(counts, key=counts.__getitem__) == language, (id_, which, counts)


def test_no_two_texts_share_a_run_of_words(texts):
    first_seen: dict[tuple[str, ...], tuple[str, str]] = {}
    for id_, which, language, text in texts:
        for gram in _grams(text, language):
            other = first_seen.setdefault(gram, (id_, which))
            assert other == (id_, which), f"{id_} {which} and {other}: {' '.join(gram)}"


def test_queries_are_all_different(texts):
    queries = Counter(text.casefold() for _, which, _, text in texts if which == "query")
    assert max(queries.values()) == 1


def _shared(query: str, text: str, language: str) -> float:
    """The share of the query's content words, roughly told, that the text repeats."""
    units = _units(query, language)
    return len(units & _units(text, language)) / max(1, len(units))


def _units(text: str, language: str) -> set[str]:
    if language in UNSPACED:
        # Hiragana are mostly endings and particles, which any two Japanese texts share.
        run = re.sub(r"[\W\u3040-\u309f]", "", text)
        return {run[at : at + 2] for at in range(len(run) - 1)}
    # The first letters stand for the word whatever its ending; short words are function words.
    return {word[:6] for word in re.findall(r"\w+", text.casefold()) if len(word) > 3}


def test_passages_paraphrase_more_than_they_repeat(triples):
    """Spelling alone must not find the answers, nor may answers avoid the words of their subject."""
    for language in LANGUAGES:
        rows = [row for row in triples if row["language"] == language]
        passage, near_miss = (
            sum(_shared(row["query"], row[which], language) for row in rows) / len(rows)
            for which in ("passage", "near_miss")
        )
        assert near_miss < 0.15 < 0.25 < passage < 0.5, (language, passage, near_miss)
