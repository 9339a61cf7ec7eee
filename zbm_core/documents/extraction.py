"""Reading many documents with a few children: feeding them, watching them, replacing them.

A child that crashes, hangs or takes too much memory costs the document it was reading, which ends
as FAILED with the reason; the documents waiting behind it are read by another child.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from zbm_core.children import Kind, child_command
from zbm_core.documents import pack
from zbm_core.errors import CancelToken, ZbmError
from zbm_core.processes import Bounds, Child, End, Ended, Reply, child_environment

POLL = 0.2
"""Seconds between two looks at bounds and the token: cancelling and killing take no longer."""

QUEUED = 2
"""Documents a child holds: the one it reads and the next, so that it never waits for its parent."""

MEMORY = 1 << 30
"""Bytes a child may hold. A book of 2,800 pages takes about a third of that (`test_store`)."""

TIRED = 512 << 20
"""Bytes at which a child is replaced after its document: freed memory does not go back by itself."""

STALL = 120.0
"""Seconds without a page read after which a child counts as hung."""

CPU_BASE, CPU_PER_MB, CPU_MOST = 120.0, 10.0, 7_200.0
"""Processor seconds a document may take: a MB of text takes under 1, of drawings a few."""

MAX_BYTES = 2 << 30
"""Largest file that is read. Larger ones are scans of whole shelves, or films."""

MAX_PAGES = 20_000
"""Most pages that are read of one file: several times the thickest handbook."""

NEVER_STARTED = 2
"""Children in a row that end before their greeting: then it is not the document's fault."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one document."""

    memory: int = MEMORY
    stall: float = STALL
    cpu_base: float = CPU_BASE
    max_bytes: int = MAX_BYTES
    max_pages: int = MAX_PAGES

    def bounds(self, size: int) -> Bounds:
        cpu = min(CPU_MOST, self.cpu_base + CPU_PER_MB * size / 1e6)
        return Bounds(self.memory, self.stall, cpu)


class Work(NamedTuple):
    """One document to read."""

    number: int  # names it among those of one `read_all`
    path: Path
    content_type: str
    target: Path  # of the pack
    file: str  # the file's part of the stamp
    size: int  # bytes
    attempts: int
    fallback: Path | None = None  # where Zotero keeps a text of the document
    cache: str = ""  # that text's part of the stamp


class Answered(NamedTuple):
    """Something there is nothing to read for; it passes through `Pool.read_all` in its turn."""

    number: int


class Done(NamedTuple):
    """One document that left its child: `ended` is None when its pack was written."""

    work: Work
    ended: Ended | None


def worker_command() -> list[str]:
    """The command of a child that reads documents for the indexes."""
    return child_command(Kind.DOCUMENTS)


