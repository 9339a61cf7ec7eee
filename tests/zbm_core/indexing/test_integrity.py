"""What is damaged while the program is closed is set aside, said and built again."""

import os
import time

from tests.zbm_core.indexing.test_run import found
from zbm_core.indexing import Marks
from zbm_core.indexing.integrity import CHECK_EVERY


def test_a_check_is_due_each_week_and_after_an_end_that_was_none(tmp_path):
    marks = Marks(tmp_path / "home")
    assert not marks.due()  # there is nothing yet
    marks.opened(checked=False)
    assert marks.due()  # as after a crash
    marks.closed()
    assert not marks.due()
    old = time.time() - CHECK_EVERY - 60
    os.utime(tmp_path / "home" / "checked", (old, old))
    assert marks.due()
    marks.opened(checked=True)
    marks.closed()
    assert not marks.due()


def test_a_changed_byte_in_a_segment_is_found_after_a_crash(indexed, small):
    home = indexed.home_of(small.folder)
    indexed.close()
    file = next((home / "lexical" / "passages").glob("*.store"))
    content = bytearray(file.read_bytes())
    content[len(content) // 4] ^= 1
    file.write_bytes(content)
    (home / "open").touch()
    indexed.open_library(small.folder)
    assert "set aside" in indexed.index_notice()
    assert found(indexed, "plough") == []
    assert indexed.index().finished
    assert found(indexed, "plough") == [small.soil]


def test_what_is_whole_is_not_set_aside(indexed, small):
    home = indexed.home_of(small.folder)
    indexed.close()
    (home / "open").touch()
    indexed.open_library(small.folder)
    assert indexed.index_notice() == ""
    assert (indexed.index().indexed, indexed.index().deleted) == (0, 0)
