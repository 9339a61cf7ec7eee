"""The text a selector leads to, found without the walk: by the tree and the standard alone."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from zbm_core.documents.epub.archive import Archive
from zbm_core.documents.epub.package import read_package
from zbm_core.documents.markup import cfi
from zbm_core.documents.markup.xml_parsing import parse_xml

UNSEEN = frozenset({"rt", "rp", "script", "style", "head", "annotation", "annotation-xml", "video", "audio"})


class Trees:
    """The content files of a book by the package part of a CFI."""

    def __init__(self, path: Path) -> None:
        with Archive(path) as archive:
            self._names = [item.name for item in read_package(archive).spine]
        self._zip = zipfile.ZipFile(path)
        self._roots: dict[str, Any] = {}

    def close(self) -> None:
        self._zip.close()

    def root(self, package: tuple[cfi.Step, ...]) -> Any:
        name = self._names[package[1].number // 2 - 1]
        if name not in self._roots:
            self._roots[name] = parse_xml(self._zip.read(name))
        return self._roots[name]

    def text(self, value: str) -> str:
        """What stands between the two ends of a CFI range, without white space."""
        found = cfi.parse(value)
        root = self.root(found.package)
        start, end = cfi.resolve(root, found.start), cfi.resolve(root, found.end)
        assert start is not None and end is not None, value
        return between(root, start, end)


def plain(text: str) -> str:
    """*text* without white space and invisible marks."""
    return "".join(text.split()).translate({0xAD: None, 0x2060: None, 0xFEFF: None, 0xFFFC: None})


def between(root: Any, start: cfi.Point, end: cfi.Point) -> str:
    """All visible text from *start* to *end*, without white space."""
    out: list[str] = []
    inside = False

    def take(element: Any, step: int, text: str) -> bool:
        """Add what of a run of text is between; true when the end was met."""
        nonlocal inside
        units = text.encode("utf-16-le", "surrogatepass")
        begin, stop = 0, len(units)
        if start.element is element and start.step == step:
            inside, begin = True, 2 * start.offset
        met = end.element is element and end.step == step
        if met:
            stop = 2 * end.offset
        if inside:
            out.append(units[begin:stop].decode("utf-16-le", "surrogatepass"))
        return met

    stack: list[tuple[Any, Any, int]] = []
    element, children, step = root, iter(root), 1
    done = take(root, 1, root.text or "")
    while not done:
        child = next(children, None)
        if child is None:
            if not stack:
                break
            finished = element
            element, children, step = stack.pop()
            step += 2
            done = take(element, step, finished.tail or "")
            continue
        if child.tag.rpartition("}")[2] in UNSEEN:
            step += 2
            done = take(element, step, child.tail or "")
            continue
        stack.append((element, children, step))
        element, children, step = child, iter(child), 1
        done = take(child, 1, child.text or "")
    return plain("".join(out))


def in_order(text: str, recovered: str) -> bool:
    """Whether the lines of *text* stand in *recovered* one after the other (what is left out may stand between)."""
    at = 0
    for line in text.replace("\t", "\n").split("\n"):
        wanted = plain(line)
        at = recovered.find(wanted, at)
        if at < 0:
            return False
        at += len(wanted)
    return True
