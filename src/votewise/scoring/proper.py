"""Proper scores: a model cannot do better than by saying what people will say (Gneiting and Raftery 2007).

Against K votes instead of the true distribution, soft NLL is right on average; the other two are too large. Brier's
excess is known exactly. That of KL is the entropy that few votes miss: no estimator is free of bias there, but the
jackknife (Zahl 1977) leaves far less of it than Miller and Madow's (m - 1) / (2K): of 0.227 nats at K = 5 and
p = (.6, .3, .1), 0.011 against 0.103.
"""

from __future__ import annotations

from votewise.scoring.facts import INFINITY, scored
from votewise.scoring.table import Table

_GNEITING = "Gneiting and Raftery 2007, Strictly proper scoring rules, prediction, and estimation"


@scored(
    "mean over items of -sum p log q: cross-entropy of the model under the votes",
    columns="soft_nll",
    unit="nats",
    bounds=(0.0, INFINITY),
    better="lower",
    cite=_GNEITING,
)
def soft_nll(table: Table) -> float:
    return table.mean("soft_nll")


def _kl_corrected(table: Table) -> float:
    return table.mean_correctable("soft_nll") - table.mean_correctable("jackknife_entropy")


@scored(
    "mean over items of KL(votes || model) = sum p log(p / q): soft NLL minus the entropy of the votes",
    columns="soft_nll vote_entropy jackknife_entropy correctable",
    unit="nats",
    bounds=(0.0, INFINITY),
    better="lower",
    cite=_GNEITING,
    corrected=_kl_corrected,
    correction="entropy of the votes by the jackknife (Zahl 1977), over items with two votes or more; most bias is gone",
)
def kl(table: Table) -> float:
    return max(soft_nll.of(table) - entropy_floor(table), 0.0)


def _brier_corrected(table: Table) -> float:
    return table.mean_correctable("squared_error") - table.mean_correctable("brier_bias")


@scored(
    "mean over items of sum (p - q)^2",
    columns="squared_error brier_bias correctable",
    unit="squared probability",
    bounds=(0.0, 2.0),
    better="lower",
    cite=_GNEITING,
    corrected=_brier_corrected,
    correction="minus sum p(1 - p) / (K - 1), over items with two votes or more; unbiased",
)
def soft_brier(table: Table) -> float:
    return table.mean("squared_error")


def entropy_floor(table: Table) -> float:
    """Mean entropy of the votes: the least soft NLL that any model can reach on them."""
    return table.mean("vote_entropy")


def entropy_floor_corrected(table: Table) -> float:
    """The same by the jackknife, over items with two votes or more: the floor if everybody had voted."""
    return table.mean_correctable("jackknife_entropy")
