import numpy as np
import pytest

from zbm_core.semantic import kernel
from zbm_core.semantic.batching import batches, padding
from zbm_core.semantic.vectors import centre, finish, norms, quantize, usable


@pytest.fixture
def raw():
    return np.random.default_rng(7).normal(size=(50, 384)).astype(np.float32)


def test_cut_to_the_width_and_normalised(raw):
    done = finish(raw, 256)
    assert done.shape == (50, 256)
    assert np.allclose(np.linalg.norm(done, axis=1), 1, atol=1e-5)
    assert np.allclose(done[3] * np.linalg.norm(raw[3, :256]), raw[3, :256], atol=1e-4)


def test_a_narrower_model_is_refused(raw):
    with pytest.raises(ValueError):
        finish(raw[:, :128], 256)


def test_nan_and_zero_vectors_say_nothing_and_stay_that_way(raw):
    raw[0] = np.nan
    raw[1] = 0
    raw[2, 5] = np.inf
    done = centre(finish(raw, 256), np.full((1, 256), 0.05, np.float32))
    assert usable(done).tolist() == [False, False, False] + [True] * 47
    assert np.isfinite(done).all()
    assert not quantize(done)[:3].any()
    assert np.isfinite(norms(quantize(done))).all()


def test_centring_takes_the_shared_part_away(raw):
    shared = finish(raw + 3, 256)
    mean = shared.mean(axis=0)
    assert (shared @ shared.T).mean() > 0.8
    apart = centre(shared, mean[None])
    assert abs((apart @ apart.T - np.eye(50)).mean()) < 0.05


def test_int8_keeps_the_cosine(raw):
    done = finish(raw, 256)
    rows = quantize(done)
    assert rows.dtype == np.int8
    assert np.abs(rows).max(axis=1).tolist() == [127] * 50
    cosine = rows.astype(np.float32) @ rows.astype(np.float32).T / np.outer(norms(rows), norms(rows))
    assert np.abs(cosine - done @ done.T).max() < 0.01


@pytest.mark.parametrize("width", [256, 384])
@pytest.mark.parametrize("count", [0, 1, 2047, 2048, 5001])
def test_every_kernel_gives_the_same_exact_sums(width, count):
    rng = np.random.default_rng(count)
    rows = rng.integers(-127, 128, (count, width), dtype=np.int8)
    query = rng.integers(-127, 128, width, dtype=np.int8)
    exact = rows.astype(np.int64) @ query.astype(np.int64)
    assert np.array_equal(kernel.dot(query, rows).astype(np.int64), exact)
    assert np.array_equal(kernel.dot_numpy(query, rows).astype(np.int64), exact)


def test_the_largest_sum_is_still_exact():
    rows = np.full((1, 384), -127, np.int8)
    assert kernel.dot(rows[0], rows)[0] == 384 * 127 * 127
    assert kernel.dot_numpy(rows[0], rows)[0] == 384 * 127 * 127


def test_batches_hold_every_text_once_within_the_budget():
    lengths = np.random.default_rng(3).integers(1, 400, 500).tolist()
    groups = list(batches(lengths, 1024))
    assert sorted(index for group in groups for index in group) == list(range(500))
    assert all(max(lengths[index] for index in group) * len(group) <= 1024 for group in groups)
    assert padding(lengths, groups) < 1.1


def test_a_text_over_the_budget_goes_alone():
    assert list(batches([5000, 3, 4], 1024)) == [[1, 2], [0]]
    assert list(batches([], 1024)) == []
