"""The private copy: complete while Zotero runs, and nothing but what SQLite itself would read."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from resources.demo.zotero_database import ZoteroDatabase
from tests.support.tree_hash import tree_hash
from tests.support.zotero_process import running_zotero
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.library import LibraryError, freshness, freshness_of, read_library
from zbm_core.library.snapshot import take_snapshot

ROOT = Path(__file__).parents[3]
ROUNDS = 20


def collections(folder, scratch):
    with read_library(folder, scratch) as library:
        return {collection.name for collection in library.collections.values()}, library.warnings


def write_large(folder, **options):
    """A database of some megabytes, so that a copy takes several steps and a cache spills."""
    with ZoteroDatabase(folder, **options) as database:
        database.add_collection("whole")
        for number in range(40):
            database.add_note("<p>" + f"{number} " * 50_000 + "</p>")


def damage(database: Path) -> None:
    """Overwrite pages in the middle, as a failing disk does; the header stays good."""
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(size // 4096 // 2 * 4096)
        file.write(b"\xff" * 4096 * 8)


def test_copies_nothing_but_the_library_of_a_quiet_folder(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        assert library.warnings == ()
        assert library.freshness == freshness_of(folder)
        assert any(scratch.iterdir())
    assert list(scratch.iterdir()) == []


def test_reads_past_the_lock_of_a_rollback_database(folder, scratch, keys):
    with running_zotero(folder, "rollback"):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            sqlite3.connect(f"file:{folder}/zotero.sqlite?mode=ro", uri=True, timeout=0).execute(
                "SELECT * FROM items"
            )
        before = tree_hash(folder)
        names, warnings = collections(folder, scratch)
        assert tree_hash(folder) == before
    assert names == {"Physics (renamed)", "Optics (renamed)"}
    assert warnings == ()


def test_reads_what_is_only_in_the_log(folder, scratch, keys):
    with running_zotero(folder, "wal"):
        before = tree_hash(folder)
        assert not (folder / "zotero.sqlite-shm").exists()
        assert (folder / "zotero.sqlite-wal").stat().st_size
        names, warnings = collections(folder, scratch)
        assert tree_hash(folder) == before
    assert "Only in the log" in names
    assert warnings == ()
    # Zotero crashed: the log is still there, and still counts.
    assert "Only in the log" in collections(folder, scratch)[0]
    assert tree_hash(folder) == before


def test_a_log_in_a_folder_that_cannot_be_written(folder, scratch, keys):
    with running_zotero(folder, "wal"):
        pass
    for path in folder.glob("zotero.sqlite*"):
        path.chmod(0o444)
    folder.chmod(0o555)
    try:
        before = tree_hash(folder)
        assert "Only in the log" in collections(folder, scratch)[0]
        assert tree_hash(folder) == before
    finally:
        folder.chmod(0o755)


def test_a_write_ahead_header_without_a_log(folder, scratch):
    with ZoteroDatabase(folder, journal_mode="wal") as database:
        database.add_collection("Quiet")
    assert (folder / "zotero.sqlite").read_bytes()[18:20] == b"\x02\x02"
    assert not (folder / "zotero.sqlite-wal").exists()
    folder.chmod(0o555)
    try:
        assert collections(folder, scratch) == ({"Quiet"}, ())
    finally:
        folder.chmod(0o755)
    assert sorted(path.name for path in folder.iterdir()) == ["storage", "zotero.sqlite"]


def test_a_hot_journal_is_rolled_back(folder, scratch):
    write_large(folder)
    with running_zotero(folder, "hot"):
        pass
    journal = folder / "zotero.sqlite-journal"
    assert journal.read_bytes()[:8] == bytes.fromhex("d9d505f920a163d7")
    assert b"half written" in (folder / "zotero.sqlite").read_bytes()
    before = tree_hash(folder)
    with read_library(folder, scratch) as library:
        assert {collection.name for collection in library.collections.values()} == {"whole"}
        assert not any(library.note_html(key).startswith("half") for key in library.notes)
        assert library.warnings == ()
    assert tree_hash(folder) == before


def test_a_journal_with_a_zeroed_header_is_ignored(folder, scratch, keys):
    (folder / "zotero.sqlite-journal").write_bytes(bytes(512) + b"old pages" * 1000)
    assert collections(folder, scratch) == ({"Physics", "Optics"}, ())


@pytest.mark.parametrize("times", ["tell", "lag"])
def test_a_write_during_the_copy_is_seen_whole(folder, scratch, monkeypatch, times):
    write_large(folder)
    main = folder / "zotero.sqlite"
    past = time.time_ns() - 60 * 10**9
    os.utime(main, ns=(past, past))
    writes = 0

    def write_once(what, share):
        nonlocal writes
        if what.startswith("Copying") and 0 < share < 1 and not writes:
            writes += 1
            connection = sqlite3.connect(main)
            with connection:
                connection.execute("UPDATE collections SET collectionName = 'first'")
                connection.execute("UPDATE itemNotes SET title = 'second'")
            connection.close()
            if times == "lag":
                os.utime(main, ns=(past, past))

    if times == "lag":
        # As on Windows, where a file that is written to keeps its old time until it is closed.
        monkeypatch.setattr(freshness, "TIMES_LAG", True)
    with read_library(folder, scratch, on_progress=write_once) as library:
        if not writes:
            pytest.skip("this file system clones, so that nothing can be written during a copy")
        assert {collection.name for collection in library.collections.values()} == {"first"}
        assert {note.title for note in library.notes.values()} == {"second"}
        assert library.warnings == ()
        assert library.freshness == freshness_of(folder)


def test_freshness_sees_a_log_whose_time_lags(folder, monkeypatch):
    monkeypatch.setattr(freshness, "TIMES_LAG", True)
    folder.mkdir()
    assert freshness_of(folder).log_checksum == 0
    log = folder / "zotero.sqlite-wal"
    seen = set()
    for content in (b"one", b"two"):
        log.write_bytes(content)
        os.utime(log, ns=(0, 0))
        seen.add(freshness_of(folder))
    assert len(seen) == 2


def test_a_log_that_grows_during_the_copy_needs_no_second_one(folder, scratch):
    write_large(folder, journal_mode="wal")
    connection = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("UPDATE collections SET collectionName = 'before'")
    past = time.time() - 60
    os.utime(folder / "zotero.sqlite", (past, past))
    copies = 0

    def write(what, share):
        nonlocal copies
        if what.startswith("Copying") and share == 1:
            copies += 1
            connection.execute("UPDATE collections SET collectionName = 'during ' || ?", (copies,))

    try:
        with read_library(folder, scratch, on_progress=write) as library:
            if not copies:
                pytest.skip("this file system clones, so that nothing can be written during a copy")
            assert copies == 1
            # The log was copied after the database, and so has the write made in between.
            assert {collection.name for collection in library.collections.values()} == {"during 1"}
            assert library.warnings == ()
    finally:
        connection.close()


def test_busy_zotero_is_never_read_in_halves(folder, scratch):
    with ZoteroDatabase(folder) as database:
        for name in ("one", "two"):
            database.add_note("<p>" + "x" * 400_000 + "</p>", title=f"pair {name}")
            for number in range(10):
                database.add_note("<p>" + f"{number}" * 100_000 + "</p>", title="between")
        database.connection.execute("UPDATE itemNotes SET note = '00000000' || note")
    seen = set()
    with running_zotero(folder, "busy"):
        for _ in range(6):
            with read_library(folder, scratch) as library:
                pair = {
                    library.note_html(key)[:8]
                    for key, note in library.notes.items()
                    if note.title.startswith("pair")
                }
                if not library.warnings:
                    assert len(pair) == 1
                    seen |= pair
    assert seen


def test_a_stale_log_is_set_aside_and_said(folder, scratch, tmp_path):
    # A log of another database lies beside this one, as after a restored backup.
    write_large(tmp_path / "other", journal_mode="wal")
    connection = sqlite3.connect(tmp_path / "other" / "zotero.sqlite", isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("UPDATE itemNotes SET note = substr(note, 1, 100000)")
    with ZoteroDatabase(folder, journal_mode="wal") as database:
        database.add_collection("restored")
    shutil.copy(tmp_path / "other" / "zotero.sqlite-wal", folder / "zotero.sqlite-wal")
    connection.close()
    before = tree_hash(folder)
    names, warnings = collections(folder, scratch)
    assert names == {"restored"}
    assert len(warnings) == 1
    assert "log file does not fit" in warnings[0]
    assert tree_hash(folder) == before


def test_a_damaged_database_gives_way_to_the_newest_good_backup(folder, scratch):
    write_large(folder)
    main = folder / "zotero.sqlite"
    for age, name in ((30, "zotero.sqlite.1.bak"), (20, "zotero.sqlite.bak"), (10, "zotero.sqlite.121.bak")):
        shutil.copy(main, folder / name)
        connection = sqlite3.connect(folder / name)
        with connection:
            connection.execute("UPDATE collections SET collectionName = ?", (name,))
        connection.close()
        when = time.time() - age * 86_400
        os.utime(folder / name, (when, when))
    damage(main)
    damage(folder / "zotero.sqlite.121.bak")
    os.utime(folder / "zotero.sqlite.121.bak", (when, when))
    made = time.strftime("%Y-%m-%d", time.localtime((folder / "zotero.sqlite.bak").stat().st_mtime))
    before = tree_hash(folder)
    names, warnings = collections(folder, scratch)
    assert names == {"zotero.sqlite.bak"}
    assert len(warnings) == 1
    assert f"backup of {made}" in warnings[0]
    assert "it is damaged" in warnings[0]
    assert tree_hash(folder) == before


def test_a_damaged_database_without_a_backup(folder, scratch):
    write_large(folder)
    damage(folder / "zotero.sqlite")
    with pytest.raises(LibraryError, match="is damaged or is not a database") as caught:
        read_library(folder, scratch)
    assert caught.value.detail
    assert list(scratch.iterdir()) == []


def test_a_truncated_database(folder, scratch):
    write_large(folder)
    os.truncate(folder / "zotero.sqlite", 100_000)
    with pytest.raises(LibraryError, match="is damaged"):
        read_library(folder, scratch)


def test_an_empty_file(folder, scratch):
    folder.mkdir()
    (folder / "zotero.sqlite").touch()
    with pytest.raises(LibraryError, match=r"is empty\. Start Zotero once"):
        read_library(folder, scratch)


def test_a_file_of_something_else(folder, scratch):
    folder.mkdir()
    (folder / "zotero.sqlite").write_bytes(b"%PDF-1.7 " * 1000)
    with pytest.raises(LibraryError, match="is not a database"):
        read_library(folder, scratch)


def test_the_database_vanishes_before_it_is_copied(folder, scratch):
    folder.mkdir()
    with pytest.raises(LibraryError, match="There is no Zotero database in"):
        take_snapshot(folder, scratch)


def test_scratch_that_cannot_be_made(folder, tmp_path, keys):
    (tmp_path / "file").touch()
    with pytest.raises(LibraryError, match="cannot be written to"):
        read_library(folder, tmp_path / "file" / "cache")


def test_cancelling_leaves_nothing(folder, scratch):
    write_large(folder)
    token = CancelToken()
    with pytest.raises(Cancelled):
        read_library(folder, scratch, cancel=token, on_progress=lambda *_: token.cancel())
    assert list(scratch.iterdir()) == []


def test_freshness_sees_the_log(folder, scratch, keys):
    connection = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    with read_library(folder, scratch) as library:
        assert library.freshness == freshness_of(folder)
        connection.execute("UPDATE collections SET collectionName = 'new'")
        assert library.freshness != freshness_of(folder)
        assert library.freshness.database == freshness_of(folder).database
    connection.close()
    assert freshness_of(folder / "nowhere") == (None, None, 0)


def run_child(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="file sizes are limited by POSIX calls")
def test_a_full_disk_is_said_in_words(folder, scratch):
    write_large(folder)
    said = run_child(
        """
