"""Uniform predictions as a reference: a model with a higher soft NLL at its best epoch did not learn the votes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from votewise.profile import TO_SHARES
from votewise.studies import Results

DECIMALS = 3  # shown; a smaller difference from uniform predictions does not count


@dataclass(frozen=True)
class Unlearned:
    """A model that is worse than uniform predictions.

    Attributes:
        model: its name.
        losses: by method and votes per item in training (None: all votes), the mean soft NLL at the best epoch; only those above `uniform`.
        uniform: the soft NLL of uniform predictions.
        lr: the learning rate.
    """

    model: str
    losses: Mapping[tuple[str, int | None], float]
    uniform: float
    lr: float


def uniform_nll(results: Results) -> float | None:
    """The soft NLL of uniform predictions over C classes, log C for any votes; None if C is unknown."""
    plan = next(iter(results.plans.values()), None)
    classes = results.classes.get(plan.dataset.title) if plan else None
    return None if classes is None else math.log(classes)


def uniform_words(results: Results) -> str:
    """The soft NLL of uniform predictions as a sentence for the caption of a table; empty if unknown."""
    uniform = uniform_nll(results)
    return "" if uniform is None else f"Uniform predictions have a soft NLL of {uniform:.{DECIMALS}f}."


def unlearned(results: Results, losses: Mapping[tuple[str, int | None], float]) -> Unlearned | None:
    """The methods and votes per item with which a model is worse than uniform predictions, given the soft NLL of each at the best epoch; None if there are none.

    Only methods whose expected target is the vote share are judged: trained on the majority, for example, a model learns its targets, but is overconfident.
    """
    uniform = uniform_nll(results)
    if uniform is None:
        return None
    worse = {
        (method, K): loss
        for (method, K), loss in losses.items()
        if method in TO_SHARES and round(loss, DECIMALS) > round(uniform, DECIMALS)
    }
    recipe = next(iter(results.plans.values())).trained_with
    return Unlearned(Path(recipe.model).name, worse, uniform, recipe.lr) if worse else None
