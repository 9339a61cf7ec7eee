"""The documents that need attention, as every face of the product lists and exports them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.documents.structure import DocumentReport, Outcome
from zbm_core.library.records import Attachment, Item, ItemKey

if TYPE_CHECKING:
    from zbm_core.library import Library

OUTCOME_NAMES = {
    Outcome.NO_TEXT: "Scan without text",
    Outcome.PASSWORD: "Needs a password",
    Outcome.DRM: "Copy protected",
    Outcome.MISSING: "File missing",
    Outcome.NOT_DOWNLOADED: "Not downloaded",
    Outcome.DAMAGED: "Damaged",
    Outcome.TOO_LARGE: "Too large",
    Outcome.UNSUPPORTED: "Format not read yet",
    Outcome.FAILED: "Reading failed",
    Outcome.INDEXED: "Read in part",
}
HEADINGS = ("Document", "What happened", "Reason")


@dataclass(frozen=True, slots=True)
class AttentionRow:
    """One document."""

    key: ItemKey
    name: str  # of its item, else of the attachment
    happened: str
    reason: str
    file: str  # its name, "" where it is not known

    @property
    def cells(self) -> tuple[str, str, str]:
        return self.name, self.happened, self.reason


def rows_of(library: Library, found: Iterable[tuple[Attachment, DocumentReport]]) -> list[AttentionRow]:
    """Rows by what happened, then by name."""
    rows = []
    for attachment, report in found:
        parent = library.record(attachment.parent) if attachment.parent else None
        name = parent.title if isinstance(parent, Item) and parent.title else attachment.title
        file = attachment.path.removeprefix("storage:").replace("\\", "/").rpartition("/")[2]
        rows.append(
            AttentionRow(attachment.key, name or file, OUTCOME_NAMES[report.outcome], report.reason, file)
        )
    return sorted(rows, key=lambda row: (row.happened, row.name.casefold()))


def in_words(count: int) -> str:
    """How many there are."""
    return f"{count:,} {'document needs' if count == 1 else 'documents need'} attention"


# --- exporting --------------------------------------------------------------------------------------------

#: A cell that begins so is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(rows: Iterable[AttentionRow]) -> str:
    """For a spreadsheet: one line a document, and no cell that it would calculate."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow((*HEADINGS, "File", "Zotero key"))
    for row in rows:
        cells = (*row.cells, row.file, str(row.key))
        writer.writerow(f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells)
    return out.getvalue()


def as_lines(rows: Iterable[AttentionRow]) -> str:
    """For a mail or a note: one paragraph a document."""
    return "\n".join(
        f"{row.name}\n    {row.happened}{f' ({row.file})' if row.file else ''}\n"
        + (f"    {' '.join(row.reason.split())}\n" if row.reason else "")
        for row in rows
    )
