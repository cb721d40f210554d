"""All votes: SLS, soft labels and the baselines.

The paper does not say what its calibration errors count as right: the majority of the votes, or the share of the votes. Against the majority even a model that
predicts the vote shares exactly is badly calibrated where annotators disagree. Claims on calibration are therefore decided with both outcomes.
"""

from __future__ import annotations

from collections.abc import Callable

from votewise.comparison import name as method_name
from votewise.papers.basins.arithmetic import mixup_places
from votewise.papers.basins.claims.paper import BASINS, MARGINS, better, label, worse
from votewise.papers.basins.published import cells, number, published
from votewise.papers.claims import (
    Claim,
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

OUTCOMES = ("", "_votes")  # what a calibration error counts as right: the majority, or the share of the votes
POSTERIOR = ("soft_nll", "ece_equal_mass", "entropy_correlation", "kl", "soft_brier")


def _both(decide: Callable[[str], Verdict]) -> Verdict:
    """The same rule with both outcomes of calibration errors."""
    return both_outcomes(*(decide(outcome) for outcome in OUTCOMES))


def _same(r: View, quantity: str) -> Verdict:
    return equivalent(r.difference("sls", "soft", quantity), MARGINS[quantity.removesuffix("_votes")])


def floor(r: View, quantity: str) -> Verdict:
    """What the votes themselves score as predictions: no model can be better against this outcome without being wrong about the votes."""
    key = f"{quantity}_floor"
    if not r.results.values("soft", key):
        return Verdict(outcome="shown", reason="the score of the votes themselves is not stored")
    return shown(r.values("soft", key))


@claim(
    "F1", "SLS and soft labels do not differ on soft NLL.",
    where="abstract, 5.2, Table 2", how="Difference inside 0.025: equivalence.",
    published=(cells(2, "sls soft", "soft_nll"), number("f-p-soft-nll")), beside=("X8",),
)  # fmt: skip
def f1(r: View) -> Verdict:
    return _same(r, "soft_nll")


@claim(
    "F2", "SLS and soft labels do not differ on hard accuracy.",
    where="5.2, Table 2", how="Difference inside 0.01: equivalence.",
    published=(cells(2, "sls soft", "accuracy"), number("f-p-accuracy")), beside=("X8",),
)  # fmt: skip
def f2(r: View) -> Verdict:
    return _same(r, "accuracy")


@claim(
    "F3", "SLS and soft labels do not differ on equal-mass ECE.",
    where="5.2, Table 2", how="Difference inside 0.01: equivalence; with the majority and with the vote share as the outcome.",
    published=(cells(2, "sls soft", "ece_equal_mass"), number("f-p-ece-equal-mass")), beside=("X8",),
)  # fmt: skip
def f3(r: View) -> Verdict:
    return _both(lambda outcome: _same(r, f"ece_equal_mass{outcome}"))


@claim(
    "F4", "SLS and soft labels do not differ on entropy correlation.",
    where="5.2, Table 2", how="Difference inside 0.02: equivalence.",
    published=(cells(2, "sls soft", "entropy_correlation"), number("f-p-entropy-correlation")), beside=("X8",),
)  # fmt: skip
def f4(r: View) -> Verdict:
    return _same(r, "entropy_correlation")


@claim(
    "F5", "They are closely matched on KL to the annotators.",
    where="A.2, Table 5", how="Difference inside 0.025: equivalence.", published=cells(5, "sls soft", "kl"), beside=("X10",),
)  # fmt: skip
def f5(r: View) -> Verdict:
    return _same(r, "kl")


@claim(
    "F6", "They are closely matched on soft Brier.",
    where="A.2, Table 5", how="Difference inside 0.01: equivalence.", published=cells(5, "sls soft", "soft_brier"),
)  # fmt: skip
def f6(r: View) -> Verdict:
    return _same(r, "soft_brier")


def _better_posterior(r: View, other: str) -> Verdict:
    """Both deliveries better than another method on each of five scores."""

    def decide(outcome: str) -> Verdict:
        scores = [f"{key}{outcome}" if key == "ece_equal_mass" else key for key in POSTERIOR]
        return all_of(
            {
                label(key): every(better(key), {method_name(m): r.difference(m, other, key) for m in ("sls", "soft")})
                for key in scores
            }
        )

    return _both(decide)


@claim(
    "F7", "Both are much better than majority vote on posterior quality.",
    where="5.2, A.2",
    how="Better on each of five scores, for two deliveries and on average; ECE with the majority and with the vote share as the outcome. The size is shown.",
    published=(cells(2, "majority", "soft_nll ece_equal_mass entropy_correlation"), cells(5, "majority")),
)  # fmt: skip
def f7(r: View) -> Verdict:
    return _better_posterior(r, "majority")


@claim(
    "F8", "Both are much better than label smoothing on posterior quality.",
    where="5.2, A.2",
    how="Better on each of five scores, for two deliveries and on average; ECE with the majority and with the vote share as the outcome. The size is shown.",
    published=(cells(2, "label-smoothing", "soft_nll ece_equal_mass entropy_correlation"), cells(5, "label-smoothing")),
)  # fmt: skip
def f8(r: View) -> Verdict:
    return _better_posterior(r, "label-smoothing")


OTHERS = ("soft", "sls", "majority", "label-smoothing")


@claim(
    "F9", "Mixup has the highest hard accuracy.",
    where="5.2, Table 2", how="Accuracy of mixup minus each of the other four above zero, and on average.", published=cells(2, "", "accuracy"),
)  # fmt: skip
def f9(r: View) -> Verdict:
    return every(higher, {f"against {method_name(m)}": r.difference("mixup", m, "accuracy") for m in OTHERS})


@claim(
    "F10", "Mixup is markedly worse on calibration.",
    where="5.2, Table 2",
    how="Equal-mass ECE of mixup minus SLS, and minus soft labels, above zero, with the majority and with the vote share as the outcome; entropy correlation below theirs.",
    published=cells(2, "", "ece_equal_mass entropy_correlation"),
)  # fmt: skip
def f10(r: View) -> Verdict:
    def decide(outcome: str) -> Verdict:
        keys = (f"ece_equal_mass{outcome}", "entropy_correlation")
        against = {
            key: {f"against {method_name(m)}": r.difference("mixup", m, key) for m in ("sls", "soft")} for key in keys
        }
        return all_of({label(key): every(worse(key), cells) for key, cells in against.items()})

    return _both(decide)


@f10.aside("highest ECE of the five")
def _(r: View) -> Verdict:
    return every(higher, {f"against {method_name(m)}": r.difference("mixup", m, "ece_equal_mass") for m in OTHERS})


@claim(
    "F11", "Smooth ECE is the same for SLS and soft labels, and far larger for majority vote.",
    where="5.2",
    how="(a) SLS minus soft labels inside 0.01: equivalence. (b) Majority vote minus each above zero, and on average. With the majority and with the vote share as the outcome.",
    published=(number("f-smooth-ece-sls"), number("f-smooth-ece-soft"), number("f-smooth-ece-majority")),
)  # fmt: skip
def f11(r: View) -> Verdict:
    def decide(outcome: str) -> Verdict:
        key = f"smooth_ece{outcome}"
        return all_of({"(a)": _same(r, key), "(b)": _further_off(r, key)})

    return _both(decide)


def _further_off(r: View, key: str) -> Verdict:
    return every(higher, {f"against {method_name(m)}": r.difference("majority", m, key) for m in ("sls", "soft")})


@claim(
    "F12", "The reliability curves of SLS and soft labels almost coincide and follow the diagonal; that of majority vote is off.",
    where="5.2, Fig. 3",
    how="Smooth curves weighted by the density of confidence. (a) Mean gap between the two curves below 0.02. (b) Distance of each to the diagonal below 0.03. (c) Distance of majority vote minus that of each above zero, and on average. Against the vote share the distance is the smooth ECE.",
    published="a figure",
)  # fmt: skip
def f12(r: View) -> Verdict:
    def follows(key: str) -> dict[str, Verdict]:
        near = {f"(b) {method_name(m)}": below(r.values(m, key), 0.03) for m in ("sls", "soft")}
        return {**near, "(c)": _further_off(r, key)}

    return both_outcomes(
        all_of({"(a)": below(_curve_gap(r), 0.02), **follows("diagonal_distance")}), all_of(follows("smooth_ece_votes"))
    )


def _curve_gap(r: View) -> Values:
    """Mean distance of the reliability curves of SLS and soft labels, by seed."""
    from votewise.probes import reliability_gap

    one, two = (r.curves("reliability", "smooth", method) for method in ("sls", "soft"))
    return values_of({seed: reliability_gap(one[seed].data, two[seed].data) for seed in one.keys() & two.keys()})


@claim(
    "F13", "In the Brier decomposition SLS and soft labels are close on reliability, and SLS has slightly higher resolution.",
    where="Fig. 10", how="(a) Reliability inside 0.005: equivalence. (b) Resolution of SLS minus soft labels above zero: direction.",
    published="a figure without numbers", note="The decomposition is against the majority; against the vote share it is not stored. F3 has both outcomes for reliability.",
    beside=("F3",),
)  # fmt: skip
def f13(r: View) -> Verdict:
    return all_of(
        {
            "(a)": equivalent(r.difference("sls", "soft", "brier_reliability"), 0.005),
            "(b)": higher(r.difference("sls", "soft", "brier_resolution")),
        }
    )


def _show_floor(key: str, *claims: Claim) -> None:
    for claim in claims:
        claim.aside("the votes themselves")(lambda r: floor(r, key))


_show_floor("ece_equal_mass", f3, f7, f8, f10)
_show_floor("smooth_ece", f11, f12)


@claim(
    "F14", "Mixup has the best soft Brier of the five and the middle place on soft NLL and KL: the scores do not rank the methods alike. The text does not say so.",
    kind="arithmetic", where="Table 5", how="The published order; whether mixup is below soft labels and SLS on soft Brier here is shown.",
    published=cells(5, "", "soft_brier"),
)  # fmt: skip
def f14(r: View) -> Verdict:
    place, methods = mixup_places(published()), len(published().table(2).rows)
    middle = (methods + 1) // 2
    return holds(
        list(place.values()) == [1, middle, middle],
        f"of {methods} methods mixup has place {place['soft_brier']} on soft Brier, {place['soft_nll']} on soft NLL and {place['kl']} on KL",
        **place,
    )


@f14.aside("here")
def _(r: View) -> Verdict:
    return every(lower, {f"against {method_name(m)}": r.difference("mixup", m, "soft_brier") for m in ("soft", "sls")})
