"""Whether a block of text is text, in any script, or the debris of a failed recognition or a broken font.

Every character is given its class (a letter of any script is a letter); the shapes of words in these
classes then tell. No alphabet, vocabulary or language is known here, so that what is rare is not called
garbage. Debris is told by what writing does not do anywhere: signs that stand alone or in the middle of
words, digits among small letters, characters of no meaning, one letter over and over.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from dataclasses import replace

from zbm_core.documents.structure import Block, BlockKind, StructuredText

DEBRIS = 0.3
"""Share of a block's characters in words that are none, from which the block is debris (figures: README)."""

SUSPECT = 0.12
"""The share from which a block is looked at closely; nearly all blocks end here."""

SHORT = 6
"""Visible characters below which nothing but characters without meaning makes debris: "§ 3", "x = 5"."""

SEVERAL = 12
"""Single letters in a row that make a pattern."""

JUDGED = 20_000
"""Characters looked at of a block: more than any paragraph has."""

SIGNS, SIGNS_DIFFERENT = 0.1, 5
"""Share of signs among the characters of scripts without spaces, and how many different ones, from which a
block of these is debris: nothing else shows in them."""

DIFFERENT = 3
"""Different words that must be none: one name like "eng2sp" may be all that a line of code says."""

FORMULA = 0.1
"""Share of operators standing alone among a block's words from which it is a formula, whatever its words
look like: "a11x1 + a12x2 = b1"."""

WORDY = 2.5
"""Visible characters a word from which a block is not mostly single letters."""

FEW = 12
"""Different characters up to which a block may be one letter over and over."""

NOTHING = 0.2
"""Share of characters that mean nothing (private use, U+FFFD, unassigned) from which a block is debris."""

# Classes. small, capital, other letter (and marks), dense (each character a word or syllable), digit,
# operator or bracket, joiner inside words, quote inside words, punctuation, punctuation that never stands inside
# a word, sign that is no punctuation, no character at all.
_SMALL, _CAPITAL, _LETTER, _DENSE, _DIGIT, _OPERATOR = "luokDO"
_JOINER, _QUOTE, _POINT, _STOP, _SIGN, _NONE = "HAPQGX"

_BY_CHARACTER = {
    **dict.fromkeys(
        "-\u2010\u2011\u2012\u2013\u2014\u2015/.@_\u05be\u00b7\u2026\u2022\u00ad&#%\u2212\\", _JOINER
    ),
    **dict.fromkeys("'\u2019\u02bc\u2018`\u00b4\u05f3\u05f4\u055a\u055b\u055c\u055e\u2032\u2033", _QUOTE),
    **dict.fromkeys(";!?", _STOP),
    **dict.fromkeys("()[]{}<>=+*^|$\u00b0\u00a7\u2122\u00ae\u00a9\u2020\u2021\u00b6", _OPERATOR),
    **dict.fromkeys("~\u00a6\u00a8\u00af\u00b8\u00ac", _SIGN),
    # Word separators of Ethiopic and Tibetan.
    **dict.fromkeys("\u1361\u0f0b\u0f0c", " "),
    "\ufffd": _NONE,
}
_DENSE_RANGES = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xAA60, 0xAA7F),  # Thai, Lao, Burmese, Khmer: no spaces
    (0x1100, 0x11FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x31FF), (0x3400, 0x9FFF),
    (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF66, 0xFFDC), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
_CATEGORIES = {
    "Ll": _SMALL, "Lu": _CAPITAL, "Lt": _CAPITAL, "Lo": _LETTER, "Lm": _LETTER, "Nl": _LETTER,
    "Nd": _DIGIT, "No": _DIGIT, "Sm": _OPERATOR, "Sc": _OPERATOR, "Ps": _OPERATOR, "Pe": _OPERATOR,
    "Pd": _JOINER, "Pc": _JOINER, "Pi": _POINT, "Pf": _POINT, "Po": _POINT, "Sk": _SIGN, "So": _SIGN,
    "Zs": " ", "Zl": " ", "Zp": " ", "Cf": "", "Cc": _NONE, "Co": _NONE, "Cn": _NONE, "Cs": _NONE,
}  # fmt: skip


class _Classes(dict[int, str]):
    """Character to class, worked out once a character."""

    def __missing__(self, code: int) -> str:
        found = self[code] = _class_of(code)
        return found


