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
    letters = f"[^\\W_{_UNSPACED}]+"
    # "children's" is the word "children": the s alone would only be noise.
    return re.compile(f"[{_UNSPACED}]+|{letters}(?:[{''.join(marks)}]+{letters[:-1]}*)*(?:'s(?![^\\W_]))?")


def _clean(word: str) -> str:
    return word[:-2] if word.endswith("'s") else word


def words(text: str) -> list[str]:
    """The words and unspaced runs of a normalised *text*, in order; words cut to `MAX_WORD`."""
    return [
        word if len(word) <= MAX_WORD or is_run(word) else word[:MAX_WORD]
        for word in (word[:-2] if word.endswith("'s") else word for word in _pattern().findall(text))
    ]


def words_with_spans(text: str) -> list[tuple[str, int, int]]:
    """Like `words`, with the range of each in *text* (of the whole word, where it was cut)."""
    found = []
    for match in _pattern().finditer(text):
        word = _clean(match.group())
        start = match.start()
        cut = word if len(word) <= MAX_WORD or is_run(word) else word[:MAX_WORD]
        found.append((cut, start, start + len(word)))
    return found


def has_words(text: str) -> bool:
    """Whether there is anything to search for or to find in *text*."""
    return _pattern().search(text) is not None


def is_run(word: str) -> bool:
    """Whether *word* is a run of a script written without spaces."""
    return word > "\u0e00" and _IS_RUN.match(word) is not None


def bigrams(run: str) -> list[str]:
    """The overlapping pairs of characters of a run; a single character stands for itself."""
    if len(run) < 2:
        return [run]
    return [sys.intern(run[i : i + 2]) for i in range(len(run) - 1)]
