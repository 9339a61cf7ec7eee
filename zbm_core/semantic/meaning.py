"""The embedding engine of one library: its model, the child that runs it, and the index of vectors."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from zbm_core.library.records import ItemKey
from zbm_core.semantic.records import ChunkHit, SemanticHit

if TYPE_CHECKING:
    import numpy as np

    from zbm_core.semantic.encoder import Encoder
    from zbm_core.semantic.index import SemanticIndex
    from zbm_core.semantic.model import Calibration, Model

#: Cosine between floor and an item's own texts at least: a text at the floor is no measure.
_LEAST_SPAN = 0.1
#: Version of what is embedded of a record (its texts, not how a model reads them): part of the index's identity.
TEXTS_VERSION = 1


@dataclass(frozen=True, slots=True)
class Likeness:
    """A hit with its place between floor and ceiling: 0 at the floor, above 1 past the ceiling."""

    hit: SemanticHit
    fraction: float


class Meaning:
    """Ready when its model is installed and calibrated; which is when it can be made.

    Args:
        file: semantic.sqlite.
        user_key: Zotero's localUserKey.
        encoder: of the installed model.
        check: look first whether every row of the index is what was written.

    Attributes:
        model, index, encoder: for indexing; searches go through `hits` and `passages`.
    """

    def __init__(self, file: Path, user_key: str, encoder: Encoder, *, check: bool = False) -> None:
        from zbm_core.semantic.index import SemanticIndex

        self.encoder = encoder
        self.model: Model = encoder.model
        self.index: SemanticIndex = SemanticIndex(
            file, user_key, f"{self.model.identity}/{TEXTS_VERSION}", self.model.width, check=check
        )

    @property
    def _calibration(self) -> Calibration:
        assert self.model.calibration is not None, "an uncalibrated model has no floor to search above"
        return self.model.calibration

    @property
    def ready(self) -> bool:
        """Whether anything can be found yet."""
        return len(self.index) > 0

    def query(self, text: str) -> np.ndarray:
        """The query's vector. Raises `EncoderError`."""
        return self.encoder.query(unquoted(text))

    def hits(self, query: np.ndarray, allowed: Set[ItemKey] | None = None) -> list[Likeness]:
        """Items that mean what *query* means, best first; nothing below the floor."""
        floor = self._calibration.floor
        return [
            Likeness(hit, self._calibration.fraction(hit.score))
            for hit in self.index.search(query, floor, allowed)
        ]

    def nearer(
        self, query: np.ndarray, chunks: Sequence[ChunkHit], weights: Sequence[float], share: float
    ) -> np.ndarray:
        """*query* ``(width,) int8`` moved toward *chunks*: their weighted mean adds *share* of its length."""
        import numpy as np

        from zbm_core.semantic.vectors import norms, quantize

        rows = self.index.rows_of(chunks)
        lengths = norms(rows)
        if not lengths.all():
            return query
        added = np.asarray(weights, np.float32) @ (rows / lengths[:, None])
        length = np.linalg.norm(added)
        if length < 1e-6:  # two that point apart
            return query
        moved = query / norms(query[None])[0] + share * added / length
        return quantize(moved[None].astype(np.float32))[0]

    def passages(self, query: np.ndarray, item: ItemKey) -> list[tuple[ChunkHit, float]]:
        """Every chunk of *item* above the floor, best first, each with its fraction."""
        calibration = self._calibration
        return [
            (hit, calibration.fraction(hit.score))
            for hit in self.index.passages(query, calibration.floor, item)
        ]

    def similar(self, item: ItemKey) -> list[Likeness] | None:
        """The other items that mean what *item* means as a whole, best first; None where it has no vectors.

        Passages lie closer to one another than a question to its answer, so the scale is the item's own: 0 at
        the floor, 1 where a text is as close to the item as the closest of the item's own.
        """
        vector = self.index.mean_of(item)
        if vector is None:
            return None
        floor = self._calibration.floor
        hits = self.index.search(vector, floor)
        own = max((hit.score for hit in hits if hit.item == item), default=1.0)
        span = max(own - floor, _LEAST_SPAN)
        return [Likeness(hit, (hit.score - floor) / span) for hit in hits if hit.item != item]

    def pick(self, text: str, groups: Sequence[Sequence[str]]) -> list[int]:
        """For each group of sentences, the index of the one closest to the query *text*.

        The first of each where there is no model to pick with.
        """
        return self.encoder.pick(unquoted(text), groups) or [0] * len(groups)

    def close(self) -> None:
        self.encoder.close()
        self.index.close()


def unquoted(text: str) -> str:
    """*text* without one pair of wrapping quotes: to a model they say nothing."""
    text = text.strip()
    return text[1:-1].strip() if len(text) > 2 and text[0] == text[-1] == '"' else text
