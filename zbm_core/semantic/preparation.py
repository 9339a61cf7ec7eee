"""Getting from nothing to a model that can be searched with: install, calibrate, start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zbm_core.errors import CancelToken
from zbm_core.semantic.calibration import calibrate, corpus_file, load_triples
from zbm_core.semantic.encoder import Encoder
from zbm_core.semantic.hub import DownloadError, Hub
from zbm_core.semantic.model import Model, ModelError
from zbm_core.semantic.shelf import DEFAULT_MODEL, FALLBACK_MODEL, PICKERS, Shelf


@dataclass(frozen=True, slots=True)
class Preparing:
    """What is being done, for the user to see."""

    what: str  # "Downloading bekko-embedding-v1-a25m", "Calibrating multilingual-e5-small"
    done: int = 0  # bytes
    total: int | None = None  # None: not known


@dataclass(frozen=True, slots=True)
class Prepared:
    model: Model
    notice: str = ""  # why it is not the model one would expect


Told = Callable[[Preparing], None]


def prepare_model(
    shelf: Shelf,
    preferred: str = "",
    hub: Hub | None = None,
    cancel: CancelToken | None = None,
    on_progress: Told | None = None,
) -> Prepared:
    """A model that is installed and calibrated: the *preferred* one, else the default, else the fallback.

    What is installed is used as it is. With nothing installed the default is fetched; where no hub can be
    reached the fallback is made from the package that comes with the product.

    Raises:
        ModelError, DownloadError: not even the fallback can be had. Cancelled.
    """
    cancel = cancel or CancelToken()
    tell = on_progress or (lambda preparing: None)
    notice = ""
    model = shelf.installed(preferred) if preferred else shelf.best_installed()
    if model is None:
        model, notice = _install(shelf, preferred or DEFAULT_MODEL, hub, cancel, tell)
    _install_picker(shelf, model, hub, cancel, tell)
    if model.calibration is None:
        tell(Preparing(f"Calibrating {model.title or model.name}"))
        model = calibrate_installed(shelf, model, cancel)
    return Prepared(model, notice)


def calibrate_installed(shelf: Shelf, model: Model, cancel: CancelToken | None = None) -> Model:
    """Measure *model* over the product's corpus and write what was measured into its record.

    Raises:
        ModelError: it cannot tell answers from near misses. EncoderError. Cancelled.
    """
    encoder = Encoder(shelf.folder_of(model.name), model)
    try:
        return shelf.calibrate(model.name, calibrate(encoder, load_triples(corpus_file()), cancel=cancel))
    finally:
        encoder.close()


def _install(shelf: Shelf, name: str, hub: Hub | None, cancel: CancelToken, tell: Told) -> tuple[Model, str]:
    known = shelf.catalogue()
    if name not in known:
        raise ModelError(f"The model {name} is not known. Choose another one in Preferences.")
    try:
        return _installed_from(shelf, known[name], hub, cancel, tell), ""
    except DownloadError as error:
        fallback = shelf.installed(FALLBACK_MODEL)
        if fallback is None:
            fallback = _installed_from(shelf, known[FALLBACK_MODEL], hub, cancel, tell)
        return fallback, (
            f"{known[name].title} could not be downloaded, so {fallback.title} is in use. ({error.message})"
        )


def _installed_from(shelf: Shelf, model: Model, hub: Hub | None, cancel: CancelToken, tell: Told) -> Model:
    what = f"{'Downloading' if model.repository else 'Preparing'} {model.title or model.name}"
    tell(Preparing(what))
    return shelf.install(model, hub, cancel, lambda done, total: tell(Preparing(what, done, total)))


def _install_picker(shelf: Shelf, model: Model, hub: Hub | None, cancel: CancelToken, tell: Told) -> None:
    """A model that picks quotes, from where *model* came from. None is no failure: quotes open at the beginning."""
    if shelf.best_picker() is not None:
        return
    known = shelf.pickers()
    for name in PICKERS:
        if name not in known or (known[name].repository and not model.repository):
            continue  # no hub a moment ago is no hub now
        try:
            _installed_from(shelf, known[name], hub, cancel, tell)
            return
        except (DownloadError, ModelError):
            continue
