"""One walk over the elements of a content file: blocks of text, each run of it with its place in the file.

The same walk serves indexing and reading, EPUB and snapshot. It is iterative: depth costs nothing. What it needs of
lxml elements is what any parser can give: `walk(root, ...)` takes a root with or without namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from zbm_core.documents.markup.flow import Container, Flow
from zbm_core.documents.markup.flow_builder import Around, FlowBuilder
from zbm_core.documents.markup.math import formula_of
from zbm_core.documents.markup.tags import (
    KINDS,
    NOTE_REFERENCES,
    PAGE_BREAKS,
    TYPES,
    WATCHED,
    Role,
    Tag,
    tag_of,
    words_of,
)
from zbm_core.documents.markup.text_places import utf16
from zbm_core.documents.structure import BlockKind, ContentFile, ElementPlace
from zbm_core.documents.web.hidden import hidden_by_itself

LONGEST_LABEL = 24
"""Characters of a page break's content that are taken for its label; more is text somebody put there."""

LONGEST_MARK = 12
"""Characters of a note's mark, with brackets and white space."""

_ALIGNED = re.compile(r"(?:^|;)\s*text-align\s*:\s*(left|right|center|justify|start|end)\b", re.IGNORECASE)
_ALIGNMENTS = frozenset({"left", "right", "center", "justify", "start", "end"})
_NOTE_MARK = re.compile(r"[\s\[(]*(?:\d{1,4}|[a-z]|[ivx]{1,5}|[*†‡§¶#]{1,3})[\s\])]*")
_SOURCES = ("src", "{http://www.w3.org/1999/xlink}href", "xlink:href", "href")
_NOTES = frozenset(word for word, kind in KINDS.items() if kind is BlockKind.FOOTNOTE)
_ASKED = frozenset({"dir", "align", "style"})
_TELLING = frozenset({*TYPES, "hidden", "style"})
_STICKY = frozenset(
    {BlockKind.FOOTNOTE, BlockKind.REFERENCE, BlockKind.EXCLUDED, BlockKind.CAPTION, BlockKind.HEADING}
)
"""Kinds that hold for all blocks within, whatever these are."""

