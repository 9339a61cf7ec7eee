"""Which bytes are a picture that a reader shows: of a kind without programs, and no larger than can be decoded."""

from __future__ import annotations

import re
import struct

LARGEST_PICTURE = 24 << 20
"""Bytes of a picture that is shown."""

MOST_PIXELS = 100_000_000
"""Pixels of a picture that is shown: four bytes each once it is decoded. A double page at 600 dpi has 70 million."""

_NAME = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp)$", re.IGNORECASE)


def is_picture_name(name: str) -> bool:
    return _NAME.search(name) is not None


def is_picture(data: bytes) -> bool:
    """Whether these bytes are shown: PNG, JPEG, GIF, WebP or BMP. SVG is not: it may hold programs and addresses."""
    if len(data) > LARGEST_PICTURE:
        return False
    width, height = size_of(data)
    return 0 < width * height <= MOST_PIXELS


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height in pixels, as the head of the file says; (0, 0) for what is no picture of these kinds."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return struct.unpack_from(">II", data, 16)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return struct.unpack_from("<HH", data, 6)
        if data.startswith(b"BM"):
            width, height = struct.unpack_from("<ii", data, 18)
            return abs(width), abs(height)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
    except (struct.error, IndexError):
        pass  # cut off before its size
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return 0, 0


def _jpeg(data: bytes) -> tuple[int, int]:
    """The size in the first frame header (ISO 10918-1, B.2.2)."""
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return 0, 0
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        else:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return 0, 0
