"""Gradient noise, and the geometry of the basins."""

from __future__ import annotations

import numpy as np

from votewise.comparison import name as method_name
from votewise.papers.basins.claims.family import h5
from votewise.papers.basins.claims.shared import (
    BASINS,
    LOG_RATIO,
    MARGINS,
    against,
    each_quantity,
    grid,
    label,
)
from votewise.papers.basins.published import CURVATURE, cells, number, published
from votewise.papers.claims import Verdict, View, above, all_of, each, equivalent, every, higher, lower, shown
from votewise.papers.claims.claim import Decide
from votewise.papers.claims.verdict import Ruling, ruled

claim = BASINS.section("Gradient noise")


def _strongly_correlated(r: View, key: str) -> Verdict:
    return above(r.values("sls", key), 0.9, contradicted_below=0.7)


claim("N1", "Over items, annotator entropy and last-layer gradient variance under label sampling are strongly correlated.",
    lambda r: _strongly_correlated(r, "noise_correlation"),
    where="5.3, A.4, Fig. 7", published=number("n-spearman"), beside=("N3",),
    how="Rank correlation over items for each seed of SLS. Reproduced if its 95 % interval over seeds is above 0.9, contradicted if the interval is below 0.7.")  # fmt: skip


claim("N2", "The extra noise is concentrated on the items with the most annotator disagreement.",
    lambda r: above(r.values("sls", "noise_share_high") / r.values("sls", "noise_share_votes"), 0.8),
    asides={"share of the variance": lambda r: shown(r.values("sls", "noise_share_high"))},
    where="5.3", published="no number", note="In the votes alone, this tenth has a share of 0.53 of 1 − ‖p‖² on CIFAR-10H and 0.17 on the digits (0.1 if uniform). Without the division, a fixed bound would test the data and not the claim.",
    how="The share of the summed variance on the tenth of the items with the highest entropy, divided by the share of these items in the summed 1 − ‖p‖² of the votes, is above 0.8.")  # fmt: skip


def _n3(r: View) -> Verdict:
    keys = {"closed form": "", "sampled": "_sampled", "without unanimous items": "_disputed"}
    return all_of({name: _strongly_correlated(r, f"noise_correlation{suffix}") for name, suffix in keys.items()})


claim("N3", "Closed form and sampling agree; the correlation of N1 follows almost entirely from the algebra.", _n3,
    asides={"agreement": lambda r: shown(r.values("sls", "noise_agreement"))},
    kind="guard", where="eq. 6, 7", published="no number; our simulation on the CIFAR-10H counts: 0.999 with equal feature norms, 0.95 with 100 sampled labels per item", beside=("N1",),
    how="N1 for the closed form (‖h‖² + 1)(1 − ‖p‖²) of the variance, for its estimate from sampled labels, and without unanimous items. The agreement of the two estimates over items is shown without a verdict.")  # fmt: skip


# --- geometry --------------------------------------------------------------------------------------------------------

claim = BASINS.section("Geometry")


def _flatter(key: str) -> Decide:
    return lambda r: lower(r.log_ratio("sls", "soft", key))


for id, what, where, key in (
    ("G1", "λmax on the full split", "5.3, Table 4", "lambda_max_full"),
    ("G2", "The trace on the full split", "5.3, Table 4", "trace_full"),
    ("G3", "λmax on the high slice", "Table 4", "lambda_max_high"),
    ("G4", "The trace on the high slice", "Table 4", "trace_high"),
):
    claim(id, f"{what} is lower for SLS than for soft labels.", _flatter(key),
        where=where, published=cells(4, "sls-main soft", key), beside=("G13", "X13"), how="Direction: the mean difference of logarithms is below zero.")  # fmt: skip

claim("G5", "Multipass, deterministic control and SLS are similarly flat.",
    lambda r: equivalent(grid(r.log_ratio, ("multipass", "deterministic"), "sls", CURVATURE), LOG_RATIO),
    where="5.3, Table 4", published=cells(4, "sls-ablation deterministic multipass"),
    how="Equivalence with SLS for two deliveries and the four columns: the logarithm of the ratio is inside ±log 1.25. Contradicted if one is outside after Holm's correction.")  # fmt: skip

g6 = claim("G6", "The hard deliveries end in flatter basins than soft labels.",
    lambda r: every(lower, grid(r.log_ratio, ("multipass", "deterministic", "sls"), "soft", CURVATURE)),
    where="abstract, sections 1, 5.3, 6", published=cells(4), beside=("G12", "G13"),
    how="The mean difference of logarithms from soft labels with the same seeds is below zero for three deliveries and four columns, and on average (direction).")  # fmt: skip


def _g7(r: View) -> Verdict:
    others = ("sls", "multipass", "deterministic", "soft")
    columns = {label(key): every(lower, against(r, "shuffled-sls", others, key)) for key in CURVATURE}
    return all_of({**columns, "near chance": h5(r)})


