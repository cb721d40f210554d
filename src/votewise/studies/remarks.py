"""Remarks on a plan: incomplete cycles of multipass, intervals longer than training, and items with fewer than K votes."""

from __future__ import annotations

import numpy as np

from votewise.datasets import Dataset
from votewise.studies.plan import Plan, label
from votewise.votes import Votes
from votewise.wording import counted


def remarks(plan: Plan, dataset: Dataset) -> list[str]:
    """Remarks that help to interpret the numbers of the study."""
    epochs, found = plan.trained_with.epochs, list[str]()
    if isinstance(dataset.votes, Votes):
        size = dataset.votes.votes_per_item
        nested = plan.subsample == "nested"
        shown = {k: size if k == "all" else np.minimum(k, size if nested else k) for k in plan.votes_per_item}
        cycle = {k: float(each.mean()) for k, each in shown.items()}
        short, most = [k for k in cycle if epochs < cycle[k]], max(cycle.values())
        where = "" if len(short) == len(cycle) else f" with K = {', '.join(map(str, short))}"
        passes = [label(arm) for arm in plan.arms if arm.delivery in ("multipass", "deterministic")]
        if passes and short:
            found.append(
                f"in {counted(epochs, 'epoch')} an item delivers {epochs / most:.0%} of its {most:.0f} votes: no cycle of {' or '.join(passes)} is complete{where}"
            )
    for k in plan.votes_per_item:
        found += [] if k == "all" else fewer_votes(dataset, k, plan.subsample)
    for arm in plan.arms:
        if arm.options.get("resample_every", 1) >= epochs > 1:
            found.append(f"{label(arm)} draws labels only once in {epochs} epochs")
    return found


def fewer_votes(dataset: Dataset, k: int, subsample: str) -> list[str]:
    """A remark on items with fewer than `k` votes, if there are any."""
    if not isinstance(dataset.votes, Votes):
        return []
    size = dataset.votes.votes_per_item
    fewer = int((size < k).sum())
    fate = "keep all of them" if subsample == "nested" else f"get {k} votes drawn with replacement"
    return [f"{fewer} of {len(size)} items have fewer than {k} votes and {fate}"] if fewer else []
