"""Picking the sentence of a passage that is closest in meaning to a query.

A static model (a vector a token, averaged) is weaker than the encoder that ranked the passage, but takes
a millisecond where the encoder takes seconds. Its vectors are never stored. Runs in the encoder's child.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from zbm_core.semantic.model import Model, ModelError
from zbm_core.semantic.tokenizing import load_batch_tokenizer

#: Characters of a sentence that are weighed; what follows says nothing new.
MAX_SENTENCE = 2000
#: Tokens of a sentence, likewise.
_MAX_TOKENS = 512
#: Bytes of a safetensors header at most.
_MAX_HEADER = 1 << 20
_TYPES = {"F32": "<f4", "F16": "<f2"}


class SentenceEncoder(Protocol):
    """Anything that turns short texts into vectors of one length."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """``(texts, width) float32``, normalised; a text without tokens gives zeros."""
        ...


class SentencePicker:
    """Finds the sentence closest to a query; the last query's vector is kept."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._last: tuple[str, np.ndarray] | None = None

    def closest(self, query: str, sentences: Sequence[str]) -> int:
        """Index of the sentence closest to *query*; 0 when none says anything."""
        return self.closest_each(query, [sentences])[0]

    def closest_each(self, query: str, groups: Sequence[Sequence[str]]) -> list[int]:
        """The same for each group of sentences."""
        if self._last is None or self._last[0] != query:
            self._last = (query, self._encoder.encode([query[:MAX_SENTENCE]])[0])
        sentences = [sentence[:MAX_SENTENCE] for group in groups for sentence in group]
        if not sentences:
            return [0] * len(groups)
        scores = self._encoder.encode(sentences) @ self._last[1]
        picks, at = [], 0
        for group in groups:
            picks.append(int(np.argmax(scores[at : at + len(group)])) if len(group) else 0)
            at += len(group)
        return picks


def load_picker(folder: Path, model: Model) -> SentenceEncoder:
    """The installed picking model *model*.

    Raises:
        ModelError: its files are damaged, or the package it needs is gone.
    """
    try:
        return StaticModel(folder, model)
    except ModelError:
        raise
    except Exception as error:  # tokenizers raises bare Exception
        raise ModelError("The model that picks quotes is damaged. Install it again.", str(error)) from error


class StaticModel:
    """A matrix as safetensors and tokenizer.json: potion-multilingual-128M, or what `distilling` makes.

    The table is mapped, not read: a sentence touches a few of its 500,000 rows.
    """

    def __init__(self, folder: Path, model: Model) -> None:
        self._table = _mapped(folder / model.graph)
        self._tokenize = load_batch_tokenizer(folder / model.tokenizer, _MAX_TOKENS)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for row, ids in enumerate(self._tokenize(texts)):
            if ids:
                vectors[row] = np.asarray(self._table[ids], np.float32).mean(axis=0)
        return _normalised(vectors)


def write_table(file: Path, table: np.ndarray) -> None:
    """Write *table* ``(tokens, width) float16`` as the one matrix of a safetensors file."""
    entry = {"dtype": "F16", "shape": list(table.shape), "data_offsets": [0, table.nbytes]}
    header = json.dumps({"embeddings": entry}).encode()
    header += b" " * (-len(header) % 8)  # the matrix begins at a whole number of eights
    with file.open("wb") as opened:
        opened.write(struct.pack("<Q", len(header)) + header)
        opened.write(np.ascontiguousarray(table, "<f2").tobytes())


def _mapped(file: Path) -> np.ndarray:
    """The only matrix of a safetensors file, mapped: ``(tokens, width)``."""
    with file.open("rb") as opened:
        (length,) = struct.unpack("<Q", opened.read(8))
        if length > _MAX_HEADER:
            raise ValueError(f"a header of {length} bytes")
        header = json.loads(opened.read(length))
    tensors = [entry for name, entry in header.items() if name != "__metadata__" and len(entry["shape"]) == 2]
    if len(tensors) != 1:
        raise ValueError(f"{len(tensors)} matrices")
    (entry,) = tensors
    begin, end = entry["data_offsets"]
    kind = np.dtype(_TYPES[entry["dtype"]])
    rows, width = entry["shape"]
    if end - begin != rows * width * kind.itemsize or 8 + length + end > file.stat().st_size:
        raise ValueError("the matrix is cut short")
    return np.memmap(file, kind, "r", 8 + length + begin, (rows, width))


def _normalised(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
