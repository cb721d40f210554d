"""Distances between the distributions of votes and model. Papers have several names for the same distance; each is computed once."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from votewise.scoring import columns
from votewise.scoring.columns import combined, overlap
from votewise.scoring.declaration import INFINITY, Score, scored
from votewise.scoring.item_table import Table

_BAAN = "Baan et al. 2022, Stop measuring calibration when humans disagree"
_KURNIAWAN = "Kurniawan et al. 2025, Training and evaluating with human label variation"
_LEWIDI = "Leonardelli et al. 2025, LeWiDi-2025 at NLPerspectives"
_LIN = "Lin 1991, Divergence measures based on the Shannon entropy"

total_variation = Score.mean_of(
    columns.total_variation,
    label="Total variation",
    meaning="mean over items of sum |p - q| / 2",
    unit="probability",
    bounds=(0.0, 1.0),
    better="lower",
    citation="Levin and Peres 2017, Markov chains and mixing times, chapter 4",
)
dist_ce = replace(
    total_variation,
    key="dist_ce",
    label="DistCE",
    meaning="total variation, as an error of calibration",
    citation=_BAAN,
    equals="total_variation",
)
manhattan = replace(
    total_variation,
    key="manhattan",
    label="Manhattan distance",
    meaning="mean over items of sum |p - q|: twice the total variation",
    of=lambda table: 2 * total_variation.of(table),
    of_items=lambda table: 2 * table[columns.total_variation],
    bounds=(0.0, 2.0),
    citation=_LEWIDI,
    equals="2 total_variation",
)
soft_accuracy = replace(
    total_variation,
    key="soft_accuracy",
    label="Soft accuracy",
    meaning="mean over items of sum min(p, q): one minus the total variation",
    of=lambda table: 1 - total_variation.of(table),
    of_items=lambda table: 1 - table[columns.total_variation],
    better="higher",
    citation=_KURNIAWAN,
    equals="1 - total_variation",
)
soft_f1_micro = replace(
    soft_accuracy,
    key="soft_f1_micro",
    label="Soft micro F1",
    meaning="2 sum min(p, q) / sum (p + q) over items and classes: soft accuracy, since every row sums to one",
    unit="F1",
    equals="soft_accuracy",
)


@scored(
    overlap,
    combined,
    label="Soft macro F1",
    meaning="mean over classes of 2 sum min(p, q) / sum (p + q), sums over items; classes without any mass are left out",
    unit="F1",
    bounds=(0.0, 1.0),
    better="higher",
    citation=_KURNIAWAN,
)
def soft_f1_macro(table: Table) -> float:
    both, either = table.class_sums(overlap), table.class_sums(combined)
    present = either > 0
    return float(np.mean(2 * both[present] / either[present]))


js_divergence = Score.mean_of(
    columns.js_divergence,
    label="JS divergence",
    meaning="mean over items of the Jensen-Shannon divergence: mean KL of votes and model to their average",
    unit="nats",
    bounds=(0.0, math.log(2)),
    better="lower",
    citation=_LIN,
)
po_jsd = replace(
    js_divergence,
    key="po_jsd",
    label="poJSD",
    meaning="one minus the Jensen-Shannon divergence in bits",
    of=lambda table: 1 - js_divergence.of(table) / math.log(2),
    of_items=lambda table: 1 - table[columns.js_divergence] / math.log(2),
    unit="bits",
    bounds=(0.0, 1.0),
    better="higher",
    citation=_KURNIAWAN,
    equals="1 - js_divergence / log 2",
)
js_distance = Score.mean_of(
    columns.js_distance,
    label="JS distance",
    meaning="mean over items of the root of the Jensen-Shannon divergence in nats",
    unit="root of nats",
    bounds=(0.0, math.sqrt(math.log(2))),
    better="lower",
    citation="Endres and Schindelin 2003, A new metric for probability distributions",
)
wasserstein = Score.mean_of(
    columns.wasserstein,
    label="Wasserstein distance",
    meaning="mean over items of the area between the cumulative shares and probabilities along the scale; ordinal classes only",
    unit="units of the scale",
    bounds=(0.0, INFINITY),
    better="lower",
    citation=_LEWIDI,
)
