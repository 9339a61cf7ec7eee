"""Web pages: snapshots as Zotero keeps them (one file, or a page beside its parts), and linked HTML."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from zbm_core.documents.declined import Declined
from zbm_core.documents.structure import Block, BlockKind, OutlineEntry, StructuredText
from zbm_core.documents.web.main import boilerplate_of
from zbm_core.documents.web.tree import parse_html

MAX_BYTES = 256 << 20
"""Bytes of a page. What makes pages large are the pictures in them; a book of a thousand pages has 5 MB."""

MAX_FRAMES = 12
"""Pages that one page of frames is put together of."""

LONGEST_TITLE = 300
"""Characters of a title; longer ones are a text that lost its way."""


class Page(NamedTuple):
    """A page, taken apart but not yet walked."""

    root: Any  # lxml element
    left_out: set[Any]  # elements that are no part of the main text
    title: str  # of its <title>, "" for none
    language: str  # as it says (BCP 47), "" if it does not
    charset: str
    cut: bool  # longer than is read


class HtmlText(NamedTuple):
    """A page as text."""

    text: StructuredText
    title: str
    language: str


def open_page(data: bytes, *, label: str = "", pictures: bool = False) -> Page:
    """Any bytes as a page.

    Args:
        label: the charset a Content-Type header named.
        pictures: keep those that stand in the page itself as data URIs.

    Raises Declined for markup that cannot be taken apart.
    """
    tree = parse_html(data, label=label, data_uris=pictures)
    return Page(
        tree.root,
        boilerplate_of(tree.root),
        title_of(tree.root),
        language_of_page(tree.root),
        tree.charset,
        tree.cut,
    )


def read_html(data: bytes, *, label: str = "", folder: Path | None = None) -> HtmlText:
    """The main text of any bytes read as a page.

    Args:
        folder: where a page of frames has the pages it shows; nothing outside of it is read. Their text says
            nothing of where it stands: a selector names an element of the page itself.
    """
    page = open_page(data, label=label)
    blocks = _blocks(page)
    notice = "The page is very long: only its first part is searched." if page.cut else ""
    if folder is not None:
        frames, missing = local_frames(page, folder)
        for frame in frames:
            blocks.extend(_placeless(block) for block in _blocks(frame.page))
        notice = notice or frames_notice(missing)
    text = StructuredText(tuple(blocks), tuple(_outline(blocks, page.title)), (), notice=notice)
    return HtmlText(text, page.title, page.language)


def _blocks(page: Page) -> list[Block]:
    from zbm_core.documents.markup.blocks import BlockBuilder
    from zbm_core.documents.markup.walk import walk

    builder = BlockBuilder()
    builder.add_file(walk(page.root, skip=page.left_out))
    return builder.blocks


def _placeless(block: Block) -> Block:
    return Block(block.kind, block.text, (), block.level)


def _outline(blocks: Iterable[Block], title: str) -> list[OutlineEntry]:
    """Headings; a page without a first one is under its title."""
    outline = [
        OutlineEntry(" ".join(block.text.split())[:LONGEST_TITLE], block.level, -1, index)
        for index, block in enumerate(blocks)
        if block.kind is BlockKind.HEADING
    ]
    if title and not any(entry.level == 1 for entry in outline):
        outline.insert(0, OutlineEntry(title, 1, -1, 0))
    return outline


def title_of(root: Any) -> str:
    """What the page's <title> says."""
    element = root.find("head/title")
    if element is None:
        return ""
    return " ".join("".join(element.itertext()).split())[:LONGEST_TITLE]


_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def language_of_page(root: Any) -> str:
    """The language the page says it is in: of its root or body, else of a meta element."""
    body = root.find("body")
    said = [
        element.get(name) for element in (root, body) if element is not None for name in ("lang", "xml-lang")
    ]
    head = root.find("head")
    if head is not None:
        for meta in head.iter("meta"):
            name = (meta.get("http-equiv") or meta.get("name") or meta.get("property") or "").strip().lower()
            if name in ("content-language", "language", "dc.language", "og:locale"):
                said.append(meta.get("content"))
    for value in said:
        if value and (match := _TAG.match(value.strip().replace("_", "-"))):
            return match[0]
    return ""


# -- frames ---------------------------------------------------------------------------------------


def _frames(root: Any) -> list[str]:
    """Addresses of the pages that a page of frames is made of; none for any other page."""
    frames = [frame for frameset in root.iter("frameset") for frame in frameset.iterchildren("frame")]
    return [frame.get("src", "") for frame in frames[:MAX_FRAMES]]


class Frame(NamedTuple):
    """A page that a page of frames shows."""

    name: str  # relative to the folder, "sub/main.html"
    page: Page


def local_frames(page: Page, folder: Path, *, pictures: bool = False) -> tuple[list[Frame], int]:
    """The pages a page of frames shows, as far as they are files in *folder*; how many are not."""
    frames: dict[str, Frame] = {}
    missing = 0
    for source in _frames(page.root):
        found = _local_page(folder, source, pictures)
        if found is None:
            missing += 1
        else:
            frames.setdefault(found.name, found)
    return list(frames.values()), missing


def frames_notice(missing: int) -> str:
    """What is said of frames that are not there."""
    return "Some of the frames that this page is made of were not saved with it." if missing else ""


def _local_page(folder: Path, source: str, pictures: bool) -> Frame | None:
    """The page a relative address leads to, if that is a file in *folder*."""
    name = unquote(source.partition("#")[0].partition("?")[0]).strip()
    if not name or "\0" in name or ":" in name or name.startswith(("/", "\\")):
        return None
    try:
        root = folder.resolve()
        path = (root / name).resolve()
        if not path.is_relative_to(root) or not stat.S_ISREG(path.stat().st_mode):
            return None
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            return None
        return Frame(path.relative_to(root).as_posix(), open_page(data, pictures=pictures))
    except (OSError, ValueError, RuntimeError, Declined):
        return None  # not there, not to be read, links that lead round
