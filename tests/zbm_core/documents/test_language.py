"""The language of a chunk, of a document, and what an item's own language is worth."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from zbm_core.documents.cutting import cut_document
from zbm_core.documents.language import language_of_text, shares
from zbm_core.documents.structure import Block, BlockKind, Chunk, StructuredText
from zbm_core.sources import _language_of_document

CORPORA = Path(__file__).resolve().parents[4] / "shared" / "corpora"

TEXTS = {
    "en": "The moths circle the lamps until dawn, and the bats have learned where supper is served.",
    "de": "Die Motten umkreisen die Lampen bis zum Morgen, und die Fledermäuse wissen das längst.",
    "fr": "Les papillons tournent autour des lampes jusqu'à l'aube, et les chauves-souris le savent.",
    "pl": "Ćmy krążą wokół lamp aż do świtu, a nietoperze dawno się tego nauczyły.",
    "vi": "Những con bướm đêm bay quanh đèn cho đến bình minh.",
    "ru": "Мотыльки кружат вокруг фонарей до рассвета, и летучие мыши давно это знают.",
    "uk": "Метелики кружляють навколо ліхтарів до світанку, і кажани давно це знають.",
    "el": "Οι πεταλούδες της νύχτας γυρίζουν γύρω από τις λάμπες μέχρι την αυγή.",
    "ar": "تدور الفراشات حول المصابيح حتى الفجر وقد تعلمت الخفافيش ذلك منذ زمن",
    "fa": "شب‌پره‌ها تا سپیده‌دم گرد چراغ‌ها می‌چرخند و خفاش‌ها این را می‌دانند",
    "he": "העשים חגים סביב המנורות עד השחר והעטלפים כבר למדו זאת",
    "hi": "पतंगे भोर तक दीपकों के चारों ओर घूमते रहते हैं और चमगादड़ यह जानते हैं।",
    "th": "แมลงเม่าบินวนรอบโคมไฟจนถึงรุ่งเช้าและค้างคาวก็รู้เรื่องนี้ดี",
    "zh": "飞蛾绕着路灯飞到天亮，蝙蝠早就知道这件事了。",
    "ja": "蛾は夜明けまで街灯のまわりを飛び、コウモリはそれをとうに知っている。",
    "ko": "나방은 새벽까지 가로등 주위를 맴돌고 박쥐는 그것을 오래전부터 알고 있다.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_languages_are_told(code: str) -> None:
    assert language_of_text(TEXTS[code]) == code


def test_capitals_say_no_more_than_small_letters() -> None:
    assert language_of_text(TEXTS["de"].upper()) == "de"


@pytest.mark.parametrize(
    "text", ["", "12.4 ± 0.3 7 (0.9–2.6)", "Fig. 3", "x = y + z", "ACGT", "https://a.example/die/das"]
)
def test_where_nothing_tells_nothing_is_claimed(text: str) -> None:
    assert language_of_text(text) == ""


FORMULAS = "y1 = − 10 y2 = − 2 − 2y1 = − 2 − 2( − 10) = 18 y3 = − 1 − 3y1 − y2 = − 1 − 3( − 10) − 18 = 11 "


def test_small_words_tell_the_language_between_formulas() -> None:
    text = FORMULAS + "which we have shown above, and from this the others follow with what was said before."
    assert language_of_text(text[:400], "en") == "en"


@pytest.mark.parametrize("code", TEXTS)
@pytest.mark.parametrize("expected", ["en", "de", "fr", "ru", "xx"])
def test_what_is_expected_does_not_overrule_the_text(code: str, expected: str) -> None:
    assert language_of_text(TEXTS[code], expected) == code


def test_a_few_words_of_the_language_before_do_not_count_in_another() -> None:
    text = TEXTS["de"] + " The moths, he said, and the bats. " + TEXTS["de"]
    assert language_of_text(text, "en") == "de"
    assert language_of_text(TEXTS["ja"] + " This is from the authors, which they had.", "en") == "ja"


def test_any_text_is_taken() -> None:
    for text in ("\ud800\ud801 and some words of text after it", "a\0b" * 50, "\n" * 5000, "字" * 100_000):
        assert isinstance(language_of_text(text), str)


@pytest.mark.parametrize(
    ("corpus", "code"),
    [("xquad_en", "en"), ("xquad_de", "de"), ("xquad_ru", "ru"), ("xquad_ar", "ar"), ("jaquad_ja", "ja")],
)
def test_paragraphs_of_corpora(corpus: str, code: str) -> None:
    file = CORPORA / corpus / "corpus.jsonl"
    if not file.exists():
        pytest.skip("the test data folder beside the project is absent")
    with file.open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in islice(lines, 100)]
    found = [language_of_text(text) for text in texts]
    assert found.count(code) >= 97
    assert sum(language not in (code, "") for language in found) <= 1


def test_shares_are_of_all_characters_and_the_untold_has_no_name() -> None:
    assert shares([("de", 300), ("", 100), ("en", 590), ("de", 5), ("fr", 5)]) == (
        ("en", 0.59),
        ("de", 0.305),
    )
    assert shares([]) == ()


def test_a_document_says_its_languages_without_those_of_its_references() -> None:
    kinds = (BlockKind.PARAGRAPH, BlockKind.PARAGRAPH, BlockKind.REFERENCE)
    texts = (TEXTS["de"] * 20, TEXTS["en"] * 10, TEXTS["fr"] * 40)
    text = StructuredText(
        tuple(Block(kind, words, ()) for kind, words in zip(kinds, texts, strict=True)), (), ()
    )
    found = cut_document(text)
    assert [code for code, _ in found.languages] == ["de", "en"]
    assert found.chunks[0].language == "de" and found.chunks[-1].language == "fr"
    assert found.report(None).languages == found.languages


def chunk(language: str, size: int) -> Chunk:
    return Chunk(0, "x" * size, "", (), (), False, None, language=language)


@pytest.mark.parametrize(
    ("declared", "told", "expected"),
    [
        ("", [("de", 900), ("en", 100)], "de"),
        ("English", [("de", 950), ("en", 50)], "de"),  # hardly any of it: the field is wrong
        ("en-GB", [("de", 700), ("en", 300)], "en-GB"),
        ("fr", [("", 500)], "fr"),
        ("sr", [("sr", 400), ("hr", 600)], "sr"),
        ("", [], ""),
    ],
)
def test_what_the_item_declares_holds_unless_the_document_contradicts(
    declared: str, told: list[tuple[str, int]], expected: str
) -> None:
    assert _language_of_document(declared, [chunk(*one) for one in told]) == expected


def test_only_reading_children_load_the_detector() -> None:
    program = (
        "import sys, zbm_core.engine, zbm_core.documents.cutting as cutting\n"
        "assert not [name for name in sys.modules if 'fast' in name], sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
