"""A Unigram tokenizer in little memory: its vocabulary is a hash table on disk that is mapped, not read.

The `tokenizers` library keeps a vocabulary of 250,000 pieces as a tree of maps: 295 MB resident, more than the
model it serves. Here normalisation and the parting into words stay that library's (loaded with no vocabulary); the
pieces are found by numpy, every start and length of a text at once, and the best path by the library's own rules
(Viterbi over the pieces' scores; Kudo 2018, "Subword Regularization"). The tests hold the two equal, id by id.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

#: Appended to the name of the tokenizer.json that a table was made of.
SUFFIX = ".unigram"
_MAGIC = b"ZBMUNI01"
#: Added to the lowest score for a character that no piece covers; the library's constant.
_UNKNOWN_PENALTY = -10.0
#: Odd multipliers of the rolling hash and of its spreading over the table (2^64 over the golden ratio).
_ROLL, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
#: Characters looked at together: bounds the memory of one text.
_BLOCK = 8192
#: Words whose ids are kept, and the characters of one at most: most words of a text have been met before.
_KEPT_WORDS, _KEPT_WORD = 20_000, 24
#: Bytes of a header, characters of a piece, and pieces of a vocabulary at most.
_MAX_HEADER, _MAX_PIECE, _MAX_PIECES = 1 << 20, 128, 2_000_000


def make_table(tokenizer_json: Path) -> Path | None:
    """Make the table of *tokenizer_json* beside it; None when its model is not one this can run.

    Raises:
        ValueError: the file is damaged. OSError: the table cannot be written.
    """
    import tokenizers

    data = tokenizer_json.read_bytes()
    whole = json.loads(data)
    model = whole.get("model") or {}
    pairs = model.get("vocab")
    if model.get("type") != "Unigram" or model.get("byte_fallback") or model.get("unk_id") is None:
        return None
    unknown = model["unk_id"]
    special = {entry["content"] for entry in whole.get("added_tokens", [])}
    if not 0 < len(pairs) <= _MAX_PIECES or max(len(piece) for piece, _ in pairs) > _MAX_PIECE:
        return None
    model["vocab"] = [pairs[unknown]]
    model["unk_id"] = 0
    whole["added_tokens"], whole["truncation"], whole["padding"] = [], None, None
    bare = json.dumps(whole, ensure_ascii=False)
    before, after = _frame(tokenizers.Tokenizer.from_str(bare))
    header = {
        "source": hashlib.sha256(data).hexdigest(),
        "tokenizer": bare,
        "unknown": unknown,
        "before": before,
        "after": after,
        "special": sorted(special),
    }
    target = tokenizer_json.with_name(tokenizer_json.name + SUFFIX)
    draft = target.with_name(target.name + ".new")
    draft.write_bytes(_table(pairs, special, unknown, header))
    draft.replace(target)
    return target


def _frame(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The ids that the tokenizer puts before and after every text."""
    encoding = tokenizer.encode("a")
    marks = encoding.special_tokens_mask
    if 0 not in marks:
        raise ValueError("the tokenizer makes nothing of a letter")
    first, last = marks.index(0), len(marks) - marks[::-1].index(0)
    if any(marks[first:last]):
        raise ValueError("the tokenizer puts marks inside a text")
    return encoding.ids[:first], encoding.ids[last:]


def _table(pairs: list, special: set[str], unknown: int, header: dict[str, Any]) -> bytes:
    # Control pieces are never found in a text: what looks like one there is text.
    wanted = [
        (number, piece)
        for number, (piece, _) in enumerate(pairs)
        if piece and number != unknown and piece not in special
    ]
    bits = max(4, (2 * len(wanted)).bit_length())
    hashes = _hashes([piece for _, piece in wanted])
    if len(np.unique(hashes)) != len(hashes):
        raise ValueError("two pieces have one hash")
    held = [-1] * (1 << bits)  # places in `wanted`
    for place, slot in enumerate(_slots(hashes, bits).tolist()):
        while held[slot] >= 0:
            slot = (slot + 1) & ((1 << bits) - 1)
        held[slot] = place
    taken = np.array(held)
    keys = np.where(taken >= 0, hashes[taken], 0).astype(np.uint64)
    ids = np.where(taken >= 0, np.array([number for number, _ in wanted])[taken], -1).astype(np.int32)
    scores = np.array([score for _, score in pairs], np.float64)
    header = {
        **header,
        "bits": bits,
        "pieces": len(pairs),
        "longest": max(len(piece) for _, piece in wanted),
        "lowest": float(scores.min()),
    }
    text = json.dumps(header).encode("ascii")
    text += b" " * (-(len(_MAGIC) + 8 + len(text)) % 8)
    return b"".join(
        [_MAGIC, struct.pack("<Q", len(text)), text, keys.tobytes(), scores.tobytes(), ids.tobytes()]
    )


