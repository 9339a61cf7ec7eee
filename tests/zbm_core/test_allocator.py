"""Memory that is freed goes back."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from zbm_core.allocator import give_memory_back

ROOT = Path(__file__).resolve().parents[2]

#: Threads fill their heaps in turn and free nearly all of it; prints the MB of its own that the process then has.
PROGRAM = """
import sys, threading
from zbm_core.allocator import give_memory_back
if sys.argv[1] == "told":
    assert give_memory_back()
kept = []
def work():
    for _ in range(3):
        blocks = [bytearray(150_000 + 1_000 * n) for n in range(120)]
        kept.append([bytearray(600) for _ in range(500)])
        del blocks
threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
status = open("/proc/self/status").read()
print(int(status.split("RssAnon:")[1].split()[0]) // 1000)
"""


def left(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory back by themselves")
def test_what_threads_have_freed_goes_back_to_the_system():
    if platform.libc_ver()[0] != "glibc":
        assert not give_memory_back()
        pytest.skip("another C library than glibc")
    untold, told = left("untold"), left("told")
    assert told < 30, (untold, told)
    assert told < untold
