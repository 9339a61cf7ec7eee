"""A lane: one QThread that does blocking work, one job after the other."""

from __future__ import annotations

import logging
import queue
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from zbm_core.errors import Cancelled, CancelToken, ZbmError

log = logging.getLogger(__name__)

#: What is said of an error that no part of the core put into words.
UNEXPECTED = (
    "Something went wrong that was not foreseen. The details say what; the log file has the whole story."
)


@dataclass(frozen=True, slots=True)
class Failure:
    message: str
    detail: str = ""

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Put *error* into words; an unforeseen one is logged with its traceback."""
        if isinstance(error, ZbmError):
            log.info("%s: %s", error.message, error.detail, extra={"zbm_error": type(error).__name__})
            return cls(error.message, error.detail)
        log.error("unforeseen error in the engine", exc_info=error)
        return cls(UNEXPECTED, "".join(traceback.format_exception(error)))


@dataclass(eq=False, slots=True)
class Job:
    """One piece of work and what to do with its outcome in the thread that asked.

    Attributes:
        work: called in the lane with the job's token; may raise `Cancelled` or anything else.
        done: called in the asking thread with what `work` returned, unless the token is set by then.
        failed: likewise, with a `Failure`.
    """

    name: str
    work: Callable[[CancelToken], Any]
    done: Callable[[Any], None] | None = None
    failed: Callable[[Failure], None] | None = None
    token: CancelToken = field(default_factory=CancelToken)


class Lane(QThread):
    """Runs jobs in the order they were submitted; a job cancelled while waiting never starts.

    Outcomes are delivered in the thread the lane was made in. Messages sent by `tell` from within a
    job arrive there too, in order with the outcome.
    """

    _delivered = Signal(object)  # a callable

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waiting: list[Job] = []
        self._closed = False
        self._delivered.connect(self._on_delivered)

    def submit(self, job: Job) -> Job:
        if self._closed:
            job.token.cancel()
            return job
        self._waiting = [waiting for waiting in self._waiting if not waiting.token.cancelled]
        self._waiting.append(job)
        self._queue.put(job)
        if not self.isRunning():
            self.start()
        return job

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    def tell(self, job: Job, message: Callable[[], None]) -> None:
        """From within *job*: call *message* in the asking thread, unless the job is cancelled by then."""
        self._delivered.emit(lambda: None if job.token.cancelled else message())

    def run(self) -> None:
        while (job := self._queue.get()) is not None:
            self._delivered.emit(self._outcome_of(job))

    def _outcome_of(self, job: Job) -> Callable[[], None]:
        """Do the work; return what is to be done about it in the asking thread."""
        value, failure = None, None
        try:
            job.token.check()
            value = job.work(job.token)
        except Cancelled:
            return lambda: self._forget(job)
        except Exception as error:  # the border where errors become words
            failure = Failure.of(error)

        def deliver() -> None:
            self._forget(job)
            if job.token.cancelled:
                return
            if failure is None:
                if job.done:
                    job.done(value)
            elif job.failed:
                job.failed(failure)

        return deliver

    def _forget(self, job: Job) -> None:
        if job in self._waiting:
            self._waiting.remove(job)

    @Slot(object)
    def _on_delivered(self, call: Callable[[], None]) -> None:
        if not self._closed:
            call()

    def cancel_all(self) -> None:
        for job in self._waiting:
            job.token.cancel()

    def close(self) -> None:
        """Ask everything to stop and deliver nothing more; `wait_until` says whether it did."""
        self._closed = True
        self.cancel_all()
        self._queue.put(None)

    def wait_until(self, deadline: float) -> bool:
        """Wait for the thread's end until *deadline* (of `time.monotonic`)."""
        if not self.isRunning():
            return True
        return self.wait(max(1, round((deadline - time.monotonic()) * 1000)))
