"""Stems by language: "transmissions" and "transmitted" meet in one form.

Words are stemmed as they stand in the normal form, so a query typed without accents meets the
accented text. Each word is stemmed once and remembered.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

from zbm_core.text.normalize import normalize_for_search

# ISO 639-1 to the stemmer's own name. Languages close enough to share a stemmer share it.
_STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
# What a stemmer looks for at a word's end, where the normal form has taken the accent away. Words with
# another such end are longer than two letters before it.
_ENDINGS = {
    "ru": (("ыи", "ый"), ("ои", "ой"), ("еи", "ей"), ("аи", "ай"), ("кии", "кий"), ("гии", "гий"), ("хии", "хий"),
           ("щии", "щий"), ("жии", "жий"), ("шии", "ший"), ("чии", "чий")),
    "es": (("cion", "ción"), ("sion", "sión")),
    "pt": (("cao", "ção"), ("coes", "ções"), ("sao", "são"), ("soes", "sões")),
    "ca": (("cio", "ció"),),
    "it": (("ita", "ità"),),
}  # fmt: skip
# Languages whose stemmers take beginnings away ("al-", "ge-", "meng-") or spell them otherwise.
_CHANGES_BEGINNINGS = frozenset({"ar", "fa", "ga", "hi", "id", "ne", "nl", "sr", "ta", "tr", "yi"})
# A word list of this size is some 60 MB; a library's own is far smaller, only noise grows past it.
_REMEMBERED = 400_000


def can_stem(language: str) -> bool:
    """Whether there is a stemmer for the language with this ISO 639-1 code."""
    return language in _STEMMERS


@functools.cache
def _stemmer(name: str) -> Any:
    import snowballstemmer

    # Not every release of the stemmers knows every language.
    if name not in snowballstemmer.algorithms():
        return None
    return snowballstemmer.stemmer(name)


def keeps_first_letter(language: str) -> bool:
    """Whether a word's stem begins as the word does: then a text's words need not all be stemmed to find one."""
    return language not in _CHANGES_BEGINNINGS


def stem(word: str, language: str) -> str:
    """The stem of a normalised *word* in the language with this ISO 639-1 code.

    The word itself where there is no stemmer, and for words with a digit: they are names.
    """
    return table(language)[word]


class _Table(dict[str, str]):
    """A language's words and stems, filled on demand; subscripting it is the fast way to stem many."""

    def __init__(self, language: str) -> None:
        super().__init__()
        name = _STEMMERS.get(language)
        self._endings = _ENDINGS.get(language, ())
        self._stemmer = _stemmer(name) if name else None
        # A stemmer keeps the word it works on in itself.
        self._lock = threading.Lock()

    def __missing__(self, word: str) -> str:
        if self._stemmer is None:
            return word
        stemmed = word
        if word.isalpha() or not any(character.isdigit() for character in word):
            spelled = word
            for folded, ending in self._endings:
                if word.endswith(folded) and len(word) > len(folded) + 2:
                    spelled = word.removesuffix(folded) + ending
                    break
            with self._lock:
                stemmed = normalize_for_search(self._stemmer.stemWord(spelled)) or word
        if len(self) >= _REMEMBERED:
            self.clear()
        self[word] = stemmed
        return stemmed


@functools.cache
def table(language: str) -> _Table:
    """The stems of one language by word."""
    return _Table(language)
