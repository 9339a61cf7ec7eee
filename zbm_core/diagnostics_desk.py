"""The engine's side of diagnostics: one look at all counters, and what searching by meaning would cost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zbm_core.diagnostics import Diagnostics, FileSizes, Shape, error_log
from zbm_core.documents.structure import Outcome
from zbm_core.gauges import ProcessSampler
from zbm_core.meaning_cost import MeaningCost, estimate
from zbm_core.meaning_desk import MeaningDesk

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.library import Library


class DiagnosticsDesk:
    """Args:
    meaning: whose recorder is told of every batch.
    open_parts: the searched library, its documents and the folder of its indexes; None while none is open.
    """

    def __init__(
        self,
        meaning: MeaningDesk,
        open_parts: Callable[[], tuple[Library, DocumentStore, Path] | None],
    ) -> None:
        self._meaning = meaning
        self._open_parts = open_parts
        self._processes = ProcessSampler()
        self._sizes = FileSizes()

    def look(self) -> Diagnostics:
        """Reads counters, the process table and, twice a minute, file sizes: off the UI thread."""
        import psutil

        parts, meaning = self._open_parts(), self._meaning.meaning
        memory = psutil.virtual_memory()
        recorder = self._meaning.recorder
        return Diagnostics(
            window=recorder.window(),
            run=recorder.total(),
            model="" if meaning is None else meaning.model.name,
            threads=0 if meaning is None else meaning.encoder.threads,
            cores=os.cpu_count() or 1,
            restarts=0 if meaning is None else meaning.encoder.restarts,
            passages=(0, 0) if meaning is None else meaning.index.counts(),
            processes=self._processes.sample(),
            memory_available=memory.available,
            memory_total=memory.total,
            shape=Shape.of(() if parts is None else _chunk_counts(parts[0], parts[1])),
            files=() if parts is None else self._sizes.of(parts[2]),
            errors=error_log.last(),
            renewals=(0, 0) if meaning is None else tuple(meaning.encoder.renewals),
        )

    def cost(self, name: str = "") -> MeaningCost | None:
        """What searching by meaning costs with the model *name*, or with the one that would be used; None while
        no library is open. Reads the state of every document: off the UI thread."""
        parts = self._open_parts()
        if parts is None:
            return None
        library, documents, _home = parts
        meaning, window = self._meaning.meaning, self._meaning.recorder.window()
        if not name and meaning is not None:
            name = meaning.model.name
        shelf = self._meaning.shelf
        installed = shelf.installed(name) if name else shelf.best_installed()
        model = installed or shelf.catalogue().get(name) or shelf.default()
        counts = _chunk_counts(library, documents)
        readable = sum(attachment.link_mode != 3 for attachment in library.attachments.values())
        settled = sum(documents.report(key) is not None for key in library.attachments)
        if not window.established:
            window = self._meaning.recorder.total()
        same = meaning is not None and meaning.model.name == model.name
        embedded, waiting = meaning.index.counts() if same else (0, 0)
        return estimate(
            # A model without a repository comes with the product.
            download=0 if installed is not None or not model.repository else model.download_size,
            prepared=installed is not None,
            width=model.width,
            read=sum(counts),
            unread_documents=max(0, readable - settled),
            records=len(library.items) + len(library.notes) + len(library.annotations),
            embedded=embedded,
            waiting=waiting,
            rate=window.chunks_per_second if same and window.established else None,
        )


def _chunk_counts(library: Library, documents: DocumentStore) -> list[int]:
    """Chunks of each document that was read."""
    reports = (documents.report(key) for key in library.attachments)
    return [report.chunks for report in reports if report is not None and report.outcome is Outcome.INDEXED]
