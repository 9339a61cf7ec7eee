"""From characters of a passage to characters of the page it stands on.

A chunk's text parts its paragraphs by empty lines where the page has blocks, and pictures stand in blocks and not
in chunks. What both agree on is the letters, so letters are counted and everything between them is not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from zbm_core.documents.reading_records import Place

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
    """One passage laid over its places."""

    def __init__(self, passage: str, places: Sequence[Place], blocks: Blocks) -> None:
        """
        Args:
            passage: the chunk's text.
            places: where its anchor leads, in order.
            blocks: gives the blocks of a section.
        """
        self._passage = passage
        letters: list[str] = []
        self._spots: list[tuple[int, int, int]] = []  # section, block, character: of each letter
        for place in places:
            page = blocks(place.section)
            for number, first, end in stretches(place, page):
                text = page[number]
                for at in range(first, end):
                    if is_letter(text[at]):
                        letters.append(text[at])
                        self._spots.append((place.section, number, at))
        self._letters = "".join(letters)
        self._at = [index for index, character in enumerate(passage) if is_letter(character)]
        self.exact = self._letters == "".join(passage[index] for index in self._at)

    def place(self, start: int, end: int) -> Place | None:
        """Where ``passage[start:end]`` stands; None if the page has no such text.

        A stretch that runs into another section is cut at the end of the one it begins in.
        """
        first, stop = bisect_left(self._at, start), bisect_left(self._at, end)
        if not self.exact:
            wanted = letters_of(self._passage[start:end])
            # The nearest of several: a page that differs a little differs by little before it.
            found = self._letters.find(wanted, max(0, first - len(wanted))) if wanted else -1
            if found < 0 and wanted:
                found = self._letters.find(wanted)
            if found < 0:
                return None
            first, stop = found, found + len(wanted)
        stop = min(stop, len(self._spots))
        if first >= stop:
            return None
        section, block, at = self._spots[first]
        last = stop - 1
        while self._spots[last][0] != section:
            last -= 1
        return Place(section, block, at, self._spots[last][1], self._spots[last][2] + 1)
