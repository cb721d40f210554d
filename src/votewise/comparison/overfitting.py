"""Whether runs overfit: the best epoch is early, and the last epoch is much worse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from votewise.profile import TO_SHARES
from votewise.studies import Results

EARLY = 0.5  # a best epoch in the first half of training is early
MUCH = 0.05  # a relative rise of the soft NLL from the best epoch that counts as much worse


@dataclass(frozen=True)
class Overfit:
    """A method whose runs overfit.

    Attributes:
        method: its label.
        K: votes per item in training; None: all votes.
        epoch: the best epoch, counted from 1, mean over seeds.
        epochs: number of training epochs.
        rise: soft NLL at the last epoch minus soft NLL at the best epoch, mean over seeds.
    """

    method: str
    K: int | None
    epoch: float
    epochs: int
    rise: float


def overfits(results: Results, arms: Iterable[tuple[str, int | None]]) -> tuple[Overfit, ...]:
    """The methods that overfit at a number of votes per item, strongest first. Only methods whose expected target is the vote share are checked.

    For other methods, for example the majority vote, a rise of the soft NLL may only mean that their targets differ from the votes.
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
