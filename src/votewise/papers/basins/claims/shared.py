"""The list of the paper's claims, and what its sections share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from votewise.comparison import name as method_name
from votewise.comparison import quantity
from votewise.papers.basins.published import HARD, printed
from votewise.papers.claims import Claims, Values, Verdict, View, higher, lower, mean
from votewise.studies import Needs, NeedsError

if TYPE_CHECKING:
    from votewise.papers.claims.directions import Direction
    from votewise.studies import Results

FOUR_SCORES = ("soft_nll", "accuracy", "ece_equal_mass", "entropy_correlation")  # the columns of Tables 2 and 3
CURVATURE = ("lambda_max_full", "trace_full", "lambda_max_high", "trace_high")  # the columns of Table 4
DETECTORS = ("energy", "msp", "odin", "entropy", "margin", "knn")
NEAR, FAR = ({name: f"auroc_{part}_{name}" for name in DETECTORS} for part in ("near", "far"))

# The largest difference that does not matter: the published across-seed SD of soft labels (Tables 2 and 5), rounded up.
MARGINS = {
    "soft_nll": 0.025, "kl": 0.025, "accuracy": 0.01, "ece_equal_mass": 0.01, "smooth_ece": 0.01, "entropy_correlation": 0.02,
    "soft_brier": 0.01,
}  # fmt: skip
LOG_RATIO = math.log(1.25)  # of curvature


def _comparable(results: Results) -> bool:
    """Whether sizes may be compared with the published ones: the paper's data, recipe, split and sub-sampling."""
    from votewise.training import Recipe, Split

    paper = Recipe.preset("paper")
    return results.datasets == ("cifar10h",) and all(
        plan.trained_with == paper
        and plan.split == Split()
        and plan.subsample == "multinomial"
        and plan.subsample_seed is None
        for plan in results.plans.values()
    )


BASINS = Claims("basins", printed, _comparable)


def label(key: str) -> str:
    """What readers call a quantity."""
    return quantity(key).label


def better(key: str) -> Direction:
    """The direction in which a score is better."""
    return higher if quantity(key).better == "higher" else lower


def worse(key: str) -> Direction:
    """The direction in which a score is worse."""
    return lower if quantity(key).better == "higher" else higher


def sweep(
    r: View, quantity: str = "soft_nll", votes: Iterable[int] | None = None, against: str | None = "soft"
) -> dict[str, Values]:
    """A cell for each hard delivery and K: a quantity of the delivery, minus that of soft labels."""
    return {
        f"{method_name(method)} at K = {k}": r.difference(method, against, quantity, K=k)
        if against
        else r.values(method, quantity, K=k)
        for method in HARD
        for k in (r.votes_per_item if votes is None else votes)
    }


def family(r: View, quantity: str, votes: Iterable[int | None]) -> Values:
    """A quantity of hard delivery minus that of soft labels, averaged over the three deliveries and over K."""
    cells = [r.difference(method, "soft", quantity, K=k) for k in votes for method in HARD]
    if not cells:
        raise NeedsError(Needs(("soft", *HARD), study="sparse"))
    return mean(cells)


def halves(r: View) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lower and the upper half of the sweep.

    Raises:
        NeedsError: if the sweep has fewer than two numbers of votes.
    """
    if len(r.votes_per_item) < 2:
        raise NeedsError(Needs(("soft", *HARD), study="sparse"))
    return r.lower_half, r.upper_half


def proven(*tests: str) -> Verdict:
    """Something that holds whatever is trained: the tests that prove it."""
    return Verdict(outcome="reproduced", reason=f"proven by {', '.join(tests)}")
