"""Drafts become blocks: one text with hyphenation undone, and the spans it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from zbm_core.documents.pdf.line import Line
from zbm_core.documents.pdf.order import needs_space
from zbm_core.documents.pdf.paragraphs import Draft
from zbm_core.documents.structure import Block, BlockKind, Span

_BROKEN = re.compile(r"([^\W\d_]+)[-‐]$")
_LINKS = frozenset(
    ("the", "of", "to", "and", "in", "on", "at", "by", "for", "or", "a", "de", "la", "du", "sur")
)
_INNER = re.compile(r"\w[-‐][^\W\d_]+[-‐]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S*$|\w@$", re.IGNORECASE)  # broken where its line ends
_ROWS = (BlockKind.TABLE, BlockKind.EXCLUDED)

_COMPLETED_LATER = frozenset(("and", "or", "und", "oder", "bzw", "et", "ou", "y", "o", "e", "to", "nor"))
"""Words after which a compound is completed later: "pre- and post-war"."""

# fmt: off
KEEPS_HYPHEN = frozenset((
    "all", "anti", "cross", "ex", "far", "full", "half", "high", "inter", "intra", "large", "late", "long", "low", "mid", "multi",
    "non", "one", "open", "post", "pre", "quasi", "real", "self", "semi", "short", "single", "small", "so", "two", "well",
))
SOLID = frozenset((
    "after", "any", "back", "down", "every", "fore", "how", "more", "news", "out", "over", "some", "sub", "super", "there", "trans",
    "under", "up", "what", "when", "where", "with",
))
# fmt: on
"""KEEPS_HYPHEN: first parts after which an unknown compound keeps its hyphen when its second half is a word.
SOLID: first parts that are words, and whose compounds are nevertheless written as one: over-turned, with-out."""


class Hyphens:
    """Decides what becomes of a hyphen at the end of a line, from the words of the document itself."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts
        self._words: frozenset[str] | None = None

    def _read(self) -> None:
        """Read the document's words, once and only when some line ends in a hyphen."""
        if self._words is None:
            text = " ".join(_whole_words(self._texts)).casefold().replace("‐", "-")
            for mark in ",.;:()":
                text = text.replace(mark, " ")
            self._words = frozenset(text.split())

    def known(self, *words: str) -> bool:
        """Whether the document has all of these words elsewhere."""
        self._read()
        return all(word.casefold() in self._words for word in words)

    def joined(self, left: str, right: str) -> bool:
        """Whether ``left-`` + ``right`` is one broken word: ``exam-`` ``ple`` but not ``well-`` ``known``."""
        self._read()
        left, right = left.casefold(), right.casefold()
        if left + right in self._words:
            return True
        if len(left) == 1:
            return False
        if f"{left}-{right}" in self._words:
            return False
        if left in KEEPS_HYPHEN:
            return right not in self._words
        if left in SOLID:
            return True
        return not (len(left) > 3 and len(right) > 3 and left in self._words and right in self._words)


def _whole_words(lines: Iterable[str]) -> Iterator[str]:
    """The lines without the second halves of broken words at their beginnings."""
    broken = False
    for line in lines:
        yield line.partition(" ")[2] if broken else line
        broken = line[-1:] in ("-", "‐", "\u00ad")


def build(draft: Draft, hyphens: Hyphens) -> Block:
    """The block of *draft*."""
    lines = draft.lines
    pieces: list[str] = []
    spans: list[Span] = []
    at = 0
    rows = set(draft.rows)
    last = len(lines) - 1
    for index, line in enumerate(lines):
        text = line.text
        follows = lines[index + 1].text if index < last else ""
        glue = ""
        if follows:
            if index + 1 in rows:
                glue = "\n"
            elif draft.kind in _ROWS or _beside(line, lines[index + 1]):
                glue = " "
            else:
                text, glue = _line_end(text, follows, hyphens)
        if len(line.fragments) == 1:
            fragment = line.fragments[0]
            body = text.replace("\u00ad", "") if "\u00ad" in text else text
            end = at + len(body)
            if body:
                pieces.append(body)
                spans.append(Span(at, end, fragment.page.to_user(fragment.box), fragment))
            at = end
        else:
            at = _fragments(line, text, at, pieces, spans)
        if glue:
            pieces.append(glue)
            at += 1
    return Block(draft.kind, "".join(pieces), tuple(spans), draft.level)


def _beside(line: Line, other: Line) -> bool:
    """Whether two lines stand at one height, as the cells of a row do."""
    shared = min(line.y1, other.y1) - max(line.y0, other.y0)
    return line.page is other.page and shared > 0.5 * min(line.y1 - line.y0, other.y1 - other.y0)


def _line_end(text: str, follows: str, hyphens: Hyphens) -> tuple[str, str]:
    """The line as it stands in the paragraph, and what parts it from the next."""
    last = text[-1]
    if last == "\u00ad":
        return text[:-1], ""
    if last in "/-_?=&%#@" and (follows[0].isalnum() or follows[0] in "%/?") and _ADDRESS.search(text):
        return text, ""
    if last not in "-‐‑–—/" or len(text) < 2 or not (text[-2].isalnum() or text[-2] == ")"):
        return text, " " if needs_space(text, follows) else ""
    broken = _BROKEN.search(text) if last in "-‐" else None
    if broken is None:
        # Dashes set without a space before them are set without one behind them.
        return text, "" if follows[0].isalnum() or last in "–—" else " "
    word = _FIRST_WORD.match(follows)
    compound = word is not None and follows[word.end() : word.end() + 1] in ("-", "‐")
    if word is None or (word[0] in _COMPLETED_LATER and not compound):
        return text, "" if follows[0].isdigit() else " "
    if broken[1] in _LINKS and _INNER.search(text):
        # "stop-the-" "world"
        return text, ""
    if follows[0].islower():
        return (
            (text, "")
            if compound and word[0] in _COMPLETED_LATER
            else _parted(text, broken[1], word[0], hyphens)
        )
    # "Trace-" "Monkey" is one word only where the document has it so.
    return (text[:-1] if hyphens.known(broken[1] + word[0]) else text), ""


def _parted(text: str, left: str, right: str, hyphens: Hyphens) -> tuple[str, str]:
    return (text[:-1] if hyphens.joined(left, right) else text), ""


def _fragments(line: Line, text: str, at: int, pieces: list[str], spans: list[Span]) -> int:
    whole = line.text
    position = 0
    for fragment in line.fragments:
        if position and whole[position] == " " and not fragment.text.startswith(" "):
            pieces.append(" ")
            position += 1
            at += 1
        piece = text[position : position + len(fragment.text)].replace("\u00ad", "")
        position += len(fragment.text)
        if piece:
            pieces.append(piece)
            spans.append(Span(at, at + len(piece), fragment.page.to_user(fragment.box), fragment))
            at += len(piece)
    return at


def excluded(rows: Iterable[list[Line]]) -> list[Block]:
    """Blocks of what was left out of the text."""
    blocks = []
    for row in rows:
        draft = Draft(row[0], (0.0, 0.0))
        draft.lines = row
        draft.rows = [0]
        draft.kind = BlockKind.EXCLUDED
        blocks.append(build(draft, Hyphens(())))
    return blocks
