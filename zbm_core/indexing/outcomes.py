"""The stated outcome of an attachment: from where its file is, then from how its reading ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from zbm_core.documents import DocumentStore, Job
    from zbm_core.library import Attachment, FileLocation, Library

#: Outcomes that ask something of the user. A file Zotero has not fetched yet is a normal state.
ATTENTION = frozenset(
    {
        Outcome.PASSWORD,
        Outcome.DRM,
        Outcome.MISSING,
        Outcome.DAMAGED,
        Outcome.TOO_LARGE,
        Outcome.FAILED,
        Outcome.NO_TEXT,
    }
)

#: Share of a document's text that must be readable before the rest goes without saying; below it, text
#: recognition made anew would help.
MOSTLY_READ = 0.5

_INSTEAD = "Zotero's own text of it is searched instead, without pages."


def file_report(location: FileLocation) -> DocumentReport | None:
    """The outcome that the file's whereabouts already decide; None when the file is here to be read."""
    from zbm_core.library import FileState

    if location.state is FileState.PRESENT:
        return None
    outcome = Outcome.NOT_DOWNLOADED if location.state is FileState.NOT_DOWNLOADED else Outcome.MISSING
    return DocumentReport(outcome, location.reason)


def job_of(library: Library, attachment: Attachment, location: FileLocation) -> Job:
    """What there is to read of *attachment*: its file, or what Zotero keeps of its text where that is absent."""
    from zbm_core.documents import Job

    return Job(attachment.key, location.path, attachment.content_type, _storage(library, attachment))


def document_report(
    library: Library, attachment: Attachment, location: FileLocation, documents: DocumentStore
) -> DocumentReport | None:
    """How reading *attachment* ended; None while it has not been read (or must be read again)."""
    return job_report(job_of(library, attachment, location), location, documents)


def job_report(job: Job, location: FileLocation, documents: DocumentStore) -> DocumentReport | None:
    """The same, where the job is at hand."""
    decided = file_report(location)
    if decided is None:
        try:
            return documents.current(job)
        except OSError:
            return None  # gone since it was looked for
    if not documents.has_text_instead(job):
        return decided
    report = documents.current(job)
    return report if report is None else stated(report, location)


def stated(report: DocumentReport, location: FileLocation) -> DocumentReport:
    """*report* as the user reads it: an absent file is said, with what is searched instead."""
    decided = file_report(location)
    if decided is None:
        return report
    if report.outcome is not Outcome.INDEXED:
        return decided
    return replace(report, reason=f"{decided.reason} {_INSTEAD}".strip())


def needs_attention(report: DocumentReport, location: FileLocation) -> bool:
    """Whether the user should look at this document: it is not searched, or not as it should be."""
    decided = file_report(location)
    if decided is not None:
        return decided.outcome in ATTENTION
    return report.outcome in ATTENTION or report.kept < MOSTLY_READ


def _storage(library: Library, attachment: Attachment) -> Path | None:
    """Zotero's own folder of *attachment*, which linked files have too; keys that are none name no folder."""
    key = attachment.key.key
    return library.folder / "storage" / key if key.isascii() and key.isalnum() else None