_string = etree.XPath("string()", smart_strings=False)
_ids_within = etree.XPath("descendant::*/@id", smart_strings=False)
_named_within = etree.XPath("descendant-or-self::*[@id or @name]")


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
        picture: whether the image with this address is shown; it stands in the text as U+FFFC. None: none is.
        page_ids: printed page labels by the id of the element that begins the page ("" for the file's beginning), from
            the book's page list. None: page breaks marked in the text give them.
        labels: labels of the pages met so far; those met here are added, and `TextNode.page` is an index into it.
    """
    return Walk(root, file, skip, rich, picture, page_ids, [] if labels is None else labels)


class _Undo:
    """What the end of an element takes back."""

    __slots__ = ("before", "what")

    def __init__(self, what: int, before: Any = None) -> None:
        self.what = what
        self.before = before


_BLOCK, _CELL, _MARK, _GLUE, _NOTHING = range(5)
_SKIPPED = _Undo(_NOTHING)
_PLAIN = _Undo(_NOTHING)  # ends a block, and nothing else


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
        self._root, self._skip, self._is_shown = root, skip, picture
        self._page_ids, self._labels = page_ids, labels
        self._builder = FlowBuilder(file, rich, labels)
        self._rich = rich
        self._ids: set[str] = set()
        self.trailing: list[str] = []
        if page_ids and "" in page_ids:
            labels.append(page_ids[""])

    def __iter__(self) -> Iterator[Flow]:
        builder, skip = self._builder, self._skip
        ready, text = builder.ready, builder.text
        tags: dict[str, tuple[str, Tag]] = {}
        walker = etree.iterwalk(self._root, events=("start", "end", "comment", "pi"))
        # Of each open element: place, children so far, where the run of text after the last of them begins, what its
        # end takes back.
        frames: list[list[Any]] = [[None, 0, 0, None]]
        parent = frames[0]
        for event, element in walker:
            if event == "start":
                parent[1] = children = parent[1] + 1
                qualified = element.tag
                known = tags.get(qualified)
                if known is None:
                    known = tags[qualified] = self._known(qualified)
                name, tag = known
                items = element.items()
                attributes = {key: value for key, value in items if key in WATCHED} if items else None
                identity = self._unique(attributes["id"]) if attributes and "id" in attributes else ""
                place = ElementPlace(parent[0], 2 * children, name, identity, builder.at)
                parent = [place, 0, builder.at, None]
                frames.append(parent)
                if skip and element in skip:
                    self._point_within(element)
                    undo: _Undo | None = self._skipped(element)
                elif attributes or tag.role > Role.PLAIN:
                    undo = self._enter(element, tag, attributes or {}, place)
                elif tag.role:
                    if builder.length:
                        builder.flush()
                    undo = _PLAIN
                else:
                    undo = None
                if undo is not None:
                    parent[3] = undo
                    if undo is _SKIPPED:
                        walker.skip_subtree()
                        continue
                if raw := element.text:
                    text(raw, place, 1)
            else:
                if event == "end":
                    undo = frames.pop()[3]
                    if undo is None or undo is _SKIPPED:
                        pass
                    elif undo is _PLAIN:
                        if builder.length:
                            builder.flush()
                    else:
                        self._leave(undo)
                    parent = frames[-1]
                    parent[2] = builder.at
                if (raw := element.tail) and parent[0] is not None:
                    text(raw, parent[0], 2 * parent[1] + 1, builder.at - parent[2])
            if ready:
                yield from ready
                ready.clear()
        builder.flush()
        yield from ready
        ready.clear()
        self.trailing = [identity for identity, _ in builder.flow.anchors]

    def _known(self, qualified: str) -> tuple[str, Tag]:
        name, tag = tag_of(qualified)
        if tag.role is Role.STYLE and not self._rich:
            tag = tag._replace(role=Role.INLINE)
        return name, tag

    def _unique(self, identity: str) -> str:
        """An id that a selector can name the element by: of several with the same the first."""
        if identity in self._ids:
            return ""
        self._ids.add(identity)
        return identity

    def _enter(
        self, element: Any, tag: Tag, attributes: Mapping[str, str], place: ElementPlace
    ) -> _Undo | None:
        """Begin an element that means something."""
        builder, role = self._builder, tag.role
        words: Sequence[str] = ()
        if builder.length and (role == Role.BLOCK or role == Role.PLAIN):
            builder.flush()
        if attributes:
            self._point(attributes)
        if attributes and not _TELLING.isdisjoint(attributes):
            words = words_of(attributes)
            if words and not PAGE_BREAKS.isdisjoint(words) and self._page_break(element):
                return self._skipped(element)
            # Notes that pop up where they are referred to are hidden until then.
            if hidden_by_itself(attributes) and _NOTES.isdisjoint(words):
                return self._skipped(element)
        if role == Role.PLAIN and not words and _ASKED.isdisjoint(attributes):
            return _PLAIN
        if role in (Role.BLOCK, Role.PLAIN) or (words and not KINDS.keys().isdisjoint(words)):
            return self._enter_block(tag, attributes, words)
        if role == Role.STYLE:
            return self._mark(tag.container, "") if self._rich else None
        if role == Role.LINK:
            return self._enter_link(element, attributes, words)
        if role == Role.SKIP:
            return self._skipped(element)
        if role == Role.BREAK:
            builder.line_break()
        elif role == Role.RULE:
            builder.flush()
            builder.rule = True
        elif role == Role.IMAGE:
            source = next((attributes[key] for key in _SOURCES if attributes.get(key)), "")
            if source and self._is_shown is not None and self._is_shown(source):
                builder.picture(source)
        elif role == Role.GLUE:
            return self._glued()
        elif role == Role.MATH:
            formula = formula_of(element, builder.file, place, builder.at, len(self._labels) - 1)
            if formula is None:
                return self._glued()
            builder.whole(formula.text, formula.node)
            builder.at += formula.units
            return _SKIPPED
        return None

    def _enter_block(self, tag: Tag, attributes: Mapping[str, str], words: Sequence[str]) -> _Undo:
        builder = self._builder
        if builder.length:
            builder.flush()
        before = builder.around
        container, exact = before.container, before.exact
        undo = _Undo(_CELL if self._rich and tag.container in ("td", "th") else _BLOCK, before)
        kind, level = tag.kind, tag.level
        for word in words:
            if word in KINDS:
                kind = KINDS[word]
            elif word == "heading" and (wanted := attributes.get("aria-level", "2")).isdecimal():
                kind, level = BlockKind.HEADING, min(6, max(1, int(wanted[:2])))
        if kind is None or (before.kind in _STICKY and kind is not BlockKind.EXCLUDED):
            kind, level = before.kind, before.level
        if tag.container:
            container, exact = Container(container, tag.container, attributes), exact or tag.exact
        beside = before.beside or tag.beside
        if beside and kind is BlockKind.HEADING:
            kind = BlockKind.PARAGRAPH
        around = Around(kind, level, container, exact, before.align, before.direction, beside)
        builder.around = around if _ASKED.isdisjoint(attributes) else _styled(around, attributes)
        return undo

    def _enter_link(self, element: Any, attributes: Mapping[str, str], words: Sequence[str]) -> _Undo | None:
        address = attributes.get("href", "")
        if self._rich:
            return self._mark("a", address) if address else None
        if self._builder.length and _is_note_mark(element, address, words):
            self._builder.space()
        return None

    def _mark(self, name: str, value: str) -> _Undo:
        self._builder.open(name, value)
        return _Undo(_MARK)

    def _glued(self) -> _Undo:
        undo = _Undo(_GLUE, self._builder.glue)
        self._builder.glue = True
        return undo

    def _leave(self, undo: _Undo) -> None:
        builder, what = self._builder, undo.what
        if what in (_BLOCK, _CELL):
            if builder.length:
                builder.flush()
            if what == _CELL:
                builder.empty_cell()
            builder.around = undo.before
        elif what == _MARK:
            builder.close()
        else:
            builder.glue = undo.before

    def _skipped(self, element: Any) -> _Undo:
        self._builder.at += utf16(_string(element))
        if len(element):
            self._ids.update(_ids_within(element))
        return _SKIPPED

    def _point(self, attributes: Mapping[str, str]) -> None:
        """Note where links lead, and where printed pages begin."""
        anchors = self._builder.flow.anchors
        if identity := attributes.get("id"):
            anchors.append((identity, self._builder.length))
            if self._page_ids and identity in self._page_ids:
                self._labels.append(self._page_ids[identity])
        if name := attributes.get("name"):
            anchors.append((name, self._builder.length))

    def _point_within(self, element: Any) -> None:
        """Note the places in what is left out, as those of the text behind it."""
        for inner in _named_within(element):
            self._point(inner.attrib)

    def _page_break(self, element: Any) -> bool:
        """Begin a printed page; true if the element is nothing but its mark."""
        content = " ".join(_string(element).split())
        if len(content) > LONGEST_LABEL:
            return False
        if self._page_ids is None:
            label = element.get("title") or element.get("aria-label") or content
            self._labels.append(" ".join(label.split())[:LONGEST_LABEL])
        return True


def _styled(around: Around, attributes: Mapping[str, str]) -> Around:
    direction = attributes.get("dir", "").lower()
    if direction in ("rtl", "ltr"):
        around = around._replace(direction=direction)
    aligned = _ALIGNED.search(attributes["style"]) if "style" in attributes else None
    align = (aligned[1] if aligned else attributes.get("align", "")).lower()
    return around._replace(align=align) if align in _ALIGNMENTS else around


def _is_note_mark(element: Any, address: str, words: Sequence[str]) -> bool:
    """Whether a link is the raised number of a note, which is no part of the word it stands behind."""
    if words and not NOTE_REFERENCES.isdisjoint(words):
        return True
    if "#" not in address:
        return False
    content = _string(element) if len(element) else element.text or ""
    return len(content) <= LONGEST_MARK and _NOTE_MARK.fullmatch(content) is not None
