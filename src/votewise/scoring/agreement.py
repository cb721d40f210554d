"""Whether the model picks what people picked, and is unsure where they disagree."""

from __future__ import annotations

import math

import numpy as np

from votewise.scoring.facts import scored
from votewise.scoring.ranks import correlation, mid_ranks, rising
from votewise.scoring.table import F64, Table

_BAAN = "Baan et al. 2022, Stop measuring calibration when humans disagree"

# Entropies of the same votes in another order of classes differ by a rounding: they are one value, and tie.
SAME = 1e-12


@scored(
    "share of items whose predicted class (largest q, lowest on ties) is the majority of the votes (ties by the policy)",
    columns="hit",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    cite="hard_acc_all in Gheibi and Ghazizadeh 2026, Same target, different basins",
)
def accuracy(table: Table) -> float:
    return table.mean("hit")


@scored(
    "share of items whose predicted class is the given true class",
    columns="hit_truth",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    cite="standard",
)
def accuracy_truth(table: Table) -> float:
    return table.mean("hit_truth")


def _ranks(table: Table, name: str) -> F64:
    return mid_ranks(table.once(f"order of {name}", lambda: rising(table[name], SAME)), table.count)


@scored(
    "Spearman correlation over items of the entropy of q and the entropy of p, equal values sharing their mean rank",
    columns="model_entropy vote_entropy",
    unit="correlation",
    bounds=(-1.0, 1.0),
    better="higher",
    cite="Gheibi and Ghazizadeh 2026, Same target, different basins",
)
def entropy_correlation(table: Table) -> float:
    return correlation(_ranks(table, "model_entropy"), _ranks(table, "vote_entropy"), table.count)


def entropy_error(table: Table) -> F64:
    """Entropy of the model minus that of the votes [n]: positive where the model is less sure than people are of one mind."""
    return table["model_entropy"] - table["vote_entropy"]


@scored(
    "mean over items of |entropy of q - entropy of p|",
    columns="model_entropy vote_entropy",
    unit="nats",
    bounds=(0.0, math.inf),
    better="lower",
    cite=_BAAN,
)
def ent_ce(table: Table) -> float:
    return table.sum(table.once("entropy distance", lambda: np.abs(entropy_error(table)))) / table.total


@scored(
    "share of items whose classes p and q put in the same order from least to most, equal ones by class",
    columns="same_ranking",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    cite=_BAAN,
)
def rank_cs(table: Table) -> float:
    return table.mean("same_ranking")
