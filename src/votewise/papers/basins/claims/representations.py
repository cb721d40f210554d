"""Representations across seeds, and the dynamics of training."""

from __future__ import annotations

import numpy as np

from votewise.comparison import effect_size
from votewise.comparison.statistics import FEWEST
from votewise.papers.basins.claims.paper import BASINS, MARGINS, label
from votewise.papers.basins.published import number
from votewise.papers.claims import Values, Verdict, View, equivalent, higher, lower, shared
from votewise.papers.claims.resampling import drawn, percentiles
from votewise.papers.claims.values import F64
from votewise.papers.claims.verdict import Ruling, too_few

claim = BASINS.section("Representations")

SWAPS = "exact permutation of which run of a seed is SLS and which is soft labels; interval by inverting the test"


@claim(
    "R1", "SLS gives more reproducible representations: linear CKA between its seeds is higher than for soft labels.",
    where="5.3, Fig. 12", how=f"Mean CKA between seeds, SLS minus soft labels above zero: {SWAPS}. The debiased estimator is shown.",
    published=(number("r-cka-sls"), number("r-cka-soft")),
)  # fmt: skip
def r1(r: View) -> Verdict:
    return higher(r.swaps("sls", "soft", "cka"))


@r1.aside("debiased")
def _(r: View) -> Verdict:
    return higher(r.swaps("sls", "soft", "cka_debiased"))


@claim(
    "R2", "Grad-CAM maps are more stable across seeds for SLS.",
    where="5.3, Fig. 9", how=f"Mean correlation between the maps of two seeds, SLS minus soft labels above zero: {SWAPS}.",
    published=(number("r-gradcam-all-sls"), number("r-gradcam-all-soft")),
)  # fmt: skip
def r2(r: View) -> Verdict:
    return higher(r.swaps("sls", "soft", "gradcam_correlation"))


@claim(
    "R3", "Grad-CAM maps are more stable on high-entropy items too.",
    where="5.3, Fig. 9", how="R2 on the high slice.",
    published=(number("r-gradcam-high-entropy-sls"), number("r-gradcam-high-entropy-soft")),
)  # fmt: skip
def r3(r: View) -> Verdict:
    return higher(r.swaps("sls", "soft", "gradcam_correlation_high"))


@claim(
    "R4", "Of the Grad-CAM measures, correlation across seeds shows the strongest signal.",
    where="Fig. 9",
    how="Difference between SLS and soft labels in its own standard deviations, for each measure: that of the correlation minus the largest of the others, in absolute value. Reproduced if its interval by resampling seeds is above zero, contradicted if it is below.",
    published="a figure",
)  # fmt: skip
def r4(r: View) -> Verdict:
    keys = ("gradcam_correlation", "gradcam_overlap", "gradcam_distance")
    measures = dict(zip(map(label, keys), shared(r.swaps("sls", "soft", key) for key in keys), strict=True))
    n = len(next(iter(measures.values())))
    if n < FEWEST:
        return Verdict(outcome="undecided", reason=too_few(n), n=n, ruling=Ruling(np.asarray(False), np.asarray(1.0)))
    table = np.stack([values.numbers for values in measures.values()])
    lead = _lead(table[:, drawn(n)])
    low, high = percentiles(lead, 0.95)
    effects = {name: effect_size(values.numbers) for name, values in measures.items()}
    ranked = sorted(effects, key=lambda name: -abs(effects[name]))
    ruling = Ruling(np.asarray(low > 0), np.asarray(0.0 if high < 0 else 1.0))
    return Verdict(
        outcome=ruling.outcome,
        reason=f"standardised differences: {', '.join(f'{name} {effects[name]:+.2f}' for name in ranked)}",
        n=n,
        mean=float(_lead(table[:, None, :])[0]),
        low=low,
        high=high,
        numbers=effects,
        ruling=ruling,
    )


def _lead(table: F64) -> F64:
    """By how much the effect of the first measure is larger than the others' [resamples], from differences [measures, resamples, n]."""
    with np.errstate(divide="ignore", invalid="ignore"):
        effects = np.abs(table.mean(axis=-1) / table.std(axis=-1, ddof=1))
    return np.asarray(effects[0] - effects[1:].max(axis=0))


# --- dynamics --------------------------------------------------------------------------------------------------------

claim = BASINS.section("Dynamics")


def earlier(r: View, first: str, second: str, key: str) -> Values:
    """An epoch of one method minus that of another, as shares of all epochs."""
    one, two = (r.values(method, key) / r.values(method, "epochs") for method in (first, second))
    return one - two


@claim(
    "D1", "SLS reaches 95 % of its best evaluation soft NLL earlier than soft labels.",
    where="Fig. 8", how="First epoch with soft NLL at most best / 0.95, as a share of all epochs, SLS minus soft labels below zero: direction.",
    published=number("d-epochs-95"),
)  # fmt: skip
def d1(r: View) -> Verdict:
    return lower(earlier(r, "sls", "soft", "epoch_95"))


@claim(
    "D2", "SLS reaches its best epoch earlier.",
    where="Fig. 8", how="Epoch of the lowest soft NLL, as a share of all epochs, SLS minus soft labels below zero: direction.",
    published=number("d-epochs-best"), beside=("G13",),
)  # fmt: skip
def d2(r: View) -> Verdict:
    return lower(earlier(r, "sls", "soft", "best_epoch"))


@claim(
    "D3", "The final endpoints are close.",
    where="Fig. 8", how="Soft NLL at the last epoch inside 0.025: equivalence.", published="a figure",
)  # fmt: skip
def d3(r: View) -> Verdict:
    return equivalent(r.difference("sls", "soft", "soft_nll_end"), MARGINS["soft_nll"])
