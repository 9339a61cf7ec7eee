"""From a model's output to a stored row, and back to a cosine.

A row is the model's vector cut to its width, normalised, centred, normalised again and quantized to int8.

Vectors of one model share a direction, which would spend most of the eight bits, and those of one language share
another, which makes texts of the query's language rank above better ones in any other. So each vector is moved away
from the mean of its language, which it tells itself by what it is close to. How far and how sharply was chosen on
xquad (queries of five languages, English paragraphs) and holds with means measured on other texts (`calibration.py`).
"""

from __future__ import annotations

import numpy as np

#: Largest magnitude of a quantized component. -128 is left unused so that the range is symmetric.
INT8_MAX = 127
#: Difference of cosines by which one language outweighs another e times. Of 0.02 to 0.2 the middle is best, and all
#: are close: a vector is nearly always much closer to one language than to the others.
SHARPNESS = 0.1


def finish(raw: np.ndarray, width: int) -> np.ndarray:
    """Cut ``(n, >= width) float`` to *width* columns and L2-normalise: ``(n, width) float32``.

    Rows that are zero or not finite come back as zeros; `usable` tells them apart.

    Raises:
        ValueError: the vectors are narrower than *width*.
    """
    raw = np.asarray(raw, np.float32)
    if raw.ndim != 2 or raw.shape[1] < width:
        raise ValueError(f"vectors of shape {raw.shape} are narrower than {width}")
    cut = raw[:, :width].copy()
    cut[~np.isfinite(cut).all(axis=1)] = 0
    return _normalise(cut)


def usable(vectors: np.ndarray) -> np.ndarray:
    """Which rows of *vectors* say anything: ``(n,) bool``."""
    return np.any(vectors != 0, axis=1)


def centre(vectors: np.ndarray, means: np.ndarray | None, share: float = 1.0) -> np.ndarray:
    """Move vectors away from the means they are close to, and normalise again; rows of zeros stay zeros.

    Args:
        vectors: ``(n, width)``, normalised.
        means: ``(languages, width)``. The mean that is taken away from a vector is that of all languages, each
            weighted by ``softmax(cosine / SHARPNESS)``, cosines taken about the means' own mean.
        share: of that mean.
    """
    if means is None:
        return vectors
    about = means.mean(axis=0)
    closeness = _normalise(vectors - about) @ _normalise(means - about).T / SHARPNESS
    weights = np.exp(closeness - closeness.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    moved = vectors - share * (weights @ means)
    return _normalise(np.where(usable(vectors)[:, None], moved, 0).astype(np.float32))


def quantize(vectors: np.ndarray) -> np.ndarray:
    """``(n, width) float32`` to ``(n, width) int8`` by ``127 / max|x|`` of each row, rounded."""
    peak = np.abs(vectors).max(axis=1, keepdims=True)
    scale = np.divide(INT8_MAX, peak, out=np.zeros_like(peak), where=peak > 0)
    return np.rint(vectors * scale).astype(np.int8)


def norms(rows: np.ndarray) -> np.ndarray:
    """L2 norms of int8 rows: ``(n,) float32``; 1 for a row of zeros, so that its cosine is 0."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.int64).astype(np.float64))
    return np.where(lengths > 0, lengths, 1).astype(np.float32)


def _normalise(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
