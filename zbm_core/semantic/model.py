"""The record of an embedding model: everything that makes its vectors what they are.

A record is a JSON file: the catalogue's beside the product's resources, an installed model's beside
its files. Vectors of two records with the same `identity` may be compared; others never.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zbm_core.errors import ZbmError

if TYPE_CHECKING:
    import numpy as np

RECORD_FILE = "record.json"
#: Bytes of a record at most: the means of twenty languages, 4,096 wide, and room for the rest.
MAX_RECORD = 2_000_000
#: What a model may be called: it is the name of its folder.
NAME = r"[\w-][\w.-]*"


class ModelError(ZbmError):
    """A model cannot be read, is not whole, or is not of a kind that can be used."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model. An unknown size or hash is asked of the hub, at the pinned revision."""

    path: str  # within the repository, and within the model's folder
    size: int | None = None  # bytes
    sha256: str | None = None
    blob: str | None = None  # git's id of the content (SHA-1), where the hub has no SHA-256 of it


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured over the corpus of triples (`calibration.py`); cosines are of centred vectors."""

    floor: float  # below it a chunk is no match
    near_miss: float  # above it a chunk is surely about the query
    ceiling: float  # the median of texts that answer
    share: float  # of a mean that centring takes away
    languages: tuple[str, ...]  # one mean for each, ISO 639-1
    means: bytes  # of passages: ``(languages, width)`` little-endian float32
    query_means: bytes  # of queries, likewise

    def fraction(self, score: float) -> float:
        """Where *score* lies between floor and ceiling: 0 at the floor, 1 at the ceiling, not clamped above."""
        return max(0.0, (score - self.floor) / (self.ceiling - self.floor))

    def table(self, *, query: bool) -> np.ndarray:
        """The means of one side: ``(languages, width) float32``."""
        import numpy as np

        flat = np.frombuffer(self.query_means if query else self.means, "<f4")
        return flat.reshape(len(self.languages), -1)


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
    kind: str = "encoder"  # "encoder" ranks; "static" picks the line to quote (`picker.py`)

    @property
    def identity(self) -> str:
        """What stored vectors depend on: the passages' means are part of it, floor and ceiling are not."""
        base = f"{self.name}/{self.revision}"
        if self.calibration is None:
            return base
        centring = hashlib.sha256(self.calibration.means + str(self.calibration.share).encode())
        return f"{base}/{centring.hexdigest()[:12]}"

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
            for side in ("means", "query_means"):
                fields["calibration"][side] = base64.b64encode(fields["calibration"][side]).decode("ascii")
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
                    near_miss=float(calibration["near_miss"]),
                    ceiling=float(calibration["ceiling"]),
                    share=float(calibration["share"]),
                    languages=tuple(calibration["languages"]),
                    means=base64.b64decode(calibration["means"], validate=True),
                    query_means=base64.b64decode(calibration["query_means"], validate=True),
                )
            model = cls(files=files, calibration=calibration, **fields)
            model.check()
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(
                f"The model record {where} is damaged. Download the model again.", str(error)
            ) from error
        return model

    def check(self) -> None:
        """Raise `ModelError` for a record no encoder could honour."""
        wrong = ""
        if not re.fullmatch(NAME, self.name):
            wrong = "a name that is no name"
        elif not 0 < self.width <= self.native_width:
            wrong = f"width {self.width} of {self.native_width}"
        elif self.kind not in {"encoder", "static"}:
            wrong = f"kind {self.kind!r}"
        elif self.pooling not in {"mean", "cls", "last", "none"}:
            wrong = f"pooling {self.pooling!r}"
        elif self.max_tokens < 8:
            wrong = f"{self.max_tokens} tokens at most"
        elif self.calibration is not None and not self._fits(self.calibration):
            wrong = "a calibration of another model"
        elif any(not _inside(file.path) for file in self.files):
            wrong = "a file outside its folder"
        if wrong:
            raise ModelError(f"The model {self.name} cannot be used: its record says {wrong}.")

    def _fits(self, calibration: Calibration) -> bool:
        size = 4 * self.width * len(calibration.languages)
        return (
            bool(calibration.languages)
            and len(calibration.means) == len(calibration.query_means) == size
            and 0 <= calibration.share <= 1
            and calibration.floor < calibration.ceiling
        )


def load_record(file: Path) -> Model:
    """Raises `ModelError` when *file* is not a whole record."""
    try:
        if file.stat().st_size > MAX_RECORD:
            raise ModelError(f"The model record {file.name} is far too large to be one.")
        return Model.from_json(file.read_text("utf-8"), file.name)
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"The model record {file.name} could not be read.", str(error)) from error


def write_record(file: Path, model: Model) -> None:
    """Write *model* to *file*, whole or not at all."""
    draft = file.with_name(file.name + ".new")
    draft.write_text(model.to_json(), "utf-8")
    draft.replace(file)


def _inside(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return bool(path) and ":" not in path and all(part not in {"", ".", ".."} for part in parts)
