"""Web pages of many kinds, each with the text of its article and the text around it, to measure what is kept.

The forms are those of real sites: what their makers call things, how deep they nest, where they put the banner.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.support.page_texts import Maker
from tests.support.pages import forms, languages, lists, news, reference  # noqa: F401  (their kinds enter themselves)
from tests.support.pages.making import KINDS


class WebPage(NamedTuple):
    """A generated page."""

    name: str
    html: str
    article: tuple[str, ...]  # texts that must be kept
    around: tuple[str, ...]  # texts that should not


def all_pages() -> list[WebPage]:
    pages = []
    for name, (function, language) in KINDS.items():
        make = Maker(name, language)
        html = function(make).replace("<title>A page</title>", f"<title>{make.heading} | Example</title>")
        pages.append(WebPage(name, html, tuple(make.article), tuple(make.around)))
    return pages


def without_meaning(html: str) -> str:
    """The same page in plain divisions, without roles."""
    html = re.sub(r"<(/?)(main|nav|header|footer|aside|article|section)\b", r"<\1div", html)
    return re.sub(r" role='[^']*'", "", html)


def without_names(html: str) -> str:
    """The same page without classes, ids and labels."""
    return re.sub(r" (class|id|aria-label)=('[^']*'|[^\s>]+)", "", html)
