"""Files broken on purpose: one seeded change, or a few, of a whole file."""

from __future__ import annotations

import io
import random
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable

Change = Callable[[random.Random, bytearray], None]

HUGE = (0, -1, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**64, 10**30)
"""Numbers at the edges of what programs keep numbers in."""

LONGEST_BLOCK = 4_096
"""Bytes of a block that is copied, moved, taken out or put in."""

MOST_REPEATS = 2_000
"""Times a piece of markup is repeated, so that a mutated file stays small beside what it may cost."""


def mutated(data: bytes, suffix: str, rng: random.Random) -> tuple[bytes, str]:
    """A broken variant of a file, and what was done to it.

    Args:
        suffix: of its name, ".pdf", ".epub", ".html", ...: which changes it is open to beside those of any file.
    """
    own = _OWN.get(suffix, {})
    names = [*_GENERAL, *own, *own]  # changes that know the format twice as often
    name = rng.choice(names)
    change = own.get(name) or _GENERAL[name]
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        change(rng, out)
    return bytes(out), name


def _span(rng: random.Random, data: bytearray) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.randint(1, LONGEST_BLOCK))


def flip(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.choice((1, 3, 10, 100)) if data else 0):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data) + 1) :]


def insert(rng: random.Random, data: bytearray) -> None:
    at, _ = _span(rng, data)
    data[at:at] = rng.choice((rng.randbytes(rng.randint(1, 500)), b"\0" * rng.randint(1, LONGEST_BLOCK)))


def duplicate(rng: random.Random, data: bytearray) -> None:
    start, end = _span(rng, data)
    at, _ = _span(rng, data)
    data[at:at] = bytes(data[start:end]) * rng.choice((1, 1, 2, 10))


def delete(rng: random.Random, data: bytearray) -> None:
    start, end = _span(rng, data)
    del data[start:end]


def overwrite(rng: random.Random, data: bytearray) -> None:
    start, end = _span(rng, data)
    data[start:end] = rng.randbytes(end - start)


def huge_number(rng: random.Random, data: bytearray) -> None:
    found = list(re.finditer(rb"\d{1,10}", data))
    for match in rng.sample(found, min(len(found), rng.choice((1, 5)))):
        data[match.start() : match.end()] = str(rng.choice(HUGE)).encode()[: rng.choice((4, 40))]
        break  # what follows has moved


_GENERAL: dict[str, Change] = {
    "flip": flip, "cut": cut, "insert": insert, "duplicate": duplicate, "delete": delete,
    "overwrite": overwrite, "huge number": huge_number,
}  # fmt: skip


# -- markup ---------------------------------------------------------------------------------------

_ENTITIES = (
    b'<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
    b'<!DOCTYPE html SYSTEM "file:///etc/hostname" [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>',
    b'<!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
    b"&c;", b"&a;", b"&#0;", b"&#xFFFFFFFFFF;", b"&nbsp", b"]]>", b"<![CDATA[", b"<!--", b"<?xml ?>",
)  # fmt: skip
_NAMES = (
    b"table", b"tr", b"td", b"svg", b"math", b"a", b"p", b"div", b"style", b"script", b"frameset", b"template",
    b"select", b"plaintext", b"ruby", b"rt", b"item", b"itemref", b"navPoint", b"x:y", b"\xff\xfe", b"",
)  # fmt: skip
_ATTRIBUTES = (
    b'colspan="99999999"', b'rowspan="4294967296"', b'start="-999999999999"', b'style="' + b"a:b;" * 5_000 + b'"',
    b'href="../../../../etc/hostname"', b'src="file:///etc/hostname"', b'id="' + b"x" * 70_000 + b'"',
    b'full-path="/etc/hostname"', b'lang="' + b"-x" * 4_000 + b'"', b"xmlns='urn:x'", b'dir="rtl"', b"hidden",
)  # fmt: skip


def _tags(data: bytearray) -> list[re.Match[bytes]]:
    return list(re.finditer(rb"<[/!?A-Za-z][^<>]{0,500}>", data))


def entity(rng: random.Random, data: bytearray) -> None:
    tags = _tags(data)
    chosen = rng.choice(_ENTITIES)
    place = tags[0 if chosen.startswith(b"<!D") else rng.randrange(len(tags))].end() if tags else 0
    data[place:place] = chosen


def attribute(rng: random.Random, data: bytearray) -> None:
    if tags := _tags(data):
        end = rng.choice(tags).end() - 1
        more = rng.choice(_ATTRIBUTES)
        if rng.random() < 0.1:
            more = b" ".join(b"a%d='%d'" % (n, n) for n in range(MOST_REPEATS))
        data[end:end] = b" " + more


def tag(rng: random.Random, data: bytearray) -> None:
    tags = _tags(data)
    if not tags:
        return
    match, name = rng.choice(tags), rng.choice(_NAMES)
    match rng.randrange(4):
        case 0:
            del data[match.start() : match.end()]
        case 1:
            data[match.start() : match.end()] = b"<" + name + b">"
        case 2:
            data[match.start() : match.start()] = (b"<" + name + b">") * rng.choice((1, 100, MOST_REPEATS))
        case _:
            at = rng.choice(tags).end()
            data[at:at] = match[0] * rng.choice((1, 100))


