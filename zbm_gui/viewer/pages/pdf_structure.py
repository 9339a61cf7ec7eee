"""The objects of a PDF file, found through its cross-reference (ISO 32000-1: 7.5.4 to 7.5.8).

Reads what is asked for and nothing else; the file is neither mapped, since a program that saves in
place would end us with it, nor read whole.
"""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from .pdf_objects import PdfSyntax, Ref, parse

# Decoded object and cross-reference streams above this are refused: 64 MB of cross-reference is
# far more than 5 million objects.
MAX_STREAM_BYTES = 64 * 1024 * 1024
# Object streams kept decoded; the pages of one neighbourhood share a few.
KEPT_OBJECT_STREAMS = 8
# Files above this are not scanned when their cross-reference is broken: about 0.1 s.
MAX_SCAN_BYTES = 64 * 1024 * 1024
SCAN_BLOCK = 4 * 1024 * 1024
# How far the end of the file is searched for "startxref"; the standard says 1,024.
TAIL_BYTES = 2048
MAX_SECTIONS = 4096  # of the cross-reference, through /Prev: one for each incremental save
# An object is read in this many bytes, and in ever more while it does not end within them.
FIRST_READ, MOST_READ = 2048, 8 * 1024 * 1024

_HEAD = re.compile(rb"(\d{1,10})[\s\x00]+(\d{1,5})[\s\x00]+obj")
_HEAD_BEFORE = re.compile(rb"(?<!\d)(\d{1,10})[\s\x00]+\d{1,5}[\s\x00]+\Z")
_SUBSECTION = re.compile(rb"[\s\x00]*(\d{1,10})[ \t]+(\d{1,10})[ \t\r]*\n?")
_ROOT = re.compile(rb"/Root[\s\x00]+(\d{1,10})[\s\x00]+(\d{1,5})[\s\x00]+R")

#: What reading a file that is not as the standard says may raise here; callers take it for "unknown".
BROKEN = (PdfSyntax, ValueError, IndexError, OSError, zlib.error, RecursionError)


class PdfTooLarge(PdfSyntax):
    """A stream of objects that unpacks to more than `MAX_STREAM_BYTES`."""


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


