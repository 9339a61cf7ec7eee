"""Packs: what was read of one document, in one file of the cache folder.

Layout (integers little-endian):

    magic            8 bytes
    version          u16, then u16 zero
    header length    u32
    directory length u32
    crc32            u32, of header and directory
    header           JSON: the report and what it depends on
    directory        u32 pairs: length and crc32 of each block
    blocks           zlib: the front (outline, paths), then a text block and an anchor block for
                     every GROUP chunks

The text of a few chunks is read without inflating the rest. A pack that is not whole in every
respect counts as absent. The text stays on this computer, like the file it came from.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

from zbm_core.documents.structure import (
    Anchor,
    Chunk,
    DocumentReport,
    Outcome,
    OutlineEntry,
    PdfAnchor,
    Rect,
    Selector,
    SelectorAnchor,
)

MAGIC = b"\x89ZBP\r\n\x1a\n"
VERSION = 3

GROUP = 16
"""Chunks inflated together: small enough to be quick, large enough to compress (2.5 times)."""

MAX_HEADER = 1 << 20
MAX_BLOCK = 64 << 20
"""Bytes a block may inflate to; a damaged length must not take the memory."""

LEVEL = 4
"""zlib level: within 3 % of the size of level 6 at half its time on text of this kind."""

_FIXED = struct.Struct("<HHIII")
_STEPS = 10  # anchors are whole tenths of a point


class BadPack(Exception):
    """The file is not a whole pack of this version."""


@dataclass(frozen=True, slots=True)
class Header:
    report: DocumentReport
    attempts: int  # readings that failed so far


def write(
    path: Path, header: Header, chunks: Sequence[Chunk] = (), outline: Sequence[OutlineEntry] = ()
) -> None:
    """Write a pack; either the whole pack is at *path* afterwards or what was there before.

    Raises OSError (a full disk, a folder that may not be written to); no part stays behind.
    """
    report = header.report
    fields = {
        "outcome": report.outcome.value,
        "reason": report.reason,
        "pages": report.pages,
        "chunks": len(chunks),
        "stamp": report.stamp,
        "digest": report.digest,
        "kept": report.kept,
        "languages": report.languages,
        "fallback": report.fallback,
        "attempts": header.attempts,
    }
    head = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
    paths: dict[tuple[str, ...], int] = {}
    groups: list[bytes] = []
    for first in range(0, len(chunks), GROUP):
        group = chunks[first : first + GROUP]
        groups.append(_text_block(group, paths))
        groups.append(_anchor_block(group))
    front = {"outline": [list(entry) for entry in map(_entry_fields, outline)], "paths": list(paths)}
    blocks = [zlib.compress(_json(front), LEVEL), *groups] if chunks or outline else []
    directory = array("I")
    for block in blocks:
        directory.extend((len(block), crc32(block)))
    table = _little(directory).tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = part_of(path)
    try:
        with part.open("wb") as file:
            file.write(MAGIC)
            file.write(_FIXED.pack(VERSION, 0, len(head), len(table), crc32(table, crc32(head))))
            file.writelines((head, table, *blocks))
            # On the disk before it has its name: after a power cut a name may be there whose content is not, and the
            # indexes say that this document was read. A few ms, of a reading that takes tenths of a second.
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def part_of(path: Path) -> Path:
    """Where a pack is written before it takes its place."""
    return path.with_suffix(".part")


def read_header(path: Path) -> Header:
    """Raises BadPack; OSError when there is no file or it may not be read."""
    with path.open("rb") as file:
        return _open(file)[0]


def read_outline(path: Path) -> list[OutlineEntry]:
    with path.open("rb") as file:
        _, directory, start = _open(file)
        if not directory:
            return []
        front = _inflated(file, start, directory, 0)
    try:
        rows = json.loads(front)["outline"]
        return [OutlineEntry(title, level, page, None) for title, level, page in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise BadPack(str(error)) from error


def read_chunks(path: Path, indices: Iterable[int] | None = None) -> list[Chunk]:
    """The chunks at *indices* (all if None), in that order.

    Raises BadPack; IndexError for a chunk the document has not; OSError.
    """
    with path.open("rb") as file:
        header, directory, start = _open(file)
        count = header.report.chunks
        wanted = range(count) if indices is None else list(indices)
        if not wanted:
            return []
        if min(wanted) < 0 or max(wanted) >= count:
            raise IndexError(f"{path.name} has {count} chunks")
        try:
            paths = [tuple(p) for p in json.loads(_inflated(file, start, directory, 0))["paths"]]
            groups: dict[int, _Group] = {}
            chunks = []
            for index in wanted:
                number, place = divmod(index, GROUP)
                group = groups.get(number)
                if group is None:
                    group = groups[number] = _Group(
                        _inflated(file, start, directory, 1 + 2 * number),
                        _inflated(file, start, directory, 2 + 2 * number),
                    )
                chunks.append(group.chunk(index, place, paths))
            return chunks
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise BadPack(str(error)) from error


def check(path: Path) -> None:
    """Raises BadPack where any byte is not the one that was written; OSError."""
    with path.open("rb") as file:
        _, directory, start = _open(file)
        file.seek(start)
        for length, crc in zip(directory[::2], directory[1::2], strict=True):
            data = file.read(length)
            if len(data) != length or crc32(data) != crc:
                raise BadPack("damaged block")


class _Group:
    def __init__(self, text: bytes, anchors: bytes) -> None:
        self.fields: dict[str, list[Any]] = json.loads(text)
        length = int.from_bytes(anchors[:4], "little")
        self.counts: list[Any] = json.loads(anchors[4 : 4 + length])
        self.numbers = array("i")
        self.numbers.frombytes(anchors[4 + length :])
        _little(self.numbers)

    def chunk(self, index: int, place: int, paths: Sequence[tuple[str, ...]]) -> Chunk:
        fields = self.fields
        text, extra = fields["text"][place], fields["embed"][place]
        embed = extra[0] if isinstance(extra, list) else extra + text
        return Chunk(
            index,
            text,
            embed,
            paths[fields["path"][place]],
            tuple(fields["labels"][place]),
            bool(fields["reference"][place]),
            self._anchor(place),
            tuple(accumulate(fields["steps"][place])),
            fields["language"][place],
        )

    def _anchor(self, place: int) -> Anchor | None:
        entry = self.counts[place]
        if isinstance(entry, list):
            return SelectorAnchor(tuple(Selector(*fields) for fields in entry))
        if not entry:
            return None
        at = 5 * sum(count for count in self.counts[:place] if isinstance(count, int))
        rects = []
        page = left = bottom = 0
        for start in range(at, at + 5 * entry, 5):
            step_page, step_left, step_bottom, width, height = self.numbers[start : start + 5]
            page, left, bottom = page + step_page, left + step_left, bottom + step_bottom
            rects.append(
                Rect(
                    page,
                    left / _STEPS,
                    bottom / _STEPS,
                    (left + width) / _STEPS,
                    (bottom + height) / _STEPS,
                )
            )
        return PdfAnchor(tuple(rects))


def _text_block(group: Sequence[Chunk], paths: dict[tuple[str, ...], int]) -> bytes:
    embeds: list[Any] = []
    for chunk in group:
        if chunk.embed_text.endswith(chunk.text):
            embeds.append(chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)])
        else:
            embeds.append([chunk.embed_text])
    fields = {
        "text": [chunk.text for chunk in group],
        "embed": embeds,
        "path": [paths.setdefault(chunk.outline_path, len(paths)) for chunk in group],
        "labels": [chunk.page_labels for chunk in group],
        "reference": [int(chunk.is_reference) for chunk in group],
        # Differences: lines are of like length, so that they compress to next to nothing.
        "language": [chunk.language for chunk in group],
        "steps": [[start - before for before, start in pairwise((0, *chunk.starts))] for chunk in group],
    }
    return zlib.compress(_json(fields), LEVEL)


_FARTHEST = 1 << 29
"""Steps from the origin that are stored: differences of two stay within 32 bits. A broken file sets text at any place;
no page is nearly as large."""


def _step(points: float) -> int:
    """A coordinate in whole steps, within what is stored."""
    return round(min(max(points * _STEPS, -_FARTHEST), _FARTHEST)) if points == points else 0


def _anchor_block(group: Sequence[Chunk]) -> bytes:
    counts: list[Any] = []
    numbers = array("i")
    for chunk in group:
        match chunk.anchor:
            case PdfAnchor(rects):
                counts.append(len(rects))
                page = left = bottom = 0
                for rect in rects:
                    x, y = _step(rect.left), _step(rect.bottom)
                    width, height = _step(rect.right) - x, _step(rect.top) - y
                    numbers.extend((rect.page - page, x - left, y - bottom, width, height))
                    page, left, bottom = rect.page, x, y
            case SelectorAnchor(selectors):
                counts.append([list(selector) for selector in selectors])
            case None:
                counts.append(0)
    head = _json(counts)
    return zlib.compress(len(head).to_bytes(4, "little") + head + _little(numbers).tobytes(), LEVEL)


def _entry_fields(entry: OutlineEntry) -> tuple[str, int, int]:
    return entry.title, entry.level, entry.page


def _json(value: Any) -> bytes:
    # Lone surrogates of a broken font map cannot be stored; they carry no text.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _little(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _open(file: BinaryIO) -> tuple[Header, array[int], int]:
    """Header, directory, and where the blocks begin."""
    fixed = file.read(len(MAGIC) + _FIXED.size)
    if len(fixed) < len(MAGIC) + _FIXED.size or not fixed.startswith(MAGIC):
        raise BadPack("not a pack")
    version, _, head_length, table_length, crc = _FIXED.unpack(fixed[len(MAGIC) :])
    if version != VERSION:
        raise BadPack(f"version {version}")
    if head_length > MAX_HEADER or table_length > MAX_HEADER:
        raise BadPack("impossible lengths")
    rest = file.read(head_length + table_length)
    if len(rest) != head_length + table_length or crc32(rest) != crc:
        raise BadPack("damaged header")
    try:
        fields = json.loads(rest[:head_length])
        report = DocumentReport(
            Outcome(fields["outcome"]),
            fields["reason"],
            fields["pages"],
            fields["chunks"],
            fields["stamp"],
            fields["digest"],
            float(fields["kept"]),
            tuple((str(code), float(share)) for code, share in fields["languages"]),
            bool(fields["fallback"]),
        )
        header = Header(report, fields["attempts"])
        directory = array("I")
        directory.frombytes(rest[head_length:])
    except (ValueError, KeyError, TypeError) as error:
        raise BadPack(str(error)) from error
    return header, _little(directory), len(fixed) + len(rest)


def _inflated(file: BinaryIO, start: int, directory: array[int], block: int) -> bytes:
    length, crc = directory[2 * block], directory[2 * block + 1]
    file.seek(start + sum(directory[0 : 2 * block : 2]))
    data = file.read(length)
    if len(data) != length or crc32(data) != crc:
        raise BadPack(f"damaged block {block}")
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(data, MAX_BLOCK)
    except zlib.error as error:
        raise BadPack(str(error)) from error
    if inflater.unconsumed_tail:
        raise BadPack(f"block {block} is too large")
    return content