import resource, sys
from pathlib import Path
from zbm_core.library import LibraryError, read_library
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    read_library(sys.argv[1], Path(sys.argv[2]))
except LibraryError as error:
    print(error)
""",
        folder,
        scratch,
    )
    assert "not enough free space" in said
    assert "Free some space and try again" in said
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are set by POSIX calls")
def test_a_database_that_may_not_be_read():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "Zotero"
        with ZoteroDatabase(folder) as database:
            database.add_collection("x")
        (folder / "zotero.sqlite").chmod(0)
        scratch = Path(place) / "cache"
        for path in (Path(place), folder, folder / "storage"):
            path.chmod(0o755)
        scratch.mkdir(mode=0o777)
        scratch.chmod(0o777)
        code = """
import os, sys
from pathlib import Path
from zbm_core.library import LibraryError, read_library
if os.geteuid() == 0:  # root may read everything, so root steps down
    os.setgroups([])
    os.setegid(65534)
    os.seteuid(65534)
try:
    read_library(sys.argv[1], Path(sys.argv[2]))
except LibraryError as error:
    print(error)
"""
        assert "may not be read. Give your account permission" in run_child(code, folder, scratch)
        (folder / "zotero.sqlite").chmod(0o644)
        folder.chmod(0)
        try:
            assert "may not be read. Give your account permission" in run_child(code, folder, scratch)
        finally:
            folder.chmod(0o755)


def test_cancelling_stops_the_check(folder, scratch):
    write_large(folder)
    token = CancelToken()

    def cancel_at_the_check(what, share):
        if what == "Checking the copy":
            token.cancel()

    with pytest.raises(Cancelled):
        take_snapshot(folder, scratch, cancel=token, on_progress=cancel_at_the_check)
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("kind", ["bytes", "pages", "columns"])
def test_whatever_is_broken_is_read_or_refused_in_words(folder, scratch, keys, kind):
    main = folder / "zotero.sqlite"
    whole = main.read_bytes()
    dice = random.Random(kind)
    refused = 0
    for _ in range(ROUNDS):
        main.write_bytes(whole)
        if kind == "columns":
            spoil_a_column(main, dice)
        else:
            spoiled = bytearray(whole)
            for _ in range(dice.randint(1, 30)):
                position = dice.randrange(len(whole))
                length = 1 if kind == "bytes" else 512
                spoiled[position : position + length] = dice.randbytes(min(length, len(whole) - position))
            main.write_bytes(spoiled)
        os.utime(main, (0, 0))  # so that no copy is taken twice for being of the last moment
        try:
            with read_library(folder, scratch) as library:
                library.note_texts(library.notes)
                for attachment in library.attachments.values():
                    library.resolve(attachment)
        except LibraryError as error:
            refused += 1
            assert error.message.endswith(".")
    assert refused or kind == "columns"
    assert list(scratch.iterdir()) == []


def spoil_a_column(main: Path, dice: random.Random) -> None:
    """Write values of other types into one column, past every constraint."""
    connection = sqlite3.connect(main)
    connection.execute("PRAGMA ignore_check_constraints = on")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    table = dice.choice(tables)
    column = dice.choice([row[1] for row in connection.execute(f"PRAGMA table_info({table})")])
    value = dice.choice(["NULL", "''", "'text'", "x'ff00fe'", "-1", "2.5", "9223372036854775807"])
    with contextlib.suppress(sqlite3.IntegrityError), connection:
        connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = {value}')
    connection.close()
