import threading

import apsw
import numpy as np
import pytest

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind
from zbm_core.semantic import EmbeddingSource, SemanticIndex
from zbm_core.sources import hash_of

WIDTH = 64


def key(number, library=1):
    return ItemKey(library, f"K{number:07d}")


@pytest.fixture
def vectors():
    rng = np.random.default_rng(5)
    return rng.integers(-127, 128, (40, 6, WIDTH), dtype=np.int8)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "semantic.sqlite"


def opened(file, user="u1", model="m/1"):
    return SemanticIndex(file, user, model, WIDTH)


@pytest.fixture
def index(file, vectors):
    index = opened(file)
    index.put(EmbeddingSource(key(n), Kind.ATTACHMENT, key(n // 2), f"s{n}", range(6)) for n in range(40))
    index.store((key(n), range(6), vectors[n]) for n in range(40))
    yield index
    index.close()


def test_the_best_chunk_speaks_for_its_item(index, vectors):
    best, *others = index.search(vectors[7, 3], -1.0)
    assert best.item == key(3)  # attachments 6 and 7 belong to item 3
    assert (best.best.source, best.best.chunk) == (key(7), 3)
    assert best.score == pytest.approx(1, abs=1e-5)
    assert len(others) == 19
    assert [hit.score for hit in others] == sorted((hit.score for hit in others), reverse=True)


def test_scores_are_cosines(index, vectors):
    query = vectors[0, 0].astype(float)
    everything = vectors.reshape(-1, WIDTH).astype(float)
    cosines = everything @ query / np.linalg.norm(everything, axis=1) / np.linalg.norm(query)
    by_item = cosines.reshape(20, 12).max(axis=1)
    found = {hit.item: hit.score for hit in index.search(vectors[0, 0], -1.0)}
    assert found == {key(n): pytest.approx(by_item[n], abs=1e-5) for n in range(20)}


def test_nothing_below_the_floor(index, vectors):
    hits = index.search(vectors[7, 3], 0.25)
    assert hits and all(hit.score >= 0.25 for hit in hits)


@pytest.mark.parametrize("count", [1, 3, 19])
def test_a_scope_never_changes_scores(index, vectors, count):
    everything = {hit.item: hit.score for hit in index.search(vectors[9, 1], -1.0)}
    allowed = {key(n) for n in range(count)}
    scoped = {hit.item: hit.score for hit in index.search(vectors[9, 1], -1.0, allowed)}
    assert scoped == {item: pytest.approx(everything[item]) for item in allowed}


def test_a_scope_of_unknown_items_is_empty(index, vectors):
    assert index.search(vectors[0, 0], -1.0, {key(99), key(0, library=2)}) == []


def test_every_chunk_of_one_item_best_first(index, vectors):
    hits = index.passages(vectors[7, 3], -1.0, key(3))
    assert len(hits) == 12
    assert (hits[0].source, hits[0].chunk) == (key(7), 3)
    assert {hit.source for hit in hits} == {key(6), key(7)}


def test_a_replaced_source_is_found_by_its_new_vectors_alone(index, vectors):
    index.put([EmbeddingSource(key(7), Kind.ATTACHMENT, key(3), "new", [0])])
    assert index.search(vectors[7, 3], 0.95) == []
    assert index.counts() == (39 * 6, 1)
    assert index.pending(10) == [(key(7), Kind.ATTACHMENT, [0])]
    index.store([(key(7), [0], vectors[7, 3:4])])
    assert index.search(vectors[7, 3], 0.95)[0].best.chunk == 0
    assert index.stamps()[key(7)] == "new"


def test_a_chunk_whose_text_stays_keeps_its_vector_wherever_it_stands_now(index, file, vectors):
    def put(stamp, hashes):
        index.put([EmbeddingSource(key(7), Kind.ATTACHMENT, key(3), stamp, range(len(hashes)), hashes)])

    put("one", [hash_of(letter) for letter in "abc"])
    assert index.counts() == (39 * 6, 3)  # without hashes before, nothing was known
    index.store([(key(7), [0, 1, 2], vectors[7, :3])])
    put("two", [hash_of(letter) for letter in "ncaa"])
    assert index.pending(10) == [(key(7), Kind.ATTACHMENT, [0])]
    assert index.search(vectors[7, 2], 0.95)[0].best.chunk == 1
    assert index.search(vectors[7, 0], 0.95)[0].best.chunk in (2, 3)
    assert index.search(vectors[7, 1], 0.95) == []
    index.close()
    again = opened(file)
    assert again.counts() == (39 * 6 + 3, 1)
    assert again.search(vectors[7, 2], 0.95)[0].best.chunk == 1
    again.close()


def test_a_deleted_source_is_gone_at_once_and_after_a_restart(index, file, vectors):
    index.delete([key(7), key(99)])
    assert index.search(vectors[7, 3], 0.95) == []
    index.close()
    again = opened(file)
    assert key(7) not in again.stamps()
    assert again.search(vectors[7, 3], 0.95) == []
    again.close()


def test_everything_is_there_after_a_restart(index, file, vectors):
    before = index.search(vectors[11, 2], 0.1)
    index.close()
    again = opened(file)
    assert again.notice == ""
    assert again.search(vectors[11, 2], 0.1) == before
    again.close()


def test_many_deletions_pack_the_block_and_lose_nothing(index, vectors):
    index.delete(key(n) for n in range(0, 40, 2))
    for n in range(1, 40, 2):
        assert index.search(vectors[n, 0], 0.95)[0].best.source == key(n)
    assert len(index) == 20 * 6


def test_a_row_of_zeros_says_nothing(file):
    index = opened(file)
    index.put([EmbeddingSource(key(1), Kind.NOTE, key(1), "s", [0, 1])])
    rows = np.zeros((2, WIDTH), np.int8)
    rows[1] = 5
    index.store([(key(1), [0, 1], rows)])
    assert index.counts() == (1, 0)
    assert [hit.chunk for hit in index.passages(rows[1], -1, key(1))] == [1]
    index.close()


def test_vectors_for_a_source_deleted_meanwhile_are_passed_over(index, vectors):
    index.delete([key(3)])
    index.store([(key(3), [0], vectors[3, :1])])
    assert key(3) not in index.stamps()


def test_a_chunk_whose_text_is_gone_no_longer_waits(index):
    index.put([EmbeddingSource(key(50), Kind.NOTE, key(50), "s", [0, 1])])
    index.drop(key(50), [1])
    assert index.pending(10) == [(key(50), Kind.NOTE, [0])]


@pytest.mark.parametrize(("user", "model", "word"), [("u2", "m/1", "library"), ("u1", "m/2", "model")])
def test_another_library_or_model_starts_afresh_and_says_so(index, file, user, model, word):
    index.close()
    again = opened(file, user, model)
    assert word in again.notice
    assert again.counts() == (0, 0)
    again.close()
    assert opened(file, user, model).notice == ""


def test_a_damaged_file_is_set_aside_and_said(index, file):
    index.close()
    data = bytearray(file.read_bytes())
    data[200:4000] = b"x" * 3800
    file.write_bytes(data)
    again = opened(file)
    assert "damaged" in again.notice
    assert again.counts() == (0, 0)
    again.put([EmbeddingSource(key(1), Kind.NOTE, key(1), "s", [0])])
    again.close()
    assert file.with_suffix(".damaged").exists()


def test_a_foreign_file_is_set_aside(file):
    file.write_bytes(b"not a database" * 400)
    index = opened(file)
    assert "damaged" in index.notice
    index.close()


def test_a_failed_write_stores_nothing_of_the_batch(index, vectors):
    broken = [EmbeddingSource(key(60), Kind.NOTE, key(60), "s", [0]),
              EmbeddingSource(key(61), Kind.NOTE, key(61), "s", [0, 0])]  # fmt: skip
    with pytest.raises(apsw.ConstraintError):
        index.put(broken)
    assert key(60) not in index.stamps()
    assert index.pending(10) == []


def test_searches_run_while_rows_land(file, vectors):
    index = opened(file)
    wrong = []

    def search():
        while not done.is_set():
            for hit in index.search(vectors[0, 0], 0.9):
                if hit.score < 0.9:
                    wrong.append(hit)

    done = threading.Event()
    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for n in range(40):
        index.put([EmbeddingSource(key(n), Kind.NOTE, key(n), "s", range(6))])
        index.store([(key(n), range(6), vectors[n])])
        if n % 3 == 0:
            index.delete([key(n)])
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(index) == 26 * 6
    index.close()
