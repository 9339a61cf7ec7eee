"""Pictures: told by their bytes, with their size."""

from __future__ import annotations

import struct

import pytest

from zbm_core.documents.pictures import is_picture, size_of

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480)
JPEG = (
    b"\xff\xd8\xff\xe0" + struct.pack(">H", 16) + bytes(14) + b"\xff\xff\xc4" + struct.pack(">H", 4) + b"ab"
    b"\xff\xc2" + struct.pack(">HBHH", 17, 8, 480, 640) + bytes(20)
)  # fmt: skip
GIF = b"GIF89a" + struct.pack("<HH", 640, 480)
BMP = b"BM" + bytes(16) + struct.pack("<ii", 640, -480)
VP8 = b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 640, 480)
VP8L = b"RIFF\0\0\0\0WEBPVP8L" + bytes(5) + struct.pack("<I", 639 | 479 << 14)
VP8X = b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")


@pytest.mark.parametrize("data", [PNG, JPEG, GIF, BMP, VP8, VP8L, VP8X])
def test_the_size_is_in_the_head(data: bytes) -> None:
    assert size_of(data) == (640, 480)
    assert is_picture(data)


@pytest.mark.parametrize("data", [PNG, JPEG, GIF, BMP, VP8, VP8L, VP8X])
def test_any_part_of_a_head_is_a_picture_or_none(data: bytes) -> None:
    for end in range(len(data)):
        is_picture(data[:end])
        is_picture(data[:end] + b"\xff" * 40)


@pytest.mark.parametrize(
    "data",
    [b"", b"<svg/>", b"<?xml?><svg/>", b"%PDF-1.4", b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 60_000, 60_000)],
)  # fmt: skip
def test_what_is_not_shown(data: bytes) -> None:
    assert not is_picture(data)
