"""Reading the vocabulary of a SentencePiece model file, without the library of that name."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

NORMAL, UNKNOWN = 1, 2  # two of SentencePiece's kinds of pieces


def read_vocabulary(file: Path) -> list[tuple[str, float, int]]:
    """``(piece, score, kind)`` by id.

    Raises:
        ValueError: the file is not of that form.
    """
    try:
        return list(_pieces(file.read_bytes()))
    except (IndexError, KeyError, struct.error) as error:
        raise ValueError(f"{file.name} is cut short") from error


def _pieces(data: bytes) -> Iterator[tuple[str, float, int]]:
    # The file is one protocol buffer; its field 1, repeated, is a piece.
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        field, wire = tag >> 3, tag & 7
        if wire == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise IndexError(at)
            if field == 1:
                yield _piece(data[at : at + length])
            at += length
        elif wire == 0:
            _, at = _varint(data, at)
        else:
            at += {1: 8, 5: 4}[wire]


def _piece(data: bytes) -> tuple[str, float, int]:
    text, score, kind, at = "", 0.0, NORMAL, 0
    while at < len(data):
        tag, at = _varint(data, at)
        match tag:
            case 0x0A:
                length, at = _varint(data, at)
                text, at = data[at : at + length].decode("utf-8"), at + length
            case 0x15:
                (score,) = struct.unpack_from("<f", data, at)
                at += 4
            case 0x18:
                kind, at = _varint(data, at)
            case _:
                raise ValueError(f"tag {tag} in a piece")
    return text, score, kind


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
