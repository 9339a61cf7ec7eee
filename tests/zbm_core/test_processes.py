"""Child processes: talking to them, bounding them, and that none is left behind."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from zbm_core import processes
from zbm_core.processes import Bounds, Child, End, Ended, Reply

ROOT = Path(__file__).resolve().parents[2]
GENEROUS = Bounds(memory=1 << 34, stall=600, cpu=600)
PATIENCE = 60.0

SERVER = """
import os, sys, time
from zbm_core import processes
def handle(message, send):
    if message.get("print"):
        print("a library talks")
        os.write(1, b"and so does its C part")
    if message.get("crash"):
        os.abort()
    if message.get("spin"):
        while True: pass
    if message.get("sleep"):
        time.sleep(600)
    if message.get("hold"):
        import ctypes
        ctypes.PyDLL(None).sleep(600)  # the interpreter lock is kept: no thread of Python runs
    if message.get("eat"):
        hoard = bytearray(message["eat"])
        for at in range(0, len(hoard), 4096): hoard[at] = 1
        time.sleep(600)
    send({"progress": 1})
    return {"echo": message}
processes.serve(handle, greeting={"ready": True})
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def replies() -> queue.SimpleQueue[Reply]:
    return queue.SimpleQueue()


@pytest.fixture
def server(replies: queue.SimpleQueue[Reply]) -> Iterator[Child]:
    child = Child([sys.executable, "-c", SERVER], replies, environment=environment())
    yield child
    child.kill()
    child.close()


def greeted(child: Child, replies: queue.SimpleQueue[Reply]) -> None:
    assert replies.get(timeout=PATIENCE).message == {"ready": True}


def checked_until_killed(child: Child, replies: queue.SimpleQueue[Reply]) -> Ended:
    for _ in range(int(PATIENCE / 0.02)):
        if not child.check():
            break
        time.sleep(0.02)
    assert replies.get(timeout=PATIENCE).message is None
    return child.wait()


def test_messages_go_both_ways(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    assert server.send({"text": "Grüße, 你好", "path": "odd\udcff"})
    assert replies.get(timeout=PATIENCE).message == {"progress": 1}
    assert replies.get(timeout=PATIENCE).message == {"echo": {"text": "Grüße, 你好", "path": "odd\udcff"}}


def test_what_a_library_prints_is_no_message(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    server.send({"print": True})
    assert replies.get(timeout=PATIENCE).message == {"progress": 1}
    assert replies.get(timeout=PATIENCE).message == {"echo": {"print": True}}


def test_child_ends_when_its_stdin_does(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    ended = server.close()
    assert ended.how is End.FINISHED
    assert not psutil.pid_exists(server.pid) or psutil.Process(server.pid).status() == psutil.STATUS_ZOMBIE


def test_busy_child_ends_when_its_stdin_does(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    server.send({"spin": True})
    assert server.close().how is End.FINISHED


def test_crash_is_told_with_its_signal(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    server.send({"crash": True})
    assert replies.get(timeout=PATIENCE).message is None
    ended = server.wait()
    assert ended.how is End.CRASHED
    assert ended.code
    assert "ended unexpectedly" in ended.in_words()
    assert not server.send({"late": True})


def test_silent_child_counts_as_hung(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    server.begin(GENEROUS._replace(stall=0.3))
    server.send({"sleep": True})
    assert checked_until_killed(server, replies).how is End.HUNG


def test_processor_time_is_bounded(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    server.begin(GENEROUS._replace(cpu=0.3))
    server.send({"spin": True})
    assert checked_until_killed(server, replies).how is End.HUNG


def test_memory_is_bounded(server: Child, replies: queue.SimpleQueue[Reply]) -> None:
    greeted(server, replies)
    server.begin(GENEROUS._replace(memory=120 << 20))
    server.send({"eat": 300 << 20})
    ended = checked_until_killed(server, replies)
    assert ended.how is End.MEMORY
    assert "memory" in ended.in_words()


def test_a_laptop_that_slept_is_no_hang(
    server: Child, replies: queue.SimpleQueue[Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    greeted(server, replies)
    now = time.monotonic()
    monkeypatch.setattr(processes.time, "monotonic", lambda: now)
    server.begin(GENEROUS._replace(stall=30))
    now += 8 * 3600
    assert server.check()
    assert server.check()


def test_child_that_says_nonsense_is_ended(replies: queue.SimpleQueue[Reply]) -> None:
    child = Child([sys.executable, "-c", "print('no json'); import time; time.sleep(600)"], replies)
    assert replies.get(timeout=PATIENCE).message is None
    assert child.wait().how is End.GARBLED


def test_program_that_is_not_there(replies: queue.SimpleQueue[Reply]) -> None:
    child = Child(["/no/such/program"], replies)
    assert replies.get(timeout=PATIENCE).message is None
    assert child.wait().how is End.NOT_STARTED
    assert "could not be started" in child.wait().in_words()
    assert not child.send({})


def test_what_a_child_wrote_to_stderr_is_kept(replies: queue.SimpleQueue[Reply]) -> None:
    child = Child([sys.executable, "-c", "raise SystemExit('the cause of it')"], replies)
    assert replies.get(timeout=PATIENCE).message is None
    ended = child.wait()
    assert (ended.how, ended.code) == (End.CRASHED, 1)
    assert "the cause of it" in ended.detail


_HOLD = pytest.param(
    '{"hold": True}', marks=pytest.mark.skipif(sys.platform != "linux", reason="ended by the timer elsewhere")
)


@pytest.mark.parametrize("work", ["{}", '{"spin": True}', _HOLD])
def test_no_child_outlives_a_parent_that_dies_hard(work: str) -> None:
    parent = textwrap.dedent(f"""
        import os, queue, sys
        from zbm_core.processes import Child
        replies = queue.SimpleQueue()
        child = Child([sys.executable, "-c", {SERVER!r}], replies)
        replies.get()
        child.send({work})
        import time; time.sleep(0.3)
        print(child.pid, flush=True)
        os.kill(os.getpid(), 9) if os.name == "posix" else os._exit(3)
    """)
    run = subprocess.run(
        [sys.executable, "-c", parent],
        env=environment(),
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    pid = int(run.stdout)
    for _ in range(int(PATIENCE / 0.1)):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.1)
    psutil.Process(pid).kill()
    pytest.fail("the child is still there")


def test_timer_ends_a_process_that_holds_the_interpreter() -> None:
    # A long match of this pattern is one call into C: no other thread runs meanwhile.
    script = (
        "import re; from zbm_core import processes; processes.die_after(0.5); re.match('(a*)*b', 'a' * 60)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 1
    assert b"Timeout" in run.stderr
