"""Private copies vanish, also those of processes that were killed."""

import subprocess
import sys
from pathlib import Path

from zbm_core.library.scratch import ScratchFolder, remove_leftovers

ROOT = Path(__file__).parents[3]


def owner_of_a_copy(scratch: Path) -> subprocess.Popen:
    code = """
import sys
from pathlib import Path
from zbm_core.library.scratch import ScratchFolder
scratch = ScratchFolder(Path(sys.argv[1]))
(scratch.path / "1.sqlite").write_text("copy")
print(scratch.path, flush=True)
sys.stdin.read()
"""
    return subprocess.Popen(
        [sys.executable, "-c", code, str(scratch)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_remove_deletes_everything_and_may_be_called_again(scratch):
    one = ScratchFolder(scratch)
    (one.path / "1.sqlite").write_text("copy")
    one.remove()
    assert list(scratch.iterdir()) == []
    one.remove()


def test_the_copy_of_a_killed_process_goes_and_that_of_a_running_one_stays(scratch):
    dead, alive = owner_of_a_copy(scratch), owner_of_a_copy(scratch)
    try:
        left, used = (Path(process.stdout.readline().strip()) for process in (dead, alive))
        dead.kill()
        dead.wait()
        assert left.exists()
        mine = ScratchFolder(scratch)
        assert not left.exists()
        assert (used / "1.sqlite").read_text() == "copy"
        mine.remove()
        assert {path.name for path in scratch.iterdir()} == {used.name, f"{used.name}.lock"}
    finally:
        for process in (dead, alive):
            process.kill()
            process.communicate()
    remove_leftovers(scratch)
    assert list(scratch.iterdir()) == []


def test_other_files_are_left_alone(scratch):
    scratch.mkdir()
    (scratch / "settings").write_text("mine")
    (scratch / "snapshot-0123").mkdir()  # its lock is gone, so nobody owns it
    ScratchFolder(scratch).remove()
    assert [path.name for path in scratch.iterdir()] == ["settings"]
