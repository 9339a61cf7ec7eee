"""What a reading child does with a document's structured text: leave out debris, cut, tell languages, sign."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from zbm_core.documents.chunker import cut
from zbm_core.documents.language import language_of_text, shares
from zbm_core.documents.quality import left_out, without_debris
from zbm_core.documents.reference_lists import with_reference_lists
from zbm_core.documents.structure import Chunk, DocumentReport, Outcome, StructuredText


@dataclass(frozen=True, slots=True)
class Cut:
    """The chunks of one document, and what is said of them in its report (`DocumentReport`)."""

    chunks: list[Chunk]
    kept: float = 1.0
    languages: tuple[tuple[str, float], ...] = ()
    digest: str = ""

    def report(self, pages: int | None, *reasons: str, fallback: bool = False) -> DocumentReport:
        """The report of a document that is indexed, without its stamp.

        Args:
            reasons: sentences for the user; what was left out as unreadable is added here.
        """
        return DocumentReport(
            Outcome.INDEXED,
            " ".join(filter(None, (*reasons, left_out(self.kept)))),
            pages,
            len(self.chunks),
            digest=self.digest,
            kept=self.kept,
            languages=self.languages,
            fallback=fallback,
        )


def cut_document(text: StructuredText) -> Cut:
    """Chunks with their languages; debris is in none of them."""
    text, kept = without_debris(with_reference_lists(text))
    chunks = cut(text, language_of_text)
    # Entries of reference lists are in the languages of what is cited.
    own = [chunk for chunk in chunks if not chunk.is_reference] or chunks
    languages = shares((chunk.language, len(chunk.text)) for chunk in own)
    return Cut(chunks, kept, languages, digest_of(chunks, languages))


def digest_of(chunks: Sequence[Chunk], languages: Sequence[tuple[str, float]]) -> str:
    """Of all that the indexes take from a document: what is the same is not indexed again."""
    state = hashlib.blake2b(digest_size=12)
    state.update((languages[0][0] if languages else "").encode())
    for chunk in chunks:
        state.update(b"\0\1" if chunk.is_reference else b"\0\0")
        state.update(chunk.text.encode("utf-8", "replace"))
        state.update(b"\0")
        state.update(chunk.embed_text.encode("utf-8", "replace"))
    return state.hexdigest()
