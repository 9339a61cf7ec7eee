"""Opening, writing, recovering."""

import shutil
import sqlite3
import subprocess
import sys
import threading

import apsw
import pytest

from tests.zbm_core.lexical.conftest import USER_KEY, attachment, item, key
from zbm_core.lexical import IndexBusy, IndexDamaged, IndexNotWritten, LexicalIndex, parse_query


def found(index, text, **options):
    return [hit.item.key for hit in index.search(parse_query(text), **options)]


def test_put_change_delete_within_one_commit(opened):
    index = opened(item("A", "Soil carbon"), item("B", "Street lamps"))
    assert found(index, "carbon") == ["A"]
    index.put(item("A", "Peat bogs", stamp="2"))
    assert found(index, "carbon") == ["A"]
    index.commit()
    assert found(index, "carbon") == [] and found(index, "peat") == ["A"]
    assert index.stamps() == {key("A"): "2", key("B"): "1"}
    index.delete([key("A"), key("nowhere")])
    index.commit()
    assert found(index, "peat") == [] and index.stamps() == {key("B"): "1"} and index.tops() == {key("B")}


def test_a_change_leaves_no_row_behind(opened):
    index = opened(item("A", "Soil"), attachment("P", "A", *[f"carbon number{n}" for n in range(20)]))
    for stamp in "234":
        index.put(attachment("P", "A", "carbon", "humus", stamp=stamp))
        index.commit()
    snapshot = index._view.snapshot
    assert snapshot.counts == (3, 1, 1)  # two passages and the item's title; one document; one item
    index.delete([key("A"), key("P")])
    index.commit()
    assert index._view.snapshot.counts == (0, 0, 0) and index.tops() == set()


def test_put_then_delete_in_one_batch(opened):
    index = opened()
    index.put(item("A", "Soil"))
    index.delete([key("A")])
    index.commit()
    assert found(index, "soil") == [] and index.stamps() == {}


def test_reopened_it_finds_the_same(opened):
    index = opened(item("A", "Soil carbon", "About humus."), attachment("P", "A", "peat and humus"))
    before = index.search(parse_query("humus peat"))
    index.close()
    again = opened()
    assert again.notice == "" and again.search(parse_query("humus peat")) == before


def test_another_profile_or_format_starts_anew(opened, folder):
    opened(item("A", "Soil")).close()
    index = opened(user_key="another1")
    assert index.notice and index.stamps() == {}
    index.close()
    with sqlite3.connect(folder / "state.sqlite") as database:
        database.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    database.close()
    index = opened(item("B", "Moss"), user_key="another1")
    assert index.notice and found(index, "moss") == ["B"]


@pytest.mark.parametrize("victim", ["state", "idx", "meta", "truncated"])
def test_a_damaged_index_is_set_aside(opened, folder, victim):
    opened(item("A", "Soil carbon"), attachment("P", "A", "peat")).close()
    if victim == "state":
        (folder / "state.sqlite").write_bytes(b"no database at all" * 500)
        for side in ("-wal", "-shm"):
            (folder / f"state.sqlite{side}").unlink(missing_ok=True)
    elif victim == "meta":
        (folder / "passages" / "meta.json").write_text("{", "utf-8")
    else:
        for file in (folder / "passages").glob("*.idx"):
            file.write_bytes(file.read_bytes()[:10] if victim == "truncated" else b"")
    index = opened(item("B", "Moss"))
    assert "damaged" in index.notice and found(index, "moss") == ["B"] and found(index, "soil") == []
    assert (folder.parent / "lexical.damaged" / "passages").is_dir()
    index.close()
    assert opened().notice == ""


def test_rows_that_went_missing_are_noticed(opened, folder):
    opened(item("A", "Soil"), attachment("P", "A", "peat")).close()
    shutil.rmtree(folder / "documents")
    index = opened()
    assert "damaged" in index.notice and index.stamps() == {}


def test_damage_met_while_searching_is_said_and_repaired_at_the_next_opening(opened, folder, monkeypatch):
    from zbm_core.lexical import ranking

    index = opened(item("A", "Soil"))

    def unreadable(*_arguments, **_options):
        raise ValueError("Data corrupted")  # as tantivy says it

    monkeypatch.setattr(ranking, "search", unreadable)
    with pytest.raises(IndexDamaged):
        index.search(parse_query("soil"))
    monkeypatch.undo()
    index.close()
    again = opened()
    assert "damaged" in again.notice and again.stamps() == {}


