"""The language of a text, as far as stems need it: told by the item, the script or small words.

A wrong guess costs little, since exact words are searched beside stems; so the small words of each
language decide, and no model.
"""

from __future__ import annotations

import functools
import re

from zbm_core.text.function_words import languages_with_small_words, small_words
from zbm_core.text.normalize import normalize_for_search
from zbm_core.text.tokens import words

# Characters read of a text; a paragraph tells its language.
_SAMPLE = 1500
# Small words that must be found before a Latin text is called anything, and the lead over the
# next language: titles of a few words are often names.
_ENOUGH = 2

_NAMES = {
    "arabic": "ar", "catala": "ca", "catalan": "ca", "chinese": "zh", "cestina": "cs", "czech": "cs", "dansk": "da",
    "danish": "da", "deutsch": "de", "dutch": "nl", "english": "en", "espanol": "es", "finnish": "fi",
    "francais": "fr", "french": "fr", "german": "de", "greek": "el", "hindi": "hi", "hungarian": "hu",
    "italian": "it", "italiano": "it", "japanese": "ja", "korean": "ko", "magyar": "hu", "nederlands": "nl",
    "norsk": "no", "norwegian": "no", "persian": "fa", "farsi": "fa", "polish": "pl", "polski": "pl",
    "portugues": "pt", "portuguese": "pt", "romanian": "ro", "russian": "ru", "spanish": "es", "suomi": "fi",
    "svenska": "sv", "swedish": "sv", "turkce": "tr", "turkish": "tr",
}  # fmt: skip
_THREE_LETTERS = {
    "ara": "ar", "cat": "ca", "ces": "cs", "cze": "cs", "chi": "zh", "zho": "zh", "dan": "da", "deu": "de",
    "ger": "de", "dut": "nl", "nld": "nl", "ell": "el", "gre": "el", "eng": "en", "fas": "fa", "per": "fa",
    "fin": "fi", "fra": "fr", "fre": "fr", "hin": "hi", "hun": "hu", "ita": "it", "jpn": "ja", "kor": "ko",
    "nor": "no", "nob": "nb", "nno": "nn", "pol": "pl", "por": "pt", "ron": "ro", "rum": "ro", "rus": "ru",
    "spa": "es", "swe": "sv", "tur": "tr", "ukr": "uk",
}  # fmt: skip

_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("fa", re.compile("[\u067e\u0686\u0698\u06af\u06a9\u06cc]")),
    ("ar", re.compile("[\u0620-\u064a]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
    ("hy", re.compile("[\u0531-\u0587]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
_LATIN = re.compile("[a-z]")


@functools.cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    table: dict[str, list[str]] = {}
    for language in languages_with_small_words():
        for word in small_words(language):
            table.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in table.items()}


def language_named(field: str) -> str:
    """The ISO 639-1 code of what an item's language field says ("en-GB", "Deutsch", "ger"), or ""."""
    name = re.split(r"[^a-z]", normalize_for_search(field).strip(), maxsplit=1)[0]
    if name in _NAMES:
        return _NAMES[name]
    if len(name) == 3:
        return _THREE_LETTERS.get(name, "")
    return name if len(name) == 2 else ""


def language_of(text: str, declared: str = "") -> str:
    """The ISO 639-1 code of the language of *text*, or "" where it cannot be told.

    Args:
        declared: what the item says; it decides unless the script contradicts it.
    """
    sample = normalize_for_search(text[:_SAMPLE])
    script = _script_language(sample)
    named = language_named(declared)
    if script:
        # Cyrillic says Russian, but a Serbian or Bulgarian item knows better; likewise for Arabic.
        same_script = {"ru": ("sr", "uk", "bg", "mk", "be"), "ar": ("fa", "ur"), "hi": ("ne", "mr")}
        return named if named in same_script.get(script, ()) else script
    if named and not any(named == language for language, _ in _SCRIPTS):
        return named
    return _by_small_words(sample)


def _script_language(sample: str) -> str:
    counts = {language: len(pattern.findall(sample)) for language, pattern in _SCRIPTS}
    if not any(counts.values()):
        return ""
    # Kana are few beside Han in Japanese, and the letters of Persian's own beside Arabic's.
    if counts["ja"] * 10 > counts["zh"] and counts["ja"]:
        counts["ja"] += counts["zh"]
    if counts["fa"] * 10 > counts["ar"] and counts["fa"]:
        counts["fa"] += counts["ar"]
    best = max(counts, key=counts.__getitem__)
    # A Han or Hangul character carries about as much as two Latin letters.
    weight = 2 if best in ("ja", "ko", "zh") else 1
    return best if counts[best] * weight > len(_LATIN.findall(sample)) else ""


def _by_small_words(sample: str) -> str:
    by_word = _languages_by_word()
    scores: dict[str, float] = {}
    for word in words(sample):
        languages = by_word.get(word, ())
        for language in languages:
            # A word that many languages share says little.
            scores[language] = scores.get(language, 0.0) + 1.0 / len(languages)
    if not scores:
        return ""
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _ENOUGH else ""
