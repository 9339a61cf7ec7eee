"""The visible text of note HTML and of annotation comments.

Notes are untrusted and there are tens of thousands of them, so one linear pass finds the tags:
no tree is built, and no input makes it slow. Attributes never become text: they hold citation
data and whole pictures.
"""

from __future__ import annotations

import html
import re

# Zotero refuses to sync a note of more than 250,000 characters; local ones with pasted pictures are
# larger. Beyond this the rest of a note is left out.
MAX_CHARACTERS = 20_000_000

# Quotes only count after "=": in `<p it's>` the apostrophe is part of a name. Possessive repetition
# and \Z for what is never closed keep this linear: every character is visited once.
_MARKUP = re.compile(
    r"""
    <!--.*?(?:-->|\Z)
    | <(script|style|template|iframe|object|noscript|title|textarea|svg)\b.*?(?:</\1\b[^>]*+>|\Z)
    | <(/?)([a-z][a-z0-9]*+)
        (?: [^>=]++ | =\s*+ (?: "[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z) )?+ )*+
      (?:>|\Z)
    | <[!?/][^>]*+(?:>|\Z)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)

_BLOCKS = """
    address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol p pre section summary table
    tbody tfoot thead tr ul
"""
# What a tag stands for in the text; tags not named here stand for nothing.
_BREAKS = dict.fromkeys(_BLOCKS.split(), "\n") | {"td": " ", "th": " "}

# An annotation's comment is plain text in which only these may be markup, so that "p <x" stays.
_COMMENT_MARKUP = re.compile(r"</?(?:b|i|u|em|strong|sub|sup|span)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_COMMENT_BREAK = re.compile(r"<br\s*/?>|</?p>", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)


def visible_text(note: str) -> str:
    """What a reader of the note sees: one line a block, runs of spaces as one space."""
    note = note[:MAX_CHARACTERS]
    pieces: list[str] = []
    preformatted = 0
    start = 0
    for match in _MARKUP.finditer(note):
        text = note[start : match.start()]
        start = match.end()
        pieces.append(text if preformatted else text.replace("\n", " "))
        name = match[3]
        if name is None:
            continue
        name = name.lower()
        if name in _BREAKS:
            pieces.append(_BREAKS[name])
            if name == "pre":
                preformatted = max(0, preformatted - 1) if match[2] else preformatted + 1
    text = note[start:]
    pieces.append(text if preformatted else text.replace("\n", " "))
    return _tidy(html.unescape("".join(pieces)))


def comment_text(comment: str) -> str:
    """An annotation's comment without its few tags; line breaks kept."""
    if "<" in comment:
        comment = _COMMENT_MARKUP.sub("", _COMMENT_BREAK.sub("\n", comment))
    if "&" in comment:
        comment = _REFERENCE.sub(lambda match: html.unescape(match[0]), comment)
    return comment.strip()


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
