"""cleanlab: one row per item and one column per annotator, with NaN where there is no vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from votewise.adapters.annotators import require_annotators
from votewise.errors import VotewiseError
from votewise.votes import Votes

if TYPE_CHECKING:
    import pandas as pd


def to_cleanlab(votes: Votes) -> pd.DataFrame:
    """Class numbers [N, annotators], as `cleanlab.multiannotator` expects them; the items are the index.

    Raises:
        VotewiseError: If annotators are unknown, or an annotator voted twice on an item.
    """
    import pandas as pd

    require_annotators(votes, "cleanlab")
    assert votes.annotator is not None
    table = np.full((len(votes), len(votes.annotators)), np.nan)
    item = np.repeat(np.arange(len(votes)), votes.votes_per_item)
    table[item, votes.annotator] = votes.label
    if np.isfinite(table).sum() < len(votes.label):
        raise VotewiseError("an annotator voted twice on an item", remedy="read the votes with duplicates='last'")
    return pd.DataFrame(table, index=votes.names(), columns=list(votes.annotators))


def from_cleanlab(frame: pd.DataFrame, classes: Sequence[str]) -> Votes:
    """Votes from a table like that of `to_cleanlab`, with the names of its class numbers."""
    table = frame.to_numpy(dtype=np.float64)
    item, annotator = np.nonzero(np.isfinite(table))
    label = table[item, annotator].astype(np.int64)
    if label.size and (label.min() < 0 or label.max() >= len(classes)):
        raise VotewiseError(f"class number {int(label.max())} has no name", remedy="name all classes with classes=")
    names, items = [str(name) for name in frame.columns], [str(name) for name in frame.index]
    order = np.argsort(names)  # annotators are sorted by name
    rank = np.argsort(order)
    return Votes.from_codes(
        item, label, rank[annotator], items=items, classes=list(classes), annotators=[names[i] for i in order]
    )
