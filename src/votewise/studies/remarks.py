"""What a plan does not say by itself: how far multipass gets, how many draws an interval gives, who has fewer than K votes."""

from __future__ import annotations

from votewise.datasets import Dataset
from votewise.studies.plan import Plan, label
from votewise.votes import Votes


def remarks(plan: Plan, dataset: Dataset) -> list[str]:
    """One sentence for each thing that the numbers of the study should be read with."""
    epochs, found = plan.trained_with.epochs, list[str]()
    if isinstance(dataset.votes, Votes):
        size = dataset.votes.votes_per_item
        most = max(float(size.mean()) if k == "all" else float(k) for k in plan.votes_per_item)
        passes = [label(arm) for arm in plan.arms if arm.delivery in ("multipass", "deterministic")]
        if passes and epochs < most:
            found.append(
                f"{epochs} epochs show {epochs / most:.0%} of {most:.0f} votes an item: {' and '.join(passes)} complete no cycle"
            )
        for k in plan.votes_per_item if plan.subsample == "nested" else ():
            if k != "all" and 0 < (fewer := int((size < k).sum())) < len(size):
                found.append(f"{fewer} of {len(size)} items have fewer than {k} votes and keep all they have")
    for arm in plan.arms:
        if arm.resample_every >= epochs > 1:
            found.append(f"{label(arm)} is one single draw: there are {epochs} epochs")
    return found
