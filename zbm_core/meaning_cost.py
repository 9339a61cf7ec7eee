"""What searching by meaning costs for the open library: download, disk, time."""

from __future__ import annotations

from dataclasses import dataclass

#: Tokens of a passage, rounded up, and tokens a CPU second of the packaged model (benchmark `embedding`:
#: 1,520 on one thread): what is said before anything has been measured on this computer.
TOKENS_PER_PASSAGE = 230
TOKENS_PER_SECOND = 1_500
#: Bytes a passage takes beside its vector: its row, its hash, its share of the database's pages.
ROW_BYTES = 48
#: Passages of a document that has not been read yet, and of an item with its notes: the mean of the generated
#: library of 5,000 documents (270,000 passages), and of item libraries.
PASSAGES_PER_DOCUMENT = 54
PASSAGES_PER_RECORD = 1
#: Share of the passages read that must have their vector before an index in which none waits counts as whole:
#: reference lists and records without words get none, and a run that has just begun has not entered its rows.
WHOLE = 0.5


@dataclass(frozen=True, slots=True)
class MeaningCost:
    """Estimates, but for what is known.

    download: bytes still to be fetched; None where the catalogue does not know, 0 where nothing is.
    prepared: whether the model is on this computer.
    disk: bytes of the vectors of the whole library.
    passages: of the whole library. left: those still without a vector.
    seconds: for those, with the computer doing nothing else.
    measured: whether the rate was measured on this computer.
    """

    download: int | None
    prepared: bool
    disk: int
    passages: int
    left: int
    seconds: float
    measured: bool


def estimate(
    *,
    download: int | None,
    prepared: bool,
    width: int,
    read: int,
    unread_documents: int,
    records: int,
    embedded: int,
    waiting: int,
    rate: float | None,
) -> MeaningCost:
    """Args:
    width: components of a vector, a byte each.
    read: passages of the documents that have been read.
    records: items, notes and annotations.
    embedded, waiting: passages that have their vector, and those that are known to be without.
    rate: passages a second as measured here; None: not yet.
    """
    passages = read + unread_documents * PASSAGES_PER_DOCUMENT + records * PASSAGES_PER_RECORD
    whole = embedded and not waiting and not unread_documents and embedded >= WHOLE * (read + records)
    left = 0 if whole else max(waiting, passages - embedded)
    speed = rate or TOKENS_PER_SECOND / TOKENS_PER_PASSAGE
    return MeaningCost(
        download, prepared, passages * (width + ROW_BYTES), passages, left, left / speed, rate is not None
    )
