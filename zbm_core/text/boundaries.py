"""Sentences of a text as it is read.

Unicode's rules find the boundaries; they also split after "Fig." and "et al.", so a boundary
behind a known abbreviation or an initial is taken back.
"""

from __future__ import annotations

import re

# Those of scientific writing in the languages whose abbreviations end in a full stop. Lower case.
_ABBREVIATIONS = frozenset(
    [
        "al",
        "approx",
        "art",
        "assoc",
        "ave",
        "bd",
        "bzw",
        "ca",
        "cf",
        "ch",
        "chap",
        "co",
        "col",
        "comp",
        "conf",
        "corp",
        "dept",
        "dr",
        "dt",
        "ed",
        "eds",
        "e.g",
        "eg",
        "eq",
        "eqs",
        "esp",
        "est",
        "et",
        "etc",
        "evtl",
        "ex",
        "exp",
        "ff",
        "fig",
        "figs",
        "fn",
        "gen",
        "gov",
        "hon",
        "hr",
        "hrsg",
        "ibid",
        "i.e",
        "ie",
        "inc",
        "incl",
        "inst",
        "int",
        "jg",
        "jr",
        "jun",
        "kap",
        "lit",
        "ltd",
        "max",
        "min",
        "mr",
        "mrs",
        "ms",
        "no",
        "nos",
        "nr",
        "obs",
        "op",
        "p",
        "para",
        "pl",
        "pp",
        "prof",
        "pt",
        "ref",
        "refs",
        "rep",
        "resp",
        "rev",
        "s",
        "sec",
        "sect",
        "sen",
        "sog",
        "sp",
        "spp",
        "sr",
        "ssp",
        "st",
        "subsp",
        "suppl",
        "tab",
        "tel",
        "trans",
        "u.a",
        "u.s",
        "univ",
        "usw",
        "v",
        "var",
        "vgl",
        "viz",
        "vol",
        "vols",
        "vs",
        "z.b",
        "zit",
    ]
)
_CLOSERS = ")]\"'”’»"
_NO_PART_OF_WORDS = re.compile(r"[()\[\]{}\"'“”‘’«»]")
# A paragraph's end is a sentence's end even where no full stop is: headings, list items.
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
# Text without any stop (a table, a list of data) is cut, so that no quote is a page long.
MAX_SENTENCE = 2000


def sentences(text: str) -> list[tuple[int, int]]:
    """The ranges of the sentences of *text*, in order, without the space between them."""
    found: list[tuple[int, int]] = []
    position = 0
    for gap in [*_PARAGRAPH.finditer(text), None]:
        stop = gap.start() if gap else len(text)
        if position < stop:
            found += _in_paragraph(text, position, stop)
        if gap:
            position = gap.end()
    return found


def _in_paragraph(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    import apsw.unicode

    ranges: list[tuple[int, int]] = []
    open_from = start
    # Unpaired surrogates cannot be handed over; one character stands for one.
    part = text[start:stop].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if len(part) != stop - start:
        part = "".join(" " if "\ud800" <= c <= "\udfff" else c for c in text[start:stop])
    for _, end, sentence in apsw.unicode.sentence_iter_with_offsets(part):
        end += start
        if end < stop and _is_open(sentence, text[end : end + 1]) and end - open_from < MAX_SENTENCE:
            continue
        ranges += _trimmed(text, open_from, end)
        open_from = end
    if open_from < stop:
        ranges += _trimmed(text, open_from, stop)
    return ranges


def _is_open(sentence: str, following: str) -> bool:
    """Whether the sentence goes on although the rules see a boundary."""
    # A wrapped line is no boundary; neither is a full stop before a small letter.
    if sentence.endswith("\n") and not sentence.rstrip().endswith(
        (".", "!", "?", "。", "！", "？", "؟", "।")
    ):
        return True
    tail = sentence[-80:].rstrip().rstrip(_CLOSERS)
    if not tail.endswith(".") or tail[-2:-1].isspace():
        return False
    word = _NO_PART_OF_WORDS.split(tail[:-1].rsplit(maxsplit=1)[-1] if len(tail) > 1 else "")[-1]
    if not word:
        return False
    return word.lower() in _ABBREVIATIONS or (len(word) == 1 and word.isupper()) or _is_initials(word)


def _is_initials(word: str) -> bool:
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) == 1 and part.isalpha() for part in parts)


def _trimmed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return []
    ranges = []
    while end - start > MAX_SENTENCE:
        cut = text.rfind(" ", start + MAX_SENTENCE // 2, start + MAX_SENTENCE)
        cut = cut if cut > 0 else start + MAX_SENTENCE
        ranges.append((start, cut))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        ranges.append((start, end))
    return ranges
