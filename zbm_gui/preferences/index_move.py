"""Moving the index while the window watches: the library is closed, the files are copied, it is opened again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zbm_core.errors import Cancelled, CancelToken
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.library_flow import LibraryFlow
from zbm_gui.states import State

if TYPE_CHECKING:
    from zbm_core.engine import Engine

log = logging.getLogger(__name__)

#: At most one message in this many seconds: an index has thousands of small files.
PROGRESS_INTERVAL = 0.2
CANCELLED = "The move was cancelled. The index is used where it was."


class _Either(CancelToken):
    """Set when one of two is: the user gave up, or the window closes."""

    __slots__ = ("_tokens",)

    def __init__(self, *tokens: CancelToken) -> None:
        super().__init__()
        self._tokens = tokens

    @property
    def cancelled(self) -> bool:
        return super().cancelled or any(token.cancelled for token in self._tokens)

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled


class IndexMove(QObject):
    """One at a time.

    Signals:
        progressed(object, object): bytes copied, bytes in all.
        ended(str): why it did not succeed, or "". One that was cancelled says so.
    """

    progressed = Signal(object, object)  # a C++ int would end at 2 GB
    ended = Signal(str)

    def __init__(self, engine: EngineThread, flow: LibraryFlow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._flow = engine, flow
        self._moving: CancelToken | None = None  # of the move under way

    def begin(self, parent: Path) -> None:
        """Move the index into *parent*; nothing while a move is under way."""
        told, cancel = 0.0, CancelToken()

        def on_progress(done: int, total: int) -> None:  # in the lane; the signal crosses over
            nonlocal told
            if done == total or time.monotonic() - told >= PROGRESS_INTERVAL:
                told = time.monotonic()
                self.progressed.emit(done, total)

        def work(engine, token) -> str:
            # Not the job's token alone: what comes of a job whose token is set is dropped, and the library is to come
            # back.
            try:
                engine.move_index(parent, _Either(cancel, token), on_progress)
            except Cancelled:
                return CANCELLED
            return ""

        self._run(work, cancel)

    def reset(self) -> None:
        """Use the standard place, where the index is made anew."""

        def work(engine, _token) -> str:
            engine.index_place.reset()
            return ""

        self._run(work, CancelToken())

    def cancel(self) -> None:
        """Give up the move under way: the index stays where it was, and the copy is deleted."""
        if self._moving is not None:
            self._moving.cancel()

    def _run(self, work: Callable[[Engine, CancelToken], str], cancel: CancelToken) -> None:
        if self._moving is not None:
            return
        self._moving = cancel
        self._flow.state_shown.emit(
            State(
                "Moving the search index",
                "The library is opened again when it is done. Until then nothing can be searched.",
                busy=True,
            )
        )
        self._engine.set_aside()
        self._engine.ask("move", work, self._end, self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        log.info("the index was not moved: %s %s", failure.message, failure.detail)
        self._end(failure.message)

    def _end(self, problem: str) -> None:
        self._moving = None
        self._flow.open_again()
        self.ended.emit(problem)