def _codes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def _hashes(pieces: Sequence[str]) -> np.ndarray:
    """Rolling hashes of *pieces*: the sum of (code + 1) * ROLL^place modulo 2^64."""
    powers = [1]
    for _ in range(max(map(len, pieces))):
        powers.append(powers[-1] * int(_ROLL) & 0xFFFFFFFFFFFFFFFF)
    lengths = np.array([len(piece) for piece in pieces])
    starts = np.cumsum(lengths) - lengths
    places = np.arange(lengths.sum()) - np.repeat(starts, lengths)
    terms = (_codes("".join(pieces)).astype(np.uint64) + np.uint64(1)) * np.array(powers, np.uint64)[places]
    return np.add.reduceat(terms, starts)


def _slots(hashes: np.ndarray, bits: int) -> np.ndarray:
    # The upper half is folded in first: a product's high bits know nothing of what lies above them.
    return (((hashes ^ (hashes >> np.uint64(32))) * _SPREAD) >> np.uint64(64 - bits)).astype(np.int64)


class UnigramTokenizer:
    """The table *file*, ready to tokenize.

    Args:
        source: SHA-256 of the tokenizer.json it must have been made of, "" for any.

    Raises:
        ValueError, OSError: the table is damaged, cut short or of another tokenizer.
    """

    def __init__(self, file: Path, source: str = "") -> None:
        import tokenizers

        with file.open("rb") as opened:
            if opened.read(len(_MAGIC)) != _MAGIC:
                raise ValueError("not a table of pieces")
            (length,) = struct.unpack("<Q", opened.read(8))
            if length > _MAX_HEADER:
                raise ValueError(f"a header of {length} bytes")
            header = json.loads(opened.read(length))
        if source and header["source"] != source:
            raise ValueError("a table of another tokenizer")
        self._bits, pieces = int(header["bits"]), int(header["pieces"])
        self._longest, self._unknown = int(header["longest"]), int(header["unknown"])
        size, at = 1 << self._bits, len(_MAGIC) + 8 + length
        if file.stat().st_size != at + 12 * size + 8 * pieces or not 0 <= self._unknown < pieces:
            raise ValueError("the table is cut short")
        self._keys = np.memmap(file, "<u8", "r", at, (size,))
        self._scores = np.memmap(file, "<f8", "r", at + 8 * size, (pieces,))
        self._ids = np.memmap(file, "<i4", "r", at + 8 * size + 8 * pieces, (size,))
        self._unknown_score = header["lowest"] + _UNKNOWN_PENALTY
        self._before: list[int] = header["before"]
        self._after: list[int] = header["after"]
        self._met: dict[str, list[int]] = {}
        self._bare = tokenizers.Tokenizer.from_str(header["tokenizer"])

    def encode(self, text: str, limit: int, *, marks: bool = True) -> list[int]:
        """The ids of *text*, with the marks around it unless told otherwise, *limit* in all at most."""
        if not marks:
            return list(itertools.islice(self._ids_of(text), limit))
        room = limit - len(self._before) - len(self._after)
        ids = list(itertools.islice(self._ids_of(text), max(0, room)))
        return [*self._before, *ids, *self._after]

    def encode_all(self, texts: Sequence[str], limit: int) -> list[list[int]]:
        """The ids of each of *texts* without marks: many short texts at once, at a fraction of the cost."""
        words = [self._words(text) for text in texts]
        met = self._met
        unmet = dict.fromkeys(word for each in words for word in each if word not in met)
        fresh: dict[str, list[int]] = {}
        for block in _blocks(list(unmet)):
            fresh.update(zip(block, self._segment(block), strict=True))
        self._keep(fresh)
        return [
            list(
                itertools.islice(
                    itertools.chain.from_iterable(
                        fresh[word] if word in fresh else met[word] for word in each
                    ),
                    limit,
                )
            )
            for each in words
        ]

    def _ids_of(self, text: str) -> Iterator[int]:
        for words in _blocks(self._words(text)):
            met = self._met  # another thread may put a new one in its place meanwhile
            unmet = [word for word in dict.fromkeys(words) if word not in met]
            fresh = dict(zip(unmet, self._segment(unmet), strict=True))
            for word in words:
                yield from fresh[word] if word in fresh else met[word]
            self._keep(fresh)

    def _keep(self, fresh: dict[str, list[int]]) -> None:
        if len(self._met) + len(fresh) > _KEPT_WORDS:
            self._met = {}
        self._met.update((word, ids) for word, ids in fresh.items() if len(word) <= _KEPT_WORD)

    def _words(self, text: str) -> Sequence[str]:
        normalizer, parting = self._bare.normalizer, self._bare.pre_tokenizer
        if normalizer is not None:
            text = normalizer.normalize_str(text)
        if parting is None:
            return [text]
        return [word for word, _ in parting.pre_tokenize_str(text)]

    def _segment(self, words: Sequence[str]) -> list[list[int]]:
        """Ids of each of *words*."""
        codes = _codes("".join(words))
        if not len(codes):
            return [[] for _ in words]
        sizes = [len(word) for word in words]
        ends = list(itertools.accumulate(sizes))
        room = np.repeat(ends, sizes) - np.arange(len(codes))  # characters to the word's end
        starts, lengths, ids = self._matches(codes, room)
        scores = self._scores[ids].tolist()
        spans = [(end - size, end) for size, end in zip(sizes, ends, strict=True)]
        back, piece = self._best_paths(starts.tolist(), lengths.tolist(), ids.tolist(), scores, spans)
        return [self._path(back, piece, *span) for span in spans]

    def _matches(self, codes: np.ndarray, room: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every piece at every place: starts, lengths, ids; by start, then length."""
        found = []
        values = codes.astype(np.uint64) + np.uint64(1)
        at = np.arange(len(codes))
        hashes = np.zeros(len(codes), np.uint64)
        power = 1
        for length in range(1, self._longest + 1):
            inside = room >= length
            at, room, hashes = at[inside], room[inside], hashes[inside]
            if not len(at):
                break
            hashes = hashes + values[at + (length - 1)] * np.uint64(power)
            power = power * int(_ROLL) & 0xFFFFFFFFFFFFFFFF
            ids = self._look_up(hashes)
            hit = np.flatnonzero(ids >= 0)
            found.append((at[hit], np.full(len(hit), length), ids[hit]))
        starts, lengths, ids = (np.concatenate(part) for part in zip(*found, strict=True))
        order = np.lexsort((lengths, starts))
        return starts[order], lengths[order], ids[order]

    def _look_up(self, hashes: np.ndarray) -> np.ndarray:
        """Piece ids, -1 where there is none: ``(n,) int32``."""
        slots = _slots(hashes, self._bits)
        result = np.asarray(self._ids[slots])
        missed = np.flatnonzero((result >= 0) & (self._keys[slots] != hashes))
        while len(missed):
            slots[missed] = (slots[missed] + 1) & (len(self._ids) - 1)
            result[missed] = self._ids[slots[missed]]
            missed = missed[(result[missed] >= 0) & (self._keys[slots[missed]] != hashes[missed])]
        return result

    def _best_paths(self, starts, lengths, ids, scores, words: list[tuple[int, int]]):
        """For every end of a piece on the best path to it: where that piece starts, and its id."""
        count = words[-1][1] + 1
        best, back, piece = [float("-inf")] * count, [0] * count, [self._unknown] * count
        unknown, unknown_score = self._unknown, self._unknown_score
        place, total = 0, len(starts)
        for begin, word_end in words:
            best[begin] = 0.0  # a word's path depends on nothing before it
            for start in range(begin, word_end):
                here = best[start]
                alone = False
                while place < total and starts[place] == start:
                    end = start + lengths[place]
                    if end == start + 1:
                        alone = True
                    score = here + scores[place]
                    if score > best[end]:
                        best[end], back[end], piece[end] = score, start, ids[place]
                    place += 1
                if not alone and here + unknown_score > best[start + 1]:
                    best[start + 1], back[start + 1], piece[start + 1] = here + unknown_score, start, unknown
        return back, piece

    def _path(self, back: list[int], piece: list[int], start: int, end: int) -> list[int]:
        """The pieces of the word from *start* to *end*; neighbouring unknown characters are one piece."""
        path: list[int] = []
        while end > start:
            number = piece[end]
            if number != self._unknown or not path or path[-1] != number:
                path.append(number)
            end = back[end]
        path.reverse()
        return path


def _blocks(words: Sequence[str]) -> Iterator[list[str]]:
    block: list[str] = []
    size = 0
    for word in words:
        block.append(word)
        size += len(word)
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block