_MARKUP: dict[str, Change] = {"entity": entity, "attribute": attribute, "tag": tag}


# -- books ----------------------------------------------------------------------------------------


def inside_zip(rng: random.Random, data: bytearray) -> None:
    """One entry's bytes are changed, or its name, or it is there twice, or no more; the archive is whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, ValueError, RuntimeError, EOFError, OSError):
        return flip(rng, data)  # an earlier change was to the archive itself
    if not entries:
        return None
    markup = [n for n, (name, _) in enumerate(entries) if name.endswith(("ml", ".opf", ".ncx"))]
    at = rng.choice(markup or range(len(entries)))
    name, content = entries[at]
    match rng.randrange(8):
        case 0:
            entries.append((name, bytes(reversed(content))))
        case 1:
            entries[at] = (
                rng.choice(("../" + name, "/" + name, "C:\\" + name, name.upper(), "a\0b")),
                content,
            )
        case 2:
            del entries[at]
        case _:
            changed = bytearray(content)
            rng.choice([*_MARKUP.values(), *_GENERAL.values()])(rng, changed)
            entries[at] = (name, bytes(changed))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = archive.compression
            with warnings.catch_warnings(action="ignore"):  # two entries of one name
                archive.writestr(info, content)
    data[:] = out.getvalue()
    return None


def zip_directory(rng: random.Random, data: bytearray) -> None:
    """A field of the archive's directory says something else: sizes, places, flags, methods, counts."""
    places = [m.start() for m in re.finditer(rb"PK\x01\x02|PK\x05\x06|PK\x03\x04", data)]
    if not places:
        return flip(rng, data)
    at = rng.choice(places) + 4 + rng.randrange(42)
    if at + 4 <= len(data):
        struct.pack_into("<I", data, at, rng.choice(HUGE) & 0xFFFFFFFF)
    return None


_BOOK: dict[str, Change] = {"inside the zip": inside_zip, "zip directory": zip_directory}


# -- PDF ------------------------------------------------------------------------------------------


def _streams(data: bytearray) -> list[tuple[int, int]]:
    """Where the streams' bytes begin and end."""
    found = []
    for match in re.finditer(rb"(?<!end)stream\r?\n", data):
        end = data.find(b"endstream", match.end())
        if end < 0:
            break
        found.append((match.end(), end))
    return found


def pdf_stream(rng: random.Random, data: bytearray) -> None:
    """The inflated bytes of a stream are changed, and deflated again; its /Length stays what it was."""
    found = _streams(data)
    if not found:
        return flip(rng, data)
    start, end = rng.choice(found)
    try:
        content, packed = bytearray(zlib.decompressobj().decompress(data[start:end])), True
    except zlib.error:
        content, packed = data[start:end], False
    rng.choice((flip, cut, duplicate, delete, huge_number, overwrite, _operators))(rng, content)
    data[start:end] = zlib.compress(content) if packed else content
    return None


def _operators(rng: random.Random, data: bytearray) -> None:
    at, _ = _span(rng, data)
    piece = rng.choice(
        (b" q", b" Q", b" BT", b" [", b" <<", b" (", b" /F1 1e30 Tf", b" 0 0 0 0 0 0 Tm", b" 1e38 Tc", b" /X0 Do")
    )  # fmt: skip
    data[at:at] = piece * rng.choice((1, 100, MOST_REPEATS))


def pdf_xref(rng: random.Random, data: bytearray) -> None:
    """Places of the cross-reference table, its counts, or where it begins."""
    found = list(
        re.finditer(rb"\d{10} \d{5} [nf]|startxref\s+\d+|/(?:Size|Prev|Length|Count|N|First)\s+\d+", data)
    )
    if not found:
        return flip(rng, data)
    match = rng.choice(found)
    digits = re.search(rb"\d+", match[0])
    assert digits is not None
    start = match.start() + digits.start()
    width = len(digits[0])
    new = str(rng.choice((rng.randrange(len(data)), abs(rng.choice(HUGE))))).encode()
    data[start : start + width] = new.rjust(width, b"0")[-width:] if rng.random() < 0.5 else new
    return None


def pdf_reference(rng: random.Random, data: bytearray) -> None:
    """An indirect reference leads to another object: trees become loops, fonts pages."""
    found = list(re.finditer(rb"(\d+) 0 R", data))
    if not found:
        return flip(rng, data)
    match, other = rng.choice(found), rng.choice(found)
    data[match.start() : match.end()] = other[0]
    return None


_PDF: dict[str, Change] = {
    "pdf stream": pdf_stream, "pdf xref": pdf_xref, "pdf reference": pdf_reference,
}  # fmt: skip

_OWN: dict[str, dict[str, Change]] = {
    ".pdf": _PDF, ".epub": _BOOK, ".html": _MARKUP, ".xhtml": _MARKUP,
}  # fmt: skip
