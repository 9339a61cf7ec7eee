"""The record of an embedding model: everything that makes its vectors what they are.

A record is a JSON file: the catalogue's beside the product's resources, an installed model's beside
its files. Vectors of two records with the same `identity` may be compared; others never.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from zbm_core.errors import ZbmError

RECORD_FILE = "record.json"
#: Bytes of a record at most: a mean of 8,192 floats and room for the rest.
MAX_RECORD = 1_000_000


class ModelError(ZbmError):
    """A model cannot be read, is not whole, or is not of a kind that can be used."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model. An unknown size or hash is asked of the hub, at the pinned revision."""

    path: str  # within the repository, and within the model's folder
    size: int | None = None  # bytes
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured over the corpus of triples; cosines are of centred vectors.

    floor: 95th percentile of (query, near miss); ceiling: median of (query, passage that answers it).
    """

    floor: float
    ceiling: float
    mean: tuple[float, ...]  # of passages, `width` long
    query_mean: tuple[float, ...] = ()  # of queries; empty: the passages' serves both

    def fraction(self, score: float) -> float:
        """Where *score* lies between floor and ceiling: 0 at the floor, 1 at the ceiling, not clamped above."""
        return max(0.0, (score - self.floor) / (self.ceiling - self.floor))


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    revision: str  # ours: changes whenever anything here changes the vectors
    repository: str  # on the hub, "" for a model that comes with a package
    hub_revision: str  # commit
    files: tuple[ModelFile, ...]
    graph: str  # path of the ONNX graph among the files
    tokenizer: str  # path of tokenizer.json
    pooling: str  # "mean", "cls", "last"; "none" where the graph pools itself
    native_width: int
    width: int  # stored; narrower than native only for Matryoshka models
    max_tokens: int
    query_prefix: str = ""
    passage_prefix: str = ""
    leading_space: bool = False  # a runtime tokenizer that fails to add the first word's marker
    licence: str = ""
    title: str = ""  # as the window shows it
    calibration: Calibration | None = None

    @property
    def identity(self) -> str:
        """What stored vectors depend on; calibration's mean is part of it, floor and ceiling are not."""
        return f"{self.name}/{self.revision}"

    @property
    def download_size(self) -> int | None:
        """Bytes, None when a file's size is not known."""
        sizes = [file.size for file in self.files]
        return None if None in sizes else sum(sizes)

    def calibrated(self, calibration: Calibration) -> Model:
        return replace(self, calibration=calibration)

    # --- as JSON --------------------------------------------------------------------------------------

    def to_json(self) -> str:
        fields: dict[str, Any] = asdict(self)
        if self.calibration is not None:
            fields["calibration"]["mean"] = _pack(self.calibration.mean)
            fields["calibration"]["query_mean"] = _pack(self.calibration.query_mean)
        return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str) -> Model:
        """Raises `ModelError` naming *where* for anything but a whole record."""
        try:
            fields = json.loads(text)
            files = tuple(ModelFile(**file) for file in fields.pop("files"))
            calibration = fields.pop("calibration", None)
            if calibration is not None:
                calibration = Calibration(
                    floor=float(calibration["floor"]),
                    ceiling=float(calibration["ceiling"]),
                    mean=_unpack(calibration["mean"]),
                    query_mean=_unpack(calibration.get("query_mean", "")),
                )
            model = cls(files=files, calibration=calibration, **fields)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(
                f"The model record {where} is damaged. Download the model again.", str(error)
            ) from error
        model.check()
        return model

    def check(self) -> None:
        """Raise `ModelError` for a record no encoder could honour."""
        wrong = ""
        if not 0 < self.width <= self.native_width:
            wrong = f"width {self.width} of {self.native_width}"
        elif self.pooling not in {"mean", "cls", "last", "none"}:
            wrong = f"pooling {self.pooling!r}"
        elif self.max_tokens < 8:
            wrong = f"{self.max_tokens} tokens at most"
        elif self.calibration is not None and (
            len(self.calibration.mean) != self.width
            or len(self.calibration.query_mean) not in {0, self.width}
            or self.calibration.ceiling <= self.calibration.floor
        ):
            wrong = "a calibration of another model"
        elif any(not _inside(file.path) for file in self.files):
            wrong = "a file outside its folder"
        if wrong:
            raise ModelError(f"The model {self.name} cannot be used: its record says {wrong}.")


def load_record(file: Path) -> Model:
    """Raises `ModelError` when *file* is not a whole record."""
    try:
        if file.stat().st_size > MAX_RECORD:
            raise ModelError(f"The model record {file.name} is far too large to be one.")
        return Model.from_json(file.read_text("utf-8"), file.name)
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"The model record {file.name} could not be read.", str(error)) from error


def _inside(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return bool(path) and ":" not in path and all(part not in {"", ".", ".."} for part in parts)


def _pack(values: Sequence[float]) -> str:
    import numpy as np

    return base64.b64encode(np.asarray(values, "<f4").tobytes()).decode("ascii")


def _unpack(text: str) -> tuple[float, ...]:
    import numpy as np

    return tuple(np.frombuffer(base64.b64decode(text, validate=True), "<f4").astype(float).tolist())
