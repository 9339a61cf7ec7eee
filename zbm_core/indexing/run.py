"""One indexing run: what the library offers is brought into the word index, and nothing else is.

Nothing is queued. Each step finds its own work by comparing stamps, so a run that was cut short
resumes where it was, and running twice does nothing the second time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.indexing.outcomes import document_report, job_of, needs_attention, stated
from zbm_core.indexing.records import Phase, Progress, RunReport
from zbm_core.library.records import Attachment, ItemKey
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from pathlib import Path

    from zbm_core.documents import DocumentStore, Job
    from zbm_core.lexical import LexicalIndex
    from zbm_core.lexical.records import Source
    from zbm_core.library import FileLocation, Library

#: A commit costs about 50 ms whatever it holds (facts of the word engine), so small work is pooled.
COMMIT_SECONDS = 1.5
RECORD_BATCH = 500
#: Seconds of a run before an estimate of the rest is worth showing.
ESTABLISHED_SECONDS = 10.0


class IndexingRun:
    """Brings *index* in line with *library*.

    Args:
        on_progress: called from the running thread after each commit, so about once a second.
    """

    def __init__(
        self,
        library: Library,
        index: LexicalIndex,
        documents: DocumentStore,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._library = library
        self._index = index
        self._documents = documents
        self._texts = SourceTexts(library, documents)
        self._cancel = cancel or CancelToken()
        self._on_progress = on_progress
        self._phase = Phase.READING
        self._records_total = self._records_done = 0
        self._documents_total = self._documents_done = 0
        self._attention = 0
        self._current = ""
        self._stored: dict[ItemKey, str] = {}
        self._written = self._deleted = 0
        self._uncommitted = 0
        self._pending_documents = self._pending_attention = 0
        self._pending_records = 0
        self._last_commit = time.monotonic()
        self._documents_began: float | None = None
        self._documents_at_start = 0

    def run(self) -> RunReport:
        """Index until done or cancelled. What was put is committed either way.

        Raises:
            ZbmError: the index or the packs cannot be written (full disk, another process).
        """
        began = time.monotonic()
        finished = False
        try:
            self._reconcile_and_put_records()
            self._read_documents()
            finished = True
        except Cancelled:
            pass
        finally:
            self._commit()
        self._phase = Phase.DONE if finished else self._phase
        self._tell()
        return RunReport(finished, self._progress(), self._written, self._deleted, time.monotonic() - began)

    # --- items, notes and annotations ---------------------------------------------------------------

    def _reconcile_and_put_records(self) -> None:
        library = self._library
        self._tell()
        wanted = self._texts.record_stamps()
        stored = self._stored = self._index.stamps()
        self._delete([key for key in stored if key not in wanted and key not in library.attachments])
        outdated = [key for key, stamp in wanted.items() if stored.get(key) != stamp]
        # The newest first: what was just added is what is looked for.
        outdated.sort(key=lambda key: library.record(key).date_modified, reverse=True)
        self._phase = Phase.ITEMS
        self._records_total = len(wanted)
        self._records_done = len(wanted) - len(outdated)
        self._tell()
        for start in range(0, len(outdated), RECORD_BATCH):
            for source in self._texts.records(outdated[start : start + RECORD_BATCH], wanted):
                self._cancel.check()
                self._put(source)
                self._pending_records += 1
                self._commit_when_due()
        self._commit()

    # --- attachments ----------------------------------------------------------------------------------

    def _read_documents(self) -> None:
        self._phase = Phase.DOCUMENTS
        outstanding = self._settle_what_is_known()
        self._documents_began = time.monotonic()
        self._documents_at_start = self._documents_done
        self._tell()
        # Small files first: most of the library is searchable before the first long book is read.
        outstanding.sort(key=lambda entry: entry[2])
        jobs = [job for job, _, _ in outstanding]
        locations = {job.key: location for job, location, _ in outstanding}
        for job, report in self._documents.extract(jobs, self._cancel):
            self._cancel.check()
            attachment, location = self._library.attachments[job.key], locations[job.key]
            self._current = attachment.title or (job.path.name if job.path else "")
            self._state(attachment, stated(report, location), location)
        self._commit()

    def _settle_what_is_known(self) -> list[tuple[Job, FileLocation, int]]:
        """Settle every attachment whose outcome is known; return what is to be read, with its bytes."""
        from zbm_core.library import FileState

        outstanding: list[tuple[Job, FileLocation, int]] = []
        for attachment in self._library.attachments.values():
            self._cancel.check()
            location = self._library.resolve(attachment)
            if location.state is FileState.NO_FILE:
                # A link has nothing to read; one that stands alone is found by its title.
                self._settle(attachment, DocumentReport(Outcome.UNSUPPORTED))
                continue
            self._documents_total += 1
            report = document_report(self._library, attachment, location, self._documents)
            job = job_of(self._library, attachment, location)
            if report is None or (report.outcome is Outcome.FAILED and self._documents.due(job)):
                outstanding.append((job, location, _size(job.path)))
            else:
                self._state(attachment, report, location)
        self._commit()
        return outstanding

    def _state(self, attachment: Attachment, report: DocumentReport, location: FileLocation) -> None:
        """Settle *attachment*, and count it as done with the next commit."""
        self._settle(attachment, report)
        self._pending_documents += 1
        self._pending_attention += needs_attention(report, location)
        self._commit_when_due()

    def _settle(self, attachment: Attachment, report: DocumentReport) -> None:
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

    # --- writing and telling ----------------------------------------------------------------------------

    def _put(self, source: Source) -> None:
        self._index.put(source)
        self._written += 1
        self._uncommitted += 1

    def _delete(self, keys: Iterable[ItemKey]) -> None:
        keys = list(keys)
        if keys:
            self._index.delete(keys)
            self._deleted += len(keys)
            self._uncommitted += len(keys)

    def _commit_when_due(self) -> None:
        if time.monotonic() - self._last_commit >= COMMIT_SECONDS:
            self._commit()
            self._tell()

    def _commit(self) -> None:
        if self._uncommitted:
            self._index.commit()
        self._uncommitted = 0
        self._records_done += self._pending_records
        self._documents_done += self._pending_documents
        self._attention += self._pending_attention
        self._pending_records = self._pending_documents = self._pending_attention = 0
        self._last_commit = time.monotonic()

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._progress())

    def _progress(self) -> Progress:
        return Progress(
            self._phase,
            self._records_done,
            self._records_total,
            self._documents_done,
            self._documents_total,
            self._current if self._phase is Phase.DOCUMENTS else "",
            self._attention,
            self._seconds_left(),
        )

    def _seconds_left(self) -> float | None:
        if self._documents_began is None or self._phase is Phase.DONE:
            return None
        elapsed = time.monotonic() - self._documents_began
        done = self._documents_done - self._documents_at_start
        if elapsed < ESTABLISHED_SECONDS or not done:
            return None
        return elapsed / done * (self._documents_total - self._documents_done)


def _size(path: Path | None) -> int:
    try:
        return path.stat().st_size if path is not None else 0
    except OSError:
        return 0
