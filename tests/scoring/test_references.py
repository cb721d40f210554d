"""Every score equals an independent implementation, on random inputs and at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from torchmetrics.classification import MulticlassCalibrationError

from references import all_scores, examples, votes_of
from votewise.scoring import SCORES, score
from votewise.votes import Distributions


def compare(counts, q, truth) -> None:
    votes = votes_of(counts)
    card = score(q, votes, truth=truth, dialect=None)
    expected = all_scores(counts, q, truth, votes.scale.position)
    assert set(card.scores) | set(card.absent) == set(SCORES) == set(expected)
    for name, reference in expected.items():
        value = reference()
        if value is None:
            assert name in card.absent, name
        else:
            assert card[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name
            low, high = SCORES[name].bounds
            assert low - 1e-12 <= card[name] <= high + 1e-12, name


@given(examples())
def test_every_score_equals_its_reference(example) -> None:
    compare(*example)


EDGES = {
    "probability 0 and 1": ([[3, 1], [0, 2], [2, 2]], [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]], [0, 1, 1]),
    "probability 0 where nobody voted": ([[3, 0], [0, 2]], [[1.0, 0.0], [0.0, 1.0]], [0, 0]),
    "one vote": ([[1, 0, 0], [0, 0, 1]], [[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]], [0, 2]),
    "one item": ([[2, 3]], [[0.25, 0.75]], [0]),
    "all votes equal": ([[5, 0, 0]] * 4, [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6], [0.9, 0.05, 0.05], [1, 0, 0]], [0] * 4),
    "ties everywhere": ([[1, 1, 1], [2, 2, 0]] * 8, [[1 / 3] * 3, [0.4, 0.2, 0.4]] * 8, [0, 1] * 8),
    "the model says what people say": ([[3, 1], [1, 3], [2, 2]], [[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]], [0, 1, 0]),
    "confidence on the borders of bins": ([[1, 2]] * 5, [[k / 15, 1 - k / 15] for k in (0, 3, 5, 6, 15)], [0] * 5),
}


@pytest.mark.parametrize("example", EDGES.values(), ids=EDGES)
def test_every_score_equals_its_reference_at_the_edges(example) -> None:
    compare(*example)


@pytest.mark.parametrize("classes", [2, 1000])
def test_every_score_equals_its_reference_with_two_and_a_thousand_classes(classes) -> None:
    rng = np.random.default_rng(classes)
    counts = rng.multinomial(12, rng.dirichlet(np.full(classes, 0.1), size=40))
    q = rng.dirichlet(np.full(classes, 0.3), size=40)
    compare(counts.tolist(), (q / q.sum(axis=1, keepdims=True)).tolist(), rng.integers(0, classes, 40).tolist())


def test_equal_width_ece_equals_torchmetrics() -> None:
    rng = np.random.default_rng(0)
    q = rng.dirichlet([0.5] * 5, size=3000)
    truth = np.array([rng.choice(5, p=row) for row in q])
    metric = MulticlassCalibrationError(num_classes=5, n_bins=15, norm="l1")
    expected = float(metric(torch.tensor(q), torch.tensor(truth)))
    card = score(q, Distributions(q, classes=tuple("abcde")), truth=truth)
    assert card["ece_equal_width_truth"] == pytest.approx(expected, abs=1e-6)  # torchmetrics sums in single precision


def test_a_class_that_people_chose_and_the_model_rules_out_costs_infinitely_much() -> None:
    card = score([[1.0, 0.0], [0.5, 0.5]], votes_of([[3, 1], [1, 1]]))
    assert card["soft_nll"] == card["kl"] == math.inf
    assert "1 item, '0' first, with votes for a class of probability 0" in " ".join(card.notes)
    assert card.as_dict()["scores"]["soft_nll"] is None


def test_logits_far_below_zero_keep_their_logarithm() -> None:
    """exp(-10000) is 0 in double precision; its logarithm is not minus infinity."""
    card = score([[0.0, -10_000.0]], votes_of([[1, 1]]), kind="logits")
    assert card["soft_nll"] == pytest.approx(5000.0)
    assert score([[0.0, -10_000.0]], votes_of([[4, 0]]), kind="logits")["soft_nll"] == 0.0
    shifted = score([[10_000.0, 0.0]], votes_of([[1, 1]]), kind="logits")
    assert shifted["soft_nll"] == pytest.approx(5000.0)


def test_logits_log_probabilities_and_probabilities_give_the_same_card() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, (50, 4))
    log_q = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    votes = votes_of(rng.multinomial(6, [0.25] * 4, size=50).tolist())
    cards = [
        score(values, votes, kind=kind).scores
        for values, kind in ((logits, "logits"), (log_q, "log-probabilities"), (np.exp(log_q), "probabilities"))
    ]
    assert cards[0] == pytest.approx(cards[1], abs=1e-12)
    assert cards[0] == pytest.approx(cards[2], abs=1e-12)


def test_a_score_is_a_function_of_predictions_and_votes() -> None:
    rng = np.random.default_rng(2)
    q = rng.dirichlet([1, 1, 1], size=30)
    votes = votes_of(rng.multinomial(5, [0.5, 0.3, 0.2], size=30).tolist())
    card = score(q, votes)
    for name, value in card.scores.items():
        assert SCORES[name](q, votes) == value, name


def test_torch_tensors_are_taken_as_they_are() -> None:
    q = torch.tensor([[0.25, 0.75], [0.5, 0.5]], dtype=torch.float64, requires_grad=True)
    votes = votes_of([[1, 3], [2, 2]])
    assert score(q, votes).scores == score(q.detach().numpy(), votes).scores
    assert score(q.to(torch.bfloat16), votes).scores == score(q.detach().numpy(), votes).scores  # exact in bfloat16
