"""What there is to index: the stamp of every record, and where every attachment stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.errors import CancelToken
from zbm_core.indexing.outcomes import job_of, job_report
from zbm_core.library.records import Attachment, ItemKey

if TYPE_CHECKING:
    from pathlib import Path

    from zbm_core.documents import DocumentStore, Job
    from zbm_core.library import FileLocation, Library

#: Attachments taken before all others: those last read or added, a page of the reference's.
RECENT = 50


@dataclass(slots=True)
class Known:
    """One attachment that has, or should have, a file."""

    attachment: Attachment
    location: FileLocation
    job: Job
    report: DocumentReport | None  # None: to be read
    due: bool  # whether a run should read it: also what failed, a few times
    size: int  # bytes


def survey(
    library: Library, documents: DocumentStore, cancel: CancelToken
) -> tuple[list[Known], list[Attachment]]:
    """Every attachment with a file, the first to be worked on first, and those that are links.

    Looks at every file's time, and reads nothing of it.
    """
    from zbm_core.library import FileState

    known, links = [], []
    for attachment in library.attachments.values():
        cancel.check()
        location = library.resolve(attachment)
        if location.state is FileState.NO_FILE:
            links.append(attachment)
            continue
        job = job_of(library, attachment, location)
        report = job_report(job, location, documents)
        due = report is None or (report.outcome is Outcome.FAILED and documents.due(job))
        known.append(Known(attachment, location, job, report, due, _size(job.path)))
    return in_order(known), links


def in_order(known: Iterable[Known]) -> list[Known]:
    """Recently read or added attachments first, then small ones: most of a library is searchable before its
    first long book is read."""
    known = list(known)
    latest = sorted(known, key=lambda entry: _touched(entry.attachment), reverse=True)[:RECENT]
    recent = {entry.attachment.key for entry in latest}
    return sorted(known, key=lambda entry: (entry.attachment.key not in recent, entry.size))


def newest_first(library: Library, keys: Iterable[ItemKey]) -> list[ItemKey]:
    """Records by when they were changed: what was just added is what is looked for."""
    return sorted(keys, key=lambda key: library.record(key).date_modified, reverse=True)


def pages(entries: Sequence, size: int) -> Iterable[Sequence]:
    """*entries*, *size* at a time."""
    for start in range(0, len(entries), size):
        yield entries[start : start + size]


def _touched(attachment: Attachment) -> str:
    """The later of added and read, in the form of Zotero's times."""
    if attachment.last_read is None:
        return attachment.date_added
    import datetime

    try:
        read = datetime.datetime.fromtimestamp(attachment.last_read, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return attachment.date_added
    return max(attachment.date_added, f"{read:%Y-%m-%d %H:%M:%S}")


def _size(path: Path | None) -> int:
    try:
        return path.stat().st_size if path is not None else 0
    except OSError:
        return 0
