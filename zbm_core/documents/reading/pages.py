"""Snapshots and plain texts as their reader shows them."""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
import stat
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import EntryError
from zbm_core.documents.markup import cfi
from zbm_core.documents.markup.flow import LINE, Container, Flow
from zbm_core.documents.markup.walk import walk
from zbm_core.documents.pictures import LARGEST_PICTURE, is_picture
from zbm_core.documents.reading.sources import Reach, Source
from zbm_core.documents.structure import Block, Outcome, Selector, TextSpan
from zbm_core.documents.web.css_selectors import first_match

_DATA_URI = re.compile(r"data:image/(?:png|jpe?g|gif|webp|bmp)[;,]", re.IGNORECASE)
_DATA_NAME = "data:"


class SnapshotSource(Source):
    """A web page; its pictures are in itself or in its folder, and come from nowhere else."""

    def __init__(self, path: Path) -> None:
        from zbm_core.documents.web.archive import is_web_archive, main_page
        from zbm_core.documents.web.document import MAX_BYTES, frames_notice, local_frames, open_page

        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise Declined(
                Outcome.TOO_LARGE, f"The page has more than {MAX_BYTES >> 20} MB; it is not shown."
            )
        label = ""
        self._folder: Path | None = path.parent
        if is_web_archive(data):
            found = main_page(data)
            if found is None:
                raise Declined(Outcome.DAMAGED, "The web archive is damaged or holds no page.")
            (data, label), self._folder = found, None
        page = open_page(data, label=label, pictures=True)
        self._root = page.root
        frames, missing = local_frames(page, self._folder, pictures=True) if self._folder else ([], 0)
        self._pages = [page, *(frame.page for frame in frames)]
        self._files = {frame.name: number for number, frame in enumerate(frames, 1)}
        self.files = len(self._pages)
        self.title, self.language = page.title or path.stem, page.language
        body = page.root.find("body")
        self.right_to_left = any(
            element is not None and element.get("dir", "").strip().lower() == "rtl"
            for element in (page.root, body)
        )
        if page.cut:
            self.notice = "The page is very long: only its first part is shown."
        else:
            self.notice = frames_notice(missing)
        self._names: dict[str, str] = {}  # of pictures in the page itself, by their data URIs
        self._pictures: dict[str, str] = {}  # and the other way

    def flows(self, file: int) -> tuple[list[Flow], list[str]]:
        page = self._pages[file]
        walked = walk(
            page.root,
            skip=page.left_out,
            rich=True,
            picture=lambda address: bool(self.picture_name(file, address)),
        )
        flows = list(walked)
        if file:
            for flow in flows:
                flow.spans = []  # a selector names elements of the page itself alone
        return flows, walked.trailing

    def reach(self, selector: Selector) -> Reach | None:
        if selector.type == "CssSelector":
            element = first_match(self._root, selector.value)
        else:
            element = self._root.find("body")  # a position alone counts in the body's text
            element = self._root if element is None else element
        if element is None:
            return None
        begin = cfi.position(self._root, cfi.Point(element, 0, 0))
        length = cfi.length(element)
        start = min(max(0, selector.start or 0), length)
        end = length if selector.end is None else min(max(start, selector.end), length)
        return Reach(0, begin + start, begin + end)

    def target(self, file: int, address: str) -> tuple[int, str] | None:
        name, _, fragment = address.partition("#")
        if not name:
            return (file, unquote(fragment)) if address.startswith("#") else None
        number = self._files.get(self._beside(file, unquote(name)))
        return None if number is None else (number, unquote(fragment))

    def _beside(self, file: int, name: str) -> str:
        """A relative address in one of the files, as one in the page's folder."""
        of_file = next((known for known, number in self._files.items() if number == file), "")
        folder = posixpath.dirname(of_file)
        return posixpath.normpath(posixpath.join(folder, name)) if folder or self._files else name

    def picture_name(self, file: int, address: str) -> str:
        address = address.strip()
        if _DATA_URI.match(address):
            if len(address) > 2 * LARGEST_PICTURE:
                return ""
            name = self._names.setdefault(address, f"{_DATA_NAME}{len(self._names)}")
            self._pictures[name] = address
            return name
        name = unquote(address.partition("#")[0].partition("?")[0])
        if file and name and not name.startswith("/"):
            name = self._beside(file, name)
        return name if self._local(name) is not None else ""

    def picture(self, name: str) -> bytes:
        if name in self._pictures:
            return _data_of(self._pictures[name])
        path = self._local(name)
        if path is None:
            raise EntryError("missing")
        with path.open("rb") as file:
            data = file.read(LARGEST_PICTURE + 1)
        if not is_picture(data):
            raise EntryError("no picture")
        return data

    def _local(self, name: str) -> Path | None:
        """The file of the page's folder a relative address names; None for anything else, and for what links lead to."""
        if self._folder is None or not name or "\0" in name or ":" in name or name.startswith(("/", "\\")):
            return None
        try:
            folder = self._folder.resolve()
            path = (folder / name).resolve()
            status = path.stat()
        except (OSError, ValueError, RuntimeError):
            return None
        good = path.is_relative_to(folder) and stat.S_ISREG(status.st_mode)
        return path if good and 0 < status.st_size <= LARGEST_PICTURE else None


def _data_of(address: str) -> bytes:
    head, _, body = address.partition(",")
    try:
        data = (
            base64.b64decode(re.sub(r"\s+", "", unquote(body)) + "==")
            if head.rstrip().lower().endswith(";base64")
            else unquote_to_bytes(body)
        )
    except (binascii.Error, ValueError) as error:
        raise EntryError("damaged") from error
    if not is_picture(data):
        raise EntryError("no picture")
    return data


class PlainSource(Source):
    """A plain text."""

    def __init__(self, path: Path, content_type: str) -> None:
        from zbm_core.documents.plain.document import MAX_BYTES, read_plain

        with path.open("rb") as file:
            plain = read_plain(file.read(MAX_BYTES + 1), path.name, content_type)
        if plain.binary:
            raise Declined(
                Outcome.DAMAGED, "The file is named as a text and is none: damaged, or of another kind."
            )
        self.title = path.stem
        self._blocks = plain.text.blocks
        if plain.cut:
            self.notice = "The text is very long: only its first part is shown."

    def flows(self, file: int) -> tuple[list[Flow], list[str]]:
        return [_flow_of(block) for block in self._blocks], []

    def reach(self, selector: Selector) -> Reach | None:
        if selector.type != "TextPositionSelector" or selector.start is None or selector.end is None:
            return None
        return Reach(0, max(0, selector.start), max(0, selector.end))

    def target(self, file: int, address: str) -> tuple[int, str] | None:
        return None


_KEPT_SPACE = re.compile(r"[ \t]{2,}|\t|^[ \t]|\n[ \t]")
# What a text view takes for the end of a paragraph or for an object, and characters HTML has none of.
_STRAY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\u2029\ufffc\ufdd0\ufdd1]")


def _flow_of(block: Block) -> Flow:
    flow = Flow()
    flow.kind, flow.level = block.kind, block.level
    flow.text = _STRAY.sub(" ", block.text).replace("\n", LINE)
    flow.spans = [span for span in block.spans if isinstance(span, TextSpan)]
    if _KEPT_SPACE.search(block.text):
        flow.container = Container(None, "pre", {})
    return flow
