"""What a reader shows, file by file: the content files of a book, the page of a snapshot, a plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import Archive, EntryError, resolved
from zbm_core.documents.epub.content import content_file, content_root
from zbm_core.documents.epub.package import Target, is_text, read_package
from zbm_core.documents.epub.styles import Styles
from zbm_core.documents.markup.cfi import BadCfi, escaped, parse, position, resolve
from zbm_core.documents.markup.flow import Flow
from zbm_core.documents.markup.walk import walk
from zbm_core.documents.pictures import LARGEST_PICTURE, is_picture, is_picture_name
from zbm_core.documents.structure import Outcome, Selector

LARGEST_FILE = 2 << 30
"""Bytes of a document that is opened."""


class Reach(NamedTuple):
    """A stretch of a content file's textContent, in UTF-16 units."""

    file: int
    start: int
    end: int


class Source:
    """A document in its content files."""

    title = ""
    language = ""
    right_to_left = False
    notice = ""  # one sentence for the reader's banner
    files = 1
    outline: list[Target] = []  # noqa: RUF012 - never changed
    pages: list[Target] = []  # noqa: RUF012

    def flows(self, file: int) -> tuple[list[Flow], list[str]]:
        """Blocks of a file, and ids behind the last. Raises EntryError where it cannot be read."""
        raise NotImplementedError

    def reach(self, selector: Selector) -> Reach | None:
        """Where a selector leads; None where it does not."""
        raise NotImplementedError

    def target(self, file: int, address: str) -> tuple[int, str] | None:
        """File and id a link in *file* leads to; None for one that leads out of the document."""
        raise NotImplementedError

    def file_named(self, name: str) -> int | None:
        """The file an outline entry names."""
        return 0

    def picture_name(self, file: int, address: str) -> str:
        """What the picture at *address* is called here; "" for one that is not shown."""
        return ""

    def picture(self, name: str) -> bytes:
        """A picture's bytes. Raises EntryError."""
        raise EntryError("missing")

    def close(self) -> None:
        pass


class EpubSource(Source):
    """A book."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        self._styles = Styles(self._archive)
        self._package = package = read_package(self._archive)
        self.title, self.language = package.title, package.language
        self.right_to_left = package.right_to_left
        self.outline, self.pages = package.outline, package.pages
        self.files = len(package.spine)
        self._numbers: dict[str, int] = {}
        for number, item in enumerate(package.spine):
            if item.name:
                self._numbers.setdefault(item.name, number)
        self._tree: tuple[int, Any] = (-1, None)  # the last content file that was parsed

    def _root(self, file: int) -> Any:
        if self._tree[0] != file:
            self._tree = (-1, None)  # let the other go first
            self._tree = (file, content_root(self._archive, self._package.spine[file]))
        return self._tree[1]

    def close(self) -> None:
        self._archive.close()

    def flows(self, file: int) -> tuple[list[Flow], list[str]]:
        item = self._package.spine[file]
        if not item.name:
            raise EntryError("missing")
        if self._numbers[item.name] != file or not is_text(item):
            return [], []
        walked = walk(
            root := self._root(file),
            file=content_file(file, item),
            skip=self._styles.hidden_headings(item.name, root),
            rich=True,
            picture=lambda address: bool(self.picture_name(file, address)),
        )
        return list(walked), walked.trailing

    def reach(self, selector: Selector) -> Reach | None:
        try:
            cfi = parse(selector.value)
        except BadCfi:
            return None
        if len(cfi.package) < 2:
            return None
        step = cfi.package[-1]
        file = step.number // 2 - 1
        if step.id:
            ending = f"[{escaped(step.id)}]"
            spine = enumerate(self._package.spine)
            file = next((number for number, item in spine if item.package_path.endswith(ending)), file)
        if not 0 <= file < self.files:
            return None
        try:
            root = self._root(file)
        except EntryError:
            return None
        start, end = resolve(root, cfi.start), resolve(root, cfi.end)
        if start is None or end is None:
            return None
        begin = position(root, start)
        return Reach(file, begin, max(begin + 1, position(root, end)))

    def file_named(self, name: str) -> int | None:
        return self._numbers.get(name)

    def target(self, file: int, address: str) -> tuple[int, str] | None:
        found = resolved(self._package.spine[file].name, address)
        if found is None:
            return None
        number = self._numbers.get(self._archive.find(found[0]) or "")
        return None if number is None else (number, found[1])

    def picture_name(self, file: int, address: str) -> str:
        found = resolved(self._package.spine[file].name, address)
        name = self._archive.find(found[0]) if found is not None else None
        if name is None or not is_picture_name(name) or self._archive.size(name) > LARGEST_PICTURE:
            return ""
        return name

    def picture(self, name: str) -> bytes:
        if not is_picture_name(name):
            raise EntryError("no picture")
        data = self._archive.read(name, LARGEST_PICTURE)
        if not is_picture(data):
            raise EntryError("no picture")
        return data


def open_source(path: Path, content_type: str) -> Source:
    """The source for a file. Raises Declined, OSError."""
    from zbm_core.documents.formats import format_of

    match format_of(path, content_type, LARGEST_FILE):
        case "epub":
            return EpubSource(path)
        case "html":
            from zbm_core.documents.reading.pages import SnapshotSource

            return SnapshotSource(path)
        case "text":
            from zbm_core.documents.reading.pages import PlainSource

            return PlainSource(path, content_type)
    raise Declined(Outcome.UNSUPPORTED, "Files of this kind are not shown here.")
