"""What of a page is not to be seen: hidden by attribute, by its own style, or by a rule of a style sheet in the page.

Only rules that can be read without laying the page out: "display: none" for a class, an id or an element with a
class, outside of media queries, and not shown again by another rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

MAX_RULES = 5_000
"""Rules that are looked at. Pages that carry a whole framework have a few hundred."""

_DISPLAY = re.compile(r"(?:display\s*:\s*([a-z-]+)|visibility\s*:\s*(hidden|collapse))", re.IGNORECASE)
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?(?:\.([\w-]+)|#([\w-]+))", re.IGNORECASE)
_CLASS_OR_ID = re.compile(r"[.#][\w-]+")
_OWN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE
)


class HidingRules(NamedTuple):
    """Simple selectors that hide: (element or "", name)."""

    classes: frozenset[tuple[str, str]]
    ids: frozenset[tuple[str, str]]

    def hit_by(self, tag: str, attributes: Mapping[str, str]) -> str:
        """The class or id that hides an element called *tag*, "" for none."""
        if self.ids and (name := attributes.get("id")) and self._among(self.ids, tag, name):
            return "#" + name
        if self.classes and (names := attributes.get("class")):
            for name in names.split():
                if self._among(self.classes, tag, name):
                    return "." + name
        return ""

    @staticmethod
    def _among(rules: frozenset[tuple[str, str]], tag: str, name: str) -> bool:
        return ("", name) in rules or (tag, name) in rules


def hidden_by_itself(attributes: Any) -> bool:
    """Whether an element says of itself that it is not shown.

    ``hidden="until-found"`` is text that a search of the page shall find.
    """
    if "hidden" in attributes and attributes["hidden"].strip().lower() != "until-found":
        return True
    style = attributes.get("style")
    return bool(style and _OWN_STYLE.search(style))


def hiding_rules(sheets: Iterable[str]) -> HidingRules:
    """The rules of the page's style sheets that hide an element for good."""
    hiding: set[tuple[str, str, str]] = set()
    shown: set[str] = set()
    for sheet in sheets:
        for selector, hides in _rules(sheet):
            for one in selector.split(","):
                if not hides:
                    shown.update(_CLASS_OR_ID.findall(one))
                elif found := _SIMPLE.fullmatch(one.strip()):
                    hiding.add((found[1] or "", "." if found[2] else "#", found[2] or found[3]))
    kept = [(tag.lower(), mark, name) for tag, mark, name in hiding if mark + name not in shown]
    return HidingRules(
        frozenset((tag, name) for tag, mark, name in kept if mark == "."),
        frozenset((tag, name) for tag, mark, name in kept if mark == "#"),
    )


def _without_comments(sheet: str) -> str:
    kept, at = [], 0
    while (start := sheet.find("/*", at)) >= 0:
        kept.append(sheet[at:start])
        end = sheet.find("*/", start + 2)
        at = len(sheet) if end < 0 else end + 2
    return " ".join([*kept, sheet[at:]])


def _rules(sheet: str) -> Iterator[tuple[str, bool]]:
    """Selectors of rules with a "display": whether it is none. Rules inside of others (media queries) only show."""
    if "/*" in sheet:
        sheet = _without_comments(sheet)
    counted = depth = 0
    for number, match in enumerate(_DISPLAY.finditer(sheet)):
        if number == MAX_RULES:
            return
        opened = sheet.rfind("{", counted, match.start())
        if opened < 0:
            continue
        depth += sheet.count("{", counted, opened) - sheet.count("}", counted, opened)
        counted = opened
        begin = max(sheet.rfind(mark, max(0, opened - 2000), opened) for mark in "{};")
        selector, nested = sheet[begin + 1 : opened], depth > 0
        hides = (match[1] or "none").lower() == "none"
        if not (hides and nested):
            yield selector, hides
