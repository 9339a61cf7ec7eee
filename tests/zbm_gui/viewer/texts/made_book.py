"""A book made for the test at hand: what `TextBook` offers, from paragraphs in memory."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from html import escape

from zbm_core.documents.reading.records import (
    Place,
    ReadingContents,
    ReadingEntry,
    ReadingSection,
    SectionPage,
)
from zbm_core.documents.structure import Selector, SelectorAnchor
from zbm_core.errors import ZbmError


def page_of(blocks: Sequence[str], tags: Sequence[str] = ()) -> SectionPage:
    """A page of plain paragraphs; a block that begins with ``<`` is markup, whose words are its text."""
    import re

    html, texts = [], []
    for number, block in enumerate(blocks):
        tag = tags[number] if number < len(tags) else "p"
        if block.startswith("<"):
            inside, text = block, re.sub(r"<img[^>]*>", "\ufffc", block)
            text = re.sub(r"<br/?>", "\u2028", text)
            text = re.sub(r"<[^>]*>", "", text)
        else:
            inside, text = escape(block), block
        html.append(f'<{tag}><a name="b{number}"></a>{inside}</{tag}>')
        texts.append(text)
    return SectionPage("".join(html), tuple(texts))


class MadeBook:
    """Positions of its text (blocks parted by newlines, sections by form feeds) are its selectors."""

    def __init__(
        self,
        sections: Sequence[Sequence[str]],
        *,
        titles: Sequence[str] = (),
        outline: Sequence[ReadingEntry] = (),
        pages: Sequence[ReadingEntry] = (),
        images: dict[str, bytes] | None = None,
        right_to_left: bool = False,
        notice: str = "",
        fails: str = "",
        tags: Sequence[str] = (),
    ) -> None:
        self._pages = [page_of(blocks, tags) for blocks in sections]
        self._contents = ReadingContents(
            "Made",
            "en",
            right_to_left,
            tuple(
                ReadingSection(titles[n] if n < len(titles) else "", sum(map(len, page.blocks)), n)
                for n, page in enumerate(self._pages)
            ),
            tuple(outline),
            tuple(pages),
            notice,
        )
        self._images = images or {}
        self._fails = fails
        self.text = "\f".join("\n".join(page.blocks) for page in self._pages)
        self.asked: list[str] = []
        self.threads: set[int] = set()
        self.closed = threading.Event()
        self.gate = threading.Event()  # cleared: calls wait
        self.gate.set()

    def _called(self, name: str) -> None:
        self.asked.append(name)
        self.threads.add(threading.get_ident())
        while not self.gate.wait(0.02):
            if self.closed.is_set():
                break
        if self.closed.is_set():
            raise ZbmError("The book was closed.")

    def contents(self) -> ReadingContents:
        self._called("contents")
        if self._fails:
            raise ZbmError(self._fails)
        return self._contents

    def section(self, number: int) -> SectionPage:
        self._called(f"section {number}")
        return self._pages[number]

    def image(self, name: str) -> bytes:
        self._called(f"image {name}")
        if name not in self._images:
            raise ZbmError("There is no such picture in this document.")
        return self._images[name]

    def places(self, anchor: SelectorAnchor) -> tuple[Place, ...]:
        self._called("places")
        return tuple(
            place for selector in anchor.selectors for place in self._stretch(selector.start, selector.end)
        )

    def find(self, text: str, *, whole_words: bool = False, limit: int = 2000) -> tuple[Place, ...]:
        self._called(f"find {text}")
        found, at = [], -1
        while len(found) < limit and (at := self.text.casefold().find(text.casefold(), at + 1)) >= 0:
            found += self._stretch(at, at + len(text))
        return tuple(found)

    def selector(self, place: Place) -> Selector:
        self._called("selector")
        return Selector("FragmentSelector", f"epubcfi(/6/{2 * place.section + 2}!/4/{place.start_block})")

    def close(self) -> None:
        self.closed.set()

    # --- for tests

    def anchor(self, words: str, number: int = 0) -> SelectorAnchor:
        """Where *words* stand, the *number*-th time; newlines part blocks."""
        at = -1
        for _ in range(number + 1):
            at = self.text.index(words, at + 1)
        return SelectorAnchor((Selector("TextPositionSelector", "", at, at + len(words)),))

    def _stretch(self, start: int, end: int) -> list[Place]:
        places, at = [], 0
        for section, page in enumerate(self._pages):
            first = last = None
            for block, text in enumerate(page.blocks):
                low, high = max(start, at), min(end, at + len(text))
                if low < high:
                    first = first or (block, low - at)
                    last = (block, high - at)
                at += len(text) + 1
            if first and last:
                places.append(Place(section, *first, *last))
        return places
