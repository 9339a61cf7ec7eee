"""A file becomes structured text, by what kind it is. Readers are loaded when their first file comes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from zbm_core.documents.declined import Declined
from zbm_core.documents.sniff import HEAD, FileKind, kind_of
from zbm_core.documents.structure import Outcome, StructuredText

OnPage = Callable[[int], None]


class Bounds(NamedTuple):
    """What one file may be."""

    max_bytes: int
    max_pages: int


def format_of(path: Path, content_type: str, max_bytes: int) -> str:
    """The name of the reader of a file: a key of `stamps.EXTRACTOR_VERSIONS`. Raises Declined where none reads it.

    Args:
        content_type: as the library says; the file's own first bytes decide.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            # A pipe would be waited for, a device read without end.
            raise Declined(Outcome.UNSUPPORTED, "This is a device or pipe and not a file.")
        with path.open("rb") as file:
            head = file.read(HEAD)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise unreadable(error) from error
    name = _reader_of(kind_of(head, path.name, content_type), path, content_type)
    if size > max_bytes:
        raise Declined(
            Outcome.TOO_LARGE,
            f"The file has {size / 1e9:.1f} GB; files over {max_bytes / 1e9:.1f} GB are not read.",
        )
    return name


def _reader_of(kind: FileKind, path: Path, content_type: str) -> str:
    claims_pdf = content_type == "application/pdf" or path.suffix.casefold() == ".pdf"
    match kind:
        case FileKind.PDF:
            return "pdf"
        case FileKind.EMPTY:
            raise Declined(
                Outcome.DAMAGED,
                "The file is empty: its download or copying may have been cut off. "
                "Fetching it again in Zotero may help.",
            )
        case FileKind.HTML if claims_pdf:
            raise Declined(
                Outcome.DAMAGED,
                "The file is a web page saved under the name of a PDF, often the sign-in page of a publisher. "
                "Download the PDF again.",
            )
        case FileKind.HTML | FileKind.WEB_ARCHIVE:
            return "html"
        case FileKind.EPUB:
            return "epub"
    if claims_pdf:
        raise Declined(
            Outcome.DAMAGED, "The file is named as a PDF and is none: damaged, or of another kind."
        )
    match kind:
        case FileKind.TEXT:
            return "text"
        case FileKind.OTHER if path.suffix.casefold() in _TEXT_NAMES:
            raise Declined(
                Outcome.DAMAGED, "The file is named as a text and is none: damaged, or of another kind."
            )
        case FileKind.OTHER:
            raise Declined(
                Outcome.UNSUPPORTED, "Files of this kind are not indexed: searched by its metadata."
            )
    named = kind.value[0].upper() + kind.value[1:]
    raise Declined(Outcome.UNSUPPORTED, f"{named} are not indexed: searched by its metadata.")


_TEXT_NAMES = frozenset((".txt", ".md", ".markdown", ".rst", ".tex", ".csv", ".tsv", ".json", ".srt", ".vtt"))


def read(name: str, path: Path, content_type: str, bounds: Bounds, on_page: OnPage) -> StructuredText:
    """The structured text of a file by the reader `format_of` named.

    Raises Declined where there is no text to be had; MemoryError.
    """
    try:
        match name:
            case "pdf":
                return _pdf(path, bounds.max_pages, on_page)
            case "epub":
                return _epub(path, on_page)
            case "html":
                return _html(path, on_page)
            case _:
                return _text(path, content_type)
    except RecursionError as error:
        raise Declined(
            Outcome.DAMAGED, "The file is nested deeper than any document: it cannot be read."
        ) from error
    except OSError as error:
        raise unreadable(error) from error


def unreadable(error: OSError) -> Declined:
    """What to say of a file that cannot be opened or read on."""
    if isinstance(error, FileNotFoundError):
        return Declined(Outcome.MISSING, "The file is not there any more.")
    if isinstance(error, PermissionError):
        return Declined(Outcome.FAILED, "The file may not be read: permission denied.")
    if error.errno == errno.EISDIR:
        return Declined(Outcome.UNSUPPORTED, "This is a folder and not a file.")
    return Declined(Outcome.FAILED, f"The file could not be read ({error.strerror or error}).")


def _head(path: Path, most: int) -> bytes:
    """The first *most* bytes and one more, by which is seen that there are more."""
    with path.open("rb") as file:
        return file.read(most + 1)


def _epub(path: Path, on_page: OnPage) -> StructuredText:
    from zbm_core.documents.epub.document import read_epub

    return read_epub(path, on_page)


def _html(path: Path, on_page: OnPage) -> StructuredText:
    from zbm_core.documents.web.archive import is_web_archive, main_page
    from zbm_core.documents.web.document import MAX_BYTES, read_html

    data, label, folder = _head(path, MAX_BYTES), "", path.parent
    if len(data) > MAX_BYTES:
        raise Declined(
            Outcome.TOO_LARGE, f"The page has more than {MAX_BYTES >> 20} MB; larger pages are not read."
        )
    if is_web_archive(data):
        found = main_page(data)
        if found is None:
            raise Declined(Outcome.DAMAGED, "The web archive is damaged or holds no page.")
        (data, label), folder = found, None
    on_page(0)
    page = read_html(data, label=label, folder=folder)
    if not page.text.blocks:
        raise Declined(
            Outcome.NO_TEXT, "The page holds no text: it may have been saved before its content was loaded."
        )
    return page.text


def _text(path: Path, content_type: str) -> StructuredText:
    from zbm_core.documents.plain.document import MAX_BYTES, read_plain

    plain = read_plain(_head(path, MAX_BYTES), path.name, content_type)
    if plain.binary:
        raise Declined(
            Outcome.DAMAGED, "The file is named as a text and is none: damaged, or of another kind."
        )
    if not plain.text.blocks:
        raise Declined(Outcome.NO_TEXT, "The file holds no text.")
    return plain.text


def _pdf(path: Path, max_pages: int, on_page: OnPage) -> StructuredText:
    from zbm_core.documents.pdf.document import read_pdf
    from zbm_core.documents.pdf.errors import mupdf_errors, quiet_mupdf

    pymupdf = quiet_mupdf()
    try:
        document = pymupdf.open(path, filetype="pdf")
        pages = 0 if document.needs_pass else document.page_count
    except FileNotFoundError:
        raise
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
        if pages > max_pages:
            raise Declined(
                Outcome.TOO_LARGE,
                f"The file has {pages:,} pages; files over {max_pages:,} pages are not read.",
                pages,
            )
        return read_pdf(document, on_page)
