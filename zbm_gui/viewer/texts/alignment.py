"""From characters of a passage to characters of the page it stands on.

A chunk's text parts its paragraphs by empty lines where the page has blocks, and pictures stand in blocks and not
in chunks. What both agree on is the letters, so letters are counted and everything between them is not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from zbm_core.documents.reading.records import Place

PICTURE = "\ufffc"
SOFT_HYPHEN = "\u00ad"

#: The blocks of a section, by its number.
Blocks = Callable[[int], Sequence[str]]


def is_letter(character: str) -> bool:
    """Whether *character* counts: no space, no picture, nothing that is seen only at a line's end."""
    return not character.isspace() and character not in (PICTURE, SOFT_HYPHEN)


def letters_of(text: str) -> str:
    return "".join(filter(is_letter, text))


def text_of(place: Place, blocks: Sequence[str]) -> str:
    """What stands at *place* on a page of *blocks*, blocks parted by newlines."""
    return "\n".join(blocks[number][start:end] for number, start, end in stretches(place, blocks))


def stretches(place: Place, blocks: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Block number, first and end character, for each block that *place* runs through."""
    for number in range(place.start_block, min(place.end_block + 1, len(blocks))):
        text = blocks[number]
        first = place.start if number == place.start_block else 0
        end = place.end if number == place.end_block else len(text)
        if first < end:
            yield number, first, end


class Alignment:
    """One passage laid over its places, paragraph by paragraph.

    Between two paragraphs of a passage the page may have what the passage leaves out: a heading, a note.
    """

    def __init__(self, passage: str, places: Sequence[Place], blocks: Blocks) -> None:
        """
        Args:
            passage: the chunk's text, paragraphs parted by empty lines.
            places: where its anchor leads, in order.
            blocks: gives the blocks of a section.
        """
        self._passage = passage
        letters: list[str] = []
        self._spots: list[tuple[int, int, int]] = []  # section, block, character: of each letter on the page
        for place in places:
            page = blocks(place.section)
            for number, first, end in stretches(place, page):
                text = page[number]
                for at in range(first, end):
                    if is_letter(text[at]):
                        letters.append(text[at])
                        self._spots.append((place.section, number, at))
        self._at: list[int] = []  # of each letter of the passage that was found: its index in the passage
        self._found: list[int] = []  # and among the page's letters
        self._lay("".join(letters))

    def _lay(self, letters: str) -> None:
        start = reached = 0
        for paragraph in self._passage.split("\n\n"):
            at = [start + index for index, character in enumerate(paragraph) if is_letter(character)]
            start += len(paragraph) + 2
            wanted = "".join(self._passage[index] for index in at)
            found = letters.find(wanted, reached) if wanted else -1
            if found >= 0:
                reached = found + len(wanted)
                self._at += at
                self._found += range(found, reached)

    @property
    def share(self) -> float:
        """How much of the passage was found on the page, 0 to 1."""
        return len(self._at) / max(1, len(letters_of(self._passage)))

    def place(self, start: int, end: int) -> Place | None:
        """Where ``passage[start:end]`` stands; None if the page has no such text.

        A stretch that runs into another section is cut at the end of the one it begins in.
        """
        first, stop = bisect_left(self._at, start), bisect_left(self._at, end)
        if first >= stop:
            return None
        section, block, at = self._spots[self._found[first]]
        last = stop - 1
        while self._spots[self._found[last]][0] != section:
            last -= 1
        _section, end_block, end_at = self._spots[self._found[last]]
        return Place(section, block, at, end_block, end_at + 1)

    def places(self) -> tuple[Place, ...]:
        """The passage itself: its stretches without what stands between them."""
        stretched: list[Place] = []
        begun = 0
        for index in range(1, len(self._found) + 1):
            if index < len(self._found) and self._found[index] == self._found[index - 1] + 1:
                (section, *_), (other, *_) = (self._spots[self._found[n]] for n in (index - 1, index))
                if section == other:
                    continue
            section, block, at = self._spots[self._found[begun]]
            _section, end_block, end_at = self._spots[self._found[index - 1]]
            stretched.append(Place(section, block, at, end_block, end_at + 1))
            begun = index
        return tuple(stretched)
