"""The main of a reading child: a file becomes a pack. Each format's parser is loaded with its first file.

How it is started: `zbm_core.children`. One JSON line is one document (see `zbm_core.processes.serve`).
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from zbm_core import processes, restraints
from zbm_core.documents import formats, pack
from zbm_core.documents.cutting import cut_document
from zbm_core.documents.declined import Declined
from zbm_core.documents.ft_cache import REASON, read_fallback
from zbm_core.documents.stamps import ABSENT, file_stamp, stamp_of
from zbm_core.documents.structure import Chunk, DocumentReport, Outcome, OutlineEntry, StructuredText

SIGN_OF_LIFE = 0.5
"""Seconds between messages that say how far a document has come."""

Send = Callable[[dict[str, Any]], None]


class Reading(NamedTuple):
    """A document that has been read, or not."""

    report: DocumentReport
    chunks: list[Chunk] = []  # noqa: RUF012 - never changed
    outline: Sequence[OutlineEntry] = ()
    extractor: str = ""  # which of `EXTRACTOR_VERSIONS` read it, "" for none


def main() -> None:
    """Serve documents until stdin ends."""
    settle_memory()
    processes.serve(handle, greeting={"ready": True})


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
    target = Path(message["target"])
    restraints.bound_memory(message["memory"])
    signs = _Signs(message["job"], message["stall"], send)
    attempts = message["attempts"]
    try:
        report, chunks, outline, extractor = _reading(message, signs)
    except MemoryError:
        reason = "The file could not be read: reading needed too much memory."
        report, chunks, outline, extractor = Reading(DocumentReport(Outcome.FAILED, reason))
        attempts += 1  # as for a child that was ended for it
    report = replace(report, stamp=stamp_of(message["file"], extractor, message["cache"]))
    signs.show()
    gc.collect()
    answer: dict[str, Any] = {"job": message["job"]}
    try:
        pack.write(target, pack.Header(report, attempts), chunks, outline)
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


def _reading(message: dict[str, Any], signs: _Signs) -> Reading:
    """Read a document: its file, or where that is absent or has no text what Zotero keeps as its text."""
    if message["file"] == ABSENT:
        return _fallback(message) or Reading(DocumentReport(Outcome.MISSING, "The file is not there."))
    path, extractor = Path(message["path"]), ""
    try:
        extractor = formats.format_of(path, message["type"], message["max_bytes"])
        bounds = formats.Bounds(message["max_bytes"], message["max_pages"])
        text = formats.read(extractor, path, message["type"], bounds, signs)
        pages = len(text.pages) if extractor == "pdf" else None
        if _stamp(path) != message["file"]:
            raise Declined(
                Outcome.MISSING if not path.exists() else Outcome.FAILED,
                "The file changed while it was being read. It will be read again.",
                pages,
            )
        signs.show(pages or 0)
        return _cut(text, pages, extractor)
    except Declined as declined:
        if declined.outcome is Outcome.NO_TEXT and (found := _fallback(message, "", declined.pages)):
            return found
        report = DocumentReport(declined.outcome, declined.reason, declined.pages)
        return Reading(report, extractor=extractor)


def _cut(text: StructuredText, pages: int | None, extractor: str) -> Reading:
    """The chunks of a text. Raises Declined where there are none."""
    found = cut_document(text)
    if pages is not None and text.too_large == text.unread == pages:
        raise Declined(
            Outcome.TOO_LARGE,
            "The file's pages are too large: to read any of them takes more memory than is given to a document.",
            pages,
        )
    if pages is not None and text.unread == pages:
        raise Declined(Outcome.DAMAGED, "The file is damaged: none of its pages could be read.", pages)
    if not found.chunks and found.kept < 1:
        raise Declined(
            Outcome.NO_TEXT,
            "The text of the pages is unreadable: a failed text recognition (OCR) or a broken font. Text recognition "
            "made anew would make it searchable.",
            pages,
        )
    if not found.chunks and pages is None:
        raise Declined(Outcome.NO_TEXT, "The document holds no text.")
    if not found.chunks:
        raise Declined(
            Outcome.NO_TEXT,
            "The pages hold no text: probably a scan. Text recognition (OCR) would make it searchable.",
            pages,
        )
    reason = " ".join(filter(None, (text.notice, *_unread(text, pages))))
    return Reading(found.report(pages, reason), found.chunks, text.outline, extractor)


def _unread(text: StructuredText, pages: int | None) -> Iterator[str]:
    """What is said of pages that gave nothing."""
    if damaged := text.unread - text.too_large:
        yield f"{damaged} of {pages} pages are damaged and could not be read."
    if text.too_large:
        yield f"{text.too_large} of {pages} pages are too large: reading them needed too much memory."


def _fallback(message: dict[str, Any], extractor: str = "cache", pages: int | None = None) -> Reading | None:
    """The document by the text Zotero keeps of it; None where there is none.

    Args:
        extractor: of the file, where there is one.
        pages: of the file, as far as that is known.
    """
    text = read_fallback(message["fallback"]) if message["fallback"] else None
    found = cut_document(text) if text is not None else None
    if found is None or not found.chunks:
        return None
    return Reading(found.report(pages, REASON, fallback=True), found.chunks, (), extractor)


def _stamp(path: Path) -> str:
    try:
        return file_stamp(path)
    except OSError:
        return ""


if __name__ == "__main__":
    main()
