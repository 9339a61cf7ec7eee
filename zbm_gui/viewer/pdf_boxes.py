"""Where a page's visible box stands in PDF user space, and how the page is turned.

QtPdf draws a page turned and cropped but tells neither the turn nor the crop, and both are needed
to put a rectangle of user space on the drawn page. This module reads just that from the file: the
cross-reference, the path down the page tree, three keys. Pages are looked up one at a time and
nothing else of the file is touched. It never raises for what a file contains; a page it cannot
read is `None`. (ISO 32000-1: 7.5.4 to 7.5.8 cross-reference and object streams, 7.7.3 page tree.)
"""

from __future__ import annotations

import mmap
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .pdf_objects import MAX_DEPTH, PdfSyntax, Ref, parse

# Decoded object and cross-reference streams above this are refused: 64 MB of cross-reference is
# far more than 5 million objects.
MAX_STREAM_BYTES = 64 * 1024 * 1024
# Object streams kept decoded; the pages of one neighbourhood share a few.
KEPT_OBJECT_STREAMS = 8
# A tree of 10,000 pages in tens has 1,100 inner nodes.
KEPT_INNER_NODES = 2048
# Files above this are not scanned when their cross-reference is broken: the scan is about 0.2 s for
# each 100 MB, in the caller's thread.
MAX_SCAN_BYTES = 100 * 1024 * 1024
# How far the end of the file is searched for "startxref"; the standard says 1,024.
TAIL_BYTES = 2048
MAX_SECTIONS = 4096  # of the cross-reference, through /Prev: one for each incremental save

_OBJECT = re.compile(rb"(?<![0-9])(\d{1,10})[\s\x00]+(\d{1,5})[\s\x00]+obj")
_SUBSECTION = re.compile(rb"[\s\x00]*(\d{1,10})[ \t]+(\d{1,10})[ \t\r]*\n?")
_INHERITED = ("MediaBox", "CropBox", "Rotate")
_LETTER = (0.0, 0.0, 612.0, 792.0)  # what a page without a usable MediaBox is taken for


