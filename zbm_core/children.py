"""Which children there are, and how this program becomes one of them.

Run from source, a child is an interpreter with the module of its main. A frozen program has no interpreter to start:
it starts itself with `FLAG` and a kind, and `become_child`, which every entry point calls before anything else, hands
over to that main.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module

FLAG = "--zbm-child"
"""First argument of a program that shall be a child; the kind is the second."""


class Kind(StrEnum):
    """What a child does."""

    DOCUMENTS = "documents"  # reads documents for the indexes
    READER = "reader"  # reads one document for its reader
    ENCODER = "encoder"  # runs embedding models


MAINS = {
    Kind.DOCUMENTS: "zbm_core.documents.worker",
    Kind.READER: "zbm_core.documents.reading.worker",
    Kind.ENCODER: "zbm_core.semantic.encoder_worker",
}
"""The module whose `main` is a child of that kind. They are named, not imported: rooms above this one load them, and a
frozen program must be told to hold them."""


def child_command(kind: Kind) -> list[str]:
    """What a child of *kind* is started with, by this interpreter or this frozen program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, FLAG, kind.value]
    return [sys.executable, "-P", "-m", MAINS[kind]]


def become_child(arguments: Sequence[str]) -> bool:
    """Be a child until its parent is done with it, if *arguments* (``sys.argv``) ask for one; whether they did.

    Raises SystemExit for a kind that is not known: the program that asks is another version.
    """
    if list(arguments[1:2]) != [FLAG]:
        return False
    try:
        kind = Kind("".join(arguments[2:3]))
    except ValueError:
        sys.exit(f"zbm: there is no child of the kind {arguments[2:3]}")
    import_module(MAINS[kind]).main()
    return True
