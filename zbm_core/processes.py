"""Child processes: one wrapper for starting, talking to, bounding and ending them.

A child and its parent exchange JSON objects, one a line, over stdin and stdout. The parent side
is `Child`; a child's main calls `serve`. A child ends when its stdin does, so none outlives a
parent that dies hard: a thread of its own waits for the end of stdin, the kernel ends it where it
can (`restraints.Lifeline`), and elsewhere a timer of the C level (`faulthandler`) does, even while a
library call holds the interpreter lock for ever.

Pipes are read by threads and not by `select`, which knows no pipes on Windows.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from zbm_core.restraints import Lifeline, background_flags, hold_lifeline, to_background

MAX_LINE = 4 << 20
"""Bytes of one message. A longer line is not a message but a child gone wrong."""

STDERR_TAIL = 4_000
"""Characters kept of what a child wrote to stderr: enough for a traceback."""

LONGEST_POLL = 1.0
"""Seconds one look at a child may add to its clock. A laptop that slept an hour adds one second."""

GRACE = 1.0
"""Seconds a child has to end by itself after its stdin was closed."""


class End(StrEnum):
    """Why a child is no longer there."""

    FINISHED = "finished"
    CRASHED = "crashed"
    HUNG = "hung"
    MEMORY = "memory"
    STOPPED = "stopped"
    GARBLED = "garbled"
    NOT_STARTED = "not started"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended, and how to say so."""

    how: End
    code: int | None = None  # exit code; negative: the signal (POSIX)
    detail: str = ""  # the tail of its stderr

    def in_words(self) -> str:
        """One clause that fits after "The file could not be read: "."""
        match self.how:
            case End.FINISHED:
                return "the reading program ended early"
            case End.HUNG:
                return "reading took too long and was stopped"
            case End.MEMORY:
                return "reading needed too much memory and was stopped"
            case End.STOPPED:
                return "reading was stopped"
            case End.GARBLED:
                return "the reading program gave an answer that makes no sense"
            case End.NOT_STARTED:
                return "the reading program could not be started"
            case _:
                return f"the reading program ended unexpectedly ({self._code_in_words()})"

    def _code_in_words(self) -> str:
        if self.code is None:
            return "no exit code"
        if self.code < 0:
            return f"signal {-self.code}"
        return f"exit code {self.code}" if self.code < 256 else f"exit code 0x{self.code:08X}"


class Bounds(NamedTuple):
    """What one piece of work may take."""

    memory: int  # bytes resident
    stall: float  # seconds without a sign of life, not counting those it waited for a processor (Linux)
    cpu: float  # seconds of processor time


