"""The list of the paper's claims, the margins of the rules, and comparisons shared by several claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from votewise.comparison import name as method_name
from votewise.comparison import quantity
from votewise.papers.basins.published import HARD, printed, same_protocol
from votewise.papers.claims import Claims, Values, View, higher, lower, mean
from votewise.probes import DETECTORS
from votewise.studies import Needs, NeedsError

if TYPE_CHECKING:
    from votewise.papers.claims.directions import Direction

NEAR, FAR = ({name: f"auroc_{part}_{name}" for name in DETECTORS} for part in ("near", "far"))

# The largest irrelevant difference: the published across-seed SD of soft labels (Tables 2 and 5), rounded up.
MARGINS = {
    "soft_nll": 0.025, "kl": 0.025, "accuracy": 0.01, "ece_equal_mass": 0.01, "smooth_ece": 0.01, "entropy_correlation": 0.02,
    "soft_brier": 0.01, "ece_equal_mass_votes": 0.01, "smooth_ece_votes": 0.01,
}  # fmt: skip
LOG_RATIO = math.log(1.25)  # of curvature
Compare = Callable[[str, str, str], Values]  # of two methods on a quantity: View.difference or View.log_ratio


BASINS = Claims("basins", printed, same_protocol, sweep=Needs(("soft", *HARD), study="sparse"))


def label(key: str) -> str:
    """The display label of a quantity."""
    return quantity(key).label


def better(key: str) -> Direction:
    """The direction in which a score is better."""
    return higher if quantity(key).better == "higher" else lower


def worse(key: str) -> Direction:
    """The direction in which a score is worse."""
    return lower if quantity(key).better == "higher" else higher


def against(r: View, first: str, others: Iterable[str], quantity: str) -> dict[str, Values]:
    """One cell per other method: a quantity of the first method minus that of the other."""
    return {f"against {method_name(other)}": r.difference(first, other, quantity) for other in others}


def each_method(r: View, methods: Iterable[str], second: str, quantity: str) -> dict[str, Values]:
    """One cell per method: its quantity minus that of another method."""
    return {method_name(method): r.difference(method, second, quantity) for method in methods}


def each_quantity(compare: Compare, first: str, second: str, quantities: Iterable[str]) -> dict[str, Values]:
    """One cell per quantity: two methods compared by differences or ratios."""
    return {label(key): compare(first, second, key) for key in quantities}


def grid(compare: Compare, methods: Iterable[str], second: str, quantities: Sequence[str]) -> dict[str, Values]:
    """One cell per method and quantity, compared with another method."""
    return {f"{method_name(m)} on {label(key)}": compare(m, second, key) for m in methods for key in quantities}


def sweep(r: View, quantity: str = "soft_nll", votes: Iterable[int] | None = None) -> dict[str, Values]:
    """One cell per hard delivery and K: a quantity of the delivery minus that of soft labels."""
    return _swept(r, votes, lambda method, k: r.difference(method, "soft", quantity, K=k))


def swept_values(r: View, quantity: str) -> dict[str, Values]:
    """One cell per hard delivery and K: a quantity of the delivery."""
    return _swept(r, None, lambda method, k: r.values(method, quantity, K=k))


def _swept(r: View, votes: Iterable[int] | None, of: Callable[[str, int], Values]) -> dict[str, Values]:
    swept = r.votes_per_item if votes is None else votes
    return {f"{method_name(method)} at K = {k}": of(method, k) for method in HARD for k in swept}


def family(r: View, quantity: str, votes: Iterable[int | None]) -> Values:
    """A quantity of hard delivery minus that of soft labels, averaged over the three deliveries and over K."""
    return mean(r.difference(method, "soft", quantity, K=k) for k in votes for method in HARD)


def by_votes(r: View, quantity: str) -> dict[str, Values]:
    """The average over deliveries at each K, for a trend over at least two numbers of votes."""
    if len(r.votes_per_item) < 2:
        raise NeedsError(Needs(("soft", *HARD), study="sparse"))
    return {f"K = {k}": family(r, quantity, [k]) for k in r.votes_per_item}
