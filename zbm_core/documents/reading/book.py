"""An open document as its reader asks for it: contents, sections, places. Runs in the reading child."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from functools import cached_property
from html import escape
from itertools import accumulate
from urllib.parse import quote

from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import EntryError
from zbm_core.documents.epub.package import Target
from zbm_core.documents.markup.flow import LINE, PICTURE, Flow
from zbm_core.documents.reading.html import Linker, html_of
from zbm_core.documents.reading.layout import FileLayout, FilePlaces, bounded
from zbm_core.documents.reading.records import (
    Place,
    ReadingContents,
    ReadingEntry,
    ReadingSection,
    SectionPage,
    Spot,
)
from zbm_core.documents.reading.sources import Source
from zbm_core.documents.structure import Outcome, Selector, SelectorAnchor
from zbm_core.text import fold_with_map, normalize_for_search

KEPT_FILES = 4
"""Content files whose blocks are kept with all their places; the others are walked again when they are asked for."""

LONGEST_ADDRESS = 2_000
LONGEST_TITLE = 300
MOST_HEADINGS = 5_000

_OUTSIDE = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f\"<>\\]+", re.IGNORECASE)


class _Walked:
    """A content file's blocks, and their places once these are asked for."""

    def __init__(self, flows: list[Flow]) -> None:
        self.flows = flows

    @cached_property
    def places(self) -> FilePlaces:
        return FilePlaces(self.flows)


