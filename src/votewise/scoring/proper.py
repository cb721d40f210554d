"""Proper scores: predicting the distribution of the votes is optimal (Gneiting and Raftery 2007).

With K votes in place of the true distribution, soft NLL is unbiased, and the other two are too large. The bias of the Brier score
is known exactly. The bias of KL is that of the entropy of few votes, which is too small. It has no unbiased estimator, but the
jackknife (Zahl 1977) removes far more of the bias than the correction of Miller and Madow, (m - 1) / (2K): for K = 5 and
p = (.6, .3, .1), of a bias of 0.227 nats, 0.011 are left instead of 0.103.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from votewise.arrays import F64
from votewise.errors import UndefinedError
from votewise.scoring.columns import (
    Column,
    brier_bias,
    correctable,
    cross_entropy,
    jackknife_entropy,
    squared_error,
    vote_entropy,
)
from votewise.scoring.declaration import Score, loss_in_nats
from votewise.scoring.item_table import Table

_GNEITING = "Gneiting and Raftery 2007, Strictly proper scoring rules, prediction, and estimation"


def _mean_correctable(table: Table, column: Column) -> float:
    """The mean over items with at least two votes, for which the correction for few votes is defined."""
    chosen = table[correctable]
    size = table.sum(chosen)
    if not size:
        raise UndefinedError("no item has two votes", remedy="a correction needs at least two votes of an item")
    if size == table.total:
        return table.mean(table[column])
    return table.sum(np.where(chosen > 0, table[column], 0.0)) / size


def _kl(table: Table) -> float:
    return max(table.mean(table[cross_entropy]) - entropy_floor(table), 0.0)


def _kl_corrected(table: Table) -> float:
    return _mean_correctable(table, cross_entropy) - _mean_correctable(table, jackknife_entropy)


def _brier_corrected(table: Table) -> float:
    return _mean_correctable(table, squared_error) - _mean_correctable(table, brier_bias)


def _kl_of_items(table: Table) -> F64:
    return np.maximum(table[cross_entropy] - table[vote_entropy], 0.0)


def entropy_floor(table: Table) -> float:
    """Mean entropy of the votes: the lower bound of the soft NLL of any model."""
    return table.mean(table[vote_entropy])


def entropy_floor_corrected(table: Table) -> float:
    """An estimate of the lower bound with unlimited votes: `entropy_floor` by the jackknife, over items with at least two votes."""
    return _mean_correctable(table, jackknife_entropy)


soft_nll = loss_in_nats(
    cross_entropy,
    key="soft_nll",
    label="Soft NLL",
    meaning="mean over items of -sum p log q: cross-entropy of the model under the votes",
    citation=_GNEITING,
)
kl = replace(
    soft_nll,
    of=_kl,
    columns=(cross_entropy, vote_entropy, jackknife_entropy, correctable),
    key="kl",
    label="KL to annotators",
    meaning="mean over items of KL(votes || model) = sum p log(p / q): soft NLL minus the entropy of the votes",
    of_items=_kl_of_items,
    corrected=_kl_corrected,
    correction="entropy of the votes by the jackknife (Zahl 1977), over items with at least two votes; removes most of the bias",
)
soft_brier = Score.mean_of(
    squared_error,
    brier_bias,
    correctable,
    key="soft_brier",
    label="Soft Brier",
    meaning="mean over items of sum (p - q)^2",
    unit="squared probability",
    bounds=(0.0, 2.0),
    better="lower",
    citation=_GNEITING,
    corrected=_brier_corrected,
    correction="minus sum p(1 - p) / (K - 1), over items with at least two votes; unbiased",
)
