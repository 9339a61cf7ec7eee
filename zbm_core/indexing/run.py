"""One run: everything the library offers is brought into both indexes, and nothing else is.

Nothing is queued. Each step is one pass that finds its own work by comparing stamps, so a run that was cut short
resumes where it was, and running twice does nothing the second time. Items, notes and annotations come first,
their words and then their vectors; then the attachments, step by step. The attachments' work gives way to a kick:
what was edited meanwhile is taken first, and the work goes on.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.errors import Cancelled, CancelToken, ZbmError
from zbm_core.indexing.machine import UNTOLD
from zbm_core.indexing.pace import Pace
from zbm_core.indexing.parts import Parts
from zbm_core.indexing.reading import Reading
from zbm_core.indexing.records import Bar, RunOutcome, RunProgress, Step
from zbm_core.indexing.survey import Known, newest_first, survey
from zbm_core.indexing.upkeep import broken_packs, tidy
from zbm_core.indexing.vectors import VectorSteps
from zbm_core.indexing.words import WordSteps
from zbm_core.library.records import ItemKey
from zbm_core.sources import SourceTexts

if TYPE_CHECKING:
    from zbm_core.documents import Job

#: Seconds between two reports of progress within one step.
TELL_EVERY = 0.25
#: Seconds between two counts of rows: they take tens of ms in a large index.
COUNT_EVERY = 5.0
#: Seconds between looks while the work waits.
WAIT_SECONDS = 1.0
#: Seconds after which a model that waits is let go: it holds more memory than all else.
PATIENCE = 10.0
_NO_MORE = object()
#: Records whose vectors are made even while heavy work waits: what a person edits, not a new library.
LIGHT = 50


class Run:
    """Brings the indexes in line with the library.

    Args:
        on_progress: called from the running thread: at each step's beginning, then about four times a second.
    """

    def __init__(
        self,
        parts: Parts,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[RunProgress], None] | None = None,
    ) -> None:
        self._parts = parts
        self._cancel = cancel or CancelToken()
        self._on_progress = on_progress
        self._library = parts.library
        self._words = WordSteps(self._library, parts.words, parts.documents) if parts.words else None
        self._vectors: VectorSteps | None = None
        self._encoders = ExitStack()
        self._wanted: dict[ItemKey, str] = {}
        self._known: dict[ItemKey, Known] = {}
        self._todo: deque[Known] = deque()
        self._in_flight: dict[ItemKey, Known] = {}
        self._tried: set[ItemKey] = set()
        self._again = False
        self._step = Step.READING
        self._pace = Pace()
        self._bytes_left = 0
        self._current = self._waiting = ""
        self._told = self._counted = float("-inf")
        self._counts, self._counted_at = (0, 0), 0
        self._settled = False  # whether the attachments have been counted
        self.reread = 0
        self._rounds = 0
        self.meaning_error: ZbmError | None = None
        self.library_error: ZbmError | None = None

    def run(self) -> RunOutcome:
        """Work until there is nothing left to do, or cancelled; what was done is stored either way.

        Raises:
            ZbmError: words or documents cannot be stored (full disk, another process). What goes wrong with
                meaning ends up in the outcome: words are whole all the same.
        """
        began = time.monotonic()
        finished = False
        try:
            self._cancel.check()
            self._begin(Step.READING)
            self._look_again()
            self._records()
            if self._words is not None and self._parts.check_packs():
                self.reread = broken_packs(self._parts.documents, self._cancel)
            while True:
                self._again = False
                self._attachments()
                if not (self._again or self._answered_kick() or self._other_contents()):
                    break
            finished, self._waiting = True, ""
            tidy(self._parts.words, self._vectors and self._vectors.meaning.index, cancel=self._cancel)
        except Cancelled:
            pass
        finally:
            with self._encoders:
                self._parts.contents.save()
                if self._words is not None:
                    self._words.commit()
        self._begin(Step.DONE if finished else self._step)
        return self._outcome(finished, time.monotonic() - began)

    # --- kicks ----------------------------------------------------------------------------------------

    def _answered_kick(self) -> bool:
        """Take a kick, if there was one: look at the library again and take its records first."""
        self._cancel.check()
        if not self._parts.kicked():
            return False
        self._answer_kick()
        return True

    def _answer_kick(self) -> None:
        self._again = True
        step, pace = self._step, self._pace
        pace.rest()
        before = self._library
        self._look_again()
        self._records()
        if self._library is not before and self._known:
            self._survey()
            self._todo = deque(entry for entry in self._known.values() if self._is_due(entry))
        self._step, self._pace = step, pace
        pace.go_on()
        self._tell(force=True)

    def _look_again(self) -> None:
        self._parts.kicked()
        self.library_error = None
        if self._parts.look is None:
            return
        try:
            self._library = self._parts.look(self._cancel)
        except ZbmError as error:
            self.library_error = error  # Zotero may be at it; the next kick looks again

    def _may_work(self) -> bool:
        """Whether heavy work may go on now; tells why not."""
        waiting = self._parts.machine.why_wait()
        if waiting != self._waiting:
            self._waiting = waiting
            (self._pace.rest if waiting else self._pace.go_on)()
            self._tell(force=True)
        return not waiting

    # --- items, notes and annotations -----------------------------------------------------------------

    def _records(self) -> None:
        """Bring the records in line; begun anew where a kick arrives meanwhile, as what was just edited goes first."""
        while not (self._records_words() and self._records_vectors()):
            self._look_again()

    def _records_words(self) -> bool:
        """False where a kick cut it short."""
        texts = SourceTexts(self._library, self._parts.documents)
        wanted = self._wanted = texts.record_stamps()
        words = self._words
        if words is None:
            self._rounds += 1
            return True
        words.take(self._library)
        self._begin(Step.RECORDS)
        outdated = newest_first(self._library, words.outdated(wanted))
        for _ in words.records(wanted, outdated):
            self._cancel.check()
            self._tell()
            if self._parts.kicked():
                words.commit()
                return False
        self._rounds += 1
        return True

    def _records_vectors(self) -> bool:
        """False where a kick cut it short."""
        vectors, wanted = self._take_meaning(), self._wanted
        if vectors is None:
            return True
        self._begin(Step.RECORDS_MEANING)
        with self._meaning_fails():
            order = newest_first(self._library, wanted)
            for _ in vectors.reconcile(wanted, order, records=True):
                self._cancel.check()
            behind = vectors.behind[True]
            self._tell(force=True)
            # What a person edits is light and waits for nothing; a new library is not.
            keys = [key for key in order if key in behind]
            return self._embed_all(keys, lambda: len(behind) > LIGHT)
        return True

    # --- attachments ----------------------------------------------------------------------------------

    def _attachments(self) -> None:
        self._begin(Step.RECONCILE)
        self._survey()
        if self._words is not None:
            self._extract()
        # FETCH would stand here: there is no server that has vectors of files.
        if self._parts.prepare is not None and self.meaning_error is None:
            self._prepare_meaning()
        if self._take_meaning() is not None:
            self._cut()
            self._embed()

    def _survey(self) -> None:
        """Reconcile: what is stored of every attachment still holds, or is removed; what is to be read is known."""
        known, links = survey(self._library, self._parts.documents, self._cancel)
        self._known = {entry.attachment.key: entry for entry in known}
        words = self._words
        if words is None:
            self._settled = True
            return
        words.commit()
        words.begin_documents()
        self._settled = False
        for attachment in links:
            # A link has nothing to read; one that stands alone is found by its title.
            words.settle(attachment, DocumentReport(Outcome.UNSUPPORTED))
        for entry in known:
            self._cancel.check()
            if entry.report is not None and not self._is_due(entry):  # one in flight may have none yet
                self._enter(entry, entry.report)
        words.commit()
        self._settled = True
        self._bytes_left = sum(entry.size for entry in known if self._is_due(entry))

    def _is_due(self, entry: Known) -> bool:
        key = entry.attachment.key
        if key in self._in_flight:
            return False
        return entry.due and (entry.report is None or key not in self._tried)

    def _extract(self) -> None:
        self._todo = deque(entry for entry in self._known.values() if self._is_due(entry))
        self._begin(Step.EXTRACT)
        if not self._todo:
            return
        self._may_work()
        reading = Reading(self._parts.documents, self._jobs(), lambda: not self._waiting)
        try:
            for found in reading:
                self._cancel.check()
                if found is not None:
                    job, report = found
                    self._read(job, report)
                self._tell()
                self._may_work()
                self._answered_kick()
        finally:
            reading.close()
            self._in_flight.clear()
            self._parts.documents.rest()
        self._words.commit()

    def _jobs(self) -> Iterator[Job]:
        """What is to be read; drawn in the thread that reads, while the list may be replaced by a newer one."""
        while True:
            try:
                entry = self._todo.popleft()
            except IndexError:
                return
            self._in_flight[entry.attachment.key] = entry
            yield entry.job

    def _read(self, job: Job, report: DocumentReport) -> None:
        entry = self._in_flight.pop(job.key)
        attachment = self._library.attachments.get(job.key)
        self._tried.add(job.key)
        self._bytes_left -= entry.size
        self._pace.did(entry.size)
        if attachment is None:
            return  # deleted meanwhile
        entry.attachment, entry.report, entry.due = attachment, report, False
        self._known[job.key] = entry
        self._current = attachment.title or (job.path.name if job.path else "")
        self._parts.contents.note(entry, self._cancel)
        self._enter(entry, report)

    def _enter(self, entry: Known, report: DocumentReport) -> None:
        from zbm_core.documents import NotCached

        try:
            self._words.enter(entry, report)
        except NotCached:
            # Its pack is not whole and is gone now: it is read (again) by the next pass.
            entry.report, entry.due = None, True
            self._again = self._again or entry.attachment.key not in self._tried

    def _other_contents(self) -> bool:
        """Look into the files that something was done to whose size and time are the same; true where some hold
        something else now, or there was a kick: then there is more to do. Else it waits for the next run."""
        contents, found = self._parts.contents, False
        for entry in contents.suspects(self._known.values()):
            if self._answered_kick():
                return True
            if self._parts.machine.why_wait():
                return found
            if contents.is_other(entry, self._cancel):
                self._parts.documents.forget([entry.job.key])
                self._tried.discard(entry.job.key)
                found = True
        contents.keep(self._known)
        return found

    def _prepare_meaning(self) -> None:
        self._begin(Step.MODEL)
        try:
            self._parts.prepare(self._cancel)
        except ZbmError as error:
            self.meaning_error = error
            return
        had = self._vectors
        if self._take_meaning() is not None and self._vectors is not had:
            self._records()

    def _take_meaning(self) -> VectorSteps | None:
        meaning = self._parts.meaning() if self.meaning_error is None else None
        if meaning is None:
            self._vectors = None
        elif self._vectors is None or self._vectors.meaning is not meaning:
            self._encoders.close()
            encoder = self._encoders.enter_context(self._parts.encoder_for_run(meaning.encoder))
            self._vectors = VectorSteps(self._library, meaning, self._parts.documents, encoder)
        else:
            self._vectors.take(self._library)
        return self._vectors

    def _cut(self) -> None:
        """Rows for the vectors of what was read; they wait for EMBED."""
        texts = SourceTexts(self._library, self._parts.documents)
        wanted = {
            key: texts.attachment_stamp(entry.attachment, entry.report.digest)
            for key, entry in self._known.items()
            if entry.report is not None and entry.report.outcome is Outcome.INDEXED
            if key in self._library.attachments
        }
        self._begin(Step.CUT)
        with self._meaning_fails():
            for _ in self._vectors.reconcile(wanted, list(wanted), records=False):
                self._cancel.check()
                self._tell()

    def _embed(self) -> None:
        if self._vectors is None or not self._vectors.behind[False]:
            return
        self._begin(Step.EMBED)
        with self._meaning_fails():
            behind = self._vectors.behind[False]
            if not self._embed_all([key for key in self._known if key in behind], lambda: True):
                self._answer_kick()  # the next pass goes on, with what is new in its place

    def _embed_all(self, order: list[ItemKey], heavy: Callable[[], bool]) -> bool:
        """Embed the sources in *order*, resting while heavy work may not go on; False where a kick cut it short.

        A short rest keeps the model ready. In a long one it is let go: it holds more memory than all else.
        """
        kicked = self._parts.kicked
        batches, resting_since = self._embedding(order), None
        try:
            while not kicked():
                if heavy() and not self._may_work():
                    now = time.monotonic()
                    if resting_since is None:
                        resting_since = now
                    if batches is not None and now - resting_since >= PATIENCE:
                        batches.close()
                        batches = None
                        self._vectors.rest()
                    if self._cancel.wait(WAIT_SECONDS):
                        raise Cancelled
                    continue
                resting_since = None
                if batches is None:
                    batches = self._embedding(order)
                if next(batches, _NO_MORE) is _NO_MORE:
                    return True
            return False
        finally:
            if batches is not None:
                batches.close()

    def _embedding(self, order: list[ItemKey]) -> Generator[None]:
        """Embed the sources in *order*; yields after each batch."""
        vectors = self._vectors
        done = vectors.embedded
        batches = vectors.embed(order, self._cancel, self._parts.machine.threads)
        try:
            for _ in batches:
                self._pace.did(vectors.embedded - done)
                done = vectors.embedded
                self._tell()
                yield
        finally:
            batches.close()

    @contextmanager
    def _meaning_fails(self) -> Iterator[None]:
        """What goes wrong with meaning is kept for the outcome; words go on."""
        from zbm_core.semantic import EncoderError, SemanticStoreError

        try:
            yield
        except (EncoderError, SemanticStoreError) as error:
            self.meaning_error = error

    # --- telling --------------------------------------------------------------------------------------

    def _begin(self, step: Step) -> None:
        self._step = step
        self._pace = Pace()
        if step is not Step.EXTRACT:
            self._current = ""
        self._tell(force=True)

    def _tell(self, force: bool = False) -> None:
        now = time.monotonic()
        if self._on_progress is None or not (force or now - self._told >= TELL_EVERY):
            return
        self._told = now
        self._on_progress(self._progress(exact=force))

    def _progress(self, exact: bool = True) -> RunProgress:
        vectors, words = self._vectors, self._words
        now = time.monotonic()
        if vectors is not None and (exact or now - self._counted >= COUNT_EVERY):
            self._counted, self._counts, self._counted_at = now, vectors.counts(), vectors.embedded
        passages, waiting = self._counts if vectors is not None else (0, 0)
        since = vectors.embedded - self._counted_at if vectors is not None else 0
        passages, waiting = passages + since, max(0, waiting - since)
        rate = left = None
        if self._step is Step.EXTRACT:
            rate, left = self._pace.pieces_rate(), self._pace.left(max(0, self._bytes_left))
        elif self._step in (Step.EMBED, Step.RECORDS_MEANING):
            rate, left = self._pace.rate(), self._pace.left(waiting)
        behind = vectors.behind if vectors is not None else {True: (), False: ()}
        waits = "" if self._waiting in UNTOLD else self._waiting
        return RunProgress(
            step=Step.WAITING if waits else self._step,
            records=self._records_bar(),
            attachments=self._attachments_bar(),
            current=self._current,
            attention=words.attention if words is not None else 0,
            passages=passages,
            passages_waiting=waiting,
            items_waiting=len(behind[self._step is Step.RECORDS_MEANING]),
            rate=rate,
            seconds_left=left,
            waiting=waits,
            written=words.written + words.deleted if words is not None else 0,
            embedded=vectors.embedded if vectors is not None else 0,
            rounds=self._rounds,
        )

    def _records_bar(self) -> Bar:
        total = len(self._wanted)
        words = self._words.records_done if self._words is not None else total
        meaning = words
        if self._vectors is not None:
            meaning = max(0, total - len(self._vectors.behind[True]))
        return Bar(words, meaning, total)

    def _attachments_bar(self) -> Bar:
        total = len(self._known)
        if self._words is None:
            done = sum(entry.report is not None for entry in self._known.values())
        else:
            done = self._words.documents_done
        behind = len(self._vectors.behind[False]) if self._vectors is not None else 0
        return Bar(done, max(0, done - behind), total)

    def _outcome(self, finished: bool, seconds: float) -> RunOutcome:
        words, vectors = self._words, self._vectors
        embedding = vectors.report(finished and self.meaning_error is None) if vectors is not None else None
        return RunOutcome(
            finished,
            self._progress(),
            words.written if words is not None else 0,
            words.deleted if words is not None else 0,
            embedding,
            self.meaning_error,
            seconds,
            self.library_error,
            self.reread,
        )
