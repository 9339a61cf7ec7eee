"""The vectors' side of a run: rows that wait for one, and the model that fills them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Protocol

from zbm_core.errors import CancelToken
from zbm_core.indexing.records import EmbeddingProgress, EmbeddingReport
from zbm_core.indexing.survey import pages
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.library import Library
    from zbm_core.semantic import Batch, Meaning

    class PassageEncoder(Protocol):
        """`Encoder.batches`, of this computer's model or of a server's."""

        def batches(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Generator[Batch]: ...


#: Sources whose rows are written in one transaction.
PAGE = 50
#: Chunks embedded from one look at the index (facts of the reference: 500): enough that texts of like
#: length meet in a batch, few enough to read back in a moment.
POOL = 512


class VectorSteps:
    """Writes the index of *meaning*; the only code that does.

    Args:
        encoder: who embeds: the meaning's own, or a server of the same model.

    Attributes:
        behind: sources that do not have every vector they are to have: the records, and the attachments.
        embedded, tokens, padded, seconds: what the model did in this run.
    """

    def __init__(
        self, library: Library, meaning: Meaning, documents: DocumentStore, encoder: PassageEncoder
    ) -> None:
        self.meaning = meaning
        self._encoder = encoder
        self._index = meaning.index
        self._documents = documents
        self.take(library)
        self.behind: dict[bool, set[ItemKey]] = {True: set(), False: set()}  # by whether it is a record
        self.embedded = self.tokens = self.padded = 0
        self.seconds = 0.0

    def take(self, library: Library) -> None:
        """Go on with *library*."""
        self._library = library
        self._texts = SourceTexts(library, self._documents)

    def counts(self) -> tuple[int, int]:
        """``(embedded, waiting)`` passages."""
        return self._index.counts()

    def report(self, finished: bool) -> EmbeddingReport:
        """What this run did."""
        passages, waiting = self.counts()
        return EmbeddingReport(
            finished,
            EmbeddingProgress(passages, passages + waiting),
            self.embedded,
            self.tokens,
            self.padded,
            self.seconds,
            self.meaning.encoder.restarts,
        )

    # --- rows -----------------------------------------------------------------------------------------

    def reconcile(
        self, wanted: Mapping[ItemKey, str], order: Sequence[ItemKey], *, records: bool
    ) -> Iterator[None]:
        """Bring the rows of all records, or of all attachments, in line with *wanted* (stamps), *PAGE* sources at
        a time in the *order* given; what keeps its text keeps its vector.

        Raises:
            SemanticStoreError: they cannot be written.
        """
        stored = self._index.stamps()
        kinds = self._index.kinds()
        mine = [key for key in stored if (kinds[key] is not Kind.ATTACHMENT) == records]
        self._index.delete([key for key in mine if key not in wanted])
        outdated = [key for key in order if stored.get(key) != wanted[key]]
        self.behind[records] = set(outdated) | {key for key in self._waiting() if key in wanted}
        for page in pages(outdated, PAGE):
            sources = []
            for key in page:
                source = self._source(key, wanted[key])
                if source is not None:
                    sources.append(source)
                yield
            self._index.put(sources)
            waiting = self._waiting()
            self.behind[records].difference_update(key for key in page if key not in waiting)

    def _source(self, key: ItemKey, stamp: str):
        from zbm_core.documents import NotCached

        try:
            return self._texts.embedding_source(key, stamp)
        except NotCached:
            return None  # its pack is not whole: it is read again, and comes back then

    def rest(self) -> None:
        """Let the model go until it is needed again."""
        self.meaning.encoder.rest()

    def _waiting(self) -> dict[ItemKey, int]:
        return self._index.waiting()

    # --- vectors --------------------------------------------------------------------------------------

    def embed(
        self, order: Iterable[ItemKey], cancel: CancelToken, threads: Callable[[], int] = lambda: 1
    ) -> Iterator[None]:
        """Give the waiting rows of the sources in *order* their vectors, a batch at a time; durable after each.

        Args:
            threads: that a call of the model may use; asked after each batch, as the user may come back.

        Raises:
            EncoderError: the model cannot be run. SemanticStoreError: the rows cannot be written. Cancelled.
        """
        waiting = self._waiting()
        left = [key for key in order if key in waiting]
        while left:
            places, texts, rest = self._pool(left)
            using = threads()
            if texts:
                self.meaning.encoder.adapt(using)
            # Closed where it is left: what the model was still to do of these texts is not done then.
            with closing(self._encoder.batches(texts, cancel)) as batches:
                for batch in batches:
                    self._store(places, batch)
                    self._count_off(places, batch.rows)
                    yield
                    if threads() != using:
                        rest = left
                        break
            left = rest

    def _pool(self, order: list[ItemKey]) -> tuple[list[tuple[ItemKey, int]], list[str], list[ItemKey]]:
        """Up to `POOL` texts of the first sources in *order*, their places, and the sources that are left."""
        places: list[tuple[ItemKey, int]] = []
        texts: list[str] = []
        for taken, key in enumerate(order):
            room = POOL - len(places)
            if room <= 0:
                return places, texts, order[taken:]
            chunks = self._index.waiting_chunks(key, room)
            found = self._read(key, chunks)
            places += [(key, chunk) for chunk in found]
            texts += found.values()
            if len(chunks) == room:
                return places, texts, order[taken:]  # it may have more
        return places, texts, []

    def _read(self, key: ItemKey, chunks: list[int]) -> dict[int, str]:
        from zbm_core.documents import NotCached

        if self._library.record(key) is None:
            return {}  # gone since: the next pass removes its rows
        try:
            found = self._texts.embedding_texts(key, self._texts.kind_of(key), chunks)
        except (NotCached, IndexError):
            # Its pack is not whole, or another than its rows were cut from: without rows it comes back when the
            # document has been read again.
            self._index.delete([key])
            return {}
        gone = [chunk for chunk in chunks if chunk not in found]
        if gone:
            self._index.drop(key, gone)
        return found

    def _store(self, places: list[tuple[ItemKey, int]], batch: Batch) -> None:
        from zbm_core.semantic import prepare

        rows = prepare(batch.vectors, self.meaning.model, query=False)
        self._index.store(
            (places[row][0], [places[row][1]], rows[number : number + 1])
            for number, row in enumerate(batch.rows)
        )
        self.embedded += len(batch.rows)
        self.tokens += batch.tokens
        self.padded += batch.padded
        self.seconds += batch.seconds

    def _count_off(self, places: list[tuple[ItemKey, int]], rows: list[int]) -> None:
        for key in {places[row][0] for row in rows}:
            if not self._index.waiting_chunks(key, 1):
                for behind in self.behind.values():
                    behind.discard(key)
