"""crowd-kit: frames with the columns task, worker and label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from votewise.adapters.annotators import require_annotators
from votewise.votes import Distributions, Votes

if TYPE_CHECKING:
    import pandas as pd


def to_crowdkit(votes: Votes) -> pd.DataFrame:
    """One row per vote, for the aggregators of crowd-kit: `DawidSkene().fit_predict_proba(to_crowdkit(votes))`.

    Raises:
        VotewiseError: If annotators are unknown. All aggregators except the majority need them.
    """
    require_annotators(votes, "crowd-kit")
    return votes.to_pandas()[["item", "annotator", "label"]].rename(columns={"item": "task", "annotator": "worker"})


def from_crowdkit(frame: pd.DataFrame, classes: Sequence[str] | None = None) -> Votes:
    """Votes from a frame with task, worker and label, for example from `crowdkit.datasets`."""
    return Votes.from_frame(frame, item="task", annotator="worker", label="label", classes=classes)


def from_crowdkit_probabilities(frame: pd.DataFrame, like: Votes) -> Distributions:
    """Convert the result of an aggregator's `predict_proba` to `Distributions` with the items and classes of the votes.

    Args:
        frame: One row per task, one column per label that occurs.
        like: The votes that the aggregator was fitted on.
    """
    found: Any = frame.reindex(index=like.names(), columns=list(like.classes), fill_value=0.0)
    return Distributions(found.to_numpy(), classes=like.classes, scale=like.scale, row=like.row, items=like.items)
