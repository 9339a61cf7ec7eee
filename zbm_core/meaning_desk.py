"""The engine's side of searching by meaning: which model, its index, and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from zbm_core.engine_records import EngineError, MeaningStatus, ModelChoice
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.gauges import Recorder
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Match
from zbm_core.settings import Settings

if TYPE_CHECKING:
    from zbm_core.library import Library
    from zbm_core.semantic import Meaning, Model, Preparing, Shelf


class MeaningDesk:
    """Holds the open `Meaning`. Opening and closing are the engine's to guard; the rest is for any thread.

    Args:
        models: where the models of this computer are.
        settings: the user's choices.
    """

    def __init__(self, models: Path, settings: Settings) -> None:
        self._models = models
        self._settings = settings
        self.meaning: Meaning | None = None
        self.recorder = Recorder()  # of every batch the model computes

    @property
    def shelf(self) -> Shelf:
        """The embedding models of this computer."""
        from zbm_core.semantic import Shelf

        return Shelf(self._models)

    @property
    def wanted(self) -> bool:
        return self._settings.get("search.semantic")

    def installed(self) -> Model | None:
        """The model to search with at once: one that is here already and calibrated."""
        if not self.wanted:
            return None
        preferred = self._settings.get("semantic.model")
        model = self.shelf.installed(preferred) if preferred else self.shelf.best_installed()
        return model if model is not None and model.calibration is not None else None

    def prepare(
        self, cancel: CancelToken | None, on_progress: Callable[[Preparing], None] | None
    ) -> tuple[Model, str]:
        """The model to search with, installed if there is none, and a notice for the user.

        Raises:
            ModelError, DownloadError: no model can be had. Cancelled.
        """
        from zbm_core.semantic import prepare_model

        preferred = self._settings.get("semantic.model")
        prepared = prepare_model(self.shelf, preferred, None, cancel, on_progress)
        return prepared.model, prepared.notice

    def open(self, model: Model, file: Path, user_key: str, check: bool = False) -> str:
        """Open the index of vectors by *model*, unless it is open; what opening had to repair."""
        from zbm_core.semantic import Encoder, Meaning

        if self.meaning is not None and self.meaning.model == model:
            return ""
        self.close()
        encoder = Encoder(self.shelf.folder_of(model.name), model, picker=self.shelf.best_picker())
        encoder.on_batch = self.recorder.add
        self.meaning = Meaning(file, user_key, encoder, check=check)
        return self.meaning.index.notice

    def close(self) -> None:
        """Search by words alone from now on; what is indexed is kept."""
        if self.meaning is not None:
            self.meaning.close()
            self.meaning = None

    def status(self) -> MeaningStatus:
        meaning = self.meaning
        if meaning is None:
            return MeaningStatus(self.wanted)
        embedded, waiting = meaning.index.counts()
        model = meaning.model
        total = embedded + waiting
        return MeaningStatus(
            True, model.title or model.name, model.licence, embedded, total, model.download_size
        )

    def choices(self) -> tuple[ModelChoice, ...]:
        """Every model that can be searched with, those on this computer first. Looks at the disk."""
        shelf, used = self.shelf, self.meaning.model.name if self.meaning is not None else ""
        found = []
        for name, known in shelf.catalogue().items():
            here = shelf.installed(name)
            size = (here or known).download_size
            title = known.title or name
            found.append(ModelChoice(name, title, known.licence, size, here is not None, name == used))
        return tuple(sorted(found, key=lambda choice: (not choice.installed, choice.title.casefold())))

    def warm_up(self) -> None:
        """Load the model for a query that is being typed. Its failure is the query's to tell."""
        from zbm_core.semantic import EncoderError

        meaning = self.meaning
        if meaning is not None and meaning.ready:
            with suppress(EncoderError, Cancelled):
                meaning.encoder.warm_up()

    def similar(self, library: Library, item: ItemKey, limit: int) -> list[Match]:
        """See `Engine.similar`; *item* is a top-level one."""
        from zbm_core.search import similar_items

        meaning = self.meaning
        if meaning is None or not meaning.ready:
            raise EngineError("Similar items are found by meaning, which is off or still being prepared.")
        return similar_items(meaning, library, item, limit)
