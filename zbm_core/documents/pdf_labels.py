"""Printed page labels from a PDF's label rules."""

from __future__ import annotations

from typing import Any

from zbm_core.documents.pdf_errors import mupdf_errors

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
        rules = sorted(document.get_page_labels(), key=lambda rule: rule["startpage"])
    except (KeyError, TypeError, *mupdf_errors()):
        rules = []
    labels = [""] * count
    for index, rule in enumerate(rules):
        start = max(0, int(rule["startpage"]))
        end = min(count, int(rules[index + 1]["startpage"])) if index + 1 < len(rules) else count
        prefix, style = rule.get("prefix", ""), rule.get("style", "")
        first = int(rule.get("firstpagenum", 1) or 1)
        for page in range(start, end):
            labels[page] = prefix + numeral(first + page - start, style)
    return labels


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
