"""How a reader of files says that a document ends here."""

from __future__ import annotations

from zbm_core.documents.structure import Outcome


class Declined(Exception):
    """The document ends here, with an outcome and a sentence."""

    def __init__(self, outcome: Outcome, reason: str, pages: int | None = None) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason
        self.pages = pages
