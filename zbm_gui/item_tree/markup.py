"""Titles as Zotero keeps them may carry a little markup; a list shows them plain."""

from __future__ import annotations

import re

# What Zotero's title fields may hold, and nothing else: other angle brackets are text ("p < 0.05").
_TAGS = re.compile(r"</?(?:i|b|sub|sup|span)(?:\s[^<>]*)?>", re.IGNORECASE)


def without_tags(text: str) -> str:
    """*text* without formatting tags."""
    return _TAGS.sub("", text) if "<" in text else text


def plain_title(text: str) -> str:
    """*text* without formatting tags, on one line."""
    return " ".join(without_tags(text).split())