def _class_of(code: int) -> str:
    char = chr(code)
    if char in _BY_CHARACTER:
        return _BY_CHARACTER[char]
    if char.isspace():
        return " "
    if any(first <= code <= last for first, last in _DENSE_RANGES):
        return _DENSE
    category = unicodedata.category(char)
    if category[0] == "M" or 0x02B0 <= code <= 0x02FF:  # marks belong to letters; tone letters of phonetics
        return _LETTER
    if 0x3000 <= code <= 0x303F or (0xFF00 <= code <= 0xFF65 and category[0] == "P"):
        return " "  # punctuation of East Asia stands between words by itself
    if 0xF8E0 <= code <= 0xF8FE:
        return _OPERATOR  # parts of tall brackets in the fonts of formulas
    if 0x2800 <= code <= 0x28FF:
        return _LETTER  # Braille
    if 0x1F000 <= code <= 0x1FAFF or 0x2600 <= code <= 0x27BF:
        return " "  # pictographs and dingbats
    return _CATEGORIES[category]


_classes = _Classes()
# Latin-1 with the quotes, dashes and signs that books are set with: nearly every block of a Latin script can be told
# in these 256, and classed as bytes.
_OFTEN = "\u2018\u2019\u201c\u201d\u201a\u201e\u2010\u2011\u2012\u2013\u2014\u2022\u2026\u2032\u2033\u2212\u2009\u200a\u0153\u2122\u20ac\u2002\u2003"
_OFTEN_OR_LATIN = (
    "".join(map(chr, range(128))) + _OFTEN.ljust(32, "\ufffe") + "".join(map(chr, range(160, 256)))
)
_TO_BYTES = codecs.charmap_build(_OFTEN_OR_LATIN)
_TABLE = "".join(map(_class_of, map(ord, _OFTEN_OR_LATIN))).encode()


def _shape_of(text: str) -> str:
    """The classes of the characters of *text*; runs of dense ones stand apart."""
    try:
        known = text.encode() if text.isascii() else codecs.charmap_encode(text, "strict", _TO_BYTES)[0]
    except UnicodeEncodeError:
        shape = text.translate(_classes)
        return _DENSE_RUN.sub(r" \g<0> ", shape) if _DENSE in shape else shape
    return known.translate(_TABLE).decode()


_NO_WORD = re.compile(f"[{_POINT}{_STOP}{_SIGN}{_QUOTE}{_JOINER}]+")
_BROKEN = re.compile(
    "[luo][GQ]+[luo]"  # a sign in the middle of a word
    "|lD+l|oD+o"  # a digit among small letters, or those of a script without capitals
    "|lu{1,2}l{1,2}u"  # capitals that come and go
    "|[luo][PQGA]{2,}[luo]"
)
_STREWN = frozenset((_POINT, _STOP, _SIGN, _QUOTE))
_DENSE_RUN = re.compile(f"{_DENSE}+")
_WRITTEN = re.compile(f"[{_SMALL}{_CAPITAL}{_LETTER}{_DENSE}{_DIGIT}]")
_RUN_OF_SIGNS = re.compile(r"([^\w\s]|_)(?:\s?\1){2,}")
_TAG = re.compile(r"<[/!?]?[A-Za-z][^<>]{0,400}>")
_RUN_OF_LETTERS = re.compile(r"([^\W\d_acgtunx])\1{4,}", re.IGNORECASE)
_ADDRESS = re.compile(  # and checksums
    r"(?:https?://|www\.|10\.\d{4,}/|doi:)\S+|(?<!\S)[^\s@]{1,64}@\S+|\b(?:0x)?[0-9a-f]{7,}\b", re.IGNORECASE
)
_OPERATORS = frozenset("=+\u2212\u00d7\u00f7<>\u2264\u2265\u2248\u00b1\u2208\u2192\u21d2\u2217\u22ef")
_BASES = frozenset("ACGTUN")
_GLYPH_NAMES = re.compile(r"\(cid:\d+\)|/g\d+\b")

# UTF-8 read as Windows-1252 or Latin-1: the first byte's character, then those of continuation bytes.
_REST = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_MISREAD = re.compile(f"[Â-ß]{_REST}|[à-ï]{_REST}{_REST}")
_FIRST_OF_MISREAD = b"\xc3"  # the UTF-8 of all from "À" to "ÿ" begins with it
_MISREAD_LEAST, _MISREAD_SHARE = 3, 0.06


class _Shapes(dict[str, int]):
    """Characters of a word of one shape that belong to no word of any language."""

    MOST = 20_000  # shapes remembered

    def __missing__(self, shape: str) -> int:
        bad = _bad(shape)
        if len(self) < self.MOST and len(shape) < 40:
            self[shape] = bad
        return bad


def _bad(shape: str) -> int:
    size = len(shape)
    if nothing := shape.count(_NONE):
        return size if 3 * nothing >= size else 2 * nothing
    if _NO_WORD.fullmatch(shape):
        return 0 if shape == _JOINER else size
    if _BROKEN.search(shape):
        return size
    signs = shape.count(_SIGN)
    return size if signs and size <= 4 else signs


_shapes = _Shapes()


