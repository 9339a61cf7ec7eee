"""Blocks as HTML for a rich text view: nothing in it but text, a few harmless elements, pictures and links by name."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from zbm_core.documents.markup.flow import LINE, Container, Flow, Mark
from zbm_core.documents.structure import BlockKind

_CELLS = frozenset({"li", "td", "th", "dt", "dd"})
_HOLDERS = _CELLS | {"blockquote", "pre"}
"""Containers that may hold text themselves; in a list or table text outside of its items stands before it."""

MOST_DEEP = 24
"""Containers around a block that are shown. Text views lay nested lists and tables out slowly."""

MOST_SPANNED = 50
"""Columns or rows a cell may span."""


class Linker:
    """Where links and pictures of a section lead: made by the book, asked by the markup."""

    def link(self, address: str) -> str:
        """The address for the view ("zbm-place:...", "https://..."), "" for one that is not followed."""
        raise NotImplementedError

    def picture(self, address: str) -> str:
        """Attributes of the picture's element: `src="zbm-image:NAME"`, its size where it is known."""
        raise NotImplementedError


def html_of(flows: Sequence[Flow], linker: Linker, first: int = 0) -> str:
    """The HTML of blocks; the first is block number *first* of its section."""
    # White space was collapsed already, as HTML does it; a text view would collapse wide spaces with it.
    parts = ['<div style="white-space:pre-wrap">']
    opened: list[Container] = []
    filled: set[int] = set()  # items and cells that hold a block already
    arranging = _arranging(flows)
    for number, flow in enumerate(flows, first):
        chain = _chain(flow)
        shared = 0
        while shared < min(len(chain), len(opened)) and chain[shared] is opened[shared]:
            shared += 1
        while len(opened) > shared:
            parts.append(f"</{opened.pop().name}>")
        for container in chain[shared:]:
            parts.append(_opening(container, lined=id(container) not in arranging))
            opened.append(container)
        if flow.rule:
            parts.append("<hr/>")
        parts.append(_block(flow, number, opened[-1] if opened else None, filled, linker))
    parts.extend(f"</{container.name}>" for container in reversed(opened))
    parts.append("</div>")
    return "".join(parts)


def _chain(flow: Flow) -> list[Container]:
    chain = []
    container = flow.container
    while container is not None:
        chain.append(container)
        container = container.parent
    chain.reverse()
    del chain[MOST_DEEP:]
    while chain and chain[-1].name not in _HOLDERS:
        chain.pop()
    return chain


def _arranging(flows: Sequence[Flow]) -> set[int]:
    """Tables that only arrange a page, by identity: they say so, or hold tables, or have no lines and no headings.

    Drawn with lines, the pages of twenty years ago are boxes in boxes.
    """
    seen: set[int] = set()
    arranging: set[int] = set()
    lineless: set[int] = set()
    headed: set[int] = set()
    for flow in flows:
        inner, heading = False, False
        container = flow.container
        while container is not None:
            heading = heading or container.name == "th"
            if container.name == "table":
                if inner or container.attributes.get("role") in ("presentation", "none"):
                    arranging.add(id(container))
                if container.attributes.get("border") == "0":
                    lineless.add(id(container))
                if heading:
                    headed.add(id(container))
                inner, heading = True, False
            elif id(container) in seen and not heading and not inner:
                break  # the rest of the chain was gone through with nothing more in it
            seen.add(id(container))
            container = container.parent
    return arranging | (lineless - headed)


def _opening(container: Container, *, lined: bool = True) -> str:
    attributes = container.attributes
    out = f"<{container.name}"
    if container.name == "table":
        out += f' border="{int(lined)}" cellspacing="0" cellpadding="4"'
    for key in ("start",) if container.name == "ol" else ("colspan", "rowspan"):
        value = attributes.get(key, "")
        if value.isdecimal() and len(value) < 6 and (number := int(value)) > 1:
            out += f' {key}="{number if key == "start" else min(number, MOST_SPANNED)}"'
    return out + ">"


def _block(flow: Flow, number: int, around: Container | None, filled: set[int], linker: Linker) -> str:
    anchor = f'<a name="b{number}"></a>'
    content = anchor + inline(flow, linker)
    attributes = ""
    if flow.direction:
        attributes += f' dir="{flow.direction}"'
    if flow.align in ("center", "right", "justify"):
        attributes += f' align="{flow.align}"'
    if flow.kind is BlockKind.HEADING or flow.level:
        level = min(6, max(1, flow.level))
        return f"<h{level}{attributes}>{content}</h{level}>"
    if around is not None and around.name in (*_CELLS, "pre") and id(around) not in filled:
        filled.add(id(around))
        if not attributes or around.name == "pre":
            return content
    if around is not None and around.name == "pre":
        return "<br/>" + content
    return f"<p{attributes}>{content}</p>"


def inline(flow: Flow, linker: Linker) -> str:
    """A block's text with its inline markup."""
    text, marks = flow.text, flow.marks
    if not marks:
        return _escaped(text)
    parts: list[str] = []
    stack: list[tuple[Mark, str]] = []
    at = 0
    for mark in sorted(marks, key=lambda mark: mark.start):  # stable: outer marks were opened first
        while stack and stack[-1][0].end <= mark.start:
            at = _close(stack, text, at, parts)
        if mark.end <= mark.start:
            continue
        opening, closing = _tags(mark, linker)
        if not opening:
            continue
        parts.append(_escaped(text[at : mark.start]))
        parts.append(opening)
        at = mark.start
        if mark.name == "img":
            at = mark.end
        else:
            stack.append((mark, closing))
    while stack:
        at = _close(stack, text, at, parts)
    parts.append(_escaped(text[at:]))
    return "".join(parts)


def _close(stack: list[tuple[Mark, str]], text: str, at: int, parts: list[str]) -> int:
    mark, closing = stack.pop()
    end = max(at, min(mark.end, stack[-1][0].end) if stack else mark.end)
    parts.append(_escaped(text[at:end]))
    parts.append(closing)
    return end


def _tags(mark: Mark, linker: Linker) -> tuple[str, str]:
    if mark.name == "img":
        return f"<img {linker.picture(mark.value)}/>", ""
    if mark.name == "a":
        address = linker.link(mark.value)
        return (f'<a href="{escape(address)}">', "</a>") if address else ("", "")
    return f"<{mark.name}>", f"</{mark.name}>"


def _escaped(text: str) -> str:
    text = escape(text, quote=False)
    return text.replace(LINE, "<br/>") if LINE in text else text
