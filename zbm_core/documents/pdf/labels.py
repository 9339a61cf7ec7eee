"""Printed page labels from a PDF's label rules."""

from __future__ import annotations

import re
from typing import Any

from zbm_core.documents.pdf.errors import mupdf_errors

MAX_NUMERAL = 5_000
"""Numbers beyond this are written in digits whatever the rule says: letters and Roman numerals
of a huge number are as long as the number."""

_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def page_labels(document: Any) -> list[str]:
    """One label a page of an open `pymupdf.Document`; empty strings where the file has none."""
    count = document.page_count
    try:
        # pymupdf's own reading of these dictionaries takes /Type /PageLabel for a prefix.
        rules = sorted(document._get_page_labels())
    except (TypeError, ValueError, *mupdf_errors()):
        rules = []
    labels = [""] * count
    for index, (page, dictionary) in enumerate(rules):
        start = max(0, page)
        end = min(count, rules[index + 1][0]) if index + 1 < len(rules) else count
        style, prefix, first = _rule(dictionary)
        for page in range(start, end):
            labels[page] = prefix + numeral(first + page - start, style)
    return labels


_STYLE = re.compile(r"/S\s*/([DRrAa])(?![A-Za-z])")
_FIRST = re.compile(r"/St\s+(\d{1,9})")
_PREFIX = re.compile(r"/P\s*(?:\(((?:\\.|[^\\()]|\([^()]*\))*)\)|<([0-9A-Fa-f\s]*)>)", re.DOTALL)


def _rule(dictionary: str) -> tuple[str, str, int]:
    """Style, prefix and first number of a label dictionary as it is written (PDF 32000, table 159)."""
    style, first, prefix = _STYLE.search(dictionary), _FIRST.search(dictionary), _PREFIX.search(dictionary)
    text = ""
    if prefix is not None:
        literal, hexadecimal = prefix.groups()
        text = _string(_unescaped(literal) if literal is not None else _unhexed(hexadecimal))
    return style[1] if style else "", text, int(first[1]) if first else 1


_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def _unescaped(literal: str) -> bytes:
    text = re.sub(
        r"\\([0-7]{1,3}|.)",
        lambda found: (
            chr(int(found[1], 8) & 255) if found[1][0] in "01234567" else _ESCAPES.get(found[1], found[1])
        ),
        literal,
        flags=re.DOTALL,
    )
    return text.encode("latin-1", "replace")


def _unhexed(digits: str) -> bytes:
    digits = "".join(digits.split())
    return bytes.fromhex(digits + "0" * (len(digits) % 2))


def _string(data: bytes) -> str:
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").decode(
        "utf-8" if data.startswith(b"\xef\xbb\xbf") else "latin-1"
    )


def numeral(number: int, style: str) -> str:
    """*number* in one of the styles of PDF 32000, 12.4.2: D, R, r, A, a, or none."""
    if style == "":
        return ""
    if style == "D" or not 0 < number <= MAX_NUMERAL:
        return str(number)
    if style in "Rr":
        text = ""
        for value, sign in _ROMAN:
            while number >= value:
                text += sign
                number -= value
        return text if style == "R" else text.lower()
    letter = chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    return letter if style == "A" else letter.lower()
