"""Room given back in slices: whoever searches has a turn between two of them."""

import sqlite3
import threading

import numpy as np
import pytest

from zbm_core.errors import CancelToken
from zbm_core.indexing.upkeep import tidy
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_core.semantic import EmbeddingSource, SemanticIndex
from zbm_core.semantic import store as store_module

WIDTH = 256
SOURCES, CHUNKS = 40, 250


def key(number):
    return ItemKey(1, f"K{number:07d}")


@pytest.fixture
def emptied(tmp_path, monkeypatch):
    """An index of meanings from which nearly all was deleted."""
    monkeypatch.setattr(store_module, "_SLICE", 16)
    index = SemanticIndex(tmp_path / "semantic.sqlite", "u1", "m/1", WIDTH)
    vectors = np.random.default_rng(5).integers(-127, 128, (CHUNKS, WIDTH), dtype=np.int8)
    index.put(
        EmbeddingSource(key(n), Kind.ATTACHMENT, key(n), f"s{n}", range(CHUNKS)) for n in range(SOURCES)
    )
    index.store((key(n), range(CHUNKS), vectors) for n in range(SOURCES))
    index.delete([key(n) for n in range(1, SOURCES)])
    index.probe = vectors[3]
    yield index
    index.close()


def free_pages(tmp_path):
    with sqlite3.connect(tmp_path / "semantic.sqlite") as db:
        return db.execute("PRAGMA freelist_count").fetchone()[0]


class Between(CancelToken):
    """Calls someone between two slices."""

    def __init__(self, call):
        super().__init__()
        self._call, self.slices = call, 0

    __slots__ = ("_call", "slices")

    def wait(self, seconds):
        self.slices += 1
        self._call()
        return self.cancelled


def test_room_goes_back_and_a_search_has_its_turn_between_two_slices(emptied, tmp_path):
    before, found = free_pages(tmp_path), []

    def search_elsewhere():
        thread = threading.Thread(target=lambda: found.append(emptied.search(emptied.probe, -1.0)[0].item))
        thread.start()
        thread.join(30)
        assert not thread.is_alive()  # a lock that is held from slice to slice would keep it out for ever

    token = Between(search_elsewhere)
    tidy(emptied, cancel=token)
    assert token.slices > 10 and found == [key(0)] * token.slices
    left = free_pages(tmp_path)
    # What comes next needs room: a little stays.
    assert left < before / 2
    assert left * 4096 <= store_module.KEPT_FREE + 16 * 4096


def test_it_stops_where_it_is_and_goes_on_another_time(emptied, tmp_path):
    before = free_pages(tmp_path)
    token = Between(lambda: None)
    token.cancel()
    tidy(None, emptied, cancel=token)
    assert token.slices == 1 and free_pages(tmp_path) == before - 16
    tidy(emptied, cancel=CancelToken())
    assert free_pages(tmp_path) < before / 2
    assert emptied.search(emptied.probe, -1.0)[0].item == key(0)


def test_an_index_with_nothing_to_give_back_is_left_alone(emptied):
    tidy(emptied, cancel=CancelToken())
    token = Between(lambda: None)
    tidy(emptied, cancel=token)
    assert token.slices == 0
