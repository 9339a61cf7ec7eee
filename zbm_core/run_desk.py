"""The engine's side of indexing: one run at a time, and what makes it go again."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from zbm_core.errors import CancelToken
from zbm_core.indexing.records import (
    EmbeddingProgress,
    EmbeddingReport,
    Phase,
    Progress,
    RunOutcome,
    RunProgress,
    RunReport,
    Step,
)
from zbm_core.library.records import ItemKey
from zbm_core.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from zbm_core.documents import DocumentReport, DocumentStore
    from zbm_core.indexing import Machine, Marks, Parts
    from zbm_core.lexical import LexicalIndex
    from zbm_core.library import Attachment, FileLocation, Library
    from zbm_core.semantic import Encoder, Meaning, Preparing

#: At most this many worker children read documents at once; more only heats the laptop.
MAX_WORKERS = 4

_REREAD = "What was stored of {:,} documents was damaged; they were read again."

_PHASES = {
    Step.READING: Phase.READING,
    Step.RECORDS: Phase.ITEMS,
    Step.RECORDS_MEANING: Phase.ITEMS,
    Step.DONE: Phase.DONE,
}


class RunDesk:
    """Starts runs over what the engine has open.

    Args:
        settings: the user's choices.
        writing: held while a run is under way; one run at a time.
        opened: the part of the library that is indexed, word index and documents now open. Raises EngineError where
            there are none.
        encoder_for_run: who embeds the passages of a run, given this computer's encoder.
        meaning: what vectors are made by now; None where searching by meaning is off or not prepared.
        prepare_meaning: `Engine.prepare_meaning`.
        refresh: `Engine.refresh`.

    Attributes:
        attendance: who sits at the computer, as a face tells it.
        checking: whether every byte of the indexes now open was due to be looked at: the last end was none, or a week
            has passed.
    """

    def __init__(
        self,
        settings: Settings,
        writing: AbstractContextManager,
        opened: Callable[[], tuple[Library, LexicalIndex, DocumentStore]],
        meaning: Callable[[], Meaning | None],
        prepare_meaning: Callable[[CancelToken | None, Callable[[Preparing], None] | None], str],
        refresh: Callable[[CancelToken | None], Library | None],
        encoder_for_run: Callable[[Encoder], AbstractContextManager] = nullcontext,
    ) -> None:
        from zbm_core.indexing import Attendance, Contents

        self._settings = settings
        self._writing = writing
        self._opened = opened
        self._meaning = meaning
        self._prepare_meaning = prepare_meaning
        self._refresh = refresh
        self._encoder_for_run = encoder_for_run
        self._kick = threading.Event()
        self.attendance = Attendance()
        self.checking = False
        self._marks: Marks | None = None
        self._contents = Contents()

    # --- integrity ------------------------------------------------------------------------------------

    def opening(self, home: Path) -> bool:
        """The indexes in *home* are about to be opened: whether every byte of them should be looked at."""
        from zbm_core.indexing import Contents, Marks

        self._next_marks, self._next_contents = Marks(home), Contents(home / "contents.json")
        self.checking = self._next_marks.due()
        return self.checking

    def opened(self) -> None:
        """They are open, and were checked where that was due."""
        self._marks, self._contents = self._next_marks, self._next_contents
        self._marks.opened(self.checking)

    def closed(self) -> None:
        """They were closed as they should be."""
        from zbm_core.indexing import Contents

        if self._marks is not None:
            self._marks.closed()
        self._marks, self._contents = None, Contents()

    def readers(self) -> int:
        """Children to read documents with: half the cores; where nobody minds all but one, for the window and Zotero."""
        cores = os.cpu_count() or 2
        return max(1, min(MAX_WORKERS, cores - 1 if self.attendance.boosted else cores // 2))

    # --- runs -----------------------------------------------------------------------------------------

    def kick(self) -> None:
        """See `Engine.kick`."""
        self._kick.set()

    def run(
        self,
        cancel: CancelToken | None = None,
        on_progress: Callable[[RunProgress], None] | None = None,
        on_library: Callable[[Library], None] | None = None,
        on_preparing: Callable[[Preparing], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
        *,
        patient: bool = True,
    ) -> RunOutcome:
        """See `Engine.run`."""
        from zbm_core.indexing import Parts, Run, Tireless

        def prepare(token: CancelToken) -> Meaning | None:
            notice = self._prepare_meaning(token, on_preparing)
            if notice and on_notice is not None:
                on_notice(notice)
            return self._wanted_meaning()

        def look(token: CancelToken) -> Library:
            fresh = self._refresh(token)
            if fresh is not None and on_library is not None:
                on_library(fresh)
            return self._opened()[0]

        with self._writing:
            library, words, documents = self._opened()
            parts = Parts(
                library,
                words,
                documents,
                meaning=self._wanted_meaning,
                prepare=prepare,
                encoder_for_run=self._encoder_for_run,
                look=look,
                check_packs=self._take_check,
                contents=self._contents,
                kicked=self._take_kick,
                machine=self._machine(library) if patient else Tireless(boosted=lambda: True),
            )
            outcome = Run(parts, cancel=cancel, on_progress=on_progress).run()
        if outcome.reread and on_notice is not None:
            on_notice(_REREAD.format(outcome.reread))
        return outcome

    def index(
        self, cancel: CancelToken | None = None, on_progress: Callable[[Progress], None] | None = None
    ) -> RunReport:
        """See `Engine.index`."""
        with self._writing:
            library, words, documents = self._opened()
            parts = replace(_parts(library, words, documents), contents=self._contents)
            outcome = self._run(parts, cancel, on_progress, progress_of)
        progress = progress_of(outcome.progress)
        return RunReport(outcome.finished, progress, outcome.indexed, outcome.deleted, outcome.seconds)

    def embed(
        self,
        cancel: CancelToken | None = None,
        on_progress: Callable[[EmbeddingProgress], None] | None = None,
    ) -> EmbeddingReport | None:
        """See `Engine.embed`."""
        with self._writing:
            meaning = self._meaning()
            if meaning is None:
                return None
            library, _, documents = self._opened()
            parts = _parts(library, None, documents, lambda: meaning, self._encoder_for_run)
            outcome = self._run(parts, cancel, on_progress, _embedding_progress_of)
        if outcome.meaning_error is not None:
            raise outcome.meaning_error
        return outcome.embedding

    def status(self) -> Progress:
        """See `Engine.status`."""
        from zbm_core.indexing import needs_attention
        from zbm_core.sources import SourceTexts

        library, words, documents = self._opened()
        stored, wanted = words.stamps(), SourceTexts(library, documents).record_stamps()
        total = done = attention = 0
        for _, location, report in self._reports():
            total += 1
            if report is not None:
                done += 1
                attention += needs_attention(report, location)
        records = sum(stored.get(key) == stamp for key, stamp in wanted.items())
        return Progress(Phase.DONE, records, len(wanted), done, total, attention=attention)

    def languages(self) -> dict[ItemKey, frozenset[str]]:
        """See `Engine.languages`."""
        from zbm_core.search import languages_of

        library, _, documents = self._opened()
        found = {key: frozenset(languages_of(library, key, documents)) for key in library.top_level}
        return {key: languages for key, languages in found.items() if languages}

    def needing_attention(self) -> list[tuple[Attachment, DocumentReport]]:
        """See `Engine.documents_needing_attention`."""
        from zbm_core.indexing import needs_attention

        return [
            (attachment, report)
            for attachment, location, report in self._reports()
            if report is not None and needs_attention(report, location)
        ]

    def _reports(self) -> Iterator[tuple[Attachment, FileLocation, DocumentReport | None]]:
        """Every attachment that has, or should have, a file, and how its reading ended."""
        from zbm_core.indexing import document_report
        from zbm_core.library import FileState

        library, _, documents = self._opened()
        for attachment in library.attachments.values():
            location = library.resolve(attachment)
            if location.state is not FileState.NO_FILE:
                yield attachment, location, document_report(library, attachment, location, documents)

    @staticmethod
    def _run(parts: Parts, cancel: CancelToken | None, on_progress, form) -> RunOutcome:
        from zbm_core.indexing import Run

        told = None if on_progress is None else lambda progress: on_progress(form(progress))
        return Run(parts, cancel=cancel, on_progress=told).run()

    def _take_kick(self) -> bool:
        was = self._kick.is_set()
        self._kick.clear()
        return was

    def _take_check(self) -> bool:
        """Whether what was read of documents is to be checked too: once after an opening that checked."""
        due, self.checking = self.checking, False
        return due

    def _wanted_meaning(self) -> Meaning | None:
        """The switch may have been turned off since: that applies at the next turn."""
        return self._meaning() if self._settings.get("search.semantic") else None

    def _machine(self, library: Library) -> Machine:
        from zbm_core.indexing import Machine
        from zbm_core.library import last_write

        return Machine(
            spare_battery=lambda: self._settings.get("indexing.pause_on_battery"),
            boosted=lambda: self.attendance.boosted,
            last_drawn=lambda: self.attendance.last_drawn(),
            last_write=lambda: last_write(library.folder),
        )


def progress_of(progress: RunProgress) -> Progress:
    """A run's progress by words alone."""
    return Progress(
        _PHASES.get(progress.step, Phase.DOCUMENTS),
        progress.records.words,
        progress.records.total,
        progress.attachments.words,
        progress.attachments.total,
        progress.current,
        progress.attention,
        progress.seconds_left,
    )


def _embedding_progress_of(progress: RunProgress) -> EmbeddingProgress:
    total = progress.passages + progress.passages_waiting
    return EmbeddingProgress(progress.passages, total, progress.seconds_left)


def _parts(
    library: Library,
    words: LexicalIndex | None,
    documents: DocumentStore,
    meaning: Callable[[], Meaning | None] = lambda: None,
    encoder_for_run: Callable[[Encoder], AbstractContextManager] = nullcontext,
) -> Parts:
    """For whoever asked for one half of the work and waits for it."""
    from zbm_core.indexing import Parts, Tireless

    machine = Tireless(boosted=lambda: True)
    return Parts(library, words, documents, meaning=meaning, encoder_for_run=encoder_for_run, machine=machine)
