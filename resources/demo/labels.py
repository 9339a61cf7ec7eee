"""The printed labels of a PDF's pages, read from its page label tree."""

from __future__ import annotations

import re

import pymupdf

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN += ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def page_labels(document: pymupdf.Document) -> list[str]:
    """One label a page; "" where the file has none.

    pymupdf's own `Page.get_label` takes the /Type /PageLabel of a rule for a prefix (1.28), so the
    rules are read here: decimal and lower-case Roman, which is what the demo's documents use.
    """
    rules = dict(document._get_page_labels())
    labels = []
    start, style, first = 0, "", 1
    for number in range(len(document)):
        if number in rules:
            found = re.search(r"/S\s*/([Dr])", rules[number])
            style = found[1] if found else ""
            counted = re.search(r"/St\s+(\d+)", rules[number])
            start, first = number, int(counted[1]) if counted else 1
        value = number - start + first
        labels.append(str(value) if style == "D" else _roman(value) if style == "r" else "")
    return labels


def _roman(number: int) -> str:
    letters = ""
    for value, sign in _ROMAN:
        letters += sign * (number // value)
        number %= value
    return letters
