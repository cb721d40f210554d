"""Whether the model predicts the class that the annotators chose, and orders the classes as they do."""

from __future__ import annotations

from votewise.scoring.columns import hit, hit_truth, same_ranking
from votewise.scoring.definition import Score

accuracy = Score.mean_of(
    hit,
    key="accuracy",
    label="Hard accuracy",
    meaning="share of items whose predicted class (largest q, lowest on ties) is the majority of the votes (ties by the policy)",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    citation="hard_acc_all in Gheibi and Ghazizadeh 2026, Same target, different basins",
)
accuracy_truth = Score.mean_of(
    hit_truth,
    key="accuracy_truth",
    label="Accuracy (truth)",
    meaning="share of items whose predicted class is the given true class",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    citation="standard",
)
rank_cs = Score.mean_of(
    same_ranking,
    key="rank_cs",
    label="RankCS",
    meaning="share of items whose classes p and q put in the same order from least to most, equal ones by class",
    unit="share of items",
    bounds=(0.0, 1.0),
    better="higher",
    citation="Baan et al. 2022, Stop measuring calibration when humans disagree",
)