class _Reader:
    """A child with the documents it holds, the one it reads first."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.held: deque[Work] = deque()
        self.greeted = False


class Pool:
    """Reading children, kept between calls. Not for several threads at once.

    Args:
        workers: how many read side by side; a function is asked anew before each document.
    """

    def __init__(
        self,
        workers: int | Callable[[], int],
        limits: Limits,
        command: Callable[[], list[str]] = worker_command,
    ) -> None:
        self._wanted = workers if callable(workers) else lambda: workers
        self._limits = limits
        self._command = command
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._readers: list[_Reader] = []
        self._failed_starts = 0

    def read_all(
        self, works: Iterator[Work | Answered], cancel: CancelToken | None = None
    ) -> Iterator[Done | Answered]:
        """Read the documents, each `Done` as it is finished, in no order.

        *works* is drawn from as children become free. Raises `Cancelled` when the token is set,
        ZbmError when packs cannot be written or children cannot be started. However it ends,
        children that were reading are ended and no part of a pack stays.
        """
        again: deque[Work] = deque()
        try:
            exhausted = False
            while True:
                if cancel is not None:
                    cancel.check()
                # Draw from the caller only what a child can take at once.
                while self._has_room() and (again or not exhausted):
                    work = again.popleft() if again else next(works, None)
                    if work is None:
                        exhausted = True
                    elif isinstance(work, Work):
                        self._give(self._free(), work)
                    else:
                        yield work
                        if cancel is not None:
                            cancel.check()
                if exhausted and not again and not any(reader.held for reader in self._readers):
                    return
                try:
                    reply = self._replies.get(timeout=POLL)
                except queue.Empty:
                    self._look()
                    continue
                if (done := self._take(reply, again)) is not None:
                    yield done
                self._look()
        finally:
            self._stop_reading()

    def close(self) -> None:
        """End all children."""
        for reader in self._readers:
            reader.child.close()
        self._readers.clear()

    @property
    def _workers(self) -> int:
        return max(1, self._wanted())

    def _has_room(self) -> bool:
        return len(self._readers) < self._workers or any(
            len(reader.held) < QUEUED for reader in self._readers
        )

    def _free(self) -> _Reader:
        """The child that shall have the next document: an idle one, a new one, or a second for one."""
        reader = min(self._readers, key=lambda reader: len(reader.held), default=None)
        if reader is None or (reader.held and len(self._readers) < self._workers):
            child = Child(self._command(), self._replies, environment=child_environment(), background=True)
            reader = _Reader(child)
            self._readers.append(reader)
        return reader

    def _give(self, reader: _Reader, work: Work) -> None:
        reader.held.append(work)
        reader.child.send(
            {
                "job": work.number,
                "path": str(work.path),
                "type": work.content_type,
                "target": str(work.target),
                "file": work.file,
                "fallback": str(work.fallback or ""),
                "cache": work.cache,
                "attempts": work.attempts,
                "stall": self._limits.stall,
                "memory": self._limits.memory,
                "max_bytes": self._limits.max_bytes,
                "max_pages": self._limits.max_pages,
            }
        )
        if len(reader.held) == 1:
            reader.child.begin(self._limits.bounds(work.size))

    def _take(self, reply: Reply, again: deque[Work]) -> Done | None:
        reader = next((r for r in self._readers if r.child is reply.child), None)
        if reader is None:
            return None  # the last words of a child that was ended
        if reply.message is None:
            return self._lost(reader, again)
        message = reply.message
        reader.child.beat()
        if "ready" in message:
            reader.greeted, self._failed_starts = True, 0
            return None
        if not reader.held or message.get("job") != reader.held[0].number or "page" in message:
            return None
        work = reader.held.popleft()
        if "disk" in message:
            raise disk_error(OSError(message["disk"], str(message["error"])), work.target)
        self._next(reader, again)
        return Done(work, None)

    def _next(self, reader: _Reader, again: deque[Work]) -> None:
        """After a document: the clocks of the next one, or a fresh child instead of a tired one, or none where fewer
        are wanted now."""
        if len(self._readers) > self._workers or (reader.child.memory() or 0) > TIRED:
            again.extend(reader.held)
            reader.child.kill()
            reader.child.wait()
            for work in reader.held:
                pack.part_of(work.target).unlink(missing_ok=True)
            self._readers.remove(reader)
        elif reader.held:
            reader.child.begin(self._limits.bounds(reader.held[0].size))
        else:
            reader.child.rest()

    def _lost(self, reader: _Reader, again: deque[Work]) -> Done | None:
        """A child is gone: its document failed, the ones behind it go to another."""
        ended = reader.child.wait()
        self._readers.remove(reader)
        if not reader.greeted and ended.how in (End.NOT_STARTED, End.CRASHED, End.FINISHED, End.GARBLED):
            self._failed_starts += 1
            again.extend(reader.held)
            if ended.how is End.NOT_STARTED or self._failed_starts >= NEVER_STARTED:
                raise ZbmError(
                    "Documents cannot be read: the reading program does not start. "
                    "Installing the program again may help.",
                    ended.detail or ended.in_words(),
                )
            return None
        if not reader.held:
            return None
        work = reader.held.popleft()
        again.extend(reader.held)
        pack.part_of(work.target).unlink(missing_ok=True)
        return Done(work, ended)

    def _look(self) -> None:
        for reader in self._readers:
            reader.child.check()

    def _stop_reading(self) -> None:
        for reader in [reader for reader in self._readers if reader.held]:
            reader.child.kill()
            reader.child.wait()
            for work in reader.held:
                pack.part_of(work.target).unlink(missing_ok=True)
            self._readers.remove(reader)


def disk_error(error: OSError, target: Path) -> ZbmError:
    """What to say when a pack cannot be written."""
    import errno

    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        text = (
            "The disk is full: what was read of a document could not be stored. "
            "Make room, then start indexing again; nothing that was stored is lost."
        )
    else:
        text = (
            f"The program's cache folder cannot be written to ({target.parent}). "
            "Check its permissions, then start indexing again."
        )
    return ZbmError(text, f"{target}: {error}")
