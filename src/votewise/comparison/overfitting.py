"""Whether runs overfit: their best epoch is early, and their last one much worse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from votewise.profile import TO_SHARES
from votewise.studies import Results

EARLY = 0.5  # a best epoch in the first half of training is early
MUCH = 0.05  # a rise by this share of the soft NLL at the best epoch is much


@dataclass(frozen=True)
class Overfit:
    """A method whose runs overfit.

    Attributes:
        method: its label.
        K: votes per item in training; None: all votes.
        epoch: the best epoch, counted from 1, mean over seeds.
        epochs: of the training.
        rise: soft NLL at the last epoch minus that at the best one, mean over seeds.
    """

    method: str
    K: int | None
    epoch: float
    epochs: int
    rise: float


def overfits(results: Results, arms: Iterable[tuple[str, int | None]]) -> tuple[Overfit, ...]:
    """The methods that overfit at a number of votes per item, of those whose expected target is the vote share; most first.

    Others, for example the majority vote, move away from the votes by their targets.
    """
    found = []
    for method, votes in arms:
        epoch, end, best, last = (
            np.array(list(results.values(method, key, K=votes, checkpoint=checkpoint).values()))
            for key in ("epoch", "soft_nll")
            for checkpoint in ("best", "last")
        )
        if method not in TO_SHARES or not (len(epoch) and len(best) == len(last)):
            continue
        mean, epochs, rise = float(epoch.mean()) + 1, int(end.max()) + 1, float((last - best).mean())
        if mean <= EARLY * epochs and rise > MUCH * best.mean():
            found.append(Overfit(method, votes, mean, epochs, rise))
    return tuple(sorted(found, key=lambda one: -one.rise))
