"""One embedding run: every text that says something is given its vector.

Two steps, each finding its own work in the index, so a run that was cut short resumes where it was:
`reconcile` brings the rows in line with the library, `embed` fills those that wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zbm_core.documents.structure import Outcome
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.indexing.outcomes import document_report
from zbm_core.indexing.records import EmbeddingProgress, EmbeddingReport
from zbm_core.library.records import ItemKey
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.library import Library
    from zbm_core.semantic import Encoder, SemanticIndex

#: Sources reconciled in one transaction.
RECONCILE_BATCH = 50
#: Chunks embedded from one look at the index (facts of the reference: 500): enough that texts of like
#: length meet in a batch, few enough to read back in a moment.
POOL = 512
#: Seconds of a run before an estimate of the rest is worth showing (facts of the reference).
ESTABLISHED_SECONDS = 30.0


class EmbeddingRun:
    """Brings *index* in line with *library* by *encoder*.

    Args:
        on_progress: called from the running thread after each batch.
    """

    def __init__(
        self,
        library: Library,
        index: SemanticIndex,
        encoder: Encoder,
        documents: DocumentStore,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[EmbeddingProgress], None] | None = None,
    ) -> None:
        self._library = library
        self._index = index
        self._encoder = encoder
        self._documents = documents
        self._texts = SourceTexts(library, documents)
        self._cancel = cancel or CancelToken()
        self._on_progress = on_progress
        self._began = time.monotonic()
        self._embedded = self._tokens = self._padded = 0
        self._seconds = 0.0

    def run(self) -> EmbeddingReport:
        """Embed until done or cancelled; what landed is stored either way.

        Raises:
            ZbmError: the index cannot be written, or the model cannot be run.
        """
        finished = False
        try:
            self._reconcile()
            self._embed()
            finished = True
        except Cancelled:
            pass
        return EmbeddingReport(
            finished,
            self._progress(),
            self._embedded,
            self._tokens,
            self._padded,
            self._seconds,
            self._encoder.restarts,
        )

    # --- reconcile --------------------------------------------------------------------------------

    def _reconcile(self) -> None:
        wanted = self._wanted()
        stored = self._index.stamps()
        self._index.delete([key for key in stored if key not in wanted])
        outdated = [key for key, stamp in wanted.items() if stored.get(key) != stamp]
        for start in range(0, len(outdated), RECONCILE_BATCH):
            self._cancel.check()
            self._index.put(
                [
                    self._texts.embedding_source(key, wanted[key])
                    for key in outdated[start : start + RECONCILE_BATCH]
                ]
            )
        self._tell()

    def _wanted(self) -> dict[ItemKey, str]:
        """Stamps by source: the newest records first, then attachments that have been read, small ones first."""
        library = self._library
        records = self._texts.record_stamps()
        newest = sorted(records, key=lambda key: library.record(key).date_modified, reverse=True)
        wanted = {key: records[key] for key in newest}
        read = []
        for attachment in library.attachments.values():
            self._cancel.check()
            location = library.resolve(attachment)
            report = document_report(library, attachment, location, self._documents)
            if report is not None and report.outcome is Outcome.INDEXED:
                read.append((report.chunks, attachment, report.digest))
        for _, attachment, digest in sorted(read, key=lambda entry: entry[0]):
            wanted[attachment.key] = self._texts.attachment_stamp(attachment, digest)
        return wanted

    # --- embed ------------------------------------------------------------------------------------

    def _embed(self) -> None:
        self._began = time.monotonic()
        while pool := self._index.pending(POOL):
            places: list[tuple[ItemKey, int]] = []
            texts: list[str] = []
            for key, kind, chunks in pool:
                self._cancel.check()
                found = self._read(key, kind, chunks)
                gone = [chunk for chunk in chunks if chunk not in found]
                if gone:
                    self._index.drop(key, gone)
                places += [(key, chunk) for chunk in found]
                texts += found.values()
            for batch in self._encoder.batches(texts, self._cancel):
                self._store(places, batch)
                self._tell()

    def _read(self, key: ItemKey, kind, chunks: list[int]) -> dict[int, str]:
        from zbm_core.documents import NotCached

        try:
            return self._texts.embedding_texts(key, kind, chunks)
        except NotCached:
            return {}  # being read again: the next run brings it back with its new stamp

    def _store(self, places: list[tuple[ItemKey, int]], batch) -> None:
        from zbm_core.semantic import prepare

        rows = prepare(batch.vectors, self._encoder.model, query=False)
        self._index.store(
            (places[row][0], [places[row][1]], rows[number : number + 1])
            for number, row in enumerate(batch.rows)
        )
        self._embedded += len(batch.rows)
        self._tokens += batch.tokens
        self._padded += batch.padded
        self._seconds += batch.seconds

    # --- telling ------------------------------------------------------------------------------------

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._progress())

    def _progress(self) -> EmbeddingProgress:
        embedded, waiting = self._index.counts()
        elapsed = time.monotonic() - self._began
        left = None
        if elapsed >= ESTABLISHED_SECONDS and self._embedded:
            left = elapsed / self._embedded * waiting
        return EmbeddingProgress(embedded, embedded + waiting, left)