class PageBox(NamedTuple):
    """The visible box of a page, in points of user space, and its clockwise turn."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int  # 0, 90, 180, 270


class _Table(NamedTuple):
    """One run of a classic cross-reference table: 20 bytes an entry, looked up where they stand."""

    first: int
    count: int
    offset: int


class _Stream(NamedTuple):
    """One run of a cross-reference stream, decoded."""

    first: int
    count: int
    offset: int
    widths: tuple[int, int, int]
    data: bytes


class PageBoxes:
    """The page boxes of one PDF file, read on demand.

    Args:
        path: the file; it is mapped, not read.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._found: dict[int, PageBox | None] = {}
        self._sections: list[_Table | _Stream] = []
        self._scanned: dict[int, int] | None = None
        self._object_streams: dict[int, dict[int, bytes]] = {}
        self._inner_nodes: dict[int, dict[str, Any]] = {}  # of the page tree, by object number
        self._trailer: dict[str, Any] = {}
        self._data: mmap.mmap | bytes = b""
        with path.open("rb") as file:
            if path.stat().st_size:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._shift = max(0, self._data.find(b"%PDF-", 0, 1024)) if self._data else 0
        try:
            self._read_sections()
        except (PdfSyntax, ValueError, IndexError, zlib.error, RecursionError):
            self._sections = []

    def close(self) -> None:
        """Let go of the file, so that Windows lets others replace it."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()
        self._data = b""
        self._object_streams = {}

    def box(self, page: int) -> PageBox | None:
        """The box of *page* (from 0); None if the file does not let it be read."""
        if page not in self._found:
            self._found[page] = self._lookup(page)
        return self._found[page]

    # --- page tree

    def _lookup(self, page: int) -> PageBox | None:
        for attempt in range(2):
            try:
                found = self._descend(page)
            except (PdfSyntax, ValueError, IndexError, zlib.error, RecursionError):
                found = None
            if found is not None or attempt or self._scanned is not None:
                return found
            if not self._data or len(self._data) > MAX_SCAN_BYTES or "Encrypt" in self._trailer:
                return None
            self._scan()
        return None

    def _descend(self, page: int) -> PageBox | None:
        catalog = self._dictionary(self._trailer.get("Root"))
        node = self._node(catalog.get("Pages"))
        inherited: dict[str, Any] = {}
        remaining = page
        for _depth in range(MAX_DEPTH):
            inherited.update({k: node[k] for k in _INHERITED if node.get(k) is not None})
            kids = self._value(node.get("Kids"))
            if not isinstance(kids, list):
                return self._box_of(inherited) if remaining == 0 else None
            step = self._kid(kids, self._value(node.get("Count")), remaining)
            if step is None:
                return None
            node, remaining = step
        return None

    def _node(self, value: Any) -> dict[str, Any]:
        """A node of the page tree; inner nodes are kept, for a flat tree names every page in one."""
        if not isinstance(value, Ref):
            return self._dictionary(value)
        node = self._inner_nodes.get(value.number) or self._dictionary(value)
        if "Kids" in node and len(self._inner_nodes) < KEPT_INNER_NODES:
            self._inner_nodes[value.number] = node
        return node

    def _kid(self, kids: list[Any], count: Any, remaining: int) -> tuple[dict[str, Any], int] | None:
        if count == len(kids):  # every kid is a page (an empty /Pages node beside them is not seen)
            return (self._node(kids[remaining]), 0) if remaining < len(kids) else None
        for kid in kids:
            node = self._node(kid)
            below = self._value(node.get("Count")) if "Kids" in node else 1
            if not isinstance(below, int) or below < 0:
                return None
            if remaining < below:
                return node, remaining
            remaining -= below
        return None

    def _box_of(self, keys: dict[str, Any]) -> PageBox:
        media = self._rectangle(keys.get("MediaBox")) or _LETTER
        crop = self._rectangle(keys.get("CropBox")) or media
        visible = (
            max(media[0], crop[0]),
            max(media[1], crop[1]),
            min(media[2], crop[2]),
            min(media[3], crop[3]),
        )
        if visible[0] >= visible[2] or visible[1] >= visible[3]:
            visible = media
        turn = self._value(keys.get("Rotate"))
        rotation = int(turn) % 360 if isinstance(turn, int | float) else 0
        return PageBox(*visible, rotation if rotation % 90 == 0 else 0)

    def _rectangle(self, value: Any) -> tuple[float, float, float, float] | None:
        value = self._value(value)
        if not isinstance(value, list) or len(value) != 4:
            return None
        numbers = [self._value(number) for number in value]
        if not all(isinstance(number, int | float) for number in numbers):
            return None
        left, right = sorted((float(numbers[0]), float(numbers[2])))
        bottom, top = sorted((float(numbers[1]), float(numbers[3])))
        return (left, bottom, right, top) if left < right and bottom < top else None

    # --- objects

    def _dictionary(self, value: Any) -> dict[str, Any]:
        value = self._value(value)
        if not isinstance(value, dict):
            raise PdfSyntax("a dictionary was expected")
        return value

    def _value(self, value: Any) -> Any:
        for _hop in range(8):
            if not isinstance(value, Ref):
                return value
            value = self._object(value.number)
        raise PdfSyntax("references run in a circle")

    def _object(self, number: int) -> Any:
        if self._scanned is not None:
            offset = self._scanned.get(number)
            return None if offset is None else self._object_at(offset, number)
        for section in self._sections:  # newest first
            if not section.first <= number < section.first + section.count:
                continue
            kind, a, _index = self._entry(section, number)
            if kind == 1:
                return self._object_at(a + self._shift, number)
            if kind == 2:
                return parse(self._object_stream(a).get(number, b"null"), 0)[0]
            return None
        return None

    def _entry(self, section: _Table | _Stream, number: int) -> tuple[int, int, int]:
        row = number - section.first
        if isinstance(section, _Table):
            line = bytes(self._data[section.offset + 20 * row : section.offset + 20 * row + 20])
            return (1, int(line[:10]), int(line[11:16])) if line[17:18] == b"n" else (0, 0, 0)
        width = sum(section.widths)
        at = section.offset + row * width
        fields = []
        for size in section.widths:
            fields.append(int.from_bytes(section.data[at : at + size], "big"))
            at += size
        kind = fields[0] if section.widths[0] else 1
        return kind, fields[1], fields[2]

    def _object_at(self, offset: int, number: int) -> Any:
        head = _OBJECT.match(self._data, offset)
        if head is None or int(head[1]) != number:
            raise PdfSyntax(f"object {number} is not where the cross-reference says")
        return parse(self._data, head.end())[0]

    def _object_stream(self, number: int) -> dict[int, bytes]:
        kept = self._object_streams.get(number)
        if kept is not None:
            return kept
        if "Encrypt" in self._trailer:
            raise PdfSyntax("object streams of an encrypted file are encrypted too")
        section = next((s for s in self._sections if s.first <= number < s.first + s.count), None)
        if section is None:
            raise PdfSyntax("an object stream is missing")
        kind, offset, _ = self._entry(section, number)
        if kind != 1:
            raise PdfSyntax("an object stream stands in another")
        keys, data = self._stream_at(offset + self._shift)
        first, count = self._value(keys.get("First")), self._value(keys.get("N"))
        if not isinstance(first, int) or not isinstance(count, int):
            raise PdfSyntax("an object stream without /First or /N")
        numbers = [int(word) for word in data[:first].split()[: 2 * count]]
        starts = [first + start for start in numbers[1::2]]
        ends = [*starts[1:], len(data)]
        objects = {n: data[s:e] for n, s, e in zip(numbers[::2], starts, ends, strict=False)}
        if len(self._object_streams) >= KEPT_OBJECT_STREAMS:
            self._object_streams.pop(next(iter(self._object_streams)))
        self._object_streams[number] = objects
        return objects

    def _stream_at(self, offset: int) -> tuple[dict[str, Any], bytes]:
        head = _OBJECT.match(self._data, offset)
        if head is None:
            raise PdfSyntax("no stream here")
        keys, end = parse(self._data, head.end())
        if not isinstance(keys, dict):
            raise PdfSyntax("a stream without its dictionary")
        start = self._data.find(b"stream", end, end + 64)
        if start < 0:
            raise PdfSyntax("a stream without its data")
        start += 6
        start += 2 if self._data[start : start + 2] == b"\r\n" else 1
        length = self._value(keys.get("Length"))
        if not isinstance(length, int) or not 0 <= length <= MAX_STREAM_BYTES:
            raise PdfSyntax("a stream of no usable length")
        return keys, self._decoded(keys, bytes(self._data[start : start + length]))

    def _decoded(self, keys: dict[str, Any], data: bytes) -> bytes:
        filters = self._value(keys.get("Filter"))
        filters = filters if isinstance(filters, list) else [filters] if filters else []
        if filters not in ([], ["FlateDecode"]):
            raise PdfSyntax(f"filters {filters} are not read here")
        if not filters:
            return data
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MAX_STREAM_BYTES)
        if unpacker.unconsumed_tail:
            raise PdfSyntax("a stream that unpacks to more than the bound")
        parms = self._value(keys.get("DecodeParms"))
        parms = parms[0] if isinstance(parms, list) and parms else parms
        if isinstance(parms, dict) and parms.get("Predictor", 1) >= 10:
            return _undo_png(plain, int(parms.get("Columns", 1)))
        return plain

    # --- cross-reference

    def _read_sections(self) -> None:
        tail_at = max(0, len(self._data) - TAIL_BYTES)
        tail = bytes(self._data[tail_at:])
        start = re.search(rb"startxref\s+(\d{1,12})", tail[max(0, tail.rfind(b"startxref")) :])
        if start is None:
            raise PdfSyntax("no startxref")
        waiting, seen = [int(start[1])], set()
        while waiting and len(seen) < MAX_SECTIONS:
            offset = waiting.pop(0)
            if offset in seen:
                continue
            seen.add(offset)
            keys = self._read_section(offset + self._shift)
            for key, value in keys.items():
                self._trailer.setdefault(key, value)
            # A hybrid file's stream comes before the older sections.
            waiting += [keys[k] for k in ("XRefStm", "Prev") if isinstance(keys.get(k), int)]

    def _read_section(self, offset: int) -> dict[str, Any]:
        at = offset
        while at < len(self._data) and self._data[at] in b" \t\r\n\x00":
            at += 1
        if self._data[at : at + 4] != b"xref":
            return self._read_stream_section(at)
        at += 4
        while (head := _SUBSECTION.match(self._data, at)) is not None:
            first, count = int(head[1]), int(head[2])
            self._sections.append(_Table(first, count, head.end()))
            at = head.end() + 20 * count
        trailer = self._data.find(b"trailer", at, at + 64)
        if trailer < 0:
            raise PdfSyntax("a cross-reference table without a trailer")
        keys = parse(self._data, trailer + 7)[0]
        if not isinstance(keys, dict):
            raise PdfSyntax("a trailer that is no dictionary")
        return keys

    def _read_stream_section(self, offset: int) -> dict[str, Any]:
        keys, data = self._stream_at(offset)
        widths = keys.get("W")
        if (
            not isinstance(widths, list)
            or len(widths) != 3
            or not all(isinstance(w, int) and 0 <= w <= 8 for w in widths)
            or not sum(widths)
        ):
            raise PdfSyntax("a cross-reference stream without widths")
        index = keys.get("Index") or [0, keys.get("Size", 0)]
        at = 0
        for first, count in _pairs(index):
            self._sections.append(_Stream(first, count, at, tuple(widths), data))
            at += count * sum(widths)
        return keys

    def _scan(self) -> None:
        """Find the objects without the cross-reference; of one written twice the last counts."""
        self._scanned = {}
        for head in _OBJECT.finditer(self._data):
            self._scanned[int(head[1])] = head.start()
        if not isinstance(self._trailer.get("Root"), Ref):
            roots = re.findall(rb"/Root[\s\x00]+(\d{1,10})[\s\x00]+(\d{1,5})[\s\x00]+R", self._data)
            if roots:
                self._trailer["Root"] = Ref(int(roots[-1][0]), int(roots[-1][1]))


def _pairs(numbers: Any) -> Iterator[tuple[int, int]]:
    if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
        raise PdfSyntax("an index of a cross-reference stream that holds no numbers")
    yield from zip(numbers[::2], numbers[1::2], strict=False)


def _undo_png(data: bytes, columns: int) -> bytes:
    """Undo the PNG predictors None, Sub and Up: what writers of cross-reference streams use."""
    if columns < 1:
        raise PdfSyntax("a predictor without columns")
    above = bytes(columns)
    rows = []
    for at in range(0, len(data) - columns, columns + 1):
        kind, row = data[at], data[at + 1 : at + 1 + columns]
        if kind == 2:
            row = bytes((a + b) & 255 for a, b in zip(row, above, strict=True))
        elif kind == 1:
            left, sums = 0, bytearray()
            for value in row:
                left = (left + value) & 255
                sums.append(left)
            row = bytes(sums)
        elif kind != 0:
            raise PdfSyntax(f"predictor {kind} is not read here")
        rows.append(row)
        above = row
    return b"".join(rows)
