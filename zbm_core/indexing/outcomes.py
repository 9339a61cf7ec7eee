"""The stated outcome of an attachment: from where its file is, then from how its reading ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.library import Attachment, FileLocation

#: Outcomes that ask something of the user. A file Zotero has not fetched yet is a normal state.
ATTENTION = frozenset(
    {Outcome.PASSWORD, Outcome.MISSING, Outcome.DAMAGED, Outcome.TOO_LARGE, Outcome.FAILED, Outcome.NO_TEXT}
)


def file_report(location: FileLocation) -> DocumentReport | None:
    """The outcome that the file's whereabouts already decide; None when the file is here to be read."""
    from zbm_core.library import FileState

    if location.state is FileState.PRESENT:
        return None
    outcome = Outcome.NOT_DOWNLOADED if location.state is FileState.NOT_DOWNLOADED else Outcome.MISSING
    return DocumentReport(outcome, location.reason)


def document_report(
    attachment: Attachment, location: FileLocation, documents: DocumentStore
) -> DocumentReport | None:
    """How reading *attachment* ended; None while it has not been read (or must be read again)."""
    decided = file_report(location)
    if decided is not None:
        return decided
    report = documents.report(attachment.key)
    if report is None or report.stamp != documents.stamp_of(location.path):
        return None
    return report
