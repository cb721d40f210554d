"""All votes: SLS, soft labels and the baselines.

The paper does not state the outcome of its calibration errors: whether the predicted class is the majority, or its share of the votes. Against the majority, even a model that
predicts the vote shares exactly is badly calibrated where annotators disagree. Claims about calibration are therefore decided with both outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from votewise.comparison import name as method_name
from votewise.papers.basins.claims.shared import BASINS, MARGINS, against, better, each_method, label, worse
from votewise.papers.basins.published import cells, number, published
from votewise.papers.claims import (
    Values,
    Verdict,
    View,
    all_of,
    below,
    both_outcomes,
    equivalent,
    every,
    higher,
    holds,
    lower,
    shown,
    values_of,
)

claim = BASINS.section("All votes: SLS, soft labels and the baselines")

OUTCOMES = (
    "",
    "_votes",
)  # outcomes of a calibration error: whether the predicted class is the majority, or its share of the votes
POSTERIOR = ("soft_nll", "ece_equal_mass", "entropy_correlation", "kl", "soft_brier")


def _both(decide: Callable[[str], Verdict]) -> Verdict:
    """The same rule with both outcomes of calibration errors."""
    return both_outcomes(*(decide(outcome) for outcome in OUTCOMES))


def _same(r: View, quantity: str) -> Verdict:
    return equivalent(r.difference("sls", "soft", quantity), MARGINS[quantity])


def floor(r: View, quantity: str) -> Verdict:
    """The score of the vote shares as predictions. A model can only be better against the majority if it is wrong about the votes."""
    known = r.results.values("soft", f"{quantity}_floor")
    return (
        shown(values_of(known))
        if known
        else Verdict(outcome="shown", reason="the probe readings of these runs do not contain it")
    )


FLOOR = {
    key: {"the vote shares as predictions": partial(floor, quantity=key)} for key in ("ece_equal_mass", "smooth_ece")
}

f1 = claim("F1", "SLS and soft labels do not differ on soft NLL.",
    lambda r: _same(r, "soft_nll"),
    where="abstract, 5.2, Table 2", published=(cells(2, "sls soft", "soft_nll"), number("f-p-soft-nll")), beside=("X8",), how="Equivalence with a margin of 0.025.")  # fmt: skip

f2 = claim("F2", "SLS and soft labels do not differ on hard accuracy.",
    lambda r: _same(r, "accuracy"),
    where="5.2, Table 2", published=(cells(2, "sls soft", "accuracy"), number("f-p-accuracy")), beside=("X8",), how="Equivalence with a margin of 0.01.")  # fmt: skip

f3 = claim("F3", "SLS and soft labels do not differ on equal-mass ECE.",
    lambda r: _both(lambda outcome: _same(r, f"ece_equal_mass{outcome}")),
    asides=FLOOR["ece_equal_mass"],
    where="5.2, Table 2", published=(cells(2, "sls soft", "ece_equal_mass"), number("f-p-ece-equal-mass")), beside=("X8",),
    how="Equivalence with a margin of 0.01, both with the majority and with the vote share as the outcome.")  # fmt: skip

f4 = claim("F4", "SLS and soft labels do not differ on entropy correlation.",
    lambda r: _same(r, "entropy_correlation"),
    where="5.2, Table 2", published=(cells(2, "sls soft", "entropy_correlation"), number("f-p-entropy-correlation")), beside=("X8",), how="Equivalence with a margin of 0.02.")  # fmt: skip

claim("F5", "SLS and soft labels are closely matched on KL from the annotators.",
    lambda r: _same(r, "kl"),
    where="A.2, Table 5", published=cells(5, "sls soft", "kl"), beside=("X10",), how="Equivalence with a margin of 0.025.")  # fmt: skip

claim("F6", "SLS and soft labels are closely matched on the soft Brier score.",
    lambda r: _same(r, "soft_brier"),
    where="A.2, Table 5", published=cells(5, "sls soft", "soft_brier"), how="Equivalence with a margin of 0.01.")  # fmt: skip


def _better_posterior(r: View, other: str) -> Verdict:
    """Both deliveries are better than another method on each of five scores."""

    def decide(outcome: str) -> Verdict:
        keys = [f"{key}{outcome}" if key == "ece_equal_mass" else key for key in POSTERIOR]
        return all_of({label(key): every(better(key), each_method(r, ("sls", "soft"), other, key)) for key in keys})

    return _both(decide)


BETTER = "Both deliveries are better on each of five scores, and on average over the two (direction). ECE is computed with the majority and with the vote share as the outcome. The size of the difference is shown without a verdict."

claim("F7", "SLS and soft labels are much better than majority vote on posterior quality.",
    lambda r: _better_posterior(r, "majority"),
    asides=FLOOR["ece_equal_mass"],
    where="5.2, A.2", published=(cells(2, "majority", "soft_nll ece_equal_mass entropy_correlation"), cells(5, "majority")),
    how=BETTER)  # fmt: skip

claim("F8", "SLS and soft labels are much better than label smoothing on posterior quality.",
    lambda r: _better_posterior(r, "label-smoothing"),
    asides=FLOOR["ece_equal_mass"],
    where="5.2, A.2", published=(cells(2, "label-smoothing", "soft_nll ece_equal_mass entropy_correlation"), cells(5, "label-smoothing")),
    how=BETTER)  # fmt: skip


OTHERS = ("soft", "sls", "majority", "label-smoothing")


claim("F9", "Mixup has the highest hard accuracy.",
    lambda r: every(higher, against(r, "mixup", OTHERS, "accuracy")),
    where="5.2, Table 2", published=cells(2, "", "accuracy"), how="The accuracy of mixup is higher than that of each of the other four methods, and on average (direction).")  # fmt: skip


def _f10(r: View) -> Verdict:
    def decide(outcome: str) -> Verdict:
        keys = (f"ece_equal_mass{outcome}", "entropy_correlation")
        return all_of({label(key): every(worse(key), against(r, "mixup", ("sls", "soft"), key)) for key in keys})

    return _both(decide)


claim("F10", "Mixup is markedly worse on calibration.", _f10,
    asides={"highest ECE of the five": lambda r: every(higher, against(r, "mixup", OTHERS, "ece_equal_mass")), **FLOOR["ece_equal_mass"]},
    where="5.2, Table 2", published=cells(2, "", "ece_equal_mass entropy_correlation"),
    how="The equal-mass ECE of mixup is higher than that of SLS and of soft labels, with the majority and with the vote share as the outcome, and its entropy correlation is lower.")  # fmt: skip


def _further_off(r: View, key: str) -> Verdict:
    return every(higher, against(r, "majority", ("sls", "soft"), key))


claim("F11", "Smooth ECE is the same for SLS and soft labels, and far larger for majority vote.",
    lambda r: _both(lambda outcome: all_of({"(a)": _same(r, key := f"smooth_ece{outcome}"), "(b)": _further_off(r, key)})),
    asides=FLOOR["smooth_ece"],
    where="5.2", published=(number("f-smooth-ece-sls"), number("f-smooth-ece-soft"), number("f-smooth-ece-majority")),
    how="(a) Equivalence of SLS and soft labels with a margin of 0.01. (b) The smooth ECE of majority vote is higher than that of each, and on average (direction). Both with the majority and with the vote share as the outcome.")  # fmt: skip


def _curve_gap(r: View) -> Values:
    """Mean distance of the reliability curves of SLS and soft labels, by seed."""
    from votewise.probes import reliability_gap

    one, two = (r.curves("reliability", "smooth", method) for method in ("sls", "soft"))
    return values_of({seed: reliability_gap(one[seed].data, two[seed].data) for seed in one.keys() & two.keys()})


def _f12(r: View) -> Verdict:
    def follows(key: str) -> dict[str, Verdict]:
        near = {f"(b) {method_name(m)}": below(r.values(m, key), 0.03) for m in ("sls", "soft")}
        return {**near, "(c)": _further_off(r, key)}

    curves = all_of({"(a)": below(_curve_gap(r), 0.02), **follows("diagonal_distance")})
    return both_outcomes(curves, all_of(follows("smooth_ece_votes")))


claim("F12", "The reliability curves of SLS and soft labels almost coincide and follow the diagonal; that of majority vote deviates.", _f12,
    asides=FLOOR["smooth_ece"],
    where="5.2, Fig. 3", published="a figure",
    how="The curves are smoothed, and distances are weighted by the density of the confidence. (a) The mean gap between the two curves is below 0.02. (b) The distance of each from the diagonal is below 0.03. (c) The distance of majority vote is larger than that of each, and on average (direction). With the vote share as the outcome, the distance is the smooth ECE.")  # fmt: skip


def _f13(r: View) -> Verdict:
    def decide(outcome: str) -> Verdict:
        reliability, resolution = (
            r.difference("sls", "soft", f"brier_{part}{outcome}") for part in ("reliability", "resolution")
        )
        return all_of({"(a)": equivalent(reliability, 0.005), "(b)": higher(resolution)})

    return _both(decide) if r.results.values("sls", "brier_resolution_votes") else decide("")


claim("F13", "In the Brier decomposition, SLS and soft labels have similar reliability, and SLS has a slightly higher resolution.", _f13,
    where="Fig. 10", published="a figure without numbers", beside=("F3",), note="Probe readings of older runs only have the decomposition against the majority.",
    how="(a) Equivalence of the reliability with a margin of 0.005. (b) Direction: the resolution of SLS is higher than that of soft labels. Both with the majority and with the vote share as the outcome.")  # fmt: skip


def _f14(r: View) -> Verdict:
    proper, main = published().table(5), published().table(2)
    tables = {"soft_brier": proper, "soft_nll": main, "kl": proper}
    place = {
        score: 1 + sum(table.mean(row, score) < table.mean("mixup", score) for row in table.rows)
        for score, table in tables.items()
    }
    methods, middle = len(main.rows), (len(main.rows) + 1) // 2
    reason = f"of {methods} methods, mixup has rank {place['soft_brier']} on soft Brier, {place['soft_nll']} on soft NLL and {place['kl']} on KL"
    return holds(list(place.values()) == [1, middle, middle], reason, **place)


claim("F14", "Mixup has the best soft Brier score of the five and the middle rank on soft NLL and KL: the scores rank the methods differently. The paper's text does not mention this.", _f14,
    asides={"here": lambda r: every(lower, against(r, "mixup", ("soft", "sls"), "soft_brier"))},
    kind="arithmetic", where="Table 5", published=cells(5, "", "soft_brier"), how="The order of the published numbers. The comparison of mixup with soft labels and SLS on soft Brier in these runs is shown without a verdict.")  # fmt: skip
