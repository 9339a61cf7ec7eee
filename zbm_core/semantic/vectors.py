"""From a model's output to a stored row, and back to a cosine.

A row is the model's vector cut to its width, normalised, centred on the model's mean, normalised again
and quantized to int8. The shared mean would otherwise spend most of the eight bits.
"""

from __future__ import annotations

import numpy as np

#: Largest magnitude of a quantized component. -128 is left unused so that the range is symmetric.
INT8_MAX = 127


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


def centre(vectors: np.ndarray, mean: np.ndarray | None) -> np.ndarray:
    """Subtract *mean* ``(width,)`` and normalise again; rows of zeros stay zeros."""
    if mean is None:
        return vectors
    return _normalise(np.where(usable(vectors)[:, None], vectors - mean, 0).astype(np.float32))


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
