"""What the reader says when a file does not open."""

from __future__ import annotations

from zbm_gui import states
from zbm_gui.states import Act, State

from .document import Problem


def state_of(problem: Problem) -> State:
    match problem:
        case Problem.MISSING:
            return states.document_missing("")
        case Problem.PASSWORD:
            return states.document_password("")
        case Problem.ENCRYPTION:
            return states.document_password(
                "It is protected in a way that zbm does not know. Another program may open it."
            )
        case Problem.EMPTY:
            return State(
                "The file is empty",
                "It holds no data: its download or copying may have been cut off. "
                "Fetching it again in Zotero may help.",
                (Act.OPEN_EXTERNALLY, Act.SHOW_IN_ZOTERO, Act.TRY_AGAIN),
                icon="warning",
            )
        case Problem.NO_PAGES:
            return states.document_damaged("No page could be found in it. A fresh copy may help.")
        case Problem.TANGLED:
            return states.document_damaged(
                "The list of its pages leads back into itself, or would take gigabytes. A fresh copy may help."
            )
        case _:
            return states.document_damaged(
                "It is not a PDF, or it breaks off before its end. A fresh copy may help."
            )
