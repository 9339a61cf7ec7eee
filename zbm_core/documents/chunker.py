"""Structured text becomes chunks: along sections, then balanced parts cut at the best boundary near.

The rules: sections between outline entries; small neighbours together; the outline path before each
section as context for a model; parts of even size, cut at a paragraph, else a sentence, else a
word, else anywhere; an overlap where a paragraph was cut.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from zbm_core.documents.anchors import anchor_of
from zbm_core.documents.markup.text_anchors import printed_pages
from zbm_core.documents.sentences import sentence_ends
from zbm_core.documents.structure import Block, BlockKind, Chunk, OutlineEntry, PdfAnchor, StructuredText
from zbm_core.documents.tokens import estimate

CHUNK_TOKENS = 256
"""Largest chunk in estimated tokens, context included: about 160 words of English."""

MIN_TOKENS = CHUNK_TOKENS * 120 // 768
"""A section or part smaller than this is put together with a neighbour."""

OVERLAP_TOKENS = CHUNK_TOKENS * 48 // 768
"""What a chunk repeats of the one before it where a paragraph was cut."""

CHUNKER_VERSION = 3
"""Raised with every change of the rules, `CHUNK_TOKENS` and what counts as debris among them."""

MIN_CHUNKER_VERSION = 3
"""Documents cut by an older version are cut again; those cut since stay as they are until their file
changes. Raised with `CHUNKER_VERSION` where the old cut is not worth keeping."""

PARAGRAPH, SENTENCE, WORD, ANYWHERE = range(4)

_PIECE = re.compile(r"[^\s，、：；]+[\s，、：；]*|[，、：；\s]+")
_PLAIN_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


def cut(text: StructuredText, language: Callable[[str, str], str] = lambda text, before: "") -> list[Chunk]:
    """All chunks of a document, in reading order.

    Args:
        language: tells the language of a chunk's text, given that of the last chunk of which it was told.
    """
    chunks: list[Chunk] = []
    before = ""
    for group in _groups(text):
        for part in group.parts():
            chunk = group.chunk(len(chunks), part, text, lambda body, before=before: language(body, before))
            chunks.append(chunk)
            before = chunk.language or before
    return chunks


def cut_plain(text: str) -> list[Chunk]:
    """Chunks of a text without structure: a note, a text file. Their anchors are None.

    Paragraphs are parted by blank lines; the lines of a paragraph are joined.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(r"\s*\f\s*", " ", text)
    blocks = tuple(
        Block(BlockKind.PARAGRAPH, " ".join(paragraph.split()), ())
        for paragraph in _PLAIN_PARAGRAPH.split(text)
        if paragraph.strip()
    )
    return cut(StructuredText(blocks, (), ()))


class Section:
    """A run of blocks under one outline path."""

    __slots__ = ("blocks", "costs", "path", "reference", "tokens")

    def __init__(self, path: tuple[str, ...], heading: Block | None, blocks: list[Block]) -> None:
        self.path = path
        self.reference = bool(blocks) and all(block.kind is BlockKind.REFERENCE for block in blocks)
        # A heading that is its section's context is not said twice; alone it is all there is.
        self.blocks = blocks if blocks or heading is None else [heading]
        self.costs = [estimate(block.text) for block in self.blocks]
        self.tokens = sum(self.costs)


def _sections(text: StructuredText) -> Iterator[Section]:
    entries: dict[int, list[OutlineEntry]] = {}
    for entry in text.outline:
        if entry.block is not None:
            entries.setdefault(entry.block, []).append(entry)
    stack: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    heading: Block | None = None
    blocks: list[Block] = []
    for index, block in enumerate(text.blocks):
        if block.kind is BlockKind.EXCLUDED or not block.text:
            continue
        if index in entries:
            if blocks or heading is not None:
                yield Section(path, heading, blocks)
            blocks, heading = [], None
            for entry in entries[index]:
                while stack and stack[-1][0] >= entry.level:
                    stack.pop()
                stack.append((entry.level, entry.title))
            path = tuple(title for _, title in stack)
            if block.kind is BlockKind.HEADING and _same_title(block.text, path[-1]):
                heading = block
                continue
        reference = block.kind is BlockKind.REFERENCE
        if blocks and reference != (blocks[-1].kind is BlockKind.REFERENCE):
            # Entries and text are never one chunk: passages of a reference list are left out of results.
            yield Section(path, heading, blocks)
            blocks, heading = [], None
        blocks.append(block)
    if blocks or heading is not None:
        yield Section(path, heading, blocks)