class PdfStructure:
    """Every method may raise what `BROKEN` names, and reads only inside `with structure.opened():`.

    So no file is held open meanwhile, which would keep other programs from replacing it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._size = 0
        self._shift: int | None = None
        self._sections: list[_Table | _Stream] = []
        self._scanned: dict[int, int] | None = None
        self._object_streams: dict[int, dict[int, bytes]] = {}
        self.trailer: dict[str, Any] = {}

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Raises `OSError` if the file cannot be opened."""
        with self._path.open("rb") as file:
            self._file = file
            try:
                if self._shift is None:
                    self._begin(file)
                yield
            finally:
                self._file = None

    def _begin(self, file: BinaryIO) -> None:
        self._size = file.seek(0, 2)
        self._shift = max(0, self._read(0, 1024).find(b"%PDF-"))  # what stands before the header
        try:
            self._read_sections()
        except BROKEN:
            self._sections = []

    @property
    def encrypted(self) -> bool:
        return "Encrypt" in self.trailer

    def value(self, value: Any) -> Any:
        """*value*, or what it refers to."""
        for _hop in range(8):
            if not isinstance(value, Ref):
                return value
            value = self._object(value.number)
        raise PdfSyntax("references run in a circle")

    def dictionary(self, value: Any) -> dict[str, Any]:
        value = self.value(value)
        if not isinstance(value, dict):
            raise PdfSyntax("a dictionary was expected")
        return value

    def scan(self) -> bool:
        """Find the objects without the cross-reference; False if that was done or is not worth it.

        Of an object written twice the last counts.
        """
        if self._scanned is not None or self.encrypted or not 0 < self._size <= MAX_SCAN_BYTES:
            return False
        self._scanned = {}
        root: re.Match[bytes] | None = None
        overlap = 64
        for start in range(0, self._size, SCAN_BLOCK):
            block = self._read(max(0, start - overlap), SCAN_BLOCK + overlap)
            base = max(0, start - overlap)
            at = block.find(b"obj")
            while at >= 0:
                head = _HEAD_BEFORE.search(block, max(0, at - 24), at)
                if head is not None:
                    self._scanned[int(head[1])] = base + head.start()
                at = block.find(b"obj", at + 3)
            for found in _ROOT.finditer(block):
                root = found
        if root is not None and not isinstance(self.trailer.get("Root"), Ref):
            self.trailer["Root"] = Ref(int(root[1]), int(root[2]))
        return True

    # --- objects

    def _read(self, offset: int, size: int) -> bytes:
        assert self._file is not None, "read outside opened()"
        self._file.seek(offset)
        return self._file.read(size)

    def _parsed(self, offset: int) -> tuple[Any, int]:
        """The object at *offset* and where it ends."""
        size = FIRST_READ
        while True:
            data = self._read(offset, size)
            try:
                value, end = parse(data, 0)
                return value, offset + end
            except PdfSyntax:
                if len(data) < size or size >= MOST_READ:
                    raise
                size *= 16

    def beginning(self, number: int, size: int) -> bytes:
        """The first *size* bytes of an object as they stand in the file, or all of it, with what ends it; b"" for none."""
        found = self._found(number)
        if isinstance(found, int):
            return self._read(found, size)
        return b"" if found is None else found + b" endobj"

    def _object(self, number: int) -> Any:
        found = self._found(number)
        if isinstance(found, int):
            return self._object_at(found, number)
        return None if found is None else parse(found, 0)[0]

    def _found(self, number: int) -> int | bytes | None:
        """Where an object stands in the file; its bytes, if that is in an object stream."""
        if self._scanned is not None:
            return self._scanned.get(number)
        for section in self._sections:  # newest first
            if not section.first <= number < section.first + section.count:
                continue
            kind, place, _index = self._entry(section, number)
            if kind == 1:
                return place + self._shift
            return self._object_stream(place).get(number, b"null") if kind == 2 else None
        return None

    def _entry(self, section: _Table | _Stream, number: int) -> tuple[int, int, int]:
        row = number - section.first
        if isinstance(section, _Table):
            line = self._read(section.offset + 20 * row, 20)
            return (1, int(line[:10]), int(line[11:16])) if line[17:18] == b"n" else (0, 0, 0)
        at = section.offset + row * sum(section.widths)
        fields = []
        for size in section.widths:
            fields.append(int.from_bytes(section.data[at : at + size], "big"))
            at += size
        kind = fields[0] if section.widths[0] else 1
        return kind, fields[1], fields[2]

    def _object_at(self, offset: int, number: int | None = None) -> Any:
        return self._parsed(self._after_head(offset, number))[0]

    def _after_head(self, offset: int, number: int | None) -> int:
        head = _HEAD.match(self._read(offset, 40))
        if head is None or (number is not None and int(head[1]) != number):
            raise PdfSyntax(f"no object {number} where the cross-reference says")
        return offset + head.end()

    def _object_stream(self, number: int) -> dict[int, bytes]:
        kept = self._object_streams.get(number)
        if kept is not None:
            return kept
        if self.encrypted:
            raise PdfSyntax("object streams of an encrypted file are encrypted too")
        section = next((s for s in self._sections if s.first <= number < s.first + s.count), None)
        if section is None:
            raise PdfSyntax("an object stream is missing")
        kind, offset, _ = self._entry(section, number)
        if kind != 1:
            raise PdfSyntax("an object stream stands in another")
        keys, data = self._stream_at(offset + self._shift)
        first, count = self.value(keys.get("First")), self.value(keys.get("N"))
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
        keys, end = self._parsed(self._after_head(offset, None))
        if not isinstance(keys, dict):
            raise PdfSyntax("a stream without its dictionary")
        between = self._read(end, 64)
        start = between.find(b"stream")
        if start < 0:
            raise PdfSyntax("a stream without its data")
        start += 6
        start += 2 if between[start : start + 2] == b"\r\n" else 1
        length = self.value(keys.get("Length"))
        if not isinstance(length, int) or not 0 <= length <= MAX_STREAM_BYTES:
            raise PdfSyntax("a stream of no usable length")
        return keys, self._decoded(keys, self._read(end + start, length))

    def _decoded(self, keys: dict[str, Any], data: bytes) -> bytes:
        filters = self.value(keys.get("Filter"))
        filters = filters if isinstance(filters, list) else [filters] if filters else []
        if filters not in ([], ["FlateDecode"]):
            raise PdfSyntax(f"filters {filters} are not read here")
        if not filters:
            return data
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MAX_STREAM_BYTES)
        if unpacker.unconsumed_tail:
            raise PdfTooLarge("a stream that unpacks to more than the bound")
        parms = self.value(keys.get("DecodeParms"))
        parms = parms[0] if isinstance(parms, list) and parms else parms
        if isinstance(parms, dict) and parms.get("Predictor", 1) >= 10:
            return _undo_png(plain, int(parms.get("Columns", 1)))
        return plain

    # --- cross-reference

    def _read_sections(self) -> None:
        tail = self._read(max(0, self._size - TAIL_BYTES), TAIL_BYTES)
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
                self.trailer.setdefault(key, value)
            # A hybrid file's stream comes before the older sections.
            waiting += [keys[k] for k in ("XRefStm", "Prev") if isinstance(keys.get(k), int)]

    def _read_section(self, offset: int) -> dict[str, Any]:
        head = self._read(offset, 64)
        at = offset + len(head) - len(head.lstrip(b" \t\r\n\x00"))
        if self._read(at, 4) != b"xref":
            return self._read_stream_section(at)
        at += 4
        while (run := _SUBSECTION.match(self._read(at, 64))) is not None:
            first, count = int(run[1]), int(run[2])
            self._sections.append(_Table(first, count, at + run.end()))
            at += run.end() + 20 * count
        trailer = self._read(at, 64).find(b"trailer")
        if trailer < 0:
            raise PdfSyntax("a cross-reference table without a trailer")
        keys = self._parsed(at + trailer + 7)[0]
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
        at = 0
        for first, count in _pairs(keys.get("Index") or [0, keys.get("Size", 0)]):
            self._sections.append(_Stream(first, count, at, tuple(widths), data))
            at += count * sum(widths)
        return keys


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