class Book:
    """One open document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._layouts: list[FileLayout | None] = [None] * source.files
        self._kept: OrderedDict[int, _Walked] = OrderedDict()
        self._firsts: list[int] | None = None  # first section of each file, and the number of sections
        self._lost = 0

    # -- files --------------------------------------------------------------------------------

    def _walked(self, file: int) -> _Walked:
        """The blocks of a file with their places."""
        kept = self._kept.get(file)
        if kept is not None:
            self._kept.move_to_end(file)
            return kept
        try:
            flows, trailing = self._source.flows(file)
        except EntryError:
            flows, trailing = [], []
            self._lost += self._layouts[file] is None
        kept = self._kept[file] = _Walked(list(bounded(flows)))
        if self._layouts[file] is None:
            self._layouts[file] = FileLayout(kept.flows, trailing)
        while len(self._kept) > KEPT_FILES:
            self._kept.popitem(last=False)
        return kept

    def _layout(self, file: int) -> FileLayout:
        layout = self._layouts[file]
        if layout is None:
            self._walked(file)
            layout = self._layouts[file]
            assert layout is not None
        return layout

    def _first_sections(self) -> list[int]:
        if self._firsts is None:
            counts = [self._layout(file).sections() for file in range(self._source.files)]
            self._firsts = [0, *accumulate(counts)]
        return self._firsts

    def _file_of(self, section: int) -> tuple[int, int]:
        """File of a section, and the section's number in it. Raises IndexError."""
        firsts = self._first_sections()
        if not 0 <= section < firsts[-1]:
            raise IndexError(section)
        file = bisect_right(firsts, section) - 1
        return file, section - firsts[file]

    def _spot(self, file: int, block: int, offset: int) -> Spot:
        section, number = self._layout(file).section_of(block)
        return Spot(self._first_sections()[file] + section, number, offset)

    def spot_of(self, file: int, fragment: str) -> Spot | None:
        """Where an id of a file stands; one that is not there is the file's beginning. None for a file without text."""
        layout = self._layout(file)
        if not layout.texts:
            return None
        return self._spot(file, *layout.ids.get(fragment, (0, 0)))

    # -- what is asked ------------------------------------------------------------------------

    def contents(self) -> ReadingContents:
        """Raises Declined where none of it can be read."""
        source = self._source
        outline = self._entries(source.outline)
        if len(outline) < 2:
            outline = self._headings() or outline
        pages = self._entries(source.pages)
        sections: list[ReadingSection] = []
        titles = iter(
            [*((e.spot.section, e.spot.block, e.title) for e in sorted(outline, key=_by_spot)), None]
        )
        following, title = next(titles), ""
        firsts = self._first_sections()
        for file in range(source.files):
            layout = self._layout(file)
            for number in range(layout.sections()):
                section = firsts[file] + number
                first_of_it = ""
                while following is not None and following[0] <= section:
                    title = following[2]
                    if following[0] == section:
                        first_of_it = first_of_it or title
                    following = next(titles)
                sections.append(ReadingSection(first_of_it or title, layout.characters(number), file))
        if self._lost == source.files:
            raise Declined(
                Outcome.DAMAGED,
                "None of the book's content can be shown: it is damaged, missing or too large. Another program may open it.",
            )
        notice = source.notice
        if self._lost:
            notice = f"{self._lost} of the {source.files} content files of this book could not be read."
        return ReadingContents(
            source.title,
            source.language,
            source.right_to_left,
            tuple(sections),
            tuple(outline),
            tuple(pages),
            notice,
        )

    def _entries(self, targets: list[Target]) -> list[ReadingEntry]:
        entries = []
        for target in targets:
            file = self._source.file_named(target.name)
            spot = self.spot_of(file, target.fragment) if file is not None else None
            if spot is not None:
                entries.append(ReadingEntry(target.title, target.level, spot))
        return entries

    def _headings(self) -> list[ReadingEntry]:
        """The outline of a document without one."""
        entries = []
        for file in range(self._source.files):
            layout = self._layout(file)
            for block, level in layout.headings[:MOST_HEADINGS]:
                title = " ".join(layout.texts[block].replace(PICTURE, " ").split())[:LONGEST_TITLE]
                if title:
                    entries.append(ReadingEntry(title, level, self._spot(file, block, 0)))
        return entries

    def section(self, number: int) -> SectionPage:
        """Raises IndexError for a section there is not."""
        file, section = self._file_of(number)
        flows = self._walked(file).flows
        blocks = self._layout(file).blocks(section)
        html = html_of(flows[blocks.start : blocks.stop], _BookLinker(self, self._source, file))
        return SectionPage(html, tuple(self._layout(file).texts[blocks.start : blocks.stop]))

    def image(self, name: str) -> bytes:
        """Raises EntryError."""
        return self._source.picture(name)

    def places(self, anchor: SelectorAnchor) -> tuple[Place, ...]:
        found = []
        for selector in anchor.selectors:
            reach = self._source.reach(selector)
            stretch = self._walked(reach.file).places.stretch(reach.start, reach.end) if reach else None
            if reach and stretch:
                found.extend(self._parted(reach.file, *stretch))
        return tuple(found)

    def _parted(self, file: int, block: int, start: int, end_block: int, end: int) -> list[Place]:
        """A stretch of a file as places: one in each section it runs through."""
        layout, first = self._layout(file), self._first_sections()[file]
        places = []
        while True:
            section, number = layout.section_of(block)
            last = min(end_block, layout.blocks(section).stop - 1)
            stop = end if last == end_block else len(layout.texts[last])
            places.append(Place(first + section, number, start, layout.section_of(last)[1], stop))
            if last == end_block:
                return places
            block, start = last + 1, 0

    def find(self, text: str, whole_words: bool, limit: int) -> tuple[Place, ...]:
        wanted = " ".join(normalize_for_search(text).split())
        if not wanted:
            return ()
        pattern = re.compile(re.escape(wanted).replace(r"\ ", r"\s+"))
        if whole_words:
            pattern = re.compile(rf"(?<!\w){pattern.pattern}(?!\w)")
        found: list[Place] = []
        firsts = self._first_sections()
        for file in range(self._source.files):
            layout = self._layout(file)
            for block, content in enumerate(layout.texts):
                plain = content.replace(LINE, " ") if LINE in content else content
                if pattern.search(normalize_for_search(plain)) is None:
                    continue
                folded = fold_with_map(plain)
                for match in pattern.finditer(folded.text):
                    section, number = layout.section_of(block)
                    start, end = folded.span(*match.span())
                    found.append(Place(firsts[file] + section, number, start, number, end))
                    if len(found) >= limit:
                        return tuple(found)
        return tuple(found)

    def selector(self, place: Place) -> Selector | None:
        """None where the place holds no text of the file; raises IndexError for a place there is not."""
        file, section = self._file_of(place.section)
        blocks = self._layout(file).blocks(section)
        if not 0 <= place.start_block <= place.end_block < len(blocks):
            raise IndexError(place)
        first = blocks.start
        return self._walked(file).places.selector(
            first + place.start_block, place.start, first + place.end_block, place.end
        )


def _by_spot(entry: ReadingEntry) -> Spot:
    return entry.spot


class _BookLinker(Linker):
    def __init__(self, book: Book, source: Source, file: int) -> None:
        self._book, self._source, self._file = book, source, file

    def link(self, address: str) -> str:
        address = address.strip()
        if len(address) > LONGEST_ADDRESS:
            return ""
        if _OUTSIDE.fullmatch(address):
            return address
        target = self._source.target(self._file, address)
        spot = self._book.spot_of(*target) if target is not None else None
        return "" if spot is None else f"zbm-place:{spot.section}.{spot.block}.{spot.offset}"

    def picture(self, address: str) -> str:
        name = self._source.picture_name(self._file, address)
        return f'src="zbm-image:{escape(quote(name))}"'