claim("G7", "Shuffled SLS is the flattest of all, at near-chance accuracy: flatness alone is not good.", _g7,
    where="5.3, Table 4", published=cells(4, "shuffled-sls"), beside=("H5",),
    how="Shuffled SLS is below every other method, and on average, in each of the four columns (direction), and H5 holds. The values are compared without logarithms, because a trace can be near zero or negative.")  # fmt: skip


def _g8(r: View) -> Verdict:
    flatter = every(lower, each_quantity(r.log_ratio, "deterministic", "soft", CURVATURE))
    assert flatter.ruling is not None
    cannot_contradict = Ruling(flatter.ruling.reproduced, np.ones_like(flatter.ruling.against))
    ratios = each_quantity(r.log_ratio, "deterministic", "sls", CURVATURE)
    as_flat = equivalent(ratios, LOG_RATIO, contradicts="higher")
    return all_of({"flatter than soft labels": ruled(flatter, cannot_contradict), "as flat as SLS": as_flat})


claim("G8", "Stochastic sampling alone is not the main explanation, because deterministic control is as flat.", _g8,
    where="5.3, section 6", published=cells(4, "sls-ablation deterministic soft"),
    how="Deterministic control is flatter than soft labels (as in G6) and equivalent to SLS (as in G5). Contradicted if it is sharper than SLS by more than the margin.")  # fmt: skip


def _g9(r: View) -> Verdict:
    votes, keys = r.votes_per_item, ("lambda_max_full", "lambda_max_high")
    cells = {f"{label(key)} at K = {k}": r.log_ratio("sls", "soft", key, K=k) for key in keys for k in votes}
    return every(lower, cells)


claim("G9", "SLS is flatter than soft labels at each K, on the full split and on the high slice (λmax).", _g9,
    where="A.3, Table 6", published=cells(6), beside=("X13",), how="The mean difference of logarithms is below zero in every cell (slice and K), and on average (direction).")  # fmt: skip

claim("G10", "There is a loss barrier well above zero between the SLS and the soft-label solution of a seed.",
    lambda r: above(r.values("sls", "barrier"), 0.1),
    where="5.3, Fig. 11", published=number("g-barrier"), beside=("G12",), how="The barrier is above 0.1 (95 % interval): the largest difference between the loss on the line between the two solutions and the linear interpolation of the losses at its ends.")  # fmt: skip

claim("G11", "The losses of the two solutions are nearly equal.",
    lambda r: equivalent(r.values("sls", "loss_first") - r.values("sls", "loss_second"), MARGINS["soft_nll"]),
    where="5.3, Fig. 11", published=cells(2, "sls soft", "soft_nll"), how="Equivalence of the losses of the two checkpoints, with a margin of 0.025.")  # fmt: skip


def _peak() -> str:
    ends = [published().table(2).mean(method, "soft_nll") for method in ("sls", "soft")]
    peak = published().number("g-barrier")["mean"] + sum(ends) / 2
    return f"no number; our calculation from the published numbers: a mean peak of {peak:.2f}, above the loss of a uniform prediction, {np.log(10):.2f}"


def _g12(r: View) -> Verdict:
    barrier, reestimated = (r.values("sls", key) for key in ("barrier", "barrier_reestimated"))
    apart = {m: barrier - r.values(m, "barrier_within") for m in ("sls", "soft")}
    twins = {f"above that between two runs of {method_name(m)}": values for m, values in apart.items()}
    return all_of(
        {
            "batch norm re-estimated": above(reestimated, 0.1),
            "above that between two runs of one delivery": each(higher, twins),
        }
    )


def _twins(r: View) -> Verdict:
    kinds = {"barrier_within": "", "barrier_reestimated_within": ", batch norm re-estimated"}
    return shown({method_name(m) + kind: r.values(m, key) for m in ("sls", "soft") for key, kind in kinds.items()})


claim("G12", "The barrier is due to the delivery. It is not due to batch-norm statistics, and not every two runs have such a barrier.", _g12,
    asides={"barrier between two runs of a delivery": _twins},
    kind="guard", published=_peak, beside=("G10",),
    how="The barrier is also above 0.1 with re-estimated batch-norm statistics. It is higher than the barrier between two runs of one delivery on the same split (direction, for each delivery).")  # fmt: skip


def _g13(r: View) -> Verdict:
    last = every(lower, each_quantity(r.at("last").log_ratio, "sls", "soft", CURVATURE))
    scaled = every(lower, each_quantity(r.log_ratio, "sls", "soft", ("sharpness_full", "sharpness_high")))
    return all_of({"last checkpoint": last, "scale-invariant": scaled})


claim("G13", "The flatness of SLS is not an effect of early stopping or of the scale of the weights.", _g13,
    asides={"weight norm": lambda r: shown({method_name(m): r.values(m, "weight_norm") for m in ("sls", "soft")})},
    kind="guard", published=number("d-epochs-best"), beside=("G1", "G2", "G3", "G4"),
    how="G1 to G4 at the last checkpoint, which is after the same number of epochs, and with a sharpness that is invariant to the scale of the weights. Weight norms are shown without a verdict.")  # fmt: skip
