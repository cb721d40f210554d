"""`SoftScores` in batches equals `score` on everything at once."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from small import VOTES, C, N
from votewise import SoftScores, VotewiseError, score

LOGITS = torch.from_numpy(np.random.default_rng(2).normal(size=(N, C)))


def test_batches_in_any_order_give_the_scores_of_all_at_once() -> None:
    metric = SoftScores(VOTES, prefix="val_")
    for index in torch.randperm(N, generator=torch.Generator().manual_seed(0)).split(7):
        metric.update(LOGITS[index], index)
    whole = score(LOGITS, VOTES, kind="logits", dialect=None).scores
    assert metric.compute() == pytest.approx({f"val_{key}": value for key, value in whole.items()})


def test_examples_that_come_twice_count_once_and_reset_forgets() -> None:
    metric = SoftScores(VOTES, ["soft_nll", "ece_equal_mass"])
    metric.update(LOGITS, np.arange(N))
    once = metric.compute()
    metric.update(LOGITS[:5], np.arange(5))
    assert metric.compute() == once
    metric.reset()
    with pytest.raises(VotewiseError, match="no predictions to score"):
        metric.compute()
    metric.update(LOGITS[:9], np.arange(9))
    assert metric.compute()["soft_nll"] == pytest.approx(score(LOGITS[:9], VOTES[:9], kind="logits")["soft_nll"])


@pytest.mark.parametrize(
    ("predicted", "index"), [(LOGITS[:, :2], np.arange(N)), (LOGITS[:2], [0]), (LOGITS[:1], [N]), (LOGITS[:1], [0.5])]
)
def test_what_does_not_fit_the_votes_is_refused(predicted, index) -> None:
    with pytest.raises(VotewiseError, match=r"shape|position"):
        SoftScores(VOTES).update(predicted, index)


def test_votes_are_needed() -> None:
    with pytest.raises(VotewiseError, match="is a path, not votes"):
        SoftScores("votes.csv")
