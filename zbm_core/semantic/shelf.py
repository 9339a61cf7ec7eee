"""Models on this computer: the catalogue, what is installed, and the two ways to install one.

A model is a folder of its own with its files and its record; it is made under another name and renamed
when whole, so that what is there can be used. The default is fetched from its hub; the fallback is made
from a package that comes with the product, with no network.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from zbm_core.errors import CancelToken
from zbm_core.semantic.child import ChildDied, ChildLink
from zbm_core.semantic.hub import DownloadError, Hub, is_content_of, sha256_of
from zbm_core.semantic.model import (
    NAME,
    RECORD_FILE,
    Calibration,
    Model,
    ModelError,
    ModelFile,
    load_record,
    write_record,
)

DEFAULT_MODEL = "bekko-embedding-v1-a25m"
FALLBACK_MODEL = "multilingual-e5-small"
#: Models that pick the line to quote, the better first.
PICKERS = ("potion-multilingual-128M", "use-multilingual-v3")
#: Seconds without a sign of life in which a model's files must be made; 15 of CPU is usual.
MAKE_SECONDS = 300.0
_COMMIT = re.compile(r"[0-9a-f]{40}")

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
        """Known models that rank, by name: the product's, then those the user added."""
        return {name: model for name, model in self._known().items() if model.kind == "encoder"}

    def pickers(self) -> dict[str, Model]:
        """Known models that pick the line to quote, by name."""
        return {name: model for name, model in self._known().items() if model.kind != "encoder"}

    def default(self) -> Model:
        """The model that is fetched where none is chosen."""
        return self.catalogue()[DEFAULT_MODEL]

    def _known(self) -> dict[str, Model]:
        models = {}
        for folder in sorted(self._folder.glob(f"*/{RECORD_FILE}")):
            # A damaged installation counts as none; installing again repairs it.
            with contextlib.suppress(ModelError):
                model = load_record(folder)
                models[model.name] = model
        for file in sorted(self._catalogue.glob("*.json")):
            model = load_record(file)
            models[model.name] = model  # what the product knows of it now, not when it was installed
        return models

    def folder_of(self, name: str) -> Path:
        """Where the files of the model *name* are.

        Raises:
            ModelError: no model can have that name.
        """
        if not re.fullmatch(NAME, name):
            raise ModelError(f"{name} is not the name of a model.")
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
            if catalogued.revision != model.revision:
                return None  # the product has learned to make better vectors of it
            if model.calibration is None and catalogued.calibration is not None:
                model = model.calibrated(catalogued.calibration)
        return model

    def best_installed(self, preferred: str = "") -> Model | None:
        """The *preferred* model if it is installed, else the default, else the fallback."""
        for name in (preferred, DEFAULT_MODEL, FALLBACK_MODEL):
            model = self.installed(name) if name else None
            if model is not None and model.kind == "encoder":
                return model
        return None

    def best_picker(self) -> tuple[Path, Model] | None:
        """Folder and record of the best installed model that picks the line to quote; for `Encoder`."""
        for name in PICKERS:
            model = self.installed(name)
            if model is not None:
                return self.folder_of(name), model
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
        draft = self.folder_of(model.name).with_name(f".{model.name}.new")
        try:
            draft.mkdir(parents=True, exist_ok=True)
            if model.repository:
                model = self._fetch(model, draft, hub or Hub(), cancel, on_progress)
            _made(draft, model, cancel)
            files = tuple(_measured(draft, file) for file in model.files)
            return self._finish(draft, replace(model, files=files), cancel)
        except OSError as error:
            raise ModelError(
                "The model could not be written: the disk may be full. Free some space and try again.",
                str(error),
            ) from error

    def _fetch(
        self, model: Model, draft: Path, hub: Hub, cancel: CancelToken, on_progress: Progressed | None
    ) -> Model:
        """Fetch every file into *draft*; the record with the commit, sizes and hashes they have."""
        if not _COMMIT.fullmatch(model.hub_revision):
            model = replace(
                model, hub_revision=hub.about(model.repository, model.hub_revision or "main")["sha"]
            )
        model = replace(model, files=self._with_sizes(model, hub))
        total, before = model.download_size, 0
        for file in model.files:
            cancel.check()
            target = draft / file.path
            if not (_whole(target, file) and is_content_of(target, file)):
                told = _added_to(before, total, on_progress)
                hub.fetch(model.repository, model.hub_revision, file, target, cancel, told)
            before += file.size or 0
        return model

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
            files.append(replace(there, size=file.size or there.size, sha256=file.sha256 or there.sha256))
        return tuple(files)

    def _finish(self, draft: Path, model: Model, cancel: CancelToken) -> Model:
        cancel.check()
        # The product's own calibration is left with the product: a later version may bring a better one.
        known = self._catalogue / f"{model.name}.json"
        kept = replace(model, calibration=None) if known.is_file() else model
        write_record(draft / RECORD_FILE, kept)
        target = self.folder_of(model.name)
        if target.exists():
            # Renamed, not deleted: a child may still be reading it, and on Windows that would fail half way.
            old = target.with_name(f".{model.name}.old")
            shutil.rmtree(old, ignore_errors=True)
            target.replace(old)
            draft.replace(target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            draft.replace(target)
        return self.installed(model.name) or model

    def calibrate(self, name: str, calibration: Calibration) -> Model:
        """Write *calibration* into an installed model's record.

        Raises:
            ModelError: it is not installed, or the calibration is of another model.
        """
        model = self.installed(name)
        if model is None:
            raise ModelError(f"The model {name} is not installed.")
        model = model.calibrated(calibration)
        model.check()
        write_record(self.folder_of(name) / RECORD_FILE, model)
        return model

    def publish(self, name: str, calibration: Calibration) -> Path:
        """Write *calibration* into the catalogue, for everyone who gets the product; the file written.

        Raises:
            ModelError: the catalogue has no such model.
        """
        file = self._catalogue / f"{name}.json"
        if not file.is_file():
            raise ModelError(f"The catalogue has no model {name}.")
        model = load_record(file).calibrated(calibration)
        model.check()
        write_record(file, model)
        return file

    def remove(self, name: str) -> None:
        """Delete an installed model's files."""
        shutil.rmtree(self.folder_of(name), ignore_errors=True)


def _made(draft: Path, model: Model, cancel: CancelToken) -> None:
    """Have a child make in *draft* what the model's files do not bring: it takes memory this process would keep."""
    link = ChildLink()
    try:
        number, inbox = link.ask({"op": "make", "folder": str(draft), "record": model.to_json()})
        answer = link.receive(inbox, MAKE_SECONDS, cancel)
        link.forget(number)
    except ChildDied as death:
        raise ModelError("The model's files could not be made. Try again.", str(death)) from death
    finally:
        link.end()
    if "error" in answer:
        raise ModelError(answer["error"], answer.get("detail", ""))


def _measured(draft: Path, file: ModelFile) -> ModelFile:
    path = draft / file.path
    if file.size is not None and file.sha256 is not None:
        return file
    return ModelFile(file.path, path.stat().st_size, sha256_of(path))


def _whole(path: Path, file: ModelFile) -> bool:
    return path.is_file() and (file.size is None or path.stat().st_size == file.size)


def _added_to(before: int, total: int | None, on_progress: Progressed | None) -> Callable[[int], None] | None:
    if on_progress is None:
        return None
    return lambda here: on_progress(before + here, total)
