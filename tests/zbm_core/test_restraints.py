"""Priority, memory and the end of children."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from tests.support import epubs, pdfs
from zbm_core import restraints
from zbm_core.documents import DocumentStore, Job, TextBook
from zbm_core.library.records import ItemKey
from zbm_core.processes import Child
from zbm_core.semantic.encoder_worker import Worker

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="this system bounds and signals otherwise")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="priorities have other numbers")


def own_nice() -> int:
    return psutil.Process().nice()


@POSIX
def test_reading_for_the_index_stands_behind_and_a_reader_does_not(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "cache")
    path = pdfs.book(tmp_path / "a.pdf", 1)
    list(store.extract([Job(ItemKey(1, "AAAAAAAA"), path, "application/pdf")]))
    [child] = psutil.Process().children()
    assert child.nice() == max(restraints.NICE, own_nice())
    store.close()
    with TextBook(epubs.book(tmp_path / "b.epub", ["<p>text</p>"]), "application/epub+zip") as book:
        book.contents()
        assert book.pid is not None and psutil.Process(book.pid).nice() == own_nice()


@LINUX
def test_the_encoder_works_in_the_background_and_answers_before_it() -> None:
    before = set(threading.enumerate())
    Worker()
    [job] = set(threading.enumerate()) - before
    assert job.native_id is not None
    for _ in range(100):  # until it has begun
        if os.getpriority(os.PRIO_PROCESS, job.native_id) >= restraints.NICE:
            break
        job.join(0.05)
    assert os.getpriority(os.PRIO_PROCESS, job.native_id) == max(restraints.NICE, own_nice())
    assert os.getpriority(os.PRIO_PROCESS, threading.main_thread().native_id or 0) == own_nice()


@LINUX
def test_memory_beyond_the_bound_is_refused_by_the_system() -> None:
    code = (
        "from zbm_core.restraints import bound_memory; bound_memory(256 << 20)\n"
        "held = [bytearray(64 << 20)]\n"
        "try: held.append(bytearray(512 << 20))\n"
        "except MemoryError: print('refused')\n"
        "bound_memory(1 << 30); held.append(bytearray(512 << 20)); print('had')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "had"]


@LINUX
def test_children_leave_no_descriptor_behind() -> None:
    before = psutil.Process().num_fds()
    for command in ([sys.executable, "-c", "print('{}')"], ["/no/such/program"]):
        replies: queue.SimpleQueue = queue.SimpleQueue()
        child = Child(command, replies, background=True)
        while replies.get(timeout=60).message is not None:
            pass
        child.wait()
    assert psutil.Process().num_fds() == before
