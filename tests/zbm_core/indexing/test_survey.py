"""What is worked on first: what was just read or added, then what is small."""

import datetime
import random

import pytest

from zbm_core.documents import Job
from zbm_core.indexing.survey import RECENT, Known, in_order, newest_first, pages
from zbm_core.library.records import Attachment, ItemKey


def known(number, size, added="2015-01-01 00:00:00", read=None):
    key = ItemKey(1, f"K{number:07d}")
    attachment = Attachment(
        key, None, f"Document {number}", 0, "application/pdf", "storage:a.pdf", "", 0, "", (), (), added, added, read
    )  # fmt: skip
    return Known(attachment, None, Job(key, None, "application/pdf"), None, True, size)


def seconds(text):
    return round(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC).timestamp())


@pytest.fixture
def library():
    """Old documents of every size, in no order."""
    entries = [known(number, 1_000 * number + 1) for number in range(300)]
    random.Random(7).shuffle(entries)
    return entries


def sizes(entries):
    return [entry.size for entry in entries]


def test_small_documents_come_before_large_ones(library):
    ordered = sizes(in_order(library))
    assert ordered[RECENT:] == sorted(ordered[RECENT:])
    assert sorted(ordered) == sorted(sizes(library))


def test_a_book_read_yesterday_comes_before_all_that_is_old(library):
    book = known(999, 900_000_000, read=seconds("2026-07-01 12:00:00"))
    fresh = known(998, 800_000_000, added="2026-07-02 09:00:00")
    ordered = in_order([*library, book, fresh])
    assert {entry.attachment.key.key for entry in ordered[:RECENT]} >= {"K0000999", "K0000998"}


def test_only_so_many_are_recent(library):
    fresh = [
        known(1_000 + n, 500_000_000 + n, added=f"2026-07-01 10:{n // 60:02}:{n % 60:02}") for n in range(80)
    ]
    ordered = in_order([*library, *fresh])
    first = {entry.attachment.key.key for entry in ordered[:RECENT]}
    assert first == {f"K{1_000 + n:07d}" for n in range(30, 80)}
    assert sizes(ordered[-30:]) == sizes(fresh[:30])  # the others of them are large, and wait


@pytest.mark.parametrize("odd", [10**18, -(10**18), 10**300])
def test_a_time_that_is_none_counts_as_never_read(library, odd):
    entry = known(999, 900_000_000, read=odd)
    assert in_order([*library, entry])[-1] is entry


def test_nothing_is_in_order():
    assert in_order([]) == []


def test_records_by_their_last_change():
    class Records:
        def record(self, key):
            return known(0, 0, added=key.key).attachment

    keys = [ItemKey(1, day) for day in ("2020-05-01", "2026-01-01", "2011-01-01")]
    assert [key.key[:4] for key in newest_first(Records(), keys)] == ["2026", "2020", "2011"]


def test_pages_lose_nothing():
    assert [list(page) for page in pages([1, 2, 3, 4, 5], 2)] == [[1, 2], [3, 4], [5]]
    assert list(pages([], 2)) == []