def _same_title(text: str, title: str) -> bool:
    return "".join(text.split()).casefold() == "".join(title.split()).casefold()


def _groups(text: StructuredText) -> Iterator[Group]:
    """Neighbouring sections together while the first of them are small; a small last one joins its neighbour."""
    groups: list[list[Section]] = []
    size = 0.0
    for section in _sections(text):
        if groups and size < MIN_TOKENS and groups[-1][0].reference == section.reference:
            groups[-1].append(section)
            size += section.tokens
        else:
            if len(groups) > 1:
                # What is two groups back cannot change any more.
                yield Group(groups.pop(0))
            groups.append([section])
            size = section.tokens
    if len(groups) > 1 and size < MIN_TOKENS and groups[-2][0].reference == groups[-1][0].reference:
        groups[-2].extend(groups.pop())
    for sections in groups:
        yield Group(sections)


class Group:
    """Sections that are cut together: their text, what may be a boundary in it, and its contexts."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.blocks: list[Block] = []
        self.starts: list[int] = []  # of each block in the text
        self.contexts: list[tuple[int, tuple[str, ...]]] = []  # where each section begins
        self.reference = sections[0].reference
        pieces: list[str] = []
        costs: list[float] = []
        at = 0
        for section in sections:
            if not section.blocks:
                continue
            self.contexts.append((at, section.path))
            costs += section.costs
            for block in section.blocks:
                self.blocks.append(block)
                self.starts.append(at)
                pieces.append(block.text)
                at += len(block.text) + 2
        self.text = "\n\n".join(pieces)
        self.window = CHUNK_TOKENS - self._allowance()
        self._atoms(costs)

    def _atoms(self, costs_of_blocks: list[float]) -> None:
        """Smallest pieces: sentences, and pieces of those too long for a chunk.

        Sentences are looked for only where a cut may have to fall between them: not in a group that is one chunk,
        nor in blocks so short that a part always finds the end of one within its bounds.
        """
        self.ends: list[int] = []
        self.kinds: list[int] = []
        costs: list[float] = []
        whole = self.window - 2 * MIN_TOKENS if sum(costs_of_blocks) > self.window else self.window
        for block, start, of_block in zip(self.blocks, self.starts, costs_of_blocks, strict=True):
            if of_block <= whole:
                self.ends.append(start + len(block.text))
                self.kinds.append(PARAGRAPH)
                costs.append(of_block)
                continue
            previous = 0
            for end in sentence_ends(block.text):
                sentence = block.text[previous:end]
                cost = estimate(sentence)
                if cost > CHUNK_TOKENS / 2:
                    for piece_end, piece_cost, kind in _pieces(sentence):
                        self.ends.append(start + previous + piece_end)
                        self.kinds.append(kind)
                        costs.append(piece_cost)
                    self.kinds[-1] = SENTENCE
                else:
                    self.ends.append(start + end)
                    self.kinds.append(SENTENCE)
                    costs.append(cost)
                previous = end
            self.kinds[-1] = PARAGRAPH
        self.totals = list(accumulate(costs))

    def _allowance(self) -> float:
        """Tokens kept free in every chunk for contexts."""
        most = CHUNK_TOKENS / 4
        longest = max((_context(path)[1] for _, path in self.contexts), default=0.0)
        return min(longest, most)

    def parts(self) -> Iterator[tuple[int, int]]:
        """Start and end in the text of each chunk."""
        if not self.ends:
            return
        window = self.window
        total = self.totals[-1]
        start, begun, floor = 0, 0.0, 0  # offset, tokens before it, first atom that may end a part
        while True:
            remaining = total - begun
            if remaining <= window:
                yield start, len(self.text)
                return
            count = max(2, -(-(remaining - OVERLAP_TOKENS) // (window - OVERLAP_TOKENS)))
            target = begun + remaining / count
            atom = self._boundary(begun, target, begun + window, floor, total)
            end = self.ends[atom]
            yield start, end
            if self.kinds[atom] == PARAGRAPH:
                start, begun = end, self.totals[atom]
            else:
                start, begun = self._overlap(atom, start)
            floor = atom + 1

    def _boundary(self, begun: float, target: float, limit: float, floor: int, total: float) -> int:
        """The atom after which to cut: the best kind of boundary, of these the nearest to *target*."""
        first = max(floor, bisect_left(self.totals, begun + MIN_TOKENS))
        last = bisect_right(self.totals, limit) - 1
        best, best_kind, distance = None, ANYWHERE + 1, 0.0
        for atom in range(first, last + 1):
            kind = self.kinds[atom]
            if kind == PARAGRAPH and total - self.totals[atom] < MIN_TOKENS:
                continue
            away = abs(self.totals[atom] - target)
            if kind < best_kind or (kind == best_kind and away < distance):
                best, best_kind, distance = atom, kind, away
        if best is None:
            # One long piece: it ends the part even beyond the limit's reach, so that there is progress.
            best = max(floor, min(last, len(self.ends) - 2))
        return best

    def _overlap(self, atom: int, start: int) -> tuple[int, float]:
        """Where the part after a cut behind *atom* begins: up to `OVERLAP_TOKENS` before the cut."""
        end, total = self.ends[atom], self.totals[atom]
        index = atom
        while index > 0 and self.ends[index - 1] > start and total - self.totals[index - 1] <= OVERLAP_TOKENS:
            index -= 1
        if index < atom + 1 and total - (self.totals[index - 1] if index else 0.0) <= OVERLAP_TOKENS:
            begin = self.ends[index - 1] if index else 0
            if self.kinds[index - 1] != ANYWHERE:
                return begin, self.totals[index - 1] if index else 0.0
        # No whole sentence fits: the last words of it.
        tail = self.text[max(start, self.ends[atom - 1] if atom else 0) : end]
        cost, at = 0.0, len(tail)
        for match in reversed(list(_PIECE.finditer(tail))):
            cost += estimate(match[0])
            if cost > OVERLAP_TOKENS or match.start() == 0:
                break
            at = match.start()
        if at == len(tail):
            return end, total
        return end - len(tail) + at, total - estimate(tail[at:])

    def chunk(
        self, index: int, part: tuple[int, int], text: StructuredText, language: Callable[[str], str]
    ) -> Chunk:
        start, end = part
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        body = self.text[start:end]
        first = bisect_right(self.contexts, (start, ("\U0010ffff",))) - 1
        path = self.contexts[first][1]
        pieces, at, said = [], start, False
        allowance = CHUNK_TOKENS / 4
        for place, section_path in [(start, path), *self.contexts[first + 1 :]]:
            if place >= end:
                break
            clipped, cost = _context(section_path)
            allowance -= cost
            if allowance < 0 and said:
                break
            pieces.append(self.text[at:place])
            pieces.append(clipped)
            at, said = place, True
        pieces.append(self.text[at:end])
        anchor, offsets = anchor_of(self.blocks, self.starts, start, end)
        labels: tuple[str, ...] = ()
        if isinstance(anchor, PdfAnchor):
            pages = [rect.page for rect in anchor.rects]
            labels = tuple(page.label for page in text.pages[pages[0] : max(pages) + 1])
        elif text.pages:
            printed, offsets = printed_pages(self.blocks, self.starts, start, end)
            labels = tuple(text.pages[page].label for page in printed)
        else:
            offsets = ()
        return Chunk(
            index,
            body,
            "".join(pieces),
            path,
            labels,
            self.reference,
            anchor,
            offsets,
            language(body),
        )


@functools.lru_cache(maxsize=256)
def _context(path: tuple[str, ...]) -> tuple[str, float]:
    """What is said before a section, and what the whole of its path costs."""
    context = " > ".join(path) + "\n\n" if path else ""
    cost = estimate(context)
    return _clipped(context, cost), cost


def _clipped(context: str, cost: float) -> str:
    """A context within its share of the chunk: the end of a path says more than its beginning."""
    if cost <= CHUNK_TOKENS / 4:
        return context
    kept = context
    while " > " in kept and estimate(kept) > CHUNK_TOKENS / 4:
        kept = kept.split(" > ", 1)[1]
    return kept if estimate(kept) <= CHUNK_TOKENS / 4 else ""


def _pieces(sentence: str) -> Iterator[tuple[int, float, int]]:
    """A sentence too long for a chunk, in pieces of an eighth: (end, tokens, kind of boundary)."""
    limit = CHUNK_TOKENS / 8
    cost = 0.0
    for match in _PIECE.finditer(sentence):
        word = match[0]
        own = estimate(word)
        if own > limit:
            if cost:
                yield match.start(), cost, WORD
                cost = 0.0
            step = max(1, int(len(word) * limit / own))
            for at in range(0, len(word), step):
                piece = word[at : at + step]
                last = at + step >= len(word)
                yield match.start() + at + len(piece), estimate(piece), WORD if last else ANYWHERE
            continue
        if cost + own > limit:
            yield match.start(), cost, WORD
            cost = 0.0
        cost += own
    if cost:
        yield len(sentence), cost, WORD
