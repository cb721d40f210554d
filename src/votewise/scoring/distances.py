"""Distances between the distribution of the votes and the model's. Five names of two numbers: each is computed once."""

from __future__ import annotations

import math

import numpy as np

from votewise.scoring.facts import INFINITY, scored
from votewise.scoring.table import Table

_BAAN = "Baan et al. 2022, Stop measuring calibration when humans disagree"
_KURNIAWAN = "Kurniawan et al. 2025, Training and evaluating with human label variation"
_LEWIDI = "Leonardelli et al. 2025, LeWiDi-2025 at NLPerspectives"
_LIN = "Lin 1991, Divergence measures based on the Shannon entropy"


@scored(
    "mean over items of sum |p - q| / 2",
    columns="total_variation",
    unit="probability",
    bounds=(0.0, 1.0),
    better="lower",
    cite="Levin and Peres 2017, Markov chains and mixing times, chapter 4",
)
def total_variation(table: Table) -> float:
    return table.mean("total_variation")


@scored(
    "total variation, as an error of calibration",
    columns="total_variation",
    unit="probability",
    bounds=(0.0, 1.0),
    better="lower",
    cite=_BAAN,
    equals="total_variation",
)
def dist_ce(table: Table) -> float:
    return total_variation.of(table)


@scored(
    "mean over items of sum |p - q|: twice the total variation",
    columns="total_variation",
    unit="probability",
    bounds=(0.0, 2.0),
    better="lower",
    cite=_LEWIDI,
    equals="2 total_variation",
)
def manhattan(table: Table) -> float:
    return 2 * total_variation.of(table)


@scored(
    "mean over items of sum min(p, q): one minus the total variation",
    columns="total_variation",
    unit="probability",
    bounds=(0.0, 1.0),
    better="higher",
    cite=_KURNIAWAN,
    equals="1 - total_variation",
)
def soft_accuracy(table: Table) -> float:
    return 1 - total_variation.of(table)


@scored(
    "2 sum min(p, q) / sum (p + q) over items and classes: soft accuracy, since every row sums to one",
    columns="total_variation",
    unit="F1",
    bounds=(0.0, 1.0),
    better="higher",
    cite=_KURNIAWAN,
    equals="soft_accuracy",
)
def soft_f1_micro(table: Table) -> float:
    return soft_accuracy.of(table)


@scored(
    "mean over classes of 2 sum min(p, q) / sum (p + q), sums over items; classes without any mass are left out",
    columns="overlap together",
    unit="F1",
    bounds=(0.0, 1.0),
    better="higher",
    cite=_KURNIAWAN,
)
def soft_f1_macro(table: Table) -> float:
    overlap, together = table.class_sums("overlap"), table.class_sums("together")
    present = together > 0
    return float(np.mean(2 * overlap[present] / together[present]))


@scored(
    "mean over items of the Jensen-Shannon divergence: mean KL of votes and model to their average",
    columns="js_divergence",
    unit="nats",
    bounds=(0.0, math.log(2)),
    better="lower",
    cite=_LIN,
)
def js_divergence(table: Table) -> float:
    return table.mean("js_divergence")


@scored(
    "mean over items of the root of the Jensen-Shannon divergence in nats",
    columns="js_divergence",
    unit="root of nats",
    bounds=(0.0, math.sqrt(math.log(2))),
    better="lower",
    cite="Endres and Schindelin 2003, A new metric for probability distributions",
)
def js_distance(table: Table) -> float:
    return table.sum(table.once("js_distance", lambda: np.sqrt(table["js_divergence"]))) / table.total


@scored(
    "one minus the Jensen-Shannon divergence in bits",
    columns="js_divergence",
    unit="bits",
    bounds=(0.0, 1.0),
    better="higher",
    cite=_KURNIAWAN,
    equals="1 - js_divergence / log 2",
)
def po_jsd(table: Table) -> float:
    return 1 - js_divergence.of(table) / math.log(2)


@scored(
    "mean over items of the area between the cumulative shares and probabilities along the scale; ordinal classes only",
    columns="wasserstein",
    unit="units of the scale",
    bounds=(0.0, INFINITY),
    better="lower",
    cite=_LEWIDI,
)
def wasserstein(table: Table) -> float:
    return table.mean("wasserstein")
