"""Noise of the gradient, and the geometry of the basins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from votewise.comparison import name as method_name
from votewise.papers.basins.claims.family import h5
from votewise.papers.basins.claims.paper import BASINS, CURVATURE, LOG_RATIO, MARGINS, label
from votewise.papers.basins.published import cells, number, published
from votewise.papers.claims import (
    Values,
    Verdict,
    View,
    above,
    all_of,
    each,
    equivalent,
    every,
    higher,
    lower,
    shown,
)
from votewise.papers.claims.verdict import Ruling

claim = BASINS.section("Noise of the gradient")


@claim(
    "N1", "Over items, annotator entropy and last-layer gradient variance under label sampling are strongly correlated.",
    where="5.3, A.4, Fig. 7",
    how="Rank correlation over items per seed of SLS: lower end of the interval above 0.9 reproduces, upper end below 0.7 contradicts.",
    published=number("n-spearman"), beside=("N3",),
)  # fmt: skip
def n1(r: View) -> Verdict:
    return _strongly_correlated(r, "noise_correlation")


def _strongly_correlated(r: View, key: str) -> Verdict:
    return above(r.values("sls", key), 0.9, contradicted_below=0.7)


@claim(
    "N2", "The extra noise sits on the items on which annotators disagree most.",
    where="5.3",
    how="Share of the summed variance on the tenth of items with the highest entropy, over the share that these items have of the summed 1 − ‖p‖² by their votes alone: above 0.8.",
    published="no number",
    note="By the votes alone the tenth has 0.53 of 1 − ‖p‖² on CIFAR-10H and 0.17 on the digits (0.1 if it were even): a fixed bound would test the data.",
)  # fmt: skip
def n2(r: View) -> Verdict:
    share = r.values("sls", "noise_share_high")
    if len(share) and not r.results.values("sls", "noise_share_votes"):
        return Verdict(
            outcome="undecided", reason="the share of these items by their votes alone is not stored", n=len(share)
        )
    return above(share / r.values("sls", "noise_share_votes"), 0.8)


@n2.aside("share of the variance")
def _(r: View) -> Verdict:
    return shown(r.values("sls", "noise_share_high"))


@claim(
    "N3", "Closed form and sampling agree; the correlation of N1 is close to a consequence of the algebra.",
    kind="guard", where="eq. 6, 7",
    how="N1 for the closed form (‖h‖² + 1)(1 − ‖p‖²), for sampled labels and without unanimous items; how closely the two estimates agree over items is shown.",
    published="on CIFAR-10H counts with equal feature norms 0.999; with 100 sampled labels per item 0.95 (ours, simulated)", beside=("N1",),
)  # fmt: skip
def n3(r: View) -> Verdict:
    keys = {"closed form": "", "sampled": "_sampled", "without unanimous items": "_disputed"}
    return all_of({name: _strongly_correlated(r, f"noise_correlation{suffix}") for name, suffix in keys.items()})


@n3.aside("agreement")
def _(r: View) -> Verdict:
    return shown(r.values("sls", "noise_agreement"))


# --- geometry --------------------------------------------------------------------------------------------------------

claim = BASINS.section("Geometry")


def log_ratio(r: View, first: str, second: str, key: str, K: int | None = None) -> Values:
    """The logarithm of the ratio of a quantity of two methods."""
    return r.values(first, key, K=K).log() - r.values(second, key, K=K).log()


@claim(
    "G1", "λmax on the full split is lower for SLS than for soft labels.",
    where="5.3, Table 4", how="Difference of logarithms below zero: direction.",
    published=cells(4, "sls-main soft", "lambda_max_full"), beside=("G13", "X13"),
)  # fmt: skip
def g1(r: View) -> Verdict:
    return lower(log_ratio(r, "sls", "soft", "lambda_max_full"))


@claim(
    "G2", "The trace on the full split is lower for SLS than for soft labels.",
    where="5.3, Table 4", how="Difference of logarithms below zero: direction.",
    published=cells(4, "sls-main soft", "trace_full"), beside=("G13", "X13"),
)  # fmt: skip
def g2(r: View) -> Verdict:
    return lower(log_ratio(r, "sls", "soft", "trace_full"))


@claim(
    "G3", "λmax on the high slice is lower for SLS than for soft labels.",
    where="Table 4", how="Difference of logarithms below zero: direction.",
    published=cells(4, "sls-main soft", "lambda_max_high"), beside=("G13", "X13"),
)  # fmt: skip
def g3(r: View) -> Verdict:
    return lower(log_ratio(r, "sls", "soft", "lambda_max_high"))


@claim(
    "G4", "The trace on the high slice is lower for SLS than for soft labels.",
    where="Table 4", how="Difference of logarithms below zero: direction.",
    published=cells(4, "sls-main soft", "trace_high"), beside=("G13", "X13"),
)  # fmt: skip
def g4(r: View) -> Verdict:
    return lower(log_ratio(r, "sls", "soft", "trace_high"))


@claim(
    "G5", "Multipass, deterministic control and SLS are in the same regime of flatness.",
    where="5.3, Table 4",
    how="Logarithm of the ratio to SLS inside log 1.25 in the four columns, for two deliveries: equivalence; contradicted if one lies outside after Holm's correction.",
    published=cells(4, "sls-ablation deterministic multipass"),
)  # fmt: skip
def g5(r: View) -> Verdict:
    ratios = {
        f"{method_name(m)} on {label(key)}": log_ratio(r, m, "sls", key)
        for m in ("multipass", "deterministic")
        for key in CURVATURE
    }
    return equivalent(ratios, LOG_RATIO)


@claim(
    "G6", "Hard delivery as a family ends in flatter basins than soft labels.",
    where="abstract, sections 1, 5.3, 6",
    how="Difference of logarithms to soft labels of the same seeds below zero: three deliveries, four columns, and on average.",
    published=cells(4), beside=("G12", "G13"),
)  # fmt: skip
def g6(r: View) -> Verdict:
    return every(
        lower,
        {
            f"{method_name(m)} on {label(key)}": log_ratio(r, m, "soft", key)
            for m in ("multipass", "deterministic", "sls")
            for key in CURVATURE
        },
    )


@claim(
    "G7", "Shuffled SLS is flattest of all, at near-chance accuracy: flat is not good.",
    where="5.3, Table 4",
    how="Shuffled SLS below each other arm, and on average, in each of the four columns; together with H5. The values are compared themselves: a trace near zero has no logarithm.",
    published=cells(4, "shuffled-sls"), beside=("H5",),
)  # fmt: skip
def g7(r: View) -> Verdict:
    others = ("sls", "multipass", "deterministic", "soft")
    columns = {
        label(key): every(lower, {f"against {method_name(m)}": r.difference("shuffled-sls", m, key) for m in others})
        for key in CURVATURE
    }
    return all_of({**columns, "near chance": h5(r)})


@claim(
    "G8", "Stochastic sampling alone is not the main explanation, because deterministic control is as flat.",
    where="5.3, section 6",
    how="Deterministic control is flatter than soft labels (G6) and inside the margin of SLS (G5); contradicted if it is sharper than SLS by more than the margin.",
    published=cells(4, "sls-ablation deterministic soft"),
)  # fmt: skip
def g8(r: View) -> Verdict:
    flatter = every(lower, {label(key): log_ratio(r, "deterministic", "soft", key) for key in CURVATURE})
    ratios = {label(key): log_ratio(r, "deterministic", "sls", key) for key in CURVATURE}
    return all_of(
        {
            "flatter than soft labels": _cannot_contradict(flatter),
            "as flat as SLS": equivalent(ratios, LOG_RATIO, contradicts="higher"),
        }
    )


def _cannot_contradict(verdict: Verdict) -> Verdict:
    """The verdict, undecided where it would contradict."""
    assert verdict.ruling is not None
    ruling = Ruling(verdict.ruling.reproduced, np.ones_like(verdict.ruling.against))
    outcome = "undecided" if verdict.outcome == "contradicted" else verdict.outcome
    return replace(verdict, outcome=outcome, ruling=ruling)


@claim(
    "G9", "SLS is flatter than soft labels at each K, on the full split and on the high slice (λmax).",
    where="A.3, Table 6", how="Difference of logarithms below zero in every cell (slice and K), and on average.",
    published=cells(6), beside=("X13",),
)  # fmt: skip
def g9(r: View) -> Verdict:
    return every(
        lower,
        {
            f"{label(key)} at K = {k}": log_ratio(r, "sls", "soft", key, K=k)
            for key in ("lambda_max_full", "lambda_max_high")
            for k in r.votes_per_item
        },
    )


@claim(
    "G10", "A loss barrier well above zero lies between the SLS and the soft-label solution of a seed.",
    where="5.3, Fig. 11", how="Highest loss on the line between them above the straight line between the end losses: above 0.1.",
    published=number("g-barrier"), beside=("G12",),
)  # fmt: skip
def g10(r: View) -> Verdict:
    return above(r.values("sls", "barrier"), 0.1)


@claim(
    "G11", "The two end losses of that line are nearly the same.",
    where="5.3, Fig. 11", how="Difference of the end losses of these checkpoints inside 0.025: equivalence.",
    published=cells(2, "sls soft", "soft_nll"),
)  # fmt: skip
def g11(r: View) -> Verdict:
    return equivalent(r.values("sls", "loss_first") - r.values("sls", "loss_second"), MARGINS["soft_nll"])


def _peak() -> str:
    ends = [published().table(2).mean(method, "soft_nll") for method in ("sls", "soft")]
    peak = published().number("g-barrier")["mean"] + sum(ends) / 2
    return f"calculated from print: a mean peak of {peak:.2f}, above the loss of a uniform prediction, {np.log(10):.2f}"


@claim(
    "G12", "The barrier is due to the delivery, not to batch-norm statistics or to any two runs being apart.",
    kind="guard",
    how="Above 0.1 with re-estimated batch-norm statistics too; and higher than the barrier between two runs of one delivery on the same split: direction for each delivery.",
    published=_peak, beside=("G10",),
)  # fmt: skip
def g12(r: View) -> Verdict:
    barrier = r.values("sls", "barrier")
    twins = {
        f"above that between two runs of {method_name(m)}": barrier - r.values(m, "barrier_within")
        for m in ("sls", "soft")
    }
    return all_of(
        {
            "batch norm re-estimated": above(r.values("sls", "barrier_reestimated"), 0.1),
            "above that between two runs of one delivery": each(higher, twins),
        }
    )


@g12.aside("barrier between two runs of a delivery")
def _(r: View) -> Verdict:
    kinds = {"barrier_within": "", "barrier_reestimated_within": ", batch norm re-estimated"}
    return shown({method_name(m) + kind: r.values(m, key) for m in ("sls", "soft") for key, kind in kinds.items()})


@claim(
    "G13", "Flatness is not an effect of stopping early or of the scale of the weights.",
    kind="guard",
    how="G1 to G4 at the last checkpoint, where both have trained for the same epochs; a sharpness that the scale of the weights does not change; weight norms are shown.",
    published=number("d-epochs-best"), beside=("G1", "G2", "G3", "G4"),
)  # fmt: skip
def g13(r: View) -> Verdict:
    last = r.at("last")
    return all_of(
        {
            "last checkpoint": every(lower, {label(key): log_ratio(last, "sls", "soft", key) for key in CURVATURE}),
            "scale-invariant": every(
                lower, {label(key): log_ratio(r, "sls", "soft", key) for key in ("sharpness_full", "sharpness_high")}
            ),
        }
    )


@g13.aside("weight norm")
def _(r: View) -> Verdict:
    return shown({method_name(m): r.values(m, "weight_norm") for m in ("sls", "soft")})
