"""One walk over the elements of a content file: blocks of text, each run of it with its place in the file.

The same walk serves indexing and reading, EPUB and snapshot. It is iterative: depth costs nothing. What it needs of
lxml elements is what any parser can give: `walk(root, ...)` takes a root with or without namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from zbm_core.documents.markup_tags import (
    EPUB_TYPE,
    KINDS,
    NOTE_REFERENCES,
    PAGE_BREAKS,
    WATCHED,
    Role,
    Tag,
    tag_of,
)
from zbm_core.documents.structure import BlockKind, ContentFile, ElementPlace, TextNode, TextSpan
from zbm_core.documents.text_places import utf16

LINE = "\u2028"
"""A line break inside a block (``<br>``, a line of ``<pre>``)."""

PICTURE = "\ufffc"
"""Where an image stands in a block of a rich walk."""

SPACE = " \t\n\r\f"
"""What HTML collapses. A no-break space or an ideographic one is not among it."""

LONGEST_LABEL = 24
"""Characters of a page break's content that are taken for its label; more is text somebody put there."""

_ODD_SPACE = re.compile(rf"[{SPACE}]{{2,}}|[\t\n\r\f]")
# Soft hyphens, word joiners, marks of byte order: a word that holds one would not be found. Paragraph separators and
# the marks of objects mean something to a text view that no book means by them.
_INVISIBLE = re.compile("[\u00ad\u2060\ufeff\u2029\ufffc]")
_HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_ALIGNED = re.compile(r"(?:^|;)\s*text-align\s*:\s*(left|right|center|justify|start|end)\b", re.IGNORECASE)
_NOTE_MARK = re.compile(r"[\s\[(]*(?:\d{1,4}|[a-z]|[ivx]{1,5}|[*†‡§¶#]{1,3})[\s\])]*")
_RELATIONS = frozenset("=<>≤≥≠≈≡∼→←↔⇒⇔∈∉⊂⊆+−±×·∪∩∧∨")
_string = etree.XPath("string()", smart_strings=False)


class Container:
    """An element that a reading view puts around blocks: a list, a table, a quotation."""

    __slots__ = ("attributes", "depth", "name", "parent")

    def __init__(self, parent: Container | None, name: str, attributes: Mapping[str, str]) -> None:
        self.parent = parent
        self.name = name
        self.attributes = attributes  # the harmless ones: start, colspan, rowspan, dir
        self.depth = parent.depth + 1 if parent else 0


class Mark:
    """A piece of inline markup: it opens at character `start` of a block's text and closes at `end`."""

    __slots__ = ("end", "name", "start", "value")

    def __init__(self, name: str, value: str, start: int) -> None:
        self.name = name  # b, i, code, sub, sup, u, s, a, img
        self.value = value  # address of a link or picture
        self.start = start
        self.end = -1  # open


class Flow:
    """A block as it flows out of the walk."""

    __slots__ = (
        "align",
        "anchors",
        "container",
        "direction",
        "kind",
        "level",
        "marks",
        "rule",
        "spans",
        "text",
    )

    def __init__(self) -> None:
        self.kind = BlockKind.PARAGRAPH
        self.text = ""
        self.spans: list[TextSpan] = []
        self.level = 0  # of a heading, from 1
        self.container: Container | None = None  # the innermost around it
        self.anchors: list[
            tuple[str, int]
        ] = []  # id of an element that opens before or in it, offset in the text
        self.marks: list[Mark] = []  # of a rich walk; in the order they open
        self.align = ""
        self.direction = ""
        self.rule = False  # a horizontal rule stands before it


