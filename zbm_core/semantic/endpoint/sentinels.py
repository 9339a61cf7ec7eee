"""The two texts of known vectors that go with every batch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from zbm_core.errors import CancelToken
from zbm_core.semantic.endpoint.verification import as_sent, long_text, probes, text_of_size, window_of

if TYPE_CHECKING:
    from zbm_core.semantic.encoder import Encoder

#: Sizes, in bytes, of the second text. It is at least as long as the longest of the batch where the model's window
#: allows, so that a server that has begun to cut texts is found out by the first batch that it cuts.
SIZES = (500, 1_000, 2_000, 4_000)


class Sentinels:
    """A short query and a passage as long as the texts it goes with, with this machine's vectors of both.

    Thread-safe; each is embedded here once, when it is first needed.
    """

    def __init__(self, local: Encoder) -> None:
        self._local = local
        self._lock = threading.Lock()
        self._known: dict[int, tuple[str, np.ndarray]] = {}
        window = window_of(local.model)
        self._sizes = tuple(size for size in SIZES if size < window)

    def beside(self, texts: Sequence[str], cancel: CancelToken) -> tuple[list[str], np.ndarray]:
        """What goes with *texts*, as it is sent, and its vectors ``(2, native width)``."""
        longest = max((len(text.encode()) for text in texts), default=0)
        size = next((size for size in self._sizes if size >= longest), 0)
        model = self._local.model
        with self._lock:
            query = self._of(-1, cancel)
            passage = self._of(size, cancel)
        return (
            [as_sent(model, query[0], query=True), as_sent(model, passage[0])],
            np.concatenate([query[1], passage[1]]),
        )

    def _of(self, size: int, cancel: CancelToken) -> tuple[str, np.ndarray]:
        """Args:
        size: in bytes; 0: what nearly fills the window; -1: the query.
        """
        if size not in self._known:
            if size < 0:
                text = probes().queries[0]
                self._known[size] = text, self._local.raw_query(text)
            elif size == 0:
                self._known[size] = long_text(self._local, cancel)
            else:
                text = text_of_size(size)
                self._known[size] = text, self._local.raw_passages([text], cancel)
        return self._known[size]
