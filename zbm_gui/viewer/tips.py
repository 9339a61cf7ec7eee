"""Tooltips of text that others wrote."""

from __future__ import annotations

from html import escape

MAX_CHARACTERS = 600


def plain_tip(text: str) -> str:
    """*text* for `setToolTip`, which would take markup in it for such, wrapped to a readable width."""
    shown = text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + "…"
    return "<qt>" + escape(shown).replace("\n", "<br>") + "</qt>" if shown else ""
