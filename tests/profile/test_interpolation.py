"""Whether a run fits its targets: which methods that can be said of, and the rule."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from votewise.delivery import DELIVERIES, deliver
from votewise.profile.interpolation import FITS, TO_SHARES, meaning, relative_excess
from votewise.votes import Votes

COUNTS = np.array([[6, 2, 0], [1, 3, 4], [0, 8, 0], [2, 2, 4], [0, 0, 8]])
EPOCHS = 8000  # a thousand cycles of multipass


@pytest.mark.parametrize("name", DELIVERIES)
def test_the_mean_target_is_the_vote_share_for_these_deliveries_alone(name: str) -> None:
    votes = Votes.from_counts(COUNTS)
    delivery = deliver(name, votes)
    index, epoch = np.arange(len(votes)), np.arange(EPOCHS)[:, None]
    targets = delivery.targets(index, epoch) if delivery.kind == "hard" else delivery.targets(index, 0)
    mean = np.eye(3)[targets].mean(axis=0) if delivery.kind == "hard" else targets
    away = np.abs(mean - votes.probabilities()).max()
    assert bool(away < 0.03) is (name in TO_SHARES)  # five standard errors of a share of a half


def test_predicted_shares_are_at_0_and_uniform_predictions_at_1() -> None:
    shares = COUNTS / COUNTS.sum(axis=1, keepdims=True)
    entropy = float(special.entr(shares).sum(axis=1).mean())

    def relative(predicted: np.ndarray) -> float:
        return relative_excess(float(special.rel_entr(shares, predicted).sum(axis=1).mean()), entropy, 3)

    uniform = np.full_like(shares, 1 / 3)
    assert relative(shares) == pytest.approx(0)
    assert relative(uniform) == pytest.approx(1)
    between = [relative(share * uniform + (1 - share) * shares) for share in (0.1, 0.3, 0.6, 0.9)]
    assert between == sorted(between)


def test_targets_that_are_uniform_leave_nothing_to_fit() -> None:
    assert relative_excess(0.0, np.log(4), 4) == 0
    assert relative_excess(0.1, np.log(4), 4) == np.inf


def test_what_a_run_means_for_the_choice_of_delivery() -> None:
    fits, not_soft, not_hard = meaning("soft", FITS, 0.5), meaning("soft", 0.3, 0.5), meaning("sls", 0.3, 0.5)
    assert fits.startswith("The model fits its targets")
    assert not_soft.startswith("The model does not fit its targets")
    assert "run with soft labels" in not_hard
    assert meaning("multipass", FITS, 0.5) == fits
    assert len({meaning(name, relative, 0.0) for name in TO_SHARES for relative in (0.1, 0.9)}) == 1
    others = {meaning(name, relative, 0.5) for name in ("majority", "mixup", "sls-every-5") for relative in (0.1, 0.9)}
    assert len(others) == 1
    assert not others & {fits, not_soft, not_hard}