def test_a_search_sees_whole_commits_from_another_thread(opened):
    index = opened(item("A0", "Soil shared"))
    stop = threading.Event()
    wrong = []

    def read():
        while not stop.is_set():
            names = found(index, "shared")
            # Each commit adds a pair under one new word; half a pair must never be seen.
            if len(names) % 2 != 1:
                wrong.append(names)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 13):
        index.put(item(f"A{number}", "Soil shared"))
        index.put(item(f"B{number}", "Lamps shared"))
        index.commit()
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong and len(found(index, "shared")) == 25


HOLDER = """
import sys
from pathlib import Path
from tests.zbm_core.lexical.conftest import item
from zbm_core.lexical import LexicalIndex
index = LexicalIndex.open(Path(sys.argv[1]), sys.argv[2])
index.put(item("H", "Held by another"))
index.commit()
print("held", flush=True)
sys.stdin.readline()
index.put(item("I", "Later words"))
index.commit()
print("more", flush=True)
sys.stdin.readline()
index.close()
"""


def test_a_second_process_may_read_but_not_write(opened, folder):
    opened(item("A", "Soil")).close()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder), USER_KEY],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as holder:  # fmt: skip
        assert holder.stdout.readline() == "held\n"
        index = opened()
        assert found(index, "another") == ["H"]
        index.put(item("B", "Moss"))
        with pytest.raises(IndexBusy):
            index.commit()
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "more\n"
        assert found(index, "later") == ["I"]  # without opening again
        holder.stdin.write("\n")
        holder.stdin.flush()
        holder.wait(30)
    index.commit()  # what was refused is kept
    assert found(index, "moss") == ["B"] and found(index, "later") == ["I"]


FULL = """
import resource, signal, sys
from pathlib import Path
from tests.zbm_core.lexical.conftest import attachment, item
from zbm_core.lexical import IndexNotWritten, LexicalIndex, parse_query
index = LexicalIndex.open(Path(sys.argv[1]), sys.argv[2])
index.put(item("A", "Soil carbon"))
index.commit()
# So that the mark, which packs well, takes less room than the words' positions, which do not.
index._state._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), hard))
index.put(attachment("P", "A", *[" ".join(f"w{m % 20}x7" for m in range(n % 3, 200)) for n in range(4000)], "humus"))
index.put(item("B", "Moss and lichen"))
try:
    index.commit()
    print("written")
except IndexNotWritten as error:
    print("full" if "full" in error.message else error.detail)
print([hit.item.key for hit in index.search(parse_query("carbon"))])
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
if sys.argv[4] == "retry":
    index.commit()
    print([hit.item.key for hit in index.search(parse_query("moss humus"))])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on file sizes there")
@pytest.mark.parametrize("room", [60_000, 230_000])
@pytest.mark.parametrize("then", ["retry", "die"])
def test_no_room_on_the_disk(opened, folder, room, then):
    """At 60 kB the pending mark itself finds no room, at 230 kB tantivy's own files."""
    output = subprocess.run(
        [sys.executable, "-c", FULL, str(folder), USER_KEY, str(room), then],
        capture_output=True, text=True, check=True, timeout=120,
    ).stdout.splitlines()  # fmt: skip
    # SQLite calls a file that may not grow an I/O error, and only a disk that is full full.
    assert output[0] == ("IOError: disk I/O error" if room < 100_000 else "full")
    assert output[1] == "['A']"
    if then == "retry":
        assert sorted(output[2]) == sorted("['A', 'B']")
    index = opened()
    assert index.notice == "" and found(index, "carbon") == ["A"]
    if "P" not in {stamped.key for stamped in index.stamps()}:
        index.put(item("B", "Moss and lichen"))
        index.commit()
    assert found(index, "moss") == ["B"]


def test_a_state_that_may_not_grow(opened):
    index = opened(item("A", "Soil carbon"))
    pages = index._state._connection.pragma("page_count")
    index._state._connection.pragma("max_page_count", pages)
    large = attachment("P", "A", *[" ".join(f"w{n}x{m}" for m in range(200)) for n in range(50)])
    index.put(large)
    with pytest.raises(IndexNotWritten, match="full"):
        index.commit()
    assert found(index, "carbon") == ["A"] and found(index, "w7x7") == []
    index._state._connection.pragma("max_page_count", 1_000_000)
    index.commit()
    assert found(index, "w7x7") == ["A"]


def test_a_full_disk_at_opening_destroys_nothing(opened, folder, monkeypatch):
    opened(item("A", "Soil")).close()

    def full(*_arguments):
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr("zbm_core.lexical.index.State", full)
    with pytest.raises(IndexNotWritten, match="full"):
        LexicalIndex.open(folder, USER_KEY)
    monkeypatch.undo()
    assert found(opened(), "soil") == ["A"]
