"""The words' side of a run: sources put into the word index, committed now and then, counted when stored."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.indexing.outcomes import needs_attention, stated
from zbm_core.library.records import Attachment, ItemKey
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.indexing.survey import Known
    from zbm_core.lexical import LexicalIndex
    from zbm_core.lexical.records import Source
    from zbm_core.library import Library

#: A commit costs about 50 ms whatever it holds (facts of the word engine), so small work is pooled.
COMMIT_SECONDS = 1.5
#: Every commit is a segment more, and merging many small ones costs the word engine as much as all else: in a long run
#: as many seconds pass as a tenth of what it took so far, up to this many. More passages than this are not pooled, for
#: what is edited in Zotero waits for a commit under way: a second or two of CPU.
LONGEST_POOLING, MOST_PASSAGES = 8.0, 2_000
#: Records whose texts are read in one go.
RECORD_BATCH = 500


class WordSteps:
    """Writes *index*; the only code that does.

    Attributes:
        records_done, documents_done, attention: counted when they are stored, never before.
        written, deleted: sources in this run.
    """

    def __init__(self, library: Library, index: LexicalIndex, documents: DocumentStore) -> None:
        self._index = index
        self._documents = documents
        self.take(library)
        self.records_done = self.documents_done = self.attention = 0
        self.written = self.deleted = 0
        self._uncommitted = False
        self._pending_records = self._pending_documents = self._pending_attention = 0
        self._passages = 0  # not yet committed
        self._began = self._last_commit = time.monotonic()

    def take(self, library: Library) -> None:
        """Go on with *library*."""
        self._library = library
        self._texts = SourceTexts(library, self._documents)
        self._stored = self._index.stamps()

    # --- items, notes and annotations ---------------------------------------------------------------

    def records(self, wanted: dict[ItemKey, str], outdated_first: Sequence[ItemKey]) -> Iterator[None]:
        """Bring the records in line: what is *wanted* with its stamps, in the order given; a step at a time."""
        attachments = self._library.attachments
        self._delete([key for key in self._stored if key not in wanted and key not in attachments])
        self.records_done = len(wanted) - len(outdated_first)
        for start in range(0, len(outdated_first), RECORD_BATCH):
            batch = outdated_first[start : start + RECORD_BATCH]
            for source in self._texts.records(batch, wanted):
                self._put(source)
                self._pending_records += 1
                self._commit_when_due()
                yield
        self.commit()

    def outdated(self, wanted: dict[ItemKey, str]) -> list[ItemKey]:
        """The records that must be written anew."""
        return [key for key, stamp in wanted.items() if self._stored.get(key) != stamp]

    # --- attachments ----------------------------------------------------------------------------------

    def begin_documents(self) -> None:
        """Count attachments from none."""
        self.documents_done = self.attention = 0

    def enter(self, known: Known, report: DocumentReport) -> None:
        """Enter how reading an attachment ended, and count it with the next commit.

        Raises:
            NotCached: what was read of it is not whole; nothing of it was changed, and it must be read again.
        """
        report = stated(report, known.location)
        self.settle(known.attachment, report)
        self._pending_documents += 1
        self._pending_attention += needs_attention(report, known.location)
        self._commit_when_due()

    def settle(self, attachment: Attachment, report: DocumentReport) -> None:
        """Make the index hold what *report* says of *attachment*, and nothing else."""
        read = report.outcome is Outcome.INDEXED
        stored = self._stored.get(attachment.key)
        if not read and not self._texts.speaks_for_itself(attachment):
            if stored is not None:
                self._delete([attachment.key])
            return
        stamp = self._texts.attachment_stamp(attachment, report.digest if read else report.outcome)
        if stored == stamp:
            return
        chunks = self._documents.chunks(attachment.key) if read else ()
        self._put(self._texts.attachment(attachment, chunks, stamp))

    # --- writing --------------------------------------------------------------------------------------

    def _put(self, source: Source) -> None:
        self._index.put(source)
        self._stored[source.key] = source.stamp
        self.written += 1
        self._passages += len(source.passages)
        self._uncommitted = True

    def _delete(self, keys: Iterable[ItemKey]) -> None:
        keys = list(keys)
        if keys:
            self._index.delete(keys)
            for key in keys:
                self._stored.pop(key, None)
            self.deleted += len(keys)
            self._uncommitted = True

    def _commit_when_due(self) -> None:
        now = time.monotonic()
        pooled, patience = now - self._last_commit, min(LONGEST_POOLING, (now - self._began) / 10)
        if pooled >= COMMIT_SECONDS and (pooled >= patience or self._passages >= MOST_PASSAGES):
            self.commit()

    def commit(self) -> None:
        """Store what was put so far.

        Raises:
            IndexBusy, IndexNotWritten: it is kept for the next commit.
        """
        if self._uncommitted:
            self._index.commit()
        self._uncommitted = False
        self.records_done += self._pending_records
        self.documents_done += self._pending_documents
        self.attention += self._pending_attention
        self._pending_records = self._pending_documents = self._pending_attention = 0
        self._passages = 0
        self._last_commit = time.monotonic()
