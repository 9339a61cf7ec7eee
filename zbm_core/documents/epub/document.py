"""A book becomes structured text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import BEYOND_BOUNDS, Archive, ArchiveLimits, EntryError
from zbm_core.documents.epub.content import content_file, content_root, is_list_of_links, page_ids
from zbm_core.documents.epub.package import Package, SpineItem, Target, is_text, read_package
from zbm_core.documents.epub.styles import Styles
from zbm_core.documents.markup.blocks import BlockBuilder
from zbm_core.documents.markup.walk import walk
from zbm_core.documents.structure import Block, BlockKind, Outcome, OutlineEntry, Page, StructuredText

MOST_BLOCKS = 500_000
"""Blocks after which no further content file is read: half a kB each. The Bible has 31,000 verses."""

SCANTY = 40
"""Characters of text per picture file below which a book of pictures counts as one without text."""


def read_epub(
    path: Path,
    on_progress: Callable[[int], None] = lambda files: None,
    limits: ArchiveLimits = ArchiveLimits(),  # noqa: B008 - immutable
) -> StructuredText:
    """All text of a book, in the order of its spine (what is outside of the linear order in its place).

    Args:
        on_progress: called with the number of content files read so far.

    Raises:
        Declined: no book, a protected one (DRM), one without text, one none of whose files can be read.
        OSError: the file cannot be read at all.
    """
    with Archive(path, limits) as archive:
        package = read_package(archive)
        return _Book(archive, package, on_progress).text()


class _Lost(NamedTuple):
    item: SpineItem
    why: str


class _Book:
    def __init__(self, archive: Archive, package: Package, on_progress: Callable[[int], None]) -> None:
        self._archive, self._package, self._on_progress = archive, package, on_progress
        self._styles = Styles(archive)
        self._builder = BlockBuilder()
        self._labels: list[str] = []
        self._starts: dict[str, int] = {}  # first block of each content file
        self._ids: dict[tuple[str, str], int] = {}  # block an id stands before or in
        self._lost: list[_Lost] = []
        self._read = self._pictures = 0

    def text(self) -> StructuredText:
        pages = page_ids(self._package.pages)
        for number, item in enumerate(self._package.spine):
            self._on_progress(number)
            if len(self._builder.blocks) > MOST_BLOCKS:
                self._lost.append(_Lost(item, "too large"))
                continue
            if not item.name or item.name in self._starts:
                if not item.name:
                    self._lost.append(_Lost(item, "missing"))
                continue  # a file that is named twice is read once, where it stands first
            self._starts[item.name] = len(self._builder.blocks)
            if not is_text(item):
                self._pictures += 1
                continue
            try:
                root = content_root(self._archive, item)
            except EntryError as error:
                self._lost.append(_Lost(item, str(error)))
                continue
            flows = walk(
                root,
                file=content_file(number, item),
                skip=self._styles.hidden_headings(item.name, root),
                page_ids=None if pages is None else pages.get(item.name, {}),
                labels=self._labels,
            )
            first = len(self._builder.blocks)
            for identity, block in self._builder.add_file(flows).items():
                self._ids[item.name, identity] = block
            if item.name in self._package.contents and is_list_of_links(root):
                # Lists of what stands elsewhere in the book: found there (as `markup_tags.KINDS` has it).
                self._builder.blocks[first:] = [
                    replace(block, kind=BlockKind.EXCLUDED, level=0) for block in self._builder.blocks[first:]
                ]
            self._read += 1
            if first == len(self._builder.blocks):
                self._pictures += 1
        blocks = tuple(self._builder.blocks)
        self._check(blocks)
        return StructuredText(
            blocks,
            self._outline(blocks),
            tuple(Page(label) for label in self._labels),
            notice=self._notice(),
        )

    def _check(self, blocks: tuple[Block, ...]) -> None:
        """Raise Declined for a book that gave nothing to search."""
        spine = len(self._package.spine)
        if self._lost and not self._read:
            whys = {lost.why for lost in self._lost}
            if whys == {"encrypted"}:
                raise Declined(
                    Outcome.PASSWORD,
                    "The book's archive needs a password. Save a copy without one to make it searchable.",
                )
            if whys <= BEYOND_BOUNDS:
                raise Declined(Outcome.TOO_LARGE, "The book's content is too large to be read.")
            raise Declined(
                Outcome.DAMAGED, "The book is damaged: none of its content could be read. Download it again."
            )
        characters = sum(len(block.text) for block in blocks if block.kind is not BlockKind.EXCLUDED)
        if characters == 0 or (self._pictures > spine // 2 and characters < SCANTY * self._pictures):
            raise Declined(
                Outcome.NO_TEXT,
                "The book is made of pictures and holds no text. Text recognition (OCR) would make it searchable.",
            )

    def _notice(self) -> str:
        lost, all_files = len(self._lost), len(self._package.spine)
        if not lost:
            if self._pictures > all_files // 2:
                return f"{self._pictures} of the book's {all_files} content files are pictures without text."
            return ""
        whys = sorted({lost.why for lost in self._lost})
        return f"{lost} of the book's {all_files} content files could not be read ({', '.join(whys)})."

    # -- outline ------------------------------------------------------------------------------

    def _outline(self, blocks: tuple[Block, ...]) -> tuple[OutlineEntry, ...]:
        entries = []
        for target in self._package.outline:
            block = self._block(target)
            page = blocks[block].page if block is not None else None
            entries.append(OutlineEntry(target.title, target.level, -1 if page is None else page, block))
        if sum(entry.block is not None for entry in entries) > 1:
            return tuple(entries)
        headings = [
            OutlineEntry(block.text[:200], block.level, -1 if block.page is None else block.page, index)
            for index, block in enumerate(blocks)
            if block.kind is BlockKind.HEADING
        ]
        return tuple(headings) if len(headings) >= len(entries) else tuple(entries)

    def _block(self, target: Target) -> int | None:
        """The block an entry leads to; a place that is not there is its file's beginning."""
        block = self._ids.get((target.name, target.fragment)) if target.fragment else None
        if block is None:
            block = self._starts.get(target.name)
        return block if block is not None and block < len(self._builder.blocks) else None
