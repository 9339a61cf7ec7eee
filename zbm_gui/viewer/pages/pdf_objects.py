"""The objects of PDF syntax, as far as page geometry needs them (ISO 32000-1, 7.3)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

MAX_DEPTH = 64  # of arrays and dictionaries in each other, and of the page tree
MAX_MEMBERS = 50_000  # of one array or dictionary: a flat page tree of a huge book has 10,000

_SPACE = re.compile(rb"(?:[\s\x00]|%[^\r\n]*)*")
_REFERENCE = re.compile(rb"(\d{1,10})[\s\x00]+(\d{1,5})[\s\x00]+R(?![A-Za-z0-9])")
_NUMBER = re.compile(rb"[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})")
_NAME = re.compile(rb"/([^\s\x00()<>\[\]{}/%]*)")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_WORD = re.compile(rb"true|false|null")
_HEX_STRING = re.compile(rb"<[0-9A-Fa-f\s\x00]*>")
_STRING_PART = re.compile(rb"[^()\\]*")


class PdfSyntax(Exception):
    """The bytes are not what the standard says; caught inside the viewer."""


class Ref(NamedTuple):
    """An indirect reference."""

    number: int
    generation: int


def parse(data: bytes, at: int, depth: int = 0) -> tuple[Any, int]:
    """The object that begins at *at*, and where it ends.

    Names come as `str`, strings as empty `bytes` (their content is never needed), references as `Ref`.

    Raises:
        PdfSyntax: there is none.
    """
    if depth > MAX_DEPTH:
        raise PdfSyntax("objects nested too deep")
    at = _SPACE.match(data, at).end()
    head = data[at : at + 2]
    if head == b"<<":
        return _dictionary(data, at + 2, depth)
    first = head[:1]
    if first == b"[":
        return _array(data, at + 1, depth)
    if first == b"/":
        name = _NAME.match(data, at)
        return _name(name[1]), name.end()
    if first == b"(":
        return b"", _end_of_string(data, at + 1)
    if first == b"<" and (text := _HEX_STRING.match(data, at)):
        return b"", text.end()
    if reference := _REFERENCE.match(data, at):
        return Ref(int(reference[1]), int(reference[2])), reference.end()
    if number := _NUMBER.match(data, at):
        text = number[0]
        return (float(text) if b"." in text else int(text)), number.end()
    if word := _WORD.match(data, at):
        return {b"true": True, b"false": False, b"null": None}[word[0]], word.end()
    raise PdfSyntax(f"no object at {at}")


def _array(data: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    members: list[Any] = []
    while len(members) <= MAX_MEMBERS:
        at = _SPACE.match(data, at).end()
        if data[at : at + 1] == b"]":
            return members, at + 1
        member, at = parse(data, at, depth + 1)
        members.append(member)
    raise PdfSyntax("an array without end")


def _name(written: bytes) -> str:
    """A name without its escapes ("/Ki#64s")."""
    if b"#" in written:
        written = _ESCAPED.sub(lambda escaped: bytes.fromhex(escaped[1].decode("ascii")), written)
    return written.decode("latin-1")


def _dictionary(data: bytes, at: int, depth: int) -> tuple[dict[str, Any], int]:
    members: dict[str, Any] = {}
    while len(members) <= MAX_MEMBERS:
        at = _SPACE.match(data, at).end()
        if data[at : at + 2] == b">>":
            return members, at + 2
        name = _NAME.match(data, at)
        if name is None:
            raise PdfSyntax("a dictionary key that is no name")
        members[_name(name[1])], at = parse(data, name.end(), depth + 1)
    raise PdfSyntax("a dictionary without end")


def _end_of_string(data: bytes, at: int) -> int:
    open_parentheses = 1
    while open_parentheses:
        at = _STRING_PART.match(data, at).end()
        sign = data[at : at + 1]
        if not sign:
            raise PdfSyntax("a string without end")
        if sign == b"\\":
            at += 2
            continue
        open_parentheses += 1 if sign == b"(" else -1
        at += 1
    return at
