"""The counter: published answers, equal bits in three frameworks, and no pattern that a chi-squared test can see."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chisquare

from strategies import seeds
from votewise import counter
from votewise.counter import on_jax, on_torch

MASK = (1 << 64) - 1


def splitmix64(state: int):
    """The published generator, step by step, in Python integers."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def test_mix64_gives_the_published_answers_of_splitmix64() -> None:
    state = np.arange(1, 3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert [f"{int(x):016x}" for x in counter.mix64(state)] == ["e220a8397b1dcdaf", "6e789e6aa1b965f4"]


@given(seeds, st.integers(0, 300), st.integers(1, 40))
def test_a_draw_is_the_splitmix64_stream_of_its_epoch_addressed_at_random(seed: int, epoch: int, rows: int) -> None:
    outer = splitmix64(counter.key("sls", seed))
    for _ in range(epoch + 1):
        inner = splitmix64(next(outer))
    expected = [next(inner) >> 32 for _ in range(rows)]
    assert counter.draw(counter.key("sls", seed), epoch, np.arange(rows)).tolist() == expected


def test_golden_draws() -> None:
    """Fixed for good: a change here changes every label that anybody was ever given."""
    assert counter.key("sls", 0) == 0xF9C4DF3FCD24CE6
    assert counter.draw(counter.key("sls", 0), 7, [0, 1, 2**31 - 2]).tolist() == [3499244440, 3521099474, 2617068698]


EPOCHS = [0, 1, 2, 199, 10**6, 2**31 - 2]
ROWS = np.concatenate([np.arange(5000), 2**31 - 2 - np.arange(5000)])


@pytest.mark.parametrize("epoch", EPOCHS)
@pytest.mark.parametrize("seed", [0, 1, -5, 2**80])
def test_numpy_torch_and_jax_draw_the_same_bits(seed: int, epoch: int) -> None:
    key = counter.key("sls", seed)
    bits = counter.draw(key, epoch, ROWS)
    on_device = on_torch.draw(key, epoch, torch.from_numpy(ROWS))
    compiled = jax.jit(lambda e, r: on_jax.draw(key, e, r))(epoch, jnp.asarray(ROWS, dtype=jnp.int32))
    assert compiled.dtype == jnp.uint32
    assert np.array_equal(bits, on_device.numpy().astype(np.uint64))
    assert np.array_equal(bits, np.asarray(compiled).astype(np.uint64))


def test_an_array_of_epochs_draws_what_each_epoch_draws() -> None:
    key, epoch = counter.key("sls", 3), np.resize(EPOCHS, len(ROWS))
    bits = counter.draw(key, epoch, ROWS)
    assert all(bits[i] == counter.draw(key, int(epoch[i]), ROWS[i]) for i in range(0, len(ROWS), 97))
    assert np.array_equal(
        bits, on_torch.draw(key, torch.from_numpy(epoch), torch.from_numpy(ROWS)).numpy().astype(np.uint64)
    )
    on_32_bits = on_jax.draw(key, jnp.asarray(epoch, jnp.int32), jnp.asarray(ROWS, jnp.int32))
    assert np.array_equal(bits, np.asarray(on_32_bits).astype(np.uint64))


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 65_535)), min_size=1, max_size=50))
def test_below_is_the_exact_floor_everywhere(pairs: list[tuple[int, int]]) -> None:
    bits, size = (np.array(column, dtype=np.uint64) for column in zip(*pairs, strict=True))
    expected = [b * m // 2**32 for b, m in pairs]
    assert counter.below(bits, size.astype(np.int64)).tolist() == expected
    assert on_torch.below(torch.tensor(bits.astype(np.int64)), torch.tensor(size.astype(np.int64))).tolist() == expected
    assert on_jax.below(jnp.asarray(bits.astype(np.uint32)), size.astype(np.int32)).tolist() == expected


def cells(bits: np.ndarray) -> np.ndarray:
    return (bits >> np.uint64(28)).astype(np.int64)  # 16 cells


def p_values() -> dict[str, float]:
    """Chi-squared tests of uniformity: marginals, low bits, and pairs that a bad counter would tie together."""
    rows, key = np.arange(200_000), counter.key("sls", 0)
    base = counter.draw(key, 0, rows)
    pairs = {
        "next epoch": counter.draw(key, 1, rows),
        "fifty epochs on": counter.draw(key, 50, rows),
        "next item": counter.draw(key, 0, rows + 1),
        "next seed": counter.draw(counter.key("sls", 1), 0, rows),
        "seed + 1000": counter.draw(counter.key("sls", 1000), 0, rows),
        "another stream": counter.draw(counter.key("shuffle", 0), 0, rows),
    }
    found = {"marginal": chisquare(np.bincount(cells(base))).pvalue}
    found["low byte"] = chisquare(np.bincount((base & np.uint64(255)).astype(np.int64))).pvalue
    for name, other in pairs.items():
        found[name] = chisquare(np.bincount(cells(base) * 16 + cells(other), minlength=256)).pvalue
    every_epoch = np.array([counter.draw(key, np.arange(4000), row) >> np.uint64(28) for row in range(50)]).astype(
        np.int64
    )
    statistic = sum(chisquare(np.bincount(row, minlength=16)).statistic for row in every_epoch)
    found["over the epochs of an item"] = float(chi2.sf(statistic, 50 * 15))
    return found


def test_draws_are_uniform_and_independent() -> None:
    found = p_values()
    assert min(found.values()) > 0.01 / len(found), found


def test_a_counter_that_forgets_the_epoch_is_caught() -> None:
    """The negative control of the test above: equal draws in neighbouring epochs."""
    base = counter.draw(counter.key("sls", 0), 0, np.arange(200_000))
    assert chisquare(np.bincount(cells(base) * 16 + cells(base), minlength=256)).pvalue < 1e-9


@given(seeds, st.lists(st.integers(0, 2**40), unique=True, max_size=60))
def test_an_order_is_a_permutation_that_knows_rows_only(seed: int, rows: list[int]) -> None:
    key = counter.key("order", seed)
    placed = np.array(rows, dtype=np.int64)[counter.order(key, 0, rows)].tolist()
    assert sorted(placed) == sorted(rows)
    assert placed == np.array(rows[::-1], dtype=np.int64)[counter.order(key, 0, rows[::-1])].tolist()


def test_uniforms_lie_strictly_inside_the_unit_interval() -> None:
    u = counter.uniform(counter.key("u", 0), 0, np.arange(100_000))
    assert 0 < u.min() < 1e-4
    assert 1 - 1e-4 < u.max() < 1
