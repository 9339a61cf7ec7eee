"""The language of a text, as far as stems need it: told by the item, the script or small words.

A wrong guess costs little, since exact words are searched beside stems; so a handful of function
words a language decides, and no model.
"""

from __future__ import annotations

import functools
import re

from zbm_core.text.normalize import normalize_for_search
from zbm_core.text.tokens import words

# Characters read of a text; a page tells its language.
_SAMPLE = 4000
# Function words that must be found before a Latin text is called anything, and the lead over the
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

# In the normal form: lower case, without accents.
_FUNCTION_WORDS = {
    "en": "the of and to in is that for with are was on as by this from which be an not were have it at or",
    "de": "der die das und ist nicht von mit den dem ein eine zu auf fur des sich im als auch wird werden oder bei",
    "fr": "le la les des et est une dans que pour du qui par sur au plus aux avec sont pas cette ce ont",
    "es": "el los las una que del en por con para es se como al mas su son lo entre esta sobre y",
    "pt": "os uma que do da em para com nao dos das no na por se mais ao como pela pelo sao foi e",
    "it": "il di che della per una del con non sono gli dei delle nel alla come piu dal si anche e i lo",
    "nl": "het een van en dat op te zijn met voor niet aan er om ook bij naar wordt door deze of als uit",
    "sv": "och att det som en av ar pa med till den ett inte om har vid kan fran eller ej var",
    "da": "og at det som en af er pa med til den et ikke om har ved kan fra eller de blev var",
    "no": "og at det som en av er pa med til den et ikke om har ved kan fra eller ble hva mot ogsa",
    "fi": "ja on ei se etta oli ovat myos kun mutta tai joka sen mukaan kuin ole voi hanen",
    "hu": "a az es hogy nem egy is volt meg ez de csak mint vagy szerint ki kell",
    "ro": "si de la in cu pe care nu este un din o mai pentru sa se prin ale sunt fost",
    "tr": "ve bir bu icin ile da de olarak olan daha gibi cok ne kadar sonra en",
    "pl": "i w na z do nie sie jest ze to oraz jak przez po od dla jego ktory byc",
    "cs": "a v na se je z do ze s o k pro jako byl ktery podle pri nebo jsou aby",
    "ca": "els les una que del amb per i es al mes son com aquest dels pel no",
    "id": "yang dan di dari untuk dengan pada ini dalam adalah itu tidak oleh sebagai akan",
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
    for language, text in _FUNCTION_WORDS.items():
        for word in text.split():
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
    return _by_function_words(sample)


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


def _by_function_words(sample: str) -> str:
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