def walk(
    root: Any,
    *,
    file: ContentFile = ContentFile(),  # noqa: B008 - immutable
    skip: Collection[Any] = frozenset(),
    rich: bool = False,
    picture: Callable[[str], bool] | None = None,
    page_ids: Mapping[str, str] | None = None,
    labels: list[str] | None = None,
) -> Walk:
    """The blocks of the file with the root element *root*, in document order.

    Args:
        root: an lxml element.
        file: which file it is; an EPUB's carries the package's part of its CFIs.
        skip: elements that are left out with all they hold (boilerplate). Their text still counts in places.
        rich: for reading: inline markup is kept, line breaks are U+2028 ("\\n" otherwise), cells without text are there.
        picture: for a rich walk: whether the image with this address is shown; it stands in the text as U+FFFC.
        page_ids: printed page labels by the id of the element that begins the page ("" for the file's beginning), from
            the book's page list. None: page breaks marked in the text give them.
        labels: labels of the pages met so far; those met here are added, and `TextNode.page` is an index into it.
    """
    return Walk(root, file, skip, rich, picture, page_ids, [] if labels is None else labels)


class Walk:
    """An iterator of `Flow`; `trailing` are ids behind the last block, once it is exhausted."""

    def __init__(
        self,
        root: Any,
        file: ContentFile,
        skip: Collection[Any],
        rich: bool,
        picture: Callable[[str], bool] | None,
        page_ids: Mapping[str, str] | None,
        labels: list[str],
    ) -> None:
        self._root, self._file, self._skip, self._rich = root, file, skip, rich
        self._is_shown = picture
        self._page_ids, self._labels = page_ids, labels
        self.trailing: list[str] = []
        self._ready: list[Flow] = []
        self._filled: Container | None = None  # what the last block stood in
        self._tags: dict[str, tuple[str, Tag]] = {}
        self._ids: set[str] = set()
        # What surrounds the text now.
        self._kind, self._level = BlockKind.PARAGRAPH, 0
        self._container: Container | None = None
        self._exact = self._glue = self._math = False
        self._align = self._direction = ""
        self._rule = False
        self._open: list[Mark] = []  # inline markup around the text
        # The block that is being filled.
        self._at = 0  # UTF-16 units of textContent so far
        self._flow = Flow()
        self._parts: list[str] = []
        self._length = 0
        if page_ids and "" in page_ids:
            labels.append(page_ids[""])

    def __iter__(self) -> Iterator[Flow]:
        ready = self._ready
        walker = etree.iterwalk(self._root, events=("start", "end", "comment", "pi"))
        # Frames of open elements: place, children so far, UTF-16 units of the text run so far, what to undo at the end.
        frames: list[list[Any]] = [[None, 0, 0, None]]
        for event, element in walker:
            if event == "start":
                parent = frames[-1]
                parent[1] += 1
                raw = element.text
                tag_name = element.tag
                known = self._tags.get(tag_name)
                if known is None:
                    known = self._tags[tag_name] = tag_of(tag_name)
                name, tag = known
                attributes = {key: value for key, value in element.items() if key in WATCHED}
                identity = attributes.get("id", "")
                place = ElementPlace(parent[0], 2 * parent[1], name, self._unique(identity), self._at)
                frame = [place, 0, 0, None]
                frames.append(frame)
                if tag.role is not Role.INLINE or attributes:
                    frame[3], raw = self._enter(element, tag, attributes, place, raw)
                    if frame[3] is _SKIPPED:
                        walker.skip_subtree()
                        continue
                elif self._math and raw and self._apart(name, raw):
                    self._space()
                    self._text(raw, place, 1, 0)
                    self._space()
                    frame[2] = utf16(raw)
                    continue
                if raw:
                    self._text(raw, place, 1, 0)
                    frame[2] = utf16(raw)
            elif event == "end":
                undo = frames.pop()[3]
                if undo is not None and undo is not _SKIPPED:
                    self._leave(undo)
                parent = frames[-1]
                raw = element.tail
                parent[2] = 0
                if raw and parent[0] is not None:
                    self._text(raw, parent[0], 2 * parent[1] + 1, 0)
                    parent[2] = utf16(raw)
            else:
                frame = frames[-1]
                raw = element.tail
                if raw and frame[0] is not None:
                    self._text(raw, frame[0], 2 * frame[1] + 1, frame[2])
                    frame[2] += utf16(raw)
            if ready:
                yield from ready
                ready.clear()
        self._flush()
        yield from ready
        ready.clear()
        self.trailing = [identity for identity, _ in self._flow.anchors]

    # -- elements -----------------------------------------------------------------------------

    def _unique(self, identity: str) -> str:
        if not identity or identity in self._ids:
            return ""
        self._ids.add(identity)
        return identity

    def _enter(
        self, element: Any, tag: Tag, attributes: dict[str, str], place: ElementPlace, raw: str | None
    ) -> tuple[Any, str | None]:
        """Begin an element that means something: what undoes it, and its first text."""
        words = _words(attributes) if attributes else ()
        role = tag.role
        if role is Role.BLOCK:
            self._flush()
        if attributes:
            self._point(attributes)
            if not PAGE_BREAKS.isdisjoint(words) and self._page_break(element, attributes):
                return self._skipped(element), None
            if "hidden" in attributes or ("style" in attributes and _HIDING.search(attributes["style"])):
                return self._skipped(element), None
        if role is Role.SKIP or element in self._skip:
            return self._skipped(element), None
        if role is Role.BLOCK:
            return self._enter_block(tag, attributes, words), raw
        if role is Role.BREAK:
            self._break()
        elif role is Role.RULE:
            self._flush()
            self._rule = True
        elif role is Role.IMAGE:
            self._picture(attributes)
        elif role is Role.GLUE:
            undo, self._glue = ("glue", self._glue), True
            return undo, raw
        elif role is Role.MATH:
            if (text := _math_text(element, attributes)) is not None:
                return self._whole(element, text, place), None
            undo, self._math = ("math", self._math), True
            return undo, raw
        elif role is Role.LINK or role is Role.STYLE:
            if (
                role is Role.LINK
                and self._length
                and not self._rich
                and _is_note_mark(element, attributes, words)
            ):
                self._space()
            if self._rich and (tag.container or attributes.get("href")):
                mark = Mark(tag.container or "a", attributes.get("href", ""), self._length)
                self._open.append(mark)
                self._flow.marks.append(mark)
                return ("mark", mark), raw
        elif words and any(word in KINDS for word in words):
            return self._enter_block(tag, attributes, words), raw
        return None, raw

    def _enter_block(self, tag: Tag, attributes: Mapping[str, str], words: Sequence[str]) -> Any:
        undo = (
            "cell" if self._rich and tag.container in ("td", "th") else "block",
            (self._kind, self._level, self._container, self._exact, self._align, self._direction),
        )
        kind, level = tag.kind, tag.level
        for word in words:
            if word in KINDS:
                kind = KINDS[word]
            elif word == "heading" and (wanted := attributes.get("aria-level", "2")).isdecimal():
                kind, level = BlockKind.HEADING, min(6, max(1, int(wanted[:2])))
        if kind is not None and (self._kind not in _STICKY or kind is BlockKind.EXCLUDED):
            self._kind, self._level = kind, level if kind is BlockKind.HEADING else 0
        if tag.exact:
            self._exact = True
        if attributes:
            if (direction := attributes.get("dir", "").lower()) in ("rtl", "ltr"):
                self._direction = direction
            aligned = _ALIGNED.search(attributes.get("style", ""))
            if align := (aligned[1] if aligned else attributes.get("align", "")).lower():
                self._align = align if align in _ALIGNMENTS else self._align
        if tag.container:
            self._container = Container(self._container, tag.container, attributes)
        return undo

    def _leave(self, undo: tuple[str, Any]) -> None:
        what, before = undo
        if what == "block" or what == "cell":
            self._flush()
            if what == "cell" and not _is_within(self._filled, self._container):
                # A cell without text keeps its place in the row.
                self._flow.container = self._container
                self._flow.kind = BlockKind.TABLE
                self._ready.append(self._flow)
                self._flow = Flow()
            self._kind, self._level, self._container, self._exact, self._align, self._direction = before
        elif what == "mark":
            # Blocks within the element took copies of the mark; the one that is open now is the last.
            mark = self._open.pop()
            mark.end = self._length
        elif what == "glue":
            self._glue = before
        else:
            self._math = before

    def _skipped(self, element: Any) -> Any:
        self._at += utf16(_string(element))
        return _SKIPPED

    def _point(self, attributes: Mapping[str, str]) -> None:
        """Note where links lead, and where printed pages begin."""
        for key in ("id", "name"):
            if identity := attributes.get(key):
                self._flow.anchors.append((identity, self._length))
                if self._page_ids is not None and key == "id" and identity in self._page_ids:
                    self._labels.append(self._page_ids[identity])

    def _page_break(self, element: Any, attributes: Mapping[str, str]) -> bool:
        """Begin a printed page; true if the element is nothing but its mark."""
        content = " ".join(_string(element).split())
        if len(content) > LONGEST_LABEL:
            return False
        if self._page_ids is None:
            label = attributes.get("title") or attributes.get("aria-label") or content
            self._labels.append(" ".join(label.split())[:LONGEST_LABEL])
        return True

    # -- text ---------------------------------------------------------------------------------

    def _text(self, raw: str, place: ElementPlace, step: int, before: int) -> None:
        """Add a text node to the block."""
        at = self._at
        self._at = at + utf16(raw)
        if not raw.isascii() and _INVISIBLE.search(raw):
            for piece in _INVISIBLE.split(raw):
                if piece:
                    self._piece(piece, place, step, before, at)
                units = utf16(piece) + 1
                before, at = before + units, at + units
            return
        self._piece(raw, place, step, before, at)

    def _piece(self, raw: str, place: ElementPlace, step: int, before: int, at: int) -> None:
        lead = 0
        if self._exact:
            text = raw.replace("\n", LINE)
            if not self._length and text[0] == LINE:
                text, lead = text[1:], 1  # a line break right behind <pre> is not part of it
        else:
            text = _ODD_SPACE.sub(" ", raw)
            if text[0] == " " and (not self._length or self._parts[-1][-1] in " \u2028"):
                text = text[1:]
                lead = len(raw) - len(raw.lstrip(SPACE))
            if (self._glue or self._math) and text in ("", " "):
                return
        if not text:
            return
        length = self._length
        self._length = length + len(text)
        self._parts.append(text)
        if text != " ":
            node = TextNode(self._file, place, step, before, at, raw, len(self._labels) - 1, self._exact)
            self._flow.spans.append(TextSpan(length, length + len(text), node, lead))

    def _space(self) -> None:
        if self._length and self._parts[-1][-1] not in " \u2028":
            self._parts.append(" ")
            self._length += 1

    def _break(self) -> None:
        if self._length and self._parts[-1][-1] == " ":
            self._trim()
        if self._length or self._rich:
            self._parts.append(LINE)
            self._length += 1

    def _picture(self, attributes: Mapping[str, str]) -> None:
        source = next((attributes[key] for key in _SOURCES if attributes.get(key)), "")
        if not source or self._is_shown is None or not self._is_shown(source):
            return
        mark = Mark("img", source, self._length)
        self._flow.marks.append(mark)
        self._parts.append(PICTURE)
        self._length += 1
        mark.end = self._length

    def _apart(self, name: str, raw: str) -> bool:
        """Whether a part of a formula is parted by space from what stands around it: relations, cells of a matrix."""
        return name in ("mtd", "mtext") or (name == "mo" and raw.strip() in _RELATIONS)

    def _whole(self, element: Any, text: str, place: ElementPlace) -> Any:
        """Add *text* for all an element holds; its place is all of it."""
        content = _string(element)
        text = " ".join(text.split())
        if text and content:
            first = TextNode(self._file, place, 1, 0, self._at, "", len(self._labels) - 1)
            first.until = _last_node(element, first, content)
            self._space()
            self._flow.spans.append(TextSpan(self._length, self._length + len(text), first))
            self._parts.append(text)
            self._length += len(text)
        self._at += utf16(content)
        return _SKIPPED

    def _trim(self) -> None:
        """Take white space off the block's end."""
        while self._parts:
            last = self._parts[-1]
            kept = last.rstrip(SPACE)
            self._length -= len(last) - len(kept)
            if kept:
                self._parts[-1] = kept
                break
            self._parts.pop()
        spans = self._flow.spans
        while spans and spans[-1].end > self._length:
            span = spans.pop()
            if span.start < self._length:
                spans.append(span._replace(end=self._length))

    def _flush(self) -> None:
        """End the block; one without anything to show leaves no trace but the places links lead to."""
        if not self._length:
            return
        flow = self._flow
        self._trim()
        while self._length and self._parts[-1][-1] == LINE:
            self._parts[-1] = self._parts[-1][:-1]
            self._length -= 1
            if not self._parts[-1]:
                self._parts.pop()
            self._trim()
        self._flow = fresh = Flow()
        text = "".join(self._parts)
        self._parts.clear()
        self._length = 0
        length = len(text)
        for index, mark in enumerate(self._open):
            # Inline markup around several blocks goes on in the next.
            mark.end = length
            self._open[index] = again = Mark(mark.name, mark.value, 0)
            fresh.marks.append(again)
        if not text or (not self._rich and not text.strip()):
            fresh.anchors = [(identity, 0) for identity, _ in flow.anchors]
            return
        if not self._rich and LINE in text:
            text = text.replace(LINE, "\n")
        flow.text = text
        flow.kind, flow.level, flow.container = self._kind, self._level, self._container
        flow.align, flow.direction = self._align, self._direction
        flow.rule, self._rule = self._rule, False
        flow.marks = [mark for mark in flow.marks if mark.start < mark.end or mark.start < length]
        for mark in flow.marks:
            mark.end = length if mark.end < 0 else min(mark.end, length)
        self._filled = flow.container
        self._ready.append(flow)


