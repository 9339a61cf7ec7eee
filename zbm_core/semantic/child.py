"""The parent's side of a child that runs models: requests by number, answers to whoever asked."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from typing import Any

from zbm_core.children import Kind, child_command
from zbm_core.errors import CancelToken
from zbm_core.processes import Child, Ended, Reply, child_environment

#: Seconds between looks at the clock and the token while an answer is waited for.
POLL = 0.2
#: Seconds one look may add to the clock: a laptop that slept meanwhile has waited no longer.
LONGEST_POLL = 1.0

Inbox = queue.SimpleQueue  # of dict | None; None: the child has ended


class ChildDied(Exception):
    """The child ended while it was waited for."""


def worker_command() -> list[str]:
    """What the child is started with."""
    return child_command(Kind.ENCODER)


#: The static model's small products take ten times as long when BLAS parts them over threads, and the C
#: library of Linux keeps a heap a thread.
_ONE_CORE = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


class ChildLink:
    """One running child. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._inboxes: dict[int, Inbox] = {}
        self._ended: Ended | None = None
        self._last_sign = time.monotonic()
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._child = Child(worker_command(), self._replies, environment=child_environment(_ONE_CORE))
        self._router = threading.Thread(target=self._route, daemon=True)
        self._router.start()

    @property
    def alive(self) -> bool:
        return self._ended is None

    @property
    def pid(self) -> int | None:
        return self._child.pid

    @property
    def busy(self) -> bool:
        """Whether anyone waits for an answer."""
        return bool(self._inboxes)

    def memory(self) -> int | None:
        """Resident bytes, None when unknown."""
        return self._child.memory()

    def ask(self, message: dict[str, Any]) -> tuple[int, Inbox]:
        """Send *message* under a number of its own; answers arrive in the inbox until `forget`."""
        number, inbox = next(self._numbers), queue.SimpleQueue()
        with self._lock:
            if self._ended is not None:
                inbox.put(None)
                return number, inbox
            self._inboxes[number] = inbox
            # What cannot be sent is answered by the child's end.
            self._child.send({**message, "id": number})
        return number, inbox

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that needs no answer."""
        with self._lock:
            if self._ended is None:
                self._child.send(message)

    def forget(self, number: int) -> None:
        with self._lock:
            self._inboxes.pop(number, None)

    def receive(self, inbox: Inbox, seconds: float, cancel: CancelToken | None = None) -> dict[str, Any]:
        """The next answer.

        Args:
            seconds: without any sign of the child's life after which it is hung, and ended.

        Raises:
            ChildDied, Cancelled.
        """
        waited, before = 0.0, time.monotonic()
        while True:
            if cancel is not None:
                cancel.check()
            try:
                message = inbox.get(timeout=POLL)
            except queue.Empty:
                now = time.monotonic()
                waited = 0.0 if self._last_sign > before else waited + min(now - before, LONGEST_POLL)
                before = now
                if waited > seconds:
                    self.end()
                    raise ChildDied("no answer in time") from None
                continue
            if message is None:
                raise ChildDied(self._ended.detail if self._ended else "")
            return message

    def end(self) -> None:
        """End the child at once; everyone who waits is told."""
        self._child.kill()
        self._router.join()

    def _route(self) -> None:
        while (message := self._replies.get().message) is not None:
            self._last_sign = time.monotonic()
            inbox = self._inboxes.get(message.get("id", 0))
            if inbox is not None:
                inbox.put(message)
        ended = self._child.wait()
        with self._lock:
            self._ended = ended
            waiting, self._inboxes = list(self._inboxes.values()), {}
        for inbox in waiting:
            inbox.put(None)