def is_debris(text: str) -> bool:
    """Whether *text*, a paragraph or the like, is not text. It is judged by its first `JUDGED` characters."""
    text = text[:JUDGED]
    classes = _shape_of(text)
    words = classes.split()
    size = len(classes) - classes.count(" ")
    bad = sum(map(_shapes.__getitem__, words))
    if bad < SUSPECT * size and size > WORDY * len(words) and "(cid:" not in text:
        return _is_misread(text, size) or _is_one_letter(text, size)
    return _look_closely(text)


def _look_closely(text: str) -> bool:
    """The verdict on a block that may be debris: what looks like it and is none is set aside first."""
    named = len(_GLYPH_NAMES.findall(text))
    plain = _GLYPH_NAMES.sub("\ufffd", text) if named else text
    plain = _TAG.sub(" ", _ADDRESS.sub(" ", plain))
    plain = _RUN_OF_SIGNS.sub(r"\1", plain)  # leaders and rules: "....", "- - -", "_____"
    classes = _shape_of(plain)
    words = classes.split()
    size = len(classes) - classes.count(" ")
    nothing = classes.count(_NONE)
    if size and nothing >= NOTHING * size:
        return True
    if size < SHORT:
        return False
    bad = sum(map(_shapes.__getitem__, words))
    if not _WRITTEN.search(classes):
        return bad >= DEBRIS * size
    if 2 * classes.count(_DENSE) >= size:
        return _is_strewn(plain, size) or _is_misread(plain, size)
    if bad and _different(plain) < DIFFERENT:
        return False
    single = sum(word in (_SMALL, _CAPITAL, _LETTER) for word in words)
    operators = sum(word in _OPERATORS for word in plain.split())
    if operators >= FORMULA * len(words) and operators > sum(
        _NO_WORD.fullmatch(word) is not None for word in words
    ):
        return False
    technical = sum(map(classes.count, (_OPERATOR, _DIGIT)))
    if bad >= SUSPECT * size and technical < 0.2 * size:
        bad += single  # letters alone among signs alone
    return bad >= DEBRIS * size or _is_misread(plain, size) or _is_few_letters(plain)


def _is_strewn(text: str, size: int) -> bool:
    """Whether signs of many kinds lie among the characters of a script without spaces."""
    signs = [char for char in text if _classes[ord(char)] in _STREWN]
    return len(signs) >= SIGNS * size and len(set(signs)) >= SIGNS_DIFFERENT


def _different(text: str) -> int:
    """How many different words of *text* are none."""
    return sum(_shapes["".join(word.translate(_classes).split())] > 0 for word in set(text.split()))


def _is_misread(text: str, size: int) -> bool:
    if text.isascii() or _FIRST_OF_MISREAD not in text.encode("utf-8", "replace"):
        return False
    found = len(_MISREAD.findall(text))
    return found >= _MISREAD_LEAST and found >= _MISREAD_SHARE * size


def _is_one_letter(text: str, size: int) -> bool:
    """Whether most of it is runs of one letter: "eeeeeeee lllllll". Bases are not meant ("AAAAAAA")."""
    if len(set(text[:32])) > FEW or len(set(text[:80])) > FEW:
        return False
    runs = sum(len(found[0]) for found in _RUN_OF_LETTERS.finditer(text))
    return runs > 0 and 2 * runs >= size


def _is_few_letters(text: str) -> bool:
    """Whether it is single letters and these are always the same: "l I l l i l I"."""
    words = text.split()
    letters = Counter(word for word in words if len(word) == 1 and word.isalpha())
    if letters.total() < max(SEVERAL, 0.6 * len(words)) or not any(map(str.islower, letters)):
        return False
    if _BASES.issuperset(map(str.upper, letters)):
        return False
    return sum(count for _, count in letters.most_common(4)) >= 0.8 * letters.total()


def without_debris(text: StructuredText) -> tuple[StructuredText, float]:
    """*text* with its debris excluded, and the share of its characters that is kept.

    Blocks keep their places, and targets of the outline are never taken.
    """
    targets = {entry.block for entry in text.outline}
    blocks: list[Block] = []
    kept = lost = 0
    for index, block in enumerate(text.blocks):
        if block.kind is BlockKind.EXCLUDED:
            pass
        elif index not in targets and is_debris(block.text):
            lost += len(block.text)
            block = replace(block, kind=BlockKind.EXCLUDED)
        else:
            kept += len(block.text)
        blocks.append(block)
    if not lost:
        return text, 1.0
    return replace(text, blocks=tuple(blocks)), kept / (kept + lost)


def left_out(kept: float) -> str:
    """What to say of a document of which the share *kept* is text; "" where next to nothing was left out."""
    share = round(100 * (1 - kept))
    return f"{share} % of its text is unreadable and was left out." if share >= 1 else ""
