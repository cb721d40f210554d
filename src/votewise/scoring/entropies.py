"""Whether the model is uncertain on the items that annotators disagree on."""

from __future__ import annotations

from votewise.scoring.columns import Column, entropy_distance, model_entropy, vote_entropy
from votewise.scoring.declaration import loss_in_nats, scored
from votewise.scoring.item_table import Table, once_per_items
from votewise.scoring.ranks import SAME, Order, correlation, mid_ranks, rising


@once_per_items
def _order(table: Table, column: Column) -> Order:
    return rising(table[column], SAME)


@scored(
    model_entropy,
    vote_entropy,
    label="Entropy correlation",
    meaning="Spearman correlation over items of the entropy of q and the entropy of p, equal values sharing their mean rank",
    unit="Spearman",
    bounds=(-1.0, 1.0),
    better="higher",
    citation="Gheibi and Ghazizadeh 2026, Same target, different basins",
)
def entropy_correlation(table: Table) -> float:
    model, votes = (mid_ranks(_order(table, column), table.count) for column in (model_entropy, vote_entropy))
    return correlation(model, votes, table.count)


ent_ce = loss_in_nats(
    entropy_distance,
    key="ent_ce",
    label="EntCE",
    meaning="mean over items of |entropy of q - entropy of p|",
    citation="Baan et al. 2022, Stop measuring calibration when humans disagree",
)
