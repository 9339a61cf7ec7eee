"""What a run is given to work with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zbm_core.errors import CancelToken
from zbm_core.indexing.contents import Contents
from zbm_core.indexing.machine import Machine, Tireless

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.indexing.vectors import PassageEncoder
    from zbm_core.lexical import LexicalIndex
    from zbm_core.library import Library
    from zbm_core.semantic import Encoder, Meaning


@dataclass(frozen=True, slots=True)
class Parts:
    """What a run works on.

    Attributes:
        library: the part of the library that is indexed.
        words: None: only vectors are made, of what was read before.
        encoder_for_run: who embeds the passages of this run, given this computer's encoder.
        meaning: what vectors are made by now; None where searching by meaning is off or not prepared.
        prepare: makes meaning possible (a model fetched or made) and returns it; None where it is off. Raises ZbmError.
        look: the part of the library to index now, read again where its files changed. Raises ZbmError.
        check_packs: takes the wish to look at every byte of what was read of documents.
        contents: what the files held when they were read.
        kicked: takes a kick: whether there was one since it was last asked.
    """

    library: Library
    words: LexicalIndex | None
    documents: DocumentStore
    meaning: Callable[[], Meaning | None] = lambda: None
    prepare: Callable[[CancelToken], Meaning | None] | None = None
    encoder_for_run: Callable[[Encoder], AbstractContextManager[PassageEncoder]] = nullcontext
    look: Callable[[CancelToken], Library] | None = None
    kicked: Callable[[], bool] = lambda: False
    check_packs: Callable[[], bool] = lambda: False
    contents: Contents = field(default_factory=Contents)
    machine: Machine = field(default_factory=Tireless)
