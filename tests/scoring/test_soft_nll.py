"""The one soft NLL: its edges, and its agreement with an independent implementation."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given

from references import cross_entropy, examples, shares
from votewise.scoring import soft_nll_per_item


@given(examples())
def test_it_equals_a_sum_item_by_item(example) -> None:
    counts, q, _ = example
    with np.errstate(divide="ignore"):
        log_q = np.log(q)
    expected = [cross_entropy(p, row) for p, row in zip(shares(counts), q, strict=True)]
    assert soft_nll_per_item(np.array(shares(counts)), log_q) == pytest.approx(expected, abs=1e-12)


def test_it_equals_the_cross_entropy_of_torch() -> None:
    rng = np.random.default_rng(0)
    p, logits = rng.dirichlet([0.3] * 10, 500), rng.normal(0, 3, (500, 10))
    log_q = torch.from_numpy(logits).log_softmax(1)
    expected = torch.nn.functional.cross_entropy(torch.from_numpy(logits), torch.from_numpy(p), reduction="none")
    assert soft_nll_per_item(p, log_q.numpy()) == pytest.approx(expected.numpy(), abs=1e-12)


def test_a_class_of_probability_0_costs_nothing_without_votes_and_everything_with() -> None:
    log_q = np.log(np.array([[1.0, 1e-300], [1.0, 1e-300]]))
    log_q[:, 1] = -np.inf
    assert soft_nll_per_item(np.array([[1.0, 0.0], [0.5, 0.5]]), log_q).tolist() == [0.0, np.inf]


def test_what_is_not_a_number_stays_so() -> None:
    assert np.isnan(soft_nll_per_item(np.array([[0.5, 0.5]]), np.array([[np.nan, -1.0]]))).all()


def test_its_bits_do_not_depend_on_the_memory_layout_of_few_classes_and_are_those_of_a_plain_sum() -> None:
    rng = np.random.default_rng(1)
    p, log_q = rng.dirichlet([1.0] * 10, 300), np.log(rng.dirichlet([1.0] * 10, 300)).astype(np.float32)
    assert np.array_equal(soft_nll_per_item(p, log_q), -(p * log_q).sum(axis=1))
