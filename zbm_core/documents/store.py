"""The store of what was read: one pack for each attachment, and the way to make them."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from zbm_core.documents import pack
from zbm_core.documents.extraction import Answered, Done, Limits, Pool, Work, disk_error, worker_command
from zbm_core.documents.stamps import ABSENT, cache_stamp, file_stamp, is_current, stamp_of
from zbm_core.documents.structure import Chunk, DocumentReport, Outcome, OutlineEntry
from zbm_core.errors import CancelToken, ZbmError
from zbm_core.library.records import ItemKey

MAX_ATTEMPTS = 3
"""Times a document is tried whose reading crashed, hung or ran out of memory: another program may
have been the cause, but not for ever."""

_log = logging.getLogger(__name__)

_KEY = re.compile(r"[A-Z0-9]{8}")
_NAME = re.compile(r"(\d+)-(?:([A-Z0-9]{8})|=([0-9a-f]+))\.pack")


class NotCached(ZbmError):
    """There is no pack of this document, or none that is whole."""


class Job(NamedTuple):
    """An attachment to read."""

    key: ItemKey
    path: Path | None  # None: the file is absent, and `folder` may hold a text of it
    content_type: str  # as the library says; the file's own first bytes decide
    folder: Path | None = None  # the attachment's storage folder, where Zotero keeps a text of it


class DocumentStore:
    """Packs in a cache folder. One thread extracts; any thread reads meanwhile.

    Args:
        cache_folder: made when needed; holds nothing but packs.
        workers: children that read side by side; a function is asked anew before each document.
        limits: bounds of one document.
        command: what a reading child is started with.
    """

    def __init__(
        self,
        cache_folder: Path,
        workers: int | Callable[[], int] = 1,
        *,
        limits: Limits | None = None,
        command: Callable[[], list[str]] = worker_command,
    ) -> None:
        self._folder = Path(cache_folder)
        self._headers: dict[ItemKey, tuple[tuple[int, int, int], pack.Header]] = {}
        self._pool = Pool(workers, limits or Limits(), command)

    def extract(
        self, jobs: Iterable[Job], cancel: CancelToken | None = None
    ) -> Iterator[tuple[Job, DocumentReport]]:
        """Read documents, each with its report as soon as it is done, in no order.

        A document whose pack is current is answered at once. Every document ends in a report;
        its pack holds it too, except where the file is missing. Raises `Cancelled` within a
        second of the token being set, ZbmError when nothing can be stored or read at all; what
        was yielded before stays.
        """
        waiting: dict[int, Job] = {}
        answers: dict[int, DocumentReport] = {}

        def works() -> Iterator[Work | Answered]:
            for number, job in enumerate(jobs):
                waiting[number] = job
                found = self._work(number, job)
                if isinstance(found, Work):
                    yield found
                else:
                    answers[number] = found
                    yield Answered(number)

        for done in self._pool.read_all(works(), cancel):
            if isinstance(done, Answered):
                yield waiting.pop(done.number), answers.pop(done.number)
            else:
                yield waiting.pop(done.work.number), self._report(done)

    def report(self, key: ItemKey) -> DocumentReport | None:
        """How the reading ended, None if the document was not read yet."""
        header = self._header(key)
        return header.report if header else None

    def chunks(self, key: ItemKey, indices: Iterable[int] | None = None) -> list[Chunk]:
        """The chunks at *indices*, in that order; all if None.

        Raises NotCached when there is no whole pack; IndexError for a chunk that does not exist.
        """
        with self._pack_of(key) as path:
            return pack.read_chunks(path, indices)

    def outline(self, key: ItemKey) -> tuple[OutlineEntry, ...]:
        """The document's outline (without blocks). Raises NotCached."""
        with self._pack_of(key) as path:
            return tuple(pack.read_outline(path))

    def current(self, job: Job) -> DocumentReport | None:
        """The report of *job*'s document as its files are now; None where it must be read (again).

        Raises OSError where the file cannot be reached.
        """
        header = self._header(job.key)
        if header is None:
            return None
        file = ABSENT if job.path is None else file_stamp(job.path)
        return header.report if is_current(header.report, file, job.folder) else None

    def due(self, job: Job) -> bool:
        """Whether `extract` would read *job*'s document: it was not read as it is now, or its reading failed
        fewer than `MAX_ATTEMPTS` times. Raises OSError where the file cannot be reached."""
        report = self.current(job)
        if report is None or report.outcome is not Outcome.FAILED:
            return report is None
        header = self._header(job.key)
        return header is None or header.attempts < MAX_ATTEMPTS

    def is_whole(self, key: ItemKey) -> bool:
        """Whether every byte of a pack is the one that was written; one that is not is removed, so that the next run
        reads the document again."""
        try:
            with self._pack_of(key) as path:
                pack.check(path)
        except NotCached:
            return False
        return True

    @staticmethod
    def has_text_instead(job: Job) -> bool:
        """Whether Zotero keeps a text of *job*'s document beside it."""
        return bool(cache_stamp(job.folder))

    def forget(self, keys: Iterable[ItemKey]) -> None:
        """Remove the packs of *keys*; those without one are passed over."""
        for key in keys:
            self._path(key).unlink(missing_ok=True)

    def keys(self) -> set[ItemKey]:
        """All documents with a pack."""
        found: set[ItemKey] = set()
        if not self._folder.is_dir():
            return found
        for shard in os.scandir(self._folder):
            if not shard.is_dir():
                continue
            for entry in os.scandir(shard.path):
                if match := _NAME.fullmatch(entry.name):
                    text = match[2] or bytes.fromhex(match[3]).decode("utf-8", "replace")
                    found.add(ItemKey(int(match[1]), text))
        return found

    def rest(self) -> None:
        """Give the children's memory back; others are started for the next document to read. For the thread that
        extracts, between two extractions."""
        self._pool.close()

    def close(self) -> None:
        """End the children. The packs stay."""
        self._pool.close()

    def _path(self, key: ItemKey) -> Path:
        # A key comes out of a database that anyone may have written: it must not name a path.
        name = key.key if _KEY.fullmatch(key.key) else "=" + key.key.encode("utf-8", "replace").hex()
        return self._folder / name[-1] / f"{key.library}-{name}.pack"

    def _header(self, key: ItemKey) -> pack.Header | None:
        """The header of a pack, remembered while its file stays the same: a status asks for all."""
        path = self._path(key)
        try:
            stat = path.stat()
            seen = stat.st_mtime_ns, stat.st_size, stat.st_ino
            known = self._headers.get(key)
            if known is None or known[0] != seen:
                known = self._headers[key] = seen, pack.read_header(path)
        except (pack.BadPack, OSError):
            self._headers.pop(key, None)
            return None
        return known[1]

    def _work(self, number: int, job: Job) -> Work | DocumentReport:
        """What there is to do for *job*, or its report if there is nothing to do."""
        size, file = 0, ABSENT
        try:
            if job.path is not None:
                file = file_stamp(job.path)
                size = Path(job.path).stat().st_size
        except FileNotFoundError:
            return DocumentReport(Outcome.MISSING, "The file is not there.")
        except (OSError, ValueError) as error:
            cause = getattr(error, "strerror", None) or str(error)
            return DocumentReport(Outcome.FAILED, f"The file could not be reached ({cause}).")
        header = self._header(job.key)
        attempts = 0
        if header is not None and is_current(header.report, file, job.folder):
            if header.report.outcome is not Outcome.FAILED or header.attempts >= MAX_ATTEMPTS:
                return header.report
            attempts = header.attempts
        cache = cache_stamp(job.folder)
        if job.path is None and not cache:
            return DocumentReport(Outcome.MISSING, "The file is not there.")
        path = Path(job.path or "")
        target = self._path(job.key)
        return Work(number, path, job.content_type, target, file, size, attempts, job.folder, cache)

    def _report(self, done: Done) -> DocumentReport:
        """The report of a document that left its child."""
        if done.ended is None:
            return pack.read_header(done.work.target).report
        _log.warning("%s was not read: %s\n%s", done.work.target.stem, done.ended.how, done.ended.detail)
        reason = f"The file could not be read: {done.ended.in_words()}."
        report = DocumentReport(Outcome.FAILED, reason, stamp=stamp_of(done.work.file, "", done.work.cache))
        try:
            pack.write(done.work.target, pack.Header(report, done.work.attempts + 1))
        except OSError as error:
            raise disk_error(error, done.work.target) from error
        return report

    @contextmanager
    def _pack_of(self, key: ItemKey) -> Iterator[Path]:
        """The pack's path; what goes wrong in reading it becomes NotCached, and a pack that is not
        whole is removed, so that the next run reads the document again."""
        path = self._path(key)
        try:
            yield path
        except FileNotFoundError as error:
            raise NotCached("This document has not been read yet.", str(error)) from error
        except (pack.BadPack, OSError) as error:
            if isinstance(error, pack.BadPack):
                with suppress(OSError):
                    path.unlink(missing_ok=True)
            raise NotCached(
                "What was stored of this document is damaged. It will be read again.", str(error)
            ) from error
