"""Words of a normalised text, by script.

Scripts that put spaces between words yield runs of letters and digits. Chinese, Japanese and
Korean, and the scripts of South-East Asia that write without spaces, yield whole runs, which
are searched by their overlapping pairs of characters. A text of several scripts is parted where
the script changes: ``"covid疫情"`` is a word and a run.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

# Longer "words" are encoded data or broken extraction; a name or a chemical term is shorter.
MAX_WORD = 64

# Han with its iteration marks, kana without the middle dot, bopomofo, Hangul; then Thai, Lao,
# Myanmar and Khmer, which also write without spaces.
_UNSPACED = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u3099-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f"
    "\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
)
_GREEK = "\u0370-\u0373\u0376-\u037d\u037f-\u03ff\u1f00-\u1fff"
_GREEK_LETTERS = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        [
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
            "kappa",
            "lambda",
            "mu",
            "nu",
            "xi",
            "omicron",
            "pi",
            "rho",
            "sigma",
            "tau",
            "upsilon",
            "phi",
            "chi",
            "psi",
            "omega",
        ],
        strict=True,
    )
)
_ASCII_WORD = re.compile("[a-zA-Z0-9]+")
_POSSESSIVE = re.compile("(?<=[a-zA-Z0-9])'s(?![a-zA-Z0-9])")
_IS_RUN = re.compile(f"[{_UNSPACED}]")


@functools.cache
def _pattern() -> re.Pattern[str]:
    # Python's \w leaves out the vowel signs of Indic scripts and the points of Hebrew and Arabic,
    # which would cut words in two.
    marks: list[str] = []
    for code in range(0x300, 0x20000):
        if unicodedata.category(chr(code))[0] == "M" and not _IS_RUN.match(chr(code)):
            if marks and ord(marks[-1][-1]) == code - 1:
                marks[-1] = marks[-1][0] + "-" + chr(code)
            else:
                marks.append(chr(code))
    letters = f"[^\\W_{_UNSPACED}{_GREEK}]+"
    # "children's" is the word "children": the s alone would only be noise.
    return re.compile(
        f"[{_UNSPACED}]+|[{_GREEK}]+|{letters}(?:[{''.join(marks)}]+{letters[:-1]}*)*(?:'s(?![^\\W_]))?"
    )


def _plain(word: str) -> str:
    if word[-2:] == "'s":
        word = word[:-2]
    if word > "\u0370":
        if len(word) == 1:
            return _GREEK_LETTERS.get(word, word)
        if is_run(word):
            return word
    return word[:MAX_WORD]


def words(text: str) -> list[str]:
    """The words and unspaced runs of a normalised *text*, in order; words cut to `MAX_WORD`.

    A single Greek letter stands under its name, and apart from Latin letters beside it, so that
    "TNF-α", "TNFα" and "TNF alpha" are the same words.
    """
    if text.isascii():
        # Most texts are, in the normal form, and this reads them five times as fast.
        if "'s" in text:
            text = _POSSESSIVE.sub("", text)
        found = _ASCII_WORD.findall(text)
        return (
            found if len(max(found, key=len, default="")) <= MAX_WORD else [word[:MAX_WORD] for word in found]
        )
    return [
        word if word.isascii() and len(word) <= MAX_WORD and word[-2:] != "'s" else _plain(word)
        for word in _pattern().findall(text)
    ]


def words_with_spans(text: str) -> list[tuple[str, int, int]]:
    """Like `words`, with the range of each in *text* (of the whole word, where it was cut)."""
    found = []
    for match in _pattern().finditer(text):
        start, end = match.span()
        word = match.group()
        found.append((_plain(word), start, end - 2 if word[-2:] == "'s" else end))
    return found


def has_words(text: str) -> bool:
    """Whether there is anything to search for or to find in *text*."""
    return _pattern().search(text) is not None


def has_runs(found: list[str]) -> bool:
    """Whether any of these words may be a run; False is certain."""
    return bool(found) and max(found) > "\u0e00"


def is_run(word: str) -> bool:
    """Whether *word* is a run of a script written without spaces."""
    return word > "\u0e00" and _IS_RUN.match(word) is not None


def bigrams(run: str) -> list[str]:
    """The overlapping pairs of characters of a run; a single character stands for itself."""
    if len(run) < 2:
        return [run]
    return [sys.intern(run[i : i + 2]) for i in range(len(run) - 1)]
