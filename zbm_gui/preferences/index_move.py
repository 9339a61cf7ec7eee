"""Moving the index while the window watches: the library is closed, the files are copied, it is opened again."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.library_flow import LibraryFlow
from zbm_gui.states import State

log = logging.getLogger(__name__)

#: At most one message in this many seconds: an index has thousands of small files.
PROGRESS_INTERVAL = 0.2


class IndexMove(QObject):
    """One at a time.

    Signals:
        progressed(object, object): bytes copied, bytes in all.
        ended(str): why it did not succeed, or "".
    """

    progressed = Signal(object, object)  # a C++ int would end at 2 GB
    ended = Signal(str)

    def __init__(self, engine: EngineThread, flow: LibraryFlow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._flow = engine, flow
        self._moving = False

    def begin(self, parent: Path) -> None:
        """Move the index into *parent*; nothing while a move is under way."""
        told = 0.0

        def on_progress(done: int, total: int) -> None:  # in the lane; the signal crosses over
            nonlocal told
            if done == total or time.monotonic() - told >= PROGRESS_INTERVAL:
                told = time.monotonic()
                self.progressed.emit(done, total)

        self._run(lambda engine, token: engine.move_index(parent, token, on_progress))

    def reset(self) -> None:
        """Use the standard place, where the index is made anew."""
        self._run(lambda engine, _token: engine.index_place.reset())

    def _run(self, work) -> None:
        if self._moving:
            return
        self._moving = True
        self._flow.state_shown.emit(
            State(
                "Moving the search index",
                "The library is opened again when it is done. Until then nothing can be searched.",
                busy=True,
            )
        )
        self._engine.set_aside()
        self._engine.ask("move", work, lambda _nothing: self._end(""), self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        log.info("the index was not moved: %s %s", failure.message, failure.detail)
        self._end(failure.message)

    def _end(self, problem: str) -> None:
        self._moving = False
        self._flow.open_again()
        self.ended.emit(problem)
