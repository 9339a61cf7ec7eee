"""The main of a reading child: a file becomes a pack. The only place where MuPDF is loaded.

Run as ``python -m zbm_core.documents.worker``; a frozen program runs `main` when its first
argument is `WORKER_FLAG`. One JSON line is one document (see `zbm_core.processes.serve`).
"""

from __future__ import annotations

import errno
import gc
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from zbm_core import processes
from zbm_core.documents import pack
from zbm_core.documents.cutting import cut_document
from zbm_core.documents.declined import Declined
from zbm_core.documents.sniff import HEAD, FileKind, sniff
from zbm_core.documents.stamps import file_stamp, stamp_of
from zbm_core.documents.structure import DocumentReport, Outcome

SIGN_OF_LIFE = 0.5
"""Seconds between messages that say how far a document has come."""

Send = Callable[[dict[str, Any]], None]


def main() -> None:
    """Serve documents until stdin ends."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    settle_memory()
    processes.serve(handle, greeting={"ready": pymupdf.VersionBind})


def settle_memory() -> None:
    """Look for cycles after each document only: reading makes none, and looking took a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.disable()


def handle(message: dict[str, Any], send: Send) -> dict[str, Any]:
    """Read the document of *message*, write its pack, and say how it ended.

    `message["file"]` is the file's stamp as the parent saw it, `message["cache"]` that of what Zotero keeps as
    text in the folder `message["fallback"]` ("" where that is not known).
    """
    path, target = Path(message["path"]), Path(message["target"])
    signs = _Signs(message["job"], message["stall"], send)
    extractor = ""
    try:
        extractor = _extractor_for(path, message)
        report, chunks, outline = _read(path, message, signs)
    except Declined as declined:
        report = DocumentReport(declined.outcome, declined.reason, declined.pages)
        chunks, outline = [], ()
    except MemoryError:
        report = DocumentReport(Outcome.FAILED, "The file could not be read: reading needed too much memory.")
        chunks, outline = [], ()
    report = replace(report, stamp=stamp_of(message["file"], extractor, message["cache"]))
    signs.show()
    gc.collect()
    answer: dict[str, Any] = {"job": message["job"]}
    try:
        pack.write(target, pack.Header(report, message["attempts"]), chunks, outline)
    except OSError as error:
        answer.update(disk=error.errno, error=str(error))
    return answer


class _Signs:
    """Signs of life: to the parent, and to the timer that ends an orphan."""

    def __init__(self, job: int, stall: float, send: Send) -> None:
        self._job, self._stall, self._send = job, stall, send
        self._next = 0.0
        self.show()

    def __call__(self, pages: int = 0) -> None:
        if time.monotonic() >= self._next:
            self.show(pages)

    def show(self, pages: int = 0) -> None:
        processes.die_after(2 * self._stall + 5)
        self._send({"job": self._job, "page": pages})
        self._next = time.monotonic() + SIGN_OF_LIFE


def _extractor_for(path: Path, message: dict[str, Any]) -> str:
    """Which of `EXTRACTOR_VERSIONS` reads the file. Raises Declined where none does."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise _unreadable(error) from error
    _check_kind(sniff(head), path, message["type"])
    if size > message["max_bytes"]:
        raise Declined(
            Outcome.TOO_LARGE,
            f"The file has {size / 1e9:.1f} GB; files over {message['max_bytes'] / 1e9:.1f} GB are not read.",
        )
    return "pdf"


def _read(path: Path, message: dict[str, Any], signs: _Signs) -> tuple[DocumentReport, list[Any], Any]:
    structured = _read_pdf(path, message, signs)
    if _stamp(path) != message["file"]:
        raise Declined(
            Outcome.MISSING if not path.exists() else Outcome.FAILED,
            "The file changed while it was being read. It will be read again.",
            len(structured.pages),
        )
    pages, unread = len(structured.pages), structured.unread
    signs.show(pages)
    found = cut_document(structured)
    if unread == pages:
        raise Declined(Outcome.DAMAGED, "The file is damaged: none of its pages could be read.", pages)
    if not found.chunks:
        raise Declined(
            Outcome.NO_TEXT,
            "The pages hold no text: probably a scan. Text recognition (OCR) would make it searchable.",
            pages,
        )
    reason = f"{unread} of {pages} pages are damaged and could not be read." if unread else ""
    return found.report(pages, reason), found.chunks, structured.outline


def _stamp(path: Path) -> str:
    try:
        return file_stamp(path)
    except OSError:
        return ""


def _check_kind(kind: FileKind, path: Path, content_type: str) -> None:
    """Let only PDFs pass; say what the others are."""
    claims_pdf = content_type == "application/pdf" or path.suffix.casefold() == ".pdf"
    match kind:
        case FileKind.PDF:
            return
        case FileKind.EMPTY:
            raise Declined(Outcome.DAMAGED, "The file is empty.")
        case FileKind.HTML if claims_pdf:
            raise Declined(
                Outcome.DAMAGED,
                "The file is a web page saved under the name of a PDF, often the sign-in page of a publisher. "
                "Download the PDF again.",
            )
        case FileKind.HTML:
            raise Declined(
                Outcome.UNSUPPORTED, "Web page snapshots are not read yet: searched by its metadata."
            )
        case FileKind.EPUB:
            raise Declined(Outcome.UNSUPPORTED, "EPUB books are not read yet: searched by its metadata.")
    if claims_pdf:
        raise Declined(
            Outcome.DAMAGED, "The file is named as a PDF and is none: damaged, or of another kind."
        )
    raise Declined(Outcome.UNSUPPORTED, "Files of this kind are not read: searched by its metadata.")


def _unreadable(error: OSError) -> Declined:
    if isinstance(error, FileNotFoundError):
        return Declined(Outcome.MISSING, "The file is not there any more.")
    if isinstance(error, PermissionError):
        return Declined(Outcome.FAILED, "The file may not be read: permission denied.")
    if error.errno == errno.EISDIR:
        return Declined(Outcome.UNSUPPORTED, "This is a folder and not a file.")
    return Declined(Outcome.FAILED, f"The file could not be read ({error.strerror or error}).")


def _read_pdf(path: Path, message: dict[str, Any], signs: _Signs) -> Any:
    import pymupdf

    from zbm_core.documents.pdf import read_pdf
    from zbm_core.documents.pdf_errors import mupdf_errors

    try:
        document = pymupdf.open(path, filetype="pdf")
        pages = 0 if document.needs_pass else document.page_count
    except FileNotFoundError as error:
        raise Declined(Outcome.MISSING, "The file is not there any more.") from error
    except (OSError, *mupdf_errors()) as error:
        raise Declined(Outcome.DAMAGED, "The file is damaged: it could not be opened as a PDF.") from error
    with document:
        if document.needs_pass:
            raise Declined(
                Outcome.PASSWORD, "The file needs a password. Save a copy without one to make it searchable."
            )
        if pages == 0:
            raise Declined(
                Outcome.DAMAGED, "The file is cut off or damaged: no page could be read. Download it again."
            )
        if pages > message["max_pages"]:
            raise Declined(
                Outcome.TOO_LARGE,
                f"The file has {pages:,} pages; files over {message['max_pages']:,} pages are not read.",
                pages,
            )
        return read_pdf(document, signs)


if __name__ == "__main__":
    main()
