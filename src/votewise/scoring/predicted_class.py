"""Whether the model predicts the class that the annotators chose, and orders the classes as they do."""

from __future__ import annotations

from functools import partial

from votewise.scoring.columns import hit, hit_truth, same_ranking
from votewise.scoring.declaration import Score, scored
from votewise.scoring.item_table import Table

_share_of_items = partial(Score.mean_of, unit="share of items", bounds=(0.0, 1.0), better="higher")

accuracy = _share_of_items(
    hit,
    key="accuracy",
    label="Hard accuracy",
    meaning="share of items whose predicted class (largest q, lowest on ties) is the majority of the votes (ties: the lowest class, or with ties='random' a random one)",
    citation="hard_acc_all in Gheibi and Ghazizadeh 2026, Same target, different basins",
)


@scored(
    hit_truth,
    label="Accuracy (truth)",
    meaning="share of items whose predicted class is the given true class",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    citation="standard",
    of_items=lambda table: table[hit_truth],
)
def accuracy_truth(table: Table) -> float:
    known = table.known(hit_truth)
    return known.mean(known[hit_truth])


rank_cs = _share_of_items(
    same_ranking,
    key="rank_cs",
    label="RankCS",
    meaning="share of items whose classes p and q put in the same order from least to most, equal ones by class",
    citation="Baan et al. 2022, Stop measuring calibration when humans disagree",
)