def child_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment for a child that imports the same `zbm_core`, wherever it is started."""
    root = str(Path(__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", **(more or {})}


class Reply(NamedTuple):
    """What arrived from a child; `message` is None when its stdout ended."""

    child: Child
    message: dict[str, Any] | None


class Child:
    """A running child process.

    Every message it sends is put on *replies* as a `Reply`, so one thread can serve many children
    by reading one queue. Methods are for that one thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        replies: queue.SimpleQueue[Reply],
        *,
        environment: Mapping[str, str] | None = None,
        background: bool = False,
    ) -> None:
        """Start *command*. A program that cannot be started shows as an ended child, not as an error.

        Args:
            background: let it stand behind everything a person waits for.
        """
        self.ended: Ended | None = None
        self._replies = replies
        self._tail = ""
        self._cause: End | None = None
        self._bounds: Bounds | None = None
        self._clock = self._last_look = 0.0
        self._cpu_before = self._cpu_seen = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._watched: Any = None
        flags = subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0
        if background:
            flags |= background_flags()
        self._lifeline = Lifeline()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._lifeline.environment(dict(os.environ if environment is None else environment)),
                creationflags=flags,
                pass_fds=self._lifeline.passed,
            )
        except OSError as error:
            self._lifeline.close()
            self.ended = Ended(End.NOT_STARTED, detail=str(error))
            replies.put(Reply(self, None))
            return
        self._lifeline.started()
        if background:
            to_background(self._process.pid)
        self._errors = threading.Thread(target=self._read_errors, daemon=True)
        self._errors.start()
        self._reader = threading.Thread(target=self._read_replies, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def send(self, message: Mapping[str, Any]) -> bool:
        """Send one message; False if the child is gone (its `Reply` with None tells the rest)."""
        if self._process is None or self._process.stdin is None:
            return False
        line = json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n"
        try:
            self._process.stdin.write(line.encode("ascii"))
            self._process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def begin(self, bounds: Bounds) -> None:
        """Start the clocks of one piece of work."""
        self._bounds = bounds
        self._clock, self._last_look = 0.0, time.monotonic()
        self._cpu_before = self._cpu_seen = self._cpu() or 0.0

    def beat(self) -> None:
        """The child showed a sign of life."""
        self._clock, self._last_look = 0.0, time.monotonic()

    def rest(self) -> None:
        """The piece of work is over; nothing is bounded until the next `begin`."""
        self._bounds = None

    def memory(self) -> int | None:
        """Resident bytes, None when unknown."""
        watched = self._psutil()
        if watched is None:
            return None
        import psutil

        try:
            return watched.memory_info().rss
        except psutil.Error:
            return None

    def check(self) -> bool:
        """Look at the bounds; a child beyond one is killed. True while all is well."""
        if self._bounds is None or self._process is None:
            return self.ended is None
        now, cpu = time.monotonic(), self._cpu()
        passed = min(now - self._last_look, LONGEST_POLL)
        if cpu is not None:
            if self._runs():
                passed = min(passed, cpu - self._cpu_seen)
            self._cpu_seen = cpu
        self._clock += passed
        self._last_look = now
        if self._clock > self._bounds.stall:
            self.kill(End.HUNG)
            return False
        if (memory := self.memory()) is not None and memory > self._bounds.memory:
            self.kill(End.MEMORY)
            return False
        if cpu is not None and cpu - self._cpu_before > self._bounds.cpu:
            self.kill(End.HUNG)
            return False
        return True

    def kill(self, cause: End = End.STOPPED) -> None:
        """End the child at once, for *cause*."""
        if self._process is None or self._process.poll() is not None:
            return
        self._cause = self._cause or cause
        with contextlib.suppress(OSError):
            self._process.kill()

    def wait(self) -> Ended:
        """Wait for the end (after `kill`, or after a `Reply` with None) and say how it was."""
        if self.ended is None:
            assert self._process is not None
            code = self._process.wait()
            self._errors.join(GRACE)
            self._close_pipes()
            how = self._cause or (End.FINISHED if code == 0 else End.CRASHED)
            self.ended = Ended(how, code, self._tail.strip())
        return self.ended

    def close(self) -> Ended:
        """Ask the child to end by closing its stdin; kill it if it does not within `GRACE`."""
        if self._process is None or self.ended is not None:
            return self.wait() if self.ended is None else self.ended
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        return self.wait()

    def _close_pipes(self) -> None:
        assert self._process is not None
        self._lifeline.close()
        self._reader.join(GRACE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _psutil(self) -> Any:
        if self._watched is None and self._process is not None:
            import psutil

            try:
                self._watched = psutil.Process(self._process.pid)
            except psutil.Error:
                return None
        return self._watched

    def _cpu(self) -> float | None:
        watched = self._psutil()
        if watched is None:
            return None
        import psutil

        try:
            times = watched.cpu_times()
        except psutil.Error:
            return None
        return times.user + times.system

    def _runs(self) -> bool:
        """Whether the child would work if it was let: then only what it got of a busy machine counts as time, or a
        child of low priority would be called hung for what others do. Linux alone tells."""
        import psutil

        if sys.platform != "linux":
            return False
        try:
            return self._psutil().status() == psutil.STATUS_RUNNING
        except (psutil.Error, AttributeError):
            return False

    def _read_replies(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        pipe = self._process.stdout
        while True:
            try:
                line = pipe.readline(MAX_LINE)
            except (OSError, ValueError):
                line = b""
            if not line:
                break
            try:
                message = json.loads(line)
            except ValueError:
                message = None
            if not isinstance(message, dict):
                self.kill(End.GARBLED)
                break
            self._replies.put(Reply(self, message))
        self._replies.put(Reply(self, None))

    def _read_errors(self) -> None:
        assert self._process is not None and self._process.stderr is not None
        try:
            for block in iter(lambda: self._process.stderr.read1(4096), b""):
                self._tail = (self._tail + block.decode("utf-8", "replace"))[-STDERR_TAIL:]
        except (OSError, ValueError):
            return


_held = False  # whether the kernel ends this process with its parent


def serve(
    handle: Callable[[dict[str, Any], Callable[[dict[str, Any]], None]], dict[str, Any]],
    greeting: Mapping[str, Any] | None = None,
) -> None:
    """The main loop of a child: one answer for each message, until stdin ends.

    Args:
        handle: gets a message and a function that sends something ahead of the answer (progress).
        greeting: sent first: the child has started well.

    The real stdout is kept for messages; whatever a library prints goes to stderr.
    """
    global _held
    _held = hold_lifeline()
    messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    stdin = os.fdopen(os.dup(0), "rb")

    writing = threading.Lock()  # a handler may send from a thread of its own

    def send(message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=True).encode("ascii") + b"\n"
        with writing:
            answers.write(line)
            answers.flush()

    def listen() -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in stdin:
                messages.put(json.loads(line))
        # The parent closed the pipe or is gone: whatever this child is doing serves nobody.
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    if greeting is not None:
        send(greeting)
    while True:
        message = messages.get()
        try:
            answer = handle(message, send)
        finally:
            relax()
        try:
            send(answer)
        except OSError:
            os._exit(0)


def die_after(seconds: float) -> None:
    """End this process in *seconds* whatever it is doing then; a later call moves the time.

    For a child whose parent is gone and which hangs inside a library that holds the interpreter lock. Does nothing
    where the kernel ends it then: the timer counts time in which a busy machine let the child do nothing.
    """
    if _held:
        return
    faulthandler.dump_traceback_later(seconds, exit=True, file=_stderr())


def relax() -> None:
    """Take `die_after` back."""
    faulthandler.cancel_dump_traceback_later()


def _stderr() -> Any:
    # A windowed program that was frozen has no sys.stderr, yet descriptor 2 is the parent's pipe.
    return sys.stderr if sys.stderr is not None else 2
