"""A PDF put together of its objects, byte by byte: no library would write what some tests need."""

from __future__ import annotations

import zlib
from collections.abc import Sequence


def stream(data: bytes, extra: bytes = b"", *, packed: bool = True, level: int = 9) -> bytes:
    """A stream object's body."""
    if packed:
        data, extra = zlib.compress(data, level), extra + b" /Filter /FlateDecode"
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), extra, data)


def written(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A file of *objects*, numbered from 1; the first is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        trailer,
        table,
    )
    return bytes(out)
