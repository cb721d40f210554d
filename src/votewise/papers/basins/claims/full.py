"""All votes: SLS, soft labels and the baselines; the hard family and its controls.

The paper does not say what its calibration errors count as right: the majority of the votes, or the share of the votes. Against the majority even a model that
predicts the vote shares exactly is badly calibrated where annotators disagree. Claims on calibration are therefore decided with both outcomes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from votewise.comparison.statistics.power import FEWEST
from votewise.papers.basins.arithmetic import mixup_places
from votewise.papers.basins.claims.paper import BASINS, FOUR_SCORES, MARGINS, better, label, worse
from votewise.papers.basins.published import HARD, cells, number, published
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
    shared,
    shown,
    unanimous,
    values_of,
)
from votewise.papers.claims.naming import method_name
from votewise.papers.claims.resampling import resampled
from votewise.papers.claims.values import F64
from votewise.papers.claims.verdict import Ruling, simulated, too_few

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


# --- the hard family and its controls --------------------------------------------------------------------------------

claim = BASINS.section("All votes: the hard family and its controls")


def matches(r: View, first: str, second: str) -> Verdict:
    """No difference that matters on any of the four scores."""
    return equivalent(
        {label(key): r.difference(first, second, key) for key in FOUR_SCORES},
        {label(key): MARGINS[key] for key in FOUR_SCORES},
    )


@claim(
    "H1", "Multipass and SLS cannot be told apart on any reported score.",
    where="5.2, Table 3", how="Difference inside the margin of each of the four scores: equivalence; contradicted if one lies outside after Holm's correction.",
    published=(cells(3, "multipass sls"), number("h-p-multipass-soft-nll"), number("h-p-multipass-others")),
)  # fmt: skip
def h1(r: View) -> Verdict:
    return matches(r, "multipass", "sls")


@claim(
    "H2", "Deterministic control and SLS cannot be told apart.",
    where="5.2, Table 3", how="Difference inside the margin of each of the four scores: equivalence; contradicted if one lies outside after Holm's correction.",
    published=cells(3, "deterministic sls"),
)  # fmt: skip
def h2(r: View) -> Verdict:
    return matches(r, "deterministic", "sls")


@claim(
    "H3", "The order in which votes are visited does not matter: multipass and deterministic control agree.",
    where="sections 1, 5.2", how="Difference inside the margin of each of the four scores with all votes, and of soft NLL at each K: equivalence.",
    published=(cells(3, "multipass deterministic"), cells(1, "multipass deterministic")),
)  # fmt: skip
def h3(r: View) -> Verdict:
    by_votes = {f"K = {k}": r.difference("multipass", "deterministic", "soft_nll", K=k) for k in r.votes_per_item}
    return all_of(
        {"all votes": matches(r, "multipass", "deterministic"), "sweep": equivalent(by_votes, MARGINS["soft_nll"])}
    )


@claim(
    "H4", "Multipass, deterministic control and SLS each match soft labels with all votes.",
    where="abstract, 5.2, section 6",
    how="Difference to soft labels of the same seeds inside the margin of each of the four scores: equivalence; contradicted if one lies outside after Holm's correction.",
    published=cells(3),
)  # fmt: skip
def h4(r: View) -> Verdict:
    differences = {
        (m, key): r.difference(m, "soft", key) for m in ("multipass", "deterministic", "sls") for key in FOUR_SCORES
    }
    names = {(m, key): f"{method_name(m)} on {label(key)}" for m, key in differences}
    return equivalent(
        {names[at]: values for at, values in differences.items()}, {names[at]: MARGINS[at[1]] for at in differences}
    )


@claim(
    "H5", "Shuffled SLS falls to near-chance accuracy.",
    where="5.2, Table 3", how="Accuracy minus the share of the largest class below 0.05.",
    published=(cells(3, "shuffled-sls", "accuracy"), number("h-accuracy-shuffled")), beside=("H10",),
)  # fmt: skip
def h5(r: View) -> Verdict:
    return below(r.values("shuffled-sls", "accuracy") - r.values("shuffled-sls", "largest_class"), 0.05)


@claim(
    "H6", "Shuffled SLS has extremely poor soft NLL.",
    where="5.2, Table 3", how="(a) Shuffled minus SLS above zero: direction. (b) Within 0.1 of the loss of the best constant prediction: equivalence.",
    published=cells(3, "shuffled-sls", "soft_nll"),
)  # fmt: skip
def h6(r: View) -> Verdict:
    loss, constant = (r.values("shuffled-sls", key) for key in ("soft_nll", "constant_loss"))
    return all_of(
        {"(a)": higher(r.difference("shuffled-sls", "sls", "soft_nll")), "(b)": equivalent(loss - constant, 0.1)}
    )


@claim(
    "H7", "Shuffled SLS is worse than SLS on several columns in all seeds.",
    where="5.2", how="On at least two of the four scores all seeds agree; contradicted if three of them go the other way, after correction.", published=number("h-p-shuffled"),
)  # fmt: skip
def h7(r: View) -> Verdict:
    worse_by = {}
    for key in FOUR_SCORES:
        difference = r.difference("shuffled-sls", "sls", key)
        worse_by[label(key)] = difference if worse(key) is higher else -difference
    return unanimous(higher, worse_by, at_least=2, one_unit=False)


@claim(
    "H8", "Entropy correlation of shuffled SLS is about zero.",
    where="Table 3", how="Inside 0.1 of zero: equivalence.", published=cells(3, "shuffled-sls", "entropy_correlation"),
)  # fmt: skip
def h8(r: View) -> Verdict:
    return equivalent(r.values("shuffled-sls", "entropy_correlation"), 0.1)


TIMES = 10  # what the paper's numbers give is about 100


@claim(
    "H9", "Keeping each item with its own distribution is the first-order ingredient with all votes.",
    where="5.2, section 6",
    how="Mean distance of shuffled SLS from SLS in soft NLL, over the largest mean difference among soft labels, SLS, multipass and deterministic control. Reproduced if the interval by resampling seeds is above ten, contradicted if it is below.",
    published=(cells(3, "", "soft_nll"), "1.79 against at most 0.02"),
)  # fmt: skip
def h9(r: View) -> Verdict:
    methods = ("shuffled-sls", "soft", *HARD)
    arms = shared(r.values(method, "soft_nll") for method in methods)
    n, table = len(arms[0]), np.stack([arm.numbers for arm in arms])

    def ratio(means: F64) -> F64:
        others = means[1:]
        apart = np.maximum(others.max(axis=0) - others.min(axis=0), 1e-12)
        return np.asarray(np.abs(means[0] - means[methods.index("sls")]) / apart)

    if table.ndim > 2:  # worlds: the interval is far from ten if the ratio is
        return simulated(Ruling(ratio(table.mean(axis=-1)) > TIMES, np.ones(table.shape[1])))
    if n < FEWEST:
        return Verdict(outcome="undecided", reason=too_few(n), n=n, ruling=Ruling(np.asarray(False), np.asarray(1.0)))
    times, (low, high) = float(ratio(table.mean(axis=-1, keepdims=True))[0]), resampled(ratio, table)
    ruling = Ruling(np.asarray(low > TIMES), np.asarray(0.0 if high < TIMES else 1.0))
    reason = f"{times:.3g} times the largest difference among the others, {low:.3g} to {high:.3g} by resampling seeds"
    return Verdict(outcome=ruling.outcome, reason=reason, n=n, mean=times, low=low, high=high, ruling=ruling)


@claim(
    "H10", "A small ECE does not show the collapse.",
    kind="guard", where="Table 3", how="Shown.", published=cells(3, "shuffled-sls", "ece_equal_mass accuracy"), beside=("H5",),
)  # fmt: skip
def h10(r: View) -> Verdict:
    return shown({label(key): r.values("shuffled-sls", key) for key in ("ece_equal_mass", "accuracy")})