_SKIPPED = ("skipped", None)
_STICKY = frozenset(
    {BlockKind.FOOTNOTE, BlockKind.REFERENCE, BlockKind.EXCLUDED, BlockKind.CAPTION, BlockKind.HEADING}
)
"""Kinds that hold for all blocks within, whatever these are."""

_ALIGNMENTS = frozenset({"left", "right", "center", "justify", "start", "end"})
_SOURCES = ("src", "{http://www.w3.org/1999/xlink}href", "xlink:href", "href")


def _is_within(inner: Container | None, outer: Container | None) -> bool:
    while inner is not None and inner is not outer:
        inner = inner.parent
    return inner is not None


def _words(attributes: Mapping[str, str]) -> list[str]:
    """What `epub:type` and `role` say an element is."""
    said = [attributes[key] for key in (EPUB_TYPE, "epub:type", "role") if key in attributes]
    return " ".join(said).lower().split()


def _is_note_mark(element: Any, attributes: Mapping[str, str], words: Sequence[str]) -> bool:
    """Whether a link is the raised number of a note, which is no part of the word it stands behind."""
    if not NOTE_REFERENCES.isdisjoint(words):
        return True
    return "#" in attributes.get("href", "") and _NOTE_MARK.fullmatch(_string(element)[:12]) is not None


def _math_text(element: Any, attributes: Mapping[str, str]) -> str | None:
    """What a formula's author wrote for those who cannot see it; None if there is nothing."""
    if text := attributes.get("alttext", "").strip():
        return text
    for annotation in element.iter("{*}annotation"):
        if annotation.get("encoding", "").lower() in ("application/x-tex", "tex", "latex", "text/plain"):
            return (annotation.text or "").strip() or None
    return None


def _last_node(element: Any, first: TextNode, content: str) -> TextNode:
    """The end of all an element holds, as a text node of its own: behind its last child."""
    children = sum(1 for child in element if isinstance(child.tag, str))
    tail = element[-1].tail if len(element) else element.text
    raw = tail or ""
    at = first.at + utf16(content) - utf16(raw)
    return TextNode(first.file, first.element, 2 * children + 1, 0, at, raw, first.page)
