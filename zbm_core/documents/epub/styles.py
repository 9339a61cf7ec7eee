"""Headings that a book's own style sheets hide: titles for a machine's contents list, said again by a picture.

Only headings, and only by the simple rules that `html_hidden` reads: other text that a style hides may be shown by a
program or by a link to it (answers, notes).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zbm_core.documents.epub.archive import Archive, EntryError, resolved
from zbm_core.documents.web.hidden import HidingRules, hiding_rules

MOST_SHEETS = 8
"""Style sheets of one content file that are looked at."""

LONGEST_SHEET = 1 << 20
"""Bytes of a style sheet that is looked at; those of whole books have 100 kB."""

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MEDIA = frozenset(("", "all", "screen"))


class Styles:
    """The style sheets of one book, each read once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._sheets: dict[str, str] = {}
        self._rules: dict[tuple[str, ...], HidingRules] = {}

    def hidden_headings(self, name: str, root: Any) -> frozenset[Any]:
        """The headings of the content file *name* with the root element *root* that are not shown."""
        sheets = tuple(self._of(name, root))
        if not any(sheets):
            return frozenset()
        rules = self._rules.get(sheets)
        if rules is None:
            rules = self._rules[sheets] = hiding_rules(sheets)
        if not rules.classes and not rules.ids:
            return frozenset()
        found = []
        for element in root.iter(*(f"{{*}}{heading}" for heading in sorted(_HEADINGS))):
            attributes = dict(element.items())
            if attributes and rules.hit_by(element.tag.rpartition("}")[2], attributes):
                found.append(element)
        return frozenset(found)

    def _of(self, name: str, root: Any) -> Iterator[str]:
        """The style sheets that hold for a content file, in their order."""
        count = 0
        for element in root.iter("{*}link", "{*}style"):
            if element.get("media", "").strip().lower() not in _MEDIA or count == MOST_SHEETS:
                continue
            if element.tag.rpartition("}")[2] == "style":
                count += 1
                yield (element.text or "")[:LONGEST_SHEET]
            elif element.get("rel", "").lower().split() == ["stylesheet"]:
                target = resolved(name, element.get("href", ""))
                if target is not None:
                    count += 1
                    yield self._sheet(target[0])

    def _sheet(self, name: str) -> str:
        sheet = self._sheets.get(name)
        if sheet is None:
            try:
                sheet = self._archive.read(name, LONGEST_SHEET).decode("utf-8", "replace")
            except EntryError:
                sheet = ""  # a sheet that is not there hides nothing
            # What hides nothing need not be kept.
            sheet = sheet if "none" in sheet.lower() or "hidden" in sheet.lower() else ""
            self._sheets[name] = sheet
        return sheet
