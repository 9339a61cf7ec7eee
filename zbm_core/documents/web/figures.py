"""What the elements of a page are made of: how much text, how much of it links, how much prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

PROSE = 80
"""Characters of a paragraph that is prose and no label, in a script of letters."""

CJK_FACTOR = 0.4
"""A Chinese or Japanese character says about as much as two and a half letters."""

LINKED = 0.5
"""Share of a block's text that is links from which on it is no prose."""

SAMPLE = 20_000
"""Characters that tell which script a page is in."""

_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _names(*lines: str) -> list[str]:
    return [name for line in lines for name in line.split()]


UNREAD = frozenset(
    _names(
        "head script style template noscript iframe object svg math canvas select option textarea button input",
        "audio video",
    )
)
"""Elements whose text counts for nothing here. (Formulas are kept where they stand.)"""

BLOCKS = frozenset(
    _names(
        "html body div p section article main aside header footer nav ul ol li dl dt dd table thead tbody tfoot tr td",
        "th caption figure figcaption blockquote pre form fieldset address h1 h2 h3 h4 h5 h6 center details summary",
        "hgroup search dir menu dialog",
    )
)
CONTROLS = frozenset(("button", "input", "select", "textarea"))

_NONE: dict[str, str] = {}

_INLINE, _BLOCK, _NOT_READ = range(3)
_SORTS = {**dict.fromkeys(BLOCKS, _BLOCK), **dict.fromkeys(UNREAD, _NOT_READ)}


class Figures:
    """Figures of every element, in document order; an element's parent has a smaller number.

    Attributes:
        elements: lxml elements; the other lists have one entry for each.
        attributes: theirs.
        parent: number of the element around, -1 for the root.
        tags: their names.
        out: 1 for an element that is left out, itself or with one around it.
        chars: of text that is not left out.
        linked: of these, in links.
        links: how many.
        prose: characters in paragraphs that are no row of links.
        controls: buttons and fields.
        scale: factor of lengths: 1, `CJK_FACTOR` where the page is in such a script.
    """

    def __init__(self, root: Any) -> None:
        self.elements: list[Any] = [element for element in root.iter() if isinstance(element.tag, str)]
        size = len(self.elements)
        number = {element: index for index, element in enumerate(self.elements)}
        self.attributes: list[dict[str, str]] = [
            dict(items) if (items := element.items()) else _NONE for element in self.elements
        ]
        self.parent = [-1] * size
        self.tags = [""] * size
        self._sort = [0] * size  # how an element counts
        self._text = [0] * size  # characters of the text it begins with
        self._tail = [0] * size  # and of the text behind it, which is its parent's
        self._in_link = bytearray(size)
        for index, element in enumerate(self.elements):
            above = element.getparent()
            over = self.parent[index] = number[above] if above is not None else -1
            tag = self.tags[index] = element.tag
            sort = self._sort[index] = _SORTS.get(tag, 0)
            if (text := element.text) and sort != _NOT_READ:
                self._text[index] = len(text.strip())
            if tail := element.tail:
                self._tail[index] = len(tail.strip())
            self._in_link[index] = (tag == "a" and "href" in self.attributes[index]) or (
                over >= 0 and self._in_link[over]
            )
        self.out = bytearray(size)  # 1: left out, itself or with an element around it
        self.scale = 1.0
        sample = "".join(self._sample())
        if sample and len(_CJK.findall(sample)) > 0.3 * len(sample):
            self.scale = CJK_FACTOR
        self._measure()

    def _measure(self) -> None:
        """Count the text, from the leaves up."""
        size = len(self.elements)
        chars, linked, links, prose, controls = ([0] * size for _ in range(5))
        own, own_linked = [0] * size, [0] * size  # of text that no block within holds
        threshold = PROSE * self.scale
        parent, sorts, in_link = self.parent, self._sort, self._in_link
        for index in range(size - 1, -1, -1):
            above, sort = parent[index], sorts[index]
            if (count := self._tail[index]) and above >= 0 and sorts[above] != _NOT_READ:
                own[above] += count
                chars[above] += count
                if in_link[above]:
                    own_linked[above] += count
                    linked[above] += count
            if sort == _NOT_READ:
                if above >= 0 and self.tags[index] in CONTROLS:
                    controls[above] += 1
                continue
            if count := self._text[index]:
                own[index] += count
                chars[index] += count
                if in_link[index]:
                    own_linked[index] += count
                    linked[index] += count
            if above < 0:
                continue
            if sort == _BLOCK:
                if own[index] >= threshold and own_linked[index] < LINKED * own[index]:
                    prose[index] += own[index]
            else:
                own[above] += own[index]
                own_linked[above] += own_linked[index]
                if self.tags[index] == "a" and in_link[index] and not in_link[above]:
                    links[index] += 1
            chars[above] += chars[index]
            linked[above] += linked[index]
            links[above] += links[index]
            prose[above] += prose[index]
            controls[above] += controls[index]
        self.chars = chars  # of visible text
        self.linked = linked  # of these, in links
        self.links = links
        self.prose = prose  # characters in paragraphs
        self.controls = controls  # buttons and fields

    def linked_share(self, index: int) -> float:
        return self.linked[index] / self.chars[index] if self.chars[index] else 0.0

    def leave_out(self, index: int) -> None:
        """Leave an element out with all it holds; what is around it has that much less."""
        out, parent = self.out, self.parent
        out[index] = 1
        for below in range(index + 1, len(out)):
            above = parent[below]
            if above < index:
                break
            if out[above]:
                out[below] = 1
        for figures in (self.chars, self.linked, self.links, self.prose, self.controls):
            if less := figures[index]:
                for above in self.path(parent[index]):
                    figures[above] -= less

    def below(self, index: int) -> Iterator[int]:
        """All elements within one."""
        for below in range(index + 1, len(self.parent)):
            if self.parent[below] < index:
                return
            yield below

    def path(self, index: int) -> Iterator[int]:
        """An element and all around it."""
        while index >= 0:
            yield index
            index = self.parent[index]

    def _sample(self) -> Iterator[str]:
        """Some of the page's text."""
        size = 0
        for element in self.elements:
            if element.tag in UNREAD:
                continue
            for text in (element.text, element.tail):
                if text and (text := text.strip()):
                    size += len(text)
                    yield text
            if size > SAMPLE:
                return
